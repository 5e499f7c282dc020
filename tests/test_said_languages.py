"""What is said of the language of texts, by user, document or `language.txt`, is never called a guess."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kpframe import Document, Pipeline
from kpframe.cli import main
from kpframe.engine.settling import Languages

GERMAN = (
    "Die Energiewende in Deutschland verlangt neue Netze. Windkraft und Sonnenenergie liefern immer mehr "
    "Strom, doch die Speicher fehlen noch in vielen Regionen des Landes."
)
FAST = "name: fast\npreprocessing: [simple]\ncandidates: {kind: ngrams, max: 2}\nranking: frequency\n"
GUESS = "guessed"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same four texts: silent, with a field, half of them with one, and beside a language file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    Path("fast.yaml").write_text(FAST)
    for folder in ("silent", "said"):
        Path(folder).mkdir()
        for i in range(4):
            Path(folder, f"{i}.txt").write_text(f"{GERMAN} {i}")
            Path(folder, f"{i}.key").write_text("Energiewende\n")
    Path("said/language.txt").write_text("German\n")
    for name, count in (("none", 0), ("half", 2), ("all", 4)):
        lines = [
            {"id": str(i), "text": f"{GERMAN} {i}", "gold": ["Energiewende"], "language": "de"}
            for i in range(4)
        ]
        for line in lines[count:]:
            del line["language"]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        Path(f"{name}.yaml").write_text(f"{FAST}documents: {{kind: jsonl, path: {name}.jsonl}}\n")


def ids(path: str) -> list[str]:
    """Of the documents in a file of results."""
    return [json.loads(line)["id"] for line in Path(path).read_text().splitlines()]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command says of languages, on both streams."""
    assert main(words) == 0
    found = capsys.readouterr()
    return "\n".join(line for line in (found.out + found.err).splitlines() if "language" in line)


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        ("--input silent/0.txt silent/1.txt", "language: de, guessed from the texts; --language CODE"),
        ("--input none.jsonl", "language: de, guessed from the texts; --language CODE says it"),
        ("--input half.jsonl", "language: de, guessed from 2 of 4 texts, said of 2; --language CODE says it"),
        ("--input half.jsonl --language de", ""),
        ("--input none.jsonl --language German", ""),
        ("--input silent/0.txt --language de-AT", ""),
        ("--input all.jsonl", ""),
        ("--input all.jsonl --language fr", ""),
        ("--input said/0.txt said/1.txt said/language.txt", ""),
        ("--input said/language.txt said/0.txt silent/0.txt",
         "language: de, guessed from 1 of 2 texts, said of 1; --language CODE says it"),
    ],
)  # fmt: skip
def test_extract(words: str, guess: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Files, tables, and the files of a folder as a shell gives them."""
    shown = told(capsys, "extract", "--pipeline", "fast.yaml", "--out", "o.jsonl", *words.split())
    assert (GUESS in shown) == bool(guess)
    assert guess in shown
    if "said/language.txt" in words:  # it is no text
        assert "language" not in ids("o.jsonl")


def test_a_language_file_by_itself_or_with_more_in_it_is_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    """As in folders."""
    Path("said/language.txt").write_text("German is a language of red kites")
    told(capsys, "extract", "--pipeline", "fast.yaml", "--out", "o.jsonl", "--input", "said/0.txt",
         "said/language.txt")  # fmt: skip
    assert ids("o.jsonl") == ["0", "language"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "guess"),
    [
        ("none.yaml", "language: de, guessed from the texts; documents.language=CODE says it"),
        ("half.yaml", "language: de, guessed from 2 of 4 texts, said of 2; documents.language=CODE says it"),
        ("all.yaml", ""),
        ("half.yaml --set documents.language=de", ""),
        ("none.yaml --set documents.language=German", ""),
        ("silent", "language: de, guessed from the texts; --set documents.language=CODE if that is wrong"),
        ("silent --set documents.language=de", ""),
        ("said", ""),
        ("all.jsonl", ""),
    ],
)
def test_run(words: str, guess: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of specs and of texts; the remedy is one that the command has."""
    shown = told(capsys, "run", *words.split(), "--no-page", "--out", "out")
    assert (GUESS in shown) == bool(guess)
    assert guess in shown


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        ("new silent", "language: de, guessed from the texts; --language CODE if that is wrong"),
        ("new silent --language de", ""),
        ("new said", ""),
        ("new all.jsonl", ""),
        ("new half.jsonl", "language: de, guessed from 2 of 4 texts, said of 2"),
        ("check silent", "language: de, guessed from the texts; a spec says it by documents.language"),
        ("check said", ""),
        ("data stats silent", ""),
        ("data stats said", ""),
    ],
)
def test_commands_that_look_at_texts(words: str, guess: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`new` writes what it found into the spec, too."""
    more = ["--out", "n.yaml"] if words.startswith("new") else []
    shown = told(capsys, *words.split(), *more)
    assert (GUESS in shown) == bool(guess)
    assert guess in shown
    if more:
        assert (GUESS in Path("n.yaml").read_text()) == bool(guess)


def test_python_counts_how_each_language_is_known() -> None:
    """What is said, by the call or by a document, is no guess."""
    pipeline = Pipeline.load("fast.yaml")
    for texts, language, how in (
        ([GERMAN], "de", "said"),
        ([GERMAN], "auto", "guessed"),
        ([Document("a", GERMAN, "de")], "auto", "said"),
        ([Document("a", GERMAN)], "German", "said"),
        ([Document("a", GERMAN, "de")], "fr", "said"),
    ):
        found = Languages()
        list(pipeline.extract_many(texts, language=language, languages=found))
        assert found.record() == {"de": {how: 1}}
        assert (GUESS in found.told("")) == (how == "guessed")
