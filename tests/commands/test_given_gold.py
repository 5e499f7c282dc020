"""Gold keyphrases in a file beside a corpus, or in .key files, and remedies in the words of the command."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest
from command_line import FAST, run

STATS = ("data", "stats", "own.jsonl")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a corpus, gold for it, and texts with keys."""
    monkeypatch.chdir(tmp_path)
    Path("own.jsonl").write_text('{"id": "a", "text": "red kites"}\n{"id": "b", "text": "herons"}\n')
    Path("gold.tsv").write_text("a\tred kites;owls\nc\therons\n")
    Path("mine.tsv").write_text("a\tred kites\n")
    Path("keyed").mkdir()
    Path("keyed/a.txt").write_text("Red kites soar.")
    Path("keyed/a.key").write_text("red kites\nowls\n")
    Path("keys").mkdir()
    shutil.copy("keyed/a.key", "keys")


def test_statistics_take_gold_out_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """It was read as another corpus; ids of one side are told, and status 1."""
    done = run(capsys, *STATS, "--gold", "gold.tsv")
    assert done.status == 1 and "gold keyphrases                                     2" in done.out
    assert done.err == "1 id only in the corpus: b\n1 id only in the gold: c\n"
    assert run(capsys, "data", "stats", "--gold", "gold.tsv", "own.jsonl") == done
    quiet = run(capsys, *STATS, "--gold", "gold.tsv", "--quiet")
    assert quiet.status == 1 and quiet.err.count("error: ") == 2
    assert run(capsys, *STATS, "--gold", "keys").out == done.out


def test_what_follows_gold_may_be_the_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    """As the option is told without a file, too."""
    one = run(capsys, "data", "stats", "--gold", "own.jsonl")
    assert one.status == 0 and one == run(capsys, *STATS, "--gold")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*STATS, "--gold", "other.tsv"), "no document of the corpus is in it (corpus: a, b; gold: x)"),
        ((*STATS, "keyed", "--gold", "gold.tsv"), "is the gold of one corpus, not of several"),
        (("data", "export", "own.jsonl", "--gold", "gold.tsv"), "--gold: has no effect on data export"),
        ((*STATS, "--gold", "gold.tsv", "--predictions", "mine.tsv"), "is not that of several indexers"),
        (
            ("score", "--gold", "keyed/a.key", "--predictions", "mine.tsv"),
            "give the folder of the .key files",
        ),
        (("score", "--gold", "lone.zip", "--predictions", "mine.tsv"), "is an archive without .key files"),
        (("score", "--gold", "lone", "--predictions", "mine.tsv"), "there is no text for these keys"),
    ],
)
def test_gold_that_cannot_be_is_refused(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what to do."""
    Path("other.tsv").write_text("x\tred\n")
    shutil.copytree("keyed", "lone")
    Path("bare").mkdir()
    shutil.copy("keyed/a.txt", "bare")
    shutil.make_archive("lone", "zip", "bare")
    Path("lone/b.key").write_text("herons\n")
    done = run(capsys, *words)
    assert done.status == 2 and message in done.err


@pytest.mark.parametrize("gold", ["keyed", "keys", "keyed.zip", "-"])
def test_scores_take_gold_out_of_key_files(
    gold: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside their texts, which then say what is absent, or alone."""
    shutil.make_archive("keyed", "zip", "keyed")
    if gold == "-":
        content = io.BytesIO(Path("keyed.zip").read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    done = run(capsys, "score", "--gold", gold, "--predictions", "mine.tsv", "--metric", "recall")
    texts = gold != "keys"
    assert done.status == 0 and done.out.startswith("1.0000" if texts else "0.5000")
    assert ("absent:drop" in done.out) == texts


def test_predictions_may_be_key_files(capsys: pytest.CaptureFixture[str]) -> None:
    """As some programs write them."""
    Path("gold.tsv").write_text("a\tred kites\n")
    done = run(capsys, "score", "--gold", "gold.tsv", "--predictions", "keys", "--metric", "precision")
    assert done.status == 0 and done.out.startswith("0.5000")


def test_remedies_are_in_the_words_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """What a spec calls `encoding` is --encoding of a command, and nothing of one that has no such option."""
    Path("fast.yaml").write_text(FAST)
    Path("l.txt").write_bytes(b"caf\xe9")
    Path("l.csv").write_bytes(b"id,text\n1,caf\xe9\n")
    Path("keys/a.key").write_bytes(b"caf\xe9")
    spec = "documents: {kind: text, path: l.txt}\npreprocessing: simple\ncandidates: tokens\n"
    Path("own.yaml").write_text(f"{spec}ranking: frequency\n")
    extract = ("extract", "--pipeline", "fast.yaml")
    for done in (run(capsys, *extract, "l.txt"), run(capsys, *extract, "l.csv", "--out", "out/")):
        assert "give its own by --encoding (often cp1252 or latin-1), or save it" in done.err
    assert "set `encoding` to the one" in run(capsys, "run", "own.yaml").err
    done = run(capsys, "score", "--gold", "keys", "--predictions", "mine.tsv")
    assert done == (2, "", "error: keys/a.key: byte 3 is not utf-8; save it as UTF-8\n")
    done = run(capsys, "score", "--gold", "gold.tsv", "--predictions", "mine.tsv", "--missing", "refuse")
    assert done.err.endswith("complete the files, or use --missing empty or skip\n")
    Path("n.csv").write_text("nr,remark\n1,kites\n")
    assert "name one by --column; the columns are" in run(capsys, *extract, "n.csv").err
