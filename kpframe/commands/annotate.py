"""`kpframe annotate sample|agreement`."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kpframe.commands import _arguments, counted, tell
from kpframe.commands._effects import need_ending, refuse_without_effect
from kpframe.errors import DataError

if TYPE_CHECKING:
    from kpframe.analysis.acceptance import Acceptance, Judgements
    from kpframe.statistics.agreement import Agreement

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "draw a sheet for judges from runs, or tell their agreement"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("action", choices=("sample", "agreement"))
    parser.add_argument(
        "files",
        nargs="+",
        metavar="PATH",
        help="sample: folders of runs; agreement: one sheet for each judge",
    )
    parser.add_argument(
        "--per-category", type=_arguments.at_least_one, metavar="N", help="for sample (default: 100)"
    )
    parser.add_argument(
        "--seed", type=_arguments.at_least_zero, metavar="N", help="for sample (default: 2009)"
    )
    parser.add_argument("--out", metavar="FILE", help="for sample: the sheet to write (default: sheet.csv)")
    parser.add_argument(
        "--cell",
        action="append",
        dest="cells",
        metavar="NAME",
        help="for sample: only this cell of the runs; may be repeated",
    )
    parser.add_argument("--key", metavar="FILE", help="for agreement: the .key.csv file with the categories")
    parser.add_argument("--format", choices=("text", "json"), help="for agreement (default: text)")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    action: Literal["sample", "agreement"]
    files: tuple[str, ...]
    per_category: int | None = None
    seed: int | None = None
    out: str | None = None
    cells: tuple[str, ...] = ()
    key: str | None = None
    format: Literal["text", "json"] | None = None


_SHEET = ("item", "document", "context", "predicted", "gold", "judgement")
_KEY = ("item", "category", "document", "predicted", "gold", "cells")


def execute(options: Options) -> int:
    """Draw a sheet for judges from runs, or say what the judges accept and how far they agree."""
    others = ("key", "format") if options.action == "sample" else ("per_category", "seed", "out", "cells")
    refuse_without_effect(options, others, f"on {options.action}")
    return _sample(options) if options.action == "sample" else _agreement(options)


def _sample(options: Options) -> int:
    from kpframe.analysis.human_study import CATEGORIES, draw, matchings
    from kpframe.analysis.sheets import write_table
    from kpframe.statistics.significance import SEED

    need_ending("--out", options.out, ".csv")
    sheet = Path(options.out or "sheet.csv")
    wanted = options.per_category or 100
    key = sheet.with_name(f"{sheet.name.removesuffix('.csv')}.key.csv")
    for path in (sheet, key):
        if path.exists():
            raise DataError.at(str(path), "exists already", "choose another --out, or remove it")
    items = matchings(options.files, cells=options.cells)
    if not items:
        raise DataError.at(
            "runs", "there is no non-exact matching to judge", "give runs with gold keyphrases"
        )
    drawn = draw(items, wanted, SEED if options.seed is None else options.seed)
    there = Counter(item.category for item in items)
    for category in CATEGORIES.values():
        if there[category] < wanted:
            tell(f"{category}: {wanted} asked for, {there[category]} found; all are taken")
    write_table(sheet, _SHEET, [(i.id, i.document, i.context, i.predicted, i.gold, "") for i in drawn])
    by_item = sorted(drawn, key=lambda item: item.id)
    rows = [(i.id, i.category, i.document, i.predicted, i.gold, "; ".join(i.cells)) for i in by_item]
    write_table(key, _KEY, rows)
    taken = Counter(item.category for item in drawn)
    parts = ", ".join(f"{category} {taken[category]}" for category in CATEGORIES.values())
    print(f"wrote {sheet}: {counted(len(drawn), 'item')} ({parts})")
    print(f"wrote {key}: the categories; keep it from the judges")
    print(
        "Give each judge a copy of the sheet. In the column judgement write yes if `predicted` may stand "
        "in place of `gold`, no if not or if in doubt; leave it empty where you cannot judge. "
        "Save as CSV (UTF-8); leave the other columns as they are."
    )
    return 0


def _agreement(options: Options) -> int:
    import json

    from kpframe.analysis.acceptance import acceptance, read_judgements

    judgements = read_judgements(options.files, options.key)
    rows = acceptance(judgements)
    if options.format == "json":
        blanks = dict(zip(judgements.judges, judgements.blanks(), strict=True))
        content = {
            "judges": list(judgements.judges),
            "blanks": blanks,
            "categories": [row.to_json() for row in rows],
        }
        print(json.dumps(content, indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(judgements, rows)))
    return 0


def _lines(judgements: Judgements, rows: list[Acceptance]) -> list[str]:
    judges = len(judgements.judges)
    needed = sorted({judges, judges - 1, judges // 2 + 1}, reverse=True)
    head = ["category", "items", "judged by all", f"all {judges}", *(f"≥ {k}" for k in needed[1:])]
    head += ["observed", "kappa", "alpha"]
    table = [head]
    for row in rows:
        shares = [_number(row.share(k), 2) for k in needed]
        coefficients = [_number(found.value, 3) for found in (row.observed, row.kappa, row.alpha)]
        table.append([row.category, str(row.items), str(row.judged), *shares, *coefficients])
    widths = [max(len(line[column]) for line in table) for column in range(len(head))]
    lines = [
        "  ".join(
            [line[0].ljust(widths[0]), *(f.rjust(w) for f, w in zip(line[1:], widths[1:], strict=True))]
        )
        for line in table
    ]
    lines += ["", "shares: of the items judged by all, those that so many judges accept"]
    lines.append("observed: agreeing pairs of judges; kappa: Fleiss; alpha: Krippendorff, nominal")
    for row in rows:
        for name, found in (("observed", row.observed), ("kappa", row.kappa), ("alpha", row.alpha)):
            lines += _undefined(f"{row.category}, {name}", found)
    for judge, blank in zip(judgements.judges, judgements.blanks(), strict=True):
        if blank:
            lines.append(f"{judge}: {blank} of {counted(len(judgements.items), 'item')} left blank")
    if not judgements.categories:
        lines.append("no categories: give the key of the sheet by --key")
    return lines


def _undefined(name: str, found: Agreement) -> list[str]:
    return [f"{name}: undefined, {found.reason}"] if found.value is None else []


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
