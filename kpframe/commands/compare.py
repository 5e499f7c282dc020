"""`kpframe compare RUN…`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kpframe.commands import _arguments, tell
from kpframe.commands._effects import format_of, refuse_without_effect

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "compare systems with statistics, document by document"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs")
    parser.add_argument(
        "--column",
        action="append",
        metavar="NAME",
        help="as r_precision/exact; may be repeated",
    )
    parser.add_argument(
        "--baseline",
        action="append",
        metavar="NAME",
        help="compare all others with this one (default: with the best of the column); may be repeated",
    )
    parser.add_argument("--all-pairs", action="store_true", help="compare every system with every other")
    parser.add_argument(
        "--test",
        choices=("randomisation", "t", "wilcoxon", "bootstrap"),
        help="of significance (default: randomisation)",
    )
    parser.add_argument(
        "--permutations", type=_arguments.at_least_one, metavar="N", help="draws (default: 10000)"
    )
    parser.add_argument(
        "--correction",
        choices=("holm", "bonferroni", "bh", "none"),
        help="for many comparisons (default: holm)",
    )
    parser.add_argument("--level", type=float, metavar="P", help="of significance (default: 0.05)")
    parser.add_argument("--seed", type=int, metavar="N", help="of what is drawn (default: 2009)")
    parser.add_argument(
        "--format",
        choices=("text", "json", "csv", "markdown", "latex"),
        help="default: by the ending of --out, else text",
    )
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    runs: tuple[str, ...]
    column: tuple[str, ...] = ()
    baseline: tuple[str, ...] = ()
    all_pairs: bool = False
    test: Literal["randomisation", "t", "wilcoxon", "bootstrap"] = "randomisation"
    permutations: int | None = None
    correction: Literal["holm", "bonferroni", "bh", "none"] = "holm"
    level: float = 0.05
    seed: int | None = None
    format: str | None = None
    out: str | None = None


_ENDINGS = {".txt": "text", ".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


def execute(options: Options) -> int:
    """Compare the systems of runs, and print what differs or write it to a file."""
    import json

    from kpframe.analysis.comparison import compare
    from kpframe.analysis.comparison_tables import as_csv, as_latex, as_markdown, as_text
    from kpframe.files.atomic import write_text

    wanted = format_of(options.out, options.format, _ENDINGS)
    if options.test in ("t", "wilcoxon"):
        refuse_without_effect(
            options, ("permutations", "seed"), f"on --test {options.test}, which draws nothing"
        )
    comparisons = compare(
        options.runs,
        columns=options.column,
        baselines=options.baseline,
        all_pairs=options.all_pairs,
        test=options.test,
        permutations=options.permutations or 10_000,
        correction=options.correction,
        level=options.level,
        seed=2009 if options.seed is None else options.seed,
    )
    if wanted == "json":
        found = [comparison.to_json() for comparison in comparisons]
        text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        shown = {"text": as_text, "csv": as_csv, "markdown": as_markdown, "latex": as_latex}
        text = shown[wanted](comparisons)
    if options.out is None:
        sys.stdout.write(text)
    else:
        write_text(Path(options.out), text)
        tell(f"wrote {options.out}")
    return 0
