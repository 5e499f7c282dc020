"""Two versions of kpframe beside each other: CPU time of whole commands, measured in turn.

    python tests/benchmarks/versions.py OTHER [--documents 300] [--repetitions 3] [--scored 5000]

OTHER is the folder of another version's code (as a git worktree of it), which is run by the same interpreter
and libraries. Each turn runs the grid of Zesch and Gurevych (2009) over Inspec by both versions, from
an empty cache and then from the full one, with all reports and the page, and scores a file of
predictions; of `long_scoring.py` as many documents as --scored says. It also cuts abstracts into tokens and
extracts from them by bare `textrank`, which is timed inside the process, so without what a start takes. Told
are the medians of the seconds and of the ratios within the turns: above 1 the version here is slower. Needs
KPFRAME_DATA.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from side_by_side import ROOT, corpora

from kpframe import Document
from kpframe.spec import load_spec

KPEVAL = ("--preset", "kpeval", "--subset", "all")

ABSTRACTS = 2000
"""Texts that are cut into tokens; bare `textrank` takes as many as --documents says."""

INSIDE = """
import json, sys, time
from kpframe import Document, Pipeline
file, limit, *settings = sys.argv[1:]
texts = json.load(open(file, encoding="utf-8"))[: int(limit)]
documents = [Document(str(number), text, language="en") for number, text in enumerate(texts)]
pipeline = Pipeline.load("textrank", settings=settings)
for whole in (False, True):  # first a few, by which models are loaded and patterns compiled
    part = documents if whole else documents[:20]
    begin = time.process_time()
    for document, made in pipeline.preprocessing.annotate(part):
        if not settings:
            pipeline.keyphrases(document, made.value if hasattr(made, "value") else made).public(10)
print(time.process_time() - begin)
"""
"""What either version runs over texts in a file; with settings it only annotates."""


def main() -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("other", type=Path, help="the folder of the other version's code")
    parser.add_argument("--documents", type=int, default=300, help="how many at most")
    parser.add_argument("--repetitions", type=int, default=3, help="turns of what is compared")
    parser.add_argument("--scored", type=int, default=0, help="documents of a long file that is scored")
    options = parser.parse_args()
    trees = {"there": options.other.resolve(), "here": ROOT}
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory() as name:
        for turn in range(options.repetitions):
            for version, tree in trees.items():
                folder = Path(name) / f"{version}{turn}"
                folder.mkdir()
                for work, seconds in _turn(tree, folder, options.documents, options.scored).items():
                    times[work][version].append(seconds)
    print(f"seconds of CPU, medians of {options.repetitions} turns: {trees['there'].name} and here")
    for work, found in times.items():
        ratios = [here / there for there, here in zip(found["there"], found["here"], strict=True)]
        medians = " → ".join(f"{statistics.median(found[version]):.2f}" for version in trees)
        spread = f"{min(ratios):.2f} … {max(ratios):.2f}"
        print(f"  {work:38} {medians:>16}  × {statistics.median(ratios):.2f} ({spread})")


def _turn(tree: Path, folder: Path, documents: int, scored: int) -> dict[str, float]:
    """One version, from empty and from full cache."""
    times = {}
    score = ("score", "--gold", "gold.jsonl", "--predictions", "predicted.jsonl")
    if scored:
        from long_scoring import written

        written(folder, scored)
        times[f"score, {scored:,} documents"] = _cpu(tree, folder, *score, *KPEVAL)
    grid = (
        "run",
        "zesch2009-inspec",
        "--data",
        str(corpora()),
        "--limit",
        str(documents),
        "--quiet",
        "--out",
    )
    times["the grid, empty cache"] = _cpu(tree, folder, *grid, "cold")
    times["the grid, full cache"] = _cpu(tree, folder, *grid, "warm")
    _write_phrases(folder)
    times["score, 20 documents, stems"] = _cpu(tree, folder, *score, *KPEVAL)
    times["--help"] = _cpu(tree, folder, "--help")
    _write_texts(folder / "texts.json")
    for kind in ("tokenize", "simple"):
        alone = (f"preprocessing=[{kind}]", "candidates=ngrams", "ranking=position", "postprocessing=[]")
        times[f"{kind}, {ABSTRACTS:,} abstracts"] = _inside(tree, folder, ABSTRACTS, *alone)
    times[f"bare textrank, {documents:,} abstracts"] = _inside(tree, folder, documents)
    return times


def _write_texts(file: Path) -> None:
    """The abstracts of Inspec, the same for both."""
    reader = load_spec("zesch2009-inspec", data=corpora()).reader
    assert reader is not None
    found = (document.text for document in reader.read() if isinstance(document, Document))
    file.write_text(json.dumps(list(islice(found, ABSTRACTS))), encoding="utf-8")


def _inside(tree: Path, folder: Path, documents: int, *settings: str) -> float:
    """Seconds of CPU that a process takes for texts, as it tells itself."""
    command = [sys.executable, "-c", INSIDE, str(folder / "texts.json"), str(documents), *settings]
    return float(_output(tree, folder, command))


def _write_phrases(folder: Path) -> None:
    """Small files of gold and predictions, the same for both."""
    for file, field in (("gold.jsonl", "gold"), ("predicted.jsonl", "keyphrases")):
        lines = [
            f'{{"id": "{i}", "{field}": ["red kites {i}", "grey herons", "birds"]}}\n' for i in range(20)
        ]
        (folder / file).write_text("".join(lines), encoding="utf-8")


def _cpu(tree: Path, folder: Path, *arguments: str) -> float:
    """Seconds of CPU of a command and its processes."""
    before = _children()
    _output(tree, folder, [sys.executable, "-m", "kpframe", *arguments])
    return _children() - before


def _output(tree: Path, folder: Path, command: Sequence[str]) -> str:
    """What a command of a version prints; its failure ends the benchmark."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "KPFRAME_CACHE": str(folder / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each command would compile kpframe anew
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        shown = " ".join(part for part in command if "\n" not in part)
        sys.exit(f"{tree.name}: {shown} ended with {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
