"""An embedding of one's own: how often each vowel stands in a text.

python examples/stages/embedding/vowels.py
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

import kpframe
from kpframe.stages import Embedding

__all__ = ["Vowels"]


@kpframe.stage
class Vowels(Embedding):
    """Counts of a, e, i, o and u."""

    kind: ClassVar[str] = "vowels"
    source: ClassVar[str] = "kpframe"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Five numbers for each text."""
        return np.array([[text.casefold().count(vowel) for vowel in "aeiou"] for text in texts], dtype=float)


def main() -> None:
    """Keyphrases whose vowels are those of the text."""
    pipeline = kpframe.Pipeline.load("embedrank", settings=["ranking.embedding=vowels"])
    print([keyphrase.text for keyphrase in pipeline.extract("Red kites soar over the weather station.")])


if __name__ == "__main__":
    main()
