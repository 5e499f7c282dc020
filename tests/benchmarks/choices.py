"""Do two choices that cost code still pay? Ratios of CPU time, both ways in turn in one process.

    python tests/benchmarks/choices.py [--documents 150]

`embedding`: the vectors of spaCy's tok2vec by numpy's products against by spaCy's own BLAS (see
`preprocessing/_embedding.py`). `pagerank`: small graphs solved directly against by iteration (see
`ranking/_pagerank.py`). Below 1, what kpframe does is faster.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Any

from kpframe import Pipeline
from kpframe.language.models import load
from kpframe.preprocessing import _embedding
from kpframe.ranking import _graph, _pagerank
from kpframe.spec import load_spec

TURNS = 5


def texts(number: int) -> list[str]:
    """Texts of the demonstration corpus, over and over."""
    reader = load_spec("quickstart").reader
    assert reader is not None
    found = [item.text for item in reader.read() if hasattr(item, "text")]
    return [found[i % len(found)] for i in range(number)]


def ratio(first: Callable[[], Any], second: Callable[[], Any]) -> float:
    """The median over turns of the time of the first over that of the second."""
    found = []
    for _ in range(TURNS):
        times = []
        for work in (first, second):
            begin = process_time()
            work()
            times.append(process_time() - begin)
        found.append(times[0] / times[1])
    return median(found)


def embedding(given: Sequence[str]) -> float:
    """Numpy's products against spaCy's."""
    nlp = load("en")
    component = nlp.get_pipe("tok2vec")
    docs = [nlp.make_doc(text) for text in given]
    return ratio(lambda: _embedding.embedded(component, docs), lambda: list(component.pipe(docs)))


def pagerank(given: Sequence[str]) -> float:
    """The direct solution against the iteration, over the graphs of the texts that are solved directly."""
    pipeline = Pipeline.load("textrank")
    graphs = []
    for text in given:
        document = _document(text)
        ((cleaned, annotated),) = pipeline.preprocessing.annotate([document])
        candidates = pipeline.configuration.selection.select(cleaned, annotated.value)
        graph = _graph.cooccurrence_graph(candidates, window=2, units="candidates")
        if graph.nodes < _pagerank._SOLVED_BELOW:
            graphs.append(graph)

    def all_of(solve: Callable[..., Any]) -> None:
        for graph in graphs:
            solve(graph, 0.85, _ones(graph.nodes))

    return ratio(lambda: all_of(_pagerank._solved), lambda: all_of(_pagerank._iterated))


def _document(text: str) -> Any:
    from kpframe import Document

    return Document("d", text)


def _ones(number: int) -> Any:
    import numpy as np

    return np.ones(number)


def main() -> None:
    """Print both ratios."""
    parser = argparse.ArgumentParser(description="Do two choices that cost code still pay?")
    parser.add_argument("--documents", type=int, default=150, metavar="N")
    given = texts(parser.parse_args().documents)
    print(f"embedding: numpy's products take {embedding(given):.2f} x the time of spaCy's")
    print(f"pagerank: solving small graphs takes {pagerank(given):.2f} x the time of iterating")


if __name__ == "__main__":
    main()
