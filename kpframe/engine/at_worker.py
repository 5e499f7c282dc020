"""What a worker of a cluster does: it compares itself, unpacks what is shared, and works on a task."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kpframe.engine.cache import cache_folder
from kpframe.engine.carrying import unpacked
from kpframe.engine.executors import single_threaded
from kpframe.engine.forgetting import cache_limit, forget_if_full
from kpframe.engine.same_worker import differences, made_of

__all__ = ["Held", "Unlike", "hold", "tidy", "work"]


@dataclass(frozen=True, eq=False)
class Held:
    """A shared value, packed; `own` is what it is computed with here, `foreign` the stages from elsewhere.

    It is remembered by its name: a worker unpacks it once, however often it comes.
    """

    data: bytes
    name: str
    own: Mapping[str, str]
    foreign: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True)
class Unlike:
    """Stands for the result of a worker that came later and is not the same."""

    worker: str
    what: tuple[str, ...]


_one_task = threading.Lock()
"""A worker with several threads works on one task at a time: libraries and caches are made for that."""


def hold(held: Held) -> Held:
    """The shared value at a worker, from which others fetch it."""
    return held


def work(function: Callable[[Any, Any], Any], held: Held, task: Any) -> Any:
    """One task, in a worker."""
    with _one_task:
        if unlike := _compared(held):
            return Unlike(_address(), unlike)
        shared = _shared(held)
        with single_threaded():
            return function(shared, task)


@lru_cache(maxsize=8)
def _compared(held: Held) -> tuple[str, ...]:
    return tuple(differences(held.own, made_of(held.foreign)))


@lru_cache(maxsize=2)
def _shared(held: Held) -> Any:
    return unpacked(held.data)


def _address() -> str:
    from distributed import get_worker

    return str(get_worker().address)


def tidy() -> None:
    """Bring the cache of annotations to its limit."""
    forget_if_full(cache_folder(), cache_limit())
