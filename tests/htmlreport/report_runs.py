"""Small runs to report on: texts that nobody expects, a grid, a ranking that learns, many matchings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from kpframe import Document, Gold
from kpframe.engine.experiment import Experiment

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
  ranking:
    tfidf: {kind: tfidf, idf: {from: collection}}
    cooccurrence: {kind: cooccurrence, window: 2}
  candidates:
    ngrams: {kind: ngrams, min: 1, max: 3}
    tokens: tokens
postprocessing:
  - {kind: merge_adjacent, max_tokens: 4}
  - {kind: stopwords, lists: [en], trim: both}
  - {kind: top, number: 12}
matching:
  - exact
  - approximate
  - {kind: exact, absent: keep, normalize: porter}
  - {kind: exact, absent: split}
  - {kind: exact, absent: only}
metrics: [r_precision, precision@5, f1@5]
reports: [json, conclusions]
"""
"""Everything that learns, counts and merges, without a language model."""

SINGLE = """
name: single
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
ranking: frequency
postprocessing: [{kind: merge_adjacent, max_tokens: 2}]
matching: [exact, approximate]
metrics: [r_precision]
reports: [json]
"""

FIVE_MATCHINGS = GRID[GRID.index("matching:") : GRID.index("metrics:")]
"""As in the grid: absent gold dropped, kept, split off, and alone."""

WORDS = ("deep", "neural", "network", "model", "graph", "ranking", "of", "the", "text", "😀", "naïve", "ﬁne")


def document(number: int, words: Sequence[str], gold: Iterable[Sequence[str]]) -> Document:
    """A document out of words, with gold keyphrases by their variants."""
    return Document(f"d{number}", " ".join(words), gold=tuple(Gold(tuple(forms)) for forms in gold))


HOSTILE = Document(
    "<script>alert(1)</script>",
    "<script>alert(1)</script> 😀😀 deep “neural” networks & \u202eשלום עולם\u202c "
    "deep learning </script>\u2028end",
    gold=(
        Gold(("neural network", "neural networks")),
        Gold(("שלום עולם",)),
        Gold(('"quotes" & <b>',)),
        Gold(("deep",)),
        Gold(("Deep",)),
    ),
)
"""Mark-up, an emoji, right-to-left text, a line separator; gold that is given twice."""


def corpus(count: int = 12) -> list[Document]:
    """Texts of few words, that differ, and the hostile one."""
    documents = []
    for number in range(count):
        words = [WORDS[(number * 5 + i * (i + number)) % len(WORDS)] for i in range(24)]
        gold = [
            [" ".join(words[3:5]), "unseen form"],
            [words[number % 20]],
            ["absent phrase"],
            ["network models"],
        ]
        documents.append(document(number, words, gold))
    return [*documents, HOSTILE]


def experiment(folder: Path, spec: str, documents: Iterable[Document] = ()) -> Experiment:
    """The experiment of a spec that is written into `folder`, with its corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one.to_json()) + "\n" for one in documents]
    (folder / "corpus.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    return Experiment.load(folder / "spec.yaml")


def a_run(folder: Path, documents: Iterable[Document], spec: str = GRID, name: str = "out") -> Path:
    """The folder of a finished run; its corpus and its cache lie beside it."""
    return experiment(folder, spec, documents).run(out=folder / name, cache=folder / "cache").folder
