"""Rankings by vectors and the choice of unlike phrases, worked by hand and beside values from outside."""

from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from published_rows import ELSEWHERE, HERE, ranked
from ranking_texts import candidates

from kpframe.model import Keyphrases
from kpframe.postprocessing.marginal_relevance import MarginalRelevance
from kpframe.ranking.embedrank import EmbedRank
from kpframe.stages import Embedding


class Compass(Embedding):
    """Four words as directions on a map, and a text as the sum of its words."""

    kind: ClassVar[str] = "compass"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """North is (0, 1), east (1, 0)."""
        known = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "northeast": (1, 1)}
        return np.array(
            [
                np.sum([known.get(word, (0, 0)) for word in text.split()] or [(0, 0)], axis=0)
                for text in texts
            ],
            dtype=float,
        )


def scores(keyphrases: Keyphrases) -> dict[str, float]:
    """Key and score, in the order of the list."""
    return {entry.key: entry.score for entry in keyphrases}


def test_what_points_where_the_text_points_is_first() -> None:
    """Text "north east northeast" is (2, 2): northeast has cosine 1, north and east √½ in text order."""
    found = scores(EmbedRank(embedding=Compass()).rank(candidates("north east northeast")))
    assert list(found) == ["northeast", "north", "east"]
    assert found == pytest.approx({"northeast": 1.0, "north": math.sqrt(0.5), "east": math.sqrt(0.5)})


def test_a_text_of_which_nothing_is_known_leaves_the_order_of_the_text() -> None:
    """All cosines are 0, not undefined."""
    found = scores(EmbedRank(embedding=Compass()).rank(candidates("up down north south")))
    assert found == {"up": 0.0, "down": 0.0, "north": 0.0, "south": 0.0}


def test_no_candidate_gives_no_keyphrase() -> None:
    """Nor does choosing among none."""
    empty = EmbedRank(embedding=Compass()).rank(candidates(""))
    assert scores(empty) == scores(MarginalRelevance(embedding=Compass()).process(empty)) == {}


def test_novelty_lets_an_unlike_phrase_pass() -> None:
    """After northeast, with d = .5, north and east balance .5 · √½ - .5 · √½ = 0."""
    first = EmbedRank(embedding=Compass()).rank(candidates("north east northeast"))
    found = scores(MarginalRelevance(embedding=Compass(), diversity=0.5).process(first))
    assert found == pytest.approx({"northeast": 0.5, "north": 0.0, "east": 0.0}, abs=1e-10)


def test_scores_fall_even_where_a_phrase_is_the_opposite_of_the_chosen_ones() -> None:
    """South's redundancy beside north is -1, so its balance exceeds north's; the score may not."""
    first = Keyphrases.ranked(candidates("north south"), [0.5, 0.4])
    found = MarginalRelevance(embedding=Compass(), diversity=0.5).process(first)
    north, south = (entry.score for entry in found)
    assert (north, south) == (0.25, np.nextafter(0.25, 0))


def test_without_diversity_nothing_changes_but_what_is_beyond_the_top() -> None:
    """The balance is the relevance."""
    first = EmbedRank(embedding=Compass()).rank(candidates("north east northeast"))
    found = MarginalRelevance(embedding=Compass(), diversity=0.0, top=2).process(first)
    assert list(scores(found).items()) == list(scores(first).items())[:2]


def test_standardised_scores_are_half_at_the_mean() -> None:
    """Relevances 3, 1, 2: (x - 2) / √⅔ + .5; the first is chosen by them alone."""
    first = Keyphrases.ranked(candidates("north east south"), [3.0, 1.0, 2.0])
    found = MarginalRelevance(embedding=Compass(), standardise=True, top=1).process(first)
    assert scores(found) == pytest.approx({"north": 0.5 * (0.5 + math.sqrt(1.5))})


def test_standardised_redundancy_is_among_the_other_phrases() -> None:
    """Beside north: east 0, south -1 have the mean -½ and deviation ½, so 1.5 and -.5. South is novel."""
    first = Keyphrases.ranked(candidates("north east south"), [3.0, 1.0, 1.0])
    found = scores(MarginalRelevance(embedding=Compass(), standardise=True).process(first))
    assert list(found) == ["north", "south", "east"]


@cache
def outside(name: str) -> list[dict[str, Any]]:
    """What a plain script made with an embedding for twelve abstracts."""
    path = ELSEWHERE / f"embed.{name}.inspec12.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][1:]


def agree(name: str, embedding: Any, found: dict[str, Keyphrases], tolerance: float) -> None:
    """Cosines and both lists by maximal marginal relevance are those from outside."""
    for record in outside(name):
        ours = found[record["id"]]
        expected = {entry["key"]: entry["score"] for entry in record["ranked"]}
        assert scores(ours) == pytest.approx(expected, abs=tolerance)
        for weight, chosen in record["mmr"].items():
            step = MarginalRelevance(embedding=embedding, diversity=float(weight), top=10)
            assert [entry.key for entry in step.process(ours)] == chosen


@pytest.mark.slow
def test_hashed_trigrams_agree_with_a_plain_script() -> None:
    """To the eleven digits that scores have."""
    outside("toy-trigram64")
    agree("toy-trigram64", "trigrams", dict(ranked("embed.toy-trigram64", "inspec50")), 1e-10)


@pytest.mark.slow
def test_a_sentence_transformer_agrees_with_a_plain_script(tmp_path: Path) -> None:
    """all-MiniLM-L6-v2 from $KPFRAME_MINILM; single precision, and phrases in batches there."""
    pytest.importorskip("sentence_transformers")
    folder = os.environ.get("KPFRAME_MINILM", "")
    if not Path(folder).is_dir() or not folder:
        pytest.skip("$KPFRAME_MINILM is no folder with the model")
    outside("all-MiniLM-L6-v2")
    embedding = {"kind": "sentence_transformers", "path": folder}
    spec = tmp_path / "minilm.yaml"
    settings = json.dumps({"kind": "embedrank", "embedding": embedding})
    spec.write_text(f"extends: {HERE / 'embed.toy-trigram64.yaml'}\nranking: {settings}\n")
    found = dict(ranked(str(spec.with_suffix("")), "inspec50"))
    agree("all-MiniLM-L6-v2", embedding, found, 2e-6)
