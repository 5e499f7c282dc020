"""Approximate matching as the program of DKPro Keyphrases has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.matching._gold_index import GoldIndex
from kpframe.matching._prepared import PreparedMatching
from kpframe.model import Gold, Matches
from kpframe.statistics.pairing import paired

__all__ = ["Dkpro"]

_ENDINGS = frozenset("s-/_ ")
_RULES = {"exact": 0, "includes": 1, "morph": 2}


class Dkpro(PreparedMatching):
    """Exact, or one of two tests on characters, as DKPro Keyphrases decides; for comparison with it.

    A phrase hits a gold keyphrase that is equal; or (`rule: approximate`) that stands in the phrase, where
    its *first* occurrence is bounded by blanks or the ends ("subset set" does not hold "set"); or if the
    lengths differ by at most one and the rest of the *phrase* behind what both begin with is one of
    `s`, `-`, `/`, `_` and blank ("performance metrics" hits "performance metric", the reverse does not;
    "class s" hits "class a"; "buses" does not hit "bus"). `approximate` is the project's own rule, of
    tokens and of plurals in both directions. Compared are the normalised tokens joined by blanks: the
    program's are case-folded and not stemmed (`tokens: blanks`), its gold is a set, and its "gold not in
    the text removed" is `absent: drop` with `presence: surface_characters`.

    One to one. The program takes phrases in rank order and gives each the first free keyphrase of a Java
    hash set. Here a phrase is a hit if keyphrases can be handed out so that it and all better hits have
    one: the greatest number of hits at every rank, whatever the order of gold. Of 220 lists of predictions
    the two differ in one, where the program finds fewer. Rules: `exact`, `includes`, `morph`.
    """

    source: ClassVar[str] = "DKPro Keyphrases, KeyphraseEvaluator and its approximate matching"

    rule: Literal["exact", "approximate"] = Field(
        "approximate",
        description="exact: equal phrases; approximate: also by the two tests on characters.",
    )

    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; DataError if absent gold cannot be told."""
        prepared = self.prepare(predicted, gold, text)
        exact = prepared.index.exact
        texts = [
            [" ".join(variant.tokens) for variant in group if variant.tokens] for group in prepared.index.gold
        ]
        possible: list[dict[int, str]] = []
        for phrase in prepared.phrases:
            rules = dict.fromkeys(exact.get(phrase.tokens, ()), "exact")
            if self.rule == "approximate":
                for number, name in _approximate(" ".join(phrase.tokens), texts):
                    rules.setdefault(number, name)
            possible.append(rules)
        hits = paired([_preferred(rules, prepared.index) for rules in possible])
        names = [rules[hit] if hit >= 0 else "" for rules, hit in zip(possible, hits, strict=True)]
        return prepared.matches(hits, names)


def _preferred(rules: Mapping[int, str], index: GoldIndex) -> list[int]:
    """Equal ones first, then those that the phrase includes; of these the longest; in alphabetical order."""
    if len(rules) < 2:
        return list(rules)
    lengths = (max(len(variant.tokens) for variant in index.gold[number]) for number in rules)
    preferences = zip((_RULES[rule] for rule in rules.values()), lengths, rules, strict=True)
    return [
        number for *_, number in sorted(preferences, key=lambda one: (one[0], -one[1], index.order[one[2]]))
    ]


def _approximate(phrase: str, gold: Sequence[Sequence[str]]) -> Iterator[tuple[int, str]]:
    """The keyphrases that a phrase hits by one of the two tests, and by which."""
    plural = phrase[-1:] in _ENDINGS
    for number, variants in enumerate(gold):
        for variant in variants:
            if variant in phrase and _includes(phrase, variant):
                yield number, "includes"
            elif plural and _morph(phrase, variant):
                yield number, "morph"


def _includes(phrase: str, keyphrase: str) -> bool:
    begin = phrase.find(keyphrase)
    end = begin + len(keyphrase)
    return (begin == 0 or phrase[begin - 1] == " ") and (end == len(phrase) or phrase[end] == " ")


def _morph(phrase: str, keyphrase: str) -> bool:
    return (
        abs(len(phrase) - len(keyphrase)) <= 1
        and keyphrase.startswith(phrase[:-1])
        and not keyphrase.startswith(phrase)
    )
