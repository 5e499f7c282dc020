"""Plain text: files, folders of files, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.documents._archives import open_container, path_problems
from kpframe.documents._container import Limits, read_file
from kpframe.documents._decoding import decode, numbered_lines
from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Encoding, Language
from kpframe.errors import DataError
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["Text"]


class Text(Reader):
    """Reads texts without gold: a document for each file, or for each line that is not blank.

    The id of a file is its name without .txt, with its folders below `path` (`news/12`); a line
    adds its number (`news/12-3`); standard input is `stdin`.
    """

    source: ClassVar[str] = "The Unicode Standard, section 5.8 (line ends)"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(
        description="A text file, a folder (every .txt file below it), or - for standard input."
    )
    unit: Literal["document", "line"] = Field(
        "document", description="What a document is: a file, or a line of it."
    )
    encoding: Encoding = "utf-8"
    language: Language = "en"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable path."""
        if self.path != "-" and not os.path.isdir(self.path):
            yield from path_problems("path", self.path, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents, files in natural order of their names."""
        yield from distinct(self._entries())

    def _entries(self) -> Iterator[Placed | Skipped]:
        if self.path == "-":
            place, text = "standard input", decode(_standard_input(), self.encoding, "standard input")
            if self.unit == "line":
                yield from self._lines("stdin", place, enumerate(text.split("\n"), start=1))
            else:
                yield place, Document("stdin", text, self.language)
        elif os.path.isdir(self.path):
            yield from self._folder()
        else:
            yield from self._file(os.path.splitext(os.path.basename(self.path))[0], self.path)

    def _folder(self) -> Iterator[Placed | Skipped]:
        with open_container(self.path) as root:
            yield from root.skipped
            members = root.with_suffix(".txt")
            if not members:
                raise DataError.at(self.path, "holds no .txt file", "give a folder with .txt files")
            for member in members:
                yield from self._file(member.name[: -len(".txt")], str(member.handle))

    def _file(self, name: str, path: str) -> Iterator[Placed]:
        if self.unit == "line":
            yield from self._lines(name, path, numbered_lines(path, self.encoding, newline=""))
        else:
            text = decode(read_file(path, Limits()), self.encoding, path)
            yield path, Document(name, text, self.language)

    def _lines(self, name: str, place: str, lines: Iterable[tuple[int, str]]) -> Iterator[Placed]:
        for number, line in lines:
            if line.strip():
                yield f"{place}:{number}", Document(f"{name}-{number}", line.strip(), self.language)


def _standard_input() -> bytes:
    limit = Limits().size
    stream = getattr(sys.stdin, "buffer", None)
    content = stream.read(limit + 1) if stream else sys.stdin.read(limit + 1).encode("utf-8")
    Limits().refuse_size("standard input", len(content))
    return bytes(content)
