"""Work handed to a Dask cluster: an executor whose workers need kpframe, and nothing of this machine.

What is shared is packed with the files that it names and travels as the result of one task, which the
scheduler can make again: so no worker has anything that is lost with it. Before anything is computed in a
process its versions are compared with those here. Source: Rocklin (2015), Dask.
"""

from __future__ import annotations

import importlib
import logging
import os
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from kpframe.engine.at_worker import Held, Unlike, hold, tidy, work
from kpframe.engine.carrying import packed
from kpframe.engine.executors import Executor, WorkerDied
from kpframe.engine.paused_workers import PausedWorkers
from kpframe.engine.same_worker import differences, made_of
from kpframe.errors import DataError, KpframeError, Problem, ResourceError, SpecError

__all__ = ["ClusterWorkers", "cluster_workers"]

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

IN_FLIGHT = 3
"""Tasks under way for each worker: one is worked on, one waits there, one is on its way."""
AHEAD = 16
"""Results for each worker that may wait for an earlier one, which a slow worker has."""
_PATIENCE = 30
"""Seconds in which a scheduler must answer, and a first worker must be there."""
_LOOK = 2.0
"""Seconds between two looks whether the cluster is still there."""

_QUIET = {
    # Looks at every process a hundred times a second, and keeps what it saw.
    "distributed.worker.profile.enabled": False,
    # How late an event loop is, fifty times a second, and what its process takes, twice a second: most of
    # what a scheduler spends that waits for long tasks, and nobody looks at them here.
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "10s",
}
"""How Dask's own measurements are set in a cluster that is begun here."""

log = logging.getLogger("kpframe")


def cluster_workers(cluster: Any) -> ClusterWorkers:
    """The workers of a cluster: `tcp://host:8786`, `local`, `local:N`, or a client of Dask.

    Raises ResourceError if Dask is not installed, SpecError for what is no cluster, and DataError if no
    scheduler answers there or no worker comes.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        problem = "needs Dask (distributed), which is not installed"
        raise ResourceError.at("--cluster", problem, "pip install 'kpframe[cluster]'") from None
    if isinstance(cluster, distributed.Client):
        return ClusterWorkers(cluster, lambda: None)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it would say is told here
    name, _, number = str(cluster).partition(":")
    if name == "local":
        return _local(distributed, str(cluster), number)
    if "://" not in str(cluster):
        remedy = "say tcp://HOST:8786, local or local:N"
        raise SpecError.at(f"--cluster {cluster}", "is no address of a scheduler", remedy)
    try:
        client = distributed.Client(str(cluster), timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        problem = f"no scheduler answers ({reason})"
        raise DataError.at(f"--cluster {cluster}", problem, "start it by `dask scheduler`") from None
    return ClusterWorkers(client, client.close)


def _local(distributed: Any, told: str, number: str) -> ClusterWorkers:
    if number and (not (number.isascii() and number.isdecimal()) or int(number) < 1):
        raise SpecError.at(f"--cluster {told}", f"{number!r} is no number of workers", "say local:2")
    dask: Any = importlib.import_module("dask")
    with dask.config.set(_QUIET):
        made = distributed.LocalCluster(
            n_workers=int(number or os.cpu_count() or 1),
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        )
    client = distributed.Client(made, set_as_default=False)

    def close() -> None:
        with suppress(Exception):  # workers that do not go by themselves are killed with their cluster
            client.close()
        made.close()

    return ClusterWorkers(client, close)


class ClusterWorkers(Executor):
    """The worker processes of a Dask cluster, each with one task at a time."""

    shares_disk = False

    def __init__(self, client: Any, close: Callable[[], None]) -> None:
        self._client = client
        self._close = close
        self._number, self._asked = 1, -_LOOK
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            close()
            problem = "the cluster has no workers"
            raise DataError.at(
                "--cluster", problem, "start some by `dask worker ADDRESS --nthreads 1`"
            ) from None

    @property
    def workers(self) -> int:  # type: ignore[override]
        """How many there are; they come and go, so it is asked again every few seconds."""
        if time.monotonic() - self._asked > _LOOK:
            with _still_there(self._client):
                self._number = max(1, len(self._client.nthreads()))
            self._asked = time.monotonic()
        return self._number

    def run(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result | WorkerDied[Task]]:
        """Results in order, a few tasks for each worker under way; survives workers that come and go."""
        pending = _Pending(self._client, function, self._publish(shared), iter(tasks))
        try:
            while pending.fill(self.workers):
                if pending.is_next_there():
                    yield pending.result()
                else:
                    pending.wait()
        finally:
            pending.drop()

    def close(self) -> None:
        """Let the workers go; their caches of annotations are brought to their limit before."""
        with suppress(Exception):  # a cluster that is gone has nothing to be tidied
            self._client.run(tidy, on_error="ignore")
        self._close()

    def _publish(self, shared: Any) -> Any:
        """The shared value as a task of its own; SpecError for workers that would compute something else."""
        data, foreign = packed(shared)
        own = made_of(foreign)
        with _still_there(self._client):
            asked = self._client.run(made_of, foreign, on_error="return")
        found = {worker: theirs for worker, theirs in asked.items() if not _is_gone(theirs)}
        if asked and not found:
            problem = "no worker answers any more"
            raise DataError.at("--cluster", problem, "start some; the same command goes on")
        refused = {worker: problem for worker, theirs in found.items() if (problem := _unlike(own, theirs))}
        if refused:
            raise _refusal(refused)
        held = Held(data, uuid.uuid4().hex, own, foreign)
        with _quiet():
            return self._client.submit(hold, held, key=f"kpframe-shared-{held.name}", pure=False)


class _Pending:
    """Tasks under way, in order, and where more of them come from."""

    def __init__(
        self, client: Any, function: Callable[[Any, Any], Any], held: Any, source: Iterator[Any]
    ) -> None:
        self.waiting: deque[tuple[Any, Any]] = deque()
        self._client, self._function, self._held, self._source = client, function, held, source
        self._lonely = False
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
            with _quiet(), _still_there(self._client):
                future = self._client.submit(
                    work, self._function, self._held, task, key=f"kpframe-{uuid.uuid4().hex}", pure=False
                )
            self.waiting.append((task, future))
            under_way += 1
        return bool(self.waiting)

    def is_next_there(self) -> bool:
        """Whether the first result can be had."""
        return bool(self.waiting[0][1].done())

    def wait(self) -> None:
        """Until one more is done. DataError if the scheduler is gone."""
        distributed: Any = importlib.import_module("distributed")
        begin = time.monotonic()
        try:
            with suppress(TimeoutError), self._client.as_current():
                futures = [future for _, future in self.waiting if not future.done()]
                distributed.wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED")
        except distributed.CancelledError:  # by Dask, which has given up to reach the scheduler
            raise _lost() from None
        with _still_there(self._client):
            lonely = not self._client.nthreads() if time.monotonic() - begin >= _LOOK else False
            self._paused.look(self._collected)
        if lonely and not self._lonely:
            log.warning("the cluster has no workers; waiting for some")
        self._lonely = lonely

    def result(self) -> Any:
        """The result of the first task, or that all workers that tried it died."""
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
        finally:
            future.release()  # at once: a worker that is lost would have it made again for nobody
        if isinstance(found, Unlike):
            raise _refusal({found.worker: "; ".join(found.what)})
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
                    future.release()
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

    def release(self) -> None:
        return

    def cancel(self) -> None:
        return


@contextmanager
def _still_there(client: Any) -> Iterator[None]:
    """DataError if the scheduler is gone; what a client raises then is of many kinds."""
    try:
        yield
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


def _refusal(found: Mapping[str, str]) -> KpframeError:
    remedy = "install the same there, as by `pip freeze` here and `pip install -r` there"
    return SpecError(
        [Problem(f"worker {name}", f"is not what is here: {what}", remedy) for name, what in found.items()]
    )


def _is_gone(answer: Any) -> bool:
    """Whether a worker died when it was asked: what came in its place is an error of the connection.

    The system's own errors have a number, those that Dask makes of a lost connection have none. Who comes in
    its place is compared before its first task.
    """
    return isinstance(answer, ConnectionError) or (isinstance(answer, OSError) and answer.errno is None)


def _unlike(own: Mapping[str, str], theirs: Any) -> str:
    """What is different at a worker, in words; it may be so different that it could not even say."""
    if isinstance(theirs, BaseException):
        return f"it cannot say what it has ({type(theirs).__name__}: {theirs})"
    return "; ".join(differences(own, theirs))


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask warns of values that are large, as what a ranking has learned may well be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
