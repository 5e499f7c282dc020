"""KP-Miner: tf.idf of whole phrases, with a bonus for those of several words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from kpframe.model import Candidates, Keyphrases, Place
from kpframe.ranking._document_frequencies import DocumentFrequencies
from kpframe.ranking._idf import Idf
from kpframe.stages import Ranking, Selection

__all__ = ["KpMiner"]


class KpMiner(Ranking):
    """tf · idf · boost of candidates that are frequent enough and begin early enough.

    Left out are candidates with fewer than `least_frequency` occurrences and those with more than `cutoff`
    tokens before them; with `rest: behind` they follow the others, in the order of their own scores, so
    that a long text that repeats nothing at its beginning has keyphrases too. Of the others, those of
    several words are multiplied by min(sigma, N / (P · alpha)), where N is the number of all their
    occurrences, and P that of the ones of several words (at least 1), since phrases are rarer than words. idf
    is by default log2((N + 1) / (df + 1)) for single words and, as phrases are rare in any collection,
    log2(N + 1) for phrases; `phrase_df: counted` counts those too.

    KP-Miner's candidates are n-grams without stop words inside them: `{kind: ngrams, max: 5,
    stopwords: [en], stopwords_barred: everywhere}`. Leave the selection's `min_frequency` at 1, so
    that rare words enter the document frequencies. On abstracts hardly a phrase stands three times:
    set `least_frequency: 1` there.
    """

    source: ClassVar[str] = "El-Beltagy & Rafea 2009 and 2010 (KP-Miner)"
    leaves_out: ClassVar[bool] = True
    paths: ClassVar[tuple[str, ...]] = ("idf.path",)

    least_frequency: int = Field(
        3, ge=1, description="The least allowable seen frequency: candidates with fewer occurrences go."
    )
    cutoff: int | None = Field(
        400,
        ge=1,
        description="Candidates go that have more tokens than this before their first place; null: none do. "
        "The authors take 400, and 850 for longer texts.",
    )
    alpha: float = Field(2.3, gt=0, description="The divisor in the boost of phrases; no unit.")
    sigma: float = Field(3.0, gt=0, description="The greatest boost; no unit.")
    rest: Literal["drop", "behind"] = Field(
        "drop", description="Candidates that are too rare or too late: left out, or behind all others."
    )
    phrase_df: Literal["none", "counted"] = Field(
        "none", description="Whether phrases of several words have document frequencies too."
    )
    idf: Idf = Field(
        Idf(form="log2"), description="Where document frequencies come from and how they become an idf."
    )

    def fits_on(self) -> Literal["", "collection", "training"]:
        """The documents over which document frequencies are counted, if any are."""
        return self.idf.fits_on()

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """Frequencies depend on the candidates alone."""
        counted = {"kind": self.kind, "from": self.idf.from_, "phrases": self.phrase_df}
        return {**counted, "candidates": selection.identity()}

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A table that is missing or malformed."""
        yield from self.idf.problems()

    def observe(self, candidates: Candidates) -> list[str]:
        """The single words among a document's candidates, or all of them; sorted."""
        if self.phrase_df == "counted":
            return sorted(candidates.keys)
        return sorted(key for key in candidates.keys if " " not in key)

    def fit(self, observations: Iterable[list[str]]) -> dict[str, Any]:
        """{"documents": N, "df": {candidate: number of documents}}."""
        return DocumentFrequencies.counted(observations).to_state()

    def restore(self, state: Mapping[str, Any]) -> FittedKpMiner:
        """The ranker with the frequencies of `state`."""
        return FittedKpMiner(self, DocumentFrequencies.from_state(state))

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Rank with frequencies from a file, or none; StageError if they must be counted first."""
        return FittedKpMiner(self, self.idf.known(self.kind)).rank(candidates)


@dataclass(frozen=True)
class FittedKpMiner:
    """KP-Miner with known document frequencies; without any, idf is 1."""

    settings: KpMiner
    frequencies: DocumentFrequencies | None

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates that are frequent and early enough, best first; behind them the others, or none."""
        settings = self.settings
        limit = settings.cutoff or len(candidates.annotations) + 1

        def wanted(_: str, places: Sequence[Place]) -> bool:
            return len(places) >= settings.least_frequency and places[0][0] <= limit

        if settings.rest == "drop":
            candidates = candidates.keep(wanted)
        good = list(map(wanted, candidates.keys, candidates.places_of))
        boost = self._boost(candidates, good)
        scores = [
            len(places) * self._idf(key) * (boost if " " in key else 1.0)
            for key, places in zip(candidates.keys, candidates.places_of, strict=True)
        ]
        return Keyphrases.ranked(candidates, _behind(scores, good))

    def _boost(self, candidates: Candidates, good: Sequence[bool]) -> float:
        """Occurrences of good candidates (if none is, of all) over those of several words; at most sigma."""
        pairs = zip(candidates.places, candidates.owners, strict=True)
        occurrences = [place for place, owner in pairs if good[owner]] or candidates.places
        phrases = sum(end > begin + 1 for begin, end in occurrences)
        return min(self.settings.sigma, len(occurrences) / (max(phrases, 1) * self.settings.alpha))

    def _idf(self, key: str) -> float:
        if self.frequencies is None:
            return 1.0
        return self.frequencies.idf(key, self.settings.idf.form)


def _behind(scores: Sequence[float], good: Sequence[bool]) -> Sequence[float]:
    """The scores, those of the others made so small that they lie below all good ones.

    They stay above 0 where the good ones do; a word that all documents have scores 0, and the others are
    below it then.
    """
    least = min([score for score, kept in zip(scores, good, strict=True) if kept], default=None)
    most = max([score for score, kept in zip(scores, good, strict=True) if not kept], default=None)
    if least is None or most is None:
        return scores
    scale, shift = (least / (2 * (most or 1.0)), 0.0) if least > 0 else (1 / (most + 1.0), 1.0)
    return [score if kept else score * scale - shift for score, kept in zip(scores, good, strict=True)]
