"""`kpframe extract`: keyphrases as lines, JSON or tables; on a terminal marked in their texts."""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.commands import _arguments, counted, show_problems, tell
from kpframe.commands._effects import refuse_without_effect
from kpframe.commands._inputs import PassedOver, files_reader, utf8
from kpframe.commands._languages import SpokenDocuments
from kpframe.errors import Problem, SpecError

if TYPE_CHECKING:
    from kpframe.engine.pipeline import Extraction
    from kpframe.model import Document
    from kpframe.stages import Reader

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "extract keyphrases from texts"

FORMATS = ("text", "json", "jsonl", "csv", "tsv", "parquet", "xlsx")
_ENDINGS = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv",
            ".tsv": "tsv", ".parquet": "parquet", ".xlsx": "xlsx"}  # fmt: skip
_BINARY = ("parquet", "xlsx")
_TABLES = ("csv", "tsv", *_BINARY)
_COLUMNS = ("columns", "id", "keep")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--text", metavar="TEXT", help="the text itself (never taken for a file name)")
    source.add_argument(
        "--input",
        metavar="FILE",
        nargs="+",
        action="extend",
        help="texts, PDF, Word, HTML, tables (csv, jsonl, parquet, xlsx …), folders, zips; - is stdin",
    )
    parser.add_argument(
        "--pipeline", metavar="NAME", help="a shipped pipeline, a spec or a model file (default: by-length)"
    )
    _arguments.settings(parser)
    parser.add_argument("--top", type=_arguments.at_least_one, metavar="N", help="at most N (default: 10)")
    parser.add_argument("--format", choices=FORMATS, help="default: by the ending of --out, else text")
    _arguments.language(parser, "the language of texts that do not say it")
    _arguments.columns(parser)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--long", action="store_true", help="tables and JSON: a row a keyphrase")
    shape.add_argument("--wide", action="store_true", help="tables and JSON: a row a document")
    parser.add_argument("--encoding", metavar="NAME", help="of the input files (default: utf-8)")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    _arguments.workers(parser)
    _arguments.limit(parser)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    text: str | None = None
    input: tuple[str, ...] = ()
    pipeline: str = "by-length"
    settings: tuple[str, ...] = ()
    top: int = 10
    format: str | None = None
    language: str = "auto"
    columns: tuple[str, ...] = ()
    id: str | None = None
    keep: tuple[str, ...] = ()
    long: bool = False
    wide: bool = False
    encoding: str | None = None
    out: str | None = None
    workers: int = 1
    limit: int | None = None
    quiet: bool = False


def execute(options: Options) -> int:
    """Extract keyphrases from a text, files or standard input, one result a document."""
    from kpframe.engine.pipeline import Pipeline
    from kpframe.engine.progress import Progress
    from kpframe.engine.settling import Languages

    keep = tuple(name for given in options.keep for name in given.split(",") if name)
    options = replace(options, format=_format(options), keep=keep)
    _refuse_without_effect(options)
    pipeline = Pipeline.load(options.pipeline, settings=options.settings)
    texts, languages = _Texts(options), Languages()
    documents = SpokenDocuments(pipeline, lambda first: islice(texts.documents(first), options.limit))
    found = pipeline.extract_many(documents, top=options.top, workers=options.workers, languages=languages)
    on_screen = options.out is None and sys.stdout.isatty()  # where the results themselves are the progress
    results = Progress(options.quiet or on_screen or options.text is not None).count(
        found, "extracting", _total(options)
    )
    done = _written(results, texts, options)
    if told := languages.told("--language CODE says it"):
        tell(told)
    _told(done, texts.left_out, options)
    return max(1 if done.failed else 0, texts.left_out.close(quiet=options.quiet))


@dataclass
class _Done:
    """What was written."""

    documents: int = 0
    keyphrases: int = 0
    empty: int = 0
    failed: int = 0

    def count(self, result: Extraction) -> None:
        self.documents += 1
        self.keyphrases += len(result)
        self.empty += not result and result.error is None
        if result.error is not None:
            self.failed += 1
            named = result.error.startswith("document ")
            show_problems([Problem("" if named else f"document {result.id!r}", result.error)])


def _written(results: Iterator[Extraction], texts: _Texts, options: Options) -> _Done:
    from kpframe.commands._keyphrase_files import opened_sink
    from kpframe.display.keyphrase_rows import KeyphraseRows

    form, done = str(options.format), _Done()
    as_rows = form in ("json", "jsonl") and (options.long or options.wide)
    lists = form in ("parquet", "json", "jsonl")
    rows = KeyphraseRows(options.keep, wide=options.wide, top=options.top if not lists else 0)
    single = options.text is not None
    kept_types = dict(zip(rows.kept, map(texts.types.get, options.keep), strict=True))
    types = {name: kind for name, kind in kept_types.items() if kind is not None}
    with opened_sink(form, options.out, rows, types, single=single, as_rows=as_rows) as sink:
        for result in results:
            sink.add(result, texts.kept.popleft())
            done.count(result)
    return done


def _told(done: _Done, left_out: PassedOver, options: Options) -> None:
    """The last line: what was written, or that there was nothing."""
    skipped = ""
    if left_out.count:
        first = left_out.first.removeprefix(f"{options.input[0]}:")
        row = first != left_out.first and first.partition(":")[0].isdigit()
        skipped = f", {left_out.count:,} skipped ({'row ' if row else ''}{first})"
    if options.out is not None:
        failed = f", {done.failed:,} failed" if done.failed else ""
        counts = f"{counted(done.documents, 'document')}, {counted(done.keyphrases, 'keyphrase')}"
        tell(f"wrote {options.out}: {counts}, {done.empty:,} empty{failed}{skipped}")
    elif not done.documents:
        tell("the input holds no document")
    elif done.empty:
        where = f"{done.empty:,} of {counted(done.documents, 'document')}"
        tell(f"no keyphrase in {'the text' if done.documents == 1 else where}")


def _format(options: Options) -> str:
    """The format that was asked for, or that of the ending of --out. SpecError before anything is done."""
    from kpframe.files.kinds import bare_name
    from kpframe.files.urls import is_url

    out = (options.out or "").partition("?")[0] if is_url(options.out) else options.out or ""
    ending = os.path.splitext(bare_name(out))[1].lower()
    known = _ENDINGS.get(ending)
    packed = bare_name(out) != out
    given = options.format
    if (given is None and ending and known is None) or (packed and known in _BINARY):
        remedy = f"end it with {', '.join(_ENDINGS)} (text may be packed, as .csv.gz), or say --format"
        shown = Path(str(options.out)).suffix
        raise SpecError.at(f"--out {options.out}", f"{shown} is no format that can be written", remedy)
    if packed and not out.endswith((".gz", ".zst")):
        raise SpecError.at(f"--out {options.out}", "is not packed so", "end it with .gz or .zst")
    if given is not None and given != known and (given in _BINARY or known in _BINARY):
        remedy = f"end it with .{given}" if given in _BINARY else f"leave out --format {given}"
        raise SpecError.at(f"--out {options.out or ''}".strip(), f"is no file for {given}", remedy)
    form = given or known or "text"
    if form == "text" and (options.wide or options.long):
        raise SpecError.at(
            "--wide" if options.wide else "--long", "has no effect on text", "say --format csv"
        )
    if form in _TABLES and given is not None and known not in (given, None) and options.out is not None:
        raise SpecError.at(f"--out {options.out}", f"is no file for {given}", f"end it with .{given}")
    return form


def _total(options: Options) -> int | None:
    """How many documents there will be, where that is quickly known; blank or bad lines count too."""
    limit = options.limit
    if not options.input:
        return 1
    path = Path(options.input[0])
    if len(options.input) > 1:
        return limit
    if options.input[0].endswith(".jsonl") and path.is_file():
        with path.open("rb") as file:
            total = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(2**20), b""))
    elif path.is_dir():
        total = sum(1 for _ in path.rglob("*.txt"))
    else:
        return limit
    return total if limit is None else min(total, limit)


def _refuse_without_effect(options: Options) -> None:
    if options.text is not None:
        refuse_without_effect(options, (*_COLUMNS, "encoding", "limit"), "on --text")
    elif all(path.lower().endswith((".txt", ".md", ".html", ".pdf", ".docx")) for path in options.input):
        refuse_without_effect(options, _COLUMNS, "on an input that is no table")
    if all(path.endswith((".jsonl", ".jsonl.gz")) for path in options.input) and options.input:
        refuse_without_effect(options, ("encoding",), "on a .jsonl file, which is UTF-8")
    if options.keep and options.format == "text":
        raise SpecError.at("--keep", "has no effect on text", "write a table, as --out k.csv")


@dataclass
class _Texts:
    """The documents; `kept` has, in their order, what is to be written beside those under way."""

    options: Options
    left_out: PassedOver = field(default_factory=PassedOver)
    kept: deque[Mapping[str, Any]] = field(default_factory=deque)
    types: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._reader = None if self.options.text is not None else _reader(self.options)
        if self.options.keep and len(self.options.input) == 1 and self.options.format == "parquet":
            self.types = _types(self.options.input[0])

    def documents(self, first: bool) -> Iterator[Document]:
        """The text that was given, or what is read; what is kept and left out is noted the `first` time."""
        from kpframe.model import Document

        if self._reader is None:
            given = [Document("text", utf8(self.options.text or ""), self.options.language)]
            documents: Iterator[Document] = iter(given)
        elif first:
            documents = self.left_out.documents(self._reader.read())
        else:  # standard input is gone by then
            again = () if "-" in self.options.input else self._reader.read()
            documents = (found for found in again if isinstance(found, Document))
        for document in documents:
            if not first:
                yield document
                continue
            row = document.metadata.get("row", {}) if self.options.keep else {}
            self.kept.append({name: row.get(name) for name in self.options.keep})
            yield document


def _types(path: str) -> Mapping[str, Any]:
    """The Arrow types of the columns of a Parquet file; none for any other."""
    from kpframe.files.kinds import kind_of_file
    from kpframe.files.tables.opening import open_table
    from kpframe.files.urls import is_file

    if not is_file(path) or kind_of_file(path).kind.name != "parquet":
        return {}
    with open_table(path) as table:
        return table.types


def _reader(options: Options) -> Reader:
    """The reader for the inputs."""
    return files_reader(
        options.input,
        f"--input {' '.join(options.input)}",
        language=options.language,
        encoding=options.encoding,
        text=options.columns,
        id=options.id,
        keep=options.keep,
    )
