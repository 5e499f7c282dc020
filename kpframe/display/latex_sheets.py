"""Sheets as LaTeX that compiles and fits: one column of a paper where it can, else both.

Source: Fear (2020), Publication quality tables in LaTeX (booktabs), section 2: no vertical rules, heads of
groups with \\cmidrule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kpframe.display.sheets import IN_BRACKETS, Entry, Head, Sheet, published, rounded
from kpframe.files.escaping import in_latex

__all__ = ["NEEDS", "latex"]

NEEDS = "% needs \\usepackage{booktabs}"

_SIUNITX = f"{NEEDS[:-1]},siunitx}}"

_WEIGHT = "  \\sisetup{detect-weight=true,table-text-alignment=right,table-number-alignment=right}"
"""So that bold numbers are bold, and numbers in braces stand where the others end."""

_ONE, _BOTH = 221.0, 345.0
"""The widths, in points, of a column of `article` in two columns on A4, and of its text in one column: what
fits these fits letter paper too."""

_CHARACTER, _WIDE, _GAP = 4.35, 6.2, 4.0
"""Of \\footnotesize (8 pt): the width of a digit or small letter in bold, of a capital, and on each side of a
column. They are a little too large rather than too small."""

_LABEL = 150.0
"""At most so wide is a label; longer ones are set in lines."""

_BOLD, _SECOND, _CLOSE, _PRINTED = "\\textbf{{{}}}", "\\underline{{{}}}", "$^{{\\approx}}$", "{}$^\\dagger$"


def latex(sheet: Sheet, *, label: str, digits: int = 3, deltas: bool = False, siunitx: bool = False) -> str:
    """The sheet as a `table`, or as a `table*` where it is too wide for one column; needs booktabs.

    With `siunitx` columns of numbers are of its type S, which needs that package too: then the document
    decides how decimals are marked (`output-decimal-marker`).

    What is too wide for both stands in several tables under one caption. The best value of a column is bold,
    the second underlined, those that do not differ from the best significantly have a sign, and published
    values stand in brackets, or (`deltas`) the difference from them.
    """
    texts = [[_cell(entry, digits, deltas) for entry in row.entries] for row in sheet.rows]
    wide = _labels_width(sheet)
    widths = [_column(head, [row[n] for row in texts]) for n, head in enumerate(sheet.heads)]
    narrow = wide + sum(widths) <= _ONE
    blocks = [list(range(len(widths)))] if narrow else list(_blocks(sheet, widths, _BOTH - wide))
    environment = "table" if narrow else "table*"
    needs = _SIUNITX if siunitx else NEEDS
    lines = [needs, f"\\begin{{{environment}}}", "  \\centering\\footnotesize\\setlength{\\tabcolsep}{4pt}"]
    lines += [_WEIGHT] if siunitx else []
    lines.append(f"  \\caption{{{in_latex(sheet.title)}}}\\label{{{label}}}")
    for number, block in enumerate(blocks):
        lines += ["  \\par\\medskip"] if number else []
        some = sheet.columns(block)
        if siunitx:
            lines += _tabular(some, _numbers(some, digits, deltas), wide, _types(some, digits, deltas))
        else:
            lines += _tabular(some, [[row[n] for n in block] for row in texts], wide, "r" * len(block))
    for note in sheet.said():
        text = _breakable(in_latex(_as_shown(note.strip(), sheet, deltas)))
        lines.append(f"  \\par\\smallskip\\parbox{{\\linewidth}}{{\\raggedright\\scriptsize {text}}}")
    return "\n".join([*lines, f"\\end{{{environment}}}"]) + "\n"


def _as_shown(note: str, sheet: Sheet, deltas: bool) -> str:
    """A note; the one on brackets says what stands in them, which other formats do not have."""
    if not deltas or not note.startswith(IN_BRACKETS):
        return note
    entries = [entry for row in sheet.rows for entry in row.entries if entry.reference is not None]
    plain = any(entry.value is None for entry in entries)
    alone = " Without a sign: the published value, where there is none of ours." if plain else ""
    return f"In brackets: ours minus published values{note.removeprefix(IN_BRACKETS)}{alone}"


def _tabular(sheet: Sheet, texts: Sequence[Sequence[str]], wide: float, types: str) -> Iterator[str]:
    first = f"p{{{wide - 2 * _GAP:.0f}pt}}" if wide >= _LABEL else "l"
    yield f"  \\begin{{tabular}}{{@{{}}{first}{types}@{{}}}}"
    yield "    \\toprule"
    groups = list(sheet.groups())
    if any(group for group, *_ in groups):
        spans = [f"\\multicolumn{{{e - b}}}{{c}}{{{in_latex(group)}}}" for group, b, e in groups]
        yield f"    {' & '.join(['', *spans])} \\\\"
        yield "    " + " ".join(f"\\cmidrule(lr){{{b + 2}-{e + 1}}}" for group, b, e in groups if group)
    braces = types.startswith("S")
    heads = (in_latex(head.name) for head in sheet.heads)
    yield _row([in_latex(sheet.heading), *(f"{{{head}}}" if braces else head for head in heads)])
    yield "    \\midrule"
    before = sheet.rows[:1]
    for row, cells in zip(sheet.rows, texts, strict=True):
        if row.printed and not before[0].printed:
            yield "    \\midrule"
        before = (row,)
        text = in_latex(row.label)
        yield _row([f"\\raggedright {_breakable(text)}" if wide >= _LABEL else text, *cells])
    yield "    \\bottomrule"
    yield "  \\end{tabular}"


def _types(sheet: Sheet, digits: int, deltas: bool) -> str:
    """A column S for each column: so many digits, and room for what stands behind numbers."""
    types = []
    for n in range(len(sheet.heads)):
        entries = [row.entries[n] for row in sheet.rows]
        values = [entry.value for entry in entries if entry.value is not None and not entry.says]
        whole = max([len(rounded(abs(value), digits).partition(".")[0]) for value in values], default=1)
        sign = "-" if any(value < 0 for value in values) else ""
        behind = _widest(entries, digits, deltas)
        post = f",table-space-text-post={{{behind}}}" if behind else ""
        types.append(f"S[table-format={sign}{whole}.{digits}{post}]")
    return "".join(types)


def _numbers(sheet: Sheet, digits: int, deltas: bool) -> list[list[str]]:
    """Numbers as siunitx reads them; what is none stands in braces."""
    columns = [[row.entries[n] for row in sheet.rows] for n in range(len(sheet.heads))]
    rooms = [_widest(column, digits, deltas) for column in columns]
    return [
        [_number(entry, digits, deltas, room) for entry, room in zip(row.entries, rooms, strict=True)]
        for row in sheet.rows
    ]


def _widest(column: Sequence[Entry], digits: int, deltas: bool) -> str:
    return max((_behind(entry, digits, deltas) for entry in column), key=_width, default="")


def _number(entry: Entry, digits: int, deltas: bool, room: str) -> str:
    behind = _behind(entry, digits, deltas)
    if entry.value is None or entry.says:
        return f"{{{in_latex(entry.says) or '-'}{behind}}}"
    number = rounded(entry.value, digits)
    if entry.second and not entry.best:
        # siunitx has no underlined numbers: it is a text that ends where numbers do.
        left = f"\\phantom{{{room}}}" if room and not behind else ""
        return f"{{{_SECOND.format(number)}{behind}{left}}}"
    weight = "\\bfseries " if entry.best else ""
    return f"{weight}{number}" + (f"{{{behind}}}" if behind else "")


def _behind(entry: Entry, digits: int, deltas: bool) -> str:
    """What stands behind a number: its marks, and the published value or the difference from it."""
    marks = _PRINTED.format("") if entry.printed and entry.value is not None else ""
    marks += _CLOSE.format() if entry.close and not entry.best else ""
    if entry.reference is None:
        return marks
    if deltas and entry.value is not None:
        return f"{marks} (${entry.value - entry.reference:+.{digits}f}$)"
    return f"{marks} ({published(entry.reference, digits)})"


def _cell(entry: Entry, digits: int, deltas: bool) -> str:
    says = entry.says and in_latex(entry.says)
    shown = Entry(entry.value, None, entry.best, entry.close, entry.second, says, entry.printed)
    text = shown.text(digits, _BOLD, _CLOSE.format(), _SECOND, _PRINTED)
    if entry.reference is None:
        return text
    if deltas and entry.value is not None:
        return f"{text} (${entry.value - entry.reference:+.{digits}f}$)"
    return f"{text} ({published(entry.reference, digits)})"


def _column(head: Head, texts: Sequence[str]) -> float:
    return max(map(_width, [in_latex(head.name), *texts])) + 2 * _GAP


def _labels_width(sheet: Sheet) -> float:
    longest = max(map(_width, [in_latex(sheet.heading), *(in_latex(row.label) for row in sheet.rows)]))
    return min(longest + 2 * _GAP, _LABEL)


_COMMAND = re.compile(r"\\[a-zA-Z]+|[${}^\\]")


def _width(text: str) -> float:
    """About how wide a text of LaTeX is; commands have no width, and their arguments have."""
    shown = _COMMAND.sub("", text.replace("\\approx", "~").replace("\\dagger", "+"))
    return sum(
        _WIDE if one.isupper() or not one.isascii() or one in "mwMW@%&" else _CHARACTER for one in shown
    )


def _blocks(sheet: Sheet, widths: Sequence[float], room: float) -> Iterator[list[int]]:
    """Numbers of columns that have room side by side; groups are kept together where they can be."""
    block: list[int] = []
    used = 0.0
    for _, begin, end in sheet.groups():
        whole = sum(widths[begin:end])
        if block and used + whole > room:
            yield block
            block, used = [], 0.0
        for number in range(begin, end):
            if block and used + widths[number] > room:
                yield block
                block, used = [], 0.0
            block.append(number)
            used += widths[number]
    if block:
        yield block


_BREAK = re.compile(r"([|/:,;._\-=])(?=[A-Za-z0-9(])")
_LONG = re.compile(r"[A-Za-z0-9]{18,}")


def _breakable(text: str) -> str:
    """A text of LaTeX that may be broken behind marks, and inside of words that no line would hold."""
    pieces = re.split(r"(\\[a-zA-Z]+\{?\}?|\\.)", text)
    return "".join(
        p if i % 2 else _LONG.sub(_parted, _BREAK.sub(r"\1\\allowbreak{}", p)) for i, p in enumerate(pieces)
    )


def _parted(found: re.Match[str]) -> str:
    word = found[0]
    cuts = [*range(0, len(word), 10), len(word)]
    return "\\allowbreak{}".join(word[begin:end] for begin, end in pairwise(cuts))


def _row(fields: Sequence[str]) -> str:
    return f"    {' & '.join(fields)} \\\\"
