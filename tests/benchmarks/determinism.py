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
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from side_by_side import ROOT, arguments, corpora, table

from kpframe import Experiment

SPEC = "zesch2009-inspec"
KILLS = 5


def shuffled(out: Path, documents: int) -> None:
    """Run with the documents in another order."""
    experiment = Experiment.load(SPEC, data=corpora())
    assert experiment.spec.reader is not None
    items = list(itertools.islice(experiment.spec.reader.read(), documents))
    random.Random(7).shuffle(items)
    experiment.run(out=out, documents=items)


def command(out: Path, documents: int, *options: str) -> list[str]:
    """The command line of a run."""
    return [
        *(sys.executable, "-m", "kpframe", "run", SPEC, "--quiet", "--data", str(corpora())),
        *("--out", str(out), "--limit", str(documents), *options),
    ]


def start(words: list[str], cache: Path, seed: str = "0") -> subprocess.Popen[bytes]:
    """A process with an annotation cache and a hash seed of its own, and a group that can be killed."""
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
    caught = 0
    for _ in range(KILLS):
        process = start(command(out, documents), out.with_suffix(".cache"))
        time.sleep(random.uniform(0.2, 0.9) * seconds)
        caught += process.poll() is None
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
        folder = Path(scratch)
        variants = {
            "in one go": command(folder / "once", documents),
            "two workers": command(folder / "two", documents, "--workers", "2"),
            "shuffled": [sys.executable, __file__, "--shuffled", str(folder / "shuffled"), str(documents)],
            "hash seed 1": command(folder / "seed1", documents),
            "hash seed 4242": command(folder / "seed4242", documents),
        }
        found: dict[str, tuple[str, str]] = {}
        durations = []
        for (name, words), out in zip(
            variants.items(), ("once", "two", "shuffled", "seed1", "seed4242"), strict=True
        ):
            begin = time.monotonic()
            seed = name.removeprefix("hash seed ") if name.startswith("hash") else "0"
            finish(start(words, folder / f"{out}.cache", seed))
            durations.append(time.monotonic() - begin)
            found[name] = digests(folder / out)
        caught = killed_and_resumed(folder / "killed", documents, durations[0])
        found[f"killed {caught} times"] = digests(folder / "killed")
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
