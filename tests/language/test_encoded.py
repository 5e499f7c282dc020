"""Lines of encoded data."""

from __future__ import annotations

import base64
import random
import textwrap

import pytest

import kpframe as kp
from kpframe.candidates.ngrams import NGrams
from kpframe.language.encoded import encoded_spans
from kpframe.language.words import token_spans
from kpframe.preprocessing.pos import Pos
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.tokenize import Tokenize
from kpframe.stages import Annotator

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


LONG = base64.b64encode(random.Random(3).randbytes(15_000)).decode()


@pytest.mark.parametrize("size", [1000, 20_000])
@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize(
    "around", ["See the red kites.\n\n{}\n\nRed kites fly.", "See red kites {} and kites fly."]
)
@pytest.mark.parametrize("annotator", [Simple(), Tokenize(), Tokenize(piece_characters=1000)])
def test_data_is_one_token_however_long(size: int, lines: bool, around: str, annotator: Annotator) -> None:
    """On one line or many, in a paragraph of its own or inside one, across the pieces that a model takes."""
    data = "\n".join(textwrap.wrap(LONG[:size], 76)) if lines else LONG[:size]
    text = around.format(data)
    document = kp.Document("d", text, language="en")
    made = annotator.annotate(document, None)
    end_of = dict(zip(*made.offsets, strict=True))
    begin = text.index(data)
    assert begin + len(data) - 76 < end_of[begin] <= begin + len(data)
    assert not [form for form in NGrams().propose(document, made).surfaces if len(form) > 40]


@pytest.mark.slow
def test_data_with_double_slashes_takes_no_time_under_a_language_model() -> None:
    """What looks for names with slashes went back through all of them."""
    line = "aB/cd/e1" * 9
    document = kp.Document("d", f"Red kites.\n\n{line}\n{line}\n{line}\n{line}//\n\nThey fly.", language="en")
    made = next(Pos.run([Tokenize(), Pos()], [document], [None]))
    assert not isinstance(made, Exception) and len(made) == 7


def test_long_rules_and_words_of_one_case_are_no_data() -> None:
    """Data has capitals, other letters and digits."""
    for text in ("=" * 300, "acgt" * 100, "-" * 300):
        assert encoded_spans(text) == []
