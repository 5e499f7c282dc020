"""Texts beside reference JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_files import folder_with, parted, written

from kpframe.documents.ake_json import AkeJson
from kpframe.errors import DataError

TOKEN = (
    "<token><word>{0}</word><lemma>{0}</lemma><CharacterOffsetBegin>0</CharacterOffsetBegin>"
    "<CharacterOffsetEnd>{1}</CharacterOffsetEnd><POS>NN</POS></token>"
)


def core(word: str) -> str:
    """A CoreNLP file with one token."""
    token = TOKEN.format(word, len(word))
    return f"<root><document><sentences><sentence>{token}</sentence></sentences></document></root>"


def test_variants_are_read_and_ids_of_one_side_only_are_skipped(tmp_path: Path) -> None:
    """A gold keyphrase has all its forms; neither an orphan text nor an orphan reference is lost."""
    texts = folder_with(tmp_path / "texts", {"d/C-10.txt": "ten", "d/C-2.txt": "two", "lan.txt": "en"})
    references = written(tmp_path / "r.json", '{"C-2": [["a b", "b a"], ["c"]], "C-10": [], "C-3": [["x"]]}')
    documents, skipped = parted(AkeJson(texts=texts, references=references))
    assert [(d.id, [g.variants for g in d.gold]) for d in documents] == [
        ("C-2", [("a b", "b a"), ("c",)]),
        ("C-10", []),
    ]
    assert [(s.place, s.reason) for s in skipped] == [
        (f"{texts}/lan.txt", f"{references} has no id 'lan'"),
        (f"{references} (id 'C-3')", "there is no text"),
    ]


def test_corenlp_texts_bring_their_annotations(tmp_path: Path) -> None:
    """XML is recognised by the names of the files, and the layers are announced."""
    texts = folder_with(tmp_path / "texts", {"1.xml": core("grids"), "note.txt": "not a document"})
    reader = AkeJson(texts=texts, references=written(tmp_path / "r.json", '{"1": [["grids"]]}'))
    (document,), skipped = parted(reader)
    assert document.text == "grids" and document.annotations is not None
    assert reader.provides() == document.annotations.layers
    assert skipped == []


def test_the_format_can_be_set(tmp_path: Path) -> None:
    """Where both kinds of files are there, the parameter decides."""
    texts = folder_with(tmp_path / "texts", {"1.xml": core("grids"), "1.txt": "plain"})
    reader = AkeJson(texts=texts, references=written(tmp_path / "r.json", '{"1": []}'), format="txt")
    (document,), _ = parted(reader)
    assert (document.text, reader.provides()) == ("plain", frozenset())


def test_provides_nothing_where_the_texts_are_missing(tmp_path: Path) -> None:
    """The missing path is told by problems(), not by a crash."""
    assert AkeJson(texts=str(tmp_path / "no"), references="r.json").provides() == frozenset()


def test_malformed_and_repeated_entries_are_skipped(tmp_path: Path) -> None:
    """The rest of the file is used; plain strings are phrases of one form; blank forms are dropped."""
    texts = folder_with(tmp_path / "t", {f"{i}.txt": "" for i in "1234"})
    references = written(
        tmp_path / "r.json",
        '{"1": ["a", [" ", "b "], [""]], "2": {"x": []}, "3": [[1]], "1": [["c"]], "4": [null]}',
    )
    documents, skipped = parted(AkeJson(texts=texts, references=references))
    assert [(d.id, [g.variants for g in d.gold]) for d in documents] == [("1", [("a",), ("b",)])]
    reasons = {s.place: s.reason for s in skipped if s.place.startswith(references)}
    assert reasons == {
        f"{references} (id '1')": "the file has this id twice; the first one counts",
        f"{references} (id '2')": "is no list of lists of variants",
        f"{references} (id '3')": "is no list of lists of variants",
        f"{references} (id '4')": "is no list of lists of variants",
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{\n oops", ":2: is not JSON (Expecting property name enclosed in double quotes)"),
        ("[]", ": is not a JSON object"),
        ("[" * 100_000, ": is not JSON that can be used"),
        (r'{"\ud800": []}', ": is not JSON that can be used"),
    ],
)
def test_a_file_that_is_no_reference_file_is_an_error(tmp_path: Path, content: str, problem: str) -> None:
    """Told with its line and what is expected."""
    references = written(tmp_path / "r.json", content)
    with pytest.raises(DataError) as caught:
        list(AkeJson(texts=folder_with(tmp_path / "t", {"1.txt": ""}), references=references).read())
    assert str(caught.value).startswith(references + problem)
    assert str(caught.value).endswith("give a file with {id: [[variant, …], …]}")


def test_a_folder_without_texts_is_an_error(tmp_path: Path) -> None:
    """Told with the suffix that was looked for."""
    references = written(tmp_path / "r.json", "{}")
    with pytest.raises(DataError, match=r"holds no \.txt file"):
        list(AkeJson(texts=folder_with(tmp_path / "t", {"a.pdf": ""}), references=references).read())
