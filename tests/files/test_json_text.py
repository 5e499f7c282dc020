"""JSON that people hand in, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kpframe.candidates.vocabulary import Vocabulary
from kpframe.errors import DataError
from kpframe.evaluation.predictions import read_predictions
from kpframe.files.json_text import json_value
from kpframe.stages import Selection

DEEP = "[" * 100_000


def test_what_is_right_is_read() -> None:
    """With the options of `json.loads`."""
    assert json_value('{"a": 1}') == {"a": 1}
    assert json_value(b"[1.5]", parse_float=str) == ["1.5"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (DEEP, "it is nested too deeply"),
        ("9" * 5000, "a number has too many digits"),
        ("{", "Expecting property name"),
    ],
)
def test_what_is_wrong_is_a_value_error(text: str, told: str) -> None:
    """So that whoever reads a file has one kind of error to tell."""
    with pytest.raises(ValueError, match=told):
        json_value(text)


def test_readers_tell_what_is_nested_too_deeply(tmp_path: Path) -> None:
    """Of terms, and of predictions."""
    (tmp_path / "terms.json").write_text(DEEP)
    selection: Selection = Vocabulary(path=str(tmp_path / "terms.json"))
    ((parameter, problem, _),) = selection.problems(["en"])
    assert (parameter, "nested too deeply" in problem) == ("path", True)
    (tmp_path / "p.jsonl").write_text('{"id": "a", "predicted": ' + DEEP + "\n")
    with pytest.raises(DataError, match=r"not valid JSON \(it is nested too deeply\)"):
        list(read_predictions(str(tmp_path / "p.jsonl")))
