"""What is known of words and phrases of many texts, asked for as one text writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from kpframe.model.folding import fold_word

__all__ = ["ByFolded", "by_folded", "folded_keys"]

Known = TypeVar("Known")


class ByFolded(dict[str, Known]):
    """A mapping from folded words or phrases, which may be asked for in any form that matching takes for one.

    A candidate is called as the first of its forms in its text, CO₂ here and CO2 there.
    """

    def get(self, key: str, default: Any = None) -> Any:
        """What is known of a word or phrase."""
        return super().get(fold_word(key), default)


def folded_keys(keys: Iterable[str]) -> list[str]:
    """The keys of one text, folded, each once."""
    return list(dict.fromkeys(map(fold_word, keys)))


def by_folded(known: Mapping[str, Known], joined: Callable[[Known, Known], Known]) -> ByFolded[Known]:
    """The same by folded keys; `joined` makes one of what is known of two that become equal."""
    folded: ByFolded[Known] = ByFolded()
    for key, value in known.items():
        name = fold_word(key)
        folded[name] = joined(value, folded[name]) if name in folded else value
    return folded
