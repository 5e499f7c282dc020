"""Tasks that a Dask cluster works on: handed out in their order, a few for each worker, and waited for."""

from __future__ import annotations

import logging
import threading
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from kpframe.engine.at_worker import Unlike, work
from kpframe.engine.executors import WorkerDied
from kpframe.engine.paused_workers import PausedWorkers
from kpframe.errors import DataError, KpframeError, Problem, SpecError

__all__ = ["AHEAD", "IN_FLIGHT", "LOOK", "TasksUnderWay", "large_values", "refusal", "still_there"]

IN_FLIGHT = 3
"""Tasks under way for each worker: one is worked on, one waits there, one is on its way."""
AHEAD = 16
"""Results for each worker that may wait for an earlier one, which a slow worker has."""
LOOK = 2.0
"""Seconds between two looks whether the cluster is still there."""

log = logging.getLogger("kpframe")


class TasksUnderWay:
    """Tasks under way, in order, and where more of them come from."""

    def __init__(
        self, client: Any, function: Callable[[Any, Any], Any], held: Any, source: Iterator[Any]
    ) -> None:
        self.waiting: deque[tuple[Any, Any]] = deque()
        self._client, self._function, self._held, self._source = client, function, held, source
        self._lonely = False
        self._one_more = threading.Event()
        self._paused, self._done = PausedWorkers(client), 0

    def fill(self, workers: int) -> bool:
        """Hand out tasks while few are under way; what is done may wait for an earlier one.

        False if there is nothing left to wait for.
        """
        under_way = sum(not future.done() for _, future in self.waiting)
        while under_way < IN_FLIGHT * workers and len(self.waiting) < AHEAD * workers:
            task = next(self._source, _NO_MORE)
            if task is _NO_MORE:
                break
            self.waiting.append((task, self._submitted(task)))
            under_way += 1
        return bool(self.waiting)

    def _submitted(self, task: Any) -> Any:
        """Without `fifo_timeout` Dask would take what is handed out within a minute by its drawn keys."""
        with large_values(), still_there(self._client):
            key = f"kpframe-{uuid.uuid4().hex}"
            future = self._client.submit(
                work, self._function, self._held, task, key=key, pure=False, fifo_timeout="0s"
            )
            future.add_done_callback(lambda _: self._one_more.set())
        return future

    def is_next_there(self) -> bool:
        """Whether the first result can be had."""
        return bool(self.waiting[0][1].done())

    def wait(self) -> None:
        """Until one more is done, or some seconds. DataError if the scheduler is gone.

        By an event of our own: Dask's `wait` leaves a coroutine in the client's loop for each future that is
        not done in time, and there is no time within which it must itself come back.
        """
        in_time = self._one_more.wait(LOOK)
        self._one_more.clear()  # whoever is done after this is seen by those that look next
        with still_there(self._client):
            lonely = not in_time and not self._client.nthreads()
            self._paused.look(self._collected)
        if lonely and not self._lonely:
            log.warning("the cluster has no workers; waiting for some")
        self._lonely = lonely

    def result(self) -> Any:
        """The result of the first task, or that all workers that tried it died.

        Nothing else may hold the future then: a worker that is lost would have it made again for nobody.
        """
        from distributed import CancelledError, KilledWorker

        task, future = self.waiting.popleft()
        self._done += 1
        try:
            found = future.result()
        except KilledWorker:
            self._settle()
            return WorkerDied(task)
        except CancelledError:
            raise _lost() from None
        except RuntimeError as error:
            if _UNREADABLE in str(error):
                raise _other_scheduler(error.__cause__) from None
            raise
        if isinstance(found, Unlike):
            raise refusal({found.worker: "; ".join(found.what)})
        return found

    def _settle(self) -> None:
        """Wait for what is under way: who is tried alone next must not be blamed for what others do."""
        while any(not future.done() for _, future in self.waiting):
            self.wait()

    def _collected(self) -> int:
        """How many results there are; they are fetched, since a worker that is begun anew has none."""
        from distributed import CancelledError, KilledWorker

        for i, (task, future) in enumerate(self.waiting):
            if not isinstance(future, _There) and future.status == "finished":
                with suppress(CancelledError, KilledWorker):  # it is lost just now, and will be made again
                    self.waiting[i] = (task, _There(future.result()))
        return self._done + sum(isinstance(future, _There) for _, future in self.waiting)

    def drop(self) -> None:
        """Give up what is under way."""
        with suppress(Exception):  # the scheduler may be gone
            for _, future in self.waiting:
                future.cancel()
            self._held.release()


_NO_MORE = object()


@dataclass(frozen=True)
class _There:
    """A result that has been fetched, in place of its future."""

    value: Any

    def done(self) -> bool:
        return True

    def result(self) -> Any:
        return self.value

    def cancel(self) -> None:
        return


@contextmanager
def still_there(client: Any) -> Iterator[None]:
    """DataError if the scheduler is gone; what a client raises then is of many kinds."""
    try:
        yield
    except OSError:  # the connection is lost, which the client has yet to see
        raise _lost() from None
    except Exception:
        if client.status == "running":
            raise
    if client.status != "running":
        raise _lost()


def _lost() -> KpframeError:
    problem = "the scheduler is gone, or has lost what it was told"
    return DataError.at(
        "--cluster", problem, "start it again; the same command goes on where this one stopped"
    )


_UNREADABLE = "Error during deserialization of the task graph"
"""How Dask's message begins if its scheduler could not unpickle what it was handed."""


def _other_scheduler(cause: BaseException | None) -> KpframeError:
    reason = f" ({cause})" if cause else ""
    problem = f"the scheduler cannot read what it is handed{reason}"
    return SpecError.at("--cluster", problem, "install kpframe there as well, as it is here")


def refusal(found: Mapping[str, str]) -> KpframeError:
    """What is said of workers, by name, that have something else than is here."""
    remedy = "install the same there, as by `pip freeze` here and `pip install -r` there"
    return SpecError(
        [Problem(f"worker {name}", f"is not what is here: {what}", remedy) for name, what in found.items()]
    )


@contextmanager
def large_values() -> Iterator[None]:
    """Handed to Dask without its warning: what a ranking has learned may well be large."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
