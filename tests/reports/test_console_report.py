"""The table for the terminal."""

from __future__ import annotations

import io
import sys

import pytest

from kpframe.model import Score
from kpframe.model.summary import Cell, Summary
from kpframe.stages.registry import lookup

COLUMNS = ("r_precision/exact", "r_precision/approximate", "precision@5/exact")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    """Nothing of the environment decides but what a test sets."""
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def summary(*names: str, columns: tuple[str, ...] = COLUMNS) -> Summary:
    cells = tuple(
        Cell(
            name,
            {"ranking": name},
            tuple(Score(*column.split("/"), 0.1 * (i + 1), 4, 0, f"sig:{column}") for column in columns),
            reference={"r_precision/exact": 0.25},
        )
        for i, name in enumerate(names)
    )
    return Summary("demo", columns, cells, "the paper")


def shown(of: Summary) -> str:
    return lookup("reports", "console")().write(of, None)


def test_without_a_terminal_the_table_is_plain_ascii():
    """No escape codes; the best value is marked instead of bold."""
    assert shown(summary("tfidf", "random", columns=COLUMNS[:1])).split("\n") == [
        "demo",
        "+-------------------------+",
        "|         |   r_precision |",
        "| ranking |         exact |",
        "|---------+---------------|",
        "| tfidf   |  0.100 (0.25) |",
        "| random  | *0.200 (0.25) |",
        "+-------------------------+",
        "* the best value of its column",
        "In brackets: published values (the paper).",
        "r_precision/exact: 2 cells compared with published values; mean absolute difference 0.100; "
        "Spearman correlation undefined",
        "r_precision/exact: sig:r_precision/exact",
    ]


def test_on_a_terminal_the_best_value_is_bold(monkeypatch):
    """But not the published value beside it."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = shown(summary("tfidf", "random"))
    assert "\x1b[1m0.200\x1b[0m (0.25)" in text
    assert "*" not in text


def test_no_color_is_respected(monkeypatch):
    """NO_COLOR leaves weights but no colours (https://no-color.org)."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    text = shown(summary("tfidf", "random"))
    codes = {part.partition("m")[0] for part in text.split("\x1b[")[1:]}
    assert codes <= {"0", "1", "2"}


@pytest.mark.parametrize("width", [30, 50, 64, 80, 200])
def test_the_table_fits_the_width(monkeypatch, width):
    """Columns that do not fit go into further tables; no number is cut."""
    monkeypatch.setenv("COLUMNS", str(width))
    text = shown(summary("tfidf over tokens, nouns and adjectives only", "random"))
    drawn = [line for line in text.split("\n") if line.startswith(("|", "+"))]
    assert max(map(len, drawn)) <= width
    assert "…" not in text
    for value in ("0.100 (0.25)", "*0.200 (0.25)", "0.100", "*0.200"):
        assert value in text
    assert ("demo (continued)" in text) == (width < 80)


@pytest.mark.parametrize("name", ["[red]x[/red]", "[/]", "<script>", "a|b&c_d%e", ":smile:", "日本語"])
def test_names_are_shown_as_they_are(name):
    """Nothing in them is markup."""
    assert name in shown(summary(name))


def test_control_characters_reach_no_terminal():
    """A name cannot move the cursor or change colours."""
    text = shown(summary("\x1b[31mred\x07"))
    assert r"\x1b[31mred\x07" in text
    assert "\x1b" not in text


def test_what_the_output_cannot_encode_is_escaped(monkeypatch):
    """An ASCII pipe gets ASCII."""
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    text = shown(summary("café"))
    assert text.isascii()
    assert r"caf\xe9" in text


def test_without_cells_or_values_there_is_still_a_report():
    """No cell, no column, no value: words instead of a crash."""
    assert shown(Summary("empty", COLUMNS, ())) == "empty: no cell was run"
    assert "| only |" in shown(Summary("s", (), (Cell("only", {}, ()),)))
    assert "| only |           - |" in shown(Summary("s", COLUMNS[:1], (Cell("only", {}, ()),)))
    unknown = (Score("r_precision", "exact", None, 0, 3, "sig"),)
    assert "| only |           - |" in shown(Summary("s", COLUMNS[:1], (Cell("only", {}, unknown),)))


def test_failures_are_shown_below_the_table():
    """Counted, with the document, the stage and the error."""
    failures = ({"id": "d7", "stage": "ranking", "error": "boom"},)
    text = shown(Summary("s", (), (), "", failures))
    assert text == "s: no cell was run\n1 document failed:\n  d7 (ranking): boom"
