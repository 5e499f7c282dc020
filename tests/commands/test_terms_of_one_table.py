"""`kpframe terms` of one table: what it cannot count, and standard input."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from command_line import Outcome, run

HEAD = "grp,id,keyphrase_1,keyphrase_2\n"
SHORT = f"{HEAD}a,1,cat,dog\nb,2,cat,\nb,3,cow,\na,4,cat\na,5,cat\n"
LINES = '{"id": 1, "grp": "a", "keyphrases": ["cat"]}\n{"id": 2, "grp": "b", "keyphrases": []}\n'


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own."""
    monkeypatch.chdir(tmp_path)


def piped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, content: str, *more: str
) -> Outcome:
    """The command with something in standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    return run(capsys, "terms", "-", "--by", "grp", *more)


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_rows_that_are_none_are_told_and_the_status_says_so(
    quiet: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where notices are not wanted; it was 0, and silent."""
    Path("s.csv").write_text(SHORT)
    done = run(capsys, "terms", "s.csv", "--by", "grp", *quiet)
    assert done.status == 1 and "grp = a: 1 document\n" in done.out
    line = "skipped: s.csv:5: has 3 fields, the header 4 (and 1 row more)\n"
    assert done.err == (f"error: {line}" if quiet else line)


@pytest.mark.parametrize("more", ["garbage\n", "[1]\n", '{"id": 3, "gr'])
def test_lines_that_are_no_objects_are_told_and_the_status_says_so(
    more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file cut off too."""
    Path("t.jsonl").write_text(LINES + more)
    done = run(capsys, "terms", "t.jsonl", "--by", "grp")
    assert done.status == 1 and done.err.startswith("skipped: t.jsonl:3: is not ")


def test_an_id_twice_is_told_and_the_status_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Two documents were one."""
    Path("t.csv").write_text(f"{HEAD}a,1,cat,\na,1,cat,\nb,1,cow,\n")
    done = run(capsys, "terms", "t.csv", "--by", "grp")
    assert done.status == 1 and "t.csv: 1 id more than once in a table, each taken for one" in done.err


@pytest.mark.parametrize("content", [f"{HEAD}a,1,cat,\nb,2,cow,\n", LINES])
def test_standard_input_is_read(
    content: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `extract` and `score` read it; it did not exist."""
    done = piped(capsys, monkeypatch, content)
    assert (done.status, done.err) == (0, "") and "grp = a: 1 document\n" in done.out


def test_what_is_wrong_with_standard_input_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its name, skipped or refused."""
    done = piped(capsys, monkeypatch, SHORT, "--quiet")
    assert done.status == 1 and "skipped: standard input:5: has 3 fields" in done.err
    done = piped(capsys, monkeypatch, "")
    assert done.status != 0 and "standard input: is empty" in done.err
