"""Models that somebody changed by hand, checksum and all: each works or is told, none ends in a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from engine_runs import ROOT, corpus, experiment

from kpframe import Document, Pipeline
from kpframe.errors import KpframeError
from kpframe.files.sealing import sealed

pytestmark = pytest.mark.slow

LOGISTIC = """
name: learned
documents: {kind: jsonl, path: corpus.jsonl}
split: {train: 2/3, seed: 1}
preprocessing: [simple]
candidates: {kind: ngrams, min: 1, max: 2, stopwords: [en]}
ranking: {kind: classifier, features: [tfidf, length], model: {sklearn: LogisticRegression}}
postprocessing: [{kind: top, number: 5}]
"""
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2, 10**400, 0.5, -1e308, float("nan"), float("inf"), "", "changed", "\ud800", [], [[]],
    {}, {"a": None},
)  # fmt: skip
FEW = 3
"""Of longer objects and lists this many members are changed, one after the other."""

Path_ = tuple[Any, ...]


def nodes(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The places in a JSON tree."""
    if path:
        yield path
    inner = list(value.items()) if isinstance(value, dict) else []
    inner = list(enumerate(value)) if isinstance(value, list) else inner
    for key, item in inner if len(inner) <= 20 else inner[:FEW]:
        yield from nodes(item, (*path, key))


def mutations(model: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The model with one node deleted, or replaced by a value of each type, or with one key too many."""
    for number, path in enumerate(nodes(model)):
        where = "/".join(map(str, path))
        # Each node meets the deletion and a few values; neighbours meet others, so that all meet all kinds.
        chosen = [VALUES[(number * 2 + i) % len(VALUES)] for i in range(2)]
        for value in ("delete", "add", *chosen):
            changed = copy.deepcopy(model)
            target: Any = changed
            for key in path[:-1]:
                target = target[key]
            if value == "delete":
                del target[path[-1]]
            elif value == "add":
                if not isinstance(target[path[-1]], dict):
                    continue
                target[path[-1]]["surplus"] = 1
            else:
                target[path[-1]] = value
            yield f"{where} = {value!r}", changed


def logistic(folder: Path) -> dict[str, Any]:
    """A model with a classifier of scikit-learn, trained here."""
    pytest.importorskip("skops")
    experiment(folder, LOGISTIC)
    Pipeline.train(folder / "spec.yaml", corpus(12)).save(folder / "made.json")
    return dict(json.loads((folder / "made.json").read_text(encoding="utf-8")))


def shipped(name: str) -> dict[str, Any]:
    return dict(json.loads((ROOT / "resources" / "models" / f"{name}.json").read_text(encoding="utf-8")))


@pytest.mark.acceptance
@pytest.mark.parametrize("name", ["kea-demo", "tfidf-demo", "logistic"])
def test_no_change_of_a_model_ends_in_a_traceback(tmp_path: Path, name: str) -> None:
    """Whatever is deleted, retyped or replaced, and sealed again: it works, or a KpframeError says where."""
    model = logistic(tmp_path) if name == "logistic" else shipped(name)
    model.pop("checksum")
    path = tmp_path / "model.json"
    text = Document("text", "Cats sleep. The cats of Berlin sleep in old houses, and old houses sleep too.")
    untold, refused, tried = [], 0, 0
    for where, changed in mutations(model):
        tried += 1
        path.write_text(json.dumps(sealed(changed)), encoding="utf-8")
        try:
            Pipeline.load(path).extract(text.text)
        except KpframeError as error:
            refused += 1
            if not all(found.place and found.problem for found in error.problems):
                untold.append(f"{where}: {error}")
        except Exception as error:
            untold.append(f"{where}: {type(error).__name__}: {error}")
    assert untold == []
    assert refused > tried / 3
