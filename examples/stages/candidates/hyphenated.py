"""A selection of one's own: compounds with a hyphen.

python examples/stages/candidates/hyphenated.py
"""

from typing import ClassVar

from pydantic import Field

import kpframe
from kpframe.model import Annotations, Candidates, Document
from kpframe.stages import Selection

__all__ = ["Hyphenated"]


@kpframe.stage
class Hyphenated(Selection):
    """Selects single tokens that hold a hyphen between letters or digits."""

    kind: ClassVar[str] = "hyphenated"
    source: ClassVar[str] = "kpframe"

    hyphens: int = Field(1, ge=1, description="The smallest number of hyphens in a token.")

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """A place for every such token."""
        words = annotations.strings(annotations.words)
        places = [(i, i + 1) for i, word in enumerate(words) if self._is_compound(word)]
        return Candidates.build(document, annotations, places)

    def _is_compound(self, word: str) -> bool:
        parts = word.split("-")
        return len(parts) > self.hyphens and all(part.isalnum() for part in parts)


def main() -> None:
    """Extract compounds."""
    pipeline = kpframe.Pipeline.load("textrank", settings=["candidates=hyphenated"])
    text = "A state-of-the-art end-of-life policy, and one more end-of-life rule."
    print([keyphrase.text for keyphrase in pipeline.extract(text)])


if __name__ == "__main__":
    main()
