"""All runs of a few words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from kpframe.candidates._wordlike import wordlike
from kpframe.language.folding import fold
from kpframe.language.stems import stemmer
from kpframe.language.stop_lists import file_checksums, list_problems, stop_words
from kpframe.model import Annotations, Candidates, Document, Place
from kpframe.stages import Selection

__all__ = ["NGrams"]

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")

BoolArray = NDArray[np.bool_]


class NGrams(Selection):
    """All n-grams of `min` to `max` words inside a sentence, without punctuation.

    A blank line ends a run of words even where no sentence was split. URLs and clitics are
    boundaries like punctuation.

    Kea's candidates are `{stopwords: [en], stem: porter, numbers: boundary, min_frequency: 2,
    drop_single_proper_nouns: true}`. Differences from the Kea program: its stemmer is the iterated
    Lovins stemmer, and it reads hyphen, slash and ampersand inside a word as spaces when it
    compares phrases; here a compound is one token.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4; Witten et al. 1999, section 2.1 (Kea)"

    min: int = Field(1, ge=1, le=10, description="Fewest tokens of an n-gram.")
    max: int = Field(3, ge=1, le=10, description="Most tokens of an n-gram.")
    stopwords: tuple[str, ...] | None = Field(
        None,
        min_length=1,
        description="Stop lists, combined: language codes (en, de, hi, …), paths of files with an entry a "
        "line, or auto, the list of the document's language; null: no word is a stop word.",
    )
    stopwords_barred: Literal["ends", "everywhere"] = Field(
        "ends",
        description="Where an n-gram may have no stop word: at its two ends, as in Kea, or anywhere.",
    )
    stem: Literal["porter", "snowball", "lancaster"] | None = Field(
        None,
        description="n-grams with equal stems are one candidate; null: those with equal folded words are.",
    )
    numbers: Literal["keep", "boundary"] = Field(
        "keep",
        description="Tokens without a letter: kept, or no n-gram reaches across them, as in Kea.",
    )
    drop_single_proper_nouns: bool = Field(
        False,
        description="Kea's rule for names: drop single words seen in exactly one form that begins with "
        "no lower-case letter and goes on with something other than capitals (acronyms stay).",
    )

    @model_validator(mode="after")
    def _consistent(self) -> NGrams:
        if self.max < self.min:
            raise ValueError(f"max is {self.max}, but min is {self.min}; max must not be less than min")
        if self.stopwords is None and self.stopwords_barred != "ends":
            raise ValueError("stopwords_barred has no effect without stopwords; name stop lists")
        return self

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Stop lists that do not exist."""
        for problem, remedy in list_problems(self.stopwords or (), languages):
            yield "stopwords", problem, remedy

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.stopwords or ())
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """All n-grams; the key is made of stems if `stem` is set."""
        allowed = wordlike(annotations)
        if self.numbers == "boundary":
            allowed &= _of_words(annotations, _has_letter)
        barred = None
        if self.stopwords:
            listed = stop_words(self.stopwords, document.language)
            barred = _of_words(annotations, lambda word: fold(word) in listed)
            if self.stopwords_barred == "everywhere":
                allowed &= ~barred
        places = self._places(_run_ends(annotations, allowed), allowed, barred)
        key = _stem_key(annotations, self.stem) if self.stem else None
        built = Candidates.build(document, annotations, places, key=key)
        return _without_single_names(built) if self.drop_single_proper_nouns else built

    def _places(
        self, run_ends: NDArray[np.intp], allowed: BoolArray, barred: BoolArray | None
    ) -> list[Place]:
        """The n-grams inside runs of words, with no barred token at either end."""
        begins = np.flatnonzero(allowed if barred is None else allowed & ~barred)
        places: list[Place] = []
        for length in range(self.min, self.max + 1):
            ends = begins + length
            fits = ends <= run_ends[begins]
            if barred is not None:
                fits[fits] = ~barred[ends[fits] - 1]
            places.extend(zip(begins[fits].tolist(), ends[fits].tolist(), strict=True))
        return places


def _of_words(annotations: Annotations, holds: Callable[[str], bool]) -> BoolArray:
    """For each token whether `holds` is true of its word."""
    used = set(annotations.words.tolist())
    vocabulary = annotations.vocabulary
    of_word = np.zeros(len(vocabulary), dtype=np.bool_)
    of_word[[i for i in used if holds(vocabulary[i])]] = True
    chosen: BoolArray = of_word[annotations.words]
    return chosen


def _has_letter(word: str) -> bool:
    return any(character.isalpha() for character in word)


def _run_ends(annotations: Annotations, allowed: BoolArray) -> NDArray[np.intp]:
    """For each token the end of the run of allowed tokens that it is in."""
    count = len(annotations)
    cut = np.ones(count + 1, dtype=np.bool_)
    cut[1:count] = ~(allowed[1:] & allowed[:-1])
    cut[annotations.sentences.ravel()] = True
    blank = [found.end() for found in _BLANK_LINE.finditer(annotations.text)]
    if blank:
        cut[np.searchsorted(annotations.begins, blank)] = True
    positions = np.where(cut[1:], np.arange(1, count + 1), count)
    ends: NDArray[np.intp] = np.minimum.accumulate(positions[::-1])[::-1]
    return ends


def _stem_key(annotations: Annotations, method: str) -> Callable[[Place], str]:
    stems = list(map(stemmer(method), annotations.folded_words))

    def key(place: Place) -> str:
        begin, end = place
        return stems[begin] if end == begin + 1 else " ".join(stems[begin:end])

    return key


def _without_single_names(candidates: Candidates) -> Candidates:
    surface = candidates.annotations.surface

    def common(key: str, places: Sequence[Place]) -> bool:
        begin, end = places[0]
        if end > begin + 1:
            return True
        form = surface(begin, end)
        if form[0].islower() or all(character.isupper() for character in form[1:]):
            return True
        return any(surface(*place) != form for place in places)

    return candidates.keep(common)
