"""Keys made of stems: phrases that differ in their endings are one candidate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from kpframe.language.stems import stemmer_of
from kpframe.model import Annotations, Place

__all__ = ["Stemmer", "stem_key"]

Stemmer = Literal["porter", "snowball", "lancaster"]


def stem_key(annotations: Annotations, method: Stemmer, language: str) -> Callable[[Place], str]:
    """The key of a place: its folded words' stems in a language (`method` is English), joined by a space."""
    stems = list(map(stemmer_of(language, method), annotations.folded_words))

    def key(place: Place) -> str:
        begin, end = place
        return stems[begin] if end == begin + 1 else " ".join(stems[begin:end])

    return key
