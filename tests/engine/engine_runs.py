"""Small corpora and grids, and the bytes that runs over them leave behind."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from kpframe import Document, Gold
from kpframe.engine.experiment import Experiment, Run
from kpframe.stages.registry import lookup

ROOT = Path(__file__).parents[2]

GRID = """
name: grid
documents: {kind: jsonl, path: corpus.jsonl}
split: {train: 1/3, seed: 1}
preprocessing: [simple]
systems:
  kea:
    candidates: {kind: ngrams, min: 1, max: 3, stopwords: [en], stem: porter}
    ranking: kea
sweep:
  candidates:
    ngrams: {kind: ngrams, min: 1, max: 3}
    tokens: tokens
  ranking:
    tfidf: {kind: tfidf, idf: {from: collection}}
    frequency: frequency
    cooccurrence: {kind: cooccurrence, window: 2}
postprocessing:
  - {kind: merge_adjacent, max_tokens: 4}
  - {kind: stopwords, lists: [en], trim: both}
matching: [exact, approximate]
metrics: [r_precision, precision@5]
reports: [json]
"""
"""Everything that learns, counts and merges, without a language model."""

TWO = """
name: two
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
sweep:
  ranking:
    bad: frequency
    good: {kind: cooccurrence}
metrics: [r_precision, precision@5]
reports: [json, csv, console]
"""
"""Two cells that share their candidates."""

SINGLE = """
name: single
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
ranking: frequency
reports: [json]
"""


def corpus(count: int, seed: int = 1, words: int = 60) -> list[Document]:
    """Texts of made-up words, the more frequent the shorter, each with gold keyphrases out of its text."""
    chance = random.Random(seed)
    known = ["".join(chance.choices("abcdeilnorst", k=2 + rank // 12)) for rank in range(120)]
    documents = []
    for number in range(count):
        drawn = chance.choices(known, weights=[1 / (rank + 5) for rank in range(120)], k=words)
        text = " ".join(". " + word.title() if i % 9 == 8 else word for i, word in enumerate(drawn))
        start = chance.randrange(0, words - 2, 9)
        phrases = [" ".join(drawn[start : start + 2]), max(drawn, key=drawn.count), chance.choice(drawn)]
        gold = tuple(Gold((phrase,)) for phrase in phrases)
        documents.append(Document(f"d{number}", text, gold=gold))
    return documents


@cache
def demonstration() -> tuple[Document, ...]:
    """A third of the demonstration corpus: the beginnings of twelve texts of all its genres."""
    whole = tuple(lookup("documents", "jsonl")(resource="corpora/demo").read())[::3]  # type: ignore[attr-defined]
    return tuple(replace(document, text=document.text[:1200]) for document in whole)


def jsonl(path: Path, documents: Iterable[Document]) -> Path:
    """A corpus in kpframe's own layout."""
    lines = (json.dumps(document.to_json()) + "\n" for document in documents)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def experiment(folder: Path, spec: str, documents: Iterable[Document] = ()) -> Experiment:
    """The experiment of a spec that is written into `folder`, with its corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    jsonl(folder / "corpus.jsonl", documents)
    path = folder / "spec.yaml"
    path.write_text(spec, encoding="utf-8")
    return Experiment.load(path)


def run(folder: Path, spec: str, corpus: Iterable[Document] = (), **options: Any) -> Run:
    """A run over a file with `corpus`; everything, the cache too, lies inside `folder`."""
    options = {"out": folder / "out", "cache": folder / "cache", **options}
    return experiment(folder, spec, corpus).run(**options)


def outcome(out: Path) -> dict[str, bytes]:
    """All that must not depend on how a run went: cells, tables and what was learned."""
    found = sorted([*out.glob("cells/*/*.jsonl"), *out.glob("fitted/*"), *out.glob("*.csv")])
    return {str(path.relative_to(out)): path.read_bytes() for path in [*found, out / "summary.json"]}


def lines(out: Path, cell: str, file: str = "keyphrases.jsonl") -> dict[str, dict[str, Any]]:
    """The records of a cell by document id."""
    with (out / "cells" / cell / file).open(encoding="utf-8") as stream:
        return {record["id"]: record for record in map(json.loads, stream)}


def events(out: Path, event: str) -> list[dict[str, Any]]:
    """The records of one kind in the log."""
    text = (out / "log.jsonl").read_text(encoding="utf-8")
    return [record for record in map(json.loads, text.splitlines()) if record["event"] == event]


def leftovers(out: Path) -> list[str]:
    """Files and folders that a complete run should have removed."""
    return [str(path.relative_to(out)) for path in out.rglob("*") if path.name.startswith(".")]


def begin(arguments: Sequence[str | Path], cache: Path, **environment: str) -> subprocess.Popen[str]:
    """The command line in a process and a process group of its own."""
    known = {**os.environ, "PYTHONPATH": str(ROOT), "KPFRAME_CACHE": str(cache), **environment}
    return subprocess.Popen(
        [sys.executable, "-m", "kpframe", *map(str, arguments)],
        env=known,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def end(process: subprocess.Popen[str]) -> str:
    """What a process printed; it must have gone well."""
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 0, printed
    return printed


def endless(texts: Sequence[str]) -> Iterator[str]:
    """The same texts again and again."""
    while True:
        yield from texts
