"""`kpframe extract`: keyphrases as lines, JSON or CSV; on a terminal marked in their texts."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kpframe.commands import _arguments, counted, has_colours, show_problems, tell
from kpframe.commands._effects import format_of, refuse_without_effect
from kpframe.commands._languages import SpokenDocuments
from kpframe.errors import DataError, Problem, SpecError

if TYPE_CHECKING:
    from kpframe.engine.pipeline import Extraction
    from kpframe.model import Document
    from kpframe.stages import Reader

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "extract keyphrases from texts"

FORMATS = ("text", "json", "jsonl", "csv", "tsv")
_ENDINGS = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".tsv": "tsv"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--text", metavar="TEXT", help="the text itself (never taken for a file name)")
    source.add_argument(
        "--input", metavar="FILE", help="a .txt, .jsonl or .csv file, a folder of .txt files, or - for stdin"
    )
    parser.add_argument("--pipeline", metavar="NAME", help="a shipped pipeline, a spec or a model file")
    _arguments.settings(parser)
    parser.add_argument("--top", type=_arguments.at_least_one, metavar="N", help="at most N (default: 10)")
    parser.add_argument("--format", choices=FORMATS, help="default: by the ending of --out, else text")
    _arguments.language(parser, "the language of texts that do not say it")
    parser.add_argument("--column", metavar="NAME", help="the text column of a .csv file (default: text)")
    parser.add_argument("--encoding", metavar="NAME", help="of the input files (default: utf-8)")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    _arguments.workers(parser)
    _arguments.limit(parser)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    text: str | None = None
    input: str | None = None
    pipeline: str = "textrank"
    settings: tuple[str, ...] = ()
    top: int = 10
    format: str | None = None
    language: str = "auto"
    column: str | None = None
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

    options = replace(options, format=format_of(options.out, options.format, _ENDINGS))
    _refuse_without_effect(options)
    pipeline = Pipeline.load(options.pipeline, settings=options.settings)
    languages = Languages()
    documents = SpokenDocuments(
        pipeline, lambda first: islice(_documents(options, told=first), options.limit)
    )
    found = pipeline.extract_many(documents, top=options.top, workers=options.workers, languages=languages)
    on_screen = options.out is None and sys.stdout.isatty()  # where the results themselves are the progress
    results = Progress(options.quiet or on_screen or options.text is not None).count(
        found, "extracting", _total(options)
    )
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
    if told := languages.told("--language CODE says it"):
        tell(told)
    if not count:
        tell("the input holds no document")
    elif without:
        where = "the text" if count == 1 else f"{without:,} of {counted(count, 'document')}"
        tell(f"no keyphrase in {where}")
    return 1 if failed else 0


def _total(options: Options) -> int | None:
    """How many documents there will be, where that is quickly known; blank or bad lines count too."""
    limit = options.limit
    if options.input is None:
        return 1
    path = Path(options.input)
    if options.input.endswith(".jsonl") and path.is_file():
        with path.open("rb") as file:
            total = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(2**20), b""))
    elif path.is_dir():
        total = sum(1 for _ in path.rglob("*.txt"))
    else:
        return limit
    return total if limit is None else min(total, limit)


def _refuse_without_effect(options: Options) -> None:
    if options.text is not None:
        refuse_without_effect(options, ("column", "encoding", "limit"), "on --text")
    elif not str(options.input).endswith((".csv", ".tsv")):
        refuse_without_effect(options, ("column",), "on an input that is no .csv or .tsv file")
    if str(options.input).endswith((".jsonl", ".jsonl.gz")):
        refuse_without_effect(options, ("encoding",), "on a .jsonl file, which is UTF-8")


def _documents(options: Options, *, told: bool) -> Iterator[Document]:
    """The documents; `told` says whether to tell what is passed over."""
    from kpframe.model import Document, Skipped

    if options.text is not None:
        yield Document("text", _utf8(options.text), options.language)
        return
    for item in _reader(options).read():
        if isinstance(item, Skipped):
            if told:
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


def _reader(options: Options) -> Reader:
    """The reader for an input, told by its name's ending."""
    from kpframe.spec.stages import make_stage
    from kpframe.stages import Reader

    path = str(options.input)
    common = {"path": path, "language": options.language}
    encoding = {} if options.encoding is None else {"encoding": options.encoding}
    if path.endswith((".jsonl", ".jsonl.gz")):
        kind, parameters = "jsonl", common
    elif path.endswith((".csv", ".tsv")):
        delimiter = "\t" if path.endswith(".tsv") else ","
        more = {"text": options.column or "text", "delimiter": delimiter, **encoding}
        kind, parameters = "csv", {**common, **more}
    else:
        kind, parameters = "text", {**common, **encoding}
    place = f"--input {path}"
    reader = make_stage("documents", {"kind": kind, **parameters}, place, Reader)  # type: ignore[type-abstract]
    found = reader.problems([options.language])
    problems = [Problem(place, problem, remedy) for _, problem, remedy in found]
    if problems:
        raise SpecError(problems)
    return reader


@contextmanager
def _output(out: str | None) -> Iterator[IO[str] | _Screen]:
    from kpframe.files.atomic import atomic_write

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


def _rendered(results: Iterator[Extraction], options: Options) -> Iterator[tuple[str, Extraction]]:
    """Each result as text in the wanted format, written as soon as it is there."""
    import csv
    import json

    single = options.text is not None
    if options.format == "text" and options.out is None and has_colours(sys.stdout):
        yield from _marked(results, single)
        return
    if options.format in ("csv", "tsv"):
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n", delimiter="," if options.format == "csv" else "\t")
        writer.writerow(["id", "rank", "text", "score", "key", "spans"])
    for number, result in enumerate(results):
        if options.format == "json":
            yield json.dumps(result.to_json(), ensure_ascii=False, indent=2) + "\n", result
        elif options.format == "jsonl":
            yield json.dumps(result.to_json(), ensure_ascii=False) + "\n", result
        elif options.format in ("csv", "tsv"):
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
