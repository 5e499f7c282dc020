"""Texts with annotations that exist: JSON lines, each layer a list."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._layers import COLUMNS, layers_of
from kpframe.documents._parameters import Encoding, Language
from kpframe.documents._passed_over import steady
from kpframe.documents._records import document_of, record_of
from kpframe.errors import KpframeError
from kpframe.files.archives import path_problems
from kpframe.files.decoding import numbered_lines
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["AnnotatedJsonl"]

_OPTIONAL = (*COLUMNS, "chunks")


class AnnotatedJsonl(Reader):
    """Reads .jsonl and .jsonl.gz whose lines hold texts with their tokens, sentences, tags and chunks.

    A line is an object as kpframe's own layout has it (`id`, `text`, `language`, `gold`, `metadata`) with
    the layers as lists: `begins` and `ends` (offsets in code points), `words` (`text[begin:end]`), and one
    string a token in `lemmas`, `tags` (Penn) and `pos` (universal, as NOUN); `sentences` and `chunks` are
    pairs of token indexes, the second one past the last. `lemmas`, `tags`, `pos` and `chunks` may be
    missing, from all lines alike: what the first usable line has, a later one must have too, or it is
    skipped with the reason, as is a line whose layers do not fit its text.

    So any pipeline, with `preprocessing: []`, runs on annotations of another program, or of one run on
    another machine, and two systems can be compared on the very same tokens.
    """

    source: ClassVar[str] = "jsonlines.org; the layers are those of kpframe's Annotations"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="A .jsonl or .jsonl.gz file.")
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    def provides(self) -> frozenset[str]:
        """The layers of the first line that can be used."""
        try:
            first = next((found for found in self.read() if isinstance(found, Document)), None)
        except (KpframeError, OSError):  # told by problems() and read()
            return frozenset()
        return frozenset() if first is None or first.annotations is None else first.annotations.layers

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable file."""
        yield from path_problems("path", self.path, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in the order of the lines."""
        yield from distinct(steady(self.path, self._entries))

    def _entries(self) -> Iterator[Placed | Skipped]:
        expected: frozenset[str] | None = None
        stem = os.path.basename(self.path).removesuffix(".gz").removesuffix(".jsonl")
        for number, line in numbered_lines(self.path, self.encoding):
            if not line.strip():
                continue
            place = f"{self.path}:{number}"
            try:
                record = record_of(line.strip())
                document = self._document(record, f"{stem}-{number}", expected)
            except ValueError as error:
                yield Skipped(place, str(error))
                continue
            if expected is None:
                expected = frozenset(name for name in _OPTIONAL if record.get(name) is not None)
            yield place, document

    def _document(self, record: Mapping[str, Any], name: str, expected: frozenset[str] | None) -> Document:
        if not isinstance(record.get("text"), str):
            raise ValueError("has no 'text', or one that is not a string")
        missing = [layer for layer in sorted(expected or ()) if record.get(layer) is None]
        if missing:
            raise ValueError(f"has no {missing[0]!r}, which the lines before it have")
        document = document_of(record, name, self.language)
        return replace(document, annotations=layers_of(record, document.text))
