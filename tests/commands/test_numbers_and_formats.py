"""Numbers on the command line, and names of files that say another format than is asked for."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from command_line import run
from families import every

from kpframe.commands._arguments import share
from kpframe.commands._effects import format_of
from kpframe.commands._parser import command_names, parser_of
from kpframe.errors import SpecError


def numbers() -> list[tuple[str, str]]:
    """Every option of every command that takes a number."""
    found = []
    for name in command_names():
        for action in parser_of(name)._actions:
            if action.metavar in ("N", "P") and action.option_strings:
                found.append((name, action.option_strings[0]))
    return found


def test_options_with_numbers_are_found() -> None:
    """Else the next test would try nothing."""
    assert {("extract", "--top"), ("compare", "--level"), ("run", "--limit")} <= set(numbers())


@every(("command", "option"), numbers())
@every("word", ["1_0", "３", "٣", "+3", " 3", "3 ", "0x3", "-1", "", "ten", "nan", "9" * 5000])
def test_a_number_is_digits_and_nothing_else(
    command: str, option: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What only Python takes for a number is more often a slip."""
    with pytest.raises(SystemExit) as ended:
        parser_of(command).parse_command([f"{option}={word}"])
    assert ended.value.code == 2
    assert f"argument {option}: must be a" in capsys.readouterr().err


@pytest.mark.parametrize(("word", "value"), [("0.05", 0.05), (".1", 0.1), ("1e-3", 0.001)])
def test_a_level_is_written_as_usual(word: str, value: float) -> None:
    """Between 0 and 1, neither of them."""
    assert share(word) == value
    for wrong in ("0", "1", "1.0", "0_1", "1e3", "inf"):
        with pytest.raises(argparse.ArgumentTypeError, match="between 0 and 1, as"):
            share(wrong)


@pytest.mark.parametrize(
    ("out", "form", "known"),
    [
        ("x.csv", "jsonl", "csv"),
        ("x.jsonl", "json", "jsonl"),
        ("x.txt", "csv", "text"),
        ("x.csv", "text", "csv"),
        ("x.csv.gz", "jsonl", "csv"),
        ("x.tsv", "csv", "tsv"),
        ("X.CSV", "tsv", "csv"),
    ],
)
def test_a_name_that_contradicts_the_format_is_refused(
    out: str,
    form: str,
    known: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before anything is read; else whoever opens the file by its name reads nonsense."""
    monkeypatch.chdir(tmp_path)
    done = run(capsys, "extract", "--text", "Dock workers strike.", "--out", out, "--format", form)
    assert done.status == 2
    assert done.err.startswith(f"error: --out {out}: is the name of a file of {known}, not of {form}; end it")
    assert not list(tmp_path.iterdir())


def test_other_commands_refuse_it_too() -> None:
    """The same rule; a name without an ending, or with an unknown one, contradicts nothing."""
    endings = {".txt": "text", ".json": "json", ".md": "markdown"}
    with pytest.raises(SpecError) as caught:
        format_of("x.md", "json", endings)
    assert str(caught.value) == (
        "--out x.md: is the name of a file of markdown, not of json; end it with .json, "
        "or leave out --format json"
    )
    assert format_of("x.MD", "markdown", endings) == "markdown"
    assert format_of("x", "json", endings) == "json"
    assert format_of(None, "json", endings) == "json"
