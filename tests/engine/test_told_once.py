"""Notices of a run that several cells would repeat."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from engine_runs import corpus, run

from kpframe.engine.told_once import silent, told_once

LEARNING = """
name: learning
documents: {kind: jsonl, path: corpus.jsonl}
split: {train: 2/3, seed: 1}
preprocessing: [simple]
systems:
  drop: {ranking: {kind: kea, subphrases: drop}}
  keep: {ranking: {kind: kea, subphrases: keep}}
  words: {candidates: {kind: ngrams, min: 1, max: 1, stem: porter}, ranking: kea}
candidates: {kind: ngrams, min: 1, max: 3, stopwords: [en], stem: porter}
reports: [json]
"""


@pytest.mark.slow
def test_what_candidates_reach_is_told_once_for_all_cells_with_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Three cells learn; two of them from the same candidates. The next run tells it again."""
    for folder in ("one", "two"):
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="kpframe"):
            run(tmp_path / folder, LEARNING, corpus(12))
        told = [line for line in caplog.messages if line.startswith("training: candidates reach")]
        assert len(told) == len(set(told)) == 2
        assert [line.partition(" (so in ")[2] for line in told] == ["2 pipelines: drop, keep)", ""]


def test_only_what_is_the_same_is_held_back(caplog: pytest.LogCaptureFixture) -> None:
    """And only inside."""
    log = logging.getLogger("kpframe.ranking")
    with caplog.at_level(logging.INFO, logger="kpframe"):
        with told_once("kpframe.ranking"):
            for name in ("a", "b", "a"):
                log.info("learned %s", name)
        log.info("learned %s", "a")
    assert caplog.messages == ["learned a", "learned b", "learned a"]


def test_several_runs_tell_the_same_once_and_of_which_pipelines(caplog: pytest.LogCaptureFixture) -> None:
    """Each run keeps its own together, and hands it on to the command that has several."""
    log = logging.getLogger("kpframe.ranking")
    with caplog.at_level(logging.INFO, logger="kpframe"), told_once("kpframe.ranking"):
        for cells in (["a", "b"], ["a"], list("cdefg")):
            with told_once("kpframe.ranking") as together:
                for cell in cells:
                    with together.about([cell]):
                        log.info("knows %s", "nothing")
        log.info("done")
        assert caplog.messages == []
    assert caplog.messages == ["knows nothing (so in 7 pipelines: a, b, c, d, e and 2 more)", "done"]


def test_what_was_told_before_is_told_no_more(caplog: pytest.LogCaptureFixture) -> None:
    """Where the same is done again, as to take its time."""
    with caplog.at_level(logging.INFO, logger="kpframe"):
        with silent("kpframe", "kpframe.ranking"):
            logging.getLogger("kpframe").warning("again")
            logging.getLogger("kpframe.ranking").warning("again")
        logging.getLogger("kpframe").warning("new")
    assert caplog.messages == ["new"]
