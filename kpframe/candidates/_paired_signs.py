"""Brackets and quotes: which stand together, and which are left over in a part of a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kpframe.model import Annotations

__all__ = ["BRACKETS", "QUOTES", "SINGLE_QUOTES", "half_pairs", "single_quotes"]

_BRACKETS = (
    "()[]{}⁅⁆⁽⁾₍₎⌈⌉⌊⌋❨❩❪❫❬❭❮❯❰❱❲❳❴❵⟅⟆⟦⟧⟨⟩⟪⟫⟬⟭⟮⟯⦃⦄⦅⦆⦇⦈⦉⦊⦋⦌⦍⦎⦏⦐⦑⦒⦓⦔⦕⦖⦗⦘⧘⧙⧚⧛⧼⧽⸢⸣⸤⸥⸦⸧⸨⸩"
    "〈〉《》「」『』【】〔〕〖〗〘〙〚〛（）［］｛｝｟｠｢｣＜＞﹙﹚﹛﹜﹝﹞༺༻༼༽᚛᚜"
)
BRACKETS: Mapping[str, str] = dict(zip(_BRACKETS[::2], _BRACKETS[1::2], strict=True))
"""Each opening bracket and what closes it."""
_CLOSING = frozenset(BRACKETS.values())

_QUOTES = ('"', "＂", "“”„‟", "«»", "‹›", "❝❞", "❛❜", "〝〞〟")
QUOTES: Mapping[str, int] = {sign: group for group, signs in enumerate(_QUOTES) for sign in signs}
"""Which quotes belong together. Which of them opens is a matter of language: “a”, „a“, ”a”, «a», »a«."""

SINGLE_QUOTES = frozenset("'‘’‚‛＇")
"""Signs that are quotes or apostrophes: only where one opens does another close."""


def half_pairs(words: Sequence[str]) -> set[int]:
    """Places of the brackets and double quotes that words do not both open and close."""
    left: set[int] = set()
    open_brackets: list[tuple[str, int]] = []
    quotes: tuple[list[int], ...] = tuple([] for _ in _QUOTES)
    for place, word in enumerate(words):
        if word in BRACKETS:
            open_brackets.append((BRACKETS[word], place))
        elif word in _CLOSING:
            if open_brackets and open_brackets[-1][0] == word:
                open_brackets.pop()
            else:
                left.add(place)
        elif word in QUOTES:
            quotes[QUOTES[word]].append(place)
    left.update(place for _, place in open_brackets)
    return left.union(*(places[-1:] for places in quotes if len(places) % 2))


def single_quotes(annotations: Annotations) -> Mapping[int, int]:
    """Each token that is a single quote, and the token that is its other half, in the same sentence.

    An apostrophe (users' needs, the '90s, 5' end) has no other half.
    """
    return annotations.once(_single_quotes)


def _single_quotes(annotations: Annotations) -> Mapping[int, int]:
    if SINGLE_QUOTES.isdisjoint(annotations.vocabulary):
        return {}
    return dict(_paired(annotations))


def _paired(annotations: Annotations) -> Iterator[tuple[int, int]]:
    words = annotations.strings(annotations.words)
    touching = (annotations.begins[1:] == annotations.ends[:-1]).tolist()
    sentence_of = annotations.sentence_of
    opened = -1
    for place, word in enumerate(words):
        if word not in SINGLE_QUOTES:
            continue
        before = words[place - 1] if place and touching[place - 1] else ""
        if place < len(touching) and touching[place] and not (before[-1:].isalnum() or before in _CLOSING):
            opened = place
        elif before and opened >= 0 and sentence_of[opened] == sentence_of[place]:
            yield from ((opened, place), (place, opened))
            opened = -1
