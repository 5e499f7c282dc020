"""What judges accept: table 2 of Zesch and Gurevych (2009), from the sheets that they filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpframe.analysis.human_study import CATEGORIES
from kpframe.analysis.sheets import Table, read_table
from kpframe.errors import DataError, Problem, nearest
from kpframe.model.folding import fold
from kpframe.statistics.agreement import Agreement, fleiss_kappa, krippendorff_alpha, observed_agreement

__all__ = ["Acceptance", "Judgements", "acceptance", "read_judgements"]


@dataclass(frozen=True)
class Judgements:
    """What each judge said of each item (None: nothing), and the categories if the key is known."""

    judges: tuple[str, ...]
    items: Mapping[str, tuple[bool | None, ...]]
    categories: Mapping[str, str]

    def blanks(self) -> tuple[int, ...]:
        """How many items each judge left blank."""
        return tuple(sum(row[j] is None for row in self.items.values()) for j in range(len(self.judges)))


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A row of table 2: what the judges accept of one category, and how far they agree.

    `items` counts all items and `judged` those that every judge judged; `accepted[k]` counts the latter
    that exactly k judges accept.
    """

    category: str
    items: int
    accepted: tuple[int, ...]
    observed: Agreement
    kappa: Agreement
    alpha: Agreement

    @property
    def judges(self) -> int:
        """The number of judges."""
        return len(self.accepted) - 1

    @property
    def judged(self) -> int:
        """How many items every judge judged."""
        return sum(self.accepted)

    def share(self, judges: int) -> float | None:
        """The share, 0 … 1, of the items judged by all that so many judges or more accept; None of none."""
        return sum(self.accepted[judges:]) / self.judged if self.judged else None

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON: counts, the shares that can be derived from them, coefficients."""
        needed = {"all": self.judges, "all_but_one": self.judges - 1, "majority": self.judges // 2 + 1}
        return {
            "category": self.category,
            "items": self.items,
            "judged_by_all": self.judged,
            "accepted_by": list(self.accepted),
            "shares": {name: {"judges": k, "share": self.share(k)} for name, k in needed.items()},
            "observed_agreement": self.observed.to_json(),
            "fleiss_kappa": self.kappa.to_json(),
            "krippendorff_alpha": self.alpha.to_json(),
        }


def acceptance(judgements: Judgements) -> list[Acceptance]:
    """Table 2 of Zesch and Gurevych (2009): a row for each category, for Morph and Includes, for all items.

    Shares are of the items that all judges judged, since a blank is neither a yes nor a no; the paper's
    judges left none. Without categories there is the last row alone. Raises DataError for fewer than
    two judges and where there is no item.
    """
    if len(judgements.judges) < 2:
        raise DataError.at("judges", "there is only one", "give the sheets of at least two judges")
    if not judgements.items:
        raise DataError.at("judgements", "there is no item", "check the sheets")
    by_category: dict[str, list[Sequence[bool | None]]] = {name: [] for name in CATEGORIES.values()}
    for item, category in sorted(judgements.categories.items()):
        by_category.setdefault(category, []).append(judgements.items[item])
    rows = {name: found for name, found in by_category.items() if found}
    if "Morph" in rows and "Includes" in rows:
        rows["Morph+Includes"] = [*rows["Morph"], *rows["Includes"]]
    rows["all"] = list(judgements.items.values())
    return [_acceptance(name, ratings) for name, ratings in rows.items()]


def read_judgements(files: Sequence[str | Path], key: str | Path | None = None) -> Judgements:
    """One filled-in sheet for each judge, joined by item; categories come from the key.

    Yes and no count in any case; a blank is no judgement. The columns may stand in any order, and there
    may be more. Raises DataError with all that is wrong: other values, items that come twice, are
    missing or unknown, and phrases that are not those of the key (or, without one, of the first sheet).
    """
    sheets = [read_table(file, ("item", "judgement")) for file in files]
    names = [Path(file).stem for file in files]
    judges = [str(file) if names.count(name) > 1 else name for file, name in zip(files, names, strict=True)]
    if len({Path(file).resolve() for file in files}) < len(files):
        raise DataError.at("judges", "one file is given twice", "give one file for each judge")
    table = sheets[0] if key is None else read_table(key, ("item", "category"))
    problems: list[Problem] = []
    expected = _by_item(table, problems)
    answers: dict[str, list[bool | None]] = {item: [] for item in expected}
    for sheet in sheets:
        rows = _by_item(sheet, problems if sheet is not table else [])
        problems += _differences(sheet.path, rows, table, expected)
        for item, given in answers.items():
            given.append(_answer(sheet.path, *rows[item], problems) if item in rows else None)
    told = {} if key is None else expected
    categories = {
        item: _category(f"{table.path}:{line}", row, problems) for item, (line, row) in told.items()
    }
    if problems:
        raise DataError(problems)
    return Judgements(tuple(judges), {item: tuple(given) for item, given in answers.items()}, categories)


def _category(place: str, row: Mapping[str, str], problems: list[Problem]) -> str:
    """The category of an item. Others than the paper's may be in use, but none and slips are no name."""
    given = row["category"].strip()
    meant = "" if given in CATEGORIES.values() else nearest(given, CATEGORIES.values())
    if not given or meant:
        problem = f"the category {given!r} is not known" if given else "has no category"
        remedy = f"did you mean {meant!r}?" if meant else "restore it, or remove the row"
        problems.append(Problem(place, problem, remedy))
    return given


def _acceptance(category: str, ratings: Sequence[Sequence[bool | None]]) -> Acceptance:
    yes = Counter(sum(map(bool, row)) for row in ratings if None not in row)
    return Acceptance(
        category,
        len(ratings),
        tuple(yes[k] for k in range(len(ratings[0]) + 1)),
        observed_agreement(ratings),
        fleiss_kappa(ratings),
        krippendorff_alpha(ratings),
    )


def _by_item(table: Table, problems: list[Problem]) -> dict[str, tuple[int, Mapping[str, str]]]:
    found: dict[str, tuple[int, Mapping[str, str]]] = {}
    for line, row in table.rows:
        item = row["item"].strip()
        first, _ = found.setdefault(item, (line, row))
        if not item:
            problems.append(
                Problem(f"{table.path}:{line}", "has no item", "restore the id, or remove the row")
            )
        elif first != line:
            remedy = f"see line {first}; keep one of the two"
            problems.append(Problem(f"{table.path}:{line}", f"the item {item!r} comes twice", remedy))
    return found


def _differences(
    path: str, rows: Mapping[str, tuple[int, Mapping[str, str]]], other: Table, expected: Mapping[str, Any]
) -> Iterator[Problem]:
    """Items that one side lacks, and phrases that are not the same."""
    missing = [item for item in expected if item not in rows]
    if missing:
        shown = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
        number = "1 item" if len(missing) == 1 else f"{len(missing)} items"
        yield Problem(path, f"lacks {number} of {other.path} ({shown})", "add the rows again")
    for item, (line, row) in rows.items():
        if item and item not in expected:
            yield Problem(
                f"{path}:{line}", f"the item {item!r} is not in {other.path}", "give sheets of one sample"
            )
        for column in ("predicted", "gold"):
            theirs = expected.get(item, (0, {}))[1].get(column, "")
            if column in row and theirs and fold(row[column]) != fold(theirs):
                problem = f"{column} is {row[column]!r} and in {other.path} {theirs!r}"
                yield Problem(f"{path}:{line}", problem, "restore the row: something else was judged")


def _answer(path: str, line: int, row: Mapping[str, str], problems: list[Problem]) -> bool | None:
    given = row["judgement"].strip()
    if given.casefold() not in ("yes", "no", ""):
        remedy = "write yes or no, or leave it empty"
        problems.append(Problem(f"{path}:{line}", f"the judgement {given!r} is not known", remedy))
    return given.casefold() == "yes" if given else None
