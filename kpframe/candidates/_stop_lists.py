"""The union of several of the shipped stop lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from kpframe.files.resources import manifest, read_words
from kpframe.language.normalize import fold

__all__ = ["stop_words", "unknown_lists"]

_FOLDER = "stopwords/"


@lru_cache(maxsize=64)
def stop_words(names: tuple[str, ...]) -> frozenset[str]:
    """The folded entries of all lists `names` (as `en`); ResourceError for an unknown list."""
    return frozenset(fold(entry) for name in names for entry in read_words(_FOLDER + name))


def unknown_lists(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """(problem, remedy) for each of `names` that is not shipped."""
    known = sorted(name.removeprefix(_FOLDER) for name in manifest() if name.startswith(_FOLDER))
    for name in names:
        if name not in known:
            yield f"there is no stop list {name!r}", f"there are: {', '.join(known)}"
