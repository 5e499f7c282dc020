"""A Dask cluster of this machine against processes of this machine: time, CPU of each part, bytes.

    python tests/benchmarks/cluster.py run [--limit 300] [--spec zesch2009-inspec]
    python tests/benchmarks/cluster.py extract [--documents 20000] [--pipeline any-language]

The cluster is a scheduler and two workers, begun as processes, each with a working directory, a temporary
folder, a home and a cache of its own. `run` is an experiment, whose documents are sent to the workers;
`extract` is over 16 Parquet partitions of real abstracts (Inspec, SemEval-2017, KDD), repeated with ids of
their own, which the workers read and write themselves by `file://` URLs. Everything ends by itself.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from side_by_side import ROOT, corpora

sys.path.insert(0, str(ROOT / "tests" / "engine"))
from dask_cluster import scheduler, worker

from kpframe.files.tables.writing import writing_table
from kpframe.model import Document
from kpframe.spec.stages import make_stage
from kpframe.stages import Reader

PARTITIONS = 16
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
}
"""Without Dask's own profiler, which keeps what it sees for a thousand seconds, and so takes memory; and with
its looks at itself (fifty and two a second) rarer, which take most of an idle scheduler's time."""
LONGEST = 1_800
"""Seconds after which a command is ended."""


def abstracts() -> Iterator[str]:
    """Real abstracts, again and again."""
    folder = corpora()
    found = [
        {"kind": "hulth2003", "path": str(folder / "Hulth2003.tar.gz")},
        {"kind": "files", "path": str(folder / "SemEval2017.zip")},
        {"kind": "files", "path": str(folder / "kdd.zip")},
    ]
    readers = [make_stage("documents", one, "corpora", Reader) for one in found]  # type: ignore[type-abstract]
    texts = [one.text for reader in readers for one in reader.read() if isinstance(one, Document)]
    return cycle(texts)


def partitions(folder: Path, documents: int) -> int:
    """Write the partitions; the number of their bytes."""
    folder.mkdir(parents=True)
    texts = abstracts()
    each = documents // PARTITIONS
    for part in range(PARTITIONS):
        with writing_table(str(folder / f"part-{part:02}.parquet"), ["id", "text"]) as writer:
            for begin in range(0, each, 500):
                some = list(islice(texts, min(500, each - begin)))
                ids = [f"{part}-{begin + i}" for i in range(len(some))]
                writer.write({"id": ids, "text": some})
    return sum(path.stat().st_size for path in folder.iterdir())


def checksum(folder: Path) -> str:
    """Of all results; manifests name inputs, and logs have times."""
    content = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "log.jsonl" and "_manifest" not in path.parts:
            content.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return content.hexdigest()[:16]


def timed(folder: Path, *words: str) -> tuple[float, float]:
    """Seconds of a command, and CPU seconds of its own process (not of those that it begins)."""
    import psutil

    environment = {**os.environ, "KPFRAME_CACHE": tempfile.mkdtemp(dir=folder)}
    begin = time.monotonic()
    command = [sys.executable, "-m", "kpframe", *words, "--quiet"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    known, spent = psutil.Process(process.pid), 0.0
    while process.poll() is None:
        try:
            times = known.cpu_times()
            spent = times.user + times.system
        except psutil.Error:
            break
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            if time.monotonic() - begin > LONGEST:
                process.kill()
                raise
    if process.wait() not in (0, 1):
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}")
    return time.monotonic() - begin, spent


def spent(process: int) -> float:
    """CPU seconds of a process and of those that it began."""
    import psutil

    own = psutil.Process(process)
    return sum(sum(one.cpu_times()[:2]) for one in [own, *own.children(recursive=True)])


def compare(folder: Path, local: list[str], cluster: list[str], size: str) -> None:
    """Both, and what each part of the cluster bore."""
    seconds, client = timed(folder, *local, "--workers", "2", "--out", str(folder / "local"))
    print(f"two processes: {seconds:.1f} s for {size} (CPU of the command itself {client:.1f} s)", flush=True)
    with (
        scheduler(folder / "s", **QUIET) as (address, of_scheduler),
        worker(address, folder / "a", **QUIET) as a,
        worker(address, folder / "b", **QUIET) as b,
    ):
        out = f"file://{folder}/cluster/" if cluster[0] == "extract" else str(folder / "cluster")
        before = [spent(one) for one in (of_scheduler.pid, a.pid, b.pid)]
        elapsed, client = timed(folder, *cluster, "--cluster", address, "--out", out)
        after = [spent(one) for one in (of_scheduler.pid, a.pid, b.pid)]
    used = [end - begin for begin, end in zip(before, after, strict=True)]
    each = (used[1] + used[2]) / 2
    print(f"cluster of two workers: {elapsed:.1f} s, {elapsed / seconds:.2f} × two processes")
    shares = f"scheduler {used[0]:.1f} s ({used[0] / each:.1%}), client {client:.1f} s ({client / each:.1%})"
    print(f"CPU: a worker {each:.1f} s, {shares}")
    one, other = checksum(folder / "local"), checksum(folder / "cluster")
    print(f"bytes: {one} and {other}, {'equal' if one == other else 'DIFFERENT'}")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("run", "extract"))
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--spec", default="zesch2009-inspec")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--pipeline", default="by-length")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kpframe-"))
    try:
        if options.what == "run":
            words = [
                "run",
                options.spec,
                "--no-page",
                "--limit",
                str(options.limit),
                "--data",
                str(corpora()),
            ]
            compare(folder, words, words, f"{options.limit} abstracts × the grid")
            return
        size = partitions(folder / "in", options.documents)
        words = ["extract", "--pipeline", options.pipeline, "--input"]
        local, cluster = f"{folder}/in/*.parquet", f"file://{folder}/in/*.parquet"
        (folder / "local").mkdir()
        what = f"{options.documents:,} abstracts, {size / 1e6:.1f} MB of Parquet in"
        compare(folder, [*words, local], [*words, cluster], what)
        made = sum(path.stat().st_size for path in (folder / "local").glob("*.parquet"))
        print(f"{made / 1e6:.1f} MB of Parquet out")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
