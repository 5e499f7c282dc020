"""A similarity of one's own: how much of the longer phrase both begin with.

python examples/stages/similarity/common_beginning.py
"""

from itertools import takewhile
from typing import ClassVar

import kpframe
from kpframe.stages import Similarity

__all__ = ["CommonBeginning"]


@kpframe.stage
class CommonBeginning(Similarity):
    """The share of the longer phrase's characters, case-folded, that both phrases begin with."""

    kind: ClassVar[str] = "common_beginning"
    source: ClassVar[str] = "kpframe"
    symmetric: ClassVar[bool] = True

    def compare(self, predicted: str, gold: str) -> float:
        """Common characters over those of the longer phrase, in 0 … 1; two empty phrases are equal."""
        left, right = predicted.casefold(), gold.casefold()
        longer = max(len(left), len(right))
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
        return common / longer if longer else 1.0


def main() -> None:
    """Score a near miss."""
    gold, predicted = {"1": ["neural network"]}, {"1": ["neural networks"]}
    matching = {"kind": "soft", "similarity": "common_beginning", "weighted": True}
    print(kpframe.score(gold, predicted, metrics="r_precision", matching=matching)[0].value)


if __name__ == "__main__":
    main()
