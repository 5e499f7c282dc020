"""Keyphrases of one input into one output: what a whole extraction and each of its partitions do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from kpframe.commands import show_problems, tell
from kpframe.commands._inputs import PassedOver, files_reader, utf8
from kpframe.commands._languages import SpokenDocuments
from kpframe.errors import Problem

if TYPE_CHECKING:
    from kpframe.display.keyphrase_rows import KeyphraseRows
    from kpframe.engine.executors import Executor
    from kpframe.engine.extraction import Extraction
    from kpframe.engine.pipeline import Pipeline
    from kpframe.engine.settling import Languages
    from kpframe.model import Document
    from kpframe.stages import Reader

__all__ = ["Done", "Options", "Texts", "extracted", "tell_renamed"]


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    text: str | None = None
    files: tuple[str, ...] = ()
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
    cluster: str | None = None
    limit: int | None = None
    log_json: bool = False
    metrics_file: str | None = None
    quiet: bool = False


@dataclass
class Done:
    """What was written; `empty` are documents without a keyphrase, `textless` those without a text."""

    documents: int = 0
    keyphrases: int = 0
    empty: int = 0
    textless: int = 0
    failed: int = 0
    show: Callable[[list[Problem]], None] = show_problems

    def count(self, result: Extraction) -> None:
        """Count one result; that of a document that failed is shown."""
        self.documents += 1
        self.keyphrases += len(result)
        self.empty += not result and result.error is None
        self.textless += not result and result.error is None and not result.text.strip()
        if result.error is not None:
            self.failed += 1
            named = result.error.startswith("document ")
            self.show([Problem("" if named else f"document {result.id!r}", result.error)])


Watch = Callable[["Iterator[Extraction]"], "Iterator[Extraction]"]


def extracted(
    pipeline: Pipeline,
    options: Options,
    texts: Texts,
    pool: Executor,
    *,
    languages: Languages | None = None,
    watch: Watch = iter,
    done: Done | None = None,
) -> Done:
    """Read the texts, extract their keyphrases and write them; `watch` sees the results pass."""
    documents = SpokenDocuments(pipeline, lambda first: islice(texts.documents(first), options.limit))
    found = pipeline.extract_many(documents, top=options.top, pool=pool, languages=languages)
    return _written(watch(found), texts, options, done or Done())


def _written(results: Iterator[Extraction], texts: Texts, options: Options, done: Done) -> Done:
    from kpframe.commands._keyphrase_files import opened_sink

    form = str(options.format)
    as_rows = form in ("json", "jsonl") and (options.long or options.wide)
    rows = _rows(options, form)
    single = options.text is not None
    kept_types = dict(zip(rows.kept, map(texts.types.get, options.keep), strict=True))
    types = {name: kind for name, kind in kept_types.items() if kind is not None}
    with opened_sink(form, options.out, rows, types, single=single, as_rows=as_rows) as sink:
        for result in results:
            sink.add(result, texts.kept.popleft())
            done.count(result)
    return done


def _rows(options: Options, form: str) -> KeyphraseRows:
    """The layout of the results in a format."""
    from kpframe.display.keyphrase_rows import KeyphraseRows

    objects = form in ("json", "jsonl") and not (options.long or options.wide)
    top = 0 if form in ("parquet", "json", "jsonl") else options.top
    return KeyphraseRows(options.keep, wide=options.wide, top=top, objects=objects)


def tell_renamed(options: Options, forms: Iterable[str]) -> None:
    """Tell once which kept columns get other names, in one of the formats that are written."""
    names = {
        name: kept
        for form in dict.fromkeys(forms)
        for name, kept in zip(options.keep, _rows(options, form).kept, strict=True)
        if name != kept
    }
    if names:
        shown = ", ".join(f"{name!r} is {kept!r}" for name, kept in names.items())
        tell(f"kept columns that have other names, since the results use theirs: {shown}")


@dataclass
class Texts:
    """The documents; `kept` has, in their order, what is to be written beside those under way.

    `folder` stands before the names of those that have no id of their own, and with `whole_name` the ending
    of their file is in them.
    """

    options: Options
    left_out: PassedOver = field(default_factory=PassedOver)
    kept: deque[Mapping[str, Any]] = field(default_factory=deque)
    types: Mapping[str, Any] = field(default_factory=dict)
    folder: str = ""
    whole_name: bool = False

    def __post_init__(self) -> None:
        self._reader = None
        if self.options.text is None:
            self._reader = _reader(self.options).in_folder(self.folder, whole_name=self.whole_name)
        if self.options.keep and self.options.format == "parquet":
            self.types = _types(self.options.input, self.options.keep)

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
            missing = dict.fromkeys(self.options.keep)  # as of texts beside the tables in a folder
            self.kept.append(document.metadata.get("row", missing))
            yield document


def _types(inputs: Sequence[str], kept: Sequence[str]) -> Mapping[str, Any]:
    """The Arrow types of columns of Parquet files, wide enough for all of them; none where one is another.

    DataError where two files have a column of types that no type is wide enough for.
    """
    from kpframe.files.kinds import kind_of_file
    from kpframe.files.partitions import tables_of
    from kpframe.files.tables.opening import open_table
    from kpframe.files.tables.parquet import common_types
    from kpframe.files.urls import is_file

    found: dict[str, Mapping[str, Any]] = {}
    for path in [path for pattern in inputs for _, path in tables_of(pattern)]:
        if not is_file(path) or kind_of_file(path).kind.name != "parquet":
            return {}
        with open_table(path) as table:
            found[path] = {name: table.types[name] for name in kept if name in table.types}
    return common_types(found) if found else {}


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
        rows=True,
        with_keys=False,
    )
