"""Who does the work of a run or an extraction: this process, others here, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kpframe import arguments
from kpframe.engine.executors import Executor
from kpframe.engine.local_processes import executor
from kpframe.errors import SpecError

__all__ = ["workforce"]


@contextmanager
def workforce(workers: int = 1, cluster: Any = None, pool: Executor | None = None) -> Iterator[Executor]:
    """So many `workers` of this machine, or those of a `cluster`, until the end.

    A `pool` that is there already is used, and stays. SpecError where both numbers and a cluster are given.
    """
    arguments.whole("workforce", "workers", workers)
    if pool is not None:
        if not hasattr(pool, "run") or not hasattr(pool, "shares_disk"):
            raise SpecError.at("pool", f"{pool!r} is no workers", "leave it out, or give workers=2")
        yield pool
        return
    if cluster is not None and workers > 1:
        raise SpecError.at("--workers", "has no effect on a cluster, which has its own", "leave it out")
    if cluster is None:
        made = executor(workers)
    else:
        from kpframe.engine.cluster import cluster_workers

        made = cluster_workers(cluster)
    try:
        yield made
    finally:
        made.close()
