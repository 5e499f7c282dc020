"""A post-processing step of one's own: phrases with too many digits go.

python examples/stages/postprocessing/without_digits.py
"""

from typing import ClassVar

from pydantic import Field

import kpframe
from kpframe.model import Keyphrases
from kpframe.stages import Postprocessor

__all__ = ["WithoutDigits"]


@kpframe.stage
class WithoutDigits(Postprocessor):
    """Removes phrases of which more than a share of the characters are digits."""

    kind: ClassVar[str] = "without_digits"
    source: ClassVar[str] = "kpframe"

    share: float = Field(0.5, ge=0, le=1, description="The greatest share of digits that a phrase may have.")

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases that stay, in their order."""
        return keyphrases.kept([entry for entry in keyphrases if self._stays(entry.surface)])

    def _stays(self, surface: str) -> bool:
        return sum(map(str.isdigit, surface)) <= self.share * len(surface)


def main() -> None:
    """Add the step behind those of a shipped pipeline."""
    settings = ["candidates=ngrams", "ranking=frequency", "postprocessing=[without_digits]"]
    pipeline = kpframe.Pipeline.load("textrank", settings=settings)
    print(
        [keyphrase.text for keyphrase in pipeline.extract("Room 101 and room 102 have 30 seats each.", top=5)]
    )


if __name__ == "__main__":
    main()
