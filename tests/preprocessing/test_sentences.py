"""Where sentences begin."""

import numpy as np
import pytest

from kpframe.preprocessing._sentences import sentence_begins, sentence_spans


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of a text, white space squeezed."""
    begins = sentence_begins(text, language)
    return [" ".join(text[b:e].split()) for b, e in zip(begins, [*begins[1:], len(text)], strict=True)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Rivers rise. Banks flood.", ["Rivers rise.", "Banks flood."]),
        ('He said "Stop!" Then he left.', ['He said "Stop!"', "Then he left."]),
        ("(It rained.) (We left.)", ["(It rained.)", "(We left.)"]),
        ("Is it so? Yes. “Quite.” Fine…  Good.", ["Is it so?", "Yes.", "“Quite.”", "Fine…", "Good."]),
        ("In 1998. 12 people came.", ["In 1998.", "12 people came."]),
        ("¿Qué pasa? ¡Nada! Bien.", ["¿Qué pasa?", "¡Nada!", "Bien."]),
        ("all is low. no capitals here.", ["all is low.", "no capitals here."]),
        ("你好。再见！", ["你好。", "再见！"]),
    ],
)
def test_a_mark_ends_a_sentence_before_what_begins_another(text: str, sentences: list[str]) -> None:
    """. ! ? and their like, with the quotes and brackets that close them."""
    assert split(text) == sentences


@pytest.mark.parametrize(
    "text",
    [
        "See e.g. Smith and i.e. Jones vs. Brown, cf. Green.",
        "Dr. Who met Mrs. J. R. Smith and Prof. Li.",
        "As Fig. 3, Eq. 4, no. 5, pp. 6 and Sec. 7 show.",
        "Smith et al. Proposed and Smith et al. [12] used it.",
        "The value of 3.14 grew to 1,000.5 units.",
        "The U.S. Senate and Acme Inc. Holdings met at 9 a.m. PST.",
        "Published on Jan. 5 in vol. 3.",
        "He asked: what? nothing.",
        "A short sentence about rivers.          . . . .",
        "1. Introduction",
    ],
)
def test_abbreviations_initials_and_decimals_do_not_end_a_sentence(text: str) -> None:
    """One sentence each."""
    assert len(split(text)) == 1


def test_an_ambiguous_abbreviation_ends_a_sentence_before_a_usual_beginning() -> None:
    """U.S., Inc., et al. and initials, before "The" and the like."""
    text = "He lives in the U.S. The firm is Acme Inc. It was Plan B. However, no. The end."
    assert split(text) == [
        "He lives in the U.S.",
        "The firm is Acme Inc.",
        "It was Plan B.",
        "However, no.",
        "The end.",
    ]


def test_an_enumerator_at_the_beginning_of_a_line_is_no_sentence() -> None:
    """The number belongs to the heading."""
    assert split("Ends here.\n\n2.1. Method\n\nWe do. 3. Results") == [
        "Ends here.",
        "2.1. Method",
        "We do.",
        "3. Results",
    ]


@pytest.mark.parametrize("blank", ["\n\n", "\n \t\n", "\r\n\r\n", "\n\n\n\n", "\u2029"])
def test_a_blank_line_always_ends_a_sentence(blank: str) -> None:
    """Even without a mark, and after an abbreviation."""
    assert split(f"A title{blank}the text by Dr.{blank}smith") == ["A title", "the text by Dr.", "smith"]


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", " \n\t"])
def test_a_single_line_break_is_white_space(line_break: str) -> None:
    """A carriage return with its line feed is one break."""
    assert len(split(f"Saturday evening{line_break}The manager left")) == 1


def test_german_ordinals_do_not_end_a_sentence() -> None:
    """A number before a full stop is an ordinal there."""
    assert len(split("Am 3. Oktober war Feiertag.", "de")) == 1
    assert len(split("There were 3. October came.", "en")) == 2


def test_blank_text_has_no_sentence() -> None:
    """No beginning at all."""
    assert sentence_begins("") == sentence_begins(" \n\t ") == []


def test_sentences_are_ranges_of_tokens_that_cover_all_of_them() -> None:
    """Beginnings without a token of their own are left out."""
    tokens = np.array([0, 4, 8, 12])
    assert sentence_spans(tokens, [0, 8]).tolist() == [[0, 2], [2, 4]]
    assert sentence_spans(tokens, [0, 5, 6, 40]).tolist() == [[0, 2], [2, 4]]
    assert sentence_spans(np.zeros(0, dtype=np.int64), [0]).tolist() == []


@pytest.mark.slow
def test_long_runs_of_white_space_and_marks_take_no_quadratic_time() -> None:
    """200,000 characters of each in well under a second."""
    for unit in (" ", ". ", "\n", "a. ", "…", '."'):
        sentence_begins("A" + unit * (200_000 // len(unit)) + "A.")
