"""A text that is missing is an empty one, however a table is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus_files import parted

from kpframe.documents.files import Files
from kpframe.documents.jsonl import Jsonl

LINES = ['{"id": "a"}', '{"id": "b", "text": null}', '{"id": "c", "text": ""}', '{"id": "d", "text": "red"}']
TEXTS = [("a", ""), ("b", ""), ("c", ""), ("d", "red")]


@pytest.mark.parametrize("name", ["t.jsonl", "t"])
@pytest.mark.parametrize("columns", [{}, {"id": "id"}, {"text": ["text"]}, {"keep": ["id"]}])
def test_a_row_is_a_document_with_and_without_columns(
    columns: dict[str, object], name: str, tmp_path: Path
) -> None:
    """Without the key, with null, with nothing in it: none is lost, in a file and in a folder."""
    place = tmp_path / name
    file = place if place.suffix else place / "t.jsonl"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(LINES))
    documents, skipped = parted(Files.model_validate({"path": str(place), "rows": True, **columns}))
    assert [(d.id, d.text) for d in documents] == TEXTS and skipped == []
    if "keep" in columns:
        assert [d.metadata["row"] for d in documents] == [{"id": id} for id, _ in TEXTS]


def test_a_file_without_any_text_is_malformed(tmp_path: Path) -> None:
    """Its lines are no rows with missing texts: the key is called otherwise."""
    file = tmp_path / "t.jsonl"
    file.write_text("".join(json.dumps({"comment": f"red {i}"}) + "\n" for i in range(300)))
    documents, skipped = parted(Files(path=(str(file),), rows=True))
    assert documents == [] and len(skipped) == 300


def test_a_corpus_has_null_as_an_empty_text_and_no_line_without_one(tmp_path: Path) -> None:
    """What is evaluated must have a text, or say that it has none."""
    file = tmp_path / "t.jsonl"
    file.write_text("\n".join([*LINES, '{"id": "e", "title": null, "abstract": null}']))
    documents, (skipped,) = parted(Jsonl(path=str(file)))
    assert [(d.id, d.text) for d in documents] == [*TEXTS[1:], ("e", "")]
    assert skipped.place == f"{file}:1" and "has no 'text'" in skipped.reason
