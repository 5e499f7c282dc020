"""The first things that people try with texts of their own, and the mistakes that they make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import FAST, run

import kpframe as kp

pytestmark = pytest.mark.slow

MINE = (
    '{"text": "Dock workers strike. The dock workers want wages.", "keyphrases": ["dock workers"]}\n'
    '{"text": "The ferry sank. A ferry inquiry begins.", "gold": ["ferry inquiry", "ferry"]}\n'
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    Path("fast.yaml").write_text(FAST)
    Path("mine.jsonl").write_text(MINE)


def test_kea_is_trained_on_all_of_ones_own_texts(capsys: pytest.CaptureFixture[str]) -> None:
    """A path displaces the inherited resource, and without a split every document is used."""
    own = ("--set", "documents.path=mine.jsonl", "--set", "split=null")
    done = run(capsys, "train", "kea", *own, "--out", "mine.json")
    assert done.status == 0
    assert done.err == (
        "training: candidates reach 2 of 3 gold keyphrases (66.7 %) in 2 documents\n"
        "trained on 2 documents; model: mine.json\n"
    )


def test_a_path_in_a_file_displaces_the_inherited_resource(capsys: pytest.CaptureFixture[str]) -> None:
    """As on the command line."""
    Path("own.yaml").write_text("extends: kea\nname: own\ndocuments: {kind: jsonl, path: mine.jsonl}\n")
    assert run(capsys, "check", "own.yaml").status == 0


def test_an_unknown_alternative_of_a_sweep_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    """Not created in silence."""
    setting = "sweep.ranking.coocurrence.window=5"
    done = run(capsys, "check", "quickstart", "--set", setting)
    assert (done.status, done.err) == (
        2,
        f"error: --set {setting}: sweep.ranking has no 'coocurrence'; did you mean 'cooccurrence'?\n",
    )


def test_another_kind_on_the_command_line_starts_afresh(capsys: pytest.CaptureFixture[str]) -> None:
    """The parameters of the old kind are gone with it."""
    assert run(capsys, "check", "textrank", "--set", "ranking.kind=random").status == 0


def test_a_setting_without_effect_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Extraction does not read the documents of a spec."""
    done = run(capsys, "extract", "--pipeline", "fast.yaml", "--text", "x", "--set", "documents.id=id")
    assert (done.status, done.err) == (2, "error: --set documents: has no effect here; leave it out\n")


def test_a_column_called_id_gives_the_ids(capsys: pytest.CaptureFixture[str]) -> None:
    """So that results can be joined to the table again; the ending of --out is the format."""
    Path("papers.csv").write_text("id,text\n7,green energy\n,red kites\n")
    done = run(capsys, "extract", "--pipeline", "fast.yaml", "--input", "papers.csv", "--out", "o.jsonl")
    assert done.status == 0
    ids = [json.loads(line)["id"] for line in Path("o.jsonl").read_text().splitlines()]
    assert ids == ["7", "papers-3"]


def test_json_of_several_documents_is_one_list(capsys: pytest.CaptureFixture[str]) -> None:
    """Also of none; of `--text` it is one object."""
    Path("empty.jsonl").write_text("")
    fast = ("extract", "--pipeline", "fast.yaml", "--format", "json")
    assert len(json.loads(run(capsys, *fast, "--input", "mine.jsonl").out)) == 2
    assert json.loads(run(capsys, *fast, "--input", "empty.jsonl").out) == []
    assert json.loads(run(capsys, *fast, "--text", "green energy").out)["id"] == "text"


def test_a_language_without_a_model_is_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    """Said once and before any document, with the command that brings the model."""
    done = run(capsys, "extract", "--language", "fi", "--text", "Vihreä energia")
    assert done.status == 2
    assert done.err.startswith("error: the text is in 'fi': language model 'fi' is not installed; ")
    assert done.err.count("python -m spacy download fi_core_news_sm") == 1


def test_replaced_results_are_announced(capsys: pytest.CaptureFixture[str]) -> None:
    """Another limit computes the same cells anew in the same folder."""
    Path("run.yaml").write_text(FAST + "documents: {kind: jsonl, path: mine.jsonl}\n")
    assert "replacing" not in run(capsys, "run", "run.yaml", "--out", "r").err
    assert (
        "r: replacing 1 configuration, damaged or computed with other"
        in run(capsys, "run", "run.yaml", "--limit", "1", "--out", "r").err
    )


def test_a_corpus_without_gold_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    """A table of dashes alone would not say why."""
    Path("bare.jsonl").write_text('{"text": "green energy"}\n')
    Path("run.yaml").write_text(FAST + "documents: {kind: jsonl, path: bare.jsonl}\n")
    assert "no evaluated document has gold keyphrases" in run(capsys, "run", "run.yaml").err


def test_what_a_pipeline_yields_can_be_scored() -> None:
    """Results of `extract_many`, or keyphrases by id; the policy for missing ones is in the signature."""
    pipeline = kp.Pipeline.load("fast.yaml")
    texts = ["green energy", "red kites"]
    scores = kp.score({"0": ["green"], "1": ["kites"]}, pipeline.extract_many(texts), missing="skip")
    assert [score.signature.split("|")[1] for score in scores] == ["match:exact", "match:approximate"]
    assert all(score.value is not None and "|missing:skip|docs:2|" in score.signature for score in scores)
    (same,) = kp.score({"a": ["green"]}, {"a": pipeline.extract(texts[0])}, matching="exact")
    assert "|missing:empty|docs:1|" in same.signature


def test_what_is_no_list_of_phrases_is_refused() -> None:
    """Numbers, or one string in place of a list."""
    for wrong, said in (([1], "the phrase 1 is not a string"), ("green", "'green' is not a list")):
        with pytest.raises(kp.DataError, match=f"predictions for 'a': {said}; "):
            kp.score({"a": ["green"]}, {"a": wrong})  # type: ignore[dict-item]


def test_one_text_is_no_stream_of_texts() -> None:
    """A string would be taken apart into letters, a mapping into its keys."""
    pipeline = kp.Pipeline.load("fast.yaml")
    for wrong in ("green energy", {"a": "green energy"}):
        with pytest.raises(TypeError, match="an iterable of texts"):
            pipeline.extract_many(wrong)
    with pytest.raises(ValueError, match="top must be at least 1, not 0"):
        pipeline.extract("green energy", top=0)
    with pytest.raises(ValueError, match="workers must be at least 1, not 0"):
        pipeline.extract_many([], workers=0)
