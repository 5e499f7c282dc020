"""`kpframe annotate`: sheets out of runs, and what came back."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from kpframe import Document, Gold
from kpframe.analysis.sheets import read_table
from kpframe.commands import prepare
from kpframe.commands.annotate import Options, execute
from kpframe.engine.experiment import Experiment
from kpframe.errors import DataError

SPEC = """\
name: birds
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
sweep:
  candidates:
    tokens: tokens
    bigrams: {kind: ngrams, min: 2, max: 2}
ranking: frequency
reports: [json]
"""
TEXT = "Kites, kites and a kite. The grey heron and white storks. Blue owls, =1+1 owls."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a finished run in `out`."""
    monkeypatch.chdir(tmp_path)
    gold = (Gold(("kite",)), Gold(("grey heron",)), Gold(("storks",)), Gold(("owls",)))
    documents = [Document(f"d{i}", f"{TEXT} {i}", gold=gold) for i in range(3)]
    lines = [json.dumps(document.to_json()) + "\n" for document in documents]
    Path("corpus.jsonl").write_text("".join(lines))
    Path("spec.yaml").write_text(SPEC)
    Experiment.load("spec.yaml").run(out="out", cache="cache")
    return tmp_path


def sample(**options: Any) -> int:
    """`annotate sample` with the defaults of the command line."""
    prepare(quiet=False)
    return execute(Options(action="sample", **{"files": ("out",), **options}))


def agreement(*files: str, **options: Any) -> int:
    """`annotate agreement`."""
    return execute(Options(action="agreement", files=files, **options))


def judged(name: str, answers: dict[str, str], delimiter: str = ";") -> str:
    """The sheet as a judge saves it, the answers by predicted phrase (`*`: all others)."""
    table = read_table("sheet.csv", ("item", "judgement"))
    with Path(name).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(table.columns)
        for _, row in table.rows:
            answer = answers.get(row["predicted"].lower(), answers["*"])
            writer.writerow([*list(row.values())[:-1], answer])
    return name


def test_a_sheet_hides_what_the_key_tells(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same items in both; the terminal tells judges what to do."""
    assert sample() == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "wrote sheet.csv: 15 items (Includes 9, PartOf 3, Morph 3)"
    assert lines[1] == "wrote sheet.key.csv: the categories; keep it from the judges"
    assert "write yes if `predicted` may stand in place of `gold`, no if not or if in doubt" in lines[2]
    assert err.splitlines() == [
        "Includes: 100 asked for, 9 found; all are taken",
        "PartOf: 100 asked for, 3 found; all are taken",
        "Morph: 100 asked for, 3 found; all are taken",
    ]
    sheet, key = read_table("sheet.csv"), read_table("sheet.key.csv")
    assert sheet.columns == ("item", "document", "context", "predicted", "gold", "judgement")
    assert key.columns == ("item", "category", "document", "predicted", "gold", "cells")
    assert {row["judgement"] for _, row in sheet.rows} == {""}
    assert {row["item"] for _, row in sheet.rows} == {row["item"] for _, row in key.rows}
    assert "Includes" not in Path("sheet.csv").read_text() and "tokens" not in Path("sheet.csv").read_text()
    cells = {(row["category"], row["cells"]) for _, row in key.rows}
    assert cells == {("Includes", "birds/bigrams"), ("PartOf", "birds/tokens"), ("Morph", "birds/tokens")}


def test_the_same_seed_writes_the_same_bytes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And another seed another sheet."""
    for out, seed in (("a", 1), ("b", 1), ("c", 2)):
        sample(out=f"{out}/sheet.csv", seed=seed, per_category=2)
    for name in ("sheet.csv", "sheet.key.csv"):
        a, b, c = (Path(out, name).read_bytes() for out in "abc")
        assert a == b != c
    assert capsys.readouterr().err == ""


def test_existing_sheets_are_kept(folder: Path) -> None:
    """Nothing is written if either file exists."""
    Path("sheet.key.csv").write_text("mine")
    with pytest.raises(DataError) as error:
        sample()
    assert str(error.value) == "sheet.key.csv: exists already; choose another --out, or remove it"
    assert not Path("sheet.csv").exists()


def test_a_run_without_near_misses_makes_no_sheet(folder: Path) -> None:
    """An empty sheet would help nobody."""
    lines = [json.dumps(Document("d", "A kite.", gold=(Gold(("kite",)),)).to_json()) + "\n"]
    Path("corpus.jsonl").write_text("".join(lines))
    Experiment.load("spec.yaml", settings=["name=exact"]).run(out="exact", cache="cache")
    with pytest.raises(DataError) as error:
        sample(files=["exact"], cells=["tokens"])
    assert str(error.value) == (
        "runs: there is no non-exact matching to judge; give runs with gold keyphrases"
    )


def test_agreement_from_sheets_to_table_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each three documents, Morph: four yes; PartOf: two; Includes: three, none and two.

    Includes: P = (1/2 + 1 + 1/3) / 3, Pe = (15² + 21²) / 36², alpha = 1 - 35 · 14 / 630, by hand.
    """
    sample()
    capsys.readouterr()
    includes = {"white storks": "yes", "blue owls": "no"}
    files = [
        judged("ann.csv", {"*": "yes", **includes}),
        judged("bob.csv", {"*": "YES", **includes}, ","),
        judged("cle.csv", {"*": "no", "kites": "yes", **includes}, "\t"),
        judged("dan.csv", {"*": "no", "kites": "yes"}),
    ]
    assert agreement(*files, key="sheet.key.csv") == 0
    out = capsys.readouterr().out
    assert [line.split() for line in out.splitlines()[1:6]] == [
        ["Includes", "9", "9", "0.00", "0.33", "0.611", "0.200", "0.222"],
        ["PartOf", "3", "3", "0.00", "0.00", "0.333", "-0.333", "-0.222"],
        ["Morph", "3", "3", "1.00", "1.00", "1.000", "–", "–"],
        ["Morph+Includes", "12", "12", "0.25", "0.50", "0.708", "0.407", "0.420"],
        ["all", "15", "15", "0.20", "0.40", "0.633", "0.259", "0.272"],
    ]
    assert out.splitlines()[0].split() == [
        "category", "items", "judged", "by", "all", "all", "4", "≥", "3", "observed", "kappa", "alpha",
    ]  # fmt: skip
    assert "Morph, kappa: undefined, all labels are the same, so that agreement cannot be told" in out
    assert "blank" not in out


def test_blanks_are_counted_and_the_rest_is_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In JSON with all counts; without a key there is one row."""
    sample()
    files = [judged("ann.csv", {"*": "yes", "kites": ""}), judged("bob.csv", {"*": "yes", "grey": "no"})]
    capsys.readouterr()
    agreement(*files)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [
        "ann: 3 of 15 items left blank",
        "no categories: give the key of the sheet by --key",
    ]
    agreement(*files, key="sheet.key.csv", format="json")
    made = json.loads(capsys.readouterr().out)
    assert (made["judges"], made["blanks"]) == (["ann", "bob"], {"ann": 3, "bob": 0})
    rows = {row["category"]: row for row in made["categories"]}
    assert list(rows) == ["Includes", "PartOf", "Morph", "Morph+Includes", "all"]
    assert (rows["all"]["items"], rows["all"]["judged_by_all"]) == (15, 12)
    assert rows["Morph"]["shares"]["all"] == {"judges": 2, "share": None}
    assert rows["Morph"]["fleiss_kappa"] == {
        "value": None,
        "items": 0,
        "reason": "no item was judged by all judges",
    }


def test_wrong_answers_name_file_and_line(folder: Path) -> None:
    """With what to write instead."""
    sample(per_category=1)
    files = [judged("ann.csv", {"*": "yes"}), judged("bob.csv", {"*": "maybe"})]
    with pytest.raises(DataError) as error:
        agreement(*files, key="sheet.key.csv")
    assert sorted(str(error.value).splitlines()) == [
        f"bob.csv:{line}: the judgement 'maybe' is not known; write yes or no, or leave it empty"
        for line in (2, 3, 4)
    ]
