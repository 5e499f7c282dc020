"""How long kpframe takes beside the language model that it calls.

    python tests/benchmarks/speed.py [--documents 2000] [--repetitions 3] [--only cold warm] [--cpu]

Measured on Inspec abstracts: the whole grid of Zesch and Gurevych (2009), two matchings, from the corpus
file to the reports, in ratio to a bare `nlp.pipe` over the same texts.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from side_by_side import arguments, corpora, in_turn, ratio, table
from threadpoolctl import threadpool_limits

from kpframe import Document, Experiment, Pipeline
from kpframe.engine.cache import dump_annotations, parse_annotations
from kpframe.language.models import load
from kpframe.spec import load_spec

COMPONENTS = {"tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer", "ner"}

NEEDED = [("warm", "cold"), ("two", "cold"), ("parser", "grammar")]
"""A work, and the one that must be measured before it or beside it."""

CHUNK_GRID = """\
name: chunks
documents: {kind: hulth2003, path: "${KPFRAME_DATA}/Hulth2003.tar.gz", gold: uncontrolled}
preprocessing: [tokenize, pos, {kind: chunk, method: %s}]
postprocessing: [merge_adjacent, stopwords, token_length]
matching: [exact, approximate]
metrics: [r_precision]
sweep:
  ranking:
    tfidf: {kind: tfidf, idf: {from: collection}}
    cooccurrence: cooccurrence
  candidates:
    tokens-na: {kind: tokens, pos: [noun, adjective]}
    noun-phrases: noun_phrases
"""


class Bench:
    """Runs in a scratch folder: every run has a results folder of its own."""

    def __init__(self, folder: Path, documents: int) -> None:
        self.folder = folder
        self.documents = documents
        self.data = corpora()
        self._numbers = itertools.count()
        self._last_cache = folder

    def grid(self, experiment: Experiment, *, workers: int = 1, warm: bool = False) -> None:
        """Run an experiment, with an empty annotation cache or the one that the last run filled."""
        number = next(self._numbers)
        cache = self._last_cache if warm else self.folder / f"cache{number}"
        self._last_cache = cache
        experiment.run(out=self.folder / f"run{number}", cache=cache, workers=workers, limit=self.documents)

    def load(self, name: str | Path) -> Experiment:
        """A spec whose corpora lie in the data folder."""
        return Experiment.load(name, data=self.data)

    def chunk_grid(self, method: str) -> Experiment:
        """Noun phrases and no entities, by one of the two methods."""
        spec = self.folder / f"chunks-{method}.yaml"
        spec.write_text(CHUNK_GRID % method, encoding="utf-8")
        return self.load(spec)

    def texts(self) -> list[Document]:
        """The documents that the grids read."""
        reader = load_spec("zesch2009-inspec", data=self.data).reader
        assert reader is not None
        found = (document for document in reader.read() if isinstance(document, Document))
        return list(itertools.islice(found, self.documents))


def bare_pipe(texts: list[str]) -> Callable[[], None]:
    """spaCy alone, with the components that the grid needs, on one thread."""
    language = load("en")
    unused = [name for name in language.pipe_names if name not in COMPONENTS]

    def work() -> None:
        with threadpool_limits(limits=1), language.select_pipes(disable=unused):
            for _ in language.pipe(texts):
                pass

    return work


def extraction(documents: list[Document], repetitions: int) -> tuple[int, float]:
    """Number of documents of about 140 tokens, and milliseconds from annotations to keyphrases."""
    pipeline = Pipeline.load("textrank")
    annotated = pipeline.preprocessing.annotate(documents[:300])
    ready = [(d, dump_annotations(made.value)) for d, made in annotated if not made.failed]
    times: list[float] = []
    for _ in range(repetitions):
        for document, data in ready:
            annotations = parse_annotations(data, document.text)  # nothing is remembered in a fresh one
            assert annotations is not None
            if 120 <= len(annotations) <= 160:
                begin = time.perf_counter()
                pipeline.keyphrases(document, annotations).public(10)
                times.append(time.perf_counter() - begin)
    return len(times) // repetitions, 1000 * statistics.median(times)


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", documents=2000, works=["cold", "warm", "two", "parser", "textrank"])
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch), options.documents)
        documents = bench.texts()
        whole = bench.load("zesch2009-inspec")
        parser, grammar = bench.chunk_grid("parser"), bench.chunk_grid("grammar")
        works: dict[str, Callable[[], Any]] = {
            "bare": bare_pipe([document.text for document in documents]),
            "cold": lambda: bench.grid(whole),
            "warm": lambda: bench.grid(whole, warm=True),
            "two": lambda: bench.grid(whole, workers=2),
            "parser": lambda: bench.grid(parser),
            "grammar": lambda: bench.grid(grammar),
        }
        needed = {"bare", *options.only}
        needed |= {one for more, one in NEEDED if more in needed}
        Bench(Path(scratch) / "warm-up", 32).grid(whole)
        asked = {name: work for name, work in works.items() if name in needed}
        times = in_turn(asked, options.repetitions, cpu=options.cpu)
        count, milliseconds = (0, 0.0)
        if "textrank" in options.only:
            count, milliseconds = extraction(documents, options.repetitions)
    rows = [
        ("cold", "grid, empty cache / nlp.pipe", "bare", "target ≤ 1.35"),
        ("warm", "grid, full cache / nlp.pipe", "bare", "target ≤ 0.25"),
        ("two", "grid, two workers / one", "cold", "target ≤ 0.65"),
        ("parser", "noun phrases, parser / grammar", "grammar", "target ≥ 1.50"),
    ]
    shown = [(what, ratio(times, of, to), aim) for of, what, to, aim in rows if of in options.only]
    if count:
        what = f"TextRank, median of {count} documents"
        shown.append((what, f"{milliseconds:.2f} ms", "target ≤ 1.00 ms"))
    table(
        f"speed: the grid of 16 cells × 2 matchings on {len(documents)} Inspec abstracts, "
        f"{options.repetitions} turns; nlp.pipe alone: {statistics.median(times['bare']):.1f} s",
        shown,
    )


if __name__ == "__main__":
    main()
