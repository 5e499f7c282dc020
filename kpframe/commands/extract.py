"""`kpframe extract`: keyphrases as lines, JSON or tables; on a terminal marked in their texts."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from kpframe.commands import _arguments, _operating, counted, tell
from kpframe.commands._effects import refuse_contradiction, refuse_without_effect
from kpframe.commands._extracting import Done, Options, Texts, extracted, tell_renamed
from kpframe.commands._inputs import PassedOver, refuse_own_input
from kpframe.commands._kept_columns import kept_columns
from kpframe.commands._partitions import extract_partitions, is_partitioned
from kpframe.errors import DataError, SpecError, nearest

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
    parser.add_argument("files", metavar="FILE", nargs="*", default=(), help="the same as --input FILE")
    parser.add_argument("--text", metavar="TEXT", help="the text itself (never taken for a file name)")
    parser.add_argument(
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
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write to a file, or a folder of partitions (DIR/), in place of standard output",
    )
    _arguments.workers(parser)
    _arguments.cluster(parser)
    _arguments.limit(parser)
    _operating.arguments(parser)


def execute(options: Options) -> int:
    """Extract keyphrases from a text, files or standard input, one result a document."""
    work = partial(_extract, options)
    return _operating.watched(work, metrics_file=options.metrics_file, out=options.out, quiet=options.quiet)


def _extract(options: Options) -> int:
    from kpframe.engine.pipeline import Pipeline
    from kpframe.engine.progress import Progress
    from kpframe.engine.settling import Languages
    from kpframe.engine.workforce import workforce

    for name, given in (("--column", options.columns), ("--id", (options.id,))):
        if "" in given:
            raise SpecError.at(name, "names no column", "give the name of one")
    inputs = _inputs(options)
    keep = kept_columns(options.keep, inputs, options.encoding)
    out = None if options.out == "-" else options.out
    options = replace(options, keep=keep, input=inputs, files=(), out=out)
    if is_partitioned(options):
        return extract_partitions(options)
    options = replace(options, format=_format(options), input=tuple(_found(options.input)))
    _refuse_without_effect(options)
    refuse_own_input(options.out, options.input)
    tell_renamed(options, [str(options.format)])
    pipeline = Pipeline.load(options.pipeline, settings=options.settings)
    texts, languages = Texts(options), Languages()
    on_screen = options.out is None and sys.stdout.isatty()  # where the results themselves are the progress
    progress, total = Progress(options.quiet or on_screen or options.text is not None), _total(options)
    with workforce(options.workers, options.cluster) as pool:
        done = extracted(
            pipeline,
            options,
            texts,
            pool,
            languages=languages,
            watch=lambda found: progress.count(found, "extracting", total),
        )
    if told := languages.told("--language CODE says it"):
        tell(told)
    _told(done, texts.left_out, options)
    return max(1 if done.failed else 0, texts.left_out.close(quiet=options.quiet))


def _inputs(options: Options) -> tuple[str, ...]:
    """The files, by option or without; SpecError unless there are some or else a text."""
    inputs = (*options.files, *options.input)
    if options.text is None and not inputs:
        raise SpecError.at("extract", "has no text", "name files or folders, - for standard input, or --text")
    if options.text is not None and inputs:
        raise SpecError.at("--text", f"stands beside {inputs[0]!r}", "give a text or files, not both")
    return inputs


def _found(inputs: Sequence[str]) -> Iterator[str]:
    """The inputs; a pattern, which no shell has made files of, is what it stands for."""
    from kpframe.files.urls import exists, is_url, matching

    for name in inputs:
        found = matching(name) if is_url(name) or (name != "-" and not exists(name)) else [name]
        if not found:
            raise DataError.at(f"--input {name}", "no file is called so", "correct the pattern")
        if found == [name] and " " in name and not (is_url(name) or exists(name)):
            raise DataError.at(repr(name), "is no file", "correct the path, or say --text for a text itself")
        yield from found


def _told(done: Done, left_out: PassedOver, options: Options) -> None:
    """The last line: what was written, or that there was nothing."""
    skipped = ""
    if left_out.count:
        first = left_out.first.removeprefix(f"{options.input[0]}:").strip()
        row = first != left_out.first and first.partition(":")[0].isdigit()
        skipped = f", {left_out.count:,} skipped ({'row ' if row else ''}{first})"
    if options.out is not None:
        failed = f", {done.failed:,} failed" if done.failed else ""
        counts = f"{counted(done.documents, 'document')}, {counted(done.keyphrases, 'keyphrase')}"
        textless = f" ({done.textless:,} without text)" if done.textless else ""
        tell(f"wrote {options.out}: {counts}, {done.empty:,} empty{textless}{failed}{skipped}")
    elif not done.documents:
        tell("the input holds no document")
    elif done.empty:
        tell(_without_keyphrases(done))


def _without_keyphrases(done: Done) -> str:
    """In how many documents there is none, and in how many of these there is not even a text."""
    if done.documents == 1:
        return "the text is empty" if done.textless else "no keyphrase in the text"
    has = "has" if done.textless == 1 else "have"
    textless = f"; {done.textless:,} of them {has} no text" if done.textless else ""
    return f"no keyphrase in {done.empty:,} of {counted(done.documents, 'document')}{textless}"


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
        if near := "" if known else nearest(ending, _ENDINGS):
            remedy = f"did you mean {near}?"
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
    refuse_contradiction(options.out, known, form, _ENDINGS)
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
    from kpframe.files.layout import is_named_as_text

    if options.text is not None:
        refuse_without_effect(options, (*_COLUMNS, "encoding", "limit"), "on --text")
    elif all(map(is_named_as_text, options.input)):
        refuse_without_effect(options, _COLUMNS, "on an input that is no table")
    if options.keep and options.format == "text":
        raise SpecError.at("--keep", "has no effect on text", "write a table, as --out k.csv")
