"""Single documents through an executor, whatever happens to its workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from kpframe.engine.clock import StageClock, Timed
from kpframe.engine.executors import Executor, WorkerDied

__all__ = ["one_by_one"]

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")


def one_by_one(
    pool: Executor,
    function: Callable[[Shared, list[Item]], Timed[Result]],
    shared: Shared,
    batches: Iterable[list[Item]],
    lost: Callable[[Item], Result],
    clock: StageClock | None = None,
) -> Iterator[Result]:
    """The results of `function` for the items of all batches, in order; `clock` is told their times.

    If the worker of a batch dies, each of its items is tried alone, and once more in a worker that has
    done nothing else: only an item that ends that one too is given up. `lost` makes its result.
    """
    clock = clock or StageClock()
    for result in pool.run(function, shared, batches):
        if not isinstance(result, WorkerDied):
            clock.add(result.seconds)
            clock.count(result.counts)
            yield from result
            continue
        for item in result.task:
            (alone,) = pool.run(function, shared, [[item]])
            if isinstance(alone, WorkerDied):
                yield lost(item)
            else:
                clock.add(alone.seconds)
                clock.count(alone.counts)
                yield from alone
