"""Noun phrases, from a dependency parse or by a grammar of parts of speech."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from kpframe.language.models import NOUN_CHUNKS
from kpframe.model import Annotations, Document
from kpframe.preprocessing._noun_grammar import LETTERS, TAG_LETTERS, default_pattern, noun_phrases
from kpframe.preprocessing._spacy_pass import SpacyAnnotator
from kpframe.stages import Annotator

__all__ = ["Chunk"]

_NOT_LETTERS = re.compile(r"\\.|\(\?P<\w+>|\(\?P=\w+\)|\(\?[aiLmsux-]+[:)]")
"""Parts of a regular expression whose letters stand for no token."""


class Chunk(SpacyAnnotator):
    """Noun phrases that hold no other noun phrase, with their determiners ("the neural networks").

    `parser` takes spaCy's noun chunks out of a dependency parse. `grammar` finds the longest runs of
    parts of speech that match a pattern and needs no parser: faster, and at hand for languages
    without noun chunks; on abstracts nine of ten phrases agree. The paper used the TreeTagger.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, figure 1 (chunking); spaCy 3.8; Hulth 2003"
    short: ClassVar[str] = "method"

    method: Literal["parser", "grammar"] = Field(
        "parser", description="parser: spaCy's noun chunks; grammar: a pattern over parts of speech."
    )
    pattern: str | None = Field(
        None,
        description="For the grammar: a regular expression over one letter a token: A adjective, "
        "C number, D determiner, I adposition, J conjunction, N noun, O pronoun, P proper noun, R adverb, "
        "S subordinator, T particle, U auxiliary, V verb, X other, Z punctuation; with Penn tags also "
        "E past participle, G gerund or present participle, Y possessive ending. null: noun phrases of "
        "English, or of Romance languages with adjectives after the noun (D?[AC]*[NP]+[ANP]*).",
    )

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str | None) -> str | None:
        if pattern is None:
            return None
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"is no regular expression that can be used ({error})") from None
        known = {*LETTERS.values(), *TAG_LETTERS.values()}
        used = re.findall(r"[A-Za-z]", _NOT_LETTERS.sub("", pattern))
        if strange := sorted(set(used) - known):
            raise ValueError(f"{', '.join(strange)} stands for no part of speech")
        return pattern

    def engine(self, language: str) -> str:
        """`spacy` for the parser, none for the grammar."""
        return "spacy" if self.method == "parser" else ""

    def requires(self) -> frozenset[str]:
        """tokens, and pos for the grammar."""
        return frozenset({"tokens"} if self.method == "parser" else {"tokens", "pos"})

    def provides(self) -> frozenset[str]:
        """chunks."""
        return frozenset({"chunks"})

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """Parameters, and the models for the parser."""
        return super().identity(languages) if self.method == "parser" else self.to_spec()

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Languages without noun chunks or model for the parser, and parameters without effect."""
        if self.method == "grammar":
            if self.model is not None:
                yield "model", "has no effect with method: grammar", "leave it out, or name it in pos"
            return
        if self.pattern is not None:
            yield "pattern", "has no effect with method: parser", "set method: grammar"
        for language in sorted(set(languages) - NOUN_CHUNKS):
            yield "method", f"spaCy finds no noun chunks in language {language!r}", "use method: grammar"
        yield from super().problems(languages)

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """`annotations` with the layer chunks."""
        if self.method == "parser":
            return super().annotate(document, annotations)
        known = annotations if annotations is not None else Annotations.empty(document.text)
        pattern = self.pattern or default_pattern(document.language)
        return known.with_layers(chunks=noun_phrases(known, pattern))

    @classmethod
    def run(
        cls,
        together: Sequence[Annotator],
        documents: Sequence[Document],
        annotations: Sequence[Annotations | None],
    ) -> Iterator[Annotations | Exception]:
        """The grammar goes document by document, the parser with the rest of the pass."""
        grammar = any(isinstance(one, Chunk) and one.method == "grammar" for one in together)
        if grammar:
            yield from super(SpacyAnnotator, cls).run(together, documents, annotations)
        else:
            yield from super().run(together, documents, annotations)
