"""A table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import Field
from rich import box
from rich.cells import cell_len
from rich.console import Console as Terminal
from rich.table import Table as Grid
from rich.text import Text

from kpframe.model.summary import Summary
from kpframe.reports._table import Entry, Table, footnotes
from kpframe.reports._terminal import printable, terminal
from kpframe.stages import Report

__all__ = ["Console"]

_LABEL = 16
_NARROW_LABEL = 8
_FRAME = 3


class Console(Report):
    """Shows the scores as a table that fits the width of the terminal, with notes below it.

    A row is a cell of the grid. Published values stand in brackets beside ours; the best value of a
    column is bold, and marked by `*` where output is no terminal. Columns that do not fit go into
    further tables. Without a terminal only ASCII is used for drawing; NO_COLOR is respected.
    """

    source: ClassVar[str] = "kpframe"

    digits: int = Field(3, ge=0, le=15, description="Decimals that are printed.")

    def write(self, summary: Summary, folder: Path | None) -> str:
        """The table and its notes; nothing is written to disk."""
        table = Table.of(summary)
        screen = terminal()
        with screen.capture() as captured:
            for number, group in enumerate(self._groups(table, screen.width)):
                screen.print(self._grid(table, group, screen, first=number == 0))
            if not table.rows:
                screen.print(Text(f"{table.name}: no cell was run"))
            for line in self._notes(summary, table, screen):
                screen.print(Text(line, style="dim"), soft_wrap=not screen.is_terminal)
        shown = captured.get().removesuffix("\n")
        if not screen.is_terminal:
            shown = "\n".join(line.rstrip() for line in shown.split("\n"))
        return printable(shown)

    def _groups(self, table: Table, width: int) -> Iterator[Sequence[int]]:
        """Indexes of columns that fit side by side, at least one at a time."""
        if not table.rows:
            return
        room = width - min(_label_width(table), max(_LABEL, width // 3)) - _FRAME - 1
        group: list[int] = []
        used = 0
        for index, column in enumerate(table.columns):
            rows = table.lines
            values = (row.entries[index].text(self.digits, "*{}", "~", printed="{}'") for row in rows)
            parts = [*column.split("/"), *values]
            needed = max(map(cell_len, parts)) + _FRAME
            if group and used + needed > room:
                yield group
                group, used = [], 0
            group.append(index)
            used += needed
        yield group

    def _grid(self, table: Table, group: Sequence[int], screen: Terminal, *, first: bool) -> Grid:
        grid = Grid(
            title=Text(table.name if first else f"{table.name} (continued)"),
            box=box.SIMPLE_HEAD if screen.is_terminal else box.ASCII,
            title_justify="left",
        )
        grid.add_column(
            Text(table.heading), overflow="fold", min_width=min(_NARROW_LABEL, _label_width(table))
        )
        for index in group:
            header = table.columns[index].replace("/", "\n")
            grid.add_column(Text(header), justify="right", no_wrap=True)
        for row in table.rows:
            grid.add_row(Text(row.label), *(self._cell(row.entries[index], screen) for index in group))
        grid.add_section()
        for printed in table.printed:
            texts = (printed.entries[index].text(self.digits, printed="{}'") for index in group)
            grid.add_row(Text(printed.label, style="dim"), *(Text(text, style="dim") for text in texts))
        return grid

    def _cell(self, entry: Entry, screen: Terminal) -> Text:
        if not screen.is_terminal:
            return Text(entry.text(self.digits, "*{}", "~"))
        text = Text(entry.text(self.digits, mark="~"))
        if entry.best:
            text.stylize("bold", 0, len(text.plain.partition(" ")[0]))
        return text

    def _notes(self, summary: Summary, table: Table, screen: Terminal) -> list[str]:
        marked = any(entry.best for row in table.rows for entry in row.entries)
        legend = ["* the best value of its column"] if marked and not screen.is_terminal else []
        return legend + footnotes(summary, table, self.digits, "~")


def _label_width(table: Table) -> int:
    return max(cell_len(line) for row in table.lines for line in (row.label, table.heading))
