"""`--predictions -` and `--gold -`: what another program pipes in is scored like a file."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from command_line import Outcome, run

GOLD = '{"id": "a", "gold": ["red kites"]}\n{"id": "b", "gold": ["owls"]}\n'
LINES = '{"id": "a", "keyphrases": ["red kites"]}\n{"id": "b", "keyphrases": ["herons"]}\n'
BOTH = '{"id": "a", "keyphrases": ["red kites"], "gold": ["red kites"]}\n'


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With gold and predictions."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    Path("gold.jsonl").write_text(GOLD)
    Path("mine.jsonl").write_text(LINES)


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> object:
    """A command with something on standard input."""

    def run_with(content: str | bytes, *words: str) -> Outcome:
        given = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        return run(capsys, *words)

    return run_with


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        "\ufeff" + LINES,
        gzip.compress(LINES.encode()),
        "a\tred kites\nb\therons\n",
        "id,keyphrases\na,red kites\nb,herons\n",
        '"id","rank","keyphrase"\na,1,red kites\nb,1,herons\n',
        json.dumps({"a": [["red kites"]], "b": [["herons"]]}, indent=1),
        "a Q0 red_kites 1 2.0 t\nb Q0 herons 1 1.0 t\n",
    ],
    ids=["lines", "mark", "gzip", "columns", "csv", "csv-rows", "object", "trec"],
)
def test_predictions_come_in_any_layout(content: str | bytes, piped) -> None:  # type: ignore[no-untyped-def]
    """The same scores as from a file; what has no name is seen by how it begins."""
    words = ["score", "--gold", "gold.jsonl", "--metric", "precision@1", "--matching", "exact"]
    wanted = piped("", *words, "--predictions", "mine.jsonl")
    found = piped(content, *words, "--predictions", "-")
    assert (found.status, found.out) == (0, wanted.out)
    assert found.out.startswith("0.5000")


def test_gold_comes_from_standard_input(piped) -> None:  # type: ignore[no-untyped-def]
    """Then the predictions are a file; lines that carry their gold need neither."""
    words = ["--metric", "precision@1", "--matching", "exact"]
    assert piped(GOLD, "score", "--gold", "-", "--predictions", "mine.jsonl", *words).out.startswith("0.5000")
    assert piped(BOTH, "score", "--predictions", "-", *words).out.startswith("1.0000")


@pytest.mark.slow
def test_a_run_of_it_keeps_what_was_read(piped) -> None:  # type: ignore[no-untyped-def]
    """Beside the results, so that the run can be looked at and made again."""
    words = ["score", "--predictions", "-", "--predictions", "mine.jsonl", "--out", "out", "--metric", "f1@5"]
    done = piped(LINES, *words, "--gold", "gold.jsonl")
    assert done.status == 0
    assert "stdin" in done.out and "mine" in done.out
    assert Path("out/predictions.jsonl").read_text() == LINES
    assert piped("", "run", "out/resolved.yaml", "--out", "again", "--quiet").status == 0
    assert piped(BOTH, "score", "--predictions", "-", "--out", "own").status == 0  # its gold is in it


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("score --predictions - --gold -", "--predictions and --gold: are both -, and"),
        ("score --predictions - --predictions - --gold gold.jsonl --out o", "--predictions: is twice -, and"),
        ("analyse --predictions - --gold -", "--predictions and --gold: are both -, and"),
        ("export --predictions - --gold - --to trec --out o", "--predictions and --gold: are both -, and"),
        ("data stats - --predictions -", "NAME and --predictions: are both -, and"),
    ],
)
def test_standard_input_is_read_once(words: str, told: str, piped) -> None:  # type: ignore[no-untyped-def]
    """Who says it twice is told before anything is read."""
    done = piped(LINES, *words.split())
    assert done.status == 2
    assert done.err == f"error: {told} standard input can be read once; give one of them as a file\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "standard input: is empty; pipe the lines in, or give a file"),
        ("nonsense\n", "standard input:1: neither JSON nor an id, one tab and phrases; write one of the two"),
        (LINES + "{\n", "standard input:3: not valid JSON"),
        (b"\xff\xfa\n", "standard input:1: not UTF-8 at byte 0 of the file; save it as UTF-8"),
        ('{"id": "a", "keyphrases": []}\n' * 2, "standard input:2: id 'a' comes twice; see line 1"),
    ],
)
def test_what_is_wrong_with_it_is_told(content: str | bytes, told: str, piped) -> None:  # type: ignore[no-untyped-def]
    """With its line, and never with the name of a temporary file."""
    done = piped(content, "score", "--gold", "gold.jsonl", "--predictions", "-")
    assert done.status == 2
    assert done.err.startswith(f"error: {told}")
    assert "/" not in done.err


@pytest.mark.parametrize("command", ["analyse", "export --to trec --out"])
def test_other_commands_read_it_alike(command: str, piped) -> None:  # type: ignore[no-untyped-def]
    """Wherever predictions and gold are files; what is written goes into a folder of its own each time."""
    ways = "--predictions - --gold gold.jsonl", "--predictions mine.jsonl --gold -"
    for number, words in enumerate(ways):
        folder = [f"o{number}"] if command.endswith("--out") else []
        given = GOLD if number else LINES
        assert piped(given, *command.split(), *folder, *words.split()).status == 0


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_an_order_of_scores_that_are_not_there_is_told(better: str, piped) -> None:  # type: ignore[no-untyped-def]
    """As nothing comes of it; the scores and the exit status stay, and with scores nothing is said."""
    words = ["score", "--gold", "gold.jsonl", "--predictions", "-"]
    plain, told = piped(LINES, *words), piped(LINES, *words, "--better", better)
    assert (told.status, told.out) == (plain.status, plain.out)
    notice = f"--better {better} has no effect: the predictions have no scores"
    assert notice in told.err and notice not in plain.err
    scored = '{"id": "a", "keyphrases": [["red kites", 0.5]]}\n{"id": "b", "keyphrases": []}\n'
    assert "no effect" not in piped(scored, *words, "--better", better).err
