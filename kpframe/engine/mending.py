"""Cells that lack some documents through nobody's fault: these documents alone are evaluated again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack

from kpframe.engine.evaluating import Evaluated
from kpframe.engine.spool import Entry
from kpframe.runs.cell_writer import FILES, CellWriter
from kpframe.runs.folder import RunFolder

__all__ = ["mend", "undecided"]

MOST = 1_000
"""Where more documents are lacking, computing the cell anew is as good as mending it."""


def undecided(folder: RunFolder, writer: CellWriter) -> Collection[str] | None:
    """The ids of the documents that a cell lacks; None where it must be computed anew.

    It must be if there is no sound one of the same key, or if its ranking has meanwhile learned something
    else: from a document with which a worker had died.
    """
    record = folder.sound(writer.name, writer.key)
    if record is None or record.state != writer.state:
        return None
    lacking = record.incomplete.get("evaluated", ())
    return lacking if len(lacking) <= MOST else None


def mend(
    folder: RunFolder,
    writer: CellWriter,
    entries: Sequence[Entry],
    again: Mapping[str, Evaluated],
    lacking: Collection[str],
) -> None:
    """Write a cell anew from its own lines, and from those made `again` of the documents it was `lacking`.

    `entries` are all evaluated documents, in the order of the lines.
    """
    writer.begin()
    with ExitStack() as stack:
        place = folder.cell(writer.name)
        files = [stack.enter_context((place / n).open(encoding="utf-8", newline="\n")) for n in FILES]
        for entry, *lines in zip(entries, *files, strict=True):
            if entry.id in lacking:
                *made, decided = again[entry.id][writer.name]
                writer.write(entry.id, made, decided=decided)
            else:
                writer.write(entry.id, [line.removesuffix("\n") for line in lines])
    writer.finish()
