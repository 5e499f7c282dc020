"""What the gold keyphrases of a corpus are like, and the scores that nobody can surpass on them.

Yuan et al. (2020, tables 1 and 8) describe corpora by the number of gold keyphrases a document and the
share of those that stand in the text. From these two counts follows what a perfect system would score
at a fixed cut-off, which is often far from 1. Histograms are kept, and everything else is derived.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from kpframe.language.loose_marks import LooseMarks
from kpframe.language.stems import stemmer
from kpframe.language.words import phrase_tokens
from kpframe.model import Document, Gold
from kpframe.model.folding import fold
from kpframe.statistics.oracle_bounds import CUTOFFS, Bound, Cutoff, bound_of, oracle_bound

__all__ = ["SEPARATORS", "GoldStatistics", "GoldTally", "Subset"]

Subset = Literal["all", "present", "absent"]
"""All gold keyphrases of a document, those that stand in its text, or the others."""

SEPARATORS = (";", ",", "/", "|", " and ")
"""What makes one suspect two keyphrases in one, or a phrase that a list of phrases cannot hold."""

LONGEST_USUAL = 4
"""Most extractors return no phrase of more tokens."""


@dataclass(frozen=True)
class GoldStatistics:
    """Counts of gold keyphrases and of documents.

    `sizes` says how many documents have a number of gold keyphrases with a number of present ones
    among them, `lengths` how many gold keyphrases have a number of tokens (of the preferred form).
    `duplicates` counts the gold keyphrases that have a variant in common with an earlier one of their
    document once all tokens are reduced to Porter stems, `documents_with_duplicates` the documents
    where it is so. `separators` counts those with each of `SEPARATORS` in a variant, `separated` those
    with any of them, and `with_variants` those with more than one form.
    `marked` counts those that begin or end with a mark of a sentence (`loose_marks.py`), of which there is an
    example. Bounds are about the gold as given, duplicates included.
    """

    sizes: Mapping[tuple[int, int], int] = field(default_factory=dict)
    lengths: Mapping[int, int] = field(default_factory=dict)
    duplicates: int = 0
    documents_with_duplicates: int = 0
    separators: Mapping[str, int] = field(default_factory=dict)
    separated: int = 0
    with_variants: int = 0
    marked: int = 0
    marked_example: str = ""

    @property
    def marks(self) -> LooseMarks:
        """Those that begin or end with a mark of a sentence, to be told."""
        return LooseMarks(self.total("all"), self.marked, self.marked_example)

    def sizes_of(self, subset: Subset) -> dict[int, int]:
        """How many documents have how many gold keyphrases of a subset, in ascending order."""
        found: Counter[int] = Counter()
        for (gold, present), documents in self.sizes.items():
            found[{"all": gold, "present": present, "absent": gold - present}[subset]] += documents
        return dict(sorted(found.items()))

    def total(self, subset: Subset) -> int:
        """The number of gold keyphrases."""
        return sum(size * documents for size, documents in self.sizes_of(subset).items())

    def share(self, subset: Subset) -> float | None:
        """Their share among all gold keyphrases, 0 … 1; None where there is no gold."""
        whole = self.total("all")
        return self.total(subset) / whole if whole else None

    def documents_with(self, subset: Subset) -> int:
        """The number of documents that have one or more."""
        return sum(documents for size, documents in self.sizes_of(subset).items() if size)

    def documents_without(self, subset: Subset) -> int:
        """The number of documents that have none."""
        return self.sizes_of(subset).get(0, 0)

    def mean(self, subset: Subset) -> float | None:
        """Gold keyphrases a document, documents without any included; None without documents."""
        documents = sum(self.sizes.values())
        return self.total(subset) / documents if documents else None

    def variance(self, subset: Subset) -> float | None:
        """The variance of their number over documents (divided by the number of documents)."""
        documents = sum(self.sizes.values())
        if not documents:
            return None
        squares = sum(size**2 * number for size, number in self.sizes_of(subset).items())
        return (documents * squares - self.total(subset) ** 2) / documents**2

    @property
    def usual_length_share(self) -> float | None:
        """The share of gold keyphrases of one to four tokens, 0 … 1; None where there is no gold."""
        whole = sum(self.lengths.values())
        usual = sum(count for length, count in self.lengths.items() if 1 <= length <= LONGEST_USUAL)
        return usual / whole if whole else None

    def bound(self, subset: Subset, cutoff: Cutoff) -> Bound | None:
        """See `oracle_bound`: an oracle that returns the gold of a subset, measured against that subset."""
        return oracle_bound(self.sizes_of(subset), cutoff)

    def extractive_bound(self, cutoff: Cutoff) -> Bound | None:
        """The scores against all gold of an oracle that can return only what stands in the text."""
        return bound_of(((gold, present, n) for (gold, present), n in self.sizes.items()), cutoff)

    def bounds(self) -> Iterator[tuple[str, Cutoff, Bound | None]]:
        """All bounds: `all`, `present`, and `extractive` (present phrases against all gold)."""
        for cutoff in CUTOFFS:
            yield "all", cutoff, self.bound("all", cutoff)
        for cutoff in CUTOFFS:
            yield "present", cutoff, self.bound("present", cutoff)
        for cutoff in CUTOFFS:
            yield "extractive", cutoff, self.extractive_bound(cutoff)

    def to_json(self) -> dict[str, Any]:
        """Counts and derived values, unrounded, as plain values for JSON."""
        bounds: dict[str, dict[str, Any]] = {}
        for name, cutoff, bound in self.bounds():
            bounds.setdefault(name, {})[str(cutoff)] = bound.to_json() if bound else None
        subsets: tuple[Subset, ...] = ("all", "present", "absent")
        return {
            **{subset: self._subset_json(subset) for subset in subsets},
            "sizes": [[gold, present, n] for (gold, present), n in sorted(self.sizes.items())],
            "lengths": {str(length): count for length, count in sorted(self.lengths.items())},
            "usual_length_share": self.usual_length_share,
            "duplicates": self.duplicates,
            "documents_with_duplicates": self.documents_with_duplicates,
            "separators": dict(self.separators),
            "separated": self.separated,
            "with_variants": self.with_variants,
            "marked": self.marked,
            "marked_example": self.marked_example,
            "bounds": bounds,
        }

    def _subset_json(self, subset: Subset) -> dict[str, Any]:
        return {
            "gold": self.total(subset),
            "share": self.share(subset),
            "documents_with": self.documents_with(subset),
            "documents_without": self.documents_without(subset),
            "mean": self.mean(subset),
            "variance": self.variance(subset),
        }


class _OfDocument(NamedTuple):
    """What one document adds."""

    size: tuple[int, int]
    lengths: tuple[int, ...]
    duplicates: int
    separators: tuple[tuple[str, ...], ...]
    with_variants: int
    marks: LooseMarks


class GoldTally:
    """Gathers the statistics of documents, one after the other."""

    def __init__(self) -> None:
        self.sizes: Counter[tuple[int, int]] = Counter()
        self.lengths: Counter[int] = Counter()
        self.duplicates = self.documents_with_duplicates = self.separated = self.with_variants = 0
        self.separators: Counter[str] = Counter()
        self.marks = LooseMarks()

    @staticmethod
    def observed(document: Document, present: int) -> _OfDocument:
        """What to `add` for a document in whose text `present` of its gold keyphrases stand."""
        return _OfDocument(
            (len(document.gold), present),
            tuple(len(phrase_tokens(gold.text)) for gold in document.gold),
            _duplicates(document.gold),
            tuple(found for gold in document.gold if (found := _separators(gold))),
            sum(len(gold.variants) > 1 for gold in document.gold),
            _marks(document.gold),
        )

    def add(self, made: _OfDocument) -> None:
        """Count a document."""
        self.sizes[made.size] += 1
        self.lengths.update(made.lengths)
        self.duplicates += made.duplicates
        self.documents_with_duplicates += made.duplicates > 0
        self.separated += len(made.separators)
        for found in made.separators:
            self.separators.update(found)
        self.with_variants += made.with_variants
        self.marks.loose += made.marks.loose
        self.marks.example = self.marks.example or made.marks.example

    def finished(self) -> GoldStatistics:
        """The statistics of what was counted so far."""
        return GoldStatistics(
            dict(self.sizes),
            dict(self.lengths),
            self.duplicates,
            self.documents_with_duplicates,
            {separator: self.separators[separator] for separator in SEPARATORS},
            self.separated,
            self.with_variants,
            self.marks.loose,
            self.marks.example,
        )


def _marks(keyphrases: Iterable[Gold]) -> LooseMarks:
    marks = LooseMarks()
    marks.look_at_forms(keyphrase.variants for keyphrase in keyphrases)
    return marks


def _duplicates(keyphrases: Iterable[Gold]) -> int:
    stem = stemmer("porter")
    known: set[tuple[str, ...]] = set()
    count = 0
    for keyphrase in keyphrases:
        forms = {tuple(map(stem, phrase_tokens(variant))) for variant in keyphrase.variants}
        count += not forms.isdisjoint(known)
        known |= forms
    return count


def _separators(keyphrase: Gold) -> tuple[str, ...]:
    forms = [fold(variant) for variant in keyphrase.variants]
    return tuple(separator for separator in SEPARATORS if any(separator in form for form in forms))
