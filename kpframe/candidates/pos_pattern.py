"""Runs of words whose parts of speech follow a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator, Field, model_validator

from kpframe.candidates._phrase_filters import filtered
from kpframe.candidates._stems import Stemmer, stem_key
from kpframe.candidates._tag_automaton import Automaton, compiled
from kpframe.candidates._token_classes import TOKEN_CLASS, TokenClass, token_class
from kpframe.language.codes import DEFAULT
from kpframe.language.stop_lists import file_checksums, list_limits, list_problems
from kpframe.model import Annotations, Candidates, Document, IntArray, Place
from kpframe.stages import Selection

__all__ = ["PRESETS", "PosPattern"]

_CLITICS = frozenset({"PART", "POS"})
_ANY_NOUN = "(NN|NNS|NNP|NNPS)"
_NBAR = f"({_ANY_NOUN}|JJ|JJR|JJS)* {_ANY_NOUN}"
_NBAR_IN_NBAR = f"{_NBAR} IN {_NBAR}"

PRESETS: dict[str, tuple[str, ...]] = {
    "adjective_noun": ("(adjective|noun)* noun",),
    "nbar": (_NBAR,),
    "nbar_in_nbar": (_NBAR_IN_NBAR,),
    "kim2010": (_NBAR, _NBAR_IN_NBAR),
    "hulth2003": ("JJ NN", "NN NN", "JJ NNS", "NN NNS", "NN"),
    "dkpro": (
        "noun{1,4}",
        "adjective noun{1,3}",
        "adjective{2} noun{1,2}",
        "adjective{3} noun",
        "verb noun{1,2}",
        "verb{2} noun",
        "noun verb",
        "noun preposition noun",
    ),
}
"""The named lists of patterns."""

Preset = Literal["adjective_noun", "nbar", "nbar_in_nbar", "kim2010", "hulth2003", "dkpro"]
_DEFAULTS_OF: dict[str, dict[str, Any]] = {
    "kim2010": {"min_frequency_single": 2},
    "hulth2003": {"overlap": "all"},
    "dkpro": {"overlap": "all"},
}


def _mixed(patterns: Sequence[str]) -> bool:
    return len({compiled(pattern).layer for pattern in patterns}) > 1


def _checked(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        compiled(pattern)
    return patterns


_NOUN_FIRST = frozenset({"ca", "es", "fr", "it", "pt", "ro"})
"""Languages in which most adjectives follow their noun."""
_NOUN_FIRST_PATTERNS = {"adjective_noun": ("(adjective|noun)* noun adjective*",)}
"""What presets are there; others are English."""


class PosPattern(Selection):
    """Words of one sentence whose parts of speech match one of several patterns.

    A pattern names universal classes in lower case or Penn tags in upper case, with ( ) | ? * + and
    {m,n}: "(adjective|noun)* noun", "JJ{0,2} NN". Every pattern is matched on its own, and a token
    that is no word (punctuation, a URL) matches nothing; only a possessive 's can stand inside, as
    `particle` or POS.

    The presets: `adjective_noun` for any language (in Romance ones adjectives may also follow: "énergie
    solaire"); `nbar`, `nbar_in_nbar` and `kim2010` (both, and
    single words at least twice) are the rules of Kim, Baldwin and Kan, where NN* and JJ* mean all
    nouns and all adjectives, and a noun phrase within a longer one is a candidate too; `hulth2003`
    has the five patterns that Hulth names as the most frequent of her 56, whose full list is not
    published; `dkpro` has the 15 sequences of the later implementation of the paper's framework,
    over universal classes (there, adjectives in Penn tags never matched).

    Programs that follow TextRank take the longest runs of nouns and adjectives, "(noun|adjective)+", also
    those that end in an adjective, and look at tags alone (`tokens: any`), so that a full stop which the
    tagger takes for a name is a candidate. TopicRank keeps of those the ones that `max_tokens: 5`,
    `stopwords`, `plain: true` and `min_characters: 3` admit.
    """

    source: ClassVar[str] = (
        "Kim, Baldwin and Kan 2010, section 4.2 and table 2; Hulth 2003 (selection by PoS patterns); "
        "DKPro Keyphrases (POS sequence filter)"
    )

    preset: Preset | None = Field(
        "adjective_noun", description="A named list of patterns; null if `patterns` are given."
    )
    patterns: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_checked)] | None = Field(
        None,
        description="Own patterns in place of a preset, over universal classes or over Penn tags, as "
        "'(adjective|noun)* noun' or 'JJ* NN'.",
    )
    overlap: Literal["longest", "all"] = Field(
        "longest",
        description="What a pattern finds: from left to right the longest matches, which do not overlap, "
        "or every run of words that matches. The presets hulth2003 and dkpro set all, as published.",
    )
    tokens: TokenClass | Literal["any"] = Field(
        "words",
        description=TOKEN_CLASS + " any: all, even punctuation tagged as a noun, as programs that look at "
        "tags alone.",
    )
    min_frequency_single: int = Field(
        1,
        ge=1,
        description="Keep candidates of one token that are found at least this often. The preset kim2010 "
        "sets 2, as published.",
    )
    stem: Stemmer | None = Field(
        None,
        description="Candidates with equal stems are one; null: those with equal folded words are.",
    )
    max_tokens: int | None = Field(
        None, ge=1, description="Longer candidates are dropped (not cut); null: no limit."
    )
    stopwords: tuple[str, ...] | None = Field(
        None,
        min_length=1,
        description="Stop lists, combined: language codes (en, de, hi, …), paths of files with an entry a "
        "line, or auto, the list of the document's language; candidates with such a word are dropped.",
    )
    plain: bool = Field(
        False,
        description="Whether candidates are dropped that have a token of one character, or one with other "
        "characters than letters, digits and hyphens.",
    )

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, given: Any) -> Any:
        """Own patterns replace the default preset; a preset brings its own defaults."""
        if not isinstance(given, dict):
            return given
        if given.get("patterns") is not None:
            return {"preset": None, **given}
        preset = given.get("preset")
        return {**_DEFAULTS_OF.get(preset, {}), **given} if isinstance(preset, str) else given

    @model_validator(mode="after")
    def _consistent(self) -> PosPattern:
        if (self.preset is None) == (self.patterns is None):
            raise ValueError(f"give either patterns or a preset ({', '.join(get_args(Preset))})")
        if _mixed(self.patterns or ()):
            raise ValueError("some patterns use universal classes and some Penn tags; use one of the two")
        return self

    def requires(self) -> frozenset[str]:
        """The layer in which the patterns are looked up."""
        return frozenset({self._automata()[0].layer})

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Stop lists that do not exist."""
        for problem, remedy in list_problems(self.stopwords or ()):
            yield "stopwords", problem, remedy

    def limits(self, language: str) -> Iterator[str]:
        """Stop lists that are those of other languages, and the order of words."""
        yield from list_limits(self.stopwords, language)
        if self.preset is not None and language in _NOUN_FIRST and self.preset not in _NOUN_FIRST_PATTERNS:
            yield "its patterns are English, with adjectives before nouns"

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.stopwords or ())
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """All matches of all patterns that pass the filters."""
        every = [True] * len(annotations)
        word = every if self.tokens == "any" else token_class(annotations, self.tokens).tolist()
        tags = self._tags(annotations, word)
        places = (
            (begin, end)
            for automaton in self._automata(document.language)
            for sentence in annotations.sentences.tolist()
            for begin, end in self._matches(automaton, tags, *sentence)
            if word[begin] and word[end - 1]
        )
        key = stem_key(annotations, self.stem, document.language) if self.stem else None
        found = self._frequent(Candidates.build(document, annotations, places, key=key))
        return filtered(found, max_tokens=self.max_tokens, stopwords=self.stopwords or (), plain=self.plain)

    def _automata(self, language: str = DEFAULT) -> list[Automaton]:
        """One automaton a pattern; a single one where all matches of all patterns are wanted."""
        patterns = (self.patterns if self.preset is None else PRESETS[self.preset]) or ()
        if self.preset is not None and language in _NOUN_FIRST:
            patterns = _NOUN_FIRST_PATTERNS.get(self.preset, patterns)
        if self.overlap == "all":
            patterns = (" | ".join(f"({pattern})" for pattern in patterns),)
        return [compiled(pattern) for pattern in patterns]

    def _tags(self, annotations: Annotations, word: list[bool]) -> list[str | None]:
        """The tag of each token, None for what no pattern can match."""
        (name,) = self.requires()
        annotations.require(name)
        layer: IntArray | None = annotations.pos if name == "pos" else annotations.tags
        assert layer is not None
        tags = annotations.strings(layer)
        return [tag if known or tag in _CLITICS else None for tag, known in zip(tags, word, strict=True)]

    def _matches(
        self, automaton: Automaton, tags: Sequence[str | None], begin: int, stop: int
    ) -> list[Place]:
        if self.overlap == "longest":
            return automaton.longest(tags, begin, stop)
        return [(first, end) for first in range(begin, stop) for end in automaton.ends(tags, first, stop)]

    def _frequent(self, candidates: Candidates) -> Candidates:
        least = self.min_frequency_single
        if least == 1:
            return candidates
        return candidates.keep(lambda key, places: len(places) >= least or places[0][1] > places[0][0] + 1)
