"""A very long text is told before it is worked on: nothing else is seen until it is done."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kpframe
from kpframe.engine import batches

SPEC = """
documents: {kind: jsonl, path: t.jsonl, language: en}
preprocessing: [simple]
candidates: tokens
ranking: frequency
"""


@pytest.fixture(autouse=True)
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Callable[[], list[str]]:
    """What was told of long texts; those of a hundred characters are long here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    monkeypatch.setattr(batches, "LONG", 100)
    monkeypatch.setattr(logging.getLogger("kpframe"), "propagate", True)
    caplog.set_level(logging.INFO, "kpframe")
    Path("s.yaml").write_text(SPEC)
    return lambda: [
        text for text in caplog.messages if ("document" in text and "long" in text) or "may take" in text
    ]


def test_it_is_told_before_the_result_is_there(told: Callable[[], list[str]]) -> None:
    """With its id and its length; short ones are not, and of many only the first."""
    pipeline = kpframe.Pipeline.load("s.yaml")

    def texts() -> Iterator[str]:
        yield "red"
        yield "green " * 20

    results = pipeline.extract_many(texts(), language="en")
    next(results)
    line = "document '1' has 120 characters, which may take minutes"
    assert told() == [line]
    list(results)
    assert told() == [line]
    list(pipeline.extract_many(["red " * 30] * 9, language="en"))
    assert len(told()) == 5 and told()[-1] == "more documents are as long, and are not told"


def test_an_experiment_tells_it_too(told: Callable[[], list[str]]) -> None:
    """Of the documents that it evaluates."""
    Path("t.jsonl").write_text('{"id": "a", "text": "red"}\n{"id": "b", "text": "' + "red " * 30 + '"}\n')
    kpframe.Experiment.load("s.yaml").run(out="out", quiet=True)
    assert told() == ["document 'b' has 120 characters, which may take minutes"]
