"""`kpframe score --out`: predictions of several programs as a run like any other; runs over other data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

GOLD = {"d1": ["dock workers"], "d2": ["ferry", "inquiry"]}
TEXTS = {"d1": "Dock workers strike.", "d2": "A ferry inquiry begins."}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gold with texts, and two programs' predictions in two formats."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    rows = ({"id": id, "text": TEXTS[id], "gold": gold} for id, gold in GOLD.items())
    Path("gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    Path("bare.tsv").write_text("d1\tdock workers\nd2\tferry;inquiry\n", encoding="utf-8")
    Path("a.tsv").write_text("d1\tdock workers\nd2\tferry;wages\n", encoding="utf-8")
    Path("b.jsonl").write_text('{"d1": [["strike", 0.1], ["dock workers", 0.4]]}\n', encoding="utf-8")


SCORE = [
    "score",
    "--gold",
    "gold.jsonl",
    "--predictions",
    "a.tsv",
    "--predictions",
    "b.jsonl",
    "--better",
    "lower",
]


def test_two_files_make_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    """With all that runs have; what is missing counts as nothing and is told."""
    done = run(capsys, *SCORE, "--names", "mine,theirs", "--out", "runs/two", "--metric", "precision@1")
    assert done.status == 1
    assert (done.out + done.err).count("theirs: no prediction for 1 of 2 documents") == 1
    found = json.loads(Path("runs/two/summary.json").read_text(encoding="utf-8"))
    values = {c["name"]: c["scores"][0]["value"] for c in found["cells"]}
    assert values == {"mine": 1.0, "theirs": 0.0}
    assert "theirs: no prediction for 1 of 2 documents (nothing was predicted for them)" in found["notes"]
    for name in ("report.html", "summary.tex", "summary.csv", "gold.jsonl"):
        assert (Path("runs/two") / name).is_file()


def test_an_order_of_scores_that_no_system_has_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """And is not where one of them has scores."""
    notice = "--better lower has no effect: the predictions have no scores"
    alone = run(capsys, *SCORE[:5], "--better", "lower", "--out", "runs/one", "--metric", "precision@1")
    assert alone.status == 0 and notice in alone.err
    both = run(capsys, *SCORE, "--out", "runs/two", "--metric", "precision@1")
    assert "has no effect" not in both.err


@pytest.mark.slow
def test_where_nothing_is_missing_the_status_is_0(capsys: pytest.CaptureFixture[str]) -> None:
    """And where something is, a quiet command tells all of it."""
    Path("b.jsonl").write_text('{"d1": ["strike"], "d9": ["x"]}\n', encoding="utf-8")
    assert run(capsys, *SCORE[:5], "--out", "runs/whole").status == 0
    done = run(capsys, *SCORE, "--out", "runs/two", "-q")
    known = run(capsys, *SCORE, "--missing", "empty", "--out", "runs/known", "-q")
    assert (known.status, known.err) == (0, "")
    one, two = done.err.splitlines()
    assert one.startswith("error: skipped: 2 things, the first: b: no prediction for 1 of 2 documents (")
    assert two == "error: skipped: b: 1 predictions are of no document of the corpus, as 'd9'"
    assert done.status == 1


def test_its_scores_are_those_that_score_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """For the same file and measures."""
    run(capsys, *SCORE, "--out", "runs/two")
    found = json.loads(Path("runs/two/summary.json").read_text(encoding="utf-8"))
    printed = run(capsys, "score", "--gold", "gold.jsonl", "--predictions", "a.tsv", "--format", "json").out
    assert [(s["metric"], s["matching"], s["value"]) for s in json.loads(printed)] == [
        (s["metric"], s["matching"], s["value"]) for s in found["cells"][0]["scores"]
    ]
    assert [cell["name"] for cell in found["cells"]] == ["a", "b"]


def test_the_run_can_be_compared_analysed_and_exported(capsys: pytest.CaptureFixture[str]) -> None:
    """Also when the files of predictions are gone."""
    run(capsys, *SCORE, "--out", "runs/two")
    Path("a.tsv").unlink()
    for command in (
        ("compare", "runs/two"),
        ("analyse", "runs/two"),
        ("report", "runs/two", "--out", "page.html"),
        ("export", "runs/two", "--to", "trec", "--out", "trec"),
        ("export", "runs/two", "--to", "csv", "--out", "csv"),
    ):
        assert run(capsys, *command).status == 0, command


def test_gold_without_texts_is_kept_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """As `score` without `--out` does; the signature says it."""
    command = ["score", "--gold", "bare.tsv", "--predictions", "a.tsv", "--out", "runs/bare"]
    assert run(capsys, *command).status == 0
    found = json.loads(Path("runs/bare/summary.json").read_text(encoding="utf-8"))
    score = found["cells"][0]["scores"][0]
    assert score["value"] == 0.75 and "absent:keep" in score["signature"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ((), "--predictions: are several; give --out DIR"),
        (("--out", "r", "--names", "one"), "--names: names 1 systems, and there are 2 files"),
        (("--out", "r", "--names", "one,one"), "--names: are not distinct"),
        (("--out", "r", "--per-document", "x.csv"), "--per-document: has no effect with --out"),
        (("--out", "r", "--format", "json"), "--format: has no effect with --out"),
        (("--out", "r", "--missing", "error"), "b: b.jsonl: has no prediction for 1 of 2 documents: 'd2'"),
    ],
)
def test_what_cannot_be_is_told(capsys: pytest.CaptureFixture[str], more: tuple[str, ...], told: str) -> None:
    """Each with its option or file."""
    done = run(capsys, *SCORE, *more)
    assert done.status != 0 and told in done.err


@pytest.mark.slow
def test_runs_over_other_data_share_a_page_and_no_winner(capsys: pytest.CaptureFixture[str]) -> None:
    """`report A B` is a table of data sets; `compare --same-cells` says that nothing can be compared."""
    run(capsys, *SCORE, "--out", "runs/first")
    Path("gold.jsonl").write_text('{"id": "x", "text": "A mill.", "gold": ["mill"]}\n', encoding="utf-8")
    Path("a.tsv").write_text("x\tmill\n", encoding="utf-8")
    run(capsys, "score", "--gold", "gold.jsonl", "--predictions", "a.tsv", "--out", "runs/second")
    done = run(capsys, "report", "runs/first", "runs/second", "--out", "page.html")
    assert done.status == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert 'template data-dataset="first"' in page and 'template data-dataset="second"' in page
    pytest.importorskip("vl_convert", reason="needs vl-convert-python (pip install 'kpframe[figures]')")
    done = run(capsys, "report", "runs/first", "runs/second", "--out", "page.html", "--figures", "figures")
    assert done.status == 0
    there = {str(path.relative_to("figures")) for path in Path("figures").rglob("*.*")}
    assert {"across-r-precision-exact.svg", "across-r-precision-exact.pdf", "across-1.tex"} <= there
    assert {"across.csv", "first/scores.tex", "second/scores.tex"} <= there
    chart = Path("figures/across-r-precision-exact.svg").read_text(encoding="utf-8")
    assert all(f">{says}</text>" in chart for says in ("first", "second", "a", "b", "1.000"))
    done = run(capsys, "compare", "runs/first", "runs/second", "--same-cells")
    assert done.status != 0 and "over different documents" in done.err
