"""Keyphrases of a column of a Spark frame, by `mapInPandas`: each partition goes through one pipeline.

    python examples/in_spark.py

Needs `pip install pyspark` and Java; without them it says so. The pipeline is loaded once for a partition.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import kpframe as kp

ARTICLES = [
    ("a", "Approximate matching makes the evaluation of keyphrase extraction fair."),
    ("b", "Heat pumps in old buildings need careful planning. Heat pumps take heat from air."),
    ("c", None),
]
SCHEMA = "id string, keyphrases array<string>, scores array<double>"


def keyphrases(frames: Iterator[Any]) -> Iterator[Any]:
    """Frames of pandas with `id` and `text` in, with keyphrases out; what Spark calls on each partition."""
    pipeline = kp.Pipeline.load("any-language")  # once for all frames of a partition
    for frame in frames:
        yield kp.extract_frame(frame, "text", id="id", wide=True, pipeline=pipeline, top=3)


def main() -> None:
    """A small frame through Spark on this machine."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        print("not run: Spark is not installed (pip install pyspark)")
        return
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers with the libraries of this process
    spark = SparkSession.builder.master("local[1]").getOrCreate()
    articles = spark.createDataFrame(ARTICLES, "id string, text string")
    for row in articles.mapInPandas(keyphrases, SCHEMA).collect():
        print(row.id, list(row.keyphrases))
    spark.stop()


if __name__ == "__main__":
    main()
