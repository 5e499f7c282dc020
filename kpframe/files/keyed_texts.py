"""Texts with a file of keys each: which belong together, and which of several texts of one name is read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence

from kpframe.files.container import Member, natural_key
from kpframe.files.kinds import bare_name

__all__ = [
    "PLAIN",
    "TEXTS",
    "alike",
    "by_preference",
    "is_plain",
    "last_folder",
    "names_of",
    "pair",
    "phrases_of_keys",
    "stem",
    "texts_to_evaluate",
]

TEXTS, KEYS = "docsutf8", "keys"
"""Folders for texts and for keys that belong together where they lie side by side."""


PLAIN = (".txt", ".text")
"""How the names of plain texts end."""


def is_plain(member: Member) -> bool:
    """Whether the name of a file promises plain text, packed or not."""
    return bare_name(member.name).lower().endswith(PLAIN)


def stem(member: Member) -> str:
    """The last part of a name without the endings of its kind and its packing."""
    return os.path.splitext(bare_name(member.name.rpartition("/")[2]))[0]


def last_folder(member: Member) -> str:
    """The name of the folder that a file lies in."""
    return member.folder.rpartition("/")[2]


def pair(member: Member) -> tuple[str, str]:
    """What a text and its key file have in common: where their folders stand, and their name."""
    special = last_folder(member) in (TEXTS, KEYS)
    return (member.folder.rpartition("/")[0] if special else member.folder), stem(member)


def phrases_of_keys(text: str, separator: str | None = ";") -> list[str]:
    """The phrases in a .key file: one a line, behind Kea's id if there is one, or several by `separator`."""
    found = []
    for line in text.split("\n"):
        before, tab, after = line.strip().partition("\t")
        label = after if tab else before
        parts = [label] if separator is None else label.split(separator)
        found += [part.strip() for part in parts if part.strip()]
    return found


def by_preference(member: Member) -> tuple[object, bool, str]:
    """In natural order; of a.txt and a.pdf, which have one name, first the text, which somebody checked."""
    bare = bare_name(member.name)
    return natural_key(os.path.splitext(bare)[0]), not is_plain(member), member.name


def names_of(texts: Sequence[Member], *, below: bool = False) -> dict[str, str]:
    """By name of the file the id of its document: without endings, but with them where only they differ.

    `below`: with its folders.
    """
    counts = Counter((member.folder, stem(member)) for member in texts)
    made = {}
    for member in texts:
        alone = counts[member.folder, stem(member)] == 1
        name = stem(member) if alone else member.name.rpartition("/")[2]
        made[member.name] = f"{member.folder}/{name}" if below and member.folder else name
    return made


def alike(files: Sequence[Member]) -> frozenset[str]:
    """The names of files that differ from another one, in their folder, only in the endings."""
    names = names_of(files)
    return frozenset(member.name for member in files if names[member.name] != stem(member))


def texts_to_evaluate(texts: Iterable[Member], keys: Iterable[Member]) -> list[Member]:
    """Plain texts, and others with keys of which there is no plain text; in the order of `texts`.

    Of one name a single one is taken: a paper as a PDF and as a page would count twice in every average.
    """
    texts = list(texts)
    taken = {pair(member) for member in texts if is_plain(member)}
    keyed = {pair(key) for key in keys}
    chosen = {member.name for member in texts if is_plain(member)}
    for member in sorted(texts, key=by_preference):
        if pair(member) in keyed and pair(member) not in taken:
            taken.add(pair(member))
            chosen.add(member.name)
    return [member for member in texts if member.name in chosen]
