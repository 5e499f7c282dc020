"""Gold and predictions with nothing to be seen are what empty ones are: left out, or refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kpframe import score
from kpframe.documents.csv import Csv
from kpframe.documents.indexers import Indexers
from kpframe.documents.jsonl import Jsonl
from kpframe.documents.text_and_keys import TextAndKeys
from kpframe.errors import DataError
from kpframe.evaluation.predictions import read_gold, read_predictions
from kpframe.model import Document, Gold
from kpframe.model.blank import is_blank

UNSEEN = ("\u200b", "\ufeff", "\u200f\u202b", "\u00ad", "\u3164", " \u2067 ", "\u200d")


@pytest.mark.parametrize("unseen", UNSEEN)
def test_readers_leave_it_out(unseen: str, tmp_path: Path) -> None:
    """As an empty phrase: of key files, tables, JSON lines, indexers; among variants too."""
    (tmp_path / "pairs").mkdir()
    (tmp_path / "pairs" / "d.txt").write_text("Red kites fly.", encoding="utf-8")
    (tmp_path / "pairs" / "d.key").write_text(f"red kites\n{unseen}\n", encoding="utf-8")
    (tmp_path / "d.csv").write_text(f'id,text,gold\nd,Red kites,"red kites;{unseen}"\n', encoding="utf-8")
    record = {"id": "d", "text": "Red kites", "gold": [["red kites", unseen], [unseen]], "keywords": [unseen]}
    (tmp_path / "d.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    for indexer in ("a", "b"):
        (tmp_path / "indexed" / "indexers" / indexer).mkdir(parents=True)
        key = tmp_path / "indexed" / "indexers" / indexer / "d.key"
        key.write_text(f"red kites\n{unseen}\n", encoding="utf-8")
    (tmp_path / "indexed" / "documents").mkdir()
    (tmp_path / "indexed" / "documents" / "d.txt").write_text("Red kites fly.", encoding="utf-8")
    for reader in (
        TextAndKeys(path=str(tmp_path / "pairs")),
        Csv(path=str(tmp_path / "d.csv"), gold="gold"),
        Jsonl(path=str(tmp_path / "d.jsonl")),
        Indexers(path=str(tmp_path / "indexed")),
    ):
        assert [_gold(one) for one in reader.read()] == [[("red kites",)]], reader.kind


def _gold(document: object) -> list[tuple[str, ...]]:
    assert isinstance(document, Document)
    return [gold.variants for gold in document.gold]


def _lines(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("unseen", UNSEEN)
def test_it_is_refused_where_an_empty_phrase_is(unseen: str, tmp_path: Path) -> None:
    """In JSON of gold and predictions, and from Python."""

    def refused() -> Iterator[object]:
        predicted = _lines(tmp_path / "p.jsonl", {"id": "d", "predicted": ["red kites", unseen]})
        gold = _lines(tmp_path / "g.jsonl", {"id": "d", "gold": [["red kites", unseen]]})
        yield lambda: list(read_predictions(predicted))
        yield lambda: list(read_gold(gold))
        yield lambda: Gold((unseen,))
        yield lambda: score(predictions={"d": ["red kites", unseen]}, gold={"d": ["red kites"]})
        yield lambda: score(predictions={"d": ["red kites"]}, gold={"d": [unseen]})

    for call in refused():
        with pytest.raises(DataError, match="empty"):
            call()  # type: ignore[operator]


@pytest.mark.parametrize("unseen", UNSEEN)
def test_strings_and_lines_of_phrases_leave_it_out(unseen: str, tmp_path: Path) -> None:
    """Between `;` and between `<sep>`."""
    row = _lines(tmp_path / "p.jsonl", {"id": "d", "predicted": f"red kites;{unseen}"})
    (tmp_path / "p.pred").write_text(f"red kites <sep> {unseen}\n", encoding="utf-8")
    for path in (row, tmp_path / "p.pred"):
        assert [found.phrases for found in read_predictions(path)] == [("red kites",)]


def test_what_can_be_seen_is_not_blank() -> None:
    """Also with marks around it."""
    assert not any(map(is_blank, ("a", "\u200fא", "-", "\u200b.", "😀")))
    assert is_blank("") and is_blank(" \t")
