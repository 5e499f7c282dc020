"""What a word is: the one rule by which texts, phrases, vocabularies and stop lists are cut.

Words are those of Unicode's text segmentation (letters, numbers, the marks and joiners that belong to
them, apostrophes and middle dots inside), and on top of it what terms need: compounds with hyphens and
slashes are whole (state-of-the-art, TCP/IP, but not and/or, he/she), so are names with symbols (C++, C#,
.NET, CD4+, Na+/K+-ATPase), names of substances (N,N-dimethylformamide, 5'-UTR, Ca(OH)2), words with small
digits (CO₂, x², not the footnote of method²), numbers, addresses and abbreviations with inner full stops.
Lines of encoded data (Base64) are one token together, too long for any keyphrase.
Elided articles and pronouns of French, Italian, Catalan and others (`elisions.py`) are words of their own
(l'armée), and so are English contractions (do n't, user 's). Everything else that can be seen is a mark by
itself.

The rule is linear in the length of the text; `word_pattern.py` has the pattern.

Source: Unicode Standard Annex 29, section 4 (word boundaries), version 15.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from unicodedata import is_normalized, normalize

import regex

from kpframe.language.addresses import address_spans, is_address
from kpframe.language.codes import settled
from kpframe.language.elisions import ELIDED
from kpframe.language.encoded import SHORTEST_LINE, apart, encoded_spans
from kpframe.language.slashes import is_rate, is_shortened, joins_function_words
from kpframe.language.word_pattern import APOSTROPHES, TIME_OF_PROGRAMS, token_pattern
from kpframe.model.compatible import NO_WORDS, level, with_signs_alone
from kpframe.model.folding import INVISIBLE, fold, without
from kpframe.model.remembered import MOST, remembered
from kpframe.model.small_digits import SMALL, is_small_number

__all__ = [
    "LONGEST_WORD",
    "TITLES",
    "Span",
    "has_letter_or_digit",
    "is_wordlike",
    "phrase_tokens",
    "token_spans",
]

Span = tuple[int, int]
"""Begin and end of a token in code points, half-open."""

LONGEST_WORD = 100
"""Characters of the longest word that can be part of a keyphrase; what is longer is data in a text."""

_LISTED_TITLES = (
    "adm. bros. capt. co. col. corp. dr. gen. gov. inc. jr. lt. ltd. messrs. mr. mrs. ms. mt.",
    "prof. rep. rev. sen. sgt. sr. st. vs.",
)
TITLES = frozenset(title for titles in _LISTED_TITLES for title in titles.split())
"""Titles and the like that keep their full stop where more follows (Dr. Who, St. Louis)."""

_ENDS = frozenset(",.;:)")
"""Marks that are by themselves wherever a piece of text ends with them behind plain letters."""
_NOT_PLAIN = SMALL + NO_WORDS
_VISIBLE = re.compile(r"\S")
_CLITIC = regex.compile(rf"(?i)(n[{APOSTROPHES}]t|[{APOSTROPHES}](?:s|re|ve|ll|d|m))$")

# "end.Next" is two sentences that a blank should part; "ASP.NET" and "Node.js" are names.
_MISSING_BLANK = regex.compile(r"(?<=\p{Ll}{2})\.(?=\p{Lu}\p{Ll})")

_ELIDED_ANYWHERE = frozenset().union(*ELIDED.values())
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_SLASH = re.compile("/")
_TIME = regex.compile(TIME_OF_PROGRAMS)
_APOSTROPHES = regex.compile(f"[{APOSTROPHES}]")


def token_spans(text: str, language: str = "") -> list[Span]:
    """Spans of the tokens of `text`: words, numbers, addresses and single marks; white space is none.

    `language` is an ISO 639-1 code. Without one, elisions of all languages are parted: so compares
    who does not know the language, as matching does, and never parts less than any language would.
    Signs that nobody sees, as marks of direction, are no part of the text.
    """
    if (visible := without(_INVISIBLE, text)) is not None:
        kept, places = visible
        return [(places[begin], places[end - 1] + 1) for begin, end in token_spans(kept, language)]
    text = with_signs_alone(level(text))
    language = settled(language)
    known = _pieces(language)
    spans: list[Span] = []
    begin = end = 0
    pieces = text.split()
    for piece in pieces:
        begin = text.find(piece, end)
        end = begin + len(piece)
        if piece.isalpha():  # most are, and need no look-up
            spans.append((begin, end))
            continue
        spans += [(begin + left, begin + right) for left, right in known[piece]]
        # Phrases are compared piece by piece, so what follows may decide only for a text.
        if language and piece[-1] == "." and piece.lower() in TITLES and _goes_on(text, end):
            spans[-2:] = [(begin, end)]
    if not language:
        return spans
    whole = address_spans(text)
    if pieces and max(map(len, pieces)) >= SHORTEST_LINE:
        whole = apart([*whole, *encoded_spans(text)])
    return list(_joined(spans, whole)) if whole else spans


def _joined(spans: Sequence[Span], whole: Sequence[Span]) -> Iterator[Span]:
    """The tokens, with those that an address, or a run of data, has any part of as one."""
    place = 0
    for first, last in whole:
        while place < len(spans) and spans[place][1] <= first:
            yield spans[place]
            place += 1
        begin, end = first, last
        while place < len(spans) and spans[place][0] < last:
            begin, end = min(begin, spans[place][0]), max(end, spans[place][1])
            place += 1
        yield begin, end
    yield from spans[place:]


def _goes_on(text: str, end: int) -> bool:
    """Whether what follows, after white space, begins with a letter or a number."""
    following = _VISIBLE.search(text, end)
    return following is not None and following.group().isalnum()


class _Pieces(dict[str, tuple[Span, ...]]):
    """The tokens of texts without white space, remembered: the same few words make up most texts."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._token = token_pattern(language)

    def __missing__(self, piece: str) -> tuple[Span, ...]:
        if piece[-1] in _ENDS and piece.isascii() and piece[:-1].isalpha():
            made: tuple[Span, ...] = (0, len(piece) - 1), (len(piece) - 1, len(piece))
        else:
            made = tuple(self._spans(piece) if is_normalized("NFC", piece) else self._composed_spans(piece))
        if len(piece) <= LONGEST_WORD:
            if len(self) >= MOST:
                self.clear()
            self[piece] = made
        return made

    def _spans(self, piece: str) -> Iterator[Span]:
        for found in self._token.finditer(piece):
            word = found.group()
            if len(word) == 1 or word.isalnum():
                yield found.span()
            else:
                yield from _parts(word, found.start(), self._language)

    def _composed_spans(self, piece: str) -> Iterator[Span]:
        """The tokens of the composed text, at their places in this one.

        What is a letter, a capital or a syllable shows when it is composed, so both forms are parted alike.
        """
        composed, places = "", []
        # What is composed lies inside one character as people see it (UAX #29, grapheme clusters).
        for cluster in regex.finditer(r"\X", piece):
            made = normalize("NFC", cluster.group())
            composed += made
            places += [min(cluster.start() + inner, cluster.end()) for inner in range(len(made))]
        places.append(len(piece))
        for begin, end in self._spans(composed):
            if places[begin] < places[end]:
                yield places[begin], places[end]


@cache
def _pieces(language: str) -> _Pieces:
    return _Pieces(language)


def _parts(word: str, offset: int, language: str) -> Iterator[Span]:
    """The spans of one match of the pattern, which may be several words."""
    begin, end = 0, len(word)
    cuts: set[int] = set()
    if _APOSTROPHES.search(word):
        elided = ELIDED.get(language, frozenset()) if language else _ELIDED_ANYWHERE
        for apostrophe in _APOSTROPHES.finditer(word):
            if word[begin : apostrophe.start()].casefold() not in elided:
                break
            begin = apostrophe.end()
            cuts.add(begin)
        clitic = _CLITIC.search(word, max(begin, end - 3))
        if clitic and clitic.start() > begin:
            cuts.add(clitic.start())
    if "/" in word and joins_function_words(word):
        cuts |= {edge for slash in _SLASH.finditer(word) for edge in slash.span()}
    if "." in word and not is_address(word):
        for stop in _MISSING_BLANK.finditer(word):
            cuts |= {stop.start(), stop.end()}
    edges = [0, *sorted(cuts - {0, end}), end]
    return ((offset + left, offset + right) for left, right in pairwise(edges))


@remembered
def phrase_tokens(phrase: str) -> tuple[str, ...]:
    """The folded tokens of a phrase, as matching sees them: folded first, so that all dashes part alike."""
    folded = fold(phrase)
    return tuple([folded[begin:end] for begin, end in token_spans(folded)])


def is_wordlike(word: str) -> bool:
    """Whether a token can be (part of) a candidate: no mark, address, clitic, rate (km/h), w/o, ² or data."""
    if len(word) > LONGEST_WORD:
        return False
    # Most are letters and digits, and all that is looked for otherwise has some sign in it.
    return (word.isalnum() and word[-1] not in _NOT_PLAIN) or _is_wordlike_with_signs(word)


@remembered
def _is_wordlike_with_signs(word: str) -> bool:
    if word[:1] == "\x1b" or not any(map(str.isalnum, word)) or is_small_number(word):
        return False
    if word in NO_WORDS or _TIME.fullmatch(word):
        return False
    if len(word) == 2 and word[0] in APOSTROPHES:  # 's and 't of Dutch, and what English contracts
        return False
    return not (_CLITIC.fullmatch(word) or is_address(word) or is_shortened(word) or is_rate(word))


@remembered
def has_letter_or_digit(word: str) -> bool:
    """Whether any character of a token is a letter or a digit."""
    return any(map(str.isalnum, word))
