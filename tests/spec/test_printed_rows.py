"""Rows of publications below those of a run: found in their files, checked before anything runs, marked."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import kpframe
from kpframe import Document, Gold
from kpframe.display import html
from kpframe.errors import SpecError
from kpframe.files.resources import resource_path
from kpframe.runs.beside import read_summary
from kpframe.spec import build
from kpframe.spec.printed import printed_rows
from kpframe.spec.values import PrintedRows

ROWS: dict[str, Any] = {
    "resource": "reference/yuan2020",
    "where": {"table": 2, "dataset": "Inspec"},
    "columns": {"f1@5/exact": "f1@5", "f1@10/exact": "f1@10"},
    "source": "Yuan et al. (2020), table 2",
}


def tree(printed: Any, **more: Any) -> dict[str, Any]:
    """A small grid with rows of publications."""
    return {
        "name": "beside",
        "documents": {"kind": "jsonl", "path": "corpus.jsonl"},
        "preprocessing": ["simple"],
        "candidates": "tokens",
        "ranking": "frequency",
        "metrics": ["f1@5", "f1@10"],
        "matching": ["exact"],
        "printed": printed,
        **more,
    }


def problems(printed: Any) -> list[str]:
    """What is wrong with them."""
    with pytest.raises(SpecError) as raised:
        build({name: value for name, value in tree(printed).items() if name != "documents"}, purpose="check")
    return [f"{p.place}: {p.problem}" for p in raised.value.problems]


def test_rows_are_those_of_the_table() -> None:
    """CatSeqD on Inspec has .276 at 5 and .333 at 10 (table 2); who has no value there has no row."""
    found = {row.system: row.values for row in printed_rows(PrintedRows(**ROWS))}
    assert found["CatSeqD"] == {"f1@5/exact": 0.276, "f1@10/exact": 0.333}
    assert found["catSeqTG-2RF1 (Chan et al.)"] == {"f1@5/exact": 0.253}
    assert not any(name.startswith("CorrRNN") for name in found)  # a dash for Inspec


@pytest.mark.parametrize(
    ("resource", "where", "column", "values"),
    [
        # Yuan et al.: table 3, CatSeqD, absent R@10; table 4, top beam; table 5, coverage; table 6, R@50.
        ("yuan2020", {"table": 3, "system": "CatSeqD", "subset": "absent"}, "recall@10", [0.548]),
        ("yuan2020", {"table": 4, "system": "CatSeq, top beam", "dataset": "KP20k"}, "f1@M", [0.251]),
        ("yuan2020", {"table": 5, "system": "CatSeq + Sem. Cov.", "dataset": "NUS"}, "f1@O", [0.402]),
        ("yuan2020", {"table": 6, "system": "CopyRNN*"}, "recall@50", [0.087, 0.083, 0.081, 0.081, 0.026]),
        # Kundu et al., table 4: T5 on KP20k, present.
        ("kundu2023", {"system": "T5", "dataset": "KP20k", "subset": "present"}, "f_kmr@M", [0.415]),
        ("kundu2023", {"system": "T5", "dataset": "KP20k", "subset": "present"}, "ece", [0.3697]),
    ],
)
def test_figures_are_those_that_are_printed(
    resource: str, where: dict[str, Any], column: str, values: list[float]
) -> None:
    """One of each table, read off the page."""
    rows = PrintedRows(resource=f"reference/{resource}", where=where, columns={"x": column}, source="s")
    assert [row.values["x"] for row in printed_rows(rows)] == values


@pytest.mark.parametrize("name", ["yuan2020", "kundu2023"])
def test_all_values_are_shares(name: str) -> None:
    """Papers print percent; here 0 … 1, and no row is empty."""
    with resource_path(f"reference/{name}").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = [
                float(v) for k, v in row.items() if v and k not in ("table", "dataset", "subset", "system")
            ]
            assert values and all(0 <= value <= 1 for value in values), row


def test_what_is_wrong_is_told_before_anything_runs() -> None:
    """The column of the run, the column and the row of the file, and parameters."""
    assert problems({**ROWS, "columns": {"f1@6/exact": "f1@5"}}) == [
        "spec: printed.columns: f1@6/exact is no column"
    ]
    (told,) = problems({**ROWS, "columns": {"f1@5/exact": "f1"}})
    assert "yuan2020.csv has no column 'f1'" in told
    (told,) = problems([{**ROWS, "where": {"dataset": "Inspek"}}])
    assert told.startswith("spec: printed.0:") and "has no row with dataset: Inspek" in told
    assert problems({**ROWS, "resource": None}) == ["spec: printed: needs either `resource` or `path`"]
    assert "unknown parameter" in problems({**ROWS, "wher": {}})[0]
    assert problems({**ROWS, "resource": None, "path": "no.csv"}) == [
        "spec: printed.path: there is no such file"
    ]


def test_a_value_that_is_no_number_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its line; an empty one is none."""
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text("system,f\nA,0.3\nB,\nC,30 %\n", encoding="utf-8")
    own = {"path": "own.csv", "columns": {"f1@5/exact": "f"}, "source": "ours"}
    (told,) = problems(own)
    assert "own.csv:4 f: '30 %' is no number" in told
    Path("own.csv").write_text("system,f\nA,0.3\nB,\n", encoding="utf-8")
    assert [row.system for row in printed_rows(PrintedRows(**own))] == ["A"]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("A,45.6", "own.csv:2 f: 45.6 is out of bounds, as f1@5/exact lies in 0 … 1; write .456, if it is a"),
        ("A,100", "own.csv:2 f: 100 is out of bounds, as f1@5/exact lies in 0 … 1; write 1, if it is a"),
        ("A,0.5\nB,-0.2", "own.csv:3 f: -0.2 is out of bounds, as f1@5/exact lies in 0 … 1; correct it, or"),
        ("A,456", "own.csv:2 f: 456 is out of bounds, as f1@5/exact lies in 0 … 1; correct it, or leave it"),
        ("A,inf", "own.csv:2 f: 'inf' is no number; correct it, or leave it empty"),
        (",0.5", "own.csv:2 the NAME is empty; name the NAME, or remove the row"),
        ('"A\nB",0.5\n  ,0.5', "own.csv:4 the NAME is empty; name the NAME, or remove the row"),
    ],
)
@pytest.mark.parametrize("name", ["system", "cell"])
def test_what_no_measure_has_and_who_has_no_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str, told: str, name: str
) -> None:
    """Percentages copied from a paper, and rows of nobody: in `printed`, and in `reference` too."""
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text(f"{name},f\n{rows}\n", encoding="utf-8")
    own = {"path": "own.csv", "columns": {"f1@5/exact": "f"}, "source": "ours"}
    given = tree(own) if name == "system" else tree([], reference=own)
    with pytest.raises(SpecError) as raised:
        build({name: value for name, value in given.items() if name != "documents"}, purpose="check")
    assert told.replace("NAME", name) in str(raised.value)


def test_columns_without_bounds_take_any_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the number of keyphrases, and rows that `where` leaves out are not looked at."""
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text("system,t,n\nA,1,45.6\n,2,x\n", encoding="utf-8")
    own = {"path": "own.csv", "columns": {"number@hit/exact": "n"}, "source": "ours", "where": {"t": 1}}
    given = tree([own], metrics=["number@hit"])
    build({name: value for name, value in given.items() if name != "documents"}, purpose="check")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("system,f\nMüller,0.5\n".encode("latin-1"), "own.csv is no UTF-8"),
        (b"system,f\n" + b"x" * 200_000 + b",0.5\n", "own.csv is no CSV (field larger than"),
        (b"system,f\nA\n", ""),
        (b"system,f\n", "own.csv has no row"),
    ],
)
def test_files_that_are_no_tables_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, told: str
) -> None:
    """No traceback; a short row has no value."""
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_bytes(content)
    own: dict[str, Any] = {"path": "own.csv", "columns": {"f1@5/exact": "f"}, "source": "ours"}
    before = csv.field_size_limit(1 << 17)
    try:
        if told:
            (line,) = problems(own)
            assert told in line
        else:
            assert list(printed_rows(PrintedRows(**own))) == []
    finally:
        csv.field_size_limit(before)


@pytest.mark.slow
def test_they_stand_below_and_are_never_the_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In all tables of a run, in what is read back of it, and in the spec that repeats it; not in csv."""
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text("", encoding="utf-8")
    documents = [Document("d", "Dock workers strike.", gold=(Gold(("dock workers",)),))]
    kundu = {"resource": "reference/kundu2023", "where": {"dataset": "Inspec", "subset": "present"}}
    rows = [ROWS, {**kundu, "columns": {"f1@5/exact": "f1@5"}, "source": "Kundu et al. (2023), table 4"}]
    spec = build(tree(rows, reports=["console", "json", "csv", "markdown", "latex"]))
    made = kpframe.Experiment(spec).run(out=tmp_path / "out", documents=documents)
    printed = [line for line in made.text.splitlines() if "CatSeqD (printed 1)" in line]
    assert printed and "0.276'" in printed[0] and "*" not in printed[0]
    assert "' printed 2 in Kundu et al. (2023), table 4: not computed here" in made.text
    assert "| T5 (printed 2) | 0.287† | - |" in (tmp_path / "out/summary.md").read_text(encoding="utf-8")
    assert "T5 (printed 2) & 0.287$^\\dagger$ & -" in (tmp_path / "out/summary.tex").read_text(
        encoding="utf-8"
    )
    assert "CatSeq" not in (tmp_path / "out/summary.csv").read_text(encoding="utf-8")
    assert "CatSeqD (printed)" in html(made.summary)
    assert read_summary(tmp_path / "out") == made.summary
    assert json.loads((tmp_path / "out/summary.json").read_text())["printed"][-1]["system"] == "T5"
    again = build(spec.resolved, purpose="read")
    assert [one.source for one in again.printed] == [row["source"] for row in rows]
