"""The reader of DUC 2001: one label file for all texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_files import folder_with, parted, phrases, written, zipped

from kpframe.documents.duc2001 import Duc2001
from kpframe.errors import DataError

RULE = "*" * 40
LABELS = (
    f"{RULE}\nPlease cite the paper.\n{RULE}\nLine Format: DUC2001DocName@Keyphrase1;...;\n{RULE}\n"
    "AP1-2@hurricane andrew;florida;\n"
    "AP1-10@insurance claims;; ;\n"
    "no label line\n"
    "AP9@lost;\n"
)


@pytest.fixture
def labels(tmp_path: Path) -> str:
    """A label file with a header, a malformed line and a label without a text."""
    return written(tmp_path / "labels.txt", LABELS)


@pytest.mark.parametrize("packed", [False, True])
def test_texts_meet_their_labels(tmp_path: Path, labels: str, packed: bool) -> None:
    """A folder and a zip read the same; the header's own @ is no label."""
    files = {"txt/AP1-10": "Claims.\r\nMore.\n", "txt/AP1-2": "The hurricane.", "txt/AP3.txt": "No labels."}
    path = written(tmp_path / "t.zip", zipped(files)) if packed else folder_with(tmp_path / "t", files)
    documents, skipped = parted(Duc2001(path=path, labels=labels))
    assert [(d.id, phrases(d)) for d in documents] == [
        ("AP1-2", ["hurricane andrew", "florida"]),
        ("AP1-10", ["insurance claims"]),
        ("AP3", []),
    ]
    assert documents[1].text == "Claims.\nMore.\n"
    assert [(s.place, s.reason) for s in skipped] == [
        (f"{labels}:8", "is no line of the form docid@phrase;phrase;…"),
        (f"{labels}:9", "there is no text 'AP9'"),
    ]


def test_the_label_file_beside_the_texts_is_no_text(tmp_path: Path) -> None:
    """Both paths may point into the same folder."""
    path = folder_with(tmp_path, {"a": "Text.", "labels": "a@x;\n"})
    documents, skipped = parted(Duc2001(path=path, labels=str(tmp_path / "labels")))
    assert [(d.id, phrases(d)) for d in documents] == [("a", ["x"])]
    assert skipped == []


def test_a_second_label_line_for_a_text_is_skipped(tmp_path: Path) -> None:
    """The first counts, and both places are told."""
    labels = written(tmp_path / "labels", "a@x\na@y\n")
    documents, (skipped,) = parted(Duc2001(path=folder_with(tmp_path / "t", {"a": ""}), labels=labels))
    assert phrases(documents[0]) == ["x"]
    assert (skipped.place, skipped.reason) == (f"{labels}:2", f"'a' is already labelled at {labels}:1")


def test_a_folder_without_texts_is_an_error(tmp_path: Path, labels: str) -> None:
    """An empty folder is a wrong path, not an empty corpus."""
    with pytest.raises(DataError, match="holds no text"):
        list(Duc2001(path=folder_with(tmp_path / "e", {".hidden": "x"}), labels=labels).read())
