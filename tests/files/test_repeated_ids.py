"""Ids of many partitions, compared on disk."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe.errors import DataError
from kpframe.files.repeated_ids import listing, repeated


def written(folder: Path, lists: list[list[str]]) -> list[tuple[str, str]]:
    """Lists of ids as files, with their names."""
    for number, ids in enumerate(lists):
        with listing(folder / f"{number}.gz") as note:
            for id in ids:
                note(id)
    return [(f"p{number}", str(folder / f"{number}.gz")) for number in range(len(lists))]


@given(st.lists(st.lists(st.text(st.characters(), max_size=3), unique=True, max_size=8), max_size=12))
@pytest.mark.slow
def test_what_is_in_several_lists_is_found_once(lists: list[list[str]]) -> None:
    """As a dictionary of all of them would find it, whatever the ids are made of."""
    places = defaultdict(list)
    for number, ids in enumerate(lists):
        for id in ids:
            places[id].append(f"p{number}")
    with tempfile.TemporaryDirectory() as folder:
        found = list(repeated(written(Path(folder), lists)))
    assert dict(found) == {id: tuple(names) for id, names in places.items() if len(names) > 1}
    assert len(dict(found)) == len(found)


def test_the_same_ids_are_the_same_bytes(tmp_path: Path) -> None:
    """Whenever they are written, and under whatever name."""
    (_, one), (_, other) = written(tmp_path, [["a", "b"], ["a", "b"]])
    assert Path(one).read_bytes() == Path(other).read_bytes()


def test_a_damaged_list_is_named(tmp_path: Path) -> None:
    """With what to do."""
    ((name, path),) = written(tmp_path, [["a"] * 100])
    Path(path).write_bytes(Path(path).read_bytes()[:-9])
    with pytest.raises(DataError, match=r"0\.gz: ids cannot be read .*; remove it"):
        list(repeated([(name, path)]))


def test_no_room_for_temporary_files_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the folder, and how to name another one."""
    lists = written(tmp_path, [[str(i) for i in range(5_000)]])
    monkeypatch.setattr(
        "kpframe.files.repeated_ids._FRESH",
        "pragma max_page_count = 2; create table ids (id blob, place integer);",
    )
    with pytest.raises(DataError, match=r"ids cannot be compared .*full.*; make room there, or set TMPDIR"):
        list(repeated(lists))
