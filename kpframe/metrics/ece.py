"""Expected and maximum calibration error."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.metrics._ratio import RatioMetric
from kpframe.model import Matches
from kpframe.stages import Counts
from kpframe.statistics.calibration import Closed, Reliability

__all__ = ["CalibrationError"]


class CalibrationError(RatioMetric):
    """How far scores, read as probabilities of a hit, are from the shares of phrases that do hit.

    Of all phrases of all documents together: phrases are binned by their scores, and the distance of
    the share of hits from the mean score is averaged over the bins by their numbers of phrases (ece), or
    the largest is taken (mce). In 0 … 1, 0 is best; the paper prints percent. It says nothing of how
    many gold keyphrases are found. Means of documents' errors are another thing, so `average` is fixed.

    Only scores that are probabilities have a meaning here: those of a trained ranking, or confidences
    that predictions bring along (Kundu et al.: the inverse keyphrase perplexity). A document without
    phrases, without scores or with a score outside 0 … 1 has no value and is in no average. Counts, for
    each bin: the numbers of phrases, then the sums of their scores, then the numbers of hits.
    """

    source: ClassVar[str] = "Naeini et al. 2015; Kundu et al. 2023, section 2.1.2"
    compared: ClassVar[bool] = False
    short: ClassVar[str] = "bins"

    average: Literal["micro"] = Field("micro", description="micro: the phrases of all documents are binned.")
    bins: int = Field(10, ge=1, le=1000, description="The number of bins; they have equal widths.")
    closed: Closed = Field(
        "left",
        description="Bins are [a, b) and the last one [a, b] (left: the paper's, netcal), or (a, b] and the "
        "first one [a, b] (right: scikit-learn); only scores on an edge can tell the difference.",
    )
    of: Literal["ece", "mce"] = Field(
        "ece", description="ece: the mean distance in all bins, weighted; mce: the largest distance."
    )

    def count(self, matches: Matches) -> Counts:
        """Phrases, scores and hits by bin; nothing if the scores are no probabilities."""
        if matches.scores is None or not matches.hits:
            return ()
        if not all(0 <= score <= 1 for score in matches.scores):
            return ()
        hits = (hit >= 0 for hit in matches.hits)
        found = Reliability.of(zip(matches.scores, hits, strict=True), bins=self.bins, closed=self.closed)
        return (*found.numbers, *found.confidence_sums, *found.correct)

    def value(self, counts: Counts) -> float:
        """The error in 0 … 1; 0 without phrases."""
        bins = self.bins
        found = Reliability(
            tuple(map(int, counts[:bins])),
            tuple(counts[bins : 2 * bins]),
            tuple(map(int, counts[2 * bins :])),
            self.closed,
        )
        return (found.ece if self.of == "ece" else found.mce) or 0.0
