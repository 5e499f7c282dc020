"""Spans in results refer to the text as it was given, whatever cleaners did to it."""

from __future__ import annotations

from collections import Counter
from html import unescape
from unicodedata import combining, normalize

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kpframe as kp
from kpframe.engine.annotating import Preprocessing
from kpframe.errors import StageError
from kpframe.language.scripts import is_unspaced
from kpframe.model import Document, Traced
from kpframe.preprocessing.dehyphenate import Dehyphenate
from kpframe.preprocessing.html import Html
from kpframe.preprocessing.markdown import Markdown
from kpframe.preprocessing.papers import Papers
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.unicode import Unicode
from kpframe.stages import Cleaner

CLEANERS = [
    Html(),
    Markdown(),
    Markdown(code="keep"),
    Dehyphenate(english=False),
    Unicode(),
    Unicode(form="NFKC"),
    Papers(english=False),
]
PIECES = [
    "a",
    "B ",
    "kites",
    "\n",
    "\n\n",
    " ",
    "\t",
    "<b>",
    "</b>",
    "<p>",
    "</pre>",
    "<pre>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "&amp;",
    "&eacute;",
    "&#10;",
    "&",
    "<",
    "**",
    "_",
    "`",
    "```",
    "[x](http://y.z)",
    "# ",
    "- ",
    "1. ",
    "\\*",
    "\\",
    "é",
    "́",
    "ﬁ",
    "ｶ",
    "ﾞ",
    "ﾡ",
    "ￂ",
    "\xad",
    "capabili-\n",
    "ties",
    "12",
    "...... 3\n",
    "References",
    "[1] A. 2001.\n",
    "é",
    "\u200b",
]
SPACED = st.lists(st.sampled_from([*PIECES, "|"]), max_size=40).map("".join)
TEXTS = SPACED | st.text(max_size=60)


def stands_for(character: str, given: str) -> bool:
    """Whether a character of a cleaned text can be what a piece of the given text shows."""
    shown = unescape(given)
    return any(character in known for known in (shown, *(normalize(form, shown) for form in ("NFC", "NFKC"))))


@pytest.mark.parametrize("cleaner", CLEANERS, ids=repr)
@settings(deadline=None)
@given(text=TEXTS)
@pytest.mark.slow
def test_every_character_that_can_be_seen_stands_where_it_is_said(cleaner: Cleaner, text: str) -> None:
    """What the given text has there shows the same; places never go back; the text is that of `clean`."""
    made = cleaner.edit(Traced.of(text))
    assert made.text == cleaner.clean(text)
    assert len(made.text) == len(made.begins) == len(made.ends)
    assert (np.diff(made.begins) >= 0).all()
    for place, character in enumerate(made.text):
        begin, end = made.span(place, place + 1)
        assert 0 <= begin <= end <= len(text)
        assert character.isspace() or stands_for(character, text[begin:end])


def taken_apart(text: str) -> tuple[list[str], Counter[str]]:
    """Letters in order, and marks, whose order the canonical one of Unicode may change."""
    parts = normalize("NFKD", text)
    return [part for part in parts if not combining(part)], Counter(filter(combining, parts))


@settings(deadline=None)
@given(text=SPACED)
@example(text="many words are spaced ae\u0301<b>\u3099")
def test_words_keep_their_letters_through_a_chain_of_cleaners(text: str) -> None:
    """Each token of what is cleaned five times has its letters in the given text, in order."""
    chain = Preprocessing((Html(), Markdown(), Papers(english=False), Unicode()), ())
    document = chain.clean(Document("d", text))
    assert document.given == text
    if is_unspaced(document.text):
        return
    made = Simple().annotate(document, None)
    for begin, end in zip(*made.offsets, strict=True):
        letters, marks = taken_apart(document.text[begin:end])
        source, source_marks = taken_apart(unescape(text[slice(*document.given_span(begin, end))]))
        held = iter(source)
        assert all(letter in held for letter in letters)
        assert marks <= source_marks
        assert document.own_span(*document.given_span(begin, end))[0] <= begin


@settings(deadline=None)
@given(text=st.text("ab\n"), data=st.data())
@pytest.mark.slow
def test_edits_are_what_slices_would_do(text: str, data: st.DataObject) -> None:
    """Replacing from the end backwards gives the same text."""
    bounds = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = list(zip(bounds[::2], bounds[1::2], strict=False))
    edits = [(begin, end, data.draw(st.text("xy", max_size=3))) for begin, end in pairs]
    expected = text
    for begin, end, new in reversed(edits):
        expected = expected[:begin] + new + expected[end:]
    assert Traced.of(text).edited(edits).text == expected


def test_edits_out_of_order_are_refused() -> None:
    """They would mix up what stands where."""
    with pytest.raises(StageError, match="give edits in order"):
        Traced.of("abc").edited([(1, 2, ""), (0, 1, "")])


EXTRACTED = [
    ("html", "<p>Caf&eacute; culture &amp; <i>r</i>iver kites</p>", "café culture", "Caf&eacute; culture"),
    ("html", "<p>Red <b>k</b>ites soar</p>", "red kites", "Red <b>k</b>ites"),
    ("markdown", "# Red [kites](http://k.org) soar", "red kites", "Red [kites"),
    ("dehyphenate", "Fine capabili-\nties here", "fine capabilities", "Fine capabili-\nties"),
    ("papers", "eﬃcient kites\n\n12\n\n", "efficient kites", "eﬃcient kites"),
    ("unicode", "cafe\u0301 \u200bculture", "café culture", "cafe\u0301 \u200bculture"),
]


@pytest.mark.parametrize(("cleaner", "text", "phrase", "slice_"), EXTRACTED)
def test_spans_of_keyphrases_are_those_of_the_given_text(
    cleaner: str, text: str, phrase: str, slice_: str
) -> None:
    """By a pipeline, of one text and of many; the result has the text that was given."""
    pipeline = kp.Pipeline.load(
        "any-language", settings=[f"preprocessing=[{cleaner}, simple]", "candidates.stopwords=null"]
    )
    for result in (pipeline.extract(text), *pipeline.extract_many([text])):
        assert result.text == text
        (found,) = [one for one in result if one.text.casefold() == phrase]
        assert [text[begin:end] for begin, end in found.spans] == [slice_]


class Louder(Cleaner):
    """A cleaner that does not say what it changed."""

    kind = "louder"

    def clean(self, text: str) -> str:
        """Capitals."""
        return text.upper()


def test_a_cleaner_that_cannot_tell_leaves_spans_of_its_own_text() -> None:
    """There is no way back, and none is pretended."""
    chain = Preprocessing((Html(), Louder()), ())
    document = chain.clean(Document("d", "<b>red</b> kites"))
    assert (document.text, document.given) == ("RED KITES", "RED KITES")
    assert document.given_span(4, 9) == (4, 9)
    assert document.as_given() is document
    assert chain.clean(Document("d", "RED")).given == "RED"


def test_the_title_stays_the_title() -> None:
    """Its length is that in the cleaned text."""
    document = Document("d", "<h1>Red kites</h1>soar", metadata={"title_length": 18})
    made = Preprocessing((Html(),), ()).clean(document)
    assert made.text[: made.metadata["title_length"]].strip() == "Red kites"


def test_annotations_go_back_with_their_text() -> None:
    """Tokens stand in the given text; words are those of the cleaned one."""
    document = Preprocessing((Html(),), ()).clean(Document("d", "<p>R&eacute;d <b>k</b>ites</p>"))
    made = Simple().annotate(document, None)
    back = Document("d", document.text, annotations=made, origin=document.origin).as_given()
    assert back.annotations is not None
    assert [back.text[b:e] for b, e in zip(*back.annotations.offsets, strict=True)] == [
        "R&eacute;d",
        "k</b>ites",
    ]
    assert back.annotations.strings(back.annotations.words) == ["Réd", "kites"]
