"""The specs of published rows, run over annotations, and the scores that the originals gave."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from kpframe.engine.annotating import Preprocessing
from kpframe.model import Annotations, Candidates, Document, Keyphrases
from kpframe.spec import load_spec
from kpframe.stages import Reader

HERE = Path(__file__).parent / "published"
_ROOT = Path(__file__).resolve().parents[2]
_DATA = (_ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets")).resolve()
ELSEWHERE = _DATA.parent / "reference" / "oracles" / "rankings"
"""Where scores over texts lie that are not kpframe's to give away."""

SETS = {"demo36": HERE / "data", "inspec50": ELSEWHERE}
"""The sets of texts, with the folder of `inputs.SET.jsonl.gz` and `ROW.SET.jsonl.gz`."""

SETTINGS = {
    ("pke.kpminer.words", "inspec50"): ["ranking.least_frequency=1"],
    ("pke.kpminer.stems", "inspec50"): ["ranking.least_frequency=1"],
}
"""With what the scores over a set were made, where that differs from the row's spec."""

ROWS = sorted(path.stem for path in HERE.glob("*.yaml") if path.stem != "base" and path.stem[:5] != "embed")
"""Rows over whole sets; those with vectors (`embed.*`) are tried by test_embedrank."""


@cache
def originals(row: str, texts: str) -> Mapping[str, Mapping[str, Any]]:
    """What the original says of each document, by id; empty if its file is not there."""
    path = SETS[texts] / f"{row}.{texts}.jsonl.gz"
    if not path.exists():
        return {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {record["id"]: record for record in map(json.loads, lines)}


@cache
def ranked(row: str, texts: str) -> Mapping[str, Keyphrases]:
    """What our spec of a row gives for each document of a set, by id."""
    inputs = SETS[texts] / f"inputs.{texts}.jsonl.gz"
    changed = SETTINGS.get((row, texts), [])
    spec = load_spec(HERE / f"{row}.yaml", settings=[f"documents.path={inputs}", *changed])
    (configuration,) = spec.configurations
    chain = Preprocessing.of(configuration.preprocessing, configuration.required())
    annotated = list(_annotated(chain, spec.reader))
    selected = [configuration.selection.select(document, made) for document, made in annotated]
    ranking = configuration.ranking
    ranker: Any = ranking
    if ranking.fits_on():
        observations = [ranking.observe(one) for one in sorted(selected, key=lambda one: one.document.id)]
        ranker = ranking.restore(json.loads(json.dumps(ranking.fit(observations))))
    found = {}
    for one in selected:
        keyphrases = ranker.rank(one)
        for step in configuration.postprocessing:
            keyphrases = step.process(keyphrases)
        found[one.document.id] = keyphrases
    return found


def _annotated(chain: Preprocessing, reader: Reader) -> Iterator[tuple[Document, Annotations]]:
    for document, made in chain.annotate(_documents(reader)):
        yield document, made.value


@cache
def _documents(reader: Reader) -> tuple[Document, ...]:
    """Many rows have the same."""
    documents = tuple(reader.read())
    assert all(isinstance(entry, Document) for entry in documents), documents
    return documents  # type: ignore[return-value]


__all__ = ["HERE", "ROWS", "SETS", "Candidates", "originals", "ranked"]
