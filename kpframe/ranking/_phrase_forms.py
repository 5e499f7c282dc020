"""What the form of a phrase tells of it: parts of speech, the ending of its head, capitals."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ENDINGS", "PATTERNS", "ending", "is_acronym", "pattern"]

_CLASSES = {"NOUN": 1, "PROPN": 1, "ADJ": 2, "VERB": 3, "AUX": 3, "ADP": 4, "PART": 4}
_OTHER = 5
_LONGEST = 3

PATTERNS = 1 + sum(_OTHER**length for length in range(1, _LONGEST + 1))
"""How many patterns there are: all sequences of five classes up to three tokens, and one for longer ones."""

_ENDINGS = (
    ("tion", "tions", "sion", "sions"),
    ("ity", "ities"),
    ("ment", "ments"),
    ("ness",),
    ("ance", "ence", "ancy", "ency"),
    ("ism", "isms", "ist", "ists"),
    ("ology", "ologies", "ography", "onomy"),
    ("ics",),
    ("ing", "ings"),
    ("er", "ers", "or", "ors"),
    ("ure", "ures"),
    ("age", "ages"),
    ("ship", "hood", "dom"),
    ("al", "ial", "ical", "ic"),
    ("ive", "ous", "able", "ible", "ful", "less"),
    ("ed",),
    ("ly",),
    ("ies", "es", "s"),
)
_NUMBER = {end: number for number, ends in enumerate(_ENDINGS, start=1) for end in ends}
_BY_LENGTH = sorted(_NUMBER, key=lambda end: (-len(end), end))

ENDINGS = 1 + len(_ENDINGS)
"""How many groups of English endings there are, with one for none of them."""


def pattern(tags: Sequence[str]) -> int:
    """The number of a sequence of universal tags; 0 for more than three tokens.

    Nouns (also proper ones), adjectives, verbs, prepositions with particles, and all others are told apart.
    """
    if len(tags) > _LONGEST:
        return 0
    number = 0
    for tag in tags:
        number = number * _OTHER + _CLASSES.get(tag, _OTHER)
    return number


def ending(word: str) -> int:
    """The number of the group of the longest known ending that leaves two letters of the word; else 0."""
    folded = word.casefold()
    for end in _BY_LENGTH:
        if folded.endswith(end) and len(folded) >= len(end) + 2:
            return _NUMBER[end]
    return 0


def is_acronym(word: str) -> bool:
    """Whether a word is in capitals, at least two of them, but for an s at its end: HTTP, SVMs, COVID-19."""
    letters = [character for character in word.removesuffix("s") if character.isalpha()]
    return len(letters) > 1 and all(character.isupper() for character in letters)
