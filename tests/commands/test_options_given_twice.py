"""What can be said once is not said twice: the last word would win, and nobody would know."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import run

from kpframe.commands._parser import command_names, parser_of

ONCE = (argparse._StoreAction,)
REPEATED = (argparse._AppendAction, argparse._ExtendAction)


def words_for(action: argparse.Action) -> list[str]:
    """An option with a value that it takes."""
    value = next(iter(action.choices), "") if action.choices else ""
    if not value:
        known = (one for one in ("1", "0.5", "en") if _is_taken(action, one))
        value = next(known)
    return [action.option_strings[-1], *[str(value)] * (action.nargs if isinstance(action.nargs, int) else 1)]


def _is_taken(action: argparse.Action, text: str) -> bool:
    try:
        return not callable(action.type) or action.type(text) is not None
    except (argparse.ArgumentTypeError, ValueError):
        return False


@pytest.mark.parametrize("name", command_names())
def test_an_option_with_one_value_is_refused_twice(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of every command, also with the same value; once it is taken, and others may be repeated."""
    for action in parser_of(name)._actions:
        if not action.option_strings or not isinstance(action, (*ONCE, *REPEATED)):
            continue
        for times in (1, 2):
            with suppress(SystemExit):  # words that the command needs may be missing
                parser_of(name).parse_known_args(words_for(action) * times)
            told = f"{action.option_strings[-1]}: is given twice; give it once" in capsys.readouterr().err
            assert told == (times == 2 and isinstance(action, ONCE)), action


def test_it_is_told_wherever_the_words_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2; words without an option may still stand in several places."""
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("red kites")
    Path("b.txt").write_text("green trees")
    twice = run(capsys, "extract", "--top", "5", "a.txt", "--format", "csv", "--top=5", "b.txt")
    assert twice.status == 2 and "argument --top: is given twice; give it once" in twice.err
    once = run(capsys, "extract", "a.txt", "--top", "5", "b.txt", "--format", "csv", "--quiet")
    assert once.status == 0 and "red" in once.out and "green" in once.out
