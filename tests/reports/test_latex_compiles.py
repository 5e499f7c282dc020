"""Tables for papers go through pdflatex and fit, on A4 and letter paper, in one column and in two."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from kpframe.display.latex_sheets import latex
from kpframe.display.sheets import Entry, Head, Sheet, SheetRow, marked
from kpframe.model import Score
from kpframe.model.summary import Cell, Printed, Summary
from kpframe.reports.latex import Latex

pytestmark = [
    pytest.mark.skipif(
        not shutil.which("pdflatex"), reason="needs pdflatex (Debian: texlive-latex-recommended)"
    ),
    pytest.mark.slow,
]

SIUNITX = bool(
    shutil.which("kpsewhich")
    and subprocess.run(["kpsewhich", "siunitx.sty"], capture_output=True, check=False).stdout
)
"""Debian: texlive-science."""

SIGNATURE = "{metric}|match:{matching}|norm:casefold|tok:words|fold:full|absent:drop|present:tokens|dup:unite|empty:skip|docs:500|spec:(one a cell)|kpframe:0.1.0"  # noqa: E501
HOSTILE = r"50 % of a_b & c#d {e} $f$ ~g^h \i [2cm] *"
LONG = "cooccurrence_with_a_window_of_ten.noun-phrases-without-determiners-and-numerals"
UNBROKEN = "averylongnamewithoutanymarkinsideofitthatnolinecanholdinonecolumn"


def summary(columns: int, *labels: str, published: bool = False) -> Summary:
    """Cells with values in so many columns, two matchings of each metric."""
    names = [f"{metric}/{m}" for metric in ("r_precision", "f1@5", "f1@10", "map", "ndcg@10", "recall@20")
             for m in ("exact", "approximate")][:columns]  # fmt: skip
    cells = []
    for row, label in enumerate(labels):
        scores = [
            Score(n.partition("/")[0], n.partition("/")[2], 0.1 + row / 20 + c / 100, 500, 0,
                  SIGNATURE.format(metric=n.partition("/")[0], matching=n.partition("/")[2]))
            for c, n in enumerate(names)
        ]  # fmt: skip
        reference = dict.fromkeys(names, 0.31) if published else {}
        cells.append(
            Cell(label, {}, tuple(scores), 500, 5000, reference, dict.fromkeys(names, 0.2) if row else {})
        )
    test = "Fisher's randomisation test, 10,000 draws, Holm's correction, level .05"
    notes = (
        "500 documents evaluated",
        f"3 things in the corpus were skipped, first /data/{UNBROKEN}/{HOSTILE}: no gold",
    )
    return Summary(
        "tables_for papers", tuple(names), tuple(cells), "the paper" if published else "", (), notes, test
    )


def with_printed(found: Summary) -> Summary:
    """And two rows of publications, with values in some columns."""
    column = found.columns[0]
    rows = (
        Printed("CatSeq & al.", {column: 0.307}, "A (2020), table 2"),
        Printed(LONG, {column: 0.3}, "B_1"),
    )
    return replace(found, printed=rows)


def standing() -> Sheet:
    """Five data sets under two heads each."""
    heads = [
        Head(name, group)
        for group in ("inspec", "duc", "semeval2010", "krapivin", "kdd")
        for name in ("exact", "approx.")
    ]
    rows = [
        SheetRow(f"system {n}", tuple(Entry(n / 10 + c / 99, 0.3, close=n == 1) for c in range(10)))
        for n in range(4)
    ]
    return Sheet("Five data sets", "system", tuple(heads), marked(heads, rows), ("Documents: many.",))


TABLES = {
    "small": Latex().write(summary(2, "tfidf", "textrank", "mine"), None),
    "published": Latex().write(summary(4, "tfidf.tokens", LONG, "kea", published=True), None),
    "deltas": Latex(deltas=True).write(summary(2, "tfidf", "kea", published=True), None),
    "wide": Latex().write(summary(12, "tfidf", LONG, UNBROKEN, published=True), None),
    "hostile": Latex(digits=5).write(summary(3, HOSTILE, "[2cm]", "*"), None),
    "data sets": latex(standing(), label="tab:five"),
    "printed": Latex().write(with_printed(summary(4, "tfidf", "mine")), None),
    **(
        {
            "numbers": Latex(siunitx=True).write(with_printed(summary(3, "tfidf", "textrank", "mine")), None),
            "wide numbers": Latex(siunitx=True, deltas=True).write(
                summary(12, "tfidf", LONG, "kea", published=True), None
            ),
            "numbers of data sets": latex(standing(), label="tab:six", siunitx=True),
        }
        if SIUNITX
        else {}
    ),
}


@pytest.mark.parametrize(
    ("paper", "columns"), list(itertools.product(("a4paper", "letterpaper"), ("onecolumn", "twocolumn")))
)
def test_tables_compile_and_no_line_is_too_long(tmp_path: Path, paper: str, columns: str) -> None:
    """All of them in one `article`; TeX tells of every box that sticks out."""
    text = "\n".join(TABLES.values())
    siunitx = "\\usepackage{siunitx}" if SIUNITX else ""
    document = (
        f"\\documentclass[{paper},{columns}]{{article}}\n\\usepackage{{booktabs}}\n"
        f"{siunitx}\n"
        f"\\begin{{document}}\n\\extrafloats{{20}}\nText.\n{text}\n\\end{{document}}\n"
    )
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    made = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert made.returncode == 0, made.stdout[-1500:]
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert re.findall(r"Overfull \\hbox.*", log) == []
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000


def test_the_small_table_needs_one_column_and_the_wide_one_both() -> None:
    """And what is wider than both stands in several tables."""
    assert "\\begin{table}\n" in TABLES["small"]
    assert "\\begin{table*}\n" in TABLES["published"]
    assert TABLES["wide"].count("\\begin{tabular}") > 1 and TABLES["wide"].count("\\caption") == 1


def test_best_second_marks_and_heads() -> None:
    """Bold, underlined, a sign for what is not significantly different; heads of groups."""
    text = TABLES["small"]
    assert "\\multicolumn{2}{c}{r\\_precision}" in text and "\\cmidrule(lr){2-3}" in text
    assert "mine & \\textbf{0.200} & \\textbf{0.210}" in text
    assert "textrank & \\underline{0.150}$^{\\approx}$" in text
    assert "(0.31)" in TABLES["published"] and "($-0.210$)" in TABLES["deltas"]


def test_the_note_on_brackets_says_what_stands_in_them() -> None:
    """Differences were called published values; so too in tables over several data sets."""
    assert "In brackets: published values" in TABLES["published"]
    assert "In brackets: ours minus published values (" in TABLES["deltas"]
    assert "In brackets: published values" not in TABLES["deltas"]
    entries = (Entry(0.5, reference=0.4), Entry(None, reference=0.3))
    note = "In brackets: published values (Kea 1999)."
    sheet = Sheet("Two", "system", (Head("a"), Head("b")), (SheetRow("kea", entries),), (note,))
    text = latex(sheet, label="tab:two", deltas=True)
    assert "In brackets: ours minus published values (Kea 1999). Without a sign: the published value" in text
    assert note in latex(sheet, label="tab:two") and note in sheet.markdown() and note in sheet.html()


@pytest.mark.skipif(not SIUNITX, reason="needs siunitx (Debian: texlive-science)")
def test_numbers_are_siunitx_s_where_that_is_wanted() -> None:
    """Bold numbers stay numbers, what is none stands in braces, and the column has room for marks."""
    text = TABLES["numbers"]
    assert text.startswith("% needs \\usepackage{booktabs,siunitx}\n")
    assert "S[table-format=1.3,table-space-text-post={$^\\dagger$}]" in text or "$^{\\approx}$}]" in text
    assert "mine & \\bfseries 0.200{$^{\\approx}$} &" in text or "mine & \\bfseries 0.200 &" in text
    assert "textrank & {\\underline{0.150}$^{\\approx}$} &" in text
    assert "(printed 1) & 0.307{$^\\dagger$} & {-} &" in text
    assert "{exact} & {approximate} &" in text


def test_printed_rows_stand_behind_a_rule() -> None:
    """Each with the number of its source, which stands below."""
    text = TABLES["printed"]
    computed, _, printed = text.partition("\\midrule\n")[2].partition("\\midrule\n")
    assert "mine" in computed and "CatSeq \\& al. (printed 1)" in printed
    assert "printed 1 in A (2020), table 2: not computed here" in text.replace("\\allowbreak{}", "")


def test_a_printed_row_without_a_value_stands_with_its_own() -> None:
    """Also in a part of the table for which the publication has no figure: as `-`, without a mark."""
    found = with_printed(summary(3, "tfidf", "mine"))
    rows = tuple(replace(row, values=dict.fromkeys(row.values)) for row in found.printed)
    text = Latex().write(replace(found, printed=rows), None)
    assert isinstance(text, str)
    body = text[: text.index("\\bottomrule")]
    assert body.count("\\midrule") == 2
    assert "(printed" in body[body.rindex("\\midrule") :] and "dagger" not in body
