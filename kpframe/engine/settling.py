"""Which language each document is in: said by itself or its corpus, guessed from its text, or assumed.

A guess depends on the text alone. What a text does not show, since it is short or mixed, is assumed to be the
language, in the same kind of script, of most documents of its collection whose language is known, else
English; so order, batches and workers play no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from kpframe.errors import SpecError
from kpframe.language.codes import DEFAULT, NAMES, language_code
from kpframe.language.detection import UNKNOWN, language_guess, leans_to_english, majority
from kpframe.language.scripts import is_latin
from kpframe.model import AUTO, Document

__all__ = ["Languages", "how_assumed", "most_spoken", "settle", "spoken"]

_HOW = ("said", "guessed", "assumed")


@dataclass
class Languages:
    """How many documents are in which language, and how that is known; those without a letter are in none."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, language: str, how: str, number: int = 1) -> None:
        """Count `number` documents; `how` is `said`, `guessed` or `assumed`."""
        self.counts.setdefault(language, Counter())[how] += number

    @property
    def codes(self) -> tuple[str, ...]:
        """The languages, that of most documents first, then in alphabetical order."""
        return tuple(sorted(self.counts, key=lambda code: (-self.counts[code].total(), code)))

    @property
    def of_most(self) -> tuple[str, ...]:
        """The language of most documents; several where equally many documents are in each."""
        most = max((found.total() for found in self.counts.values()), default=0)
        return tuple(code for code in self.codes if self.counts[code].total() == most)

    def known(self, latin: bool) -> str:
        """The language in Latin or in other script of most documents of which it is known, or English."""
        known = (code for code, found in self.counts.items() for _ in range(found["said"] + found["guessed"]))
        return majority(known, latin)

    def record(self) -> dict[str, dict[str, int]]:
        """By language the number of documents, by how it is known; plain JSON values."""
        return {
            code: {how: self.counts[code][how] for how in _HOW if self.counts[code][how]}
            for code in sorted(self.counts)
        }

    def told(self, remedy: str) -> str:
        """One line about what was guessed or assumed, with how to say it; empty where nothing is to tell.

        A collection of which nothing is assumed and everything else is English was taken for what it is.
        """
        guessed = sum(found["guessed"] for found in self.counts.values())
        assumed = {code: found["assumed"] for code, found in self.counts.items() if found["assumed"]}
        if not assumed and (not guessed or self.codes == (DEFAULT,)):
            return ""
        several = len(self.codes) > 1
        named = ", ".join(
            f"{code} ({self.counts[code].total():,})" if several else code for code in self.codes
        )
        parts = [f"language{'s' if several else ''}: {named}"]
        if guessed:
            said = sum(found["said"] for found in self.counts.values())
            total = sum(found.total() for found in self.counts.values())
            some = f"guessed from {guessed:,} of {total:,} texts, said of {said:,}"
            parts.append(some if said else "guessed from the texts")
        for code, number in sorted(assumed.items()):
            what = "1 text" if number == 1 else f"{number:,} texts"
            alone = len(self.codes) == 1 and not guessed and number == self.counts[code].total()
            parts.append(
                f"taken for it since {what} {'does' if number == 1 else 'do'} not show it"
                if alone
                else f"{what} too short or too mixed to tell taken for {code}"
            )
        return ", ".join(parts) + f"; {remedy}"


def spoken(document: Document) -> Document:
    """The document with the code of its language, whichever way a program says it: `EN`, `en-GB`, `English`.

    Readers have done so themselves. SpecError for what is no language.
    """
    if document.language in NAMES or document.language == AUTO:
        return document
    try:
        return replace(document, language=language_code(document.language))
    except SpecError as error:
        raise error.moved(f"document {document.id!r}") from None


def settle(
    documents: Iterable[Document], languages: Languages, fallback: Callable[[bool], str]
) -> Iterator[Document]:
    """The documents, each with its language; what is found is counted in `languages`.

    `fallback` is asked when first a text does not show its language: with true for one in Latin script, and
    once more for others.
    """
    assumed: dict[bool, str] = {}
    for document in map(spoken, documents):
        if document.language != AUTO:
            languages.add(document.language, "said")
            yield document
            continue
        found = language_guess(document.text)
        if found != UNKNOWN:
            languages.add(found, "guessed")
        else:
            latin = is_latin(document.text)
            found = assumed.get(latin) or assumed.setdefault(latin, fallback(latin))
            if any(map(str.isalpha, document.text)):
                languages.add(found, how_assumed(document.text, found))
        yield replace(document, language=found)


def how_assumed(text: str, language: str) -> str:
    """How the language of a text that does not show it is known: English is guessed where it may be."""
    return "guessed" if language == DEFAULT and leans_to_english(text) else "assumed"


def most_spoken(documents: Iterable[Document], latin: bool | None = None) -> str:
    """The language of most of `documents` that say or show theirs, or English; `latin` as in `majority`."""
    found = (
        language_guess(document.text) if document.language == AUTO else document.language
        for document in map(spoken, documents)
    )
    return majority(found, latin)
