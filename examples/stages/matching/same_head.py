"""A matching of one's own: phrases with the same last word match.

python examples/stages/matching/same_head.py
"""

from collections.abc import Sequence
from typing import ClassVar

import kpframe
from kpframe.matching._prepared import PreparedMatching
from kpframe.model import Gold, Matches

__all__ = ["SameHead"]


@kpframe.stage
class SameHead(PreparedMatching):
    """A phrase hits the first gold keyphrase, not yet hit, that has the same last token."""

    kind: ClassVar[str] = "same_head"
    source: ClassVar[str] = "kpframe"

    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; DataError if absent gold cannot be told."""
        # `prepare` normalises, unites what is equal and leaves out what does not count, as everywhere.
        prepared = self.prepare(predicted, gold, text)
        heads = [{v.tokens[-1] for v in group if v.tokens} for group in prepared.index.gold]
        free = set(range(len(heads)))
        hits: list[int] = []
        for phrase in prepared.phrases:
            hit = min((number for number in free if phrase.tokens[-1] in heads[number]), default=-1)
            free.discard(hit)
            hits.append(hit)
        return prepared.matches(hits, ["same head" if hit >= 0 else "" for hit in hits])


def main() -> None:
    """Score one prediction."""
    gold, predicted = {"1": ["neural network"]}, {"1": ["deep network"]}
    for name in ("exact", "same_head"):
        (found,) = kpframe.score(gold, predicted, metrics="r_precision", matching=name)
        print(name, found.value, found.signature)


if __name__ == "__main__":
    main()
