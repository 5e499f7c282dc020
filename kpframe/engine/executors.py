"""How work is handed to workers: one small interface, and its implementation on this machine.

An executor applies a function to a shared value and to tasks, and yields the results in the order of
the tasks. The shared value reaches each worker once. All of them must be picklable, the function
importable by name. A cluster executor needs to provide no more than `run` and `close`.
"""

from __future__ import annotations

import _thread
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Generic, Protocol, TypeVar

from kpframe.engine.swallowed import give_signal_again, when_swallowed
from kpframe.errors import DataError
from kpframe.files.leftovers import temporary_folder

__all__ = [
    "DEATH",
    "Executor",
    "LocalProcesses",
    "SameProcess",
    "WorkerDied",
    "WorkersLost",
    "executor",
    "single_threaded",
]

DEATH = (
    "the worker process died: out of memory, a crash in a library, or a script that does not keep its own "
    'code under `if __name__ == "__main__":`, as spawned workers need'
)
"""What is said of a document whose worker died."""

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkersLost(DataError):
    """No worker can be reached any more: whatever else would be handed out would fail too."""


@dataclass(frozen=True)
class WorkerDied(Generic[Task]):
    """Stands for the result of a task whose worker process died (out of memory, a crash in C)."""

    task: Task


class Executor(Protocol):
    """Applies functions to tasks, somewhere, with so many workers.

    `shares_disk`: workers see the files of this process. Where they do not, tasks hold all that they need.
    """

    workers: int
    shares_disk: bool

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

    shares_disk = True

    def __init__(self) -> None:
        self.workers = 1

    def run(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result]:
        """Apply the function to one task after the other."""
        for task in tasks:
            with single_threaded():
                result = function(shared, task)
            yield result

    def close(self) -> None:
        """Nothing to let go."""


class LocalProcesses:
    """A pool of spawned processes on this machine; each loads its models once."""

    shares_disk = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files = 0
        self._abandoned, self._abandon = multiprocessing.Pipe(duplex=False)

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
        """End the worker processes and remove what was published to them.

        What workers are still at is abandoned: nobody will take its result.
        """
        self._abandon.close()
        self._end_pool()
        self._abandoned.close()
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
            self._folder = temporary_folder()
        self._files += 1
        path = Path(self._folder.name) / f"{self._files}.shared"
        path.write_bytes(pickle.dumps(shared))
        return str(path)

    def _submit(self, call: Callable[[Task], Result], task: Task) -> Future[Result]:
        if self._pool is None:
            if self._abandon.closed:  # workers that are given a closed pipe think that they are abandoned
                self._abandoned, self._abandon = multiprocessing.Pipe(duplex=False)
            with _deaf():
                self._pool = ProcessPoolExecutor(
                    self.workers,
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=_begin_worker,
                    initargs=(self._abandoned,),
                )
        try:
            with _deaf():
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


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started in here never get SIGINT or SIGHUP; those for this one come afterwards.

    A terminal sends both to all processes of a command. Only the first of them is to act on them: it ends
    the others, which would else each tell of it, or leave without what they hold being freed.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    held = {signal.SIGINT, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        resource_tracker.ensure_running()  # a process too, with which a pool's semaphores are freed
        signal.pthread_sigmask(signal.SIG_BLOCK, held)  # it has let SIGINT in again
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(frozen=True)
class _Call:
    """A function with the place of its shared value: small to send, whatever is shared."""

    function: Callable[[Any, Any], Any]
    path: str

    def __call__(self, task: Any) -> Any:
        try:
            _work.at_task = True
            if _work.abandoned:
                raise _Abandoned
            return self.function(_shared(self.path), task)
        finally:
            _work.at_task = False


class _Abandoned(BaseException):
    """Ends a task whose result nobody wants; no Exception, so that no document fails of it."""


class _Work:
    """What a worker process is at."""

    at_task = False
    abandoned = False


_work = _Work()


@lru_cache(maxsize=2)
def _shared(path: str) -> Any:
    return pickle.loads(Path(path).read_bytes())  # written by the parent process in a folder of its own


_limits: list[Any] = []


def _begin_worker(abandoned: Connection) -> None:
    """One thread a process: numbers must not depend on how many threads a library takes."""
    for library in ("OMP", "OPENBLAS", "MKL"):  # those that are not loaded yet
        os.environ[f"{library}_NUM_THREADS"] = "1"
    _limits.append(single_threaded())
    signal.signal(signal.SIGINT, _leave_task)
    when_swallowed(_Abandoned, lambda _: give_signal_again(signal.SIGINT))
    signal.signal(signal.SIGTERM, _end_after_sending)
    threading.Thread(target=_end_with_parent, args=(abandoned,), daemon=True).start()


def _end_with_parent(abandoned: Connection) -> None:
    """Without this the workers of a killed process would wait for work for ever.

    And those of an interrupted one would finish what they are at. They must not be killed for that: one
    that dies while it sends a result leaves the pool waiting for the rest of it, for good. So the task alone
    is ended, by an exception, and the worker then takes its leave as always.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if parent.sentinel not in wait([abandoned, parent.sentinel]):
        _work.abandoned = True
        _thread.interrupt_main()
    parent.join()
    os._exit(1)


def _leave_task(number: int, frame: FrameType | None) -> None:
    # Between tasks there is nothing to leave; the next one does not begin.
    if _work.abandoned and _work.at_task:
        raise _Abandoned


def _end_after_sending(number: int, frame: FrameType | None) -> None:
    """A worker that dies while it sends a result leaves the pool waiting for the rest of it, for good."""
    while frame is not None and frame.f_code.co_name != "_send_bytes":
        frame = frame.f_back
    if frame is None:
        os._exit(128 + number)
    threading.Timer(1.0, os._exit, (128 + number,)).start()


def single_threaded() -> Any:
    """Limits the libraries that are loaded to one thread, until it is left."""
    return _thread_pools(len(sys.modules)).limit(limits=1)


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> Any:
    """The thread pools of the loaded libraries; looking for them is slow, so only after an import."""
    import numpy  # noqa: F401  (loaded before, its threads are limited in the first task, too)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
