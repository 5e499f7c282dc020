"""What is common to all commands: help, slips of the pen, options without effect, endings of files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from command_line import FAST, run

from kpframe.commands._parser import _help_line, command, command_names, parser_of
from kpframe.errors import nearest

every_command = pytest.mark.parametrize("name", command_names())


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quick pipeline and a text."""
    monkeypatch.chdir(tmp_path)
    Path("fast.yaml").write_text(FAST)
    Path("in.txt").write_text("red kites")
    Path("in.csv").write_text("id,abstract\na,red\n")
    Path("in.jsonl").write_text('{"id": "a", "text": "red"}\n')


@every_command
def test_a_command_has_an_option_for_each_argument(name: str) -> None:
    """The parser and the options dataclass of a file say the same."""
    of = command(name)
    assert is_dataclass(of.Options)
    said = {action.dest for action in parser_of(name)._actions} - {"help"}
    taken = {field.name for field in fields(of.Options)}
    assert said - {"quiet"} == taken - {"quiet"}


@every_command
def test_help_is_the_same_by_word_and_by_option(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`kpframe help NAME` and `kpframe NAME --help`."""
    by_word, by_option = run(capsys, "help", name), run(capsys, name, "--help")
    assert by_word == by_option
    assert by_word.out.startswith(f"usage: kpframe {name}")


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """By word, by option, and where nothing is said."""
    shown = run(capsys, "help")
    assert shown == run(capsys, "--help") == run(capsys)
    for name in command_names():
        assert f"\n    {name}" in shown.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rnu",), "there is no command 'rnu'; did you mean 'run'?"),
        (("EXTRACT",), "there is no command 'EXTRACT'; did you mean 'extract'?"),
        (("help", "shema"), "there is no command 'shema'; did you mean 'schema'?"),
        (("extract", "--txt", "x"), "there is no option --txt; did you mean '--text'?"),
        (("extract", "--txt=x"), "there is no option --txt; did you mean '--text'?"),
        (("run", "--worker5", "2"), "there is no option --worker5; did you mean '--workers'?"),
        (("extract", "--text", "x", "--format", "jsno"), "invalid choice: 'jsno'; did you mean 'json'?"),
        (("data", "stat"), "invalid choice: 'stat'; did you mean 'stats'?"),
        (("completion", "bsh"), "invalid choice: 'bsh'; did you mean 'bash'?"),
        (("extract", "--pipelin", "x"), "there is no option --pipelin; did you mean '--pipeline'?"),
        (("extract", "--lang=de"), "there is no option --lang; did you mean '--language'?"),
        (("extract", "-topp", "3"), "there is no option -topp; did you mean '--top'?"),
        (("run", "fast.yaml", "--limi", "3"), "did you mean '--limit'?"),
        (("--versio",), "there is no option --versio; did you mean '--version'?"),
        (("extract", "--text", "x", "--language", "germn"), "did you mean 'german'?"),
        (("extract", "--text", "x", "--pipeline", "tfidf", "--set", "ranking.idf.form=rato"), "'ratio'?"),
        (("extract", "--input", "in.txt", "--out", "k.jsnl"), "did you mean .jsonl?"),
        (("extract", "--input", "in.csv", "--column", "abstrac"), "did you mean 'abstract'?"),
        (("extract", "--input", "htps://host/x.csv"), "did you mean 'https'?"),
        (("data", "stats", "inspek"), "did you mean 'inspec'?"),
        (("recommend", "inspek"), "did you mean 'inspec'?"),
    ],
)
def test_a_slip_of_the_pen_gets_the_nearest_word(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything else is missed."""
    done = run(capsys, *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.rstrip("\n").endswith(message)


def test_a_text_that_looks_like_an_option_is_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    """With an equals sign, or where it holds a space."""
    assert run(capsys, "extract", "--pipeline", "fast.yaml", "--text=--red").out == "1.0000  red\n"
    assert run(capsys, "extract", "--pipeline", "fast.yaml", "--text", "--red is").out == "1.0000  red\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "extract --text x --limit 2",
        "extract --text x --encoding latin-1",
        "extract --text x --column text",
        "extract --input in.txt --column text",
        "compare r --test t --seed 1",
        "compare r --test wilcoxon --permutations 9",
        "annotate sample r --key k.csv",
        "annotate sample r --format json",
        "annotate agreement a.csv --seed 2009",
        "annotate agreement a.csv --out b.csv",
        "annotate agreement a.csv --cell c",
        "data list inspec",
        "data list --gold",
        "data stats --out x.jsonl",
        "data export inspec --present stems --out x.jsonl",
        "correlate f.csv --judges a --seed 3",
        "correlate f.csv --judges a --cell c",
        "export r --to csv --out d --gold g.csv",
        "export r --to trec --out d --under k",
    ],
)
def test_an_option_without_effect_is_refused(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where it says the default: who says it expects something of it."""
    done = run(capsys, *arguments.split())
    assert (done.status, done.out) == (2, "")
    assert ": has no effect " in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        "extract --pipeline fast.yaml --text red --out k.docx",
        "extract --pipeline fast.yaml --text red --out k.parquet.gz",
        "extract --pipeline fast.yaml --text red --out k.json.bz2",
        "compare r --out c.xlsx",
        "analyse r --out a.csv",
        "report r --out r.pdf",
        "score --predictions in.jsonl --per-document d.xlsx",
        "annotate sample r --out s.xlsx",
        "data export inspec --out i.csv",
    ],
)
def test_no_file_gets_a_name_that_promises_another_format(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Refused with the endings that there are, and nothing is written."""
    done = run(capsys, *arguments.split())
    assert (done.status, done.out) == (2, "")
    assert "end it with ." in done.err
    assert not Path(arguments.rsplit(" ", 1)[1]).exists()


@pytest.mark.parametrize(
    ("out", "content"),
    [
        ("k.tsv", "id\trank\ttext\tscore\tkey\tspans\ntext\t1\tred\t1.0\tred\t0-3\n"),
        ("k.CSV", "id,rank,text,score,key,spans\ntext,1,red,1.0,red,0-3\n"),
        ("k.txt", "1.0000  red\n"),
        ("k", "1.0000  red\n"),
    ],
)
def test_the_ending_says_the_format(out: str, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In any case; without an ending it is the plain listing."""
    assert run(capsys, "extract", "--pipeline", "fast.yaml", "--text", "red", "--out", out).status == 0
    assert Path(out).read_text() == content


@pytest.mark.parametrize("text", ["- an item", "-3", "--", "–"])
def test_a_text_may_begin_with_a_dash(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What has blanks or digits behind its dash is no option; anything goes behind `=`."""
    assert "no option" not in run(capsys, "extract", f"--text={text}", "--pipeline", "fast.yaml").err
    if text[:1] == "-" and text != "--":
        assert "no option" not in run(capsys, "extract", "--text", text, "--pipeline", "fast.yaml").err


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("lang", ["--long", "language"], "language"),  # its beginning goes before what is like it
        ("JSN", ["json", "csv"], "json"),
        ("for", ["format", "forms"], "forms"),  # two begin so: the one with more letters in common
        ("xyz", ["json", "csv"], ""),
        ("", ["json"], ""),
        ("json", [], ""),
    ],
)
def test_the_nearest_word(word: str, known: list[str], meant: str) -> None:
    """One way for options, commands, choices, columns, languages and parameters."""
    assert nearest(word, known) == meant


def test_the_list_says_what_each_command_says_of_itself() -> None:
    """It reads the line and imports no command."""
    for name in command_names():
        assert _help_line(name) == command(name).HELP


def test_who_asks_for_the_list_waits_for_nothing_that_it_does_not_need() -> None:
    """Neither for libraries nor for what describes classes, which is a quarter of the time."""
    code = (
        "import sys; from kpframe.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(done.stdout.splitlines()[-1].split())
    assert imported.isdisjoint({"numpy", "pydantic", "yaml", "logging", "dataclasses", "inspect", "pkgutil"})


@pytest.mark.parametrize(
    "words", [("score", "--predictions", ""), ("run", "fast.yaml", "--out", ""), ("extract", "")]
)
def test_a_place_that_is_empty_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """As of a variable of the shell that is not set: it would be the current folder."""
    outcome = run(capsys, *words)
    assert outcome.status == 2
    assert outcome.err.endswith(": is empty; name a file or folder, as . for this one\n")
