"""JSON lines: one document a line, the format in which kpframe itself keeps corpora."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar

from pydantic import Field, model_validator

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._given_tokens import tell_lists
from kpframe.documents._parameters import Encoding, Language
from kpframe.documents._passed_over import because, steady
from kpframe.documents._records import GOLD, document_of, has_text, record_of
from kpframe.errors import DataError, KpframeError, ResourceError
from kpframe.files.archives import is_container, open_container, path_problems
from kpframe.files.container import Container, Folder
from kpframe.files.decoding import numbered_lines
from kpframe.files.keyed_texts import alike
from kpframe.files.kinds import bare_name
from kpframe.files.resources import resource_path
from kpframe.files.tables.ids import id_of_cell
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["Columns", "Jsonl"]

_LOOKED_AT = 200
"""Lines in which a text is looked for, before a file is taken for one that has none."""
_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson")


@dataclass(frozen=True)
class Columns:
    """What is taken of lines: the column of the ids, those that are kept, and whether gold is wanted."""

    id: str | None = None
    keep: tuple[str, ...] = ()
    gold: bool = True

    def named(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record with its id under `id`, and what is kept as `row` in its metadata.

        ValueError for an id that is none.
        """
        made = {name: value for name, value in record.items() if self.gold or name not in GOLD}
        if self.id is not None:
            made["id"] = id_of_cell(_cell(record, self.id))
        if self.keep:
            own = record.get("metadata")
            row = {name: _cell(record, name) for name in self.keep}
            made["metadata"] = {**(own if isinstance(own, dict) else {}), "row": row}
        return made


_NO_COLUMNS = Columns()


def _cell(record: Mapping[str, Any], name: str) -> Any:
    """The value of a column; known keys stand in lower case there."""
    return record[name] if name in record else record.get(name.casefold().strip())


class Jsonl(Reader):
    """Reads .jsonl, packed or not, line by line; three layouts, told apart by their keys:

    - kpframe's own: `text`, and `id`, `language`, `title`, `metadata`, `gold` (a list of
      `{"variants": […], "source": "…"}`, of lists of variants, or of strings);
    - KP20k's: `title`, `abstract`, `keywords` (or `keyword` or `keyphrases`; a list, or one string
      parted by `;`);
    - Hugging Face's: `document` (tokens, which stay as they are), `extractive_keyphrases`,
      `abstractive_keyphrases`.

    Title and abstract are joined by a blank line, so that the title is a sentence of its own. A title
    at the beginning of the text gives `title_length`. A line without an id gets
    `<name of the file>-<line number>`; blank lines are ignored, malformed ones skipped. A text that is
    null is empty.
    """

    source: ClassVar[str] = "jsonlines.org; Meng et al. (2017), Deep keyphrase generation (KP20k)"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str | None = Field(
        None,
        description="A file, or a folder, zip or tar whose .jsonl files are read in natural order.",
    )
    resource: str | None = Field(
        None, description="In place of `path`: the name of a corpus that kpframe ships, as corpora/demo."
    )
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    @model_validator(mode="after")
    def _one_place(self) -> Jsonl:
        if (self.path is None) == (self.resource is None):
            raise ValueError("give either path or resource")
        return self

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing path or a resource that is not shipped."""
        if self.resource is not None:
            try:
                resource_path(self.resource)
            except ResourceError as error:
                for problem in error.problems:
                    yield "resource", f"{problem.place} {problem.problem}", problem.remedy
        elif self.path is not None and not is_container(self.path):
            yield from path_problems("path", self.path, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in the order of the lines."""
        path = self.path if self.path is not None else str(resource_path(self.resource or ""))
        yield from distinct(self._folder(path) if is_container(path) else self.lines(path), by_file=True)

    def _folder(self, path: str) -> Iterator[Placed | Skipped]:
        with open_container(path) as root:
            yield from self.entries(root)

    def entries(
        self, root: Container, *, rows: bool = False, columns: Columns = _NO_COLUMNS
    ) -> Iterator[Placed | Skipped]:
        """What an open folder or archive holds; `rows` and `columns` as for `lines`."""
        yield from root.skipped
        members = [member for member in root.members if member.name.lower().endswith(_SUFFIXES)]
        if not members:
            raise DataError.at(
                root.place, "holds no .jsonl file", "give a file or a folder with .jsonl files"
            )
        several = alike(members)
        for member in members:
            name = member.name.rpartition("/")[2] if member.name in several else ""
            try:
                content = None if isinstance(root, Folder) else root.read(member)
                yield from self.lines(str(member.place), content, rows=rows, name=name, columns=columns)
            except KpframeError as error:
                yield because(member.place, error)

    def lines(
        self,
        path: str,
        content: bytes | None = None,
        *,
        rows: bool = False,
        folder: str = "",
        name: str = "",
        columns: Columns = _NO_COLUMNS,
    ) -> Iterator[Placed | Skipped]:
        """The documents of one file; `content` are its bytes, if it lies in an archive.

        `rows`: a line without a text has an empty one, if others of the file have texts. `folder` stands
        before the names of lines without an id, which begin with the `name` of the file, by default without
        its ending. `columns`: what is taken of lines.
        """
        begin = name or _stem(path)
        begin = f"{folder}/{begin}" if folder else begin
        if content is None:
            yield from steady(path, lambda: self._lines(path, None, begin, columns, rows=rows))
        else:
            yield from self._lines(path, content, begin, columns, rows=rows)

    def _lines(
        self, path: str, content: bytes | None, stem: str, columns: Columns, *, rows: bool
    ) -> Iterator[Placed | Skipped]:
        numbered = numbered_lines(path, self.encoding, content=content)
        records = ((number, _record(line)) for number, line in numbered if line.strip())
        first: list[tuple[int, dict[str, Any] | str]] = []
        if rows:
            for one in islice(records, _LOOKED_AT):
                first.append(one)
                if rows := isinstance(one[1], dict) and has_text(one[1]):
                    break
        for number, record in chain(first, records):
            yield self._entry(f"{path}:{number}", record, f"{stem}-{number}", columns, rows=rows)

    def _entry(
        self, place: str, record: dict[str, Any] | str, name: str, columns: Columns, *, rows: bool
    ) -> Placed | Skipped:
        if isinstance(record, str):
            return Skipped(place, record)
        try:
            document = document_of(columns.named(record), name, self.language, rows=rows)
        except ValueError as error:
            return Skipped(place, str(error))
        if isinstance(record.get("text"), list):
            tell_lists("text")
        return place, document


def _stem(path: str) -> str:
    name = os.path.basename(bare_name(path))
    return name[: -len(".jsonl")] if name.lower().endswith(".jsonl") else name


def _record(line: str) -> dict[str, Any] | str:
    """The object on a line; in place of what is none, the reason."""
    try:
        return record_of(line.strip())
    except ValueError as error:
        return str(error)
