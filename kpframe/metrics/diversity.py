"""How much the predictions of a document repeat each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.metrics._ratio import RatioMetric, ratio
from kpframe.model import Matches
from kpframe.stages import Counts
from kpframe.statistics.diversity import Diversity

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
        return _COUNTERS[self.of](Diversity.of(matches.given))

    def value(self, counts: Counts) -> float:
        """The ratio; for `dup_token_ratio` what it lacks to 1."""
        part, whole = counts
        return 1.0 - ratio(part, whole) if self.of == "dup_token_ratio" else ratio(part, whole)


_COUNTERS: Mapping[str, Callable[[Diversity], Counts]] = {
    "unique_phrase_ratio": lambda found: (found.unique_phrases, found.phrases),
    "unique_token_ratio": lambda found: (found.unique_tokens, found.tokens),
    "dup_token_ratio": lambda found: (found.unique_tokens, found.tokens),
    "self_bleu": lambda found: (found.bleu_sum, found.phrases),
    "self_edit_distance": lambda found: (found.similarity_sum, found.pairs),
    "unique_phrases": lambda found: (found.unique_phrases, 1),
}
