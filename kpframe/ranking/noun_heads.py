"""Noun phrases by the frequency of their heads."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

__all__ = ["NounHeads"]


class NounHeads(Ranking):
    """Of the phrases with the most frequent heads, the frequent and long ones.

    The head of a candidate is its last token. The `heads` most frequent heads of a document (of
    equally frequent ones those that stand earlier) are kept with all candidates that end in them,
    and all others are left out; a candidate scores its occurrences × its tokens.

    Made for noun phrases (`noun_phrases`, `pos_pattern`). The authors also drop single letters and
    what stands wholly inside a longer keyphrase: `nested` and `char_length` do so after the ranking.
    """

    source: ClassVar[str] = "Barker & Cornacchia 2000; Zesch & Gurevych 2009, section 2"
    leaves_out: ClassVar[bool] = True

    heads: int | None = Field(12, ge=1, description="How many heads are kept; null: all of them.")

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates with a frequent head, by occurrences × tokens."""
        tokens = candidates.tokens
        # most_common keeps the order of the text among equals
        frequency = Counter(tokens[end - 1] for _, end in candidates.places)
        heads = {head for head, _ in frequency.most_common(self.heads)}
        kept = candidates.keep(lambda key, places: tokens[places[0][1] - 1] in heads)
        return Keyphrases.ranked(
            kept, [len(places) * (places[0][1] - places[0][0]) for places in kept.places_of]
        )
