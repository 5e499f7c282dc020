"""Many texts through a cluster of two workers: throughput a core, memory over time, killed and resumed.

    python tests/benchmarks/million.py [--texts 1000000] [--partition 10000] [--figure FOLDER] [--minutes 240]

Real abstracts (Inspec, SemEval-2017, KDD), repeated with ids of their own, as Parquet partitions in a
temporary folder; `extract` with the cheapest pipeline that is any good, partitions read and written by the
workers. At a random moment the command is killed (-9), and begun again. Everything ends by itself, at the
latest after `--minutes`, and leaves nothing but the figure.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import psutil
from cluster import QUIET, abstracts, scheduler, worker

from kpframe.files.tables.opening import open_table
from kpframe.files.tables.writing import writing_table

EVERY = 2.0
"""Seconds between two samples."""
Sample = tuple[float, dict[str, float]]
"""When, and megabytes by process."""


def written(folder: Path, texts: int, rows: int) -> int:
    """Write the partitions; the number of their bytes."""
    folder.mkdir()
    source = abstracts()
    for part, begin in enumerate(range(0, texts, rows)):
        with writing_table(str(folder / f"part-{part:05}.parquet"), ["id", "text"]) as writer:
            end = min(begin + rows, texts)
            for first in range(begin, end, 1_000):
                some = list(islice(source, min(1_000, end - first)))
                writer.write({"id": [f"t{first + i}" for i in range(len(some))], "text": some})
    return sum(path.stat().st_size for path in folder.iterdir())


class Watched:
    """Memory and CPU of the processes that take part, sampled while a command is at work."""

    def __init__(self, parts: dict[str, int]) -> None:
        self._parts = parts
        self._begun = time.monotonic()
        self.samples: list[Sample] = []
        self._spent: dict[int, tuple[str, float]] = {}

    def sample(self, client: int) -> None:
        """One sample of all."""
        found: dict[str, float] = {}
        for name, number in {**self._parts, "client": client}.items():
            try:
                own = psutil.Process(number)
                every = [own, *own.children(recursive=True)]
                # Of a worker the process below its nanny, which does the work.
                found[name] = max(one.memory_info().rss for one in every) / 1e6
                for one in every:
                    self._spent[one.pid] = (name, sum(one.cpu_times()[:2]))
            except psutil.Error:
                continue
        self.samples.append((time.monotonic() - self._begun, found))

    def spent(self) -> dict[str, float]:
        """CPU seconds by part, of all its processes, also of those that have ended."""
        total: dict[str, float] = {}
        for name, seconds in self._spent.values():
            total[name] = total.get(name, 0.0) + seconds
        return total


def manifests(out: Path) -> dict[str, int]:
    """The partitions that are done, and when."""
    found = (out / "_manifest").glob("*.parquet.json")
    return {path.name: path.stat().st_mtime_ns for path in found}


def command(words: Sequence[str], watched: Watched, out: Path, *, until: int, deadline: float) -> int:
    """Run it, to its end or until so many partitions are done, when it is killed; its exit status."""
    process = subprocess.Popen([sys.executable, "-m", "kpframe", *words], stdout=subprocess.DEVNULL)
    while process.poll() is None:
        watched.sample(process.pid)
        if len(manifests(out)) >= until or time.monotonic() > deadline:
            process.send_signal(signal.SIGKILL)
        try:
            process.wait(EVERY)
        except subprocess.TimeoutExpired:
            continue
    return process.wait()


def rows_of(out: Path) -> int:
    """The rows of all results."""
    count = 0
    for path in out.glob("*.parquet"):
        with open_table(str(path)) as table:
            count += sum(len(rows.numbers) for rows in table.batches(["id"]))
    return count


WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 720, 300, 60, 110, 20, 40
"""Of the figure, and its margins."""


def drawn(samples: Sequence[Sample], killed: float, path: Path) -> None:
    """A figure of memory over time, by process."""
    last, most = samples[-1][0], 1.1 * max(max(found.values()) for _, found in samples)

    def place(seconds: float, size: float) -> tuple[float, float]:
        across = LEFT + seconds / last * (WIDTH - LEFT - RIGHT)
        return round(across, 1), round(HEIGHT - FOOT - size / most * (HEIGHT - FOOT - TOP), 1)

    def label(at: tuple[float, float], anchor: str, text: str, colour: str = "black") -> None:
        parts.append(f'<text x="{at[0]}" y="{at[1]}" text-anchor="{anchor}" fill="{colour}">{text}</text>')

    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
    parts = [
        f'{head} font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        x, y = place(share * last, share * most)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        label((LEFT - 6, y + 4), "end", f"{share * most:.0f} MB")
        label((x, HEIGHT - FOOT + 18), "middle", f"{share * last / 60:.1f} min")
    x, _ = place(killed, 0)
    parts.append(f'<path d="M{x} {TOP}V{HEIGHT - FOOT}" stroke="#999" stroke-dasharray="4"/>')
    label((x, TOP - 6), "middle", "killed")
    names = sorted({name for _, found in samples for name in found})
    for name, colour in zip(names, ("#0072b2", "#999999", "#d55e00", "#009e73"), strict=False):
        points = [place(seconds, found[name]) for seconds, found in samples if name in found]
        line = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        label((points[-1][0] + 6, points[-1][1] + 4), "start", name, colour)
    path.write_text("\n".join([*parts, "</svg>\n"]), encoding="utf-8")


def told(watched: Watched, texts: int, seconds: float) -> None:
    """Throughput, CPU and memory, in words."""
    spent = watched.spent()
    workers = [spent.get(name, 0.0) for name in ("worker a", "worker b")]
    each = sum(workers) / 2
    rate = f"{texts / sum(workers):,.0f} texts a second of a worker's CPU"
    print(f"{texts:,} texts in {seconds:,.0f} s: {texts / seconds / 2:,.0f} a second and worker, {rate}")
    for name in ("scheduler", "client"):
        own = spent.get(name, 0.0)
        print(f"CPU of the {name}: {own:.1f} s, {own / each:.1%} of a worker's")
    for name in ("client", "scheduler", "worker a", "worker b"):
        sizes = [found[name] for _, found in watched.samples if name in found]
        third = len(sizes) // 3
        parts = [max(sizes[i * third : (i + 1) * third], default=0) for i in range(3)]
        print(f"memory of {name}: at most {' / '.join(f'{size:.0f}' for size in parts)} MB in each third")


def measured(folder: Path, options: argparse.Namespace) -> None:
    """Write, extract, kill, resume, and tell."""
    size = written(folder / "in", options.texts, options.partition)
    parts = -(-options.texts // options.partition)
    print(f"{options.texts:,} texts in {parts:,} partitions, {size / 1e6:,.0f} MB of Parquet", flush=True)
    out = folder / "out"
    words = ["extract", "--input", f"file://{folder}/in/*.parquet", "--out", f"file://{out}/", "--wide",
             "--pipeline", options.pipeline, "--cluster"]  # fmt: skip
    deadline = time.monotonic() + 60 * options.minutes
    until = random.randint(max(1, parts // 5), max(1, 4 * parts // 5))
    with (
        scheduler(folder / "s", **QUIET) as (address, process),
        worker(address, folder / "a", **QUIET) as a,
        worker(address, folder / "b", **QUIET) as b,
    ):
        watched = Watched({"scheduler": process.pid, "worker a": a.pid, "worker b": b.pid})
        begin = time.monotonic()
        command([*words, address], watched, out, until=until, deadline=deadline)
        killed, before = time.monotonic() - begin, manifests(out)
        print(f"killed after {killed:,.0f} s, when {len(before):,} partitions were done", flush=True)
        status = command([*words, address], watched, out, until=parts + 1, deadline=deadline)
        seconds = time.monotonic() - begin
        after = manifests(out)
    again = sum(after.get(name) != when for name, when in before.items())
    print(f"resumed: exit status {status}, {len(after):,} of {parts:,} partitions, {again} done twice")
    rows = rows_of(out)
    print(f"{rows:,} rows, {sum(path.stat().st_size for path in out.glob('*')) / 1e6:,.0f} MB out")
    told(watched, rows, seconds)
    if options.figure:
        Path(options.figure).mkdir(parents=True, exist_ok=True)
        drawn(watched.samples, killed, Path(options.figure, "memory.svg"))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--partition", type=int, default=10_000, help="texts in each")
    parser.add_argument("--pipeline", default="any-language")
    parser.add_argument("--figure", metavar="FOLDER", help="where memory.svg goes")
    parser.add_argument("--minutes", type=float, default=240, help="it ends after these")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kpframe-"))
    try:
        measured(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
