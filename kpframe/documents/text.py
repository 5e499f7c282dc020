"""Texts: files, folders and archives of files, standard input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._file_text import text_of_file
from kpframe.documents._language_files import LanguageFiles
from kpframe.documents._parameters import Encoding, Language
from kpframe.documents._passed_over import because, passed_over, steady
from kpframe.errors import KpframeError
from kpframe.files.archives import open_container, path_problems
from kpframe.files.container import Container, Limits, Member, read_file
from kpframe.files.decoding import numbered_lines
from kpframe.files.keyed_texts import by_preference, names_of
from kpframe.files.kinds import bare_name, kind_of_file
from kpframe.files.layout import TEXTS, holds_text, without_runs, without_texts
from kpframe.files.standard_input import standard_input
from kpframe.files.urls import is_file, is_folder
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["Text"]


class Text(Reader):
    """Reads texts without gold: a document for each file, or for each line that is not blank.

    Plain text, Markdown, HTML, Word (docx), and PDF with `pip install 'kpframe[documents]'`; packed by gz,
    zst, bz2 or xz or not. What a file is is seen from its first bytes. In a folder or an archive a file that
    cannot be read, or is of another kind, is skipped with the reason.

    The id of a file is its name without its ending, with its folders below `path` (`news/12`), but with it
    (`news/12.html`) where several files differ in nothing else; a line adds its number (`news/12-3`);
    standard input is `stdin`. A file `language.txt` or `lan.txt` that
    only names a language says in which the texts are.
    """

    source: ClassVar[str] = "The Unicode Standard, section 5.8 (line ends)"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(
        description="A file, a folder or an archive (zip, tar) of files, or - for standard input."
    )
    unit: Literal["document", "line"] = Field(
        "document", description="What a document is: a file, or a line of it."
    )
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable path."""
        if self.path != "-" and not is_folder(self.path):
            yield from path_problems("path", self.path, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents, files in natural order of their names."""
        yield from distinct(self.read_entries(), by_file=True)

    def read_entries(self, name: str = "") -> Iterator[Placed | Skipped]:
        """The documents with their places; `name` begins the ids of a file, by default its own."""
        if self.path == "-":
            yield from self.documents("stdin", "standard input", standard_input())
        elif is_folder(self.path) or self._is_archive():
            yield from self._folder()
        else:
            yield from self._file(name)

    def _is_archive(self) -> bool:
        return is_file(self.path) and kind_of_file(self.path, self.encoding).kind.group == "archive"

    def _is_plain(self) -> bool:
        return not is_file(self.path) or kind_of_file(self.path, self.encoding).kind.group == "text"

    def _folder(self) -> Iterator[Placed | Skipped]:
        with open_container(self.path) as root:
            yield from self.entries(root)

    def entries(self, root: Container) -> Iterator[Placed | Skipped]:
        """What an open folder or archive holds."""
        yield from root.skipped
        members = without_runs(root)
        texts = sorted(filter(holds_text, members), key=by_preference)
        said = LanguageFiles(root, texts, self.language)
        texts = [member for member in texts if member not in said]
        if not texts:
            seen = ", ".join(sorted({member.suffix or "others" for member in members})[:5])
            problem = "holds no .txt file" + (f", but {seen}" if seen else "")
            raise without_texts(root, problem, f"give a folder with {TEXTS} files")
        names = names_of(texts, below=True)
        for member in texts:
            yield from self._member(root, member, names[member.name], said.language(member))
        yield from (passed_over(root, member) for member in members if not holds_text(member))

    def _member(self, root: Container, member: Member, id: str, language: str) -> Iterator[Placed | Skipped]:
        try:
            yield from self.documents(id, member.place, root.read(member), member.name, language)
        except KpframeError as error:  # one bad file never stops a folder
            yield because(member.place, error)

    def _file(self, name: str) -> Iterator[Placed | Skipped]:
        stem = name or os.path.splitext(os.path.basename(bare_name(self.path)))[0]
        if self.unit == "line" and self._is_plain():

            def lines() -> Iterator[Placed]:
                numbered = numbered_lines(self.path, self.encoding, newline="")
                return _lines(stem, self.path, numbered, self.language)

            yield from steady(self.path, lines)
        else:
            yield from self.documents(stem, self.path, read_file(self.path, Limits()), self.path)

    def documents(
        self, stem: str, place: str, content: bytes, name: str = "", language: str = ""
    ) -> Iterator[Placed]:
        """What the bytes of one file hold; `stem` begins the ids, `name` is its name if it has one.

        `language` is that of the texts, by default what the reader was told.
        """
        language = language or self.language
        text = text_of_file(content, name or "", self.encoding, place)
        if self.unit == "line":
            yield from _lines(stem, place, enumerate(text.split("\n"), start=1), language)
        else:
            yield place, Document(stem, text, language)


def _lines(name: str, place: str, lines: Iterable[tuple[int, str]], language: str) -> Iterator[Placed]:
    for number, line in lines:
        if line.strip():
            yield f"{place}:{number}", Document(f"{name}-{number}", line.strip(), language)
