"""Pipes under the name of a file, as `<(command)` of a shell: they can be read once, from the beginning."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from kpframe.documents.files import Files
from kpframe.evaluation._phrase_files import document_rows
from kpframe.files.urls import exists, is_file, opened
from kpframe.model import Document

LINE = '{"id": "a", "text": "Wind energy is green."}\n'


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    """A pipe into which a line of JSON is written as soon as somebody reads."""
    path = tmp_path / "63"
    os.mkfifo(path)
    threading.Thread(target=lambda: path.write_text(LINE, encoding="utf-8"), daemon=True).start()
    return str(path)


def test_a_pipe_is_asked_what_it_is_and_then_read(pipe: str) -> None:
    """What it holds is kept for whoever opens it next."""
    assert is_file(pipe) and exists(pipe)
    assert list(Files(path=(pipe,)).problems(())) == []
    (document,) = Files(path=(pipe,)).read()
    assert isinstance(document, Document)
    assert (document.id, document.text) == ("a", "Wind energy is green.")
    with opened(pipe) as stream:
        assert stream.read(5) == LINE[:5].encode()


def test_predictions_may_come_out_of_a_pipe(pipe: str) -> None:
    """Asked whether they are a table, and read as lines."""
    assert [(name, row["text"]) for _, name, row in document_rows(pipe)] == [("a", "Wind energy is green.")]
