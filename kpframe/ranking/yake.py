"""YAKE: phrases of words that are frequent, early, capitalised, and not everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from kpframe.language.stop_lists import file_checksums, list_limits, list_problems, stop_words
from kpframe.model import AUTO, Candidates, Keyphrases, Place
from kpframe.ranking._word_statistics import WordStatistics, word_statistics
from kpframe.stages import Ranking

__all__ = ["Yake"]


class Yake(Ranking):
    """Minus the score of YAKE, so that higher is better: it needs nothing but the text and stop words.

    A word's weight is R·P / (C + F/R + D/R), with
    - casing C: the greater of its occurrences as acronym and as capitalised word (not first in a
      sentence), / (1 + ln occurrences);
    - position P: ln ln (3 + median number of the sentences that hold it, the first being 0);
    - frequency F: occurrences / (mean + standard deviation of those of all words but stop words);
    - relatedness R: 1 + (distinct / all left neighbours + the same on the right) · occurrences /
      greatest occurrences of any word;
    - different sentences D: the share of the sentences that hold it.

    A candidate of words w with occurrences n scores Π weight / (n · (1 + Σ weight)). A stop word
    inside it, between a and b, has no weight: the product is multiplied by 1 + q and the sum lessened by q,
    q = 1 - P(stop | a) · P(b | stop). Stop words are those of the lists and all words of fewer than
    three characters; candidates that begin or end with one are left out. Made for n-grams of up
    to three words, followed by `similar`, which removes near duplicates.
    """

    source: ClassVar[str] = "Campos, Mangaravite, Pasquali, Jorge, Nunes & Jatowt 2020, section 4"
    leaves_out: ClassVar[bool] = True

    window: int = Field(
        1,
        ge=1,
        le=20,
        description="How far apart (tokens) neighbours may be; 1 as in YAKE 0.7, 2 as in pke. Sentence ends "
        "part words.",
    )
    stopwords: tuple[str, ...] = Field(
        (AUTO,),
        min_length=1,
        description="Stop lists, combined: language codes (en, de, hi, …), paths of files with an entry a "
        "line, or auto, the list of the document's language.",
    )
    punctuation: Literal["boundary", "word"] = Field(
        "boundary",
        description="Punctuation parts neighbours and is no word, as in the paper; or it counts as words "
        "that are none of the list, as in pke.",
    )
    stop_inside: Literal["bigrams", "reversed"] = Field(
        "bigrams",
        description="P(b | stop): how often b follows the stop word, over the stop word's occurrences, "
        "as in the paper; reversed: how often b precedes it within the window, over b's, as in pke.",
    )

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Stop lists that do not exist."""
        for problem, remedy in list_problems(self.stopwords):
            yield "stopwords", problem, remedy

    def limits(self, language: str) -> Iterator[str]:
        """Stop lists that are those of other languages."""
        yield from list_limits(self.stopwords, language)

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.stopwords)
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates without a stop word at their ends, best first."""
        words = self._statistics(candidates)
        # The last of the lists is of what is no word, whose number is -1.
        stops, weights = [*words.stops.tolist(), True], [*words.weight.tolist(), 0.0]
        numbers = [words.number.get(token, -1) for token in candidates.tokens]

        def inner(key: str, places: Sequence[Place]) -> bool:
            begin, end = places[0]
            return not (stops[numbers[begin]] or stops[numbers[end - 1]])

        kept = candidates.keep(inner)
        scores = []
        for places in kept.places_of:
            begin, end = places[0]
            score = self._score(words, stops, weights, numbers[begin:end])
            scores.append(-score / len(places))
        return Keyphrases.ranked(kept, scores)

    def _statistics(self, candidates: Candidates) -> WordStatistics:
        stop = stop_words(self.stopwords, candidates.document.language)
        return word_statistics(
            candidates.annotations,
            candidates.tokens,
            stop,
            window=self.window,
            punctuation=self.punctuation == "word",
        )

    def _score(
        self,
        words: WordStatistics,
        stops: Sequence[bool],
        weights: Sequence[float],
        numbers: Sequence[int],
    ) -> float:
        product, total, least = 1.0, 0.0, 0.0
        for place, number in enumerate(numbers):
            if stops[number]:
                loss = 1.0 - self._probability(words, *numbers[place - 1 : place + 2])
                product *= 1.0 + loss
                total -= loss
            else:
                product *= weights[number]
                total += weights[number]
                least += weights[number]
        # With one stop word inside this is 1 + total; two could make the denominator negative.
        return product / max(1.0 + total, least)

    def _probability(self, words: WordStatistics, before: int, stop: int, after: int) -> float:
        """P(stop | before) · P(after | stop)."""
        if min(before, stop, after) < 0:  # a clitic or the like, which is no word
            return 0.0
        first = words.pairs.get((before, stop), 0) / int(words.occurrences[before])
        if self.stop_inside == "reversed":
            return first * words.pairs.get((after, stop), 0) / int(words.occurrences[after])
        return first * words.pairs.get((stop, after), 0) / int(words.occurrences[stop])
