"""Cleaning steps before tokenisation."""

import pytest
from pydantic import ValidationError

from kpframe.preprocessing.dehyphenate import Dehyphenate
from kpframe.preprocessing.html import Html
from kpframe.preprocessing.unicode import Unicode


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


def test_unicode_forms() -> None:
    """NFC composes, NFKC takes ligatures apart, both drop what cannot be seen."""
    assert Unicode().clean("cafe\u0301 ﬁne") == "café ﬁne"
    assert Unicode(form="NFKC").clean("ﬁne x² ｆｕｌｌ") == "fine x2 full"
    assert Unicode().clean("soft\u00adly\u200b\ufeff") == "softly"
    assert Unicode().clean("plain") == "plain"
    with pytest.raises(ValidationError):
        Unicode(form="NFD")  # type: ignore[arg-type]
