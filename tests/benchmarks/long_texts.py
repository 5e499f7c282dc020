"""Time and memory of every ranking on one long text: 10,000, 30,000 and 100,000 words.

    python tests/benchmarks/long_texts.py [--data DIR] [--words 10000,30000,100000] [--limit SECONDS] [ROW …]

The text is papers of SemEval-2010, one after the other; it is annotated once. Rows are the pipelines of
`baselines` and `supervised`, which learn from the demonstration corpus, and what `long_texts.yaml` adds. Each
cell is a process of its own: seconds of CPU for selection, ranking and post-processing, and the memory it
took beyond the text; "refused" where an error says what to do instead, "over N s" where it was stopped.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
from collections.abc import Iterator
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from typing import Any

from kpframe.analysis.catalogue import known_corpora
from kpframe.engine.annotating import Preprocessing
from kpframe.errors import KpframeError
from kpframe.model import Annotations, Document
from kpframe.spec import Configuration, load_spec

OTHERS = Path(__file__).with_suffix(".yaml")


def rows() -> Iterator[Configuration]:
    """All configurations."""
    for grid in ("baselines", "supervised"):
        yield from load_spec(grid, purpose="extract").configurations
    yield from load_spec(OTHERS, purpose="extract").configurations


@cache
def documents(name: str) -> list[Document]:
    """Those of a corpus known by name."""
    (corpus,) = (corpus for corpus in known_corpora(os.environ["KPFRAME_DATA"]) if corpus.name == name)
    assert corpus.reader is not None
    return [item for item in corpus.reader.read() if isinstance(item, Document)]


def long_text(words: int) -> Document:
    """So many words of papers."""
    found: list[str] = []
    for document in documents("semeval2010"):
        found += document.text.split(" ")
        if len(found) >= words:
            break
    return Document(f"{words} words", " ".join(found[:words]), language="en")


def annotated(configuration: Configuration, texts: list[Document]) -> list[tuple[Document, Annotations]]:
    """The texts with all that the configuration needs."""
    chain = Preprocessing.of(configuration.preprocessing, configuration.required())
    return [(document, made.value) for document, made in chain.annotate(texts)]


def measure(configuration: Configuration, made: tuple[Document, Annotations], pipe: Connection) -> None:
    """Select, rank and process; seconds and MB, or what was refused, go into the pipe."""
    selection, ranking = configuration.selection, configuration.ranking
    ranker: Any = ranking
    if ranking.fits_on():
        learned = annotated(configuration, documents("demo"))
        ranker = ranking.restore(
            dict(ranking.fit([ranking.observe(selection.select(*one)) for one in learned]))
        )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = process_time()
    try:
        found = ranker.rank(selection.select(*made))
        for step in configuration.postprocessing:
            found = step.process(found)
    except KpframeError:
        pipe.send("refused")
        return
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    pipe.send(f"{process_time() - start:.2f} s, {memory:,.0f} MB")


def cell(configuration: Configuration, made: tuple[Document, Annotations], limit: float) -> str:
    """What a process of its own says within the limit."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()
    child = fork.Process(target=measure, args=(configuration, made, theirs))
    child.start()
    child.join(limit)
    if child.is_alive():
        child.kill()
        child.join()
        return f"over {limit:.0f} s"
    return str(ours.recv()) if ours.poll() else "failed"


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--data", default=os.environ.get("KPFRAME_DATA", "../shared/datasets"))
    parser.add_argument("--words", default="10000,30000,100000")
    parser.add_argument("--limit", type=float, default=120.0)
    options = parser.parse_args()
    os.environ["KPFRAME_DATA"] = options.data
    sizes = [int(words) for words in options.words.split(",")]
    texts = [long_text(words) for words in sizes]
    print(f"| row | {' | '.join(f'{words:,} words' for words in sizes)} |\n|{'---|' * (1 + len(sizes))}")
    kept: dict[Any, list[tuple[Document, Annotations]]] = {}
    for configuration in rows():
        if options.rows and configuration.name not in options.rows:
            continue
        key = (configuration.preprocessing, configuration.required())
        if key not in kept:
            kept[key] = annotated(configuration, texts)
        cells = [cell(configuration, made, options.limit) for made in kept[key]]
        print(f"| {configuration.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
