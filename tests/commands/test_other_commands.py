"""`kpframe score`, `stages`, `schema`, `data` and `doctor`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

from kpframe.files.resources import shipped_specs
from kpframe.spec import json_schema
from kpframe.stages import FOLDERS, PARTS
from kpframe.stages.registry import kinds


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a file of gold and one of predictions, in different order."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    monkeypatch.delenv("KPFRAME_DATA", raising=False)
    Path("gold.tsv").write_text("a\tred kite;heron\nb\tstork\n")
    Path("predicted.tsv").write_text("b\tstork;crane\na\theron;owl\n")


SCORE = ("score", "--gold", "gold.tsv", "--predictions", "predicted.tsv")


def test_predictions_are_joined_with_gold_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    """a: 1 of 2, b: 1 of 1; the mean is 0.75."""
    status, out, err = run(capsys, *SCORE, "--metric", "r_precision", "--matching", "exact")
    assert (status, err) == (0, "")
    assert out.startswith("0.7500  r_precision|match:exact|norm:casefold|tok:words|fold:full|absent:keep|")
    assert len(out.splitlines()) == 1


def test_scores_in_json_have_their_signatures(capsys: pytest.CaptureFixture[str]) -> None:
    """Metrics × matchings, unrounded."""
    arguments = ("--format", "json", "--metric", "precision@2", "--metric", "recall", "--matching", "exact")
    scores = json.loads(run(capsys, *SCORE, *arguments, "--normalize", "porter").out)
    assert [(s["metric"], s["matching"], s["value"]) for s in scores] == [
        ("precision@2", "exact(normalize=porter,absent=keep)", 0.5),
        ("recall@M", "exact(normalize=porter,absent=keep)", 0.75),
    ]
    assert all("norm:porter" in s["signature"] for s in scores)


def test_metrics_and_matchings_are_written_as_in_a_spec(capsys: pytest.CaptureFixture[str]) -> None:
    """With all their parameters; what a matching says itself wins over the options for all."""
    arguments = (
        *("--metric", "{kind: f1, k: 5, average: micro}", "--normalize", "porter"),
        *("--matching", "{kind: soft, similarity: kmr}", "--matching", "{kind: exact, normalize: lancaster}"),
    )
    soft, exact = run(capsys, *SCORE, *arguments).out.splitlines()
    assert "f1@5|" in soft and "|avg:micro|" in soft and "|match:soft|similarity:kmr" in soft
    assert "|norm:porter|" in soft and "|norm:lancaster|" in exact
    assert run(capsys, *SCORE, "--metric", "{kind: f1").err == (
        "error: --metric {kind: f1: is not valid YAML: expected ',' or '}', but got '<stream end>'; "
        "check quotes and indents\n"
    )


def test_ids_that_one_side_lacks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """And scored by a stated policy."""
    Path("predicted.tsv").write_text("a\theron\nc\tx\nd\ty\n")
    arguments = ("--metric", "recall", "--matching", "exact", "--format", "json")
    result = run(capsys, *SCORE, *arguments)
    told = [
        "1 id only in the gold: b (nothing was predicted for them)",
        "2 ids only in the predictions: c, d (not scored)",
    ]
    assert (result.status, result.err.splitlines()) == (1, told)
    quiet = run(capsys, *SCORE, *arguments, "-q")
    assert (quiet.status, quiet.err.splitlines()) == (1, [f"error: {line}" for line in told])
    values = {}
    for policy in ("empty", "skip"):
        values[policy] = json.loads(run(capsys, *SCORE, *arguments, "--missing", policy).out)[0]["value"]
    assert values == {"empty": 0.25, "skip": 0.5}
    assert run(capsys, *SCORE, *arguments, "--missing", "refuse").status == 2


def test_the_words_of_the_first_version_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    """What specs and `score` say is one vocabulary; signatures have it too."""
    Path("gold.tsv").write_text("a\theron\nb\tstork\n")
    Path("predicted.tsv").write_text("a\theron\n")
    said = {word: run(capsys, *SCORE, "--missing", word) for word in ("zero", "empty", "error", "refuse")}
    assert said["zero"].out == said["empty"].out and "|missing:empty|" in said["zero"].out
    assert said["error"].err == said["refuse"].err and said["error"].status == 2
    done = run(capsys, *SCORE, "--missing", "emty")
    assert done.status == 2 and "invalid choice: 'emty'; did you mean 'empty'?" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--metric", "f2"), "error: score: metrics.0: unknown kind 'f2'; there are: alpha_ndcg, "),
        (
            ("--metric", "precison@5"),
            "error: score: metrics.0: unknown kind 'precison'; did you mean 'precision'?",
        ),
        (("--matching", "exat"), "error: score: matching.0: unknown kind 'exat'; did you mean 'exact'?"),
        (("--absent", "drop"), "error: matching 'exact': absent: drop needs the document's text; "),
    ],
)
def test_what_cannot_be_scored_is_told(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2."""
    status, out, err = run(capsys, *SCORE, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(message)


def test_gold_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2."""
    status, out, err = run(capsys, "score", "--gold", "none.tsv", "--predictions", "predicted.tsv")
    assert (status, out) == (2, "")
    assert err.startswith("error: none.tsv: cannot be read (No such file or directory); ")


def test_all_stages_are_listed_in_the_order_of_the_chain(capsys: pytest.CaptureFixture[str]) -> None:
    """A box a heading, a kind a line; behind them what stages may be given as parameters."""
    lines = run(capsys, "stages").out.splitlines()
    folders = (*FOLDERS, *PARTS)
    assert [line for line in lines if not line.startswith(" ")] == list(folders)
    assert [line.split()[0] for line in lines if line.startswith(" ")] == [
        kind for folder in folders for kind in kinds(folder)
    ]


def test_the_stages_of_one_box_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Its name is the folder and the key of specs."""
    lines = run(capsys, "stages", "ranking").out.splitlines()
    assert lines[0] == "ranking"
    assert [line.split()[0] for line in lines[1:]] == kinds("ranking")


def test_a_stage_is_described_with_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    """Type, range, default, meaning, source."""
    out = run(capsys, "stages", "ranking", "cooccurrence").out
    assert out.startswith("ranking: cooccurrence\n\nCentrality of candidates")
    assert "Source: Mihalcea & Tarau 2004" in out
    assert "  window (integer ≥ 2; default 2)\n      Units in the window" in out


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_stage_can_be_described(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever its parameters are."""
    for kind in kinds(folder):
        status, out, err = run(capsys, "stages", folder, kind)
        assert (status, err) == (0, "")
        assert out.startswith(f"{folder}: {kind}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rankng",), "error: stages: no box 'rankng'; did you mean 'ranking'?\n"),
        (("ranking", "tfid"), "error: ranking: unknown kind 'tfid'; did you mean 'tfidf'?\n"),
    ],
)
def test_an_unknown_box_or_kind_gets_the_nearest(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2."""
    assert run(capsys, "stages", *arguments) == (2, "", message)


@pytest.mark.slow
def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The one that the library makes."""
    assert json.loads(run(capsys, "schema").out) == json_schema()


def test_corpora_are_listed_with_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """The demonstration corpus is always there."""
    status, out, _ = run(capsys, "data", "list")
    assert status == 0
    found = {line.split()[0]: line for line in out.splitlines()}
    assert found["demo"].endswith(": found")
    assert found["inspec"].endswith(": not found (the variable KPFRAME_DATA is not set)")


@pytest.mark.parametrize("arguments", [("demo", "--format", "json"), ("--format", "json", "demo")])
def test_a_corpus_is_counted(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Names may stand before or after the options."""
    counts = json.loads(run(capsys, "data", "stats", *arguments, "--quiet").out)
    assert counts["demo"]["documents"] == 36
    text = run(capsys, "data", "stats", "demo", "--limit", "3").out
    assert text.splitlines()[1].split() == ["documents", "3"]


def test_a_corpus_of_a_spec_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of a name."""
    Path("own.yaml").write_text(
        "documents: {kind: jsonl, path: own.jsonl}\ncandidates: tokens\nranking: frequency\n"
    )
    Path("own.jsonl").write_text('{"id": "a", "text": "red kite", "gold": ["kite", "owl"]}\n')
    counts = json.loads(run(capsys, "data", "stats", "own.yaml", "--format", "json").out)
    assert (counts["own"]["documents"], counts["own"]["gold"], counts["own"]["present_gold"]) == (1, 2, 1)


def test_a_corpus_is_exported_to_kpframes_own_format(capsys: pytest.CaptureFixture[str]) -> None:
    """One document a line, which the reader takes back."""
    status, _, err = run(capsys, "data", "export", "demo", "--out", "out.jsonl", "--limit", "2")
    assert (status, err) == (0, "2 documents: out.jsonl\n")
    records = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert set(records[0]) == {"id", "language", "text", "gold", "metadata"}
    Path("own.yaml").write_text(
        "documents: {kind: jsonl, path: out.jsonl}\ncandidates: tokens\nranking: frequency\n"
    )
    assert run(capsys, "data", "export", "own.yaml", "--out", "again.jsonl").status == 0
    assert Path("again.jsonl").read_bytes() == Path("out.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("stats", "nope"), "error: corpus 'nope': is not known; there are: demo, "),
        (("stats", "inspec"), "error: corpus 'inspec': the variable KPFRAME_DATA is not set; "),
        (("stats", "inspec", "--data", "nowhere"), "error: corpus 'inspec': "),
        (("export", "demo"), "error: data export: needs one corpus and --out FILE.jsonl; "),
        (("stats", "demo", "--no-such-option"), "usage: kpframe"),
        (("foo",), "usage: kpframe data"),
    ],
)
def test_what_cannot_be_counted_is_told(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2."""
    status, out, err = run(capsys, "data", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(message)


def test_the_doctor_says_what_is_there_and_how_to_get_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    """Packages, models, resources, specs, corpora and the cache."""
    status, out, err = run(capsys, "doctor")
    assert (status, err) == (0, "")
    for part in ("kpframe ", "spacy", "language models", "all whole", "corpora", "annotation cache: "):
        assert part in out
    assert f"shipped specs: {', '.join(shipped_specs())}" in out
    assert "python -m spacy download" in out
    assert "--data DIR" in out
