"""Corpora that Stanford CoreNLP has tokenised and tagged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import Field

from kpframe.documents._corenlp import LAYERS, Malformed, annotations_of
from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Language
from kpframe.documents._passed_over import because
from kpframe.documents._references import References, load_references
from kpframe.errors import DataError, KpframeError
from kpframe.files.archives import open_container, path_problems
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["CorenlpXml"]


class CorenlpXml(Reader):
    """Reads CoreNLP's XML: one document a file, its id the name of the file.

    Tokens, sentences, lemmas, Penn tags and universal parts of speech become annotations. The text
    is put together from the tokens and their offsets, with spaces for what lies between, so the line
    breaks of the source are lost. A file that is not well-formed or declares entities is skipped.
    """

    source: ClassVar[str] = "Manning et al. (2014), The Stanford CoreNLP natural language processing toolkit"
    paths: ClassVar[tuple[str, ...]] = ("path", "references")

    path: str = Field(description="Folder, zip or tar with the .xml files, at any depth.")
    references: str | None = Field(
        None, description="JSON file {id: [[variant, …], …]} with the gold keyphrases; null: no gold."
    )
    language: Language = "auto"

    def provides(self) -> frozenset[str]:
        """Tokens, sentences, lemmas, tags and parts of speech."""
        return LAYERS

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Missing and unreadable paths."""
        yield from path_problems("path", self.path, folder=True)
        if self.references is not None:
            yield from path_problems("references", self.references, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in natural order of their names, then references without a text."""
        references = load_references(self.references) if self.references is not None else None
        if references:
            yield from references.skipped
        yield from distinct(self._entries(references))
        if references:
            yield from references.unused()

    def _entries(self, references: References | None) -> Iterator[Placed | Skipped]:
        with open_container(self.path) as root:
            yield from root.skipped
            members = root.with_suffix(".xml")
            if not members:
                raise DataError.at(self.path, "holds no .xml file", "give the folder with CoreNLP's output")
            for member in members:
                gold = references.take(member.stem) if references else ()
                try:
                    made = annotations_of(root.read(member))
                except Malformed as error:
                    yield error.skipped(member.place)
                    continue
                except KpframeError as error:
                    yield because(member.place, error)
                    continue
                yield (
                    member.place,
                    Document(member.stem, made.text, self.language, gold, annotations=made),
                )
