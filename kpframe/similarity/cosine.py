"""Distributional similarity: the cosine of the contexts in which two phrases stand in a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator

from kpframe.errors import KpframeError
from kpframe.similarity._contexts import ContextIndex, SparseVector, build_index, mean_vector
from kpframe.similarity._corpus_lines import checksum, corpus_lines
from kpframe.similarity._words import Words, WordSimilarity

__all__ = ["Cosine"]


class Cosine(WordSimilarity):
    """The cosine of the tf.idf vectors of the words around two phrases, wherever they stand in a corpus.

    Kim et al. took the snippets that a web search found for a phrase; that service is gone, and a
    corpus of one's own stands in its place, so that their figures cannot be met. tf counts a word over
    all contexts of the phrase, idf is ln(N / df) over the sentences (or documents) of the corpus, and a
    phrase does not belong to its own context.

    A phrase that the corpus does not have (or not with anything around it) has the mean direction of
    its words' vectors; if none of its words is known it is like nothing (0), except an equal phrase (1).
    The corpus is read once a process: about 1 second for a million characters.
    """

    source: ClassVar[str] = "Kim, Baldwin & Kan 2010, section 3.4 (with a corpus for the web)"
    paths: ClassVar[tuple[str, ...]] = ("corpus",)
    symmetric: ClassVar[bool] = True

    corpus: str = Field(
        description="A UTF-8 file with one document a line: .txt, or .jsonl with `text`, or `title` and "
        "`abstract`, or `document` (tokens)."
    )
    context: Annotated[int, Field(ge=1)] | Literal["sentence", "document"] = Field(
        "sentence",
        description="What surrounds a phrase: its sentence, its document, or this many tokens on each side "
        "within the sentence.",
    )

    @field_validator("corpus")
    @classmethod
    def _known_suffix(cls, path: str) -> str:
        if not path.endswith((".txt", ".jsonl")):
            raise ValueError("the name of the corpus must end in .txt or .jsonl")
        return path

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A corpus that cannot be opened."""
        try:
            checksum(self.corpus)
        except KpframeError as error:
            yield from error.about("corpus")

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksum of the corpus."""
        return {**self.to_spec(), "sha256": checksum(self.corpus)}

    def compare_words(self, predicted: Words, gold: Words) -> float:
        """The cosine, in 0 … 1; DataError if the corpus cannot be read."""
        if predicted == gold:
            return 1.0
        index = _index(self.corpus, checksum(self.corpus), self.context != "document", self.stem)
        return self._vector(index, predicted).cosine(self._vector(index, gold))

    def _vector(self, index: ContextIndex, phrase: Words) -> SparseVector:
        window = self.context if isinstance(self.context, int) else None
        found = index.vector(phrase, window)
        if len(found.ids) or len(phrase) == 1:
            return found
        parts = [index.vector((word,), window) for word in phrase]
        return mean_vector([part for part in parts if len(part.ids)])


@lru_cache(maxsize=2)
def _index(path: str, _checksum: str, sentences: bool, stem: bool) -> ContextIndex:
    return build_index(corpus_lines(path), sentences=sentences, stem=stem)
