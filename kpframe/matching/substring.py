"""A run of characters of a gold keyphrase, or one that holds it, matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.errors import DataError
from kpframe.language.substrings import holders
from kpframe.matching._gold_index import GoldIndex
from kpframe.matching._prepared import Prepared, PreparedMatching
from kpframe.matching._presence import are_present
from kpframe.model import Gold, Matches, Phrase

__all__ = ["Substring"]


class Substring(PreparedMatching):
    """A phrase hits every gold keyphrase of which it is a run of characters, or that is one of it.

    Compared are the normalised tokens joined by blanks, so that "art" hits "smart cards". Many to many:
    several phrases may hit one keyphrase and one phrase several; precision counts phrases, recall
    keyphrases. Of the keyphrases that a phrase hits, equal ones come first, then alphabetical order. An empty
    keyphrase hits nothing.

    With `normalize: porter` this is KPEval's approximate matching: substring precision, recall and F1
    are `precision`, `recall` and `f1` at M, and its "r-precision" is `r_precision`, which for all
    phrases takes those that stand in the text first (`order: present_first`, with `absent: keep`). For
    KPEval an empty list is one empty phrase, which hits everything; not so here.
    """

    source: ClassVar[str] = "Wu et al. 2023, KPEval, approximate matching"

    direction: Literal["either", "predicted_in_gold", "gold_in_predicted"] = Field(
        "either", description="Which of the two may be a part of the other."
    )
    order: Literal["ranked", "present_first"] = Field(
        "ranked",
        description="ranked: phrases as they come; present_first: those that stand in the text, by the test "
        "of `presence`, before the others.",
    )

    def needs_text(self) -> bool:
        """Also to put present phrases first."""
        return self.order == "present_first" or super().needs_text()

    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; DataError if a text is needed and missing."""
        prepared = self.prepare(predicted, gold, text)
        if self.direction not in prepared.told:
            prepared.told[self.direction] = self._related(prepared)
        related = prepared.told[self.direction]
        if self.order == "present_first":
            places = self._present_first(prepared, text)
            related = [related[place] for place in places]
            prepared = Prepared(
                prepared.index,
                tuple([prepared.phrases[place] for place in places]),
                tuple([prepared.positions[place] for place in places]),
                prepared.given,
                prepared.first,
            )
        hits = [numbers[0] if numbers else -1 for numbers in related]
        return prepared.matches(hits, ["substring" if numbers else "" for numbers in related], related)

    def _present_first(self, prepared: Prepared, text: str | None) -> Sequence[int]:
        """The places of the phrases in the list, those of present ones first."""
        if text is None:
            raise DataError.at(
                "matching 'substring'",
                "order: present_first needs the document's text",
                "give documents with their text, or use order: ranked",
            )
        present = are_present([phrase.surface for phrase in prepared.phrases], text, self._settings.presence)
        behind = [place for place, there in enumerate(present) if not there]
        return [place for place, there in enumerate(present) if there] + behind

    def _related(self, prepared: Prepared) -> list[list[int]]:
        variants = [
            (number, " ".join(variant.tokens))
            for number, group in enumerate(prepared.index.gold)
            for variant in group
            if variant.tokens
        ]
        phrases = [" ".join(phrase.tokens) for phrase in prepared.phrases]
        related: list[list[int]] = [[] for _ in phrases]
        if self.direction != "predicted_in_gold":
            for place, at in holders(phrases, [text for _, text in variants]):
                related[place].append(variants[at][0])
        if self.direction != "gold_in_predicted":
            for at, place in holders([text for _, text in variants], phrases):
                related[place].append(variants[at][0])
        # What is equal stands in each other.
        distinct = [list(dict.fromkeys(numbers)) if len(numbers) > 1 else numbers for numbers in related]
        return [
            _in_order(numbers, phrase, prepared.index) if len(numbers) > 1 else numbers
            for numbers, phrase in zip(distinct, prepared.phrases, strict=True)
        ]


def _in_order(numbers: Iterable[int], phrase: Phrase, index: GoldIndex) -> list[int]:
    """An equal keyphrase first, the others in alphabetical order."""
    equal = index.exact.get(phrase.tokens, ())
    return sorted(numbers, key=lambda number: (number not in equal, index.order[number]))
