"""The running text of papers."""

from __future__ import annotations

import pytest
from families import every

from kpframe.model import Traced
from kpframe.preprocessing.papers import Papers

PAGE = "\n".join(f"Line {name} of the running text goes on and" for name in "abcdefghijklmnopqrst")


def paper(head: str) -> str:
    """Three pages with a running head, and a page number under each."""
    return "\n".join(f"{head}\n{PAGE}\n{page}" for page in (101, 102, 103))


@every(
    ("part", "before", "after"),
    [
        ("ligatures", "eﬃcient ﬁles", "efficient files"),
        ("ligatures", "classiﬁ cation, Classification", "classification, Classification"),
        ("ligatures", "Classiﬁcation by classiﬁ cation", "Classification by classification"),
        ("ligatures", "a classi ﬁcation and a classi ﬁ cation", "a classification and a classification"),
        ("ligatures", "the ﬁ nite and proﬁ t aﬀ ects it", "the finite and profit affects it"),
        ("ligatures", "zarﬁ tol of zarfitol", "zarfitol of zarfitol"),
        ("ligatures", "zarﬁ tol", "zarfi tol"),
        ("ligatures", "an oﬀ set of oﬀ setting and staﬀ costs", "an off set of off setting and staff costs"),
        ("ligatures", "turn oﬀ set, offset, set", "turn off set, offset, set"),
        ("ligatures", "classiﬁ\n\ncation classification", "classifi\n\ncation classification"),
        (
            "contents",
            "Contents\n1 Start ........ 1\n2 Joins . . . . . . 4\n\n3 End____12\nText.",
            "Text.",
        ),
        ("contents", "1 Start ........ 1\n2 Joins ....... 4\nText.", None),
        ("page_numbers", "the first half\n\n- 12 -\n\nof a sentence", "the first half\nof a sentence"),
        ("page_numbers", "It ends here.\n\nPage 3 of 10\n\nNext begins", "It ends here.\n\nNext begins"),
        ("page_numbers", "In 2019\nwe saw 35\nusers", None),
        (
            "references",
            "Intro.\nText.\nThe end.\n7. REFERENCES\n[1] Rill, A. Joins. 2001.\n[2] Quist, B. 2002.",
            "Intro.\nText.\nThe end.",
        ),
        (
            "references",
            "Intro.\nText.\nThe end.\nReferences\n[1] Rill, A. 2001.\nAppendix A\nProofs.",
            "Intro.\nText.\nThe end.\nAppendix A\nProofs.",
        ),
        ("references", "Intro.\nText.\nReferences\nare pointers that a program follows", None),
        ("references", "References\n[1] Rill, A. 2001.\nIntro.\nText.\nThe end.", None),
        ("hyphens", "powerful capabili-\nties", "powerful capabilities"),
    ],
)
def test_each_part_takes_out_its_own(part: str, before: str, after: str | None) -> None:
    """What is meant goes, and what only looks like it stays."""
    assert Papers(parts=(part,)).clean(before) == (before if after is None else after)  # type: ignore[arg-type]


def test_running_heads_go_and_the_title_stays() -> None:
    """The same line at the head of each page, its first one being the title."""
    made = Papers(parts=("running_heads",)).clean(paper("Joins in Large Graphs"))
    assert made.count("Joins in Large Graphs") == 1
    assert made.startswith("Joins in Large Graphs\nLine a")


def test_running_heads_may_hold_page_numbers() -> None:
    """A number does not make it another line."""
    text = "\n".join(f"{page} Rill and Quist\n{PAGE}" for page in (100, 102, 104))
    assert "Rill" not in Papers(parts=("running_heads",)).clean(f"Title\n\nA\nB\nC\n{text}")


def test_lines_that_come_often_and_close_are_no_heads() -> None:
    """A refrain is text."""
    text = "\n".join(["I wait for the bus", "a line between"] * 5)
    assert Papers(parts=("running_heads",)).clean(text) == text


def test_a_sentence_goes_on_over_the_page() -> None:
    """Head and number between two halves of a sentence leave no border."""
    made = Papers().clean(paper("Joins in Large Graphs"))
    assert "\n\n" not in made
    assert "103" not in made


def test_words_joined_at_ligatures_lead_back() -> None:
    """Both halves, with the blank between them."""
    text = "A classiﬁ cation, which classification is."
    made = Papers(english=False).edit(Traced.of(text))
    assert made.text == "A classification, which classification is."
    assert text[slice(*made.span(2, 16))] == "classiﬁ cation"


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["ﬁ ", "aﬁ b ", "ﬁ", "a ﬁ", "a" * 50 + "ﬁ "])
def test_ligatures_take_linear_time(piece: str) -> None:
    """A quadratic rule would need minutes."""
    Papers(parts=("ligatures",), english=False).clean(piece * (50_000 // len(piece)))
