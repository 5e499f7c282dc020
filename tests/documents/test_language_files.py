"""The language that a corpus says in a file beside its texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from kpframe.documents.text import Text
from kpframe.documents.text_and_keys import TextAndKeys
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


def test_a_text_about_language_is_a_text(tmp_path: Path) -> None:
    """What names no language is not taken for the name of one."""
    files(tmp_path, language_txt="Language is what people speak.", a_txt="x")
    assert languages(Text(path=str(tmp_path))) == {"a": "auto", "language": "auto"}
