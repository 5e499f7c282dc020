"""JSON lines in the three layouts, and what is malformed in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from corpus_files import folder_with, parted, phrases, written
from pydantic import ValidationError

from kpframe.documents.jsonl import Jsonl
from kpframe.errors import DataError
from kpframe.model import Document, Gold


def read_line(tmp_path: Path, record: Any) -> Document:
    """The document of one record."""
    (document,), skipped = parted(Jsonl(path=written(tmp_path / "c.jsonl", json.dumps(record))))
    assert skipped == []
    return document


def test_our_own_layout_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """`Document.to_json` and the reader are each other's inverse."""
    document = Document(
        "d1", "Title\nText", "de", (Gold(("a b", "b a"), "author"), Gold(("c",))), {"split": "test", "x": [1]}
    )
    assert read_line(tmp_path, document.to_json()) == document


def test_gold_may_be_strings_or_lists_of_variants(tmp_path: Path) -> None:
    """Blank forms are no keyphrases."""
    record = {"text": "", "gold": ["a", ["b", "c", " "], {"variants": "d"}, {"variants": [" "]}, "", []]}
    assert [g.variants for g in read_line(tmp_path, record).gold] == [("a",), ("b", "c"), ("d",)]


@pytest.mark.parametrize(
    ("record", "length"),
    [
        ({"title": "On mice", "text": "On mice\nThey are small."}, 7),
        ({"title": "On mice", "text": "They are small."}, None),
        ({"title": "On mice", "text": "On mice", "metadata": {"title_length": 2}}, 2),
        ({"title": "On mice", "abstract": "They are small."}, 7),
        ({"title": "", "abstract": "They are small."}, None),
    ],
)
def test_a_title_at_the_beginning_is_measured(
    tmp_path: Path, record: dict[str, Any], length: int | None
) -> None:
    """Unless the metadata say it themselves."""
    assert read_line(tmp_path, record).metadata.get("title_length") == length


@pytest.mark.parametrize(
    "keywords", [{"keywords": ["a b", "c"]}, {"keyword": "a b;c;"}, {"keywords": "a b; c"}]
)
def test_kp20k_is_read(tmp_path: Path, keywords: dict[str, Any]) -> None:
    """The title is a sentence of its own, ended by a blank line."""
    document = read_line(tmp_path, {"title": "T", "abstract": "A.", **keywords})
    assert (document.text, phrases(document)) == ("T\n\nA.", ["a b", "c"])


def test_hugging_face_tokens_are_joined(tmp_path: Path) -> None:
    """Present and absent keyphrases have their source; phrases may be strings or tokens."""
    document = read_line(
        tmp_path,
        {
            "id": 17,
            "document": ["On", "mice", "They", "are", "small", "."],
            "title": "On mice",
            "abstract": "They are small .",
            "extractive_keyphrases": ["mice"],
            "abstractive_keyphrases": [["field", "study"]],
        },
    )
    assert (document.id, document.text) == ("17", "On mice They are small .")
    assert document.gold == (Gold(("mice",), "extractive"), Gold(("field study",), "abstractive"))
    assert document.metadata == {"title_length": 7}


def test_lines_without_an_id_are_numbered_by_file_and_line(tmp_path: Path) -> None:
    """Blank lines are ignored but counted; the byte order mark is no part of the JSON."""
    path = written(tmp_path / "news.jsonl", b'\xef\xbb\xbf{"text":"a"}\r\n\r\n{"text":"b","id":""}')
    documents, skipped = parted(Jsonl(path=path, language="fr"))
    assert [(d.id, d.text, d.language) for d in documents] == [("news-1", "a", "fr"), ("news-3", "b", "fr")]
    assert skipped == []


def test_a_folder_is_read_in_natural_order_compressed_files_too(tmp_path: Path) -> None:
    """part-2 before part-10; other files are left alone."""
    path = folder_with(
        tmp_path,
        {
            "part-10.jsonl": '{"text":"c"}',
            "part-2.jsonl.gz": gzip.compress(b'{"text":"a"}\n{"text":"b"}\n'),
            "readme.txt": "no",
        },
    )
    documents, _ = parted(Jsonl(path=path))
    assert [d.id for d in documents] == ["part-2-1", "part-2-2", "part-10-1"]


def test_the_shipped_corpus_is_read_by_its_name() -> None:
    """36 documents of three genres with gold keyphrases."""
    documents, skipped = parted(Jsonl(resource="corpora/demo"))
    assert len(documents) == 36 and skipped == []
    assert all(d.gold and d.metadata["title_length"] > 0 for d in documents)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"text": "a"', "is not JSON (Expecting ',' delimiter at character 13)"),
        ("[1]", "is not a JSON object"),
        ('{"id": "x"}', "has no 'text', no 'document' and no 'title' or 'abstract'"),
        ('{"text": 1}', "'text' is neither a string nor a list of tokens"),
        ('{"document": [1]}', "'document' is neither a string nor a list of tokens"),
        ('{"text": "", "id": true}', "'id' is neither a string nor a whole number"),
        ('{"text": "", "gold": "a"}', "'gold' is not a list"),
        ('{"text": "", "gold": [1]}', "'gold' holds something that is no phrase"),
        ('{"text": "", "gold": [{"source": "author"}]}', "'gold' holds something that is no phrase"),
        (
            '{"text": "", "gold": [{"variants": ["a"], "source": 1}]}',
            "'gold' has a source that is not a string",
        ),
        ('{"text": "", "keywords": [{}]}', "'keywords' holds something that is no phrase"),
        ('{"text": "", "metadata": []}', "'metadata' is not an object"),
        (
            '{"text": "", "metadata": {"title_length": 1}}',
            "'title_length' is 1, not a number of characters of the text",
        ),
        (
            '{"text": "", "language": "Klingon"}',
            "'language' is 'Klingon', not the code or English name of a language",
        ),
        ('{"text": "", "metadata": {"x": NaN}}', "NaN is not JSON"),
        (r'{"text": "\ud800"}', "has half of a surrogate pair"),
        ("[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_malformed_line_is_skipped_with_its_place(tmp_path: Path, line: str, reason: str) -> None:
    """The lines around it are read."""
    path = written(tmp_path / "c.jsonl", f'{{"text":"a"}}\n{line}\n{{"text":"b"}}\n')
    documents, (skipped,) = parted(Jsonl(path=path))
    assert [d.text for d in documents] == ["a", "b"]
    assert (skipped.place, skipped.reason) == (f"{path}:2", reason)


def test_a_second_document_with_an_id_is_skipped_across_files(tmp_path: Path) -> None:
    """Both places are told."""
    path = folder_with(tmp_path, {"a.jsonl": '{"id":"x","text":"1"}', "b.jsonl": '{"id":"x","text":"2"}'})
    documents, (skipped,) = parted(Jsonl(path=path))
    assert [d.text for d in documents] == ["1"]
    assert (skipped.place, skipped.reason) == (
        f"{path}/b.jsonl:1",
        f"the id 'x' is already that of {path}/a.jsonl:1",
    )


@pytest.mark.parametrize("prefix", [b"", b'{"text":"' + "é".encode() * 700_000 + b'"}\n'])
def test_a_byte_that_is_not_utf8_is_told_with_its_offset(tmp_path: Path, prefix: bytes) -> None:
    """Counted from the beginning of the file, however far."""
    path = written(tmp_path / "c.jsonl", prefix + b'{"text":"caf\xe9"}\n')
    with pytest.raises(DataError) as caught:
        list(Jsonl(path=path).read())
    offset = f"{len(prefix) + 12:,}"
    assert str(caught.value) == (
        f"{path}: byte {offset} is not utf-8; "
        "set `encoding` to the one that the file has (often cp1252 or latin-1), or save it as UTF-8"
    )
    assert [d.text[-4:] for d in parted(Jsonl(path=path, encoding="latin-1"))[0]][-1] == "café"


@pytest.mark.parametrize(
    "content",
    [gzip.compress(b'{"text":"a"}\n' * 999)[:-9], b"\x1f\x8b\x08\x00"],
    ids=["cut off", "a head alone"],
)
def test_broken_compression_is_an_error(tmp_path: Path, content: bytes) -> None:
    """Never half a corpus in silence."""
    with pytest.raises(DataError, match="is cut off or damaged"):
        list(Jsonl(path=written(tmp_path / "c.jsonl.gz", content)).read())


@pytest.mark.parametrize("parameters", [{}, {"path": "a", "resource": "corpora/demo"}])
def test_exactly_one_of_path_and_resource_is_given(parameters: dict[str, str]) -> None:
    """Both or neither is refused."""
    with pytest.raises(ValidationError, match="give either path or resource"):
        Jsonl.model_validate(parameters)


def test_a_folder_without_jsonl_is_an_error(tmp_path: Path) -> None:
    """A wrong path is told as such."""
    with pytest.raises(DataError, match=r"holds no \.jsonl file"):
        list(Jsonl(path=folder_with(tmp_path, {"a.json": "{}"})).read())
