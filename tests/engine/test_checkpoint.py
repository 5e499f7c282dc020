"""A pass goes on from its checkpoint, and from no other's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kpframe.engine.checkpoint import CellsUnderWay
from kpframe.engine.evaluating import CellLines
from kpframe.runs.cell_writer import CellWriter
from kpframe.runs.folder import RunFolder


def under_way(folder: RunFolder, key: str = "key", **learned: Any) -> CellsUnderWay:
    """A pass with one cell."""
    return CellsUnderWay(folder, [CellWriter(folder, "cell", key, **learned)])


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A run that was killed after one document had been sealed."""
    folder = RunFolder(tmp_path / "out", "x")
    cells = under_way(folder)
    cells.add("d", {"cell": CellLines("{}", "{}", "{}", True)})
    cells.seal()
    return folder


def test_the_same_pass_goes_on(folder: RunFolder) -> None:
    """With the document that it has."""
    assert under_way(folder).done == 1


OTHERS: dict[str, dict[str, Any]] = {
    "key": {"key": "another"},
    "state": {"state": "learned since"},
    "undecided": {"undecided": ["e"]},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_pass_begins_anew(folder: RunFolder, other: dict[str, Any]) -> None:
    """Lines of other parameters, or of what was learned otherwise, are none of its own."""
    assert under_way(folder, **other).done == 0


def test_a_checkpoint_whose_seal_is_not_its_own_is_none(folder: RunFolder) -> None:
    """Nothing can be believed of it."""
    path = folder.work / "checkpoint.json"
    path.write_text(path.read_text().replace('"done": 1', '"done": 2'))
    assert under_way(folder).done == 0
