"""Cleaning steps before tokenisation."""

import unicodedata

import pytest
from families import every

from kpframe.errors import SpecError
from kpframe.language.words import token_spans
from kpframe.model.folding import fold, plain
from kpframe.preprocessing.dehyphenate import Dehyphenate
from kpframe.preprocessing.html import Html
from kpframe.preprocessing.unicode import Unicode


@every(
    ("source", "text"),
    [
        ("<p>Machine &amp; deep learning&nbsp;models</p>", "Machine & deep learning models"),
        ("<h1>Title</h1><p>First\n text.</p><p>Second</p>", "Title\n\nFirst text.\n\nSecond"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("a<script>var p = '<b>';</script>b<style>p {}</style><!-- gone -->c", "abc"),
        ("<b>bold</b>ly <i>go</i>", "boldly go"),
        ("<ul><li>x<li>y</ul>", "x\n\ny"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a\n\nb"),
        ("<pre>x\n  y</pre>", "x\ny"),
        ("AT&T &lt;tag&gt; &#233;&#xe9; 3 < 4", "AT&T <tag> éé 3 < 4"),
        ("<!DOCTYPE html><html><head><title>T</title></head><body>B</body>", "T\n\nB"),
        ("<p>never closed <script>lost", "never closed"),
        ("plain text", "plain text"),
        ("", ""),
    ],
)
def test_html_becomes_its_readable_text(source: str, text: str) -> None:
    """No tags, scripts, styles and comments; entities decoded; blocks parted by blank lines."""
    assert Html().clean(source) == text


@every(
    ("broken", "whole"),
    [
        (
            "powerful capabili-\nties and price-\ndetermining factors",
            "powerful capabilities and price-determining factors",
        ),
        ("an under-\n  standing of state-of-\r\nthe-art", "an understanding of state-of-the-art"),
        ("the COVID-\n19 and Smith-\nJones case", "the COVID-19 and Smith-Jones case"),
        ("hyperpara-\nmeters, hyperparameters", "hyperparameters, hyperparameters"),
        ("multi-\nagent and multi-agent", "multi-agent and multi-agent"),
        ("pre-\nand postprocessing", "pre-\nand postprocessing"),
        ("soft\u00ad\nly", "softly"),
        ("a dash -\nand -- \nlines\nstay", "a dash -\nand -- \nlines\nstay"),
        ("a para-\n\ngraph", "a para-\n\ngraph"),
        ("CAPABILI-\nTIES", "CAPABILITIES"),
        ("an LGPL-\nlicensed e-\ncommerce tool", "an LGPL-licensed e-commerce tool"),
        ("nothing broken", "nothing broken"),
    ],
)
@pytest.mark.slow
def test_broken_words_are_joined_and_compounds_kept(broken: str, whole: str) -> None:
    """By the rest of the text first, then by the English word list."""
    assert Dehyphenate().clean(broken) == whole


def test_without_the_word_list_the_text_alone_decides() -> None:
    """Both halves are words of the text, or the break is taken for a broken word."""
    stage = Dehyphenate(english=False)
    assert stage.clean("price-\ndetermining") == "pricedetermining"
    assert (
        stage.clean("a price, determining: price-\ndetermining") == "a price, determining: price-determining"
    )


def test_cleaned_texts_have_the_words_of_the_text() -> None:
    """Whether a sign that nobody sees parts words is one question with one answer."""
    signs = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"]
    assert len(signs) > 150
    assert [f"U+{ord(sign):04X}" for sign in signs if not _has_the_words(sign)] == []


def _has_the_words(sign: str) -> bool:
    """Of a text with the sign between and around words, when it is cleaned."""
    text = f"heat{sign}pump é{sign} {sign}n, {sign}a{sign}{sign}b"
    cleaned = Unicode().clean(text)
    words = [plain(text[begin:end]) for begin, end in token_spans(text, "en")]
    if [plain(cleaned[begin:end]) for begin, end in token_spans(cleaned, "en")] != words:
        return False
    return sign in "\u200c\u200d" or [word for word in fold(text).split() if word] == fold(cleaned).split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("heat\u200bpump", "heat pump"),
        ("heat\u200b\u200b\u200bpump", "heat pump"),
        ("heat \u200bpump\u200b\u200b", "heat pump"),
        ("heat\u00ad\u200b\u2060\u200bpump", "heat pump"),
        ("\u200bheat\u200b\npump\u200b,", "heat\npump ,"),
    ],
)
def test_a_zero_width_space_is_a_blank(text: str, expected: str) -> None:
    """One, and none beside white space."""
    assert Unicode().clean(text) == expected


def test_unicode_forms() -> None:
    """NFC composes, NFKC takes ligatures apart, both drop what cannot be seen."""
    assert Unicode().clean("cafe\u0301 ﬁne") == "café ﬁne"
    assert Unicode(form="NFKC").clean("ﬁne x² ｆｕｌｌ") == "fine x2 full"
    assert Unicode().clean("soft\u00adly\u200b\ufeff") == "softly"
    assert Unicode().clean("plain") == "plain"
    with pytest.raises(SpecError):
        Unicode(form="NFD")  # type: ignore[arg-type]
