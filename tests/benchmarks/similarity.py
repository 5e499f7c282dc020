"""What a pair of phrases costs under each measure: microseconds, with empty and with full caches.

Gold keyphrases of Inspec are compared with themselves and all their parts, so that most pairs that are
not disjoint overlap. Needs the corpora.

python tests/benchmarks/similarity.py [--documents 300] [--repetitions 3]
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from side_by_side import Row, arguments, corpora, table

from kpframe.model import Document
from kpframe.similarity import _words, kmr, meteor
from kpframe.stages import Similarity
from kpframe.stages.registry import kinds, lookup

CACHES = (_words.phrase_words, kmr._blank_separated, kmr._word_set, kmr._match_rate, meteor._meteor)


def documents(limit: int) -> list[Document]:
    """The first documents of Inspec."""
    reader = lookup("documents", "hulth2003")(path=str(corpora() / "Hulth2003.tar.gz"))
    read = (made for made in reader.read() if isinstance(made, Document))  # type: ignore[attr-defined]
    return list(islice(read, limit))


def tables(found: list[Document]) -> list[tuple[list[str], list[str]]]:
    """For each document its gold keyphrases with all their parts, and its gold keyphrases."""
    made = []
    for document in found:
        gold = [keyphrase.variants[0] for keyphrase in document.gold]
        predicted = [
            " ".join(words[begin:end])
            for words in map(str.split, gold)
            for begin in range(len(words))
            for end in range(begin + 1, len(words) + 1)
        ]
        made.append((predicted, gold))
    return made


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", documents=300)
    found = documents(options.documents)
    pairs = tables(found)
    number = sum(len(predicted) * len(gold) for predicted, gold in pairs)
    rows: list[Row] = [("pairs", f"{number:,}", "")]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "inspec.jsonl"
        path.write_text("".join(json.dumps({"text": d.text}) + "\n" for d in found), encoding="utf-8")
        needed: dict[str, dict[str, Any]] = {"cosine": {"corpus": str(path)}}
        for kind in kinds("similarity"):
            if kind == "bertscore":
                continue
            measure = lookup("similarity", kind)(**needed.get(kind, {}))
            assert isinstance(measure, Similarity)
            begin = time.perf_counter()
            measure.compare("grid computing", "grid")  # imports what is imported late, reads the corpus
            first = time.perf_counter() - begin
            cold, warm = measured(measure, pairs, options.repetitions)
            figure = f"{1e6 * cold / number:.2f} µs cold, {1e6 * warm / number:.2f} µs warm"
            rows.append((kind, figure, f"first call {first:.2f} s"))
    table("similarity: a pair of phrases", rows)


def measured(
    measure: Similarity, pairs: list[tuple[list[str], list[str]]], repetitions: int
) -> tuple[float, float]:
    """Median seconds for all pairs, with empty caches and with full ones."""

    def compare() -> float:
        begin = time.perf_counter()
        for predicted, gold in pairs:
            measure.matrix(predicted, gold)
        return time.perf_counter() - begin

    cold, warm = [], []
    for _ in range(repetitions):
        for cache in CACHES:
            cache.cache_clear()
        cold.append(compare())
        warm.append(compare())
    return statistics.median(cold), statistics.median(warm)


if __name__ == "__main__":
    main()
