"""The keyphrases of twenty texts in ten languages are those that the README of the examples shows."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def test_the_readme_shows_the_keyphrases_as_they_come_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Line by line."""
    runpy.run_path(str(EXAMPLES / "keyphrases_in_many_languages.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 20
    assert f"```text\n{printed}```" in (EXAMPLES / "README.md").read_text(encoding="utf-8")
