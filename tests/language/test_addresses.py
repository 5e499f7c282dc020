"""Addresses of several people and addresses in words are one token each, and no part is a candidate."""

from __future__ import annotations

from itertools import pairwise
from unicodedata import normalize

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

from kpframe import Pipeline
from kpframe.language.addresses import is_address
from kpframe.language.words import is_wordlike, token_spans

ADDRESSES = [
    "{ann,bob}@host.edu",
    "{ann, bob, c.lee} @ cs.host.edu",
    "{ann | bob}@host.edu",
    "{ann;bob}@host.ac.uk",
    "{ first.last }@cl.cam.ac.uk",
    "(ann, bob)@host.org",
    "[ann,bob]@host.org",
    "{josé,bob}@host.edu",
    "{ann, bob} (at) host [dot] de",
    "ann (at) host.org",
    "ann(at)host.org",
    "ann [AT] host [DOT] org",
    "ann [at] cs [dot] host [dot] org",
    "ann {at} host {dot} org",
    "ann <at> host.org",
    "ann (@) host.org",
    "ann at host dot org",
    "ANN AT CS DOT HOST DOT EDU",
    "ann_at_host.org",
    "ann_AT_host_DOT_org",
    "ann@host [dot] org",
    "ann @ host.org",
    "ann @host.org",
]
"""Each as it stands in papers and on pages."""

NONE = [
    "measured (at) room temperature",
    "the loss at point dot product is",
    "evaluated at each dot product",
    "look at this dot. Org charts",
    "sampled @ 5.2 GHz",
    "sold @ 3.50 each",
    "the sets {a, b} and f(a, b) of x",
    "an R(at)M of 4",
    "recall R@10 and precision",
    "state-of-the-art at low cost",
    "the dot of an i",
]
"""What looks a little like one."""


def tokens(text: str, language: str = "en") -> list[str]:
    """The tokens of a text."""
    return [text[begin:end] for begin, end in token_spans(text, language)]


@every("form", ["NFC", "NFD"])
@every("address", ADDRESSES)
def test_an_address_is_one_token(address: str, form: str) -> None:
    """Within a sentence, at its end, in brackets, alone."""
    address = normalize(form, address)  # type: ignore[arg-type]
    assert tokens(f"Write to {address} today") == ["Write", "to", address, "today"]
    assert tokens(f"Write to {address}.") == ["Write", "to", address, "."]
    assert tokens(f"Ann Lee\n{address}\nAbstract") == ["Ann", "Lee", address, "Abstract"]
    assert tokens(address) == [address]
    assert is_address(address) and not is_wordlike(address)


@pytest.mark.parametrize("text", NONE)
def test_other_words_are_parted_as_without_the_rule(text: str) -> None:
    """Without a language nobody looks for such addresses, as phrases have none."""
    assert tokens(text) == tokens(text, "")
    assert not any(map(is_address, tokens(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann, bob@cs.edu", ["ann, bob@cs.edu"]),
        ("E-mail: ann, bob (at) host.", ["E-mail", ":", "ann, bob (at) host", "."]),
        ("Ask Lee, ann (at) cs.edu now", ["Ask", "Lee", ",", "ann (at) cs.edu", "now"]),
        ("{a,b}@x.org, {c}@y.org;", ["{a,b}@x.org", ",", "{c}@y.org", ";"]),
        ("<ann@host.org>", ["<", "ann@host.org", ">"]),
        ("ann@host.org, bob@host.org", ["ann@host.org", ",", "bob@host.org"]),
        ("ann (at)\nhost.org", ["ann", "(", "at", ")", "host.org"]),
    ],
)
def test_how_far_an_address_goes(text: str, expected: list[str]) -> None:
    """Names before a comma share a host where a line, or what follows a colon, is nothing but addresses."""
    assert tokens(text) == expected


@every("pipeline", ["rake", "yake", "any-language"])
@every("address", [*ADDRESSES, "ann, bob (at) host.org"])
def test_no_part_of_an_address_is_a_candidate(address: str, pipeline: str) -> None:
    """Whatever selects candidates."""
    text = f"{address}\nRed kites hunt herons. Red kites are birds.\nContact: {address}"
    found = Pipeline.load(pipeline).extract(text)
    words = {word.casefold() for keyphrase in found for word in keyphrase.text.split()}
    assert words and words <= {"red", "kites", "hunt", "herons", "birds", "are", "contact"}


@given(st.text(alphabet="ab.@(){}[]<>, \n_-|atdo\u0301", max_size=80))
def test_tokens_cover_all_that_can_be_seen(text: str) -> None:
    """In order, none over another, whatever brackets and marks there are; the rule only joins."""
    with_rule, without = token_spans(text, "en"), token_spans(text, "")
    assert all(one[1] <= other[0] for one, other in pairwise(with_rule))
    assert {b for b, _ in with_rule} <= {b for b, _ in without}
    assert {e for _, e in with_rule} <= {e for _, e in without}
    covered = {place for begin, end in with_rule for place in range(begin, end)}
    assert all(place in covered for begin, end in without for place in range(begin, end))
