"""A collection that is one text, or the same several times, tells no words apart: that is said."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from ranking_texts import candidates

from kpframe.engine.experiment import Experiment
from kpframe.spec.stages import make_stage
from kpframe.stages import Ranking

HERE = candidates("red kite red")
OTHER = candidates("blue kite")
SAID = "every document frequency is that of all documents"
RANKINGS = ["tfidf", {"kind": "tfidf", "over": "candidates"}, "kpminer", "log_likelihood", "kl_divergence"]


@pytest.mark.parametrize("given", RANKINGS, ids=repr)
def test_it_is_told_where_frequencies_are_counted(given: Any, caplog: pytest.LogCaptureFixture) -> None:
    """For one text and for the same twice; not where another one is among them."""
    ranking: Any = make_stage("ranking", given, "here", Ranking)  # type: ignore[type-abstract]
    with caplog.at_level(logging.INFO, logger="kpframe.ranking"):
        ranking.fit(map(ranking.observe, [HERE, OTHER]))
        assert not caplog.messages
        ranking.fit(map(ranking.observe, [HERE]))
        ranking.fit(map(ranking.observe, [HERE, HERE]))
    one, two = caplog.messages
    assert one.startswith(f"{SAID} (1 document): ")
    assert two.startswith(f"{SAID} (2 documents with the same words): ")


def test_a_run_tells_it_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """However many of its configurations learn from the collection."""
    (tmp_path / "one.jsonl").write_text('{"text": "The red kite flew.", "gold": ["red kite"]}\n')
    rankings = "{a: tfidf, b: {kind: tfidf, over: candidates}, c: log_likelihood, d: kpminer}"
    spec = tmp_path / "one.yaml"
    spec.write_text(
        "name: one\ndocuments: {kind: jsonl, path: one.jsonl}\npreprocessing: [simple]\ncandidates: tokens\n"
        f"sweep: {{ranking: {rankings}}}\n"
    )
    with caplog.at_level(logging.INFO, logger="kpframe"):
        Experiment.load(spec).run(out=tmp_path / "run", cache=tmp_path / "cache")
    assert sum(SAID in message for message in caplog.messages) == 1
