"""A real cluster for tests: a scheduler and workers as processes, each with a place of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kpframe.engine.clock import Timed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def begin(folder: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    """One process of Dask, in a new folder with a temporary folder, a home and a cache of its own."""
    for name in ("here", "tmp", "home"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    own = {
        "TMPDIR": str(folder / "tmp"),
        "HOME": str(folder / "home"),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{HERE}",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KPFRAME_", "XDG_"))}
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        cwd=folder / "here",
        env={**kept, **own, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def drained(process: subprocess.Popen[str]) -> None:
    """Let a process say what it wants, lest it wait for somebody to read it."""
    assert process.stderr is not None
    threading.Thread(target=process.stderr.read, daemon=True).start()


@contextmanager
def scheduler(folder: Path, *words: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a scheduler and its process, which ends with the block."""
    found = begin(
        folder, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *words, **environment
    )
    try:
        assert found.stderr is not None
        line = next(line for line in found.stderr if "Scheduler at:" in line)
        drained(found)
        yield line.split()[-1], found
    finally:
        ended(found)


@contextmanager
def worker(address: str, folder: Path, *words: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A worker with its nanny, which begins it anew when it is killed; both end with the block."""
    found = begin(
        folder,
        "worker",
        address,
        "--nthreads",
        "1",
        "--no-dashboard",
        "--host",
        "127.0.0.1",
        *words,
        **environment,
    )
    drained(found)
    try:
        yield found
    finally:
        ended(found)


def ended(process: subprocess.Popen[str]) -> None:
    """End a process that was begun here."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# What workers are told to do.


def product(shared: int, task: int) -> int:
    return shared * task


def process_number(shared: None, task: int) -> int:
    return os.getpid()


def dies_at_three_of(shared: int, batch: list[int]) -> Timed[int]:
    if 3 in batch:
        os.kill(os.getpid(), shared)
    return Timed(batch)


def fails_at_three(shared: None, task: int) -> int:
    if task == 3:
        raise ValueError("three")
    return task


def never_ends_but_at_first(shared: None, task: int) -> int:
    if task:
        threading.Event().wait()
    return task


_kept: list[bytes] = []


def keeps(megabytes: int, task: int) -> int:
    """Takes memory that does not come back, as language models do."""
    if not _kept:
        _kept.append(b"x" * (megabytes * 2**20))
    return task


def notes(path: str, task: int) -> int:
    """Leaves a line a task where the test sees it."""
    with open(path, "a") as file:
        file.write(f"{task}\n")
    return task
