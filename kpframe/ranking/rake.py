"""RAKE: words that stand in long phrases."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._phrase_scores import best_places
from kpframe.stages import Ranking

__all__ = ["Rake"]


class Rake(Ranking):
    """The sum of a phrase's word scores, which come from the phrases that a word stands in.

    The frequency of a word is the number of its occurrences inside candidates, its degree the sum
    of the lengths (tokens) of the candidates around them, so that it counts the word itself; each
    occurrence of a candidate counts. `ratio` = degree / frequency favours words of long phrases,
    `degree` also frequent ones.

    RAKE is this ranking over `candidates: stop_runs`; over n-grams, which overlap, a word counts
    once for each of them. Left out: joining keyphrases across the stop words between them.
    """

    source: ClassVar[str] = "Rose, Engel, Cramer & Cowley 2010 (RAKE), section 1.2.2"

    measure: Literal["ratio", "degree", "frequency"] = Field(
        "ratio", description="The score of a word: degree / frequency, degree, or frequency."
    )

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by the sum of their word scores."""
        tokens = candidates.tokens
        frequency: dict[str, int] = {}
        degree: dict[str, int] = {}
        for begin, end in candidates.places:
            length = end - begin
            for token in tokens[begin:end]:
                frequency[token] = frequency.get(token, 0) + 1
                degree[token] = degree.get(token, 0) + length
        score = {token: self._score(degree[token], count) for token, count in frequency.items()}
        of_token = [score.get(token, 0.0) for token in tokens]
        return Keyphrases.ranked(candidates, best_places(candidates, lambda b, e: sum(of_token[b:e])))

    def _score(self, degree: int, frequency: int) -> float:
        match self.measure:
            case "ratio":
                return degree / frequency
            case "degree":
                return float(degree)
            case "frequency":
                return float(frequency)
