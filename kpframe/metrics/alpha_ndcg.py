"""NDCG that rewards new keyphrases more than further phrases for known ones."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from kpframe.metrics._novelty import Gain, discounted, greedy_gains, list_gains
from kpframe.metrics._ranked import RankedMetric, ideal_sums
from kpframe.metrics._ratio import ratio
from kpframe.metrics._relevance import Relevance, relevant_numbers
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["AlphaNdcg"]


class AlphaNdcg(RankedMetric):
    """NDCG where a phrase gains (1 - alpha) to the power of how often its keyphrase was told before.

    Each gold keyphrase is a topic. Of the matching only its normalisation and its lists are used: which
    phrases are relevant to which keyphrases is judged here, many to many, by `relevance`, since a
    one-to-one matching knows of no phrase that tells again what is known. `exact`: equal tokens;
    `token_subset`: all tokens of one are among those of the other; `substring`: the phrase is a run of
    characters of the keyphrase. A phrase's `gain` is the sum over its keyphrases (`each`), or that of
    the keyphrase that was told most (`one`). The ideal list takes what gains most next, at ties the
    first, from all gold keyphrases and the predictions together (`pool`; as many as k says, all at M) or
    from the predictions alone (`own`: blind to what was missed); `gold` is the gain of a hit at each of
    the first n ranks, n being the number of gold keyphrases, whatever k is, while no rank behind n counts
    for the list.

    The defaults are the definition of Clarke et al. with the relevance under which repeating a topic in
    variants shows: a system that says less should not be called ideal (`own`), and with `gold` no list
    reaches 1 at a k below n. ndeval's alpha-nDCG@k is `ideal: pool, gain: each` with `exact` or
    `token_subset`; KPEval's AlphaNDCG@M is `relevance: substring, ideal: own`; OpenNMT-kpg's
    alpha_ndcg@k is `gain: one, ideal: gold`, with gold duplicates kept.

    In 0 … 1. Greedy choice finds the best list as a rule, not always; where the list at hand is better,
    it is the ideal one. With `alpha: 0`, `relevance: exact` this is NDCG. Counts: the discounted gain of
    the list, that of the ideal one.
    """

    source: ClassVar[str] = "Clarke et al. 2008, SIGIR, Novelty and diversity in information retrieval"

    alpha: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Share of the gain that is lost each time a keyphrase is told again, 0 … 1.",
    )
    relevance: Relevance = Field(
        "token_subset",
        description="When a phrase tells a keyphrase: equal tokens (exact), tokens of one all among those "
        "of the other (token_subset), characters of the phrase inside the keyphrase (substring).",
    )
    gain: Gain = Field(
        "each",
        description="What a phrase for several keyphrases gains: the sum (each), or the least of them (one).",
    )
    ideal: Literal["pool", "own", "gold"] = Field(
        "pool",
        description="The best list that could be made of gold and predictions (pool) or of the predictions "
        "(own), or a full gain for each gold keyphrase (gold; with gain: one).",
    )

    @model_validator(mode="after")
    def _within_one(self) -> AlphaNdcg:
        if self.ideal == "gold" and self.gain == "each":
            raise ValueError("ideal: gold needs gain: one, or values above 1 would come out")
        return self

    def count(self, matches: Matches) -> Counts:
        """The discounted gain of the first k phrases, and of the ideal list."""
        gold, cut, decay = matches.gold, self.cut(matches), 1 - self.alpha
        told = [phrase.tokens for phrase in matches.phrases]
        # In alphabetical order: at ties greedy choice takes the first, and how gold is listed must not show.
        wanted = sorted([sorted([variant.tokens for variant in group]) for group in matches.keyphrases])
        items = relevant_numbers(told, wanted, self.relevance)
        if self.ideal == "gold":
            gains = list_gains(items[: min(cut, gold)], gold, self.gain, decay)
            return discounted(gains), ideal_sums(gold)[gold]
        own = discounted(list_gains(items[:cut], gold, self.gain, decay))
        if self.ideal == "pool":
            known = dict(zip(told, items, strict=True))
            pool = _pool(told, wanted)
            unsaid = [tokens for tokens in pool if tokens not in known]
            known.update(zip(unsaid, relevant_numbers(unsaid, wanted, self.relevance), strict=True))
            items = [known[tokens] for tokens in pool]
        # At M all that could be said is ideal, as in NDCG: cut where the list ends, less said were better.
        depth = len(items) if self.k == "M" else cut
        best = discounted(greedy_gains(items, gold, self.gain, decay, depth))
        return own, max(own, best)

    def value(self, counts: Counts) -> float:
        """The gain over the ideal gain; 0 if that is 0."""
        gain, ideal = counts
        return ratio(gain, ideal)


def _pool(told: list[tuple[str, ...]], wanted: list[list[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """One phrase for each gold keyphrase (a predicted variant if there is one), then the predictions."""
    predicted = set(told)
    gold = [next((one for one in group if one in predicted), group[0]) for group in wanted if group]
    return list(dict.fromkeys([*gold, *told]))
