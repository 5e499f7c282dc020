"""How much memory a process takes, and whether that grows with the number of documents.

    python tests/benchmarks/memory.py [--documents N]

The grid of Zesch and Gurevych (2009) over whole scientific papers, and streams of short texts through
`Pipeline.extract_many`. Every text has a word that no other has, as real texts do. Linux only.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from side_by_side import ROOT, arguments, corpora, table

from kpframe import Experiment, Pipeline

STREAM = 100_000
POINTS = 10

SIMPLE = """\
name: simple
preprocessing: [simple]
candidates: {kind: ngrams, max: 2}
ranking: position
postprocessing: [stopwords]
"""


def peak() -> float:
    """The greatest resident size that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident() -> float:
    """The resident size of this process now, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def texts(count: int) -> Iterator[str]:
    """Short texts, each with a word of its own."""
    for number in range(count):
        yield (
            f"Fast retrieval of scientific articles number {number % 97} needs a compact index. The system "
            f"w{number:x}q ranks noun phrases by their co-occurrence, and librarians judge the keyphrases."
        )


def grid(limit: int) -> None:
    """Print documents and peak of the grid over scientific papers."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        experiment = Experiment.load("zesch2009-sp", data=corpora())
        run = experiment.run(out=folder / "run", cache=folder / "cache", limit=limit)
        notes = run.summary.notes[0]
    print(f"{notes}\t{peak():.0f}")


def stream(name: str, count: int) -> None:
    """Print the resident size at equal distances on the way through a stream of texts."""
    with tempfile.TemporaryDirectory() as scratch:
        spec = Path(scratch) / "simple.yaml"
        spec.write_text(SIMPLE, encoding="utf-8")
        pipeline = Pipeline.load(spec if name == "simple" else name)
    sizes = []
    for number, _ in enumerate(pipeline.extract_many(texts(count), top=10), start=1):
        if number % max(1, count // POINTS) == 0:
            sizes.append(f"{resident():.0f}")
    print(f"{count} texts, MB after each tenth\t{' '.join(sizes)}")


def child(*task: str) -> list[str]:
    """What a process of its own measures."""
    command = [sys.executable, __file__, "--child", *task]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()[-1].split("\t")


def main() -> None:
    """Measure each in a process of its own and print."""
    options = arguments(__doc__ or "", documents=STREAM)
    papers, size = child("grid", str(min(options.documents, 209)))
    simple = child("simple", str(min(options.documents, STREAM)))
    textrank = child("textrank", str(min(options.documents, STREAM) // 5))
    table(
        "memory: resident size of one process",
        [
            (f"grid over scientific papers, peak ({papers})", f"{size} MB", "target < 1500 MB"),
            (f"simple tokenizer ({simple[0]})", simple[1], "target: flat"),
            (f"textrank ({textrank[0]})", textrank[1], "target: flat after warm-up"),
        ],
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        task, count = sys.argv[2], int(sys.argv[3])
        if task == "grid":
            grid(count)
        else:
            stream(task, count)
    else:
        main()
