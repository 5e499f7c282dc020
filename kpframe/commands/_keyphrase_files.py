"""Keyphrases as files: text for people, JSON, and tables with a row a keyphrase or a row a document."""

from __future__ import annotations

import io
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kpframe.commands import has_colours
from kpframe.display.keyphrase_rows import KeyphraseRows

if TYPE_CHECKING:
    from kpframe.engine.extraction import Extraction

__all__ = ["Sink", "opened_sink"]

TABLES = ("csv", "tsv", "parquet", "xlsx")


class Sink(ABC):
    """Takes results, each with the columns that are kept beside it."""

    @abstractmethod
    def add(self, result: Extraction, kept: Mapping[str, Any]) -> None:
        """Write one result."""

    def finish(self) -> None:
        """Write what comes last."""
        return


@contextmanager
def opened_sink(
    form: str, out: str | None, rows: KeyphraseRows, types: Mapping[str, Any], *, single: bool, as_rows: bool
) -> Iterator[Sink]:
    """Where results go: a file that appears when it is whole, or standard output, as each is there.

    `single`: it is one text, which needs no heading. `as_rows`: JSON as rows too, not as documents.
    """
    if out is not None and (form in TABLES or as_rows):
        from kpframe.files.tables.writing import writing_table

        with writing_table(out, rows.columns, {**types, **rows.types}, form) as writer:
            table = _Table(writer, rows, at_once=False)
            yield table
            table.finish()
        return
    with _output(out) as file:
        sink = _text_sink(form, out, file, rows, single=single, as_rows=as_rows)
        yield sink
        sink.finish()


def _text_sink(
    form: str, out: str | None, file: Any, rows: KeyphraseRows, *, single: bool, as_rows: bool
) -> Sink:
    if form in ("csv", "tsv"):
        from kpframe.files.tables.writing import CsvWriter

        return _Table(CsvWriter(file, rows.columns, tabs=form == "tsv"), rows, at_once=True)
    if form in ("json", "jsonl"):
        return _Json(file, form, None if single else rows, as_rows=as_rows)
    if out is None and has_colours(sys.stdout):
        return _Marked(file, single)
    return _Plain(file, single)


@contextmanager
def _output(out: str | None) -> Iterator[IO[str] | _Screen]:
    from kpframe.files.kinds import bare_name
    from kpframe.files.unpacking import packed
    from kpframe.files.urls import published

    if out is None:
        yield _Screen(sys.stdout) if sys.stdout.isatty() else sys.stdout
        return
    packing = Path(out).suffix.lower().lstrip(".") if bare_name(out) != out else ""
    with published(out) as binary:
        stream = packed(binary, packing)
        file = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        yield file
        file.flush()
        file.detach()
        if stream is not binary:
            stream.close()


class _Screen(io.TextIOBase):
    """A terminal that no text can steer: only our own colours reach it."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        from kpframe.display.marks import harmless

        return self._stream.write(text if isinstance(text, _Coloured) else harmless(text))


class _Coloured(str):
    """Text with colours, in which nothing can do harm any more."""


class _Table(Sink):
    def __init__(self, writer: Any, rows: KeyphraseRows, *, at_once: bool) -> None:
        self._writer, self._rows, self._at_once = writer, rows, at_once

    def add(self, result: Extraction, kept: Mapping[str, Any]) -> None:
        self._rows.add(result.id, result, kept)
        if self._at_once or self._rows.full:
            self._writer.write(self._rows.taken())

    def finish(self) -> None:
        self._writer.write(self._rows.taken())


class _Json(Sink):
    """An object a document; several of them are a list in JSON, a line each in JSON lines."""

    def __init__(self, file: Any, form: str, rows: KeyphraseRows | None, *, as_rows: bool) -> None:
        self._file, self._lines, self._rows = file, form == "jsonl", rows
        self._as_rows, self._count = as_rows, 0

    def add(self, result: Extraction, kept: Mapping[str, Any]) -> None:
        from kpframe.files.tables.plain_json import naming_columns, plain_json

        for value in self._values(result, kept):
            indent = None if self._lines else 2
            with naming_columns(value):
                text = plain_json(value, indent)
            before = "" if self._lines or self._rows is None else ",\n" if self._count else "[\n"
            self._file.write(before + text + ("\n" if self._lines or self._rows is None else ""))
            self._count += 1

    def _values(self, result: Extraction, kept: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        if self._rows is None:
            return [result.to_json()]
        if self._as_rows:
            self._rows.add(result.id, result, kept)
            taken = self._rows.taken()
            return [dict(zip(taken, row, strict=True)) for row in zip(*taken.values(), strict=True)]
        names = dict(zip(kept, self._rows.kept, strict=True))
        beside = {names[name]: value for name, value in kept.items()}
        whole = result.to_json()
        return [{"id": whole.pop("id"), **beside, **whole}]

    def finish(self) -> None:
        if not self._lines and self._rows is not None:
            self._file.write("\n]\n" if self._count else "[]\n")


class _Plain(Sink):
    def __init__(self, file: Any, single: bool) -> None:
        self._file, self._single, self._gap = file, single, ""

    def add(self, result: Extraction, kept: Mapping[str, Any]) -> None:
        heading = "" if self._single else f"{self._gap}# {result.id}\n"
        self._file.write(heading + "".join(f"{k.score:.4f}  {k.text}\n" for k in result))
        self._gap = "\n"


class _Marked(_Plain):
    def add(self, result: Extraction, kept: Mapping[str, Any]) -> None:
        from rich.console import Console

        from kpframe.display.terminal import marked

        screen = Console(markup=False, highlight=False, emoji=False)  # anew: the window may be resized
        shown = marked(result.text, result, screen, "" if self._single else result.id)
        told = "" if result.text.strip() else "(no text)\n"
        self._file.write(_Coloured(self._gap + shown + told))
        self._gap = "\n"
