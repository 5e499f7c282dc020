"""What is said in which group of documents: keyphrases by group, against the rest.

Each document counts a keyphrase once, so that one long text cannot make a term. Source of the test: Dunning
(1993), Accurate methods for the statistics of surprise and coincidence (G² of a table of four counts).
"""

from __future__ import annotations

import logging
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from kpframe import arguments
from kpframe.analysis.term_tables import Account, keyphrases_of_table
from kpframe.errors import DataError
from kpframe.files.result_tables import ResultTables, result_tables
from kpframe.files.standard_input import standard_input
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.rows import Table
from kpframe.statistics.significance import correct

__all__ = ["GroupTerm", "Order", "distinctive_terms", "keyphrases_of_table", "terms_of_table"]

log = logging.getLogger("kpframe")

Order = Literal["log_likelihood", "tfidf", "frequency"]
STDIN = "standard input"
NONE = "(none)"
"""The group of rows whose value is missing."""


@dataclass(frozen=True, slots=True)
class GroupTerm:
    """A keyphrase in a group.

    `frequency` counts documents of the group that have it, `documents` all of them, `share` is their ratio
    and `rest` that of all other groups together. `tfidf` is frequency · ln(groups / groups that have it).
    `log_likelihood` is G² of having it against being in the group, with the sign of the difference; `p` its
    chance if the group did not matter (χ², 1 degree of freedom), corrected by Holm over all terms and groups.
    """

    group: str
    term: str
    frequency: int
    documents: int
    share: float
    rest: float
    tfidf: float
    log_likelihood: float
    p: float


def distinctive_terms(
    rows: Iterable[tuple[Any, Any, str, str]], *, top: int | None = 20, order: Order = "log_likelihood"
) -> list[GroupTerm]:
    """The first `top` terms of each group, groups in natural order.

    `rows` are (group, id of the document, key, text): keyphrases are one term if their keys are equal, which
    is shown as most documents write it. DataError if there are fewer than two groups, ArgumentError for an
    order that there is not, or a `top` below 1.
    """
    _check(top, order)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    documents: dict[str, set[str]] = defaultdict(set)
    shown: dict[str, Counter[str]] = defaultdict(Counter)
    seen: set[tuple[str, str, str]] = set()
    for group, id, key, text in rows:
        name, document = _name(group), str(id)
        documents[name].add(document)
        if key and (name, document, key) not in seen:
            seen.add((name, document, key))
            counts[name][key] += 1
            shown[key][text] += 1
    if len(documents) < 2:
        found = ", ".join(documents) or "none"
        raise DataError.at(
            "terms", f"there is nothing to compare: one group ({found})", "name another column"
        )
    sizes = {name: len(ids) for name, ids in documents.items()}
    return list(_ranked(counts, sizes, shown, top, order))


def _ranked(
    counts: dict[str, Counter[str]],
    sizes: dict[str, int],
    shown: dict[str, Counter[str]],
    top: int | None,
    order: Order,
) -> Iterator[GroupTerm]:
    from scipy.stats import chi2

    total, everything = Counter[str](), sum(sizes.values())
    for own in counts.values():
        total.update(own)
    groups_with = Counter(key for own in counts.values() for key in own)
    pairs = [(name, key) for name in counts for key in counts[name]]
    surprise = [_surprise(counts[name][key], sizes[name], total[key], everything) for name, key in pairs]
    p = correct(chi2.sf([abs(value) for value in surprise], 1).tolist(), "holm")
    by_group: dict[str, list[GroupTerm]] = defaultdict(list)
    for (name, key), value, chance in zip(pairs, surprise, p, strict=True):
        frequency, size = counts[name][key], sizes[name]
        others = everything - size
        by_group[name].append(
            GroupTerm(
                name,
                min(shown[key].items(), key=lambda item: (-item[1], item[0]))[0],
                frequency,
                size,
                frequency / size,
                (total[key] - frequency) / others if others else 0.0,
                frequency * math.log(len(sizes) / groups_with[key]),
                value,
                chance,
            )
        )
    for name in sorted(by_group, key=_natural):
        yield from sorted(by_group[name], key=lambda term: _rank(term, order))[:top]


def _rank(term: GroupTerm, order: Order) -> tuple[float, float, str]:
    return -float(getattr(term, order)), -float(term.frequency), term.term


def _surprise(here: int, size: int, having: int, everything: int) -> float:
    """G² of the four counts, negative where the term is rarer in the group than in the rest."""
    g = 0.0
    for row, row_total in ((here, size), (having - here, everything - size)):
        for observed, column_total in ((row, having), (row_total - row, everything - having)):
            if observed:
                g += 2 * observed * math.log(observed * everything / (row_total * column_total))
    g = max(g, 0.0)
    more = here * (everything - size) >= (having - here) * size
    return g if more else -g


def terms_of_table(
    path: str,
    by: str,
    *,
    id: str = "id",
    top: int | None = 20,
    order: Order = "log_likelihood",
    lacks: Callable[[str], None] = log.warning,
) -> list[GroupTerm]:
    """The terms of each group in a file of keyphrases, or in all those of a folder or a pattern.

    See `distinctive_terms`. `-` is standard input; `id` is the column with the ids of documents. Of a folder
    that `kpframe extract` wrote, what is done is read, and equal ids in several partitions are several
    documents. `lacks` gets lines about what is left out or may be wrong: rows that are none (the first with
    its place, the others counted), ids that come again. ArgumentError for an order that there is not, or a
    `top` below 1.
    """
    _check(top, order)
    stdin = path == "-"
    tables = ResultTables(("-",)) if stdin else result_tables(path, lacks, log.warning)
    account = Account(STDIN if stdin else path, apart=tables.apart)

    def rows() -> Iterator[tuple[Any, str, str, str]]:
        try:
            for one in tables.paths:
                number = account.open_table()
                with _opened(one) as table:
                    found = keyphrases_of_table(table, by, id=id, told=not number, account=account)
                    for group, document, key, text in found:
                        yield group, f"{number}:{document}" if tables.apart else document, key, text
        finally:
            account.tell(lacks)  # before any error

    return distinctive_terms(rows(), top=top, order=order)


def _opened(path: str) -> Table:
    if path == "-":
        return open_table(standard_input(), name=STDIN, text_is_csv=True)
    return open_table(path)


def _check(top: Any, order: Any) -> None:
    arguments.whole("terms", "top", top, optional=True)
    arguments.choice("terms", "order", order, get_args(Order))


def _name(group: Any) -> str:
    if group is None or group != group or group == "":
        return NONE
    whole = isinstance(group, float) and group.is_integer()
    return str(int(group) if whole else group)


def _natural(name: str) -> tuple[Any, ...]:
    from kpframe.model.natural_order import natural_key

    return natural_key(name)
