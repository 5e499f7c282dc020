"""The annotation cache does not grow for ever, and what it forgets is computed again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe.cli import main
from kpframe.engine.experiment import Experiment
from kpframe.engine.forgetting import cache_use, forget, forget_if_full, size_of
from kpframe.errors import SpecError

SPEC = """\
name: birds
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
ranking: frequency
"""
DAY = 86_400


def entries(folder: Path, sizes: Iterable[int], first: float = 1e9) -> list[Path]:
    """Files on different shelves, each used a day after the one before."""
    made = []
    for number, size in enumerate(sizes):
        path = folder / "annotations" / f"{number % 256:02x}" / f"{number:04d}" / "0.bin"
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(size))
        os.utime(path, (first + number * DAY, first))
        made.append(path)
    return made


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    """Blocks of 4,096 bytes, as on most disks: room for two of four."""
    oldest, older, newer, newest = entries(tmp_path, [4096] * 4)
    removed = forget(tmp_path, 8192)
    assert (removed.files, removed.size) == (2, 8192)
    assert [path.exists() for path in (oldest, older, newer, newest)] == [False, False, True, True]
    assert not oldest.parent.exists()


@given(st.lists(st.integers(0, 30_000), max_size=12), st.integers(0, 100_000))
@pytest.mark.slow
def test_what_is_left_is_within_the_limit_and_nothing_goes_needlessly(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], limit: int
) -> None:
    """Whatever the sizes: the most recent entries that fit stay."""
    folder = tmp_path_factory.mktemp("cache")
    made = entries(folder, sizes)
    before = cache_use(folder)
    removed = forget(folder, limit)
    left = cache_use(folder)
    assert left.size <= limit
    assert left.size + removed.size == before.size
    assert [path.exists() for path in made] == sorted(path.exists() for path in made)


def test_a_cache_that_is_not_full_is_left_alone(tmp_path: Path) -> None:
    """And one that is full gets room for more than the next run."""
    entries(tmp_path, [4096] * 256)
    assert forget_if_full(tmp_path, None).files == 0
    assert forget_if_full(tmp_path, 256 * 4096).files == 0
    assert forget_if_full(tmp_path, 200 * 4096).files == 76
    assert cache_use(tmp_path).files == 180


@pytest.mark.slow
def test_being_read_is_being_used(tmp_path: Path) -> None:
    """The time of access moves, that of writing does not."""
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"id": "d", "document": "a bird sings"}) + "\n")
    (tmp_path / "spec.yaml").write_text(SPEC)
    experiment = Experiment.load(tmp_path / "spec.yaml")
    experiment.run(out=tmp_path / "first", cache=tmp_path / "cache")
    (path,) = (tmp_path / "cache").rglob("*.bin")
    os.utime(path, (1e9, 1e9))
    experiment.run(out=tmp_path / "second", cache=tmp_path / "cache")
    assert path.stat().st_atime > 1e9 + DAY
    assert path.stat().st_mtime == 1e9


@pytest.mark.parametrize(
    ("text", "bytes_"), [("2GB", 2 * 10**9), ("1.5 k", 1500), ("0", 0), ("7", 7), ("none", None)]
)
def test_sizes_are_written_as_people_write_them(text: str, bytes_: int | None) -> None:
    """Powers of ten, as disks are sold."""
    assert size_of(text, "x") == bytes_


@pytest.mark.parametrize("text", ["", "many", "-1", "2 PB", "GB", "1e9", "1,5G"])
def test_what_is_no_size_is_told(text: str) -> None:
    """With what one would be."""
    with pytest.raises(SpecError, match="is no size; write it as 500MB"):
        size_of(text, "--to")


@pytest.mark.slow
def test_a_run_keeps_its_cache_within_the_limit_and_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was forgotten is made again: the same bytes."""
    lines = [json.dumps({"id": f"d{i}", "document": f"bird {i} sings"}) + "\n" for i in range(40)]
    (tmp_path / "corpus.jsonl").write_text("".join(lines))
    (tmp_path / "spec.yaml").write_text(SPEC)
    experiment = Experiment.load(tmp_path / "spec.yaml")

    def keyphrases(out: str) -> bytes:
        made = experiment.run(out=tmp_path / out, cache=tmp_path / "cache").folder
        return b"".join(path.read_bytes() for path in sorted(made.rglob("keyphrases.jsonl")))

    whole = keyphrases("first")
    assert cache_use(tmp_path / "cache").files == 40
    monkeypatch.setenv("KPFRAME_CACHE_LIMIT", "0")
    assert keyphrases("second") == whole
    assert cache_use(tmp_path / "cache").files == 0
    assert keyphrases("third") == whole


def test_a_wrong_limit_is_told_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not after hours."""
    monkeypatch.setenv("KPFRAME_CACHE_LIMIT", "plenty")
    assert main(["cache", "info"]) == 2
    assert "KPFRAME_CACHE_LIMIT: 'plenty' is no size" in capsys.readouterr().err


def test_the_command_tells_and_prunes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lies there, when it was used, what was removed and what is left."""
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path))
    entries(tmp_path, [4096] * 3)
    assert main(["cache", "info"]) == 0
    told = capsys.readouterr().out
    assert "3 entries, 0.0 MB, limit 2,000 MB" in told
    assert "last used between 2001-09-0" in told
    assert main(["cache", "prune", "--to", "5k"]) == 0
    assert capsys.readouterr().out == "removed 2 entries, 0.0 MB; left 1 entry, 0.0 MB\n"
    assert main(["cache", "info", "--to", "1"]) == 2
