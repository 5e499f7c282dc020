"""Every spec in `published/` gives the keyphrases and scores of the program that it is named after.

The annotations are the same, so nothing but the method differs. `published/README.md` tells where the
scores are from.
"""

from __future__ import annotations

import math

import pytest
from published_rows import ROWS, SETS, originals, ranked

from kpframe.postprocessing.similar import Similar

pytestmark = pytest.mark.slow

RELATIVE = 1e-6
"""How far a score may be from the original's, as a share of it."""

EQUAL = 1e-9
"""Scores that agree so far are ties: the original orders them by its last digits or by habits of its own."""

LEFT_OUT = 100
"""Originals with n-gram candidates keep so many keyphrases of a text."""


LOWER_IS_BETTER = {"pke.yake.words"}
"""Originals whose best score is the lowest: ours are theirs, negative."""


@pytest.mark.parametrize("texts", ["demo36", pytest.param("inspec50", marks=pytest.mark.acceptance)])
@pytest.mark.parametrize("row", [row for row in ROWS if "features" not in row])
def test_a_row_agrees_with_its_original(row: str, texts: str) -> None:
    """The same keys with the same scores, in the same order but for ties; documents of one set."""
    expected = originals(row, texts)
    if not expected:
        pytest.skip(f"no {row}.{texts}.jsonl.gz in {SETS[texts]}")
    found = ranked(row, texts)
    assert found.keys() == expected.keys()
    for name, record in expected.items():
        sign = -1.0 if row in LOWER_IS_BETTER else 1.0
        theirs = [(entry["key"], sign * float(entry["score"])) for entry in record["ranked"]]
        ours = [(entry.key, entry.score) for entry in found[name]]
        _compare(name, ours, theirs, cut=record.get("candidates", 0) > len(theirs) == LEFT_OUT)


def _compare(name: str, ours: list[tuple[str, float]], theirs: list[tuple[str, float]], *, cut: bool) -> None:
    if cut:  # of those that tie with the last one, the original may keep others
        last = theirs[-1][1]
        theirs = [pair for pair in theirs if not _tied(pair[1], last)]
        ours = [pair for pair in ours if pair[1] > last and not _tied(pair[1], last)]
    score = dict(ours)
    assert len(score) == len(ours), name
    assert sorted(score) == sorted(key for key, _ in theirs), name
    for key, expected in theirs:
        assert math.isclose(score[key], expected, rel_tol=RELATIVE, abs_tol=1e-12), (name, key)
    for place, ((key, _), (other, expected)) in enumerate(zip(ours, theirs, strict=True)):
        assert key == other or _tied(score[key], expected), (name, place, key, other)


def _tied(one: float, other: float) -> bool:
    return abs(one - other) <= EQUAL * max(abs(one), abs(other))


def test_every_original_at_hand_has_a_row() -> None:
    """A file of scores without a spec would be tried by nothing."""
    files = {path.name.removesuffix(".demo36.jsonl.gz") for path in SETS["demo36"].glob("*.demo36.jsonl.gz")}
    assert files - {"inputs"} <= set(ROWS)


@pytest.mark.parametrize("texts", SETS)
def test_near_duplicates_go_as_in_pke(texts: str) -> None:
    """The first twenty of YAKE's keyphrases after those above .8 of Levenshtein's similarity went."""
    expected = originals("pke.yake.words", texts)
    if not expected:
        pytest.skip(f"no pke.yake.words.{texts}.jsonl.gz in {SETS[texts]}")
    for name, keyphrases in ranked("pke.yake.words", texts).items():
        kept = expected[name]["deduplicated"]
        assert [entry.key for entry in Similar(above=0.8).process(keyphrases)][: len(kept)] == kept, name
