"""The reader of Inspec: packed and unpacked, broken lines, parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_files import folder_with, parted, phrases, tarred, written, zipped

from kpframe.documents.hulth2003 import Hulth2003
from kpframe.errors import DataError
from kpframe.model import Gold

ABSTRACT = "A long\n\ttitle of two lines\r\nThe abstract begins here and is\n\tcontinued here\r\n"
TERMS = "first term; second\n\tterm; \n\t;\r\n"


def part(name: str) -> dict[str, bytes | str]:
    """One document of a part, with both kinds of terms."""
    return {f"{name}.abstr": ABSTRACT, f"{name}.uncontr": TERMS, f"{name}.contr": "thesaurus entry\r\n"}


def corpus() -> bytes:
    """The corpus as it is distributed, with the parts in the order of the original archive."""
    parts = {"Test": "3", "Training": "10", "Validation": "2"}
    return tarred({f"Hulth2003/{name}.zip": zipped(part(id)) for name, id in parts.items()})


def test_broken_lines_are_joined_and_the_title_is_a_paragraph_of_its_own(tmp_path: Path) -> None:
    """Indented lines continue the title as they continue the abstract; the blank line ends the title."""
    documents, skipped = parted(Hulth2003(path=folder_with(tmp_path, part("7"))))
    assert [(d.id, d.text, d.language) for d in documents] == [
        ("7", "A long title of two lines\n\nThe abstract begins here and is continued here", "en")
    ]
    assert documents[0].metadata == {"title_length": len("A long title of two lines")}
    assert skipped == []


def test_terms_broken_over_lines_are_whole_and_empty_ones_left_out(tmp_path: Path) -> None:
    """Terms part at semicolons; the line break within one becomes a space."""
    (document,), _ = parted(Hulth2003(path=folder_with(tmp_path, part("7"))))
    assert document.gold == (Gold(("first term",), "uncontrolled"), Gold(("second term",), "uncontrolled"))


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ("uncontrolled", ["first term", "second term"]),
        ("controlled", ["thesaurus entry"]),
        ("both", ["first term", "second term", "thesaurus entry"]),
    ],
)
def test_either_kind_of_terms_or_both_are_the_gold(tmp_path: Path, gold: str, expected: list[str]) -> None:
    """The sources tell the kinds apart."""
    (document,), _ = parted(
        Hulth2003.model_validate({"path": folder_with(tmp_path, part("7")), "gold": gold})
    )
    assert phrases(document) == expected
    assert {g.source for g in document.gold} == ({"uncontrolled", "controlled"} if gold == "both" else {gold})


def test_the_three_parts_come_in_their_order_out_of_the_nested_zips(tmp_path: Path) -> None:
    """Training, validation, test, whatever the order in the archive."""
    documents, _ = parted(Hulth2003(path=written(tmp_path / "Hulth2003.tar.gz", corpus())))
    assert [(d.id, d.metadata["split"]) for d in documents] == [
        ("10", "training"),
        ("2", "validation"),
        ("3", "test"),
    ]


def test_one_part_can_be_read_alone(tmp_path: Path) -> None:
    """`split` leaves the others unread."""
    path = written(tmp_path / "Hulth2003.tar.gz", corpus())
    documents, skipped = parted(Hulth2003(path=path, split="validation"))
    assert [d.id for d in documents] == ["2"]
    assert skipped == []


@pytest.mark.parametrize(
    "files",
    [
        {"Training.zip": zipped(part("1")), "Test.zip": zipped(part("2"))},
        {f"{folder}/{n}": c for folder, i in (("Training", "1"), ("test", "2")) for n, c in part(i).items()},
        {f"x/{folder}/{n}": c for folder, i in (("train", "1"), ("Test", "2")) for n, c in part(i).items()},
    ],
    ids=["zips", "folders", "deeper"],
)
def test_an_unpacked_corpus_reads_the_same(tmp_path: Path, files: dict[str, bytes | str]) -> None:
    """A folder of zips and folders of parts tell the split by their names."""
    documents, skipped = parted(Hulth2003(path=folder_with(tmp_path / "corpus", files)))
    assert [(d.id, d.metadata["split"]) for d in documents] == [("1", "training"), ("2", "test")]
    assert skipped == []


def test_a_single_zip_tells_its_part_by_its_own_name(tmp_path: Path) -> None:
    """Test.zip alone is the test part."""
    (document,), _ = parted(Hulth2003(path=written(tmp_path / "Test.zip", zipped(part("1")))))
    assert document.metadata["split"] == "test"


def test_ids_are_in_natural_order(tmp_path: Path) -> None:
    """2 before 10."""
    files = {name: content for i in ("10", "2", "1") for name, content in part(i).items()}
    documents, _ = parted(Hulth2003(path=folder_with(tmp_path, files)))
    assert [d.id for d in documents] == ["1", "2", "10"]


def test_an_id_in_two_parts_is_read_once_and_both_places_are_told(tmp_path: Path) -> None:
    """The second one is skipped."""
    files = {"Training.zip": zipped(part("1")), "Test.zip": zipped(part("1"))}
    documents, (skipped,) = parted(Hulth2003(path=folder_with(tmp_path, files)))
    assert [d.metadata["split"] for d in documents] == ["training"]
    assert skipped.place == f"{tmp_path}/Test.zip/1.abstr"
    assert skipped.reason == f"the id '1' is already that of {tmp_path}/Training.zip/1.abstr"


def test_missing_halves_are_told(tmp_path: Path) -> None:
    """An abstract without terms is a document without gold, terms without an abstract are skipped."""
    documents, skipped = parted(
        Hulth2003(path=folder_with(tmp_path, {"1.abstr": ABSTRACT, "2.uncontr": TERMS, "3.abstr": ""}))
    )
    assert [(d.id, d.gold) for d in documents] == [("1", ()), ("3", ())]
    assert documents[1].text == "" and documents[1].metadata == {"title_length": 0}
    assert [(s.place, s.reason) for s in skipped] == [
        (f"{tmp_path}/2.uncontr", "there is no abstract for these terms")
    ]


def test_a_part_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """Flat files have no parts, so asking for one is a mistake."""
    with pytest.raises(DataError) as caught:
        list(Hulth2003(path=folder_with(tmp_path, part("1")), split="test").read())
    assert str(caught.value) == (
        f"{tmp_path}: holds no part 'test' with .abstr files; give Hulth2003.tar.gz or what is in it"
    )
