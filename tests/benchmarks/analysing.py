"""`kpframe analyse` beside the grid that it analyses, whose annotations are cached: CPU time of both.

    python tests/benchmarks/analysing.py [--documents 2000]

The 16 systems of Zesch and Gurevych (2009) on Inspec abstracts; a third of the documents is evaluated.
Needs the corpora.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from side_by_side import ROOT, arguments, corpora, table


def spent(cache: Path, *words: str) -> float:
    """The CPU seconds of a command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KPFRAME_CACHE": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "kpframe", *words]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Run the grid twice, analyse it, and print."""
    options = arguments(__doc__ or "", documents=2000)
    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch, "cache")
        grid = [
            "run",
            "zesch2009-inspec",
            "--quiet",
            "--data",
            str(corpora()),
            "--limit",
            str(options.documents),
        ]
        spent(cache, *grid, "--out", f"{scratch}/cold")
        warm = spent(cache, *grid, "--out", f"{scratch}/warm")
        analysed = spent(cache, "analyse", f"{scratch}/warm", "--out", f"{scratch}/analysis.json")
    table(
        f"analyse: 16 systems, {options.documents:,} Inspec abstracts, a third evaluated",
        [
            ("the grid with its annotations cached, CPU", f"{warm:.1f} s", ""),
            ("analyse, CPU", f"{analysed:.1f} s", ""),
            ("analyse / grid", f"{analysed / warm:.2f}", "target ≤ 0.50"),
        ],
    )


if __name__ == "__main__":
    main()
