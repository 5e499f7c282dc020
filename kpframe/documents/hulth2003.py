"""Inspec: abstracts with controlled and uncontrolled terms (Hulth 2003)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Encoding
from kpframe.documents._passed_over import attempted
from kpframe.documents._phrases import gold_keyphrases, split_phrases
from kpframe.errors import DataError
from kpframe.files.archives import open_container, open_nested, path_problems
from kpframe.files.container import Container, Member
from kpframe.files.decoding import decode
from kpframe.model import Document, Gold, Skipped
from kpframe.model.folding import squeeze
from kpframe.stages import Reader

__all__ = ["Hulth2003"]

_SPLITS = {
    "train": "training",
    "training": "training",
    "dev": "validation",
    "valid": "validation",
    "validation": "validation",
    "test": "test",
}
"""The parts, by the names that their archives and folders have (without suffix, in any case)."""

_ORDER = ("training", "validation", "test", "")
_GOLD = {"uncontrolled": ".uncontr", "controlled": ".contr"}


class Hulth2003(Reader):
    """Reads the corpus as it is distributed, or unpacked: zips, folders of parts, or plain files.

    Broken lines are joined by a space. The text is the title, a blank line (the title, which has no
    full stop, is thereby a sentence of its own) and the abstract. Metadata has `title_length` and,
    where the names of archives or folders tell it, `split`. The uncontrolled terms are the gold of
    Hulth's and of most other experiments.
    """

    source: ClassVar[str] = (
        "Hulth (2003), Improved automatic keyword extraction given more linguistic knowledge"
    )
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(
        description="Hulth2003.tar.gz, one of the zips in it, or a folder with zips, part folders or files."
    )
    gold: Literal["uncontrolled", "controlled", "both"] = Field(
        "uncontrolled", description="Which terms are the gold keyphrases."
    )
    split: Literal["training", "validation", "test"] | None = Field(
        None, description="Read only this part; null: all three."
    )
    encoding: Encoding = "utf-8"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable path."""
        yield from path_problems("path", self.path, folder=True)

    def read(self) -> Iterator[Document | Skipped]:
        """Training, validation, test, each in natural order of the ids."""
        yield from distinct(self._entries())

    def _entries(self) -> Iterator[Placed | Skipped]:
        found = False
        with open_container(self.path) as root:
            yield from root.skipped
            for split in _ORDER if self.split is None else (self.split,):
                loose = [member for member in root.members if self._split(root, member) == split]
                packed = [member for member in loose if member.suffix == ".zip"]
                found = found or any(_is_abstract(member) for member in loose)
                yield from self._part(root, loose, split)
                for member in packed:
                    with open_nested(root, member) as part:
                        yield from part.skipped
                        found = found or any(map(_is_abstract, part.members))
                        yield from self._part(part, part.members, split)
        if not found:
            what = f"no part {self.split!r} with .abstr files" if self.split else "no .abstr file"
            raise DataError.at(self.path, f"holds {what}", "give Hulth2003.tar.gz or what is in it")

    def _split(self, root: Container, member: Member) -> str:
        """The part that a member belongs to, told by its own name, its folders' or the container's."""
        name = member.name[: -len(".zip")] if member.suffix == ".zip" else member.folder
        own = os.path.splitext(os.path.basename(os.path.normpath(root.place)))[0]
        known = (_SPLITS.get(part.lower()) for part in (*reversed(name.split("/")), own))
        return next(filter(None, known), "")

    def _part(
        self, container: Container, members: Sequence[Member], split: str
    ) -> Iterator[Placed | Skipped]:
        for member in members:
            base = member.name[: -len(member.suffix)]
            if _is_abstract(member):
                yield attempted(member.place, partial(self._document, container, member, base, split))
            elif member.suffix in _GOLD.values() and f"{base}.abstr" not in container:
                yield Skipped(member.place, "there is no abstract for these terms")

    def _document(self, container: Container, member: Member, base: str, split: str) -> Document:
        title, text = _title_and_text(decode(container.read(member), self.encoding, member.place))
        gold: tuple[Gold, ...] = ()
        for source, suffix in _GOLD.items():
            terms = container.find(base + suffix) if self.gold in (source, "both") else None
            if terms is not None:
                phrases = squeeze(decode(container.read(terms), self.encoding, terms.place))
                gold += gold_keyphrases(split_phrases(phrases, ";"), source=source)
        metadata = {"title_length": len(title), **({"split": split} if split else {})}
        return Document(member.stem, text, "en", gold, metadata)


def _is_abstract(member: Member) -> bool:
    return member.suffix == ".abstr"


def _title_and_text(content: str) -> tuple[str, str]:
    """Join continued lines, which are indented: the first paragraph that results is the title."""
    paragraphs: list[list[str]] = []
    broken = True
    for line in content.split("\n"):
        if broken or not line[:1].isspace():
            paragraphs.append([])
        broken = not line.strip()
        if not broken:
            paragraphs[-1].append(line.strip())
    joined = [" ".join(lines) for lines in paragraphs if lines]
    return (joined[0] if joined else ""), "\n\n".join(joined)
