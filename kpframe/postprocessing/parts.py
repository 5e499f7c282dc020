"""Where a text has few phrases, their parts behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar, Self

from pydantic import Field, model_validator

from kpframe.language.parts_of_speech import PartOfSpeechNames, parse, tagged
from kpframe.model import Keyphrases, Place, Ranked
from kpframe.postprocessing._entries import commonest_form, part_key
from kpframe.stages import Postprocessor

__all__ = ["Parts"]


class Parts(Postprocessor):
    """Adds parts of phrases behind the last phrase while there are fewer than `until`.

    Titles and short texts have three or four noun phrases, and what their authors would name stands
    inside one of them: "mining" and "data mining" of "spatial data mining". A text with `until` phrases
    of at most `max_tokens` tokens or more is left as it is, and what was there before keeps its rank.

    A part is a run of tokens inside a phrase, of the parts of speech `pos`, the last of them one of `ends`.
    Parts come in the order of their phrases, longer ones first, then as they stand in the text; one that
    is a phrase already is not added. Of a phrase with three places or more for a part of `max_tokens`, as a
    long title is one, those of several words come first that do not overlap with others of their length, from
    its last word on: windows over it would say the same again and again. Scores go down in equal steps from
    the last phrase towards zero (below it, where that is not positive), so that the order is all they say.
    """

    source: ClassVar[str] = "kpframe; table of what was tried in the README of pipelines/"
    short: ClassVar[str] = "until"

    until: int = Field(10, ge=1, description="Parts are added while there are fewer phrases than this.")
    min_tokens: int = Field(1, ge=1, description="Shortest part, in tokens: 2 leaves single words out.")
    max_tokens: int = Field(4, ge=1, description="Longest part, in tokens.")
    pos: PartOfSpeechNames = Field(
        ("adjective", "noun"),
        description="Parts of speech of all tokens of a part: universal classes in lower case or Penn tags.",
    )
    ends: PartOfSpeechNames = Field(("noun",), description="Parts of speech of the last token of a part.")

    @model_validator(mode="after")
    def _some_length(self) -> Self:
        if self.min_tokens > self.max_tokens:
            problem = f"min_tokens {self.min_tokens} is greater than max_tokens {self.max_tokens}"
            raise ValueError(f"{problem}, no part could be added")
        return self

    def requires(self) -> frozenset[str]:
        """The layers that `pos` and `ends` are looked up in."""
        return frozenset({parse(self.pos).layer, parse(self.ends).layer})

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases, and behind them parts where they are few."""
        entries = keyphrases.entries
        # Longer phrases are no keyphrases where parts may not be as long: a filter by length follows.
        short = [entry for entry in entries if min(e - b for b, e in entry.places) <= self.max_tokens]
        missing = self.until - len(short)
        if missing <= 0 or not entries:
            return keyphrases
        places: dict[str, list[Place]] = {}
        for key, place in self._found(keyphrases):
            places.setdefault(key, []).append(place)
        annotations, last = keyphrases.annotations, entries[-1].score
        chosen = list(islice(places.items(), missing))
        step = (abs(last) or 1.0) / (len(chosen) + 1)
        added = []
        for number, (key, found) in enumerate(chosen, start=1):
            there = tuple(sorted(set(found)))
            added.append(Ranked(key, commonest_form(annotations, there), last - number * step, there))
        return keyphrases.replaced((*entries, *added)) if added else keyphrases

    def _found(self, keyphrases: Keyphrases) -> Iterator[tuple[str, Place]]:
        """Key and place of each part that is no phrase itself, in the order in which they are added."""
        annotations = keyphrases.annotations
        fits, ends = (tagged(annotations, names).tolist() for names in (self.pos, self.ends))
        known = {entry.key for entry in keyphrases.entries}
        for entry in keyphrases.entries:
            for whole, part in self._inside(entry.places):
                if not (ends[part[1] - 1] and all(fits[part[0] : part[1]])):
                    continue
                key = part_key(entry.key, whole, part, annotations)
                if key not in known:
                    yield key, part

    def _inside(self, places: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
        """The places of a phrase, each with a part of it, in the order in which parts are added."""
        longest = max(end - begin for begin, end in places) - 1
        lengths = range(min(longest, self.max_tokens), self.min_tokens - 1, -1)
        if longest > self.max_tokens:
            several = [length for length in lengths if length > 1]
            yield from ((whole, one) for n in several for whole in places for one in _apart(whole, n))
        for length in lengths:
            yield from ((whole, part) for whole in places for part in _all(whole, length))


def _all(whole: Place, length: int) -> Sequence[Place]:
    """The ranges of so many tokens inside a longer one."""
    begin, end = whole
    return [] if end - begin <= length else [(at, at + length) for at in range(begin, end - length + 1)]


def _apart(whole: Place, length: int) -> Sequence[Place]:
    """Those that do not overlap, from the head of the phrase, which is its last word."""
    begin, end = whole
    return [(at - length, at) for at in range(end, begin + length - 1, -length) if end - begin > length]
