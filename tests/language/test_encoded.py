"""Lines of encoded data."""

from __future__ import annotations

import base64
import random
import textwrap

import pytest

import kpframe as kp
from kpframe.language.words import token_spans
from kpframe.preprocessing.tokenize import Tokenize

BYTES = random.Random(7).randbytes(500)
MIME = base64.encodebytes(BYTES).decode()
PEM = "\n".join(textwrap.wrap(base64.b64encode(BYTES).decode(), 64)) + "\n"
HEX = "\n".join(textwrap.wrap(BYTES.hex(), 60)) + "\n"


@pytest.mark.parametrize("data", [MIME, PEM, HEX])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n    ", "\n> "])
def test_lines_of_data_are_no_keyphrases(data: str, ends: str) -> None:
    """Whatever stands before and behind each line."""
    text = f"Heat pumps warm houses.\n\n{data}\nHeat pumps are old.".replace("\n", ends)
    found = {one.text.casefold() for one in kp.Pipeline.load("any-language").extract(text)}
    assert found <= {"heat", "heat pumps", "pumps", "pumps warm", "warm", "warm houses", "houses", "old"}
    assert "heat pumps" in found


@pytest.mark.slow
def test_language_models_see_one_word() -> None:
    """The same rule for every tokenizer."""
    made = Tokenize().annotate(kp.Document("d", f"Heat pumps.\n\n{MIME}\nIt ends."), None)
    assert len(made) == 3 + 1 + 3


@pytest.mark.parametrize(
    "text",
    [
        f"{'a' * 50}\n{'b' * 50}\nshort",
        f"{'a' * 50} {'b' * 50} {'c' * 50}",
        f"{'a' * 50}\nheat\n{'b' * 50}\nheat\n{'c' * 50}",
        "\n".join(["A" * 39] * 5),
    ],
)
def test_long_words_that_are_no_block_stay(text: str) -> None:
    """Two lines, one line, lines apart, and shorter ones."""
    assert [text[begin:end] for begin, end in token_spans(text, "en")] == text.split()


def test_a_word_behind_data_is_a_word() -> None:
    """Only what looks like the rest of the data belongs to it."""
    lines = "\n".join(["QUJD" * 19] * 3)
    assert len(token_spans(f"{lines}\nheat", "en")) == 2
    assert len(token_spans(f"{lines}\nQUJDRA==", "en")) == 1
