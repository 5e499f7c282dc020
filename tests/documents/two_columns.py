"""PDFs as papers are set: two columns, a title across both, running heads, page numbers, broken words."""

from __future__ import annotations

import re
from typing import Any

HEAD = "Journal of Invented Studies"
_SIZE, _LEADING, _MARGIN, _GUTTER, _TOP = 9.0, 11.0, 54.0, 18.0, 80.0
_LATIN = str.maketrans("“”‘’–—…", "\"\"''--.")


def two_column_pdf(title: str, paragraphs: list[str]) -> bytes:
    """The PDF of a paper; the lines of the columns are drawn from left to right, row by row.

    So the order of the file is the worst one: each row has a line of the left and one of the right column.
    """
    from fpdf import FPDF

    pdf = FPDF(format="A4", unit="pt")
    pdf.set_auto_page_break(False)
    pdf.set_font("Times", size=_SIZE)
    width = (pdf.w - 2 * _MARGIN - _GUTTER) / 2
    lines = [line for paragraph in paragraphs for line in _lines(pdf, _plain(paragraph), width)]
    rows = int((pdf.h - _TOP - 70) // _LEADING)
    page = 0
    while lines:
        page += 1
        pdf.add_page()
        first = 4 if page == 1 else 0
        _furniture(pdf, _plain(title), page)
        left, lines = lines[: rows - first], lines[rows - first :]
        right, lines = lines[: rows - first], lines[rows - first :]
        for row in range(rows - first):
            for column, x in ((left, _MARGIN), (right, _MARGIN + width + _GUTTER)):
                if row < len(column):
                    indent, text = column[row]
                    pdf.text(x + indent, _TOP + (row + first) * _LEADING, text)
    return bytes(pdf.output())


def _furniture(pdf: Any, title: str, page: int) -> None:
    pdf.set_font("Times", size=7)
    pdf.text(_MARGIN, 40, f"{HEAD} {page}")
    pdf.text(pdf.w / 2 - 4, pdf.h - 30, str(page))
    if page == 1:
        pdf.set_font("Times", style="B", size=14)
        pdf.text(_MARGIN + 40, _TOP + 10, title[:60])
    pdf.set_font("Times", size=_SIZE)


def _plain(text: str) -> str:
    return text.translate(_LATIN).encode("latin-1", "ignore").decode("latin-1")


def _lines(pdf: Any, paragraph: str, width: float) -> list[tuple[float, str]]:
    """Lines with their indents; a long word that does not fit is broken after a vowel."""
    lines: list[tuple[float, str]] = []
    indent, line = 12.0, ""
    for word in paragraph.split():
        fits = pdf.get_string_width(f"{line} {word}") <= width - indent
        if line and not fits:
            place = re.fullmatch(r"([a-z]{2,}?[aeiou])([b-df-hj-np-tv-z][a-z]{3,})", word)
            broken = place and pdf.get_string_width(f"{line} {place[1]}-") <= width - indent
            if place and broken:
                lines.append((indent, f"{line} {place[1]}-"))
                line, indent = place[2], 0.0
            else:
                lines.append((indent, line))
                line, indent = word, 0.0
        else:
            line = f"{line} {word}".strip()
    return [*lines, (indent, line)] if line else lines
