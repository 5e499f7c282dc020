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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from kpframe.engine.at_worker import Held, hold, tidy
from kpframe.engine.carrying import packed
from kpframe.engine.cluster_tasks import LOOK, TasksUnderWay, large_values, refusal, still_there
from kpframe.engine.executors import Executor, WorkerDied
from kpframe.engine.same_worker import differences, made_of
from kpframe.errors import DataError, ResourceError, SpecError

__all__ = ["ClusterWorkers", "cluster_workers"]

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

_PATIENCE = 30
"""Seconds in which a scheduler must answer, and a first worker must be there."""
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
    _hush()
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


def _hush() -> None:
    """What Dask would say of a lost cluster is told here; each of its loggers has a level of its own."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


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
        self._number, self._asked = 1, -LOOK
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
        if time.monotonic() - self._asked > LOOK:
            with still_there(self._client):
                self._number = max(1, len(self._client.nthreads()))
            self._asked = time.monotonic()
        return self._number

    def run(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result | WorkerDied[Task]]:
        """Results in order, a few tasks for each worker under way; survives workers that come and go."""
        pending = TasksUnderWay(self._client, function, self._publish(shared), iter(tasks))
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
        with still_there(self._client):
            asked = self._client.run(made_of, foreign, on_error="return")
        found = {worker: theirs for worker, theirs in asked.items() if not _is_gone(theirs)}
        if asked and not found:
            problem = "no worker answers any more"
            raise DataError.at("--cluster", problem, "start some; the same command goes on")
        refused = {worker: problem for worker, theirs in found.items() if (problem := _unlike(own, theirs))}
        if refused:
            raise refusal(refused)
        held = Held(data, uuid.uuid4().hex, own, foreign)
        with large_values():
            return self._client.submit(hold, held, key=f"kpframe-shared-{held.name}", pure=False)


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
