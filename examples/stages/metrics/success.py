"""A metric of one's own: is there any hit among the first k?

python examples/stages/metrics/success.py
"""

from typing import ClassVar

from pydantic import Field

import kpframe
from kpframe.model import Matches
from kpframe.stages import Counts, Metric

__all__ = ["Success"]


@kpframe.stage
class Success(Metric):
    """The share of documents with at least one hit among the first k phrases. Counts: hit, document."""

    kind: ClassVar[str] = "success"
    source: ClassVar[str] = "Craswell and Hawking 2004, success at n"
    short: ClassVar[str] = "k"

    k: int = Field(5, ge=1, description="How many phrases count.")

    def label(self) -> str:
        """`success@5`, and whatever else is not the default."""
        averaged = "" if self.average == "macro" else f"(average={self.average})"
        emptied = "" if self.empty == "skip" else f"(empty={self.empty})"
        return f"{self.kind}{averaged}{emptied}@{self.k}"

    def count(self, matches: Matches) -> Counts:
        """1 or 0 hits, and 1 document."""
        return int(matches.hits_at(self.k) > 0), 1

    def value(self, counts: Counts) -> float:
        """Documents with a hit over documents, in 0 … 1."""
        hit, documents = counts
        return hit / documents if documents else 0.0


def main() -> None:
    """Score two documents."""
    gold = {"1": ["neural network"], "2": ["graph kernel"]}
    predicted = {"1": ["network", "neural network"], "2": ["graph"]}
    for k in (1, 5):
        (found,) = kpframe.score(gold, predicted, metrics=f"success@{k}", matching="exact")
        print(found.metric, found.value)


if __name__ == "__main__":
    main()
