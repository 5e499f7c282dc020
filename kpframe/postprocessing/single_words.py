"""Keep single words only if they are of certain parts of speech."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from kpframe.language.parts_of_speech import PartOfSpeechNames, parse, tagged
from kpframe.model import Keyphrases, Place
from kpframe.stages import Postprocessor

__all__ = ["SingleWords"]


class SingleWords(Postprocessor):
    """Drops phrases of one token that nowhere have one of the parts of speech `pos`: lone adjectives.

    Phrases of several tokens stay, whatever they are made of. A phrase that stands nowhere in the text
    stays too.
    """

    source: ClassVar[str] = "kpframe; table of what was tried in the README of pipelines/"

    pos: PartOfSpeechNames = Field(
        ("noun",),
        description="Parts of speech that a single word may have: universal classes in lower case "
        "or Penn tags.",
    )

    def requires(self) -> frozenset[str]:
        """The layer that `pos` is looked up in."""
        return frozenset({parse(self.pos).layer})

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases without lone words of other parts of speech."""
        good = tagged(keyphrases.annotations, self.pos).tolist()
        kept = [entry for entry in keyphrases.entries if _stays(entry.places, good)]
        return keyphrases if len(kept) == len(keyphrases) else keyphrases.kept(kept)


def _stays(places: Sequence[Place], good: Sequence[bool]) -> bool:
    for begin, end in places:
        if end > begin + 1 or good[begin]:
            return True
    return not places
