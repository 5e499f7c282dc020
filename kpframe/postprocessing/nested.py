"""Decide between phrases of which one is a part of the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.model import Keyphrases, Ranked
from kpframe.stages import Postprocessor

__all__ = ["Nested"]

_Tokens = tuple[str, ...]


class Nested(Postprocessor):
    """Drops phrases that are parts of others, as "Four Seasons" of "Seoul Four Seasons".

    A phrase is part of another if the tokens of its key stand in the other's key, contiguous and in
    order. `keep` chooses:

    - `longest`: whatever is part of another phrase goes, however well it ranks;
    - `best`: from the best phrase on, a phrase goes if it is part of a kept one above it, or holds
      a kept one above it as a part; no two nested phrases are left;
    - `not_part_of_better`: a phrase goes if it is part of a phrase ranked above it; a longer phrase
      below its own part stays. This is the rule of the Kea program (which also drops parts that
      tie with the longer phrase; here the order of the ranking decides);
    - `all`: nothing goes.
    """

    source: ClassVar[str] = "Witten et al. 1999 and the KEA 3.0 program for not_part_of_better"
    short: ClassVar[str] = "keep"

    keep: Literal["longest", "best", "not_part_of_better", "all"] = Field(
        "longest", description="Which of two nested phrases is kept."
    )

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases without those that nesting rules out."""
        if self.keep == "all":
            return keyphrases
        choose = {"longest": _longest, "best": _best, "not_part_of_better": _not_part_of_better}[self.keep]
        return keyphrases.kept(choose(keyphrases.entries))


def _longest(entries: tuple[Ranked, ...]) -> Iterator[Ranked]:
    inside = {part for entry in entries for part in _parts(_tokens(entry))}
    return (entry for entry in entries if _tokens(entry) not in inside)


def _not_part_of_better(entries: tuple[Ranked, ...]) -> Iterator[Ranked]:
    inside: set[_Tokens] = set()
    for entry in entries:
        tokens = _tokens(entry)
        if tokens not in inside:
            yield entry
        inside.update(_parts(tokens))


def _best(entries: tuple[Ranked, ...]) -> Iterator[Ranked]:
    inside: set[_Tokens] = set()
    kept: set[_Tokens] = set()
    for entry in entries:
        tokens = _tokens(entry)
        parts = list(_parts(tokens))
        if tokens not in inside and kept.isdisjoint(parts):
            kept.add(tokens)
            inside.update(parts)
            yield entry


def _tokens(entry: Ranked) -> _Tokens:
    return tuple(entry.key.split(" "))


def _parts(tokens: _Tokens) -> Iterator[_Tokens]:
    """All contiguous parts that are shorter than the whole."""
    count = len(tokens)
    for length in range(1, count):
        for begin in range(count - length + 1):
            yield tokens[begin : begin + length]
