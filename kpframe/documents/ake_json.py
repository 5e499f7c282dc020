"""Texts beside gold keyphrases in reference JSON, as the ake-datasets have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.documents._corenlp import LAYERS, Malformed, annotations_of
from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Encoding, Language
from kpframe.documents._passed_over import because
from kpframe.documents._references import References, load_references
from kpframe.errors import DataError, KpframeError
from kpframe.files.archives import open_container, path_problems
from kpframe.files.container import Container, Member
from kpframe.files.decoding import decode
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["AkeJson"]


class AkeJson(Reader):
    """Reads `{id: [[variant, …], …]}` beside the texts, whose ids are the names of their files.

    Texts are .txt files or CoreNLP's .xml, which bring their annotations along. An id that only one
    of the two sides has is skipped. References whose phrases are stemmed match only stems: prefer
    the plain ones.
    """

    source: ClassVar[str] = "Boudin (2018), github.com/boudinfl/ake-datasets"
    paths: ClassVar[tuple[str, ...]] = ("texts", "references")

    texts: str = Field(description="Folder, zip or tar with the texts, at any depth.")
    references: str = Field(description="JSON file {id: [[variant, …], …]} with the gold keyphrases.")
    format: Literal["auto", "txt", "xml"] = Field(
        "auto", description="Which files are the texts; auto: xml if there is any .xml file, or else txt."
    )
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    def provides(self) -> frozenset[str]:
        """CoreNLP's layers if the texts are XML; with `format: auto` the names of the files tell."""
        if self.format != "auto":
            return LAYERS if self.format == "xml" else frozenset()
        try:
            with open_container(self.texts) as root:
                return LAYERS if self._suffix(root) == ".xml" else frozenset()
        except KpframeError:  # told by problems() and read()
            return frozenset()

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Missing and unreadable paths."""
        yield from path_problems("texts", self.texts, folder=True)
        yield from path_problems("references", self.references, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in natural order of their names, then references without a text."""
        references = load_references(self.references)
        yield from references.skipped
        yield from distinct(self._entries(references))
        yield from references.unused()

    def _suffix(self, root: Container) -> str:
        if self.format != "auto":
            return f".{self.format}"
        return ".xml" if root.with_suffix(".xml") else ".txt"

    def _entries(self, references: References) -> Iterator[Placed | Skipped]:
        with open_container(self.texts) as root:
            yield from root.skipped
            suffix = self._suffix(root)
            members = root.with_suffix(suffix)
            if not members:
                raise DataError.at(self.texts, f"holds no {suffix} file", "give the folder with the texts")
            for member in members:
                if member.stem not in references.gold:
                    yield Skipped(member.place, f"{references.path} has no id {member.stem!r}")
                else:
                    yield self._attempted(root, member, references)

    def _attempted(self, root: Container, member: Member, references: References) -> Placed | Skipped:
        try:
            return self._entry(root, member, references)
        except KpframeError as error:
            return because(member.place, error)

    def _entry(self, root: Container, member: Member, references: References) -> Placed | Skipped:
        gold = references.take(member.stem)
        content = root.read(member)
        if member.suffix == ".txt":
            text = decode(content, self.encoding, member.place)
            return member.place, Document(member.stem, text, self.language, gold)
        try:
            made = annotations_of(content)
        except Malformed as error:
            return error.skipped(member.place)
        return member.place, Document(member.stem, made.text, self.language, gold, annotations=made)
