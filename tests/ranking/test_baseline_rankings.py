"""Position, frequency and chance."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from ranking_texts import candidates, keys, scores

from kpframe.ranking.frequency import Frequency
from kpframe.ranking.position import Position
from kpframe.ranking.random import Random


def test_the_first_word_has_position_one() -> None:
    """algorithms.md, section 2: begins 0 and 24 in a text of 39 characters are 1.0 and .384615."""
    made = candidates("example sentence funny .", "second example .", places=[(0, 1), (4, 5)])
    assert len(made.document.text) == 41
    found = scores(Position().rank(made))
    assert found == pytest.approx({"example": 1.0, "second": (41 - 25) / 41})
    original = candidates("example sentence funny.", "second example.", places=[(0, 1), (3, 4)])
    assert len(original.document.text) == 39
    assert scores(Position().rank(original)) == pytest.approx({"example": 1.0, "second": 0.384615}, abs=1e-6)


def test_position_may_count_tokens() -> None:
    """The fourth of five tokens has 2/5; the first occurrence counts."""
    made = candidates("a b c d a")
    assert scores(Position(unit="tokens").rank(made)) == {"a": 1.0, "b": 0.8, "c": 0.6, "d": 0.4}


def test_candidates_at_one_place_keep_the_order_of_the_text() -> None:
    """The shorter of two that begin together comes first."""
    assert keys(Position().rank(candidates("a b c", longest=2)))[:2] == ["a", "a b"]


def test_frequency_counts_every_occurrence() -> None:
    """Red kites soar. Where are red kites? Kites! has kites thrice and red twice."""
    made = candidates("Red kites soar .", "Where are red kites ?", "Kites !", without=". ? !")
    ranked = Frequency().rank(made)
    assert scores(ranked) == {"kites": 3.0, "red": 2.0, "soar": 1.0, "where": 1.0, "are": 1.0}
    assert keys(ranked) == ["kites", "red", "soar", "where", "are"]


def test_frequency_of_the_framework_of_the_paper() -> None:
    """algorithms.md, section 2: example twice, second once."""
    found = scores(Frequency().rank(candidates("example sentence funny .", "second example .")))
    assert (found["example"], found["second"]) == (2.0, 1.0)


def test_frequencies_may_be_shares() -> None:
    """Of the occurrences of all candidates."""
    assert scores(Frequency(normalize=True).rank(candidates("a b a c"))) == {"a": 0.5, "b": 0.25, "c": 0.25}


def test_overlapping_occurrences_all_count() -> None:
    """ "a a" stands twice in a a a."""
    assert scores(Frequency().rank(candidates("a a a", longest=2)))["a a"] == 2.0


def test_chance_does_not_depend_on_the_other_candidates() -> None:
    """Only on seed, document and key."""
    few = scores(Random().rank(candidates("a b c", places=[(2, 3)])))
    many = scores(Random().rank(candidates("a b c")))
    assert few["c"] == many["c"]


def test_chance_depends_on_seed_document_and_key() -> None:
    """Each alone changes the score."""
    base = scores(Random().rank(candidates("a b")))
    assert scores(Random(seed=1).rank(candidates("a b")))["a"] != base["a"]
    assert scores(Random().rank(candidates("a b", id="other")))["a"] != base["a"]
    assert base["a"] != base["b"]


def test_chance_is_the_same_on_every_machine() -> None:
    """The upper 53 bits of the 8 bytes of blake2b over seed, document and key, divided by 2^53."""
    upper_bits = int.from_bytes(blake2b(b"0\0d\0a", digest_size=8).digest(), "big") >> 11
    found = scores(Random().rank(candidates("a b")))["a"]
    assert found == upper_bits / 2**53 == 0.8604202155644541


def test_chance_is_uniform() -> None:
    """The mean of 2,000 scores is near 1/2 and none leaves 0 … 1."""
    found = scores(Random().rank(candidates(" ".join(f"w{n}" for n in range(2000))))).values()
    assert sum(found) / 2000 == pytest.approx(0.5, abs=0.02)
    assert min(found) >= 0.0
    assert max(found) < 1.0


def test_a_position_may_be_the_place_itself() -> None:
    """Negative, so that the first is the best."""
    found = Position(unit="tokens", score="place").rank(candidates("a b a c"))
    assert scores(found) == {"a": 0.0, "b": -1.0, "c": -3.0}
