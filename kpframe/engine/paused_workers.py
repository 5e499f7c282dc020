"""Workers that Dask has paused: begun anew, since memory that a process has taken does not come back.

At 80 % of its memory limit a worker of Dask takes no more tasks until it has less. Language models and caches
stay, however, so that it would never take one again, and the command would wait for ever.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from kpframe.errors import DataError

__all__ = ["PausedWorkers"]

EVERY = 10.0
"""Seconds between two looks."""
_TRIALS = 3
"""How often all workers may be begun anew while nothing at all gets done."""

log = logging.getLogger("kpframe")


class PausedWorkers:
    """Looks for paused workers that do nothing."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._looked = time.monotonic()
        self._done = self._trials = 0
        self._told: set[str] = set()

    def look(self, collected: Callable[[], int]) -> None:
        """Begin those anew that wait for memory; `collected` fetches what they have, and says how many.

        DataError if that is in vain: a worker is paused before it has done anything.
        """
        if time.monotonic() - self._looked < EVERY:
            return
        workers = self._client.scheduler_info()["workers"]
        paused = {address: one for address, one in workers.items() if _waits(one)}
        if paused:
            done = collected()
            self._trials = self._trials + 1 if done == self._done else 1
            self._done = done
            if self._trials > _TRIALS and len(paused) == len(workers):
                problem = "all workers are paused, with four fifths of their memory taken before any work"
                remedy = "give each 0.6 GB or more (--memory-limit), or choose any-language as pipeline"
                raise DataError.at("--cluster", problem, remedy)
            self._tell(paused)
            self._client.restart_workers(list(paused), timeout=EVERY, raise_for_error=False)
        self._looked = time.monotonic()

    def _tell(self, paused: dict[str, Any]) -> None:
        for one in paused.values():
            if one["nanny"] not in self._told:
                self._told.add(one["nanny"])
                size = f"{one['memory_limit'] / 1e6:,.0f} MB"
                text = "worker %s has used four fifths of its %s, and is begun anew whenever it is paused"
                log.warning(text, one["name"], size)


def _waits(worker: Any) -> bool:
    """Whether a worker is paused and works on nothing; one without a nanny could not come back."""
    busy = worker["metrics"].get("task_counts", {}).get("executing", 0)
    return worker["status"] == "paused" and not busy and bool(worker["nanny"])
