"""`kpframe recommend DOCUMENTS…`: which pipeline suits these texts?"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.commands import LeftOut, _arguments, counted, tell
from kpframe.commands._effects import refuse_without_effect
from kpframe.errors import DataError, suggestion

if TYPE_CHECKING:
    from kpframe.analysis.known_results import Known
    from kpframe.analysis.recommendation import Measured, Row
    from kpframe.model import Document
    from kpframe.stages import Reader

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "which of the shipped pipelines suits these texts, measured if they have gold keyphrases"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument(
        "documents",
        nargs="+",
        metavar="DOCUMENTS",
        help="a folder or file of texts, a spec whose documents are meant, or a corpus as in `data list`",
    )
    parser.add_argument("--out", metavar="DIR", help="folder of runs and specs (default: runs/recommend)")
    parser.add_argument("--column", metavar="NAME", help="what counts, as f1@5/exact (default: f1@10/exact)")
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "json"),
        help="markdown: one table of all DOCUMENTS (default: text)",
    )
    parser.add_argument("--no-times", action="store_true", help="do not take the time of each pipeline")
    _arguments.data(parser)
    _arguments.workers(parser)
    _arguments.limit(parser)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    documents: tuple[str, ...]
    out: str = "runs/recommend"
    column: str | None = None
    format: str = "text"
    no_times: bool = False
    data: str | None = None
    workers: int = 1
    limit: int | None = None
    quiet: bool = False


def execute(options: Options) -> int:
    """Measure all pipelines where there is gold, and tell what is known where there is none.

    The status is 1 where something was left out: skipped, failed, or without gold that could be found.
    """
    import json

    from kpframe.analysis.known_results import record
    from kpframe.analysis.recommendation import check_column
    from kpframe.commands._recommended import as_markdown, as_text

    if options.column is not None:
        check_column(options.column)
    found: list[Measured] = []
    left = LeftOut(quiet=options.quiet)
    for number, source in enumerate(dict.fromkeys(options.documents)):
        reader = _reader(source, options.data)
        documents = list(islice(_documents(reader, left), options.limit))
        if not any(document.text.strip() for document in documents):
            raise DataError.at(source, "holds no text", "give texts")
        if number and options.format == "text":
            print()
        if not any(document.gold for document in documents):
            _tell_known(source, reader, documents, options)
            continue
        measured = _measured(source, reader, documents, options)
        if options.format == "text":
            print("\n".join(as_text(measured)))
        if measured.empty or not measured.complete:
            left.status = 1
        if measured.empty:
            _tell_other_texts(source, reader, documents, options)
            continue
        found.append(measured)
        _write_measured(measured, reader, left, options)
    if options.format == "markdown":
        sys.stdout.write(as_markdown(found))
    elif options.format == "json":
        print(json.dumps([record(one) for one in found], indent=1, ensure_ascii=False))
    return left.status


def _write_measured(measured: Measured, reader: Reader, left: LeftOut, options: Options) -> None:
    """What lies in the folder: all that was compared, and the spec to go on with."""
    from kpframe.commands._compared import left_out, write_compared
    from kpframe.commands._recommended import as_text, choice

    chosen, reason = choice(measured)
    why, by_rules = _why(measured, chosen, reason), bool(measured.without_model)
    _write(measured.folder, chosen.pipeline, reader, chosen.needs, why, by_rules=by_rules)
    if options.format != "text":  # there it stands below the table
        for line in left_out(measured):
            left.tell(f"{measured.name}: {line}")
    for line in write_compared(measured, as_text(measured)):
        tell(line)


def _measured(source: str, reader: Reader, documents: list[Document], options: Options) -> Measured:
    from kpframe.analysis.recommendation import COLUMN, measured
    from kpframe.htmlreport.writing import write_page

    return measured(
        source,
        documents,
        _spec_of(reader),
        _folder(source, options),
        column=options.column or COLUMN,
        workers=options.workers,
        quiet=options.quiet,
        timed=not options.no_times,
        page=write_page,
    )


def _why(measured: Measured, chosen: Row, reason: str) -> str:
    score = chosen.scores[measured.column] or 0.0
    documents = counted(measured.documents, "document")
    number = len(measured.rows)
    if measured.undecided:
        alike = 1 + len(measured.alike)
        return f"kpframe recommend: {documents} cannot tell {alike} of {number} pipelines apart; {reason}"
    return f"kpframe recommend: the best of {number} pipelines on {documents}, {measured.column} {score:.3f}"


def _tell_known(source: str, reader: Reader, documents: list[Document], options: Options) -> None:
    from kpframe.analysis.known_results import known
    from kpframe.commands._recommended import known_text
    from kpframe.engine.settling import most_spoken

    if options.format != "text":
        raise DataError.at(source, "has no gold keyphrases to measure by", "leave --format out")
    refuse_without_effect(options, ("column",), "on texts without gold keyphrases")
    found, language = known(_lengths(documents)), most_spoken(documents)
    print("\n".join(known_text(source, len(documents), language, found)))
    _write_known(source, reader, found, language, options)


def _tell_other_texts(source: str, reader: Reader, documents: list[Document], options: Options) -> None:
    """What is known of texts like these, where their gold was of no use."""
    from kpframe.analysis.known_results import known
    from kpframe.commands._recommended import known_lines
    from kpframe.engine.settling import most_spoken

    if options.format != "text":
        problem = "has no gold keyphrase that stands in its text, and nothing else can be measured by"
        raise DataError.at(source, problem, "give gold that is in the texts, or leave --format out")
    found, language = known(_lengths(documents)), most_spoken(documents)
    print("\n".join(known_lines(language, found)))
    _write_known(source, reader, found, language, options)


def _lengths(documents: list[Document]) -> list[int]:
    return [len(document.text.split()) for document in documents]


def _write_known(source: str, reader: Reader, found: Known, language: str, options: Options) -> None:
    from kpframe.analysis.without_model import BY_RULES, has_model

    best = found.pipelines[0]
    why = f"kpframe recommend: the best on {', '.join(found.corpora)}; nothing was measured on these texts"
    if has_model(language):
        _write(_folder(source, options), best.pipeline, reader, best.needs, why)
    else:
        why = f"kpframe recommend: needs no model of a language, and there is none for {language!r}"
        _write(_folder(source, options), BY_RULES, reader, (), why)


def _write(
    folder: Path, pipeline: str, reader: Reader, needs: tuple[str, ...], why: str, *, by_rules: bool = False
) -> None:
    """The ready spec; it is ours, so that it may be replaced."""
    from kpframe.commands._recommended import ready_spec
    from kpframe.files.atomic import write_text

    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "recommended.yaml"
    write_text(file, ready_spec(pipeline, _spec_of(reader), needs, why, str(file), by_rules=by_rules))
    tell(f"a spec to use it: {file}")


def _folder(source: str, options: Options) -> Path:
    name = re.sub(r"[^\w-]+", "-", Path(source).name).strip("-_") or "texts"
    return Path(options.out) / name


def _reader(source: str, data: str | None) -> Reader:
    """The reader of a corpus, of a spec's documents, or of what lies at a path; in this order."""
    from kpframe.analysis.catalogue import known_corpora
    from kpframe.files.resources import shipped_specs
    from kpframe.spec import load_spec

    known = {corpus.name: corpus for corpus in known_corpora(data)}
    if source in known:
        reader = known[source].reader
        if reader is None:
            raise DataError.at(f"corpus {source!r}", known[source].missing, "give its folder by --data DIR")
        return reader
    if source.endswith((".yaml", ".yml")) or (source in shipped_specs() and not Path(source).exists()):
        spec = load_spec(source, data=data, purpose="check")
        if spec.reader is None:
            raise DataError.at(source, "names no documents", "give a spec with `documents:`, or the texts")
        return spec.reader
    if not Path(source).exists():
        remedy = suggestion(
            source, [*known, *shipped_specs()], "give a folder or file, a spec, or one of", listed=known
        )
        raise DataError.at(source, "is no corpus, no spec and no path", remedy)
    return _reader_of_path(Path(source))


def _reader_of_path(path: Path) -> Reader:
    from kpframe.commands._survey import layout_of
    from kpframe.spec.stages import make_stage
    from kpframe.stages import Reader

    layout = layout_of(str(path))
    value = {"kind": layout.kind, "path": str(layout.path.resolve()), **layout.parameters}
    return make_stage("documents", value, str(path), Reader)  # type: ignore[type-abstract]


def _documents(reader: Reader, left: LeftOut) -> Iterator[Document]:
    from kpframe.model import Skipped

    for item in reader.read():
        if isinstance(item, Skipped):
            left.tell(f"skipped: {item.place}: {item.reason}")
        else:
            yield item


def _spec_of(reader: Reader) -> Mapping[str, Any]:
    """The reader as a spec has it, with absolute paths, so that the spec may lie anywhere."""
    found = reader.to_spec()
    for name in reader.paths:
        if isinstance(found.get(name), str) and found[name] != "-":
            found[name] = str(Path(found[name]).resolve())
    return {name: value for name, value in found.items() if value is not None}
