"""Reports that are files: csv, json, markdown, latex."""

from __future__ import annotations

import csv
import io
import json
import os
import re

import pytest

from kpframe.errors import DataError
from kpframe.model import Score
from kpframe.model.summary import Cell, Summary
from kpframe.stages.registry import kinds, lookup

EXACT, APPROXIMATE = "r_precision/exact", "r_precision/approximate"
FILES = {"csv": "summary.csv", "json": "summary.json", "latex": "summary.tex", "markdown": "summary.md"}
HOSTILE = "<script>a|b&c_d%e$#{}~^\\*[x](y)`\x1b[31m\nnext"


def score(column: str, value: float | None, signature: str = "") -> Score:
    metric, matching = column.split("/")
    return Score(metric, matching, value, 4, 1, signature or f"{metric}|match:{matching}")


def cell(name: str, exact: float | None, approximate: float | None, **more) -> Cell:
    scores = (score(EXACT, exact), score(APPROXIMATE, approximate))
    return Cell(name, more.pop("axes", {}), scores, 4, 20, more.pop("reference", {}))


def grid() -> Summary:
    """Two cells, one compared with a paper in one column, one without an approximate value."""
    return Summary(
        "demo",
        (EXACT, APPROXIMATE),
        (
            cell("a.x", 0.3125, 0.5, axes={"ranking": "a", "over": "x"}, reference={EXACT: 0.31}),
            cell("a.y", 0.25, None, axes={"ranking": "a", "over": "y"}, reference={EXACT: 0.3}),
        ),
        "the paper, table 1",
        ({"id": "7", "stage": "ranking", "error": "boom"},),
        ("1 document without gold",),
    )


def hostile() -> Summary:
    scores = (score("m_1/exact", 0.5, "m|<b>"),)
    return Summary(HOSTILE, ("m_1/exact",), (Cell(HOSTILE, {"r_a": HOSTILE}, scores),), "", (), (HOSTILE,))


def shown(kind: str, summary: Summary, **parameters) -> str:
    return lookup("reports", kind)(**parameters).write(summary, None)


def test_every_report_is_found():
    """The kinds of the folder."""
    assert {"conclusions", "console", "csv", "json", "latex", "markdown"} <= set(kinds("reports"))


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("make", [grid, hostile, lambda: Summary("none", (EXACT,), ())])
def test_a_file_holds_what_is_returned_without_a_folder(tmp_path, kind, make):
    """UTF-8, plain line feeds, one at the end, the same bytes twice, and nothing left over."""
    report = lookup("reports", kind)()
    folder = tmp_path / "new" / "folder"
    assert report.write(make(), folder) == f"wrote {folder / FILES[kind]}"
    first = (folder / FILES[kind]).read_bytes()
    report.write(make(), folder)
    beside = ["summary-signatures.txt"] if kind == "latex" else []
    assert sorted(os.listdir(folder)) == [*beside, FILES[kind]]
    assert (folder / FILES[kind]).read_bytes() == first == report.write(make(), None).encode("utf-8")
    assert first.endswith(b"\n") and not first.endswith(b"\n\n") and b"\r" not in first


@pytest.mark.parametrize("kind", ["console", "csv", "json", "latex", "markdown"])
def test_no_number_travels_without_its_signature(kind):
    """The recipe of each column stands in every report."""
    text = shown(kind, grid()).replace("\\allowbreak{}", "").replace("\\textbar{}", "|").replace("\\", "")
    assert "r_precision|match:exact" in text
    assert "r_precision|match:approximate" in text


@pytest.mark.parametrize("kind", FILES)
def test_a_folder_that_cannot_be_written_is_a_data_error(tmp_path, kind):
    """A file stands where the folder should be."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(DataError) as raised:
        lookup("reports", kind)().write(grid(), tmp_path / "taken")
    place = tmp_path / "taken" / FILES[kind]
    assert str(raised.value) == f"{place}: cannot be written (File exists); choose another folder"


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    """Either all of the new file or all of the old one."""
    report = lookup("reports", "markdown")()
    report.write(grid(), tmp_path)
    before = (tmp_path / "summary.md").read_text(encoding="utf-8")

    def refuse(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(DataError, match="No space left on device"):
        report.write(hostile(), tmp_path)
    assert os.listdir(tmp_path) == ["summary.md"]
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == before


def test_csv_has_a_row_for_each_cell_and_rounds_nothing():
    """Scores, published values and signatures, unknown values empty."""
    rows = list(csv.DictReader(io.StringIO(shown("csv", grid()))))
    assert rows == [
        {
            "cell": "a.x",
            "axis:ranking": "a",
            "axis:over": "x",
            "documents": "4",
            "keyphrases": "20",
            EXACT: "0.3125",
            APPROXIMATE: "0.5",
            f"reference:{EXACT}": "0.31",
            f"signature:{EXACT}": "r_precision|match:exact",
            f"signature:{APPROXIMATE}": "r_precision|match:approximate",
        },
        {
            **rows[0],
            "cell": "a.y",
            "axis:over": "y",
            EXACT: "0.25",
            APPROXIMATE: "",
            f"reference:{EXACT}": "0.3",
        },
    ]


def test_csv_survives_any_name():
    """Quotes, commas and line breaks come back as they were."""
    name = 'a,"b"\nc;d'
    (row,) = csv.DictReader(io.StringIO(shown("csv", Summary("s", (), (Cell(name, {"x": HOSTILE}, ()),)))))
    assert (row["cell"], row["axis:x"]) == (name, HOSTILE)


@pytest.mark.parametrize("name", ["=1+1", "+a", "-a", "@a", "\ta"])
def test_csv_defuses_names_that_a_spreadsheet_would_run(name):
    """By an apostrophe, unless told otherwise; numbers are never touched."""
    summary = Summary("s", (EXACT,), (Cell(name, {}, (score(EXACT, -0.5),)),))
    (row,) = csv.DictReader(io.StringIO(shown("csv", summary)))
    assert (row["cell"], row[EXACT]) == (f"'{name}", "-0.5")
    (row,) = csv.DictReader(io.StringIO(shown("csv", summary, guard_formulas=False)))
    assert row["cell"] == name


def test_json_has_everything_and_the_agreement():
    """Sorted keys; |0.3125 - 0.31| and |0.25 - 0.3| have the mean 0.02625; both rise: Spearman 1."""
    text = shown("json", grid())
    content = json.loads(text)
    agreement = content.pop("agreement")
    assert content == grid().to_json()
    assert list(json.loads(text)) == sorted(json.loads(text))
    assert agreement == {
        EXACT: {
            "compared": 2,
            "mean_absolute_difference": pytest.approx(0.02625, abs=1e-15),
            "spearman": pytest.approx(1),
        }
    }


@pytest.mark.parametrize(
    ("ours", "published", "expected"),
    [
        ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], -1),
        ([0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.2, 0.4], 0.8),
        ([0.1, 0.1], [0.1, 0.2], None),
        ([0.1, 0.2], [0.1, 0.1], None),
        ([0.1], [0.1], None),
        ([0.1, None], [0.1, 0.2], None),
    ],
)
def test_rank_correlation_is_left_open_where_it_is_not_defined(ours, published, expected, recwarn):
    """By hand: 1 - 6 Σd² / n(n² - 1); constant sides and single cells have none, and warn of nothing."""
    cells = [
        cell(str(i), value, None, reference={EXACT: other})
        for i, (value, other) in enumerate(zip(ours, published, strict=True))
    ]
    content = json.loads(shown("json", Summary("s", (EXACT,), tuple(cells))))
    found = content["agreement"][EXACT]["spearman"]
    assert found == (expected if expected is None else pytest.approx(expected))
    assert not recwarn.list


def test_markdown_is_this_table():
    """Best in bold, published values in brackets with their own decimals, footnotes as a list."""
    assert shown("markdown", grid()).split("\n") == [
        "# demo",
        "",
        "| ranking, over | r_precision/exact | r_precision/approximate |",
        "| --- | ---: | ---: |",
        "| a, x | **0.312** (0.31) | 0.500 |",
        "| a, y | 0.250 (0.30) | - |",
        "",
        "- In brackets: published values (the paper, table 1).",
        "- r_precision/exact: 2 cells compared with published values; mean absolute difference 0.026; "
        "Spearman correlation 1.000",
        r"- r_precision/exact: r_precision\|match:exact",
        r"- r_precision/approximate: r_precision\|match:approximate",
        "- 1 document without gold",
        "- 1 document failed:",
        "  - 7 (ranking): boom",
        "",
    ]


def test_markdown_rounds_once_and_half_to_even():
    """0.3125 has an exact half in its last place: 0.312; digits can be chosen."""
    assert "**0.3125** (0.31)" in shown("markdown", grid(), digits=4)
    assert "**0.3** (0.3)" in shown("markdown", grid(), digits=1)


def test_markdown_shows_hostile_names_as_they_are():
    """No HTML, no broken table, no link, no colour code."""
    text = shown("markdown", hostile())
    row = next(line for line in text.split("\n") if line.startswith("| ") and "script" in line)
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    assert row.startswith(r"| &lt;script&gt;a\|b&amp;c_d%e\$#{}\~^\\\*\[x\](y)\`\\x1b\[31m next | 0.500 |")
    assert "<" not in text and "\x1b" not in text


def test_latex_is_this_table():
    """Booktabs rules, best in bold, special characters escaped."""
    assert shown("latex", grid()).split("\n")[:15] == [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering\footnotesize\setlength{\tabcolsep}{4pt}",
        r"  \caption{demo}\label{tab:demo}",
        r"  \begin{tabular}{@{}lrr@{}}",
        r"    \toprule",
        r"     & \multicolumn{2}{c}{r\_precision} \\",
        r"    \cmidrule(lr){2-3}",
        r"    ranking, over & exact & approximate \\",
        r"    \midrule",
        r"    a, x & \textbf{0.312} (0.31) & 0.500 \\",
        r"    a, y & \underline{0.250} (0.30) & - \\",
        r"    \bottomrule",
        r"  \end{tabular}",
        r"  \par\smallskip\parbox{\linewidth}{\raggedright\scriptsize "
        r"In brackets: published values (the paper, table 1).}",
    ]


def test_latex_escapes_hostile_names():
    """Every special character by its command; braces stay balanced."""
    text = shown("latex", hostile())
    assert (
        r"\textless{}script\textgreater{}a\textbar{}b\&c\_d\%e\$\#\{\}\textasciitilde{}\textasciicircum{}"
        r"\textbackslash{}{*}{[}x](y)`\textbackslash{}x1b{[}31m next & 0.500 \\"
    ) in text
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert re.search(r"(?<!\\)[%#$^~]", text.split("\n", 1)[1]) is None


def test_a_label_at_the_beginning_of_a_row_is_no_argument_of_the_row_before():
    r"""`\\[x]` and `\\*` mean something to LaTeX."""
    cells = (Cell("[2cm]", {}, ()), Cell("*", {}, ()))
    text = shown("latex", Summary("s", (EXACT,), cells))
    assert "    {[}2cm] & - \\\\\n    {*} & - \\\\\n" in text


def test_a_single_cell_is_not_called_the_best():
    """There is nothing that it is better than."""
    assert "**" not in shown("markdown", Summary("s", (EXACT,), (cell("only", 0.5, None),)))


def test_equal_values_are_all_the_best():
    """No order of cells decides."""
    summary = Summary("s", (EXACT,), (cell("a", 0.5, None), cell("b", 0.5, None), cell("c", 0.4, None)))
    assert shown("markdown", summary).count("**0.500**") == 2


def test_no_cells_make_a_short_report():
    """Said in words, and valid in every format."""
    summary = Summary("none", (EXACT,), ())
    assert shown("markdown", summary) == "# none\n\nNo cell was run.\n"
    assert shown("csv", summary) == f"cell,documents,keyphrases,{EXACT},signature:{EXACT}\n"
    assert json.loads(shown("json", summary))["agreement"] == {}


def test_cells_of_the_same_alternatives_are_told_apart_by_name():
    """Labels are never ambiguous."""
    cells = (Cell("one", {"ranking": "a"}, ()), Cell("two", {"over": "a"}, ()))
    text = shown("markdown", Summary("s", (EXACT,), cells))
    assert "| cell |" in text and "| one |" in text and "| two |" in text


def test_cells_with_other_recipes_are_named_in_the_footnote():
    """A column may hold numbers that were made in two ways."""
    cells = (Cell("a", {}, (score(EXACT, 0.1, "v1"),)), Cell("b", {}, (score(EXACT, 0.2, "v2"),)))
    text = shown("markdown", Summary("s", (EXACT,), cells))
    assert r"- r_precision/exact \[a\]: v1" in text
    assert r"- r_precision/exact \[b\]: v2" in text


def test_recipes_that_differ_only_in_the_hash_of_the_spec_share_a_footnote():
    """Every cell has its own; the table says so, CSV and JSON have each of them."""
    cells = tuple(Cell(n, {}, (score(EXACT, 0.1, f"r|match:exact|spec:{n}7|kpframe:1"),)) for n in "abc")
    summary = Summary("s", (EXACT,), cells)
    assert shown("markdown", summary).endswith(
        "\n- r_precision/exact: r\\|match:exact\\|spec:(one a cell)\\|kpframe:1\n"
    )
    assert "spec:b7" in shown("csv", summary) and "spec:c7" in shown("json", summary)
    assert "spec:a7" in shown("markdown", Summary("s", (EXACT,), cells[:1]))


def test_a_document_that_fails_in_many_cells_is_one_document():
    """Counted once, with how often it failed."""
    failures = tuple({"id": "d", "stage": "ranking", "error": "boom", "cell": c} for c in "abc")
    text = shown("markdown", Summary("s", (), (), "", failures))
    assert text.endswith("- 1 document failed:\n  - d (ranking): boom \\[3 times\\]\n")


def test_only_the_first_failures_are_shown_but_all_are_counted():
    """Five, and how many more."""
    failures = tuple({"id": str(i), "stage": "chunk", "error": "two\nlines"} for i in range(8))
    text = shown("markdown", Summary("s", (), (), "", failures))
    assert "- 8 documents failed:\n  - 0 (chunk): two lines\n" in text
    assert "  - 4 (chunk): two lines\n  - ... and 3 more\n" in text


@pytest.mark.parametrize("kind", kinds("reports"))
def test_a_report_writes_the_files_that_it_names(kind, tmp_path):
    """By their names a spec is refused in which two reports write the same one."""
    cls = lookup("reports", kind)
    cls().write(grid(), tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == set(cls.files)
