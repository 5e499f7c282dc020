"""Texts with a .key file each: the layout of Kea, Nguyen2007, SemEval2010 and many more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._language_files import LanguageFiles
from kpframe.documents._parameters import Encoding, Language, Separator
from kpframe.documents._passed_over import attempted, passed_over
from kpframe.documents._phrases import gold_keyphrases, split_phrases
from kpframe.files.archives import open_container, path_problems
from kpframe.files.container import Container, Member
from kpframe.files.decoding import decode
from kpframe.files.layout import without_texts
from kpframe.model import Document, Gold, Skipped
from kpframe.stages import Reader

__all__ = ["TextAndKeys"]

_TEXTS, _KEYS = "docsutf8", "keys"
_DOCUMENTS = (".pdf", ".docx", ".doc")
"""Files that may be meant as texts, and are none here."""


class TextAndKeys(Reader):
    """Reads `docsutf8/N.txt` with `keys/N.key`, or `N.txt` beside `N.key`, at any depth.

    A key file has a phrase a line, or Kea's `id<TAB>phrase`; blank lines are ignored. Where there
    is a folder `docsutf8`, texts outside of it are no documents; `language.txt` or `lan.txt` beside it
    says the language of the texts. A text without a key file is a document without gold; a key file without
    a text is skipped.
    """

    source: ClassVar[str] = "Witten et al. (1999), KEA: practical automatic keyphrase extraction"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="Folder, zip or tar with the texts and keys.")
    separator: Separator = ";"
    variants: str | None = Field(
        None,
        min_length=1,
        description="What parts equally good forms of one phrase, as + in SemEval; null: nothing does.",
    )
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable path."""
        yield from path_problems("path", self.path, folder=True)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in natural order of their names, then keys without a text."""
        yield from distinct(self._entries(), by_file=True)

    def _entries(self) -> Iterator[Placed | Skipped]:
        with open_container(self.path) as root:
            yield from self.entries(root)

    def entries(self, root: Container) -> Iterator[Placed | Skipped]:
        """What an open folder or archive holds."""
        yield from root.skipped
        texts = root.with_suffix(".txt")
        said = LanguageFiles(root, texts, self.language)
        inside = [member for member in texts if _last_folder(member) == _TEXTS]
        texts = [member for member in inside or texts if member not in said]
        if not texts:
            remedy = "give a folder with .txt files, or docsutf8/*.txt"
            raise without_texts(root, "holds no .txt file", remedy)
        keys: dict[tuple[str, str], Member] = {}
        for key in root.with_suffix(".key"):
            first = keys.setdefault(_pair(key), key)
            if first is not key:
                yield Skipped(key.place, f"the keys of the same text are already in {first.place}")
        for member in texts:
            keyed = keys.pop(_pair(member), None)
            yield attempted(member.place, partial(self._document, root, member, keyed, said.language(member)))
        yield from (Skipped(key.place, "there is no text for these keys") for key in keys.values())
        yield from (passed_over(root, member) for member in root.with_suffix(*_DOCUMENTS))

    def _document(self, root: Container, text: Member, keys: Member | None, language: str) -> Document:
        content = decode(root.read(text), self.encoding, text.place)
        return Document(text.stem, content, language, self._gold(root, keys) if keys else ())

    def _gold(self, root: Container, key: Member) -> tuple[Gold, ...]:
        lines = decode(root.read(key), self.encoding, key.place).split("\n")
        phrases = (phrase for line in lines for phrase in split_phrases(_label(line), self.separator))
        return gold_keyphrases(phrases, variants=self.variants)


def _label(line: str) -> str:
    """The phrase on a line, after Kea's id if there is one."""
    before, tab, after = line.strip().partition("\t")
    return after if tab else before


def _last_folder(member: Member) -> str:
    return member.folder.rpartition("/")[2]


def _pair(member: Member) -> tuple[str, str]:
    """What a text and its key file have in common: where their folders stand, and their name."""
    special = _last_folder(member) in (_TEXTS, _KEYS)
    return (member.folder.rpartition("/")[0] if special else member.folder), member.stem
