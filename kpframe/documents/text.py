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
from kpframe.documents._language_files import LanguageFiles
from kpframe.documents._parameters import Encoding, Language
from kpframe.errors import DataError
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["Text"]


class Text(Reader):
    """Reads texts without gold: a document for each file, or for each line that is not blank.

    The id of a file is its name without .txt, with its folders below `path` (`news/12`); a line
    adds its number (`news/12-3`); standard input is `stdin`. A file `language.txt` or `lan.txt` that
    only names a language says in which the texts are.
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
    language: Language = "auto"

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
                yield from _lines("stdin", place, enumerate(text.split("\n"), start=1), self.language)
            else:
                yield place, Document("stdin", text, self.language)
        elif os.path.isdir(self.path):
            yield from self._folder()
        else:
            name = os.path.splitext(os.path.basename(self.path))[0]
            yield from self._file(name, self.path, self.language)

    def _folder(self) -> Iterator[Placed | Skipped]:
        with open_container(self.path) as root:
            yield from root.skipped
            said = LanguageFiles(root, root.with_suffix(".txt"), self.language)
            members = [member for member in root.with_suffix(".txt") if member not in said]
            if not members:
                raise DataError.at(self.path, "holds no .txt file", "give a folder with .txt files")
            for member in members:
                yield from self._file(member.name[: -len(".txt")], str(member.handle), said.language(member))

    def _file(self, name: str, path: str, language: str) -> Iterator[Placed]:
        if self.unit == "line":
            yield from _lines(name, path, numbered_lines(path, self.encoding, newline=""), language)
        else:
            text = decode(read_file(path, Limits()), self.encoding, path)
            yield path, Document(name, text, language)


def _lines(name: str, place: str, lines: Iterable[tuple[int, str]], language: str) -> Iterator[Placed]:
    for number, line in lines:
        if line.strip():
            yield f"{place}:{number}", Document(f"{name}-{number}", line.strip(), language)


def _standard_input() -> bytes:
    limit = Limits().size
    stream = getattr(sys.stdin, "buffer", None)
    content = stream.read(limit + 1) if stream else sys.stdin.read(limit + 1).encode("utf-8")
    Limits().refuse_size("standard input", len(content))
    return bytes(content)
