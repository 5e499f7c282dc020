"""How work is handed to workers: one small interface, and its implementation in this process.

An executor applies a function to a shared value and to tasks, and yields the results in the order of
the tasks. The shared value reaches each worker once. All of them must be picklable, the function
importable by name. A cluster executor needs to provide no more than `run` and `close`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

from kpframe.errors import DataError

__all__ = [
    "DEATH",
    "Executor",
    "SameProcess",
    "UnlikeWorker",
    "WorkerDied",
    "WorkersLost",
    "single_threaded",
]

DEATH = "the worker process died: out of memory, or a crash in a library"
"""What is said of a document whose worker died."""

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkersLost(DataError):
    """No worker can be reached any more: whatever else would be handed out would fail too."""


class UnlikeWorker(WorkersLost):
    """A worker has other code than the keys of results were made of: nothing of it can stand under them."""


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


def single_threaded() -> Any:
    """Limits the libraries that are loaded to one thread, until it is left."""
    return _thread_pools(len(sys.modules)).limit(limits=1)


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> Any:
    """The thread pools of the loaded libraries; looking for them is slow, so only after an import."""
    import numpy  # noqa: F401  (loaded before, its threads are limited in the first task, too)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
