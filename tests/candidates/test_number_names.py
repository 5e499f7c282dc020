"""Numbers that belong to a name are part of candidates; years and counts are not."""

from __future__ import annotations

import pytest

from kpframe.candidates.ngrams import NGrams
from kpframe.candidates.tokens import Tokens
from kpframe.model import Document
from kpframe.preprocessing.simple import Simple


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Patients with type 2 diabetes need insulin.", {"type 2 diabetes"}),
        ("The IEEE 802.11 standard, IEEE 802.11b", {"IEEE 802.11", "IEEE 802.11 standard", "IEEE 802.11b"}),
        ("ISO 9001 is a norm.", {"ISO 9001"}),
        ("They reached level 3.", {"level 3"}),
        ("In phase 2 the trial grew.", {"phase 2"}),
        ("ACM 2019 had 35 users, NASA 35 users.", set()),
        ("See Table 3, step 4, section 5 and TABLE 6.", set()),
        ("AT 5 they left the IEEE. 802 came.", set()),
        ("a type\n\n2 things", set()),
        ("COVID-19 and IL-6 rise in 2020.", {"COVID-19", "IL-6"}),
    ],
)  # fmt: skip
def test_ngrams_hold_the_numbers_of_names(text: str, found: set[str]) -> None:
    """All candidates with a digit are those that are right."""
    document = Document("d", text)
    stage = NGrams(max=2, stopwords=("en",), numbers="names")
    surfaces = stage.propose(document, Simple().annotate(document, None)).surfaces
    digits = {one for one in surfaces if any(map(str.isdigit, one))}
    assert digits >= found
    assert bool(digits) == bool(found)
    assert not {one for one in surfaces if one[0].isdigit()}


def test_without_numbers_nothing_changes() -> None:
    """The n-grams are those that `boundary` finds."""
    document = Document("d", "Red kites soar over quiet rivers in May.")
    made = Simple().annotate(document, None)
    names, boundary = (NGrams(numbers=n).propose(document, made) for n in ("names", "boundary"))  # type: ignore[arg-type]
    assert names.places_of == boundary.places_of


def test_tokens_take_numbers_of_names_only_when_asked() -> None:
    """Beside the parts of speech."""
    document = Document("d", "type 2 diabetes in 35 users")
    made = Simple().annotate(document, None)
    pos = made.words * 0  # every token is a number
    made = made.with_layers(pos=pos + len(made.vocabulary), vocabulary=(*made.vocabulary, "NUM"))
    assert Tokens(pos=("noun",)).propose(document, made).surfaces == ()
    assert list(Tokens(pos=("noun",), name_numbers=True).propose(document, made).surfaces) == ["2"]
