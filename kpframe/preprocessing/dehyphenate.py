"""Words that a line end has broken, whole again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pydantic import Field

from kpframe.language import models as language_model
from kpframe.language.english_words import is_english_word
from kpframe.model import Traced
from kpframe.model.traced import Edit
from kpframe.stages import Cleaner

__all__ = ["Dehyphenate"]

_BROKEN = re.compile(r"(?<!\w)(\w++)([-‐\u00ad])[ \t]*(?:\r\n?|\n)[ \t]*(?=[^\W_])(\w+)")
_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_ELLIPTIC = frozenset({"and", "bzw", "e", "et", "o", "oder", "or", "ou", "resp", "to", "und", "y"})
"""Words before which a hyphen stands for something left out ("pre- and postprocessing")."""


class Dehyphenate(Cleaner):
    """Joins words broken at line ends ("capabili-⏎ties"), keeps real compounds ("price-⏎determining").

    The line break goes in both cases, all other line breaks stay. For each break the first of these
    rules that applies decides:

    1. a digit, a name, an acronym or a lone letter at the hyphen ("COVID-⏎19", "Smith-⏎Jones",
       "LGPL-⏎licensed", "e-⏎commerce"): the hyphen stays;
    2. one form, joined or hyphenated, is more frequent in the rest of the text: that form;
    3. the joined form is an English word: joined;
    4. both halves are words of the rest of the text, or English words: the hyphen stays;
    5. otherwise: joined.

    Before "and", "or" and the like nothing is changed ("pre-⏎and postprocessing"). Not in the paper.
    """

    source: ClassVar[str] = "Grefenstette and Tapanainen 1994, What is a word, what is a sentence?"

    english: bool = Field(
        True,
        description="Whether to look words up in the word list of the English model (rules 3 and 4); "
        "false: decide by the text alone.",
    )

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """Parameters, and the model whose word list is read."""
        return {**self.to_spec(), **({"model": language_model.identity("en")} if self.english else {})}

    def clean(self, text: str) -> str:
        """`text` with its broken words made whole."""
        return self.edit(Traced.of(text)).text

    def edit(self, text: Traced) -> Traced:
        """The same, with the way back."""
        return text.edited(self._edits(text.text))

    def _edits(self, text: str) -> Iterator[Edit]:
        """What goes: the line end, with the hyphen or without."""
        if not _BROKEN.search(text):
            return
        rest = Counter(word.casefold() for word in _WORDS.findall(_BROKEN.sub(" ", text)))
        for found in _BROKEN.finditer(text):
            left, hyphen, right = found.groups()
            if right.casefold() not in _ELLIPTIC:
                keep = hyphen != "\u00ad" and self._is_compound(left, right, rest)
                yield found.end(2) if keep else found.start(2), found.start(3), ""

    def _is_compound(self, left: str, right: str, rest: Counter[str]) -> bool:
        if left[-1].isdigit() or right[0].isdigit() or len(left) == 1:
            return True
        if left.isupper() != right.isupper() and (left.isupper() or right[0].isupper()):
            return True
        first, second = left.casefold(), right.casefold()
        joined, hyphenated = rest[first + second], rest[f"{first}-{second}"]
        if joined != hyphenated:
            return hyphenated > joined
        if self.english and is_english_word(first + second):
            return False
        return self._is_word(first, rest) and self._is_word(second, rest)

    def _is_word(self, half: str, rest: Counter[str]) -> bool:
        return len(half) > 1 and (half in rest or (self.english and is_english_word(half)))
