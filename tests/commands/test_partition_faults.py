"""`kpframe extract` over partitions on a cluster that is struck: nothing lost, nothing twice, same bytes."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import FAST, Outcome, run

from kpframe.commands._partition_tally import Tally
from kpframe.files.tables.writing import writing_table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.acceptance

PARTITIONS = 30


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with partitions and a quick pipeline, where commands are typed."""
    (tmp_path / "fast.yaml").write_text(FAST)
    (tmp_path / "in").mkdir()
    for part in range(PARTITIONS):
        with writing_table(str(tmp_path / f"in/{part:02}.parquet"), ["id", "text"]) as writer:
            texts = [f"Neural nets rank {part} nodes of graph {i}." for i in range(100)]
            writer.write({"id": [f"{part}-{i}" for i in range(100)], "text": texts})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def extract(capsys: pytest.CaptureFixture[str], place: Path, out: str, *more: str) -> Outcome:
    """The command, by URLs."""
    words = ["--input", f"file://{place}/in/*.parquet", "--out", f"file://{place}/{out}/"]
    return run(capsys, "extract", *words, *more)


def contents(folder: Path) -> dict[str, bytes]:
    """All files but manifests, hidden ones too."""
    files = [path for path in folder.rglob("*") if path.is_file() and "_manifest" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("seed", [13, 14])
def test_workers_that_are_killed_five_times_lose_nothing(
    seed: int, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At random moments, a random one; in one command, with the bytes of one process."""
    from dask_cluster import scheduler, worker

    assert extract(capsys, place, "one", "--pipeline", "fast.yaml").status == 0
    chance = random.Random(seed)
    moments = set(chance.sample(range(1, PARTITIONS - 2), 5))
    added = Tally.add
    killed: list[int] = []

    def struck(self: Tally, made: Any) -> None:
        added(self, made)
        if self.state().made in moments:
            with distributed.Client(address, set_as_default=False) as client:
                living: dict[str, int] = {}
                while not living:
                    client.wait_for_workers(1, timeout=240)
                    # One that was killed just before may still be listed, and does not answer.
                    living = client.run(os.getpid, on_error="ignore")
                killed.append(chance.choice(sorted(living.values())))
            os.kill(killed[-1], signal.SIGKILL)

    monkeypatch.setattr(Tally, "add", struck)
    with (
        scheduler(place / "s") as (address, _),
        worker(address, place / "a"),
        worker(address, place / "b"),
    ):
        done = extract(capsys, place, "out", "--pipeline", "fast.yaml", "--cluster", address)
    assert len(killed) == 5 and done.status == 0, done.err
    assert f"{PARTITIONS} partitions made, 0 there already; 3,000 documents" in done.err
    assert contents(place / "out") == contents(place / "one")


def test_a_worker_with_600_megabytes_is_enough(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For the default pipeline, whose language model takes most of it."""
    from dask_cluster import scheduler, worker

    assert extract(capsys, place, "one").status == 0
    with scheduler(place / "s") as (address, _), worker(address, place / "a", "--memory-limit", "600MB"):
        done = extract(capsys, place, "out", "--cluster", address)
    assert done.status == 0 and "begun anew" not in done.err
    assert contents(place / "out") == contents(place / "one")


def test_a_worker_with_too_little_memory_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the partition that it could not make, and what to do; nothing is half there."""
    from dask_cluster import scheduler, worker

    source = f"file://{place}/in/00.parquet"
    words = ["--input", source, "--out", f"file://{place}/out/"]
    with scheduler(place / "s") as (address, _), worker(address, place / "a", "--memory-limit", "250MB"):
        done = run(capsys, "extract", *words, "--cluster", address)
    assert done.status == 1 and contents(place / "out") == {}
    told = rf"error: {source}: the worker process died: out of memory.*; give workers more memory"
    assert re.search(told, done.err) and "0 partitions made, 0 there already, 1 failed" in done.err
    with scheduler(place / "s2") as (address, _), worker(address, place / "b"):
        done = run(capsys, "extract", *words, "--cluster", address)
    assert done.status == 0 and "1 partition made" in done.err
