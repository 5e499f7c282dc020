"""How much the predictions of a document repeat each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.metrics._ratio import RatioMetric, ratio
from kpframe.model import MatchedDocuments, Matches
from kpframe.stages import Counts
from kpframe.statistics.diversity import Diversities, Diversity

__all__ = ["DiversityMetric"]


class DiversityMetric(RatioMetric):
    """One of KPEval's measures of repetition, over all predictions as given, duplicates included.

    Words are parted at blanks, lower-cased and Porter-stemmed, whatever the matching does. Gold plays no
    part: all documents count, those without predictions by 0 (by 1 for `dup_token_ratio`), as in KPEval.
    All are in 0 … 1 but `self_edit_distance` (0 … 100) and `unique_phrases`. Repetition raises
    `dup_token_ratio`, `self_bleu` and `self_edit_distance`, which is a similarity in spite of its name,
    and lowers the others. `micro` puts the sums of all documents into one ratio. Counts: the part and
    the whole of that ratio.
    """

    source: ClassVar[str] = "KPEval (Wu et al. 2024), diversity; Yuan et al. 2020, section 6.2"
    compared: ClassVar[bool] = False
    short: ClassVar[str] = "of"
    needs_gold: ClassVar[bool] = False
    bounded: ClassVar[bool] = False

    of: Literal[
        "unique_phrase_ratio",
        "unique_token_ratio",
        "dup_token_ratio",
        "self_bleu",
        "self_edit_distance",
        "unique_phrases",
    ] = Field(
        "unique_phrase_ratio",
        description="unique_phrase_ratio, unique_token_ratio: distinct phrases or stems over all; "
        "dup_token_ratio: 1 - unique_token_ratio; self_bleu: mean BLEU-3 of a phrase against the others; "
        "self_edit_distance: mean similarity of two phrases, 0 … 100; unique_phrases: their number.",
    )

    def count(self, matches: Matches) -> Counts:
        """The part and the whole; nothing if the matching does not tell what was given."""
        if matches.hits and not matches.given:
            return ()
        part, whole = _RATIOS[self.of]
        found = Diversity.of(matches.given)
        return getattr(found, part), getattr(found, whole)

    def count_all(self, documents: MatchedDocuments) -> list[Counts]:
        """The same of many documents."""
        part, whole = _RATIOS[self.of]
        found = documents.once(_diversities)
        rows = zip(documents, getattr(found, part), getattr(found, whole), strict=True)
        return [() if one.hits and not one.given else (part, whole) for one, part, whole in rows]

    def value(self, counts: Counts) -> float:
        """The ratio; for `dup_token_ratio` what it lacks to 1."""
        part, whole = counts
        return 1.0 - ratio(part, whole) if self.of == "dup_token_ratio" else ratio(part, whole)


def _diversities(documents: MatchedDocuments) -> Diversities:
    return Diversities(one.given for one in documents)


_RATIOS: Mapping[str, tuple[str, str]] = {
    "unique_phrase_ratio": ("unique_phrases", "phrases"),
    "unique_token_ratio": ("unique_tokens", "tokens"),
    "dup_token_ratio": ("unique_tokens", "tokens"),
    "self_bleu": ("bleu_sum", "phrases"),
    "self_edit_distance": ("similarity_sum", "pairs"),
    "unique_phrases": ("unique_phrases", "lists"),
}
"""Which counts are the part and the whole of each."""
