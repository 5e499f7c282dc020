"""Texts that several indexers have labelled, each in a folder of his own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Encoding, Language
from kpframe.errors import DataError, suggestion
from kpframe.files.archives import open_container, path_problems
from kpframe.files.container import Container, Member
from kpframe.files.decoding import decode
from kpframe.model import Document, Gold, Skipped
from kpframe.model.blank import visible
from kpframe.stages import Reader

__all__ = ["Indexers"]


class Indexers(Reader):
    """Reads `NAME.txt` and, for each indexer, `INDEXER/NAME.key` with a phrase a line, as in fao30.

    The texts are those in folders of the name `documents`, wherever these stand; the folder of a key file
    names its indexer. A phrase that several indexers give (whatever its case) is one gold keyphrase, whose
    source names them all, parted by +. A text without a key file is a document without gold; a key file
    without a text is skipped.
    """

    source: ClassVar[str] = "Medelyan and Witten (2008), Domain-independent automatic keyphrase indexing"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="Folder, zip or tar with the texts and keys.")
    documents: str = Field("documents", min_length=1, description="The name of the folder with the texts.")
    indexer: str | None = Field(
        None, min_length=1, description="Only the keyphrases of this indexer; null: those of all."
    )
    agreed: int = Field(1, ge=1, description="Only keyphrases that at least so many indexers give.")
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable path."""
        yield from path_problems("path", self.path, folder=True)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in natural order of their names, then keys without a text."""
        yield from distinct(self._entries())

    def _entries(self) -> Iterator[Placed | Skipped]:
        with open_container(self.path) as root:
            yield from root.skipped
            texts = [one for one in root.with_suffix(".txt") if _last_folder(one) == self.documents]
            if not texts:
                remedy = "name that folder by the parameter documents"
                raise DataError.at(self.path, f"holds no {self.documents}/*.txt", remedy)
            keys: dict[str, list[Member]] = {}
            for key in root.with_suffix(".key"):
                keys.setdefault(key.stem, []).append(key)
            self._refuse_unknown({_last_folder(key) for found in keys.values() for key in found})
            for member in texts:
                text = decode(root.read(member), self.encoding, member.place)
                gold = self._gold(root, keys.pop(member.stem, []))
                yield member.place, Document(member.stem, text, self.language, gold)
            for found in keys.values():
                yield from (Skipped(key.place, "there is no text for these keys") for key in found)

    def _refuse_unknown(self, names: set[str]) -> None:
        if self.indexer is not None and self.indexer not in names:
            remedy = suggestion(self.indexer, sorted(names))
            raise DataError.at(self.path, f"has no indexer {self.indexer!r}", remedy)

    def _gold(self, root: Container, keys: Sequence[Member]) -> tuple[Gold, ...]:
        sources: dict[str, dict[str, None]] = {}
        forms: dict[str, str] = {}
        for key in keys:
            for line in decode(root.read(key), self.encoding, key.place).split("\n"):
                phrase = " ".join(line.split())
                if visible(phrase):
                    forms.setdefault(phrase.casefold(), phrase)
                    sources.setdefault(phrase.casefold(), {})[_last_folder(key)] = None
        return tuple(
            Gold((forms[same],), "+".join(found))
            for same, found in sources.items()
            if len(found) >= self.agreed and self.indexer in (None, *found)
        )


def _last_folder(member: Member) -> str:
    return member.folder.rpartition("/")[2]
