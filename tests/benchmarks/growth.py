"""How time and memory grow: with documents, with cells, and with the length of one document.

    python tests/benchmarks/growth.py [--small]

Every row repeats real abstracts (Inspec), each run in a process of its own with an empty cache. What counts
is the time for one unit of work (a document, a document × cell, a word), which should stay the same along
a row, and the greatest resident size of the process, which should not grow with documents. `--small` takes
the same rows with sizes that need a few minutes.

To be run on a quiet machine: beside others a second of CPU does less work, and the same documents took up to
1.4 × as long from one minute to the next.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from side_by_side import ROOT, corpora

from kpframe import Document, Experiment, Pipeline
from kpframe.spec import load_spec

DOCUMENTS = {False: (2_000, 10_000, 30_000), True: (200, 1_000, 3_000)}
CELLS = {False: (16, 64, 256), True: (16, 64, 256)}
WORDS = {False: (1_000, 10_000, 100_000, 1_000_000), True: (1_000, 10_000, 100_000)}
OF_CELLS = {False: 2_000, True: 100}
"""So many documents are evaluated in the row of cells."""

SPEC = """\
name: growth
documents: {kind: jsonl, path: unused.jsonl}
preprocessing: [simple]
postprocessing: [merge_adjacent, {kind: stopwords, trim: both}, token_length]
matching: [exact, approximate]
metrics: [r_precision, f1@10]
reports: [json]
sweep:
  candidates:
    tokens: tokens
    ngrams: ngrams
  ranking:
    tfidf: {kind: tfidf, idf: {from: collection}}
    cooccurrence: cooccurrence
    position: position
    frequency: frequency
"""

_STRIDE = 7_919
"""A prime number: every abstract has its turn before one comes again."""

STEPS = {
    "merge": [f"{{kind: merge_adjacent, max_tokens: {most}}}" for most in (2, 3, 4, 5)],
    "trim": [f"{{kind: stopwords, trim: {way}}}" for way in ("both", "leading")],
    "length": [f"{{kind: token_length, max: {most}}}" for most in (2, 3, 4, 5)],
}
"""Alternatives of post-processing that a large grid varies: 2 × 4 × up to 32 of their products."""


def spec_of(cells: int) -> str:
    """The grid with 8, or with 16 to 256 cells."""
    if cells == 8:
        return SPEC
    steps = list(itertools.product(*STEPS.values()))[: cells // 8]
    rows = "\n".join(f"    p{number}: [{', '.join(chosen)}]" for number, chosen in enumerate(steps))
    shared = "postprocessing: [merge_adjacent, {kind: stopwords, trim: both}, token_length]\n"
    return SPEC.replace(shared, "") + f"  postprocessing:\n{rows}\n"


@cache
def abstracts() -> list[Document]:
    """All that the corpus has, with their gold."""
    reader = load_spec("zesch2009-inspec", data=corpora()).reader
    assert reader is not None
    return [document for document in reader.read() if isinstance(document, Document)]


def repeated(count: int) -> Iterator[Document]:
    """So many documents with ids of their own. A number in each keeps the cache from knowing it.

    Any number of them is spread over the whole corpus: the first abstracts are longer than the rest.
    """
    known = abstracts()
    for number in range(count):
        one = known[number * _STRIDE % len(known)]
        yield Document(f"d{number}", f"{one.text} {number}", one.language, one.gold)


def long_text(words: int) -> str:
    """Abstracts one after the other, so many words of them."""
    texts = itertools.cycle(document.text.split() for document in abstracts())
    return " ".join(itertools.islice(itertools.chain.from_iterable(texts), words))


def grid(documents: int, cells: int) -> None:
    """One run; prints its seconds and the greatest size."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "growth.yaml"
        path.write_text(spec_of(cells), encoding="utf-8")
        (Path(scratch) / "unused.jsonl").write_text("", encoding="utf-8")
        experiment = Experiment.load(path)
        Experiment.load(path).run(
            documents=list(repeated(8)), out=Path(scratch) / "warm-up", cache=Path(scratch) / "w"
        )
        out, kept = Path(scratch) / "run", Path(scratch) / "cache"
        measured(lambda: experiment.run(documents=repeated(documents), out=out, cache=kept))


def single(words: int) -> None:
    """One extraction from one text; prints its seconds and the greatest size."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "one.yaml"
        path.write_text("name: one\npreprocessing: [simple]\ncandidates: ngrams\nranking: cooccurrence\n")
        pipeline = Pipeline.load(path)
    text = long_text(words)
    pipeline.extract("A few words of text.")
    measured(lambda: pipeline.extract(text, top=10))


def measured(work: Callable[[], object]) -> None:
    """Print wall seconds, seconds of CPU and the greatest resident size in MB."""
    begin, cpu = time.perf_counter(), time.process_time()
    work()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(time.perf_counter() - begin, time.process_time() - cpu, peak, sep="\t")


def child(*task: object) -> list[float]:
    """What a process of its own measures."""
    command = [sys.executable, __file__, "--child", *map(str, task)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [float(value) for value in done.stdout.splitlines()[-1].split("\t")]


def row(title: str, unit: str, sizes: Sequence[tuple[str, int, tuple[object, ...]]]) -> None:
    """Measure and print one row: for each size the time for a unit of work."""
    print(title)
    first = 0.0
    for name, units, task in sizes:
        wall, cpu, peak = child(*task)
        each = 1e6 * cpu / units
        first = first or each
        print(
            f"  {name:<28} {wall:8.1f} s  {cpu:8.1f} s CPU  {each:9.1f} µs CPU a {unit} "
            f"({each / first:.2f} ×)  {peak:6.0f} MB",
            flush=True,
        )


def main() -> None:
    """Measure all rows and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", action="store_true", help="smaller sizes")
    small = parser.parse_args().small
    documents = [(f"{n} documents, 8 cells", n, ("grid", n, 8)) for n in DOCUMENTS[small]]
    row("growth with documents (target: 1.00 ± .05 ×, memory flat)", "document", documents)
    count = OF_CELLS[small]
    cells = [(f"{count} documents, {n} cells", n * count, ("grid", count, n)) for n in CELLS[small]]
    row("growth with cells (target: not above 1.05 ×)", "list", cells)
    words = [(f"one text of {n} words", n, ("single", n)) for n in WORDS[small]]
    row("growth with the length of one document (target: 1.00 ± .05 ×)", "word", words)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sizes = [int(argument) for argument in sys.argv[3:]]
        grid(*sizes) if sys.argv[2] == "grid" else single(*sizes)
    else:
        main()
