"""Documents laid down in order, and parted for training and evaluation."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe import DataError, Document, Gold
from kpframe.engine.spool import Spool, read_documents
from kpframe.errors import SpecError
from kpframe.model import Annotations, Skipped
from kpframe.model.natural_order import natural_key
from kpframe.spec import Split


def spool(folder: Path, documents: list[Any], limit: int | None = None, **split: Any) -> Spool:
    return Spool.write(folder / "s.jsonl", documents, split=Split(**split) if split else None, limit=limit)


def numbered(count: int, **fields: Any) -> list[Document]:
    return [Document(f"d{i}", f"text {i}", **fields) for i in range(count)]


def test_ids_are_in_natural_order() -> None:
    """Numbers by their value, the rest by code points; equal numbers by their writing."""
    names = [
        "d10",
        "d2",
        "d02",
        "d",
        "D3",
        "",
        "d2b",
        "d2a10",
        "d2a9",
        "10",
        "9",
        "é1",
        "a-1",
        "d1.10",
        "d1.9",
    ]
    assert sorted(names, key=natural_key) == [
        "", "9", "10", "D3", "a-1", "d", "d1.9", "d1.10", "d02", "d2", "d2a9", "d2a10", "d2b", "d10", "é1",
    ]  # fmt: skip


def test_a_number_of_any_length_has_its_place() -> None:
    """Python converts no number of more than 4300 digits."""
    long, longer = "1" + "0" * 5000, "9" * 6000
    assert sorted([longer, "7", long], key=natural_key) == ["7", long, longer]


@given(st.lists(st.text(alphabet="aB01²٣9.\udc80 é", max_size=6), unique=True, max_size=8), st.randoms())
@pytest.mark.slow
def test_the_natural_order_is_total(names: list[str], chance: random.Random) -> None:
    """Any order of the same ids is sorted alike; no two ids are equal."""
    ordered = sorted(names, key=natural_key)
    chance.shuffle(names)
    assert sorted(names, key=natural_key) == ordered
    assert len({natural_key(name) for name in names}) == len(names)


def test_documents_come_back_as_they_were(tmp_path: Path) -> None:
    """Gold, language, metadata and annotations too."""
    tokens = np.array([0], dtype=np.int32)
    annotations = Annotations("ü", tokens, tokens + 1, tokens, ("ü",), np.array([[0, 1]], dtype=np.int32))
    documents = [
        Document(
            "b", "ü", "de", (Gold(("x", "y"), "author"),), {"split": "dev", "n": [1, None]}, annotations
        ),
        Document("a", "\ud800 \0 \u2028\n", gold=(Gold(("z",)),)),
    ]
    made = spool(tmp_path, documents)
    second, first = read_documents(made.path, made.entries)
    assert second == documents[1]
    assert (first.id, first.text, first.language, first.gold) == ("b", "ü", "de", documents[0].gold)
    assert first.metadata == documents[0].metadata
    assert first.annotations is not None
    assert first.annotations.strings(first.annotations.words) == ["ü"]


@pytest.mark.slow
def test_two_thirds_of_two_thousand_are_1333(tmp_path: Path) -> None:
    """The share is exact but for rounding, not about right as with a threshold on a hash."""
    made = spool(tmp_path, numbered(2000), train="2/3")
    assert (len(made.part("train")), len(made.part("test"))) == (1333, 667)
    assert len(made.part("train", "test")) == 2000


@pytest.mark.parametrize(
    ("count", "share", "train"), [(3, "2/3", 2), (10, "0.5", 5), (10, 0.25, 2), (1, "1/3", 0), (7, "1/7", 1)]
)
def test_shares_are_rounded(tmp_path: Path, count: int, share: str | float, train: int) -> None:
    """To the nearest whole number, halves to the even one."""
    assert len(spool(tmp_path, numbered(count), train=share).part("train")) == train


def test_the_split_depends_on_ids_and_seed_alone(tmp_path: Path) -> None:
    """Neither on the order of the documents nor on their texts."""
    documents = numbered(50)
    made = spool(tmp_path, documents, train="1/2", seed=5)
    parts = {entry.id: entry.part for entry in made.entries}
    others = [Document(document.id, "other text") for document in documents]
    random.Random(1).shuffle(others)
    again = spool(tmp_path, others, train="1/2", seed=5)
    assert {entry.id: entry.part for entry in again.entries} == parts
    assert [entry.id for entry in again.entries] == [entry.id for entry in made.entries]
    other = spool(tmp_path, documents, train="1/2", seed=6)
    assert {entry.id: entry.part for entry in other.entries} != parts


def test_the_hash_of_the_data_ignores_the_order_and_nothing_else(tmp_path: Path) -> None:
    """Text, gold, metadata, language, id and part count."""
    documents = numbered(4, gold=(Gold(("a",)),))
    first = documents[0]
    base = spool(tmp_path, documents).data_hash
    assert spool(tmp_path, documents[::-1]).data_hash == base
    changed = [
        Document("d0", "text 0!", gold=first.gold),
        Document("d0", "text 0", gold=(Gold(("b",)),)),
        Document("d0", "text 0", gold=(Gold(("a",), "author"),)),
        Document("d0", "text 0", gold=first.gold, metadata={"x": 1}),
        Document("d0", "text 0", "de", gold=first.gold),
        Document("e0", "text 0", gold=first.gold),
    ]
    hashes = {spool(tmp_path, [document, *documents[1:]]).data_hash for document in changed}
    assert len(hashes | {base, spool(tmp_path, documents, train="1/2").data_hash}) == 8


def test_the_corpus_can_split_itself(tmp_path: Path) -> None:
    """By names of parts; parts that are not named are neither."""
    documents = [Document(part, "x", metadata={"split": part}) for part in ("train", "dev", "test")]
    found = {
        e.id: e.part for e in spool(tmp_path, documents, by="metadata", train="train", test="test").entries
    }
    assert found == {"train": "train", "dev": "", "test": "test"}
    found = {e.id: e.part for e in spool(tmp_path, documents, by="metadata", train=["train", "dev"]).entries}
    assert found == {"train": "train", "dev": "train", "test": "test"}


def test_a_split_that_leaves_nothing_is_told(tmp_path: Path) -> None:
    """With the parts that there are."""
    documents = [Document("a", "x", metadata={"split": "Train"}), Document("b", "x")]
    with pytest.raises(DataError) as error:
        spool(tmp_path, documents, by="metadata", train="train")
    assert str(error.value) == (
        "split: the corpus's own parts ((none), Train) leave nothing to train on or to evaluate; "
        "name its parts in split.train and split.test"
    )


@pytest.mark.parametrize("share", ["0", "1", "3/2", "-1/3", "two thirds", "1/0", "", 0, 1.5])
def test_a_share_that_is_none_is_refused(share: Any) -> None:
    """Before any document is read."""
    with pytest.raises(SpecError, match="train must"):
        Split(train=share)


def test_a_development_split_leaves_the_test_part_untouched(tmp_path: Path) -> None:
    """The training part is split again; what is evaluated otherwise is in neither part."""
    documents = numbered(90)
    whole = {e.id: e.part for e in spool(tmp_path, documents, train="2/3").entries}
    inner = {e.id: e.part for e in spool(tmp_path, documents, train="2/3", development=True).entries}
    assert sorted(inner.values()).count("train") == 40
    assert {id for id, part in inner.items() if not part} == {
        id for id, part in whole.items() if part == "test"
    }


def test_a_limit_counts_documents(tmp_path: Path) -> None:
    """Not what was skipped between them."""
    stream = [Skipped("x:1", "bad"), *numbered(2), Skipped("x:4", "bad"), *numbered(5)[2:]]
    made = spool(tmp_path, stream, limit=3)
    assert [entry.id for entry in made.entries] == ["d0", "d1", "d2"]
    assert [skipped.place for skipped in made.skipped] == ["x:1", "x:4"]
