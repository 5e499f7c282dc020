"""Features of a second pass: what goes with the best phrases of the first."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ranking_texts import candidates, keys

from kpframe.errors import ResourceError, SpecError
from kpframe.model import Candidates
from kpframe.ranking._coherence import with_coherence
from kpframe.ranking._features import TrainingCounts, describe
from kpframe.ranking.classifier import Classifier

FEATURES = ("first_position", "coherence_1", "coherence_2", "coherence_3", "coherence_4")

KEYS = ["sea", "ship", "mast", "cake"]
DOCUMENTS = {
    "sea": frozenset({0, 1, 2}),
    "ship": frozenset({0, 1}),
    "mast": frozenset({2, 3}),
    "cake": frozenset({3, 4}),
}
COUNTS = TrainingCounts(5, {key: len(found) for key, found in DOCUMENTS.items()}, {}, DOCUMENTS)


def ranks(best: list[str], own: int | None = None, *, place: int = 1) -> dict[str, float]:
    """The feature of each word for the `place`-th of the best."""
    described = with_coherence(describe(candidates(" ".join(KEYS)), (), None), best, COUNTS, own)
    return dict(zip(described.keys, described.columns[f"coherence_{place}"].tolist(), strict=True))


def test_words_are_ranked_by_the_documents_that_they_share() -> None:
    """With sea: ship 2/(2·3) as sea itself 3/(3·3), mast 1/(2·3), cake never."""
    assert ranks(["sea"]) == pytest.approx({"sea": 0.5 / 3, "ship": 0.5 / 3, "mast": 2 / 3, "cake": 1.0})


def test_each_of_the_best_has_its_own_feature() -> None:
    """With cake: itself 2/4, mast 1/4, the others never."""
    assert ranks(["sea", "cake"], place=2) == pytest.approx(
        {"cake": 0.0, "mast": 1 / 3, "sea": 2.5 / 3, "ship": 2.5 / 3}
    )


def test_a_training_document_is_left_out_of_the_counts() -> None:
    """Document 2 alone has sea and mast together."""
    assert ranks(["sea"], own=2)["mast"] == ranks(["sea"], own=2)["cake"]


def test_where_there_are_fewer_best_ones_all_are_alike() -> None:
    """The mean rank, which tells nothing."""
    assert set(ranks(["sea"], place=4).values()) == {0.5}


def text(first: str, second: str, *, gold: str, id: str) -> Candidates:
    """A text of single words."""
    return candidates(first, second, gold=[gold], id=id)


TRAINING = [
    *(text(f"ship s{i} t{i}", f"u{i} mast", gold="ship", id=f"a{i}") for i in range(4)),
    *(text(f"cake s{i} t{i}", f"u{i} oven", gold="cake", id=f"b{i}") for i in range(4)),
]


def trained(features: tuple[str, ...] = FEATURES) -> dict[str, Any]:
    """The state, as it is read back from JSON."""
    ranking = Classifier(features=features)  # type: ignore[arg-type]
    return dict(json.loads(json.dumps(ranking.fit([ranking.observe(one) for one in TRAINING]))))


def test_a_trained_classifier_ranks_by_it() -> None:
    """It restores from plain values, and ranks every candidate."""
    ready = Classifier(features=FEATURES).restore(trained())
    found = ready.rank(candidates("ship sails", "oven mast"))
    assert set(keys(found)) == {"ship", "sails", "oven", "mast"}
    assert keys(found)[0] == "ship"


@pytest.mark.slow
def test_others_keep_no_documents() -> None:
    """The state of a classifier without such features is as it was."""
    assert trained().keys() - trained(("first_position",)).keys() == {"first_pass", "documents_of"}


def test_coherence_needs_a_first_pass() -> None:
    """There must be another feature."""
    with pytest.raises(SpecError, match="coherence needs other features beside it"):
        Classifier(features=("coherence_1",))


@pytest.mark.parametrize("lacking", ["first_pass", "documents_of"])
def test_a_state_without_its_first_pass_is_refused(lacking: str) -> None:
    """And one without the documents of its phrases."""
    state = {name: value for name, value in trained().items() if name != lacking}
    with pytest.raises(ResourceError, match="train it anew"):
        Classifier(features=FEATURES).restore(state)
