"""Articles, pronouns and the like that lose their vowel and stand before an apostrophe: l'armée, d'ahir."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ELIDED", "elided_stop_words"]

_ROMANCE = "d l m n s t"
_PIECES = {
    "fr": "c d j l m n qu s t jusqu lorsqu puisqu quoiqu",
    "it": "c d l m n s t v un all bell coll dall dell dov anch com neanch nell quell quest sant sull tutt "
    "gl degl agl dagl negl sugl",
    "ca": _ROMANCE,
    "oc": f"{_ROMANCE} qu",
    "ast": f"{_ROMANCE} qu",
    "co": f"{_ROMANCE} c un",
    "fur": f"{_ROMANCE} c un",
    "ga": "d m",
    "gd": "d m",
    "lb": "d",
    "lij": f"{_ROMANCE} c un",
    "lmo": f"{_ROMANCE} c v un",
    "nap": f"{_ROMANCE} c v",
    "pms": f"{_ROMANCE} c j un",
    "rm": "d l n s",
    "sc": f"{_ROMANCE} un",
    "scn": f"{_ROMANCE} c v un",
    "vec": f"{_ROMANCE} c v un",
    "wa": f"{_ROMANCE} c j qu",
}
# Languages beyond the first four have no piece that those do not have: matching, which does not know the
# language, parts all of them ("O'Brien" has to stay whole).
_NAMING = frozenset({"bell", "sant"})
"""Elided, but no function words: bell'Italia, Sant'Agostino."""

ELIDED: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _PIECES.items()
}
"""For each language (ISO 639) the beginnings of words that an apostrophe parts from what follows, folded."""


def elided_stop_words(language: str) -> frozenset[str]:
    """The elided function words of a language as they stand in texts, folded; none where there are none."""
    return frozenset(f"{piece}'" for piece in ELIDED.get(language, frozenset()) - _NAMING)
