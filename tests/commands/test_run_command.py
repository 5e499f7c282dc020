"""`kpframe run`, `check` and `train`: experiments from the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from command_line import FAST, run

from kpframe.files.resources import shipped_specs
from kpframe.spec import build
from kpframe.spec.strict_yaml import Positions, read_yaml

pytestmark = pytest.mark.slow

DEMO = f"{FAST}documents: {{kind: jsonl, resource: corpora/demo}}\n"
GRID = """\
extends: demo.yaml
name: grid
ranking: null
sweep: {ranking: {frequency: frequency, position: position}}
"""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a pipeline, the same with documents, and a grid."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    monkeypatch.delenv("KPFRAME_DATA", raising=False)
    for name, text in (("fast.yaml", FAST), ("demo.yaml", DEMO), ("grid.yaml", GRID)):
        Path(name).write_text(text)


def test_a_run_prints_its_table_and_says_where_its_results_lie(capsys: pytest.CaptureFixture[str]) -> None:
    """The table on standard output, the rest beside it."""
    status, out, err = run(capsys, "run", "grid.yaml", "--limit", "4")
    assert status == 0
    assert out.splitlines()[0] == "grid"
    assert "| frequency |" in out
    assert "4 documents evaluated" in out
    assert err.splitlines()[-2:] == ["results: runs/grid", "open in a browser: runs/grid/report.html"]
    assert "<title>grid" in Path("runs/grid/report.html").read_text(encoding="utf-8")
    with Path("runs/grid/summary.csv").open(newline="") as file:
        assert [row["cell"] for row in csv.DictReader(file)] == ["frequency", "position"]
    assert json.loads(Path("runs/grid/summary.json").read_text())["name"] == "grid"


def test_summary_json_is_there_in_any_case_and_told_where_it_is_wanted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What reads a run depends on it."""
    for wanted, told in (("[csv, json]", True), ("[csv]", False)):
        words = ("--set", f"reports={wanted}", "--limit", "4", "--no-page", "--out", f"r{told}")
        done = run(capsys, "run", "grid.yaml", *words)
        assert done.status == 0 and ("summary.json" in done.out) is told
        assert json.loads(Path(f"r{told}/summary.json").read_text())["name"] == "grid"


def test_a_run_can_go_without_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    """And leaves no older one that says something else."""
    run(capsys, "run", "grid.yaml", "--limit", "4", "--quiet")
    assert (
        run(capsys, "run", "grid.yaml", "--limit", "3", "--no-page").err.splitlines()[-1]
        == "results: runs/grid"
    )
    assert not Path("runs/grid/report.html").exists()


def test_a_run_saves_what_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    """A flag wins over the file, and the saved spec says so and can be run."""
    arguments = ("--limit", "2", "--out", "out", "--set", "candidates.max=1", "--quiet")
    assert run(capsys, "run", "demo.yaml", *arguments).status == 0
    saved = read_yaml(Path("out/resolved.yaml"), Positions())
    assert saved["candidates"]["max"] == 1
    assert build(saved).configurations[0].selection.to_spec()["max"] == 1


def test_running_again_goes_on_and_ends_with_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """Also after a cell was lost."""
    run(capsys, "run", "grid.yaml", "--limit", "3", "--quiet")
    first = {path: path.read_bytes() for path in Path("runs/grid/cells").rglob("*.json*")}
    Path("runs/grid/cells/position/scores.jsonl").unlink()
    assert run(capsys, "run", "grid.yaml", "--limit", "3", "--quiet").status == 0
    assert {path: path.read_bytes() for path in Path("runs/grid/cells").rglob("*.json*")} == first


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the reports remain."""
    assert run(capsys, "run", "demo.yaml", "--limit", "2", "--quiet").err == ""


def test_a_failed_document_is_shown_and_the_status_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    """The others are evaluated."""
    Path("in.jsonl").write_text(
        '{"id": "good", "text": "green energy", "gold": ["green"]}\n'
        '{"id": "bad", "text": "机器学习是人工智能的一个分支。", "gold": ["机器"]}\n'
    )
    status, out, _ = run(
        capsys, "run", "demo.yaml", "--set", "documents={kind: jsonl, path: in.jsonl}", "--out", "out"
    )
    assert status == 1
    assert "1 document failed:" in out
    assert "bad (preprocessing): " in out


def test_an_empty_corpus_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A table of nothing would look like a result."""
    Path("in.jsonl").write_text("\n")
    result = run(capsys, "run", "demo.yaml", "--set", "documents={kind: jsonl, path: in.jsonl}")
    assert (result.status, result.out) == (2, "")
    assert result.err == (
        "error: documents: there is nothing to evaluate (read: 0 documents, skipped: 0 things); "
        "check the path, the split and --limit\n"
    )


@pytest.mark.parametrize(
    "make", [lambda p: p.write_text("x"), lambda p: (p.mkdir(), (p / "x").write_text(""))]
)
def test_results_never_overwrite_what_is_not_theirs(make, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    """A file, or a folder with other things in it."""
    make(Path("out"))
    result = run(capsys, "run", "demo.yaml", "--limit", "2", "--out", "out")
    assert result.status == 2
    assert result.err.startswith("error: out: ")
    assert result.err.endswith("choose another --out folder\n")


def test_a_folder_belongs_to_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Told by its name."""
    run(capsys, "run", "demo.yaml", "--limit", "2", "--out", "out")
    result = run(capsys, "run", "grid.yaml", "--limit", "2", "--out", "out")
    assert result == (
        2, "", "error: out: holds the results of another run, 'fast'; choose another --out folder\n"
    )  # fmt: skip


@pytest.mark.parametrize("command", ["run", "check"])
def test_everything_that_is_wrong_is_told_at_once(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A line each, status 2, nothing written."""
    Path("bad.yaml").write_text(
        "extends: demo.yaml\nrankng: x\nranking: {kind: cooccurrence, windw: 2}\ncandidates: {max: 0}\n"
        "documents: {kind: text, path: nowhere}\n"
    )
    status, out, err = run(capsys, command, "bad.yaml")
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "error: bad.yaml:2: rankng: unknown key; did you mean 'ranking'?",
        "error: bad.yaml:5: documents.path: 'nowhere' does not exist; correct the path",
        "error: bad.yaml:4: candidates.max: must be at least 1 (given: 0); "
        "it means: Most tokens of an n-gram.",
        "error: bad.yaml:3: ranking.windw: unknown parameter; did you mean 'window'?",
    ]
    assert not Path("runs").exists()


def reads_no_corpus(spec: Path) -> bool:
    """Whether a spec can be checked where no corpus is."""
    return not spec.stem.startswith("zesch2009") and "KPFRAME_DATA" not in spec.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name, path in shipped_specs().items() if reads_no_corpus(path)])
def test_every_shipped_spec_passes_the_check(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without any corpus."""
    status, out, err = run(capsys, "check", name)
    assert (status, out) == (0, "")
    assert err.startswith(f"{name}: no problems (")


def test_the_check_says_what_it_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """How many configurations, or that it is for `extract`."""
    assert run(capsys, "check", "fast.yaml").err == (
        "fast.yaml: no problems (a pipeline without documents: for extract)\n"
    )
    assert run(capsys, "check", "demo.yaml").err == "demo.yaml: no problems (1 configuration)\n"
    assert run(capsys, "check", "grid.yaml").err == "grid.yaml: no problems (2 configurations)\n"
    assert run(capsys, "check", "grid.yaml", "--quiet") == (0, "", "")


def test_the_resolved_spec_is_yaml_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """It can be sent to a file and run."""
    result = run(capsys, "check", "demo.yaml", "--resolved", "--set", "ranking.normalize=true")
    Path("resolved.yaml").write_text(result.out)
    tree = read_yaml(Path("resolved.yaml"), Positions())
    assert tree["ranking"] == {"kind": "frequency", "normalize": True}
    assert run(capsys, "check", "resolved.yaml", "--resolved").out == result.out


def test_a_missing_corpus_names_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    """`--data`, which then is looked into."""
    result = run(capsys, "check", "zesch2009-inspec")
    assert result.status == 2
    assert "give --data DIR or set KPFRAME_DATA to the folder of the corpora" in result.err
    result = run(capsys, "check", "zesch2009-inspec", "--data", "nowhere")
    assert result.status == 2
    assert "nowhere/Hulth2003.tar.gz" in result.err


def test_a_model_is_trained_saved_and_used(capsys: pytest.CaptureFixture[str]) -> None:
    """On the training part; what is asked for later is not frozen into it."""
    status, out, err = run(capsys, "train", "kea", "--out", "new/model.json", "--limit", "12")
    assert (status, out) == (0, "")
    assert err.splitlines()[-1] == "trained on 8 documents; model: new/model.json"
    text = "Neural networks learn. Deep neural networks learn deep representations. Representations!"
    many = run(capsys, "extract", "--text", text, "--pipeline", "new/model.json", "--top", "50")
    one = run(capsys, "extract", "--text", text, "--pipeline", "new/model.json", "--top", "1")
    assert one.status == many.status == 0
    assert many.out.startswith(one.out)
    assert len(one.out.splitlines()) == 1 < len(many.out.splitlines())


def test_training_twice_gives_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """No time, no order of hashes."""
    for name in ("a.json", "b.json"):
        run(capsys, "train", "kea", "--out", name, "--limit", "9", "--quiet")
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kea", "--out", "m.txt"), "error: --out: 'm.txt' is no name for a model; end it with .json\n"),
        (
            ("demo.yaml", "--out", "m.json"),
            "error: ranking frequency: has nothing to learn; use the spec itself as the pipeline\n",
        ),
        (
            ("fast.yaml", "--out", "m.json"),
            "error: documents: is missing; name a reader, as {kind: jsonl, path: …}\n",
        ),
        (
            ("grid.yaml", "--out", "m.json"),
            "error: grid: is a grid of 2 configurations (frequency, position); give a spec with one\n",
        ),
    ],
)
def test_what_cannot_be_trained_is_told(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is written."""
    assert run(capsys, "train", *arguments) == (2, "", message)
    assert not Path("m.json").exists()
