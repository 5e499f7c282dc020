"""Worker processes of this machine, each with pipes of its own.

The standard library's pool shares one queue and its locks among all workers: one that dies while it holds
a lock, or while a long task is written to it, leaves the others and the pool waiting for ever (CPython
issue 94777, in Python 3.11.2 as Debian has it). Here the death of a worker is the end of its pipe, and the
task to blame is the first that it has not answered.
"""

from __future__ import annotations

import atexit
import itertools
import multiprocessing
import pickle
import signal
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import IO, Any, TypeVar

from kpframe.engine.executors import Executor, SameProcess, WorkerDied, WorkersLost
from kpframe.engine.same_worker import code_of
from kpframe.engine.worker_process import Call, Sent, code_file, serve
from kpframe.files.leftovers import temporary_folder
from kpframe.stages import Stage

__all__ = ["LocalProcesses", "executor"]

AHEAD = 2
"""So many tasks a worker has at once: the next is there when one is done."""

UNDER_WAY = 4
"""So many tasks for each worker are taken from the stream before the first result is handed on."""

UNBORN = 3
"""So many workers in a row may end before they have begun; that is no matter of tasks."""

LEAVING = 5.0
"""Seconds that a worker has to leave what it is at when the pool is closed; then it is killed."""

WITHOUT_GUARD = (
    'keep the code of a script under `if __name__ == "__main__":`, as spawned workers need, and the '
    "script in a file; or use one worker"
)
"""What helps, nearly always: each worker begins by running the script that wants it."""

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


def executor(workers: int) -> Executor:
    """The local executor for a number of workers: this process for one, else that many others."""
    return SameProcess() if workers <= 1 else LocalProcesses(workers)


@dataclass(eq=False)
class _Item:
    """A task on its way: what is sent of it, how many workers have died of it, and what came of it."""

    task: Any
    message: bytes
    deaths: int = 0
    outcome: Sent | None = None
    unwanted: bool = False

    def result(self) -> Any:
        """Its result; raises what it has raised."""
        assert self.outcome is not None
        done, value = self.outcome
        if not done:
            raise value
        return value


@dataclass(eq=False)
class _Worker:
    """A process, what goes to it and comes from it, and the tasks that it has not answered, oldest first.

    `begun`: it has said that it can work; `used`: it was given a task.
    """

    process: Any
    tasks: Connection
    results: Connection
    begun: bool = False
    used: bool = False
    items: deque[_Item] = field(default_factory=deque)

    def leave(self) -> None:
        """Ask it to end; what it is at is abandoned."""
        self.tasks.close()
        self.results.close()

    def end(self) -> None:
        """Wait until it has ended."""
        self.process.join(LEAVING)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.process.close()


class LocalProcesses:
    """Spawned processes on this machine; each loads its models once."""

    shares_disk = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._started: list[_Worker] = []
        self._waiting: deque[_Item] = deque()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files = 0
        self._unborn = 0

    def run(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result | WorkerDied[Task]]:
        """Results in order, at most four tasks a worker under way; survives dying workers.

        A task whose worker dies is tried once more, in a worker that has done nothing else. Raises
        WorkersLost where workers end before they begin.
        """
        call = Call(function, self._publish(shared))
        source = iter(tasks)
        items: deque[_Item] = deque()
        broken: Exception | None = None
        try:
            while True:
                try:
                    for task in itertools.islice(source, UNDER_WAY * self.workers - len(items)):
                        items.append(_Item(task, pickle.dumps((call, task))))
                        self._waiting.append(items[-1])
                except Exception as error:  # told where it stands in the stream: behind what came before it
                    broken, source = error, iter(())
                if not items:
                    if broken is not None:
                        raise broken
                    return
                self._hand_out()
                while items[0].outcome is None:
                    self._receive()
                    self._hand_out()
                yield items.popleft().result()
        finally:
            for item in items:
                item.unwanted = True

    def close(self) -> None:
        """End the worker processes and remove what was published to them.

        What workers are still at is abandoned: nobody will take its result.
        """
        atexit.unregister(self.close)
        self._waiting.clear()
        started, self._started = self._started, []
        if self._folder is not None:  # before they end: of a folder that is still there its maker was killed
            self._folder.cleanup()
            self._folder = None
        for worker in started:
            worker.leave()
        for worker in started:
            worker.end()

    def _publish(self, shared: Any) -> str:
        """Put the shared value where every worker finds it; the file lives as long as the pool."""
        if self._folder is None:
            self._folder = temporary_folder()
        self._files += 1
        path = Path(self._folder.name) / f"{self._files}.shared"
        with path.open("wb") as file:
            packer = _Publisher(file)
            packer.dump(shared)
        if code := code_of(packer.stages):
            code_file(path).write_bytes(pickle.dumps(code))
        return str(path)

    def _hand_out(self) -> None:
        """Give tasks to workers that have room; more are started while tasks wait."""
        while self._waiting and self._waiting[0].unwanted:
            self._waiting.popleft()
        wanted = min(self.workers, len(self._waiting) + sum(bool(worker.items) for worker in self._started))
        while len(self._started) < wanted:  # all before any is sent to: they begin side by side
            self._started.append(self._start())
        while self._waiting:
            item = self._waiting[0]
            worker = self._fresh() if item.deaths else self._free()
            if worker is None:
                return
            self._waiting.popleft()
            if not item.unwanted:
                worker.items.append(item)
                worker.used = True
                with suppress(OSError):  # it has died, which its other pipe tells
                    worker.tasks.send_bytes(item.message)

    def _free(self) -> _Worker | None:
        """The worker with the fewest tasks, if it has room and is not alone with one that others died of."""
        free = [one for one in self._started if not any(item.deaths for item in one.items)]
        best = min(free, key=lambda worker: len(worker.items), default=None)
        return best if best is not None and len(best.items) < AHEAD else None

    def _fresh(self) -> _Worker | None:
        """A worker that has done nothing yet, in the place of an idle one if need be."""
        idle = sorted((one for one in self._started if not one.items), key=lambda worker: worker.used)
        if idle and not idle[0].used:
            return idle[0]
        if len(self._started) >= self.workers:
            if not idle:
                return None
            self._started.remove(idle[0])
            idle[0].leave()
            idle[0].end()
        self._started.append(self._start())
        return self._started[-1]

    def _start(self) -> _Worker:
        spawn = multiprocessing.get_context("spawn")
        theirs, tasks = spawn.Pipe(duplex=False)
        results, answers = spawn.Pipe(duplex=False)
        published = "" if self._folder is None else self._folder.name
        process = spawn.Process(target=serve, args=(theirs, answers, published))
        with _deaf():
            process.start()
        # Their ends are theirs alone: so both sides see when the other is gone.
        theirs.close()
        answers.close()
        # Without this a program that never closes its pool would wait for its workers at its end.
        atexit.unregister(self.close)
        atexit.register(self.close)
        return _Worker(process, tasks, results)

    def _receive(self) -> None:
        """Wait until a worker has answered, or has died."""
        ready = set(wait([worker.results for worker in self._started]))
        for worker in [one for one in self._started if one.results in ready]:
            try:
                answer = worker.results.recv_bytes()
            except (EOFError, OSError):  # OSError where it died in the middle of an answer
                self._bury(worker)
            else:
                if worker.begun:
                    worker.items.popleft().outcome = _arrived(answer)
                else:
                    worker.begun, self._unborn = True, 0

    def _bury(self, worker: _Worker) -> None:
        """The first task that it has not answered is to blame; the others were not begun."""
        self._started.remove(worker)
        worker.leave()
        worker.end()
        if not worker.begun:
            self._waiting.extendleft(reversed(worker.items))
            self._unborn += 1
            if self._unborn >= UNBORN:
                raise WorkersLost.at("workers", "they end before they begin", WITHOUT_GUARD)
            return
        blamed, *others = worker.items or (None,)
        self._waiting.extendleft(reversed(others))
        if blamed is None:
            return
        blamed.deaths += 1
        if blamed.deaths > 1:
            blamed.outcome = True, WorkerDied(blamed.task)
        else:
            self._waiting.appendleft(blamed)


class _Publisher(pickle.Pickler):
    """Pickles a value, and notes of which classes the stages in it are."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self.stages: dict[type, None] = {}

    def reducer_override(self, value: Any) -> Any:
        """As always."""
        if isinstance(value, Stage):
            self.stages[type(value)] = None
        return NotImplemented


def _arrived(answer: bytes) -> Sent:
    """What a worker has sent; how it fails to become values again is the outcome too."""
    try:
        outcome: Sent = pickle.loads(answer)
    except Exception as error:
        return False, error
    return outcome


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
        resource_tracker.ensure_running()  # a process too, which spawning starts
        signal.pthread_sigmask(signal.SIG_BLOCK, held)  # it has let SIGINT in again
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
