"""How work is handed to workers: one small interface, and its implementation on this machine.

An executor applies a function to a shared value and to tasks, and yields the results in the order of
the tasks. The shared value reaches each worker once. All of them must be picklable, the function
importable by name. A cluster executor needs to provide no more than `run` and `close`.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

__all__ = [
    "DEATH",
    "Executor",
    "LocalProcesses",
    "SameProcess",
    "WorkerDied",
    "executor",
]

DEATH = (
    "the worker process died: out of memory, a crash in a library, or a script that does not keep its own "
    'code under `if __name__ == "__main__":`, as spawned workers need'
)
"""What is said of a document whose worker died."""

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class WorkerDied(Generic[Task]):
    """Stands for the result of a task whose worker process died (out of memory, a crash in C)."""

    task: Task


class Executor(Protocol):
    """Applies functions to tasks, somewhere, with so many workers."""

    workers: int

    def run(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result | WorkerDied[Task]]:
        """Results in the order of the tasks; tasks are taken only as fast as they are worked off."""
        ...

    def close(self) -> None:
        """Let the workers go."""
        ...


def executor(workers: int) -> Executor:
    """The local executor for a number of workers: this process for one, else that many others."""
    return SameProcess() if workers <= 1 else LocalProcesses(workers)


class SameProcess:
    """Does everything in this process, with one thread as a worker would."""

    def __init__(self) -> None:
        self.workers = 1

    def run(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result]:
        """Apply the function to one task after the other."""
        for task in tasks:
            with _single_threaded():
                result = function(shared, task)
            yield result

    def close(self) -> None:
        """Nothing to let go."""


class LocalProcesses:
    """A pool of spawned processes on this machine; each loads its models once."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files = 0

    def run(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result | WorkerDied[Task]]:
        """Results in order, at most four tasks a worker under way; survives dying workers."""
        call = _Call(function, self._publish(shared))
        source = iter(tasks)
        waiting: deque[tuple[Task, Future[Result]]] = deque()
        while True:
            for task in itertools.islice(source, 4 * self.workers - len(waiting)):
                waiting.append((task, self._submit(call, task)))
            if not waiting:
                return
            task, future = waiting[0]
            try:
                result = future.result()
            except BrokenProcessPool:
                yield from self._one_by_one(call, [task for task, _ in waiting])
                waiting.clear()
                continue
            waiting.popleft()
            yield result

    def close(self) -> None:
        """End the worker processes and remove what was published to them."""
        self._end_pool()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _end_pool(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _publish(self, shared: Any) -> str:
        """Put the shared value where every worker finds it; the file lives as long as the pool."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="kpframe-")
        self._files += 1
        path = Path(self._folder.name) / f"{self._files}.shared"
        path.write_bytes(pickle.dumps(shared))
        return str(path)

    def _submit(self, call: Callable[[Task], Result], task: Task) -> Future[Result]:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_begin_worker)
        try:
            return self._pool.submit(call, task)
        except BrokenProcessPool as error:
            broken: Future[Result] = Future()
            broken.set_exception(error)
            return broken

    def _one_by_one(
        self, call: Callable[[Task], Result], tasks: list[Task]
    ) -> Iterator[Result | WorkerDied[Task]]:
        """After a crash: each task alone, so that the one to blame is known."""
        for task in tasks:
            self._end_pool()
            try:
                yield self._submit(call, task).result()
            except BrokenProcessPool:
                yield WorkerDied(task)
        self._end_pool()


@dataclass(frozen=True)
class _Call:
    """A function with the place of its shared value: small to send, whatever is shared."""

    function: Callable[[Any, Any], Any]
    path: str

    def __call__(self, task: Any) -> Any:
        return self.function(_shared(self.path), task)


@lru_cache(maxsize=2)
def _shared(path: str) -> Any:
    return pickle.loads(Path(path).read_bytes())  # written by the parent process in a folder of its own


_limits: list[Any] = []


def _begin_worker() -> None:
    """One thread a process: numbers must not depend on how many threads a library takes."""
    for library in ("OMP", "OPENBLAS", "MKL"):  # those that are not loaded yet
        os.environ[f"{library}_NUM_THREADS"] = "1"
    _limits.append(_single_threaded())
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Without this the workers of a killed process would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _single_threaded() -> Any:
    """Limits the libraries that are loaded to one thread, until it is left."""
    return _thread_pools(len(sys.modules)).limit(limits=1)


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> Any:
    """The thread pools of the loaded libraries; looking for them is slow, so only after an import."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
