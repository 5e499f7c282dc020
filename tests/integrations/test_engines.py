"""What the examples hand to Spark and Ray: frames in, frames of the promised columns out."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

pandas = pytest.importorskip("pandas")


def frame(*texts: str | None) -> Any:
    """What an engine hands over: a piece of a column with its ids."""
    return pandas.DataFrame({"id": [f"d{i}" for i in range(len(texts))], "text": list(texts)})


def test_spark_gets_a_frame_for_each_frame() -> None:
    """With the columns of the schema, and a row for a text that is missing."""
    example = runpy.run_path(str(EXAMPLES / "in_spark.py"))
    given = [frame("Heat pumps take heat from air.", None), frame("Graph ranking.")]
    first, second = example["keyphrases"](iter(given))
    assert list(first.columns) == [part.split()[0] for part in example["SCHEMA"].split(", ")]
    assert list(first["id"]) == ["d0", "d1"] and list(first["keyphrases"][1]) == []
    assert "Graph ranking" in list(second["keyphrases"][0])


def test_ray_gets_a_frame_for_each_batch() -> None:
    """The same by an object that is made once."""
    example = runpy.run_path(str(EXAMPLES / "in_ray.py"))
    found = example["Keyphrases"]()(frame("Heat pumps take heat from air."))
    assert list(found.columns) == ["id", "keyphrases", "scores"] and len(found["keyphrases"][0]) == 3
