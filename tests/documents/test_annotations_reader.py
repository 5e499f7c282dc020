"""JSON lines with annotations, and what is malformed in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from corpus_files import parted, written

from kpframe.documents.annotations import AnnotatedJsonl
from kpframe.model import Document

TEXT = "Red kites soar. They wait."
RECORD: dict[str, Any] = {
    "id": "d1",
    "text": TEXT,
    "words": ["Red", "kites", "soar", ".", "They", "wait", "."],
    "begins": [0, 4, 10, 14, 16, 21, 25],
    "ends": [3, 9, 14, 15, 20, 25, 26],
    "lemmas": ["red", "kite", "soar", ".", "they", "wait", "."],
    "tags": ["JJ", "NNS", "VBP", ".", "PRP", "VBP", "."],
    "pos": ["ADJ", "NOUN", "VERB", "PUNCT", "PRON", "VERB", "PUNCT"],
    "sentences": [[0, 4], [4, 7]],
    "chunks": [[0, 2], [4, 5]],
    "gold": [["red kites", "kites"], ["birds"]],
}


def reader(tmp_path: Path, *records: Any) -> AnnotatedJsonl:
    """A reader of a file with one record a line."""
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    return AnnotatedJsonl(path=written(tmp_path / "a.jsonl", "\n".join(lines)))


def without(*names: str) -> dict[str, Any]:
    """The record without some of its keys."""
    return {key: value for key, value in RECORD.items() if key not in names}


def test_every_layer_is_read(tmp_path: Path) -> None:
    """Tokens with their offsets, strings of each column, ranges of sentences and chunks, gold."""
    source = reader(tmp_path, RECORD)
    (document,), skipped = parted(source)
    assert skipped == []
    made = document.annotations
    assert made is not None
    assert (document.id, document.text, [g.variants for g in document.gold]) == (
        "d1",
        TEXT,
        [("red kites", "kites"), ("birds",)],
    )
    assert made.columns() == {
        "begin": RECORD["begins"],
        "end": RECORD["ends"],
        "sentence": [0, 0, 0, 0, 1, 1, 1],
        "word": RECORD["words"],
        "lemma": RECORD["lemmas"],
        "tag": RECORD["tags"],
        "pos": RECORD["pos"],
    }
    assert made.chunks is not None
    assert made.chunks.tolist() == RECORD["chunks"]
    assert source.provides() == made.layers == {"tokens", "sentences", "lemmas", "tags", "pos", "chunks"}


def test_layers_that_all_lines_lack_are_not_provided(tmp_path: Path) -> None:
    """A chain that needs them is refused before any text is read."""
    assert reader(tmp_path, without("pos", "chunks")).provides() == {"tokens", "sentences", "lemmas", "tags"}


def test_a_line_that_lacks_a_layer_of_the_others_is_skipped(tmp_path: Path) -> None:
    """With the layer that it lacks; one that has more is no problem."""
    (one, other), (skipped,) = parted(
        reader(tmp_path, without("pos"), {**RECORD, "id": "d2"}, {**without("pos", "tags"), "id": "d3"})
    )
    assert [one.id, other.id] == ["d1", "d2"]
    assert skipped.place.endswith("a.jsonl:3")
    assert skipped.reason == "has no 'tags', which the lines before it have"


def test_an_empty_text_has_no_tokens(tmp_path: Path) -> None:
    """And its layers are there, empty."""
    nothing: dict[str, Any] = {key: [] for key in RECORD}
    (document,), skipped = parted(reader(tmp_path, {**nothing, "id": "d", "text": ""}))
    assert skipped == []
    assert document.annotations is not None
    assert len(document.annotations) == 0
    assert "pos" in document.annotations.layers


def test_compressed_lines_are_read_and_ids_made(tmp_path: Path) -> None:
    """The id of a line without one is the file's name and the line's number."""
    path = tmp_path / "some.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n" + json.dumps(without("id")).encode()))
    (document,), skipped = parted(AnnotatedJsonl(path=str(path)))
    assert (document.id, skipped) == ("some-2", [])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": None}, "has no 'text', or one that is not a string"),
        ({"words": None}, "'words' is not a list of strings"),
        ({"begins": "0"}, "'begins' is not a list of whole numbers from 0"),
        ({"begins": [0.0]}, "'begins' is not a list of whole numbers from 0"),
        ({"begins": [True, 4, 10, 14, 16, 21, 25]}, "'begins' is not a list of whole numbers from 0"),
        ({"ends": [3]}, "'ends' has 1 items for 7 tokens"),
        ({"pos": ["ADJ"]}, "'pos' has 1 items for 7 tokens"),
        ({"tags": [1] * 7}, "'tags' is not a list of strings"),
        (
            {"begins": [1, 4, 10, 14, 16, 21, 25]},
            "token 0 is 'Red', but the text has 'ed' there",
        ),
        (
            {"begins": [0, 2, 10, 14, 16, 21, 25]},
            "token 1 ('kites') is empty or begins before the one before it ends",
        ),
        (
            {"ends": [3, 4, 14, 15, 20, 25, 26]},
            "token 1 ('kites') is empty or begins before the one before it ends",
        ),
        (
            {"words": ["Red ", *RECORD["words"][1:]], "ends": [4, *RECORD["ends"][1:]]},
            "token 0 ('Red ') begins or ends with white space",
        ),
        ({"sentences": None}, "'sentences' is not a list of [first token, token after the last]"),
        ({"sentences": [[0, 4]]}, "'sentences' do not cover the tokens one after the other"),
        ({"sentences": [[0, 4], [5, 7]]}, "'sentences' do not cover the tokens one after the other"),
        ({"sentences": [[0, 5], [4, 7]]}, "'sentences' do not cover the tokens one after the other"),
        ({"sentences": [[0, 8]]}, "'sentences' holds [0, 8], which is no range of the 7 tokens"),
        ({"chunks": [[2, 2]]}, "'chunks' holds [2, 2], which is no range of the 7 tokens"),
        ({"chunks": [["a", "b"]]}, "'chunks' holds ['a', 'b'], which is no range of the 7 tokens"),
        ({"chunks": [[3, 5]]}, "the chunk [3, 5] crosses the end of a sentence"),
        ({"chunks": [[4, 5], [0, 2]]}, "'chunks' are not in text order"),
        ({"gold": [7]}, "'gold' holds something that is no phrase"),
    ],
)
def test_a_line_that_does_not_fit_itself_is_skipped(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    """With its place and the reason; the lines around it are read."""
    documents, (skipped,) = parted(reader(tmp_path, RECORD, {**RECORD, "id": "d2", **change}))
    assert [document.id for document in documents] == ["d1"]
    assert skipped.place.endswith("a.jsonl:2")
    assert skipped.reason == reason


@pytest.mark.parametrize("line", ["{", "[]", "\\u0000", '{"text": "\\ud800"}', "[" * 100_000])
def test_a_line_that_is_no_object_is_skipped(tmp_path: Path, line: str) -> None:
    """Whatever it is."""
    documents, skipped = parted(reader(tmp_path, line, RECORD))
    assert [document.id for document in documents] == ["d1"]
    assert len(skipped) == 1


def test_offsets_count_code_points(tmp_path: Path) -> None:
    """Not the units of UTF-16, in which the second word would begin at 3."""
    text = "😀 kite"
    record = {"text": text, "words": ["😀", "kite"], "begins": [0, 2], "ends": [1, 6], "sentences": [[0, 2]]}
    (document,), skipped = parted(reader(tmp_path, record))
    assert isinstance(document, Document)
    assert skipped == []
