"""Texts with the terms of several indexers."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_files import folder_with, parted, tarred, written, zipped

from kpframe.documents.indexers import Indexers
from kpframe.errors import DataError

FILES = {
    "c/README": "about",
    "c/documents/d10.txt": "ten",
    "c/documents/d2.txt": "two",
    "c/indexers/ann/d2.key": "soil\r\n\r\nWater  quality\n",
    "c/indexers/bob/d2.key": "water quality\nforests\nforests\n",
    "c/indexers/bob/d3.key": "lost\n",
}


@pytest.mark.parametrize("packing", ["folder", "zip", "tar"])
def test_a_term_of_two_indexers_is_one_keyphrase(tmp_path: Path, packing: str) -> None:
    """Its source names both; case and white space make no other term, nor does a term given twice."""
    if packing == "folder":
        path = folder_with(tmp_path / "c", FILES)
    else:
        path = written(tmp_path / f"c.{packing}", (zipped if packing == "zip" else tarred)(FILES))
    documents, skipped = parted(Indexers(path=path))
    assert [(d.id, d.text, [(g.text, g.source) for g in d.gold]) for d in documents] == [
        ("d2", "two", [("soil", "ann"), ("Water quality", "ann+bob"), ("forests", "bob")]),
        ("d10", "ten", []),
    ]
    assert [(s.place, s.reason) for s in skipped] == [
        (f"{path}/c/indexers/bob/d3.key", "there is no text for these keys")
    ]


def test_one_indexer_or_what_several_agree_on(tmp_path: Path) -> None:
    """An unknown indexer is told with those that there are, as is a folder without texts."""
    path = folder_with(tmp_path / "c", FILES)
    (first, _), _ = parted(Indexers(path=path, indexer="bob"))
    assert [gold.text for gold in first.gold] == ["Water quality", "forests"]
    (first, _), _ = parted(Indexers(path=path, agreed=2))
    assert [gold.text for gold in first.gold] == ["Water quality"]
    with pytest.raises(DataError, match="has no indexer 'eve'; there are: ann, bob"):
        parted(Indexers(path=path, indexer="eve"))
    with pytest.raises(
        DataError, match=r"holds no texts/\*\.txt; name that folder by the parameter documents"
    ):
        parted(Indexers(path=path, documents="texts"))
