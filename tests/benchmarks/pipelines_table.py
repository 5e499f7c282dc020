"""What is recorded of the shipped pipelines, as the table of `pipelines/README.md`.

    kpframe recommend inspec semeval2017 duc sp semeval2010 --limit 90 --format json > FILE
    python -m kpframe.files.resources
    python tests/benchmarks/pipelines_table.py

The first measures anew, which takes an hour or two; FILE goes to resources/reference/pipelines.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kpframe.analysis.recommendation import Measured, Row
from kpframe.commands._recommended import as_markdown
from kpframe.files.resources import resource_path


def measured(entry: Mapping[str, Any]) -> Measured:
    """A corpus as it is recorded."""
    rows = [
        Row(
            row["pipeline"],
            row["scores"],
            frozenset(row["best"]),
            frozenset(row["tied"]),
            tuple(row["needs"]),
            row["seconds"],
        )
        for row in entry["pipelines"]
    ]
    name, column = str(entry["corpus"]), str(entry["column"])
    documents, words, gold = int(entry["documents"]), int(entry["words"]), float(entry["gold"])
    return Measured(name, column, tuple(rows), documents, words, gold, True, Path())


if __name__ == "__main__":
    records = json.loads(resource_path("reference/pipelines").read_text(encoding="utf-8"))
    sys.stdout.write(as_markdown([measured(entry) for entry in records]))
