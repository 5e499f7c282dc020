"""Tables as readers see them: columns under heads of groups, the best of each column marked, notes below.

A sheet is made once and shown as text that fits a terminal, as Markdown, as HTML, as CSV, and, by
`kpframe.display.latex_sheets`, as LaTeX that fits a column of a paper.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from textwrap import wrap
from typing import Literal

from kpframe.files.escaping import in_csv, in_markdown, one_line

__all__ = [
    "IN_BRACKETS",
    "Entry",
    "Head",
    "Legend",
    "Sheet",
    "SheetRow",
    "marked",
    "published",
    "rounded",
    "width_of",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """A value, the published one beside it, and how it stands to the best of its column.

    `close`: it was tested against the best one, and the difference is not significant. `second` is the
    best but one. `says` stands for a value that is no number with decimals, as `2/1/0`; `printed`: the
    value itself is one that others published, not one that was computed here.
    """

    value: float | None = None
    reference: float | None = None
    best: bool = False
    close: bool = False
    second: bool = False
    says: str = ""
    printed: bool = False

    def text(
        self, digits: int, emphasis: str = "{}", mark: str = "", second: str = "{}", printed: str = "{}"
    ) -> str:
        """The value, with the published one in brackets; `-` where there is no value.

        `emphasis`, `second` and `printed` are formats in which the best value of a column, the next one and
        a printed one are put; `mark` is put behind those that do not differ from the best significantly.
        """
        ours = self.says or ("-" if self.value is None else rounded(self.value, digits))
        if self.best:
            ours = emphasis.format(ours)
        elif self.second:
            ours = second.format(ours)
        if self.printed and self.value is not None:
            ours = printed.format(ours)
        if self.close and not self.best:
            ours += mark
        return ours if self.reference is None else f"{ours} ({published(self.reference, digits)})"


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column; neighbours of one `group` share a head above theirs.

    `ranked`: its values compete, the `higher` being better or not.
    """

    name: str
    group: str = ""
    ranked: bool = True
    higher: bool = True


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row: its label and an entry for each column."""

    label: str
    entries: tuple[Entry, ...]

    @property
    def printed(self) -> bool:
        """Whether it is a row of a publication; a line parts those from what was computed."""
        return any(entry.printed for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Legend:
    """What a sign in the cells says: that of values `close` to the best, or of `printed` ones."""

    sign: Literal["close", "printed"]
    says: str


IN_BRACKETS = "In brackets: published values"
"""How the note on what stands in brackets begins; its source follows."""

_DEFAULTS = (
    Legend("close", "not significantly different from the best"),
    Legend("printed", "printed value of others"),
)


@dataclass(frozen=True)
class Sheet:
    """A table: `heading` says what the labels are, `notes` stand below, one a line.

    `legend` says more of the signs than every table does in which they stand.
    """

    title: str
    heading: str
    heads: tuple[Head, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...] = field(default=())
    legend: tuple[Legend, ...] = field(default=())

    def said(self, close: str = "≈", printed: str = "†") -> list[str]:
        """The lines below the table: what its signs say, which look as they are given here, and the notes.

        No sign stands in a cell without such a line, and no line is about a sign that stands in none.
        """
        entries = [entry for row in self.rows for entry in row.entries]
        standing = {
            "close": any(entry.close and not entry.best for entry in entries),
            "printed": any(entry.printed and entry.value is not None for entry in entries),
        }
        looks = {"close": close, "printed": printed}
        told: set[str] = {one.sign for one in self.legend}
        told |= {sign for sign, look in looks.items() if any(note.startswith(look) for note in self.notes)}
        lines = (*self.legend, *(one for one in _DEFAULTS if one.sign not in told))
        return [*(f"{looks[one.sign]} {one.says}" for one in lines if standing[one.sign]), *self.notes]

    def columns(self, numbers: Sequence[int]) -> Sheet:
        """The same rows with only some of the columns."""
        rows = tuple(replace(row, entries=tuple(row.entries[n] for n in numbers)) for row in self.rows)
        return replace(self, heads=tuple(self.heads[n] for n in numbers), rows=rows)

    def blocks(self, room: int, measure: Callable[[str], int]) -> Iterator[Sheet]:
        """The sheet in pieces whose columns, as `measure` has it of a text, have room side by side."""
        chosen: list[int] = []
        used = 0
        for number in range(len(self.heads)):
            needed = self._width(number, measure)
            if chosen and used + needed > room:
                yield self.columns(chosen)
                chosen, used = [], 0
            chosen.append(number)
            used += needed
        if chosen or not self.heads:
            yield self.columns(chosen)

    def _width(self, number: int, measure: Callable[[str], int]) -> int:
        cells = [row.entries[number].text(3, "*{}", "~") for row in self.rows]
        return max(map(measure, [self.heads[number].name, *cells]))

    def text(self, width: int = 80, digits: int = 3, *, plain: bool = True) -> str:
        """The sheet for a terminal of so many characters a line; `plain`: ASCII alone draws its lines."""
        label = max([len(self.heading), *(len(row.label) for row in self.rows), 1])
        label = min(label, max(16, width // 2 - 2))
        pieces = [one_line(self.title)] if self.title else []
        for block in self.blocks(width - label, lambda text: width_of(text) + 2):
            pieces += block._lines(label, digits, "-" if plain else "─")
        marks = [entry for row in self.rows for entry in row.entries]
        best = ["* best of its column"] if any(entry.best for entry in marks) else []
        said = self.said("~", "'")
        brief = 0 if self.legend else len(said) - len(self.notes)
        legend = wrap("; ".join([*best, *said[:brief]]), width)
        return "\n".join([*pieces, *legend, *map(one_line, said[brief:])])

    def _lines(self, label: int, digits: int, rule: str) -> Iterator[str]:
        cells = [
            [entry.text(digits, "*{}", "~", printed="{}'") for entry in row.entries] for row in self.rows
        ]
        columns = [list(column) for column in zip(*cells, strict=True)] or [[] for _ in self.heads]
        widths = [
            max([width_of(head.name), *map(width_of, column)]) + 2
            for head, column in zip(self.heads, columns, strict=True)
        ]
        if any(head.group for head in self.heads):
            yield (" " * label + "".join(self._groups(widths))).rstrip()
        names = "".join(_right(head.name, wide) for head, wide in zip(self.heads, widths, strict=True))
        yield (_left(self.heading, label) + names).rstrip()
        yield rule * (label + sum(widths))
        before = self.rows[:1]
        for row, texts in zip(self.rows, cells, strict=True):
            if row.printed and not before[0].printed:
                yield rule * (label + sum(widths))
            before = (row,)
            *above, last = _folded(one_line(row.label), label)
            yield from above
            yield (
                _left(last, label) + "".join(_right(t, w) for t, w in zip(texts, widths, strict=True))
            ).rstrip()

    def _groups(self, widths: Sequence[int]) -> Iterator[str]:
        for group, begin, end in self.groups():
            room = sum(widths[begin:end])
            yield _right(one_line(group)[: room - 2], room)

    def groups(self) -> Iterator[tuple[str, int, int]]:
        """Runs of neighbours of one group: its name, its first column, and the one behind its last."""
        begin = 0
        for number in range(1, len(self.heads) + 1):
            if number == len(self.heads) or self.heads[number].group != self.heads[begin].group:
                yield self.heads[begin].group, begin, number
                begin = number

    def markdown(self, digits: int = 3) -> str:
        """A table of GitHub's Markdown, its notes a list; groups stand in the heads of their columns."""
        names = [f"{head.group} {head.name}".strip() for head in self.heads]
        lines = [f"| {' | '.join(map(in_markdown, [self.heading, *names]))} |"]
        lines.append(f"| --- |{' ---: |' * len(names)}")
        for row in self.rows:
            cells = (entry.text(digits, "**{}**", "≈", "_{}_", "{}†") for entry in row.entries)
            lines.append(f"| {' | '.join([in_markdown(row.label), *cells])} |")
        return "\n".join([*lines, "", *(f"- {in_markdown(note)}" for note in self.said())]).rstrip() + "\n"

    def html(self, digits: int = 3) -> str:
        """A table of HTML, everything escaped, with heads of groups."""
        above = "".join(
            f'<th scope="colgroup" colspan="{end - begin}">{escape(group)}</th>'
            for group, begin, end in self.groups()
        )
        names = "".join(f'<th scope="col">{escape(head.name)}</th>' for head in self.heads)
        grouped = any(head.group for head in self.heads)
        first = f"<tr><td></td>{above}</tr>" if grouped else ""
        rows = "".join(
            f'<tr><th scope="row">{escape(row.label)}</th>'
            f"{''.join(_html(entry, digits) for entry in row.entries)}</tr>"
            for row in self.rows
        )
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.said())
        return (
            f"<table><caption>{escape(self.title)}</caption><thead>{first}<tr><th>{escape(self.heading)}</th>"
            f"{names}</tr></thead><tbody>{rows}</tbody></table>" + (f"<ul>{notes}</ul>" if notes else "")
        )

    def csv(self) -> str:
        """The values, unrounded, one row a label; nothing is marked."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        names = [f"{head.group} {head.name}".strip() for head in self.heads]
        writer.writerow(map(in_csv, [self.heading, *names]))
        for row in self.rows:
            values = [e.says or ("" if e.value is None else repr(e.value)) for e in row.entries]
            writer.writerow([in_csv(row.label), *values])
        return file.getvalue()


def marked(heads: Sequence[Head], rows: Sequence[SheetRow]) -> tuple[SheetRow, ...]:
    """The rows with the best and the second best value of each column marked; equal ones are all of it."""
    columns = list(zip(*(row.entries for row in rows), strict=True))
    made: list[list[Entry]] = []
    for head, column in zip(heads, columns, strict=True):
        values = sorted({e.value for e in column if e.value is not None}, reverse=head.higher)
        competing = head.ranked and sum(e.value is not None for e in column) > 1
        best, second = (*values, None, None)[:2] if competing else (None, None)
        made.append(
            [
                replace(
                    e,
                    best=e.value is not None and e.value == best,
                    second=e.value is not None and e.value == second,
                )
                for e in column
            ]
        )
    if not made:
        return tuple(rows)
    return tuple(
        replace(row, entries=tuple(entries))
        for row, entries in zip(rows, zip(*made, strict=True), strict=True)
    )


def rounded(value: float, digits: int) -> str:
    """A value as it is printed, the only place where it is rounded (half to even)."""
    return f"{value:.{digits}f}"


def published(value: float, digits: int) -> str:
    """A published value with the decimals it came with: at least 2, at most `digits`."""
    decimals = len(repr(value).partition(".")[2])
    return rounded(value, min(digits, max(2, decimals)))


def width_of(text: str) -> int:
    """How many places of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def _html(entry: Entry, digits: int) -> str:
    text = escape(entry.text(digits, "{}", "≈", printed="{}†"))
    number = escape(entry.says or ("-" if entry.value is None else rounded(entry.value, digits)))
    for wanted, tag in ((entry.best, "strong"), (entry.second, "u")):
        if wanted:
            text = text.replace(number, f"<{tag}>{number}</{tag}>", 1)
    return f"<td>{text}</td>"


def _left(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def _right(text: str, width: int) -> str:
    return " " * (width - width_of(text)) + text


def _folded(text: str, width: int) -> list[str]:
    """A label on as many lines as it needs, cut where it must be."""
    return [text[at : at + width] for at in range(0, len(text), width)] or [""]
