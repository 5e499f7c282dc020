"""Make spelling variants of a phrase one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from kpframe.files.resources import read_pairs
from kpframe.language.codes import DEFAULT, settled
from kpframe.language.plurals import is_plural_of, noun_form, plural_limits
from kpframe.model import Keyphrases, Ranked
from kpframe.model.folding import fold
from kpframe.stages import Postprocessor

__all__ = ["Variants"]

_Variation = Literal["plural", "case", "hyphen"]


class Variants(Postprocessor):
    """Joins entries that are forms of one phrase, as "donor" and "donors".

    - `plural`: the keys are equal but for the number of the last token, as matching tells it: by rules and
      a table in English, by lemmas or stems in other languages;
    - `case`: the keys are equal after case folding (the keys of the shipped selections are folded
      already);
    - `hyphen`: the keys are equal once hyphens are spaces ("part-of-speech tags" and "part of
      speech tags") or once hyphens are left out ("on-line" and "online").

    Variants of variants join too. The entry has the key and the surface form of its most frequent
    member, the best ranked among equally frequent ones; it has all places, and the highest score
    (`sum`: the sum of the scores) of its members.
    """

    source: ClassVar[str] = "the plural rule of Zesch and Gurevych 2009, section 3.1, within one list"

    join: tuple[_Variation, ...] = Field(
        ("plural", "case", "hyphen"), min_length=1, description="The differences that do not count."
    )
    score: Literal["max", "sum"] = Field(
        "max", description="How the scores of the members become the score of the entry."
    )

    @field_validator("join")
    @classmethod
    def _once_each(cls, join: tuple[_Variation, ...]) -> tuple[_Variation, ...]:
        return tuple(dict.fromkeys(join))

    def limits(self, language: str) -> Iterator[str]:
        """Plurals that are not known."""
        if "plural" in self.join:
            yield from plural_limits(language)

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases with variants joined."""
        entries = keyphrases.entries
        groups = _connected(len(entries), self._links(entries, keyphrases.document.language))
        if len(groups) == len(entries):
            return keyphrases
        return keyphrases.replaced(self._one([entries[i] for i in group]) for group in groups)

    def _one(self, members: Sequence[Ranked]) -> Ranked:
        if len(members) == 1:
            return members[0]
        shown = max(members, key=lambda entry: len(entry.places))  # the first, so the best, of equals
        scores = [entry.score for entry in members]
        places = tuple(sorted({place for entry in members for place in entry.places}))
        return shown._replace(score=sum(scores) if self.score == "sum" else max(scores), places=places)

    def _links(self, entries: Sequence[Ranked], language: str) -> Iterator[tuple[int, int]]:
        """Pairs of entries that are variants; what is implied by others may be left out."""
        forms = [self._forms(entry.key) for entry in entries]
        first: dict[str, int] = {}
        for number, own in enumerate(forms):
            for form in own:
                yield first.setdefault(form, number), number
        if "plural" not in self.join:
            return
        if settled(language) != DEFAULT:
            of_noun: dict[str, int] = {}
            for number, own in enumerate(forms):
                for form in own:
                    before, space, last = form.rpartition(" ")
                    yield of_noun.setdefault(before + space + noun_form(last, language), number), number
            return
        for number, own in enumerate(forms):
            for form in own:
                for singular in _singulars(form):
                    if singular in first:
                        yield first[singular], number

    def _forms(self, key: str) -> list[str]:
        """The strings by which a key meets its variants; the first one is the key itself."""
        form = fold(key) if "case" in self.join else key
        if "hyphen" not in self.join or "-" not in form:
            return [form]
        return [form, " ".join(form.replace("-", " ").split()), form.replace("-", "")]


def _singulars(phrase: str) -> Iterator[str]:
    """The phrases of which `phrase` is a plural."""
    before, space, last = phrase.rpartition(" ")
    guesses = [last[:-1], last[:-2], last[:-3] + "y", *_irregular_singulars().get(last, ())]
    for guess in guesses:
        if guess != last and is_plural_of(last, guess):
            yield before + space + guess


@cache
def _irregular_singulars() -> dict[str, list[str]]:
    singulars: dict[str, list[str]] = {}
    for singular, plural in read_pairs("plurals/en"):
        singulars.setdefault(plural, []).append(singular)
    return singulars


def _connected(count: int, links: Iterator[tuple[int, int]]) -> list[list[int]]:
    """The numbers below `count` in groups that `links` connect, in order of their least members."""
    parent = list(range(count))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for left, right in links:
        low, high = sorted((root(left), root(right)))
        parent[high] = low
    groups: dict[int, list[int]] = {}
    for number in range(count):
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())
