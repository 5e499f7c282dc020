"""Whose a run folder is, and what may stand in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_runs import SINGLE, corpus, leftovers, outcome, run

from kpframe import DataError
from kpframe.runs.cell_writer import CellWriter
from kpframe.runs.folder import RunFolder


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    """Two runs never mix their results."""
    out = tmp_path / "out"
    before = outcome(run(tmp_path, SINGLE, corpus(5)).folder)
    with pytest.raises(DataError) as error:
        run(tmp_path, SINGLE.replace("name: single", "name: other"), corpus(5))
    assert str(error.value) == (
        f"{out}: holds the results of another run, 'single'; choose another --out folder"
    )
    assert outcome(out) == before


def test_a_folder_with_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Nothing is written into it."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(DataError) as error:
        run(tmp_path, SINGLE, corpus(5))
    assert str(error.value) == f"{out}: is not empty and not a run folder; choose another --out folder"
    assert [path.name for path in out.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_run_folder(tmp_path: Path) -> None:
    """The place is named."""
    (tmp_path / "out").write_text("a file")
    with pytest.raises(DataError, match=r"out: cannot be written \(.+\); choose another --out folder"):
        run(tmp_path, SINGLE, corpus(5))


@pytest.mark.parametrize("content", ["", "{", "[]", '"single"', "{}"])
@pytest.mark.slow
def test_a_damaged_marker_is_told(tmp_path: Path, content: str) -> None:
    """A folder that does not say whose it is belongs to nobody."""
    out = run(tmp_path, SINGLE, corpus(5)).folder
    (out / "run.json").write_text(content)
    with pytest.raises(DataError) as error:
        run(tmp_path, SINGLE, corpus(5))
    assert str(error.value) == f"{out / 'run.json'}: is damaged; choose another --out folder"


def test_a_run_killed_before_its_first_file_was_whole_can_be_resumed(tmp_path: Path) -> None:
    """Half of the marker is no foreign file."""
    out = tmp_path / "out"
    out.mkdir()
    (out / ".run.json.a1b2c3d4.tmp").write_text('{"na')
    made = run(tmp_path, SINGLE, corpus(5))
    assert leftovers(made.folder) == []


def test_what_a_killed_run_left_is_swept_away(tmp_path: Path) -> None:
    """Unfinished files of the engine and the reports go, hidden files of others stay."""
    out = run(tmp_path, SINGLE, corpus(5)).folder
    (out / "fitted").mkdir(exist_ok=True)
    (out / ".work" / "cells" / "single").mkdir(parents=True)
    for name in (".summary.json.4711", ".resolved.yaml.abcd_123.tmp", "fitted/.kea-1.json.abcd_123.tmp"):
        (out / name).write_text("half of a f")
    (out / ".gitignore").write_text("*")
    (out / ".DS_Store").write_text("")
    run(tmp_path, SINGLE, corpus(5))
    assert sorted(leftovers(out)) == [".DS_Store", ".gitignore"]


def test_a_half_written_cell_is_never_taken_for_whole(tmp_path: Path) -> None:
    """A cell is in its place only after `finish`, and then it is whole."""
    folder = RunFolder(tmp_path / "out", "x")
    writer = CellWriter(folder, "cell", "key")
    writer.begin()
    writer.write("d", ["{}", "{}", "{}"])
    assert not folder.has_cell("cell", "key")
    assert not folder.cell("cell").exists()
    writer.finish()
    assert folder.has_cell("cell", "key")
    assert not folder.has_cell("cell", "other key")
    (folder.cell("cell") / "keyphrases.jsonl").write_text("")
    assert not folder.has_cell("cell", "key")


def test_two_runs_into_one_folder_at_once_are_refused(tmp_path: Path) -> None:
    """The second is told; when the first has ended, or was killed, the folder is free."""
    pytest.importorskip("fcntl", reason="needs file locks of Unix")
    folder = RunFolder(tmp_path / "out", "single")
    with folder.held(), pytest.raises(DataError) as error, RunFolder(tmp_path / "out", "single").held():
        pass
    assert str(error.value) == (
        f"{tmp_path / 'out'}: another run is writing into it; let that end, or choose another --out folder"
    )
    with RunFolder(tmp_path / "out", "single").held():
        pass


@pytest.mark.parametrize("place", ["", "fitted", "cells/single"])
def test_what_a_killed_run_had_half_written_goes_with_the_next(tmp_path: Path, place: str) -> None:
    """Wherever it was writing."""
    out = run(tmp_path, SINGLE, corpus(5)).folder
    (out / place).mkdir(exist_ok=True)
    (out / place / ".cell.json.zkby9cxf.tmp").write_text("half")
    run(tmp_path, SINGLE, corpus(5))
    assert leftovers(out) == []
