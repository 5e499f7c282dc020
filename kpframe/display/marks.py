"""Where keyphrases stand in a text, made ready for showing: stretches, excerpts, safe characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kpframe.model.keyphrases import Keyphrase

__all__ = ["TIERS", "Stretch", "excerpts", "harmless", "stretches", "tier"]

TIERS = ("1", "2-3", "4-6", "7+")
"""Ranks that are shown alike: there are more ranks than colours that the eye tells apart."""

_JOINERS = "\u00ad\u200c\u200d\u200e\u200f"
"""Format characters that change nothing beyond their neighbours: emoji and Persian need some of them."""

_WORD_END = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive characters of a text, `begin` to `end` (half-open), that the same keyphrases cover.

    `ranks` are those of the keyphrases, the best first; empty where there is none.
    """

    begin: int
    end: int
    ranks: tuple[int, ...]


def tier(rank: int) -> int:
    """The index in `TIERS` of a rank."""
    return 0 if rank == 1 else 1 if rank <= 3 else 2 if rank <= 6 else 3


def stretches(text: str, keyphrases: Iterable[Keyphrase]) -> list[Stretch]:
    """The whole text as stretches, in order; joined they give the text again.

    Spans that reach out of the text are cut to it.
    """
    starts: dict[int, list[int]] = {}
    stops: dict[int, list[int]] = {}
    for keyphrase in keyphrases:
        for begin, end in keyphrase.spans:
            begin, end = max(begin, 0), min(end, len(text))
            if begin < end:
                starts.setdefault(begin, []).append(keyphrase.rank)
                stops.setdefault(end, []).append(keyphrase.rank)
    found: list[Stretch] = []
    open_ranks: list[int] = []
    last = 0
    for place in sorted({*starts, *stops, len(text)}):
        if place > last:
            found.append(Stretch(last, place, tuple(sorted(set(open_ranks)))))
            last = place
        for rank in stops.get(place, ()):
            open_ranks.remove(rank)
        open_ranks += starts.get(place, ())
    return found


def excerpts(
    text: str, keyphrases: Sequence[Keyphrase], characters: int, context: int = 60
) -> list[tuple[int, int]]:
    """The parts of a text to show in about `characters`: ranges in text order that do not meet.

    A text that is short enough is one part. Of a longer one its beginning is shown, and then the first
    place of each keyphrase with some `context` on both sides, the best keyphrases first, as long as
    there is room. Parts begin and end between words.
    """
    if len(text) <= characters:
        return [(0, len(text))] if text else []
    chosen = [(0, _word_end(text, min(characters // 4, len(text))))]
    for keyphrase in sorted(keyphrases, key=lambda k: k.rank):
        begin, end = min(keyphrase.spans, default=(0, 0))
        if begin >= end or any(b <= begin and end <= e for b, e in chosen):
            continue
        part = (_word_begin(text, max(begin - context, 0)), _word_end(text, min(end + context, len(text))))
        wider = _joined([*chosen, part])
        if sum(e - b for b, e in wider) > characters:
            break
        chosen = wider
    return chosen


def _joined(parts: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(parts):
        if joined and begin <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def _word_begin(text: str, place: int) -> int:
    """The beginning of the word at `place`, unless it is very long."""
    near = [found.end() for found in _WORD_END.finditer(text, max(place - 30, 0), place)]
    return near[-1] if near else place


def _word_end(text: str, place: int) -> int:
    found = _WORD_END.search(text, place, place + 30)
    return found.start() if found else place


def harmless(text: str, keep: str = "\n\t") -> str:
    """`text` with what could steer a terminal or reorder a line as visible escapes, as `\\u001b`.

    That are control characters (but for those to `keep`), lone surrogates, and format characters that
    reach beyond their neighbours, as bidirectional overrides and tags. Emoji and all scripts stay, and
    where the line feed is kept, carriage returns are line ends too.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\n" in keep:  # other systems' line ends are line ends
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(_escapes(text, keep))


def _escapes(text: str, keep: str) -> Iterator[str]:
    for character in text:
        category = unicodedata.category(character)
        if category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in keep and character not in _JOINERS:
            yield f"\\u{ord(character):04x}" if ord(character) <= 0xFFFF else f"\\U{ord(character):08x}"
        else:
            yield character
