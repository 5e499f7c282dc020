"""Whatever files there are: each is read by what its first bytes say that it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, PrivateAttr

from kpframe.documents._distinct import Placed, distinct, named_by_file
from kpframe.documents._language_files import languages_among
from kpframe.documents._parameters import Encoding, Language
from kpframe.documents._passed_over import because, passed_over, steady
from kpframe.documents._records import TEXTS
from kpframe.documents.cas import Cas
from kpframe.documents.jsonl import Columns as LineColumns
from kpframe.documents.jsonl import Jsonl
from kpframe.documents.table import Columns, TableReader
from kpframe.documents.text import Text
from kpframe.documents.text_and_keys import TextAndKeys
from kpframe.errors import DataError, KpframeError
from kpframe.files.archives import is_container, open_bytes, open_container, path_problems
from kpframe.files.container import Container, Folder, Member
from kpframe.files.decoding import beginning
from kpframe.files.keyed_texts import alike
from kpframe.files.kinds import KINDS, Kind, bare_name, kind_of_bytes, kind_of_file
from kpframe.files.layout import TEXT_COLUMNS, holds_text, layout_of, may_be_meant, refused
from kpframe.files.standard_input import standard_input
from kpframe.files.tables.nameless import columns_of_table
from kpframe.files.tables.opening import open_table
from kpframe.files.urls import is_file, is_folder, is_url
from kpframe.model import AUTO, Document, Skipped
from kpframe.stages import Reader

__all__ = ["Files"]

_STDIN = "standard input"


class Files(Reader):
    """Reads any files, folders and archives, one or several, each by the reader for what it is.

    Texts, Markdown, HTML, PDF and Word as `text` does; csv, tsv, json, parquet, xlsx as `table` does, and
    JSON lines too where columns are named, else as `jsonl` does; a folder, zip or tar as `text_and_keys`
    where texts have keys, else as what there is more of in it. A file that cannot be read is an error if it
    is the only thing that was asked for, and is skipped, with the reason, among others.
    """

    source: ClassVar[str] = "kpframe.files.kinds (first bytes of files)"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: Columns = Field(description="A file, a folder or an archive, or several; - is standard input.")
    text: Columns = Field((), description="Of tables: the column with the texts, or several.")
    id: str | None = Field(None, description="Of tables: the column with the ids.")
    gold: str | None = Field(None, description="Of tables: the column with the gold keyphrases.")
    keep: Columns = Field((), description="Of tables: columns that are kept as `metadata.row`.")
    unit: Literal["document", "line"] = Field(
        "document", description="Of plain texts: what a document is, a file or a line of it."
    )
    rows: bool = Field(
        False,
        description="Of JSON lines: whether a line without a text is a row whose text is missing, and so "
        "empty, as in all tables; false: it is skipped. A text that is null is always empty.",
    )
    with_keys: bool = Field(
        True,
        description="Of texts with .key files: whether these are read, as gold keyphrases; false: all texts "
        "are read, also several of one name, and no keys, nor gold keyphrases in JSON lines.",
    )
    encoding: Encoding = "utf-8"
    language: Language = "auto"
    _folder: str = PrivateAttr("")
    _whole_name: bool = PrivateAttr(False)

    def in_folder(self, folder: str, *, whole_name: bool = False) -> Self:
        """The same reader of a table or JSON lines, with a folder in the names of what has no id of its own.

        A part of a data set gets them so, whatever other parts there are; empty: no folder. `whole_name`:
        with the ending of the file in them, too, as another part differs from it in that alone.
        """
        made = self.model_copy()
        made._folder, made._whole_name = folder, whole_name
        return made

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Paths that are missing or cannot be read, and single files of a kind that is not read."""
        for path in self.path:
            if path != "-" and not is_folder(path):
                found = list(path_problems("path", path, folder=False))
                yield from found
                if (
                    not found
                    and len(self.path) == 1
                    and not _is_read(kind := kind_of_file(path, self.encoding).kind)
                ):
                    problem = refused(kind, path).problems[0]
                    yield "path", f"{path!r} {problem.problem}", problem.remedy
        yield from self._equal_beginnings()

    def read(self) -> Iterator[Document | Skipped]:
        """The documents of each path in turn."""
        yield from distinct(self._entries(), by_file=True)

    def _equal_beginnings(self) -> Iterator[tuple[str, str, str]]:
        """Tables that begin with the same id of their own: the ids of each count from the same number on."""
        first: dict[str, str] = {}
        tables = [path for path in self.path if path != "-" and not is_url(path) and is_file(path)]
        for path in tables if len(self.path) > 1 else ():
            if kind_of_file(path, self.encoding).kind.name not in ("csv", "tsv", "jsonl", "parquet", "xlsx"):
                continue
            id = self._first_id(path)
            if id and os.path.realpath(other := first.setdefault(id, path)) != os.path.realpath(path):
                remedy = "name a column that tells them apart by `id`, or read each by itself"
                yield "path", f"{path!r} begins with the id {id!r}, as {other!r} does", remedy

    def _first_id(self, path: str) -> str:
        """The id of the first document of a table, if the table says it; empty if nothing can be read."""
        try:
            with closing(self._of_path(path)) as entries:
                for entry in entries:
                    if not isinstance(entry, Skipped):
                        return "" if named_by_file(entry[0], entry[1].id) else entry[1].id
        except KpframeError:  # told by who reads it
            pass
        return ""

    def _entries(self) -> Iterator[Placed | Skipped]:
        said = languages_among(self.path, self.language)
        folders = {os.path.dirname(path): code for path, code in said.items()}
        alike = _alike([path for path in self.path if path not in said], self.encoding)
        for path in self.path:
            if path in said:
                continue
            language = folders.get(os.path.dirname(path), AUTO) if is_file(path) else AUTO
            reader = self if self.language != AUTO else self.model_copy(update={"language": language})
            try:
                yield from reader._of_path(path, os.path.basename(path) if path in alike else "")
            except KpframeError as error:
                if len(self.path) == 1:
                    raise
                yield because(path, error)

    def _of_path(self, path: str, name: str = "") -> Generator[Placed | Skipped]:
        """What is at a path; `name` begins the ids that are made, by default its own without an ending."""
        if path == "-":
            content = standard_input()
            kind = kind_of_bytes(content, encoding=self.encoding).kind
            if kind.name == "text" and content.lstrip().startswith(b'{"'):
                kind = KINDS["jsonl"]  # of which the only line is cut: no text begins so
            if kind.group == "archive":
                with open_bytes(content, _STDIN) as root:
                    yield from self._of_container(root)
            else:
                yield from self._of_file(_STDIN, kind, lambda: content)
        elif is_container(path):
            with open_container(path) as root:
                yield from self._of_container(root)
        elif not is_file(path):
            raise DataError.at(path, "does not exist", "correct the path")
        else:
            name = name or (os.path.basename(path) if self._whole_name else "")
            yield from self._of_file(path, kind_of_file(path, self.encoding).kind, None, name)

    def _of_file(
        self, place: str, kind: Kind, content: Callable[[], bytes] | None, name: str = ""
    ) -> Iterator[Placed | Skipped]:
        """One file; `content` gives its bytes where there is no path to it."""
        given = None if content is None else content()
        columns = self._columns_named
        if kind.name == "jsonl":
            yield from self._lines(place, given, name)
        elif kind.name == "xmi":
            yield from self._made(Cas, place).read_entries()
        elif kind.group == "table" or (kind.group == "text" and (columns or self._is_table(place, given))):
            yield from self._rows(place, given, name)
        elif not _is_read(kind):
            raise refused(kind, place)
        elif given is not None:
            stem = "stdin" if place == _STDIN else os.path.splitext(place)[0]
            yield from self._made(Text, place, unit=self.unit).documents(stem, place, given)
        else:
            yield from self._made(Text, place, unit=self.unit).read_entries(name)

    def _is_table(self, place: str, content: bytes | None) -> bool:
        """Whether a text that no name says to be one begins as a table. DataError for one without texts."""
        named = place != _STDIN and os.path.splitext(bare_name(place))[1]
        if named or self.unit != "document":
            return False
        head, whole = beginning(place if content is None else content, self.encoding)
        columns = columns_of_table(head, whole=whole)
        if columns and not any(name.casefold().strip() in TEXT_COLUMNS for name in columns):
            shown = ", ".join(map(repr, columns[:30]))
            remedy = (
                f"name the column with the texts by `text` ({shown}), or give it as .txt if it is no table"
            )
            raise DataError.at(place, "looks like a table, and has no column 'text'", remedy)
        return bool(columns)

    @property
    def _columns_named(self) -> bool:
        return bool(self.text or self.keep or self.id is not None or self.gold is not None)

    def _of_container(self, root: Container) -> Iterator[Placed | Skipped]:
        found = layout_of(root)
        if found.kind == "table" or (found.kind == "jsonl" and self._columns_named):
            yield from root.skipped
            several = alike(found.used)
            for member in found.used:
                name = member.name.rpartition("/")[2] if member.name in several else ""
                yield from self._table(root, member, name, lines=found.kind == "jsonl")
        elif found.kind == "text":
            yield from self._made(Text, root.place, unit=self.unit).entries(root)
            return  # it has told of the others
        elif found.kind == "jsonl":
            wanted = LineColumns(gold=self.with_keys)
            yield from self._made(Jsonl, root.place).entries(root, rows=self.rows, columns=wanted)
        elif found.kind == "text_and_keys":
            yield from self._made(TextAndKeys, root.place).entries(root, gold=self.with_keys)
        else:
            yield from self._made(Cas, root.place).entries(root)
        for member in found.others:
            # What `text_and_keys` has told of itself.
            told = may_be_meant(member) or (holds_text(member) and not self.with_keys)
            if found.kind != "text_and_keys" or not told:
                yield passed_over(root, member)

    def _table(
        self, root: Container, member: Member, name: str, *, lines: bool
    ) -> Iterator[Placed | Skipped]:
        try:
            content = None if isinstance(root, Folder) else root.read(member)
            place = str(member.handle) if content is None else member.place
            yield from (self._lines if lines else self._rows)(place, content, name)
        except KpframeError as error:
            yield because(member.place, error)

    def _lines(self, place: str, content: bytes | None, name: str) -> Iterator[Placed | Skipped]:
        """JSON lines; with the names of columns they are read as a table, unless their texts are known."""
        columns = LineColumns(gold=self.with_keys)
        if self._columns_named:
            if self.text or self.gold is not None or not self._have_known_texts(place, content):
                yield from self._rows(place, content, name)
                return
            columns = LineColumns(self.id, self.keep, self.with_keys)
        reader: Jsonl = self._made(Jsonl, place)
        yield from reader.lines(
            place, content, rows=self.rows, folder=self._folder, name=name, columns=columns
        )

    def _have_known_texts(self, place: str, content: bytes | None) -> bool:
        """Whether JSON lines have a key by which `jsonl` knows a text. DataError for columns they lack."""
        source = place if content is None else content
        with open_table(source, name=place, encoding=self.encoding, text_is_csv=True) as table:
            table.need([*filter(None, (self.id,)), *self.keep])
            return any(name.casefold().strip() in TEXTS for name in table.columns)

    def _rows(self, place: str, content: bytes | None, name: str) -> Iterator[Placed | Skipped]:
        columns = {"text": self.text, "id": self.id, "gold": self.gold, "keep": self.keep}
        reader: TableReader = self._made(TableReader, place, **columns)

        def rows() -> Iterator[Placed | Skipped]:
            return reader.entries(reader.opened(content, place), self._folder, name)

        yield from steady(place, rows) if content is None else rows()

    def _made(self, kind: type[Any], path: str, **parameters: Any) -> Any:
        """A reader with what all of them have, and what it has of its own."""
        common = {"path": path, "language": self.language}
        encoding = {"encoding": self.encoding} if "encoding" in kind.model_fields else {}
        return kind.model_validate({**common, **encoding, **parameters})


def _alike(paths: Sequence[str], encoding: str) -> frozenset[str]:
    """The paths of texts, or of tables, that differ from another one only in the endings of their names."""
    if len(paths) < 2:
        return frozenset()
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys(map(os.path.normpath, filter(_is_local_file, paths))):
        found.setdefault(os.path.splitext(bare_name(path))[0], []).append(path)
    several: set[str] = set()
    for group in found.values():
        kinds = [kind_of_file(path, encoding).kind for path in group if len(group) > 1]
        for groups in (("text", "document"), ("table",)):
            of_kind = [path for path, kind in zip(group, kinds, strict=False) if kind.group in groups]
            several.update(of_kind if len(of_kind) > 1 else ())
    return frozenset(path for path in paths if os.path.normpath(path) in several)


def _is_local_file(path: str) -> bool:
    return path != "-" and not is_url(path) and is_file(path)


def _is_read(kind: Kind) -> bool:
    return kind.group in ("text", "document", "table", "archive", "annotated")
