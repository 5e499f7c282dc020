"""Tables that no name says to be some: standard input, pipes, files without an ending."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest
from corpus_files import parted

from kpframe.documents.files import Files
from kpframe.errors import DataError
from kpframe.files.tables.nameless import columns_of_table

TABLES = {
    "csv": b'id,body\na,"red, and\ngreen"\nb,blue\n',
    "tsv": b"id\tbody\na\tred, and\\ngreen\nb\tblue\n",
    "semicolons": b"\xef\xbb\xbfid;stars;body\na;5;red\nb;1;blue",
    "blanks": b"id, Body \na, red\nb, blue\n",
    "an index": b",id,text\n0,a,red\n1,b,blue\n",
    "a ragged row": b"id,body\na,red\nb,blue\nc,too,many\n",
    "a long text": b'id,body\na,"' + b"red " * 30_000 + b'"\nb,blue\n',
    "packed": gzip.compress(b"id,body\na,red\nb,blue\n"),
}
PROSE = (
    "id, text\n",
    "id,text and more\n",
    "abstract,body\n",
    "red",
    "",
    "Graphs, texts and trees.\nThey are read, and ranked.\n",
    "Hello, world\nGoodbye, world\nAgain, world\n",
    "text,graph\n",
    "A first line, then\nanother one, then\na third one, then\n",
    "Abstract. We rank, and we score.\nWe rank, and we score.\n",
    "a|b\n",
    "Dear all,\nbest wishes,\nAnn,\n",
)


def given(content: bytes, monkeypatch: pytest.MonkeyPatch) -> Files:
    """As standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return Files(path=("-",))


@pytest.mark.parametrize("content", TABLES.values(), ids=TABLES)
def test_standard_input_is_seen_to_be_a_table(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows are documents, as those of a file are."""
    documents, _ = parted(given(content, monkeypatch))
    assert [d.id for d in documents] == ["a", "b"]
    assert documents[0].text.strip().startswith("red") and documents[1].text.strip() == "blue"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("header", ["id,text", "ID\tAbstract", "id;title;body", "text,keyphrases,doc_id"])
def test_a_header_of_known_names_needs_no_rows(
    header: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no prose that has keyphrases; one row is enough, and need not fit."""
    for end in ("", "\n"):
        assert parted(given(f"{mark}{header}{end}".encode(), monkeypatch)) == ([], [])
    documents, skipped = parted(given(b"id,text\n1,red, green\n", monkeypatch))
    assert not documents and len(skipped) == 1


def test_so_are_a_pipe_and_a_file_without_an_ending(tmp_path: Path) -> None:
    """The shell's `<(command)` has no ending either."""
    (tmp_path / "table").write_bytes(TABLES["csv"])
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = threading.Thread(target=pipe.write_bytes, args=(TABLES["csv"],))
    writing.start()
    for path in (tmp_path / "table", pipe):
        assert [d.id for d in parted(Files(path=(str(path),)))[0]] == ["a", "b"]
    writing.join()


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_prose(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever commas it has."""
    assert not columns_of_table(text, whole=True) and not columns_of_table(text, whole=False)
    documents, _ = parted(given(text.encode(), monkeypatch))
    assert [d.text for d in documents] == [text]


def test_a_name_that_says_that_it_is_text_is_believed(tmp_path: Path) -> None:
    """And so is whoever asks for lines."""
    for name, unit in (("a.txt", "document"), ("a", "line")):
        (tmp_path / name).write_bytes(TABLES["csv"])
        documents, _ = parted(Files.model_validate({"path": str(tmp_path / name), "unit": unit}))
        assert documents[0].text.startswith("id,body")


def test_a_table_without_a_column_of_texts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be read as prose, and nobody would know."""
    with pytest.raises(DataError) as caught:
        parted(given(b"nr;comment\n1;red\n2;green\n", monkeypatch))
    assert str(caught.value) == (
        "standard input: looks like a table, and has no column 'text'; "
        "name the column with the texts by `text` ('nr', 'comment'), or give it as .txt if it is no table"
    )
