"""`kpframe extract`: keyphrases as lines, JSON or CSV; on a terminal marked in their texts."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from kpframe.commands import counted, has_colours, show_problems, tell
from kpframe.engine.pipeline import Extraction, Pipeline
from kpframe.engine.progress import Progress
from kpframe.errors import DataError, Problem, SpecError
from kpframe.files.atomic import atomic_write
from kpframe.model import Document, Skipped
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Positions
from kpframe.stages import Reader

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Extract keyphrases from a text, files or standard input, one result a document."""
    pipeline = Pipeline.load(options.pipeline, settings=options.settings)
    options.format = options.format or _format_of(options.out)
    _check_language(pipeline, options.language)
    documents = islice(_documents(options), options.limit)
    found = pipeline.extract_many(documents, top=options.top, workers=options.workers)
    on_screen = options.out is None and sys.stdout.isatty()  # where the results themselves are the progress
    results = Progress(options.quiet or on_screen).count(found, "extracting", _total(options))
    failed = count = without = 0
    several = options.format == "json" and options.text is None
    with _output(options.out) as file:
        for text, result in _rendered(results, options):
            if several:
                file.write(",\n" if count else "[\n")
                text = text.rstrip("\n")
            file.write(text)
            count += 1
            without += not result and result.error is None
            if result.error is not None:
                failed += 1
                named = result.error.startswith("document ")
                show_problems([Problem("" if named else f"document {result.id!r}", result.error)])
        if several:
            file.write("\n]\n" if count else "[]\n")
    if not count:
        tell("the input holds no document")
    elif without:
        where = "the text" if count == 1 else f"{without:,} of {counted(count, 'document')}"
        tell(f"no keyphrase in {where}")
    return 1 if failed else 0


def _total(options: Any) -> int | None:
    """How many documents there will be, where that is quickly known; blank or bad lines count too."""
    limit: int | None = options.limit
    path = Path(str(options.input))
    if options.text is not None:
        total = 1
    elif options.input.endswith(".jsonl") and path.is_file():
        with path.open("rb") as file:
            total = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(2**20), b""))
    elif path.is_dir():
        total = sum(1 for _ in path.rglob("*.txt"))
    else:
        return limit
    return total if limit is None else min(total, limit)


def _format_of(out: str | None) -> str:
    ending = str(out or "").rsplit(".", 1)[-1]
    return ending if ending in ("json", "jsonl", "csv") else "text"


def _check_language(pipeline: Pipeline, language: str) -> None:
    """A language without a model is wrong input, not the failure of every document."""
    found = [problem for step in pipeline.preprocessing.annotators for problem in step.problems([language])]
    problems = [Problem(f"--language {language}", problem, remedy) for _, problem, remedy in found]
    if problems:
        raise SpecError(list(dict.fromkeys(problems)))


def _documents(options: Any) -> Iterator[Document]:
    if options.text is not None:
        yield Document("text", _utf8(options.text), options.language)
        return
    for item in _reader(options).read():
        if isinstance(item, Skipped):
            tell(f"skipped: {item.place}: {item.reason}")
        else:
            yield item


def _utf8(text: str) -> str:
    """A text from the command line; Python hands over bytes that are no UTF-8 as lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"is not valid UTF-8 at character {error.start}"
        raise DataError.at("--text", problem, "convert it, or use --input FILE with --encoding") from None
    return text


def _reader(options: Any) -> Reader:
    """The reader for an input, told by its name's ending."""
    path = str(options.input)
    common = {"path": path, "language": options.language}
    if path.endswith((".jsonl", ".jsonl.gz")):
        kind, parameters = "jsonl", common
    elif path.endswith((".csv", ".tsv")):
        delimiter = "\t" if path.endswith(".tsv") else ","
        more = {"text": options.column, "delimiter": delimiter, "encoding": options.encoding}
        kind, parameters = "csv", {**common, **more}
    else:
        kind, parameters = "text", {**common, "encoding": options.encoding}
    place = f"--input {path}"
    builder = StageBuilder(Positions(fallback=place))
    reader = builder.stage("documents", {"kind": kind, **parameters}, (), Reader)  # type: ignore[type-abstract]
    if reader is None:
        raise SpecError(builder.problems)
    found = reader.problems([options.language])
    problems = [Problem(place, problem, remedy) for _, problem, remedy in found]
    if problems:
        raise SpecError(problems)
    return reader


@contextmanager
def _output(out: str | None) -> Iterator[IO[str] | _Screen]:
    if out is None:
        yield _Screen(sys.stdout) if sys.stdout.isatty() else sys.stdout
        return
    with atomic_write(Path(out)) as binary:
        file = io.TextIOWrapper(binary, encoding="utf-8", newline="")
        yield file
        file.flush()
        file.detach()


class _Screen(io.TextIOBase):
    """A terminal that no text can steer: only our own colours reach it."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        from kpframe.display.marks import harmless

        return self._stream.write(text if isinstance(text, _Marked) else harmless(text))


class _Marked(str):
    """Text with colours, in which nothing can do harm any more."""


def _marked(results: Iterator[Extraction], single: bool) -> Iterator[tuple[str, Extraction]]:
    from rich.console import Console

    from kpframe.display.terminal import marked

    for number, result in enumerate(results):
        screen = Console(markup=False, highlight=False, emoji=False)  # anew: the window may be resized
        shown = marked(result.text, result, screen, "" if single else result.id)
        yield _Marked(("\n" if number else "") + shown), result


def _rendered(results: Iterator[Extraction], options: Any) -> Iterator[tuple[str, Extraction]]:
    """Each result as text in the wanted format, written as soon as it is there."""
    single = options.text is not None
    if options.format == "text" and options.out is None and has_colours(sys.stdout):
        yield from _marked(results, single)
        return
    if options.format == "csv":
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(["id", "rank", "text", "score", "key", "spans"])
    for number, result in enumerate(results):
        if options.format == "json":
            yield json.dumps(result.to_json(), ensure_ascii=False, indent=2) + "\n", result
        elif options.format == "jsonl":
            yield json.dumps(result.to_json(), ensure_ascii=False) + "\n", result
        elif options.format == "csv":
            for k in result:
                spans = " ".join(f"{begin}-{end}" for begin, end in k.spans)
                writer.writerow([result.id, k.rank, k.text, repr(k.score), k.key, spans])
            yield buffer.getvalue(), result
            buffer.seek(0)
            buffer.truncate()
        else:
            gap = "\n" if number else ""
            heading = "" if single else f"{gap}# {result.id}\n"
            yield heading + "".join(f"{k.score:.4f}  {k.text}\n" for k in result), result
