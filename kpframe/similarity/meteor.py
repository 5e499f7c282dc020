"""METEOR of a pair of phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar

from pydantic import Field

from kpframe.errors import KpframeError, ResourceError
from kpframe.language.stems import stemmer
from kpframe.similarity._words import TranslationSimilarity, Words, phrase_words

__all__ = ["Meteor"]


class Meteor(TranslationSimilarity):
    """Precision and recall of aligned words, less a penalty for alignments in pieces; by nltk.

    Words are aligned if they are equal, then if their stems are, then (with `wordnet`) if they share a
    synset. fmean = P·R / (alpha·P + (1 − alpha)·R), and METEOR is fmean · (1 − gamma·(pieces /
    matches)^beta). Even one unbroken piece is punished: equal phrases of two words get .9375, of one
    word .5, of six .9977. No threshold means the same for phrases of different lengths.

    nltk looks stems up in WordNet, not words: "car" / "auto" match (.5; "fast car" / "fast auto" .9375,
    and .25 without WordNet), "car" / "automobile" do not, as there is no synset "automobil".
    """

    source: ClassVar[str] = "Lavie & Agarwal 2007; Kim, Baldwin & Kan 2010, section 3.1"

    alpha: float = Field(0.9, gt=0, lt=1, description="The weight of recall against precision.")
    beta: float = Field(3.0, ge=0, description="The exponent of the share of pieces.")
    gamma: float = Field(0.5, ge=0, le=1, description="The greatest penalty.")
    wordnet: bool = Field(
        False, description="Align synonyms of WordNet, which nltk must have downloaded (English only)."
    )

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """WordNet is wanted and not there."""
        if self.wordnet:
            try:
                _wordnet()
            except KpframeError as error:
                yield from error.about("wordnet")

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the version of WordNet if it is used."""
        version = {"wordnet_version": _wordnet().get_version()} if self.wordnet else {}
        return {**self.to_spec(), **version}

    def words(self, phrase: str) -> Words:
        """The case-folded words; they are stemmed where they are aligned."""
        return phrase_words(phrase, False, self.fold)

    def against(self, hypothesis: Words, reference: Words) -> float:
        """METEOR in 0 … 1; ResourceError if WordNet is wanted and not there."""
        return _meteor(hypothesis, reference, self.stem, self.wordnet, (self.alpha, self.beta, self.gamma))


@lru_cache(maxsize=50_000)
def _meteor(
    hypothesis: Words, reference: Words, stem: bool, wordnet: bool, weights: tuple[float, float, float]
) -> float:
    from nltk.translate.meteor_score import single_meteor_score

    alpha, beta, gamma = weights
    return float(
        single_meteor_score(
            reference,
            hypothesis,
            preprocess=str,
            stemmer=_Stems() if stem else _Unstemmed(),
            wordnet=_wordnet() if wordnet else _NoSynonyms(),
            alpha=alpha,
            beta=beta,
            gamma=gamma,
        )
    )


class _Stems:
    """nltk's interface to the Porter stems that all of kpframe uses."""

    def stem(self, word: str) -> str:
        return stemmer("porter")(word)


class _Unstemmed:
    """nltk's interface, stemming nothing."""

    def stem(self, word: str) -> str:
        return word


class _NoSynonyms:
    """nltk's interface to a WordNet without entries."""

    def synsets(self, word: str) -> list[Any]:
        return []


@cache
def _wordnet() -> Any:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise ResourceError.at(
            "WordNet", "is not among the data of nltk", "get it with: python -m nltk.downloader wordnet"
        ) from None
    return wordnet
