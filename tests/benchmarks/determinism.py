"""Whether results depend on anything that they must not depend on, byte by byte.

    python tests/benchmarks/determinism.py [--documents 150]

The grid of Zesch and Gurevych (2009) on Inspec abstracts: in one go, with two workers, with the documents
in another order, under other hash seeds, and killed five times at random moments and resumed.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from side_by_side import ROOT, arguments, corpora, table

from kpframe import Experiment
from kpframe.spec import load_spec

SPEC = "zesch2009-inspec"
KILLS = 5


def shuffled(out: Path, documents: int) -> None:
    """Run with the documents in another order."""
    spec = load_spec(SPEC, data=corpora())
    assert spec.reader is not None
    items = list(itertools.islice(spec.reader.read(), documents))
    random.Random(7).shuffle(items)
    Experiment(spec).run(out=out, documents=items)


def command(out: Path, documents: int, *options: str) -> list[str]:
    """The command line of a run."""
    return [
        *(sys.executable, "-m", "kpframe", "run", SPEC, "--quiet", "--data", str(corpora())),
        *("--out", str(out), "--limit", str(documents), *options),
    ]


def shuffling(out: Path, documents: int) -> list[str]:
    """The command line of this file as the process that runs `shuffled`."""
    return [sys.executable, __file__, "--shuffled", str(out), str(documents)]


def start(words: list[str], cache: Path, seed: str = "0") -> subprocess.Popen[bytes]:
    """A process with an annotation cache and a hash seed of its own."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": seed,
        "KPFRAME_CACHE": str(cache),
    }
    return subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)


def finish(process: subprocess.Popen[bytes]) -> None:
    """Wait for a run that must succeed."""
    if process.wait() != 0:
        sys.exit(f"a run failed with status {process.returncode}")


def killed_and_resumed(out: Path, documents: int, seconds: float) -> int:
    """Kill a run at random moments, then let it end; the number of times it was caught alive."""
    caught, longest = 0, seconds
    for _ in range(4 * KILLS):
        if caught == KILLS:
            break
        process = start(command(out, documents), out.with_suffix(".cache"))
        time.sleep(random.uniform(0.1, 0.9) * longest)
        if process.poll() is None:
            caught += 1
        else:  # it came to its end: what it left is done anew, and death comes sooner
            shutil.rmtree(out)
            longest *= 0.8
        process.kill()
        process.wait()
    finish(start(command(out, documents), out.with_suffix(".cache")))
    return caught


def digests(out: Path) -> tuple[str, str]:
    """The SHA-256 of all keyphrases.jsonl, with the names of their cells, and of summary.json."""
    keyphrases = hashlib.sha256()
    for path in sorted(out.glob("cells/*/keyphrases.jsonl")):
        keyphrases.update(path.parent.name.encode() + b"\0" + path.read_bytes())
    summary = hashlib.sha256((out / "summary.json").read_bytes())
    return keyphrases.hexdigest(), summary.hexdigest()


def main() -> None:
    """Run all variants and compare their bytes."""
    documents = min(arguments(__doc__ or "", documents=150).documents, 2000)
    with tempfile.TemporaryDirectory() as scratch:
        out = {name: Path(scratch) / name for name in ("once", "two", "shuffled", "seed1", "seed2", "killed")}
        variants = [
            ("in one go", "once", command(out["once"], documents), "0"),
            ("two workers", "two", command(out["two"], documents, "--workers", "2"), "0"),
            ("shuffled", "shuffled", shuffling(out["shuffled"], documents), "0"),
            ("hash seed 1", "seed1", command(out["seed1"], documents), "1"),
            ("hash seed 4242", "seed2", command(out["seed2"], documents), "4242"),
        ]
        found: dict[str, tuple[str, str]] = {}
        duration = 0.0
        for title, name, words, seed in variants:
            begin = time.monotonic()
            finish(start(words, out[name].with_suffix(".cache"), seed))
            duration = duration or time.monotonic() - begin
            found[title] = digests(out[name])
        caught = killed_and_resumed(out["killed"], documents, duration)
        found[f"killed {caught} times"] = digests(out["killed"])
    equal = "all equal" if len(set(found.values())) == 1 else "NOT all equal"
    table(
        f"determinism: {documents} Inspec abstracts; {equal}",
        [("run", "keyphrases.jsonl of all cells", "summary.json")]
        + [(name, keyphrases[:32], summary[:32]) for name, (keyphrases, summary) in found.items()],
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--shuffled"]:
        shuffled(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
