"""`kpframe annotate sample|agreement`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from kpframe.analysis.acceptance import Acceptance, Judgements, acceptance, read_judgements
from kpframe.analysis.human_study import CATEGORIES, draw, matchings
from kpframe.analysis.sheets import write_table
from kpframe.commands import counted, tell
from kpframe.errors import DataError
from kpframe.statistics.agreement import Agreement

__all__ = ["execute"]

_SHEET = ("item", "document", "context", "predicted", "gold", "judgement")
_KEY = ("item", "category", "document", "predicted", "gold", "cells")


def execute(options: Any) -> int:
    """Draw a sheet for judges from runs, or say what the judges accept and how far they agree."""
    return _sample(options) if options.action == "sample" else _agreement(options)


def _sample(options: Any) -> int:
    sheet = Path(options.out)
    key = sheet.with_name(f"{sheet.name.removesuffix('.csv')}.key.csv")
    for path in (sheet, key):
        if path.exists():
            raise DataError.at(str(path), "exists already", "choose another --out, or remove it")
    items = matchings(options.files, cells=options.cells)
    if not items:
        raise DataError.at(
            "runs", "there is no non-exact matching to judge", "give runs with gold keyphrases"
        )
    drawn = draw(items, options.per_category, options.seed)
    there = Counter(item.category for item in items)
    for category in CATEGORIES.values():
        if there[category] < options.per_category:
            tell(f"{category}: {options.per_category} asked for, {there[category]} found; all are taken")
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


def _agreement(options: Any) -> int:
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
