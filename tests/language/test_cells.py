"""Cells of tables in plain text."""

from __future__ import annotations

import textwrap
import unicodedata
from itertools import pairwise

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

import kpframe as kp
from kpframe.preprocessing._sentences import sentence_begins

PROSE = (
    "Graph kernels compare the graphs of chemistry by what they have in common, and the Weisfeiler Lehman "
    "kernel is the one that most people of the field use today. It is fast, and Ada Lovelace made it known. "
    "Wärmepumpen und Solarzellen heizen die Häuser der Stadt Köln, wie ein Bericht der Behörden zeigt."
)


def parts(text: str) -> list[str]:
    """What stands between the borders, white space squeezed."""
    begins = [*sentence_begins(text), len(text)]
    return [" ".join(text[b:e].split()) for b, e in pairwise(begins)]


@every(
    ("text", "expected"),
    [
        (
            "heat pump\tbig house\nsolar cell\tsmall house",
            ["heat pump", "big house", "solar cell", "small house"],
        ),
        ("heat pump \t big house", ["heat pump", "big house"]),
        ("heat pump\t\tbig house\r\nU.S.\tnavy", ["heat pump", "big house", "U.S.", "navy"]),
        ("heat pump    big house", ["heat pump", "big house"]),
        ("heat   pump   house", ["heat", "pump", "house"]),
        ("heat pump   big house\nsolar cell   mill", ["heat pump", "big house", "solar cell", "mill"]),
        ("heat pump   big house", None),
        ("heat pump   big house\nand mill\nand solar   cell", None),
        ("heat pump\u00a0\u00a0\u00a0\u00a0big house", ["heat pump", "big house"]),
        ("C++     Java code      x", ["C++", "Java code", "x"]),
        ("e\u0301te\u0301    hiver", ["e\u0301te\u0301", "hiver"]),
        ("heat  pump", None),
        ("   heat pump\n\tsolar\n        cell", None),
        ("heat pump   \nand cell\t\nand house", None),
        ("•\theat pump", None),
        ("1.     heat pump", None),
        ("1.\theat pump\tbig house", ["1. heat pump", "big house"]),
        ("  (iv)\theat pump", None),
        ("It is warm,   and it is old", None),
    ],
)
def test_cells_are_apart_and_blanks_are_not(text: str, expected: list[str] | None) -> None:
    """None stands for the whole text as one sentence."""
    assert parts(text) == (expected or [" ".join(text.split())])


@pytest.mark.parametrize("gap", ["\t", "   ", "        ", " \t "])
def test_no_keyphrase_crosses_cells(gap: str) -> None:
    """Of the same row, and of the next one."""
    text = f"heat pump{gap}big house\nsolar cell{gap}small house"
    found = {one.text for one in kp.Pipeline.load("any-language").extract(text)}
    assert found == {
        *["heat", "pump", "big", "house", "solar", "cell", "small"],
        "heat pump",
        "big house",
        "solar cell",
        "small house",
    }


def justified(text: str, width: int) -> str:
    """Lines filled to the margin by blanks, all but the last one."""
    lines = [line.split() for line in textwrap.wrap(text, width)]
    made = []
    for words in lines[:-1]:
        spare, gaps = width - sum(map(len, words)), len(words) - 1
        sizes = [spare // gaps + (place < spare % gaps) for place in range(gaps)] if gaps else []
        made.append("".join(word + " " * size for word, size in zip(words, [*sizes, 0], strict=True)))
    return "\n".join([*made, " ".join(lines[-1])])


@given(width=st.integers(36, 100), indent=st.sampled_from(["", "    "]), form=st.sampled_from(["NFC", "NFD"]))
def test_justified_text_has_no_cells(width: int, indent: str, form: str) -> None:
    """However wide its blanks are."""
    text = textwrap.indent(justified(PROSE, width), indent)
    text = unicodedata.normalize(form, text)  # type: ignore[arg-type]
    assert parts(text) == parts(unicodedata.normalize(form, PROSE))  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", [" ", "\t", "a   ", "a\t", "a   \n", "a\n" + " " * 1000, "a  b  c  d   e\n"]
)
def test_gaps_are_found_in_linear_time(piece: str) -> None:
    """A quadratic rule would need hours."""
    sentence_begins("x" + piece * (120_000 // len(piece)))
