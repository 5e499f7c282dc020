"""The figures about the gold keyphrases of a corpus as a text of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kpframe.analysis.gold_statistics import SEPARATORS, GoldStatistics, Subset
from kpframe.analysis.text_statistics import CorpusStatistics
from kpframe.errors import counted
from kpframe.statistics.oracle_bounds import CUTOFFS, Bound

__all__ = ["PRESENCE", "gold_table", "number"]

PRESENCE: Mapping[str, str] = {
    "stems": "contiguous Porter stems",
    "words": "contiguous words",
    "alphanumeric": "Porter stems without marks",
    "characters": "a run of characters",
}
"""The tests for presence, in words."""

_SUBSETS: tuple[Subset, ...] = ("all", "present", "absent")
_LENGTHS_SHOWN = 5
_EXAMPLE = 34
_ORACLES = {
    "all": "all gold",
    "present": "present gold, against present gold",
    "extractive": "present gold, against all gold",
}


def number(value: float | None, digits: int) -> str:
    """A value as it is printed; a dash where it is undefined."""
    return "–" if value is None else f"{value:.{digits}f}"


def gold_table(name: str, made: CorpusStatistics) -> str:
    """Subsets, lengths, oddities and bounds, one below the other."""
    gold = made.keyphrases
    return "\n".join(
        (
            f"{name}: gold keyphrases (present: {PRESENCE[made.present]})",
            *_subsets(gold),
            *_lengths(gold),
            *_oddities(gold),
            *_bounds(gold),
        )
    )


def _subsets(gold: GoldStatistics) -> Iterable[str]:
    yield _row("", _SUBSETS)
    yield _row("gold keyphrases", [f"{gold.total(s)}" for s in _SUBSETS])
    yield _row("per cent", [number(_percent(gold.share(s)), 1) for s in _SUBSETS])
    yield _row("documents with one", [f"{gold.documents_with(s)}" for s in _SUBSETS])
    yield _row("documents without", [f"{gold.documents_without(s)}" for s in _SUBSETS])
    yield _row("mean a document", [number(gold.mean(s), 2) for s in _SUBSETS])
    yield _row("variance", [number(gold.variance(s), 2) for s in _SUBSETS])


def _lengths(gold: GoldStatistics) -> Iterable[str]:
    shown = range(1, _LENGTHS_SHOWN)
    counts = [gold.lengths.get(length, 0) for length in shown]
    longer = sum(count for length, count in gold.lengths.items() if length >= _LENGTHS_SHOWN)
    yield _row("tokens a gold keyphrase", [*map(str, shown), f"{_LENGTHS_SHOWN}+", "1–4 (%)"])
    share = number(_percent(gold.usual_length_share), 1)
    yield _row("gold keyphrases", [*map(str, counts), str(longer), share])


def _oddities(gold: GoldStatistics) -> Iterable[str]:
    documents = f"  in {counted(gold.documents_with_duplicates, 'document')}"
    yield _row("duplicates after Porter stems", [f"{gold.duplicates}"]) + documents
    yield _row("with a separator in it", [f"{gold.separated}"])
    yield "    " + ", ".join(f"“{s}” {gold.separators.get(s, 0)}" for s in SEPARATORS)
    yield _row("with variants", [f"{gold.with_variants}"])
    example = f"  as {' '.join(gold.marked_example.split())[:_EXAMPLE]!r}" if gold.marked else ""
    yield _row("with a mark at an end", [f"{gold.marked}"]) + example


def _bounds(gold: GoldStatistics) -> Iterable[str]:
    yield _row("best scores that there can be", [f"@{cutoff}" for cutoff in CUTOFFS])
    found: dict[str, list[Bound | None]] = {}
    for name, _, bound in gold.bounds():
        found.setdefault(name, []).append(bound)
    for name, bounds in found.items():
        documents = bounds[0].documents if bounds[0] else 0
        yield f"    {_ORACLES[name]} ({counted(documents, 'document')})"
        yield _row("    P", [number(bound.precision if bound else None, 4) for bound in bounds])
        yield _row("    R", [number(bound.recall if bound else None, 4) for bound in bounds])
        f1 = [number(bound.f1 if bound else None, 4) for bound in bounds]
        yield _row("    F1 (mean of documents)", f1)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _row(label: str, values: Sequence[str]) -> str:
    return f"  {label:<30}" + "".join(f"{value:>8}" for value in values)
