"""What `problems()` finds before any text is read."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from corpus_files import folder_with, tarred, written, zipped
from families import every

from kpframe.stages.registry import kinds, lookup

MISSING = {kind: dict.fromkeys(lookup("documents", kind).paths, "no") for kind in kinds("documents")}
"""Every reader, with a path that is not there for each of those that it declares."""


@every("kind", MISSING)
def test_missing_paths_are_found_without_reading(kind: str) -> None:
    """Each with its parameter, the path and the remedy; every path is declared as one."""
    cls = lookup("documents", kind)
    reader = cls.model_validate(MISSING[kind])
    found = list(reader.problems(["en"]))
    assert found == [(name, "'no' does not exist", "correct the path") for name in MISSING[kind]]


@every("kind", MISSING)
def test_readers_rebuild_from_their_spec_and_from_a_pickle(kind: str) -> None:
    """A stage is data."""
    reader = lookup("documents", kind).model_validate(MISSING[kind])
    spec: dict[str, Any] = reader.to_spec()
    assert spec.pop("kind") == kind
    assert lookup("documents", kind).model_validate(spec) == reader
    assert pickle.loads(pickle.dumps(reader)) == reader


@every("kind", MISSING)
def test_every_parameter_is_described(kind: str) -> None:
    """The schema explains itself."""
    fields = lookup("documents", kind).model_fields
    assert all(field.description for field in fields.values())


@pytest.mark.parametrize(
    "content", [zipped({"a": ""}), tarred({"a": ""}), tarred({"a": ""}, "w")], ids=["zip", "tar.gz", "tar"]
)
def test_archives_are_recognised(tmp_path: Path, content: bytes) -> None:
    """By their first bytes."""
    path = written(tmp_path / "c", content)
    assert list(lookup("documents", "hulth2003").model_validate({"path": path}).problems([])) == []


@pytest.mark.parametrize(
    ("kind", "parameter", "folder", "problem", "remedy"),
    [
        ("text_and_keys", "path", False, "is neither a folder nor a zip or tar archive", "correct the path"),
        ("csv", "path", True, "is a folder", "give a file"),
    ],
)
def test_a_path_of_the_wrong_kind_is_found(
    tmp_path: Path, kind: str, parameter: str, folder: bool, problem: str, remedy: str
) -> None:
    """A file where a corpus is expected, a folder where a file is."""
    path = folder_with(tmp_path, {"x": "x"}) if folder else written(tmp_path / "a.pdf", "%PDF")
    reader = lookup("documents", kind).model_validate({parameter: path})
    assert list(reader.problems([])) == [(parameter, f"{path!r} {problem}", remedy)]


@pytest.mark.parametrize("kind", ["jsonl", "text"])
def test_a_folder_may_stand_for_its_files(tmp_path: Path, kind: str) -> None:
    """Where the reader takes either."""
    assert list(lookup("documents", kind).model_validate({"path": str(tmp_path)}).problems([])) == []


def test_a_corpus_that_is_not_shipped_is_found() -> None:
    """With the names that there are."""
    ((parameter, problem, remedy),) = (
        lookup("documents", "jsonl").model_validate({"resource": "corpora/none"}).problems([])
    )
    assert (parameter, problem) == ("resource", "resource 'corpora/none' is not shipped")
    assert remedy.startswith("there are: ") and "corpora/demo" in remedy
