"""All runs of a few words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from kpframe.candidates._number_names import NumberNames, number_names
from kpframe.candidates._runs import run_ends
from kpframe.candidates._stems import stem_key
from kpframe.candidates._token_classes import (
    TOKEN_CLASS,
    BoolArray,
    TokenClass,
    among,
    has_letter,
    of_words,
    token_class,
)
from kpframe.language.stems import stem_limits
from kpframe.language.stop_lists import file_checksums, list_limits, list_problems, stop_words
from kpframe.model import Annotations, Candidates, Document, Place
from kpframe.stages import Selection

__all__ = ["NGrams"]


class NGrams(Selection):
    """All n-grams of `min` to `max` words inside a sentence, without punctuation.

    A blank line ends a run of words even where no sentence was split (see `blank_lines`). URLs and
    clitics are boundaries like punctuation (see `tokens`).

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
        description="n-grams with equal stems are one candidate; null: those with equal folded words are. "
        "The stemmer is for English; texts in 14 other languages have Snowball's, in others words are their "
        "own stems.",
    )
    numbers: Literal["keep", "boundary", "names"] = Field(
        "keep",
        description="Tokens without a letter: kept, or no n-gram reaches across them, as in Kea; names: "
        "across all but those that belong to a name (IEEE 802.11, type 2 diabetes), which count for no "
        "word, never begin an n-gram, and end one only where the name is whole.",
    )
    tokens: TokenClass = Field("words", description=TOKEN_CLASS)
    blank_lines: Literal["boundary", "ignore"] = Field(
        "boundary", description="Whether a blank line inside a sentence parts words."
    )
    judged_by: Literal["every_form", "first_form"] = Field(
        "every_form",
        description="With `stem`: whether every form of a candidate must keep to `tokens`, `stopwords` and "
        "`min_characters`, or only the one that stands first, as in pke, whose others then count too.",
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
        for problem, remedy in list_problems(self.stopwords or ()):
            yield "stopwords", problem, remedy

    def limits(self, language: str) -> Iterator[str]:
        """Stop lists that are those of other languages, and missing stems."""
        yield from list_limits(self.stopwords, language)
        if self.stem:
            yield from stem_limits(language)

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.stopwords or ())
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """All n-grams; the key is made of stems if `stem` is set."""
        allowed = token_class(annotations, self.tokens)
        named = None
        if self.numbers == "names":
            named = number_names(annotations)
            allowed = allowed & (of_words(annotations, has_letter) | named.numbers)
        elif self.numbers == "boundary":
            allowed = allowed & of_words(annotations, has_letter)
        barred = None
        if self.stopwords:
            listed = stop_words(self.stopwords, document.language)
            barred = of_words(annotations, among(listed))
            if self.stopwords_barred == "everywhere":
                allowed = allowed & ~barred
        key = stem_key(annotations, self.stem, document.language) if self.stem else None
        ends = self._run_ends(annotations, allowed)
        if named is None:
            places = self._places(ends, allowed, barred)
        else:
            places = self._named_places(ends, allowed, barred, named)
        built = Candidates.build(document, annotations, places, key=key)
        if self.judged_by == "first_form":
            every = np.ones_like(allowed)
            anywhere = self._places(self._run_ends(annotations, every), every, None)
            kept = set(places)
            built = Candidates.build(document, annotations, anywhere, key=key)
            built = built.keep(lambda _, places: places[0] in kept)
        return _without_single_names(built) if self.drop_single_proper_nouns else built

    def select(self, document: Document, annotations: Annotations) -> Candidates:
        """The candidates of a document."""
        if self.judged_by == "every_form":
            return super().select(document, annotations)
        # The filter that all selections share looks at the most frequent form.
        selected = super(NGrams, self.model_copy(update={"min_characters": 1})).select(document, annotations)
        return selected.keep(lambda _, places: len(annotations.surface(*places[0])) >= self.min_characters)

    def _run_ends(self, annotations: Annotations, allowed: BoolArray) -> NDArray[np.intp]:
        return run_ends(annotations, allowed, blank_lines=self.blank_lines == "boundary")

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

    def _named_places(
        self, run_ends: NDArray[np.intp], allowed: BoolArray, barred: BoolArray | None, named: NumberNames
    ) -> list[Place]:
        """The n-grams of `min` to `max` words, with the numbers between and behind them."""
        # Two numbers never follow each other, so there are at most as many as words.
        longer = self.model_copy(update={"max": 2 * self.max})
        words = np.concatenate(([0], np.cumsum(~named.numbers)))
        found = longer._places(run_ends, allowed & ~named.numbers, barred)
        return [
            (begin, end)
            for begin, end in found
            if self.min <= words[end] - words[begin] <= self.max and not named.unfinished[end - 1]
        ]


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
