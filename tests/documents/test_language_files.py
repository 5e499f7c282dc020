"""The language that a corpus says in a file beside its texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from kpframe.documents.files import Files
from kpframe.documents.text import Text
from kpframe.documents.text_and_keys import TextAndKeys
from kpframe.errors import DataError
from kpframe.model import Document
from kpframe.stages import Reader


def files(folder: Path, **contents: str) -> Path:
    """Files by name; two underscores part folders, a single one stands for the dot."""
    for name, content in contents.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def languages(reader: Reader) -> dict[str, str]:
    """By id the language of each document."""
    return {found.id: found.language for found in reader.read() if isinstance(found, Document)}


@pytest.mark.parametrize("content", ["portuguese\n", "pt-PT", "por"])
@pytest.mark.parametrize("name", ["language_txt", "lan_txt"])
def test_a_file_beside_the_texts_says_their_language(tmp_path: Path, name: str, content: str) -> None:
    """By a code or an English name; it is no text itself, and the spec goes before it."""
    files(tmp_path, docsutf8__a_txt="Um", keys__a_key="um", **{name: content})
    assert languages(TextAndKeys(path=str(tmp_path))) == {"a": "pt"}
    assert languages(TextAndKeys(path=str(tmp_path), language="German")) == {"a": "de"}


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    """In a folder of folders each may say its own."""
    files(tmp_path, language_txt="en", a__x_txt="x", b__language_txt="fr", b__y_txt="y", b__c__z_txt="z")
    assert languages(Text(path=str(tmp_path))) == {"a/x": "en", "b/y": "fr", "b/c/z": "fr"}


@pytest.mark.parametrize(
    ("content", "code"), [("be", "be"), ("kaz", "kk"), ("auto\n", "auto"), ("\n", "auto")]
)
@pytest.mark.parametrize("kind", ["text", "text_and_keys", "files", "several files"])
def test_what_it_says_is_no_document(tmp_path: Path, kind: str, content: str, code: str) -> None:
    """Nor where it says nothing, or that each text is to show its own."""
    files(tmp_path, language_txt=content, a_txt="x", a_key="x")
    readers: dict[str, Reader] = {
        "text": Text(path=str(tmp_path)),
        "text_and_keys": TextAndKeys(path=str(tmp_path)),
        "files": Files(path=(str(tmp_path),)),
        "several files": Files(path=(str(tmp_path / "a.txt"), str(tmp_path / "language.txt"))),
    }
    assert list(languages(readers[kind]).values()) == [code]


def test_auto_in_a_folder_stands_against_what_is_said_above(tmp_path: Path) -> None:
    """The nearest counts, also where it says nothing."""
    files(tmp_path, language_txt="de", a_txt="x", b__language_txt="auto", b__y_txt="y")
    assert languages(Text(path=str(tmp_path))) == {"a": "de", "b/y": "auto"}


@pytest.mark.parametrize("content", ["klingon", "xx", "qqq\n", "Old Klingon"])
def test_a_word_that_is_no_language_is_an_error(tmp_path: Path, content: str) -> None:
    """All texts beside it would be in another language than was meant; what the spec says goes before it."""
    files(tmp_path, language_txt=content, a_txt="x", a_key="x")
    several = (str(tmp_path / "a.txt"), str(tmp_path / "language.txt"))
    for reader in (Text(path=str(tmp_path)), TextAndKeys(path=str(tmp_path)), Files(path=several)):
        with pytest.raises(DataError, match=r"language\.txt: .* is no language that is known"):
            languages(reader)
    assert languages(TextAndKeys(path=str(tmp_path), language="de")) == {"a": "de"}


def test_a_text_about_language_is_a_text(tmp_path: Path) -> None:
    """What names no language is not taken for the name of one."""
    files(tmp_path, language_txt="Language is what people speak.", a_txt="x")
    assert languages(Text(path=str(tmp_path))) == {"a": "auto", "language": "auto"}
