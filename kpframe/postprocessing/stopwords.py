"""Remove stop words at the ends of phrases, and phrases that are nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from kpframe.files.changes import while_unchanged
from kpframe.language.stop_lists import (
    AUTO,
    file_checksums,
    list_files,
    list_limits,
    list_problems,
    stop_entries,
)
from kpframe.language.words import is_wordlike
from kpframe.model import Annotations, Keyphrases, Place, Ranked
from kpframe.model.folding import fold
from kpframe.model.remembered import remembered
from kpframe.postprocessing._entries import commonest_form, part_key, united
from kpframe.stages import Postprocessor

__all__ = ["Stopwords"]


_JOINTS = re.compile(r"[-/]|(?<=\d)(?=[^\W\d_])")

Places = tuple[Place, ...]
_Piece = tuple[str, str, Places]
"""Key, form and places of what is left of an entry."""


class _StopList(NamedTuple):
    words: frozenset[str]
    phrases: frozenset[str]


class Stopwords(Postprocessor):
    """Strips stop words at the ends of phrases and removes phrases that are nothing but stop words.

    Stop words inside a phrase stay: "United States of America" is kept, "the weak economy" becomes
    "weak economy". Tokens that are no words (punctuation, addresses, pieces of contractions) are
    stripped like stop words. An entry of several words, as "climate services", removes exactly that
    phrase, before or after stripping, and does nothing to its words elsewhere. Entries and tokens
    are compared case-folded; entries are stripped of white space.

    Each place of a phrase is stripped by itself; phrases that become equal are united (all places,
    the highest score). `trim` says which ends are stripped; a phrase that is nothing but stop words
    is removed in any case.

    The paper speaks of trailing stop words, and its example strips a leading one; its program
    stripped both ends by lemma, showed the lemmas, and took whatever does not begin with a letter, and
    single letters, for stop words. Here words decide and the slice of the text is shown; the English
    list has the single letters, and `numbers: strip` treats what has no letter as the program did.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4, with footnote 4"

    lists: tuple[str, ...] = Field(
        (AUTO,),
        description="Stop lists, combined: language codes, paths of files with an entry a line, or auto, the "
        "list of the document's language.",
    )
    add: tuple[str, ...] = Field(
        (), description="More stop words, or whole phrases to be removed; case does not matter."
    )
    keep: tuple[str, ...] = Field((), description="Words of the lists that are to count as usual words.")
    trim: Literal["both", "leading", "trailing", "none"] = Field(
        "both", description="The ends of a phrase at which stop words are stripped."
    )
    behind: Literal["anything", "number"] = Field(
        "anything",
        description="number: only where a number stands right before the phrase, to which a unit belongs (2 "
        "tbsp lemon juice); it needs `trim: leading`.",
    )
    numbers: Literal["keep", "strip"] = Field(
        "keep", description="Tokens with digits and no letter: usual words, or stop words."
    )
    compounds: Literal["keep", "strip"] = Field(
        "keep",
        description="Tokens with a hyphen, a slash or a number in front, whose parts are all stop words or "
        "numbers (Tue/Thu, 30-min, 1023Hz): usual words, or stop words.",
    )

    @model_validator(mode="after")
    def _leading_behind_numbers(self) -> Self:
        if self.behind == "number" and self.trim != "leading":
            raise ValueError(f"behind: number goes with trim: leading, but trim is {self.trim}")
        return self

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Lists that do not exist."""
        for problem, remedy in list_problems(self.lists):
            yield "lists", problem, remedy

    def limits(self, language: str) -> Iterator[str]:
        """Stop lists that are those of other languages."""
        yield from list_limits(self.lists, language)

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.lists)
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases without stop words at their ends."""
        annotations = keyphrases.annotations
        stop = self._list(keyphrases.document.language)
        flags = _flags(annotations, _judge(stop.words, self.numbers == "strip", self.compounds == "strip"))
        begins = _flags(annotations, _judge_begin(stop.phrases)) if stop.phrases else []
        listed = _judge_phrase(stop.phrases)
        known: dict[tuple[str, Places], list[_Piece]] = annotations.once(_remembering, self, stop)
        by_key: dict[str, list[Ranked]] = {}
        changed = False
        for entry in keyphrases.entries:
            key, surface, _, places = entry
            if not _at_an_end(places, flags) and not (
                begins and (any(begins[begin] for begin, _ in places) or listed(surface))
            ):
                by_key.setdefault(key, []).append(entry)
                continue
            changed = True
            if stop.phrases and listed(surface):
                continue
            pieces = known.get((key, places))
            if pieces is None:
                pieces = known[key, places] = self._pieces(key, places, annotations, flags, stop.phrases)
            for left, form, kept in pieces:
                piece = entry if kept == places else Ranked(left, form, entry.score, kept)
                by_key.setdefault(left, []).append(piece)
        if not changed:
            return keyphrases
        return keyphrases.replaced(
            same[0] if len(same) == 1 else united(same, annotations) for same in by_key.values()
        )

    def _list(self, language: str) -> _StopList:
        # Only what `auto` stands for depends on the language: all others share one list.
        follows = any(name.startswith(AUTO) for name in self.lists)
        return _stop_list(self.lists, self.add, self.keep, language if follows else "")

    def _pieces(
        self,
        key: str,
        places: Places,
        annotations: Annotations,
        flags: Sequence[bool],
        phrases: frozenset[str],
    ) -> list[_Piece]:
        """What is left of an entry, by each key that stripping makes."""
        left: dict[str, list[Place]] = {}
        for place in places:
            counted = self.behind == "anything" or _is_counted(place[0], annotations)
            kept = self._stripped(place, flags) if counted else place
            if kept is None or (phrases and _is_listed((place, kept), annotations, phrases)):
                continue
            left.setdefault(part_key(key, place, kept, annotations), []).append(kept)
        return [(made, commonest_form(annotations, found), tuple(found)) for made, found in left.items()]

    def _stripped(self, place: Place, flags: Sequence[bool]) -> Place | None:
        """The place without stop words at the ends; None if there is nothing else."""
        begin, end = place
        if False not in flags[begin:end]:
            return None
        if self.trim in ("both", "leading"):
            while flags[begin]:
                begin += 1
        if self.trim in ("both", "trailing"):
            while flags[end - 1]:
                end -= 1
        return begin, end


def _is_counted(token: int, annotations: Annotations) -> bool:
    """Whether a number stands right before a token, in the same sentence."""
    if not token or annotations.sentence_of[token - 1] != annotations.sentence_of[token]:
        return False
    return _is_number(annotations.surface(token - 1, token)) and annotations.adjacent(token - 1, token)


@remembered
def _is_number(word: str) -> bool:
    """Whether a word has digits and no letter; fractions count."""
    return any(map(str.isnumeric, word)) and not any(map(str.isalpha, word))


@while_unchanged(64, list_files)
def _stop_list(
    lists: tuple[str, ...], add: tuple[str, ...], keep: tuple[str, ...], language: str
) -> _StopList:
    entries = stop_entries(lists, language) | {fold(word) for word in add}
    entries -= {"", *(fold(word) for word in keep)}
    phrases = frozenset(entry for entry in entries if " " in entry)
    return _StopList(frozenset(entries - phrases), phrases)


def _flags(annotations: Annotations, judge: Callable[[str], bool]) -> list[bool]:
    """What is judged of each token of the text, each word once."""
    return annotations.once(_judged, judge)


def _remembering(annotations: Annotations, step: Stopwords, stop: _StopList) -> dict[Any, Any]:
    """What a step left of the entries of a text so far: rankings of the same candidates ask it again."""
    return {}


def _judged(annotations: Annotations, judge: Callable[[str], bool]) -> list[bool]:
    return list(map(list(map(judge, annotations.vocabulary)).__getitem__, annotations.words.tolist()))


@cache
def _judge(words: frozenset[str], numbers: bool, compounds: bool) -> Callable[[str], bool]:
    """Whether a word counts as a stop word, remembered: documents share most of their words."""

    @remembered
    def judge(word: str) -> bool:
        folded = fold(word)
        if folded in words or not is_wordlike(word):
            return True
        if not any(character.isalpha() for character in word):
            return numbers
        return compounds and _are_parts(_JOINTS.split(folded), words)

    return judge


def _are_parts(parts: Sequence[str], words: frozenset[str]) -> bool:
    """Whether there are several parts, each a stop word or a number; single letters are names (5G, 3D)."""
    return len(parts) > 1 and all(
        (part in words and len(part) > 1) if any(map(str.isalpha, part)) else bool(part) for part in parts
    )


@cache
def _judge_begin(phrases: frozenset[str]) -> Callable[[str], bool]:
    """Whether a listed phrase may begin with a token, however the list's own words would be parted."""
    beginnings = {phrase[:length] for phrase in phrases for length in range(1, len(phrase) + 1)}
    return remembered(lambda word: fold(word) in beginnings)


@cache
def _judge_phrase(phrases: frozenset[str]) -> Callable[[str], bool]:
    """Whether a form is listed: that of a vocabulary stands nowhere in the text."""
    return remembered(lambda surface: fold(surface) in phrases)


def _at_an_end(places: Sequence[Place], flags: Sequence[bool]) -> bool:
    """Whether any of the places begins or ends with a stop word."""
    if len(places) == 1:  # as a rule
        ((begin, end),) = places
        return flags[begin] or flags[end - 1]
    return any(flags[begin] or flags[end - 1] for begin, end in places)


def _is_listed(places: Sequence[Place], annotations: Annotations, phrases: frozenset[str]) -> bool:
    return any(fold(annotations.surface(begin, end)) in phrases for begin, end in places)
