"""What the benchmarks share: runs measured in turn, medians of their ratios, small tables.

A machine is never twice in the same state. So what is compared is measured in turn, several times in one
process or one after the other, and what counts is the median of the ratios within each turn.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe.language import plurals, stems, words
from kpframe.matching import _gold_index, _normalised
from kpframe.model.remembered import Remembered

ROOT = Path(__file__).resolve().parents[2]

Row = tuple[str, str, str]
"""What was measured, the figure, and the target."""


def arguments(description: str, *, documents: int, works: Sequence[str] = ()) -> argparse.Namespace:
    """The options that all benchmarks take, so that one line can run them all.

    Those that have several `works` can be told to measure some of them alone, in seconds of CPU.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    if works:
        parser.add_argument("--only", nargs="+", choices=works, default=works, help="measure these alone")
        parser.add_argument("--cpu", action="store_true", help="seconds of CPU: on a machine that is busy")
    parser.add_argument("--documents", "--limit", type=int, default=documents, help="how many at most")
    parser.add_argument("--repetitions", type=int, default=3, help="turns of what is compared")
    return parser.parse_args()


def corpora() -> Path:
    """The folder of the corpora; ends the benchmark where there is none."""
    folder = Path(os.environ.get("KPFRAME_DATA", ROOT.parent / "shared" / "datasets"))
    if not folder.is_dir():
        sys.exit(f"not measured: {folder} is no folder; set KPFRAME_DATA to the folder of the corpora")
    return folder.resolve()


def seconds(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long some work takes, from a tidy beginning."""
    _forget_phrases()
    gc.collect()
    begin = clock()
    work()
    return clock() - begin


def in_turn(
    works: Mapping[str, Callable[[], Any]], repetitions: int, *, cpu: bool = False
) -> dict[str, list[float]]:
    """The times of all works, measured one after the other in each of the repetitions.

    `cpu`: those of this process alone, so without those of workers.
    """
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repetitions):
        for name, work in works.items():
            times[name].append(seconds(work, time.process_time if cpu else time.perf_counter))
    return times


def ratio(times: Mapping[str, Sequence[float]], of: str, to: str) -> str:
    """The median of the ratios of two works, with the least and the greatest."""
    ratios = [a / b for a, b in zip(times[of], times[to], strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} … {max(ratios):.2f})"


def table(title: str, rows: Sequence[Row]) -> None:
    """Print what was measured beside its targets."""
    print(title)
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    for what, figure, target in rows:
        print(f"  {what:<{widths[0]}}  {figure:<{widths[1]}}  {target}".rstrip(), flush=True)


def _forget_phrases() -> None:
    """Empty the caches of phrases and gold, which a second run in one process would find full."""
    for module in (words, stems, plurals, _normalised, _gold_index):
        for function in vars(module).values():
            # Only bounded caches: the others hold models and tables, which every process loads once.
            if hasattr(function, "cache_clear") and function.cache_parameters()["maxsize"] is not None:
                function.cache_clear()
            if isinstance(getattr(function, "__self__", None), Remembered):
                function.__self__.clear()
