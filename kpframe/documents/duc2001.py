"""DUC 2001: news articles with keyphrases (Wan & Xiao 2008)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Encoding
from kpframe.documents._passed_over import attempted
from kpframe.documents._phrases import gold_keyphrases, split_phrases
from kpframe.errors import DataError
from kpframe.files.archives import open_container, path_problems
from kpframe.files.container import Container, Limits, Member, read_file
from kpframe.files.decoding import decode
from kpframe.model import Document, Gold, Skipped
from kpframe.stages import Reader

__all__ = ["Duc2001"]


class Duc2001(Reader):
    """Reads the texts and the one file with everybody's keyphrases, `docid@phrase;phrase;…`.

    A text without a line in that file is a document without gold; a line without a text is
    skipped. A text's id is the name of its file, without .txt if it has that.
    """

    source: ClassVar[str] = (
        "Wan and Xiao (2008), Single document keyphrase extraction using neighborhood knowledge"
    )
    paths: ClassVar[tuple[str, ...]] = ("path", "labels")

    path: str = Field(description="Folder, zip or tar with the texts: every file in it is one.")
    labels: str = Field(description="DUC2001LabeledKeyphrase.txt; what stands before the labels is ignored.")
    encoding: Encoding = "utf-8"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Missing and unreadable paths."""
        yield from path_problems("path", self.path, folder=True)
        yield from path_problems("labels", self.labels, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in natural order of their ids, then labels without a text."""
        yield from distinct(self._entries())

    def _entries(self) -> Iterator[Placed | Skipped]:
        gold: dict[str, tuple[str, tuple[Gold, ...]]] = {}
        for entry in _labels(
            decode(read_file(self.labels, Limits()), self.encoding, self.labels), self.labels
        ):
            if isinstance(entry, Skipped):
                yield entry
                continue
            place, name, phrases = entry
            if name in gold:
                yield Skipped(place, f"{name!r} is already labelled at {gold[name][0]}")
            else:
                gold[name] = place, phrases
        with open_container(self.path) as root:
            yield from root.skipped
            texts = [member for member in root.members if not self._is_labels(member)]
            if not texts:
                raise DataError.at(self.path, "holds no text", "give the folder or archive with the texts")
            for member in texts:
                yield attempted(member.place, partial(self._document, root, member, gold))
        yield from (Skipped(place, f"there is no text {name!r}") for name, (place, _) in gold.items())

    def _document(
        self, root: Container, member: Member, gold: dict[str, tuple[str, tuple[Gold, ...]]]
    ) -> Document:
        """One text; its labels are taken out of `gold`, so that what stays there has no text."""
        last = member.name.rpartition("/")[2]
        name = member.stem if member.suffix == ".txt" else last
        text = decode(root.read(member), self.encoding, member.place)
        return Document(name, text, "en", gold.pop(name, ("", ()))[1])

    def _is_labels(self, member: Member) -> bool:
        handle = member.handle
        return isinstance(handle, str) and os.path.exists(handle) and os.path.samefile(handle, self.labels)


def _labels(content: str, path: str) -> Iterator[tuple[str, str, tuple[Gold, ...]] | Skipped]:
    """Place, id and gold of each line after the header, which ends with the last line of asterisks."""
    lines = content.split("\n")
    rules = [number for number, line in enumerate(lines) if line.strip() and not line.strip().strip("*")]
    header = rules[-1] + 1 if rules else 0
    for number, line in enumerate(lines[header:], start=header + 1):
        name, mark, phrases = line.partition("@")
        place = f"{path}:{number}"
        if mark and name.strip():
            yield place, name.strip(), gold_keyphrases(split_phrases(phrases, ";"))
        elif line.strip():
            yield Skipped(place, "is no line of the form docid@phrase;phrase;…")
