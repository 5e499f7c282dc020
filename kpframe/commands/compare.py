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
        "--same-cells",
        action="store_true",
        help="two runs, before and after: each cell with the one of the same name",
    )
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
    parser.add_argument("--level", type=_arguments.share, metavar="P", help="of significance (default: 0.05)")
    parser.add_argument(
        "--seed", type=_arguments.at_least_zero, metavar="N", help="of what is drawn (default: 2009)"
    )
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
    same_cells: bool = False
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
    from kpframe.statistics.significance import DRAWS, SEED

    wanted = format_of(options.out, options.format, _ENDINGS)
    if options.test in ("t", "wilcoxon"):
        refuse_without_effect(
            options, ("permutations", "seed"), f"on --test {options.test}, which draws nothing"
        )
    if options.same_cells:
        refuse_without_effect(options, ("baseline", "all_pairs"), "with --same-cells")
        return _show(_before_and_after(options, wanted), options)
    comparisons = compare(
        options.runs,
        columns=options.column,
        baselines=options.baseline,
        all_pairs=options.all_pairs,
        test=options.test,
        permutations=options.permutations or DRAWS,
        correction=options.correction,
        level=options.level,
        seed=SEED if options.seed is None else options.seed,
    )
    if wanted == "json":
        found = [comparison.to_json() for comparison in comparisons]
        text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        shown = {"text": as_text, "csv": as_csv, "markdown": as_markdown, "latex": as_latex}
        text = shown[wanted](comparisons)
    return _show(text, options)


def _before_and_after(options: Options, wanted: str) -> str:
    """Each cell of the second run against that of the first."""
    import json

    from kpframe.analysis.same_cells import same_cells, same_cells_sheets
    from kpframe.display.latex_sheets import latex
    from kpframe.evaluation.comparison_column import Procedure
    from kpframe.statistics.significance import DRAWS, SEED

    seed = SEED if options.seed is None else options.seed
    plan = Procedure(options.test, options.permutations or DRAWS, options.correction, options.level, seed)
    found = same_cells(options.runs, columns=options.column, plan=plan)
    if wanted == "json":
        plain = [
            {"dataset": dataset, "column": column, "contrasts": [one.to_json() for one in contrasts]}
            for (dataset, column), contrasts in found.items()
        ]
        return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    sheets = same_cells_sheets(found, plan)
    if wanted == "latex":
        return "\n".join(latex(sheet, label=f"tab:cells-{n}", digits=4) for n, sheet in enumerate(sheets, 1))
    if wanted == "csv":
        return "\n".join(sheet.csv() for sheet in sheets)
    if wanted == "markdown":
        return "\n".join(f"## {sheet.title}\n\n{sheet.markdown(4)}" for sheet in sheets)
    return "\n\n".join(sheet.text(100, 4) for sheet in sheets) + "\n"


def _show(text: str, options: Options) -> int:
    from kpframe.files.atomic import write_text

    if options.out is None:
        sys.stdout.write(text)
    else:
        write_text(Path(options.out), text)
        tell(f"wrote {options.out}")
    return 0
