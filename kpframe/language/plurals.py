"""Singular and plural."""

from __future__ import annotations

from functools import cache, lru_cache

from kpframe.files.resources import read_pairs

__all__ = ["is_plural_of"]


@cache
def _irregular_plurals() -> frozenset[tuple[str, str]]:
    return frozenset(read_pairs("plurals/en"))


@lru_cache(maxsize=200_000)
def is_plural_of(plural: str, singular: str) -> bool:
    """Whether the lower-case English noun `plural` is a plural of `singular`.

    By -s ("cats", not after s, x, z, ch or sh), -es after s, x, z, ch, sh or o ("buses"), -ies for
    consonant + y ("queries"), or by the table of irregular plurals. "cas" is no plural of "cat".
    """
    if len(singular) < 2:
        return False
    hissing = singular.endswith(("s", "x", "z", "ch", "sh"))
    if plural == singular + "s":
        return not hissing or singular.endswith("ch")
    if plural == singular + "es":
        return hissing or singular.endswith("o")
    if singular.endswith("y") and singular[-2:-1] not in "aeiou" and plural == singular[:-1] + "ies":
        return True
    return (singular, plural) in _irregular_plurals()
