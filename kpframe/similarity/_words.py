"""Phrases as words, and the bases of measures that compare words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from pydantic import Field

from kpframe.language.codes import DEFAULT
from kpframe.language.stems import stemmer
from kpframe.language.words import token_spans
from kpframe.model.folding import FOLDINGS, Folding
from kpframe.stages import Similarity

__all__ = ["TranslationSimilarity", "WordSimilarity", "Words", "phrase_words"]

Words = tuple[str, ...]


@lru_cache(maxsize=200_000)
def phrase_words(phrase: str, stem: bool, folding: Folding = "full") -> Words:
    """The folded tokens of a phrase, as matching sees them; with `stem`, their Porter stems."""
    folded = FOLDINGS[folding](phrase)
    tokens = tuple([folded[begin:end] for begin, end in token_spans(folded)])
    return tuple(map(stemmer("porter"), tokens)) if stem else tokens


class WordSimilarity(Similarity):
    """A measure of two sequences of words; a phrase without words is like nothing (0)."""

    symmetric: ClassVar[bool] = False
    """Whether the two phrases may change places."""

    stem: bool = Field(True, description="Compare Porter stems; false: folded words.")
    fold: Folding = Field(
        "full",
        description="What is equal before words are made, as in matching: full (NFC, no case, all quotes and "
        "dashes alike) or lower (lower-cased, as programs do).",
    )

    def limits(self, language: str) -> Iterator[str]:
        """Stems, which are English whatever the texts are in."""
        if self.stem and language != DEFAULT:
            yield f"{self.kind} compares by Porter's stems, which are English"

    def words(self, phrase: str) -> Words:
        """What is compared of a phrase."""
        return phrase_words(phrase, self.stem, self.fold)

    @abstractmethod
    def compare_words(self, predicted: Words, gold: Words) -> float:
        """The similarity of two phrases that have words."""

    def compare(self, predicted: str, gold: str) -> float:
        """The similarity of a predicted phrase to a gold keyphrase."""
        left, right = self.words(predicted), self.words(gold)
        return self.compare_words(left, right) if left and right else 0.0

    def matrix(self, predicted: Sequence[str], gold: Sequence[str]) -> list[list[float]]:
        """A row for each predicted phrase with its similarity to each gold keyphrase."""
        columns = [self.words(keyphrase) for keyphrase in gold]
        rows = [self.words(phrase) for phrase in predicted]
        return [[self.compare_words(p, g) if p and g else 0.0 for g in columns] for p in rows]


class TranslationSimilarity(WordSimilarity):
    """A measure made for translations: a hypothesis is compared with a reference."""

    longer_as_reference: bool = Field(
        True,
        description="Take the longer phrase as the reference, as Kim et al. do (of equally long ones the "
        "gold keyphrase); false: always the gold keyphrase.",
    )

    def compare_words(self, predicted: Words, gold: Words) -> float:
        """The similarity, after deciding which phrase is the reference."""
        if self.longer_as_reference and len(predicted) > len(gold):
            return self.against(gold, predicted)
        return self.against(predicted, gold)

    @abstractmethod
    def against(self, hypothesis: Words, reference: Words) -> float:
        """The similarity of a hypothesis to a reference, both with at least one word."""
