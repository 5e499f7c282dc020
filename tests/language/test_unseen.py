"""Signs that nobody sees, as marks of direction, make no other word and are not shown."""

from __future__ import annotations

import pytest

from kpframe import Pipeline
from kpframe.candidates.ngrams import NGrams
from kpframe.language.words import phrase_tokens, token_spans
from kpframe.matching.exact import Exact
from kpframe.model import Document, Gold
from kpframe.preprocessing._sentences import sentence_begins
from kpframe.preprocessing.simple import Simple

DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SIGNS = f"{DIRECTIONS}\u00ad\u034f\u2060\u206a\ufe0f\ufeff"


@pytest.mark.parametrize("sign", SIGNS)
def test_an_unseen_sign_parts_no_word(sign: str) -> None:
    """Texts are cut as if it were not there, at their own offsets; and what is compared is cut alike."""
    for plain in ("red kites", "e-mail", "U.S. law", "it's", "C++", "CO₂", "l'été"):
        for place in range(len(plain) + 1):
            text = plain[:place] + sign + plain[place:]
            words = [text[begin:end] for begin, end in token_spans(text, "en")]
            assert [word.replace(sign, "") for word in words] == [
                plain[begin:end] for begin, end in token_spans(plain, "en")
            ]
            assert not [word for word in words if sign in (word[0], word[-1])]
            assert phrase_tokens(text) == phrase_tokens(plain)


@pytest.mark.parametrize("sign", SIGNS.replace("\u00ad", ""))
def test_an_unseen_sign_is_not_shown_and_hides_no_gold(sign: str) -> None:
    """One candidate, its text without the sign; gold with it is hit, and hits; offsets are the text's own."""
    text = f"We see {sign}red{sign} ki{sign}tes{sign}, and red kites fly."
    (found,) = (entry for entry in Pipeline.load("any-language").extract(text) if entry.key == "red kites")
    assert found.text == "red kites"
    assert [text[begin:end].replace(sign, "") for begin, end in found.spans] == ["red kites"] * 2
    for gold, said in ((f"{sign}red kites{sign}", "red kites"), ("red kites", f"re{sign}d{sign} kites")):
        assert Exact().match([said], [Gold((gold,))], text).hits == (0,)


def test_hebrew_prefixes_with_marks_stay_with_their_words() -> None:
    """As word processors write them, with a mark before or behind the hyphen."""
    text = "מחיר ה\u200f-\u200eIBM עלה"
    assert [text[begin:end] for begin, end in token_spans(text, "he")][1] == "ה\u200f-\u200eIBM"
    document = Document("d", text + " ה-IBM.", language="he")
    found = NGrams(max=1).propose(document, Simple().annotate(document, None))
    assert "ה-IBM" in found.surfaces and len(found.places_of[1]) == 2


@pytest.mark.parametrize("mark", DIRECTIONS)
def test_a_mark_behind_the_full_stop_hides_no_end_of_a_sentence(mark: str) -> None:
    """The sentence begins with its first letter."""
    assert sentence_begins(f"The end.{mark} The next.", "en") == [0, 10]
    assert sentence_begins(f"{mark}The end.\n{mark}\nThe next", "en") == [1, 12]
    assert sentence_begins(mark, "en") == []


def test_a_zero_width_space_parts_words_and_is_shown_as_a_blank() -> None:
    """It marks a place between words."""
    text = "We see red\u200bkites and red kites."
    (found,) = (entry for entry in Pipeline.load("any-language").extract(text) if entry.key == "red kites")
    assert (found.text, len(found.spans)) == ("red kites", 2)
