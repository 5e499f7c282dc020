"""`kpframe extract` over partitions where there is no room: told, stopped, nothing half-written, gone on."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from command_line import FAST, Outcome, run, spawn
from full_folders import grown, small

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

ROWS = 100


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a quick pipeline and six partitions, whose results have about 20 KB each."""
    (tmp_path / "fast.yaml").write_text(FAST)
    (tmp_path / "in").mkdir()
    for part in range(6):
        rows = (f'{{"id": "{part}-{i}", "text": "Nets {i} rank {part} nodes."}}\n' for i in range(ROWS))
        (tmp_path / f"in/{part}.jsonl").write_text("".join(rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def extract(capsys: pytest.CaptureFixture[str], out: str, *more: str, source: str = "in") -> Outcome:
    """The command."""
    return run(capsys, "extract", "--input", source, "--out", out, "--pipeline", "fast.yaml", *more)


def results(folder: Path) -> dict[str, bytes]:
    """All results; hidden files too, which would be halves of some."""
    files = [path for path in folder.rglob("*") if path.is_file() and "_manifest" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def made(done: Outcome) -> tuple[int, int]:
    """How many partitions a command made, and how many were there."""
    found = re.search(r"(\d+) partitions? made, (\d+) there already", done.err)
    assert found, done.err
    return int(found[1]), int(found[2])


def held(done: Outcome, out: Path, whole: Path) -> int:
    """How many partitions were made before the folder was full; what there is is whole, and all is told."""
    number = made(done)[0]
    assert done.status == 1 and 1 <= number < 5
    told = r"\d\.jsonl: cannot be written \(No space left on device\); make room: the same command"
    assert len(re.findall(told, done.err)) == 1
    assert f"1 failed, {5 - number} left because there is no room" in done.err
    here, all_of_them = results(out), results(whole)
    assert number <= len(here) <= number + 1 and here.items() <= all_of_them.items()
    return number


@pytest.mark.slow
def test_a_full_folder_stops_the_command_and_the_next_one_goes_on(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the first partition without room: others would be computed in vain. With room only they are made."""
    assert extract(capsys, "whole/").status == 0
    size = sum(map(len, results(place / "whole").values()))
    with small(place / "out", str(size // 2)):
        number = held(extract(capsys, "out/"), place / "out", place / "whole")
        grown(place / "out", "10m")
        done = extract(capsys, "out/")
        assert (done.status, made(done)) == (0, (6 - number, number))
        assert results(place / "out") == results(place / "whole")


def test_a_folder_that_is_full_from_the_beginning_is_told_first(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is computed."""
    with small(place / "out", "4k"):
        (place / "out/taken").write_bytes(b"x" * 4096)
        done = extract(capsys, "out/")
        assert done.status == 2 and results(place / "out") == {"taken": b"x" * 4096}
        assert "error: out: cannot be written (No space left on device); make room" in done.err


@pytest.mark.slow
def test_a_full_temporary_folder_is_named(place: Path) -> None:
    """And how to name another; nothing is left in it."""
    with small(place / "tmp", "16k"):
        words = ["--input", "in", "--out", "out/", "--pipeline", "fast.yaml"]
        done = spawn("extract", *words, folder=place, TMPDIR=str(place / "tmp"))
        told = done.stderr.decode()
        assert done.returncode == 1 and "Traceback" not in told
        assert re.search(
            rf"error: {place}/tmp\S*: results of in/0.jsonl cannot be written there .*set TMPDIR", told
        )
        assert "1 failed, 5 left because there is no room" in told
        assert not list((place / "tmp").iterdir()) and results(place / "out") == {}


@pytest.mark.parametrize("name", ["k.jsonl", "k.csv", "k.parquet", "k.xlsx"])
@pytest.mark.slow
def test_one_file_without_room_is_told_and_not_begun(
    name: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No half of it is left."""
    with small(place / "out", "4k"):
        (place / "out/taken").write_bytes(b"x" * 4_000)
        done = extract(capsys, f"out/{name}", source="in/0.jsonl")
        told = f"error: out/{name}: cannot be read or written: No space left on device; check path"
        assert done.status == 2 and done.err.startswith(told)
        assert list(results(place / "out")) == ["taken"]


@pytest.mark.acceptance
def test_a_full_folder_on_a_cluster(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Workers write themselves, several at a time; what they had under way may be there too."""
    pytest.importorskip("distributed")
    from dask_cluster import scheduler, worker

    assert extract(capsys, "whole/").status == 0
    size = sum(map(len, results(place / "whole").values()))
    source, out = f"file://{place}/in/*.jsonl", f"file://{place}/out/"
    with (
        small(place / "out", str(size // 2)),
        scheduler(place / "s") as (address, _),
        worker(address, place / "a"),
        worker(address, place / "b"),
    ):
        done = extract(capsys, out, "--cluster", address, source=source)
        assert done.status == 1 and "left because there is no room" in done.err
        assert re.search(r"file://\S+\.jsonl: cannot be written \(No space left on device\)", done.err)
        here, whole = results(place / "out"), results(place / "whole")
        assert here and here.items() < whole.items()
        assert made(done)[0] == len(list((place / "out/_manifest").glob("*.jsonl.json")))
        grown(place / "out", "10m")
        done = extract(capsys, out, "--cluster", address, source=source)
        assert done.status == 0 and sum(made(done)) == 6 and made(done)[1] >= 1
        assert results(place / "out") == whole
