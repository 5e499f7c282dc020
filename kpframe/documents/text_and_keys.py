"""Texts with a .key file each: the layout of Kea, Nguyen2007, SemEval2010 and many more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._file_text import text_of_file
from kpframe.documents._language_files import LanguageFiles
from kpframe.documents._parameters import Encoding, Language, Separator
from kpframe.documents._passed_over import attempted, because, passed_over
from kpframe.documents._phrases import gold_keyphrases
from kpframe.errors import KpframeError
from kpframe.files.archives import open_container, path_problems
from kpframe.files.container import Container, Member
from kpframe.files.decoding import decode
from kpframe.files.keyed_texts import TEXTS, last_folder, names_of, pair, phrases_of_keys, texts_to_evaluate
from kpframe.files.layout import holds_text, may_be_meant, without_runs, without_texts
from kpframe.model import Document, Gold, Skipped
from kpframe.stages import Reader

__all__ = ["TextAndKeys"]


class TextAndKeys(Reader):
    """Reads `docsutf8/N.txt` with `keys/N.key`, or `N.txt` beside `N.key`, at any depth.

    A PDF, Word file, page or Markdown with keys, and without a `.txt` of its name, is read as well.
    A key file has a phrase a line, or Kea's `id<TAB>phrase`; blank lines are ignored. Where there
    is a folder `docsutf8`, texts outside of it are no documents; `language.txt` or `lan.txt` beside it
    says the language of the texts. A text without a key file is a document without gold; a key file without
    a text is skipped, and so is one that cannot be read: its text is then without gold.
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

    def entries(self, root: Container, *, gold: bool = True) -> Iterator[Placed | Skipped]:
        """What an open folder or archive holds; without `gold` all that is a text, and no keys."""
        yield from root.skipped
        texts = [member for member in without_runs(root) if holds_text(member)]
        said = LanguageFiles(root, texts, self.language)
        texts = [member for member in texts if member not in said]
        inside = [member for member in texts if last_folder(member) == TEXTS]
        keys = root.with_suffix(".key") if gold else []
        found = texts_to_evaluate(inside or texts, keys) if gold else inside or texts
        if not found:
            remedy = "give a folder with .txt files, or docsutf8/*.txt"
            raise without_texts(root, "holds no .txt file", remedy)
        of_pair: dict[tuple[str, str], Member] = {}
        for key in keys:
            first = of_pair.setdefault(pair(key), key)
            if first is not key:
                yield Skipped(key.place, f"the keys of the same text are already in {first.place}")
        names = names_of(found)
        for member in found:
            phrases: tuple[Gold, ...] = ()
            try:
                phrases = self._gold(root, of_pair.get(pair(member)))
            except KpframeError as error:  # the text is as good as one without keys
                yield because(of_pair[pair(member)].place, error)
            made = partial(self._document, root, member, names[member.name], said.language(member), phrases)
            yield attempted(member.place, made)
        paired = set(map(pair, found))
        lone = (key for name, key in of_pair.items() if name not in paired)
        yield from (Skipped(key.place, "there is no text for these keys") for key in lone)
        read = {member.name for member in found}
        others = (member for member in root.members if may_be_meant(member) and member.name not in read)
        yield from (passed_over(root, member) for member in others)

    def _document(
        self, root: Container, text: Member, name: str, language: str, gold: tuple[Gold, ...]
    ) -> Document:
        content = text_of_file(root.read(text), text.name, self.encoding, text.place)
        return Document(name, content, language, gold)

    def _gold(self, root: Container, key: Member | None) -> tuple[Gold, ...]:
        if key is None:
            return ()
        text = decode(root.read(key), self.encoding, key.place)
        return gold_keyphrases(phrases_of_keys(text, self.separator), variants=self.variants)
