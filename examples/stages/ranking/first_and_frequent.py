"""A ranking of one's own, compared with TextRank under equal conditions.

python examples/stages/ranking/first_and_frequent.py

`first_and_frequent` rewards candidates that come early and often. Once its class is decorated, specs know
it like the rankings that kpframe ships: with parameters that are checked, and documented by
`kpframe stages`. Both systems share documents, candidates, post-processing and evaluation.
"""

import math
import tempfile
from pathlib import Path
from typing import ClassVar

from pydantic import Field

import kpframe
from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

__all__ = ["FirstAndFrequent"]


@kpframe.stage
class FirstAndFrequent(Ranking):
    """Frequency, damped by the distance of the first occurrence from the beginning of the text."""

    kind: ClassVar[str] = "first_and_frequent"
    source: ClassVar[str] = "kpframe"

    half_way: int = Field(
        100, ge=1, description="Tokens from the beginning after which an occurrence is worth half as much."
    )

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Score every candidate; ties are ordered by place in the text."""
        scores = [
            math.log1p(len(places)) * 0.5 ** (places[0][0] / self.half_way) for places in candidates.places_of
        ]
        return Keyphrases.ranked(candidates, scores)


SPEC = """\
name: my-ranking
documents: {kind: jsonl, resource: corpora/demo}
preprocessing: [tokenize, pos]
candidates: {kind: tokens, pos: [noun, adjective]}
postprocessing: [merge_adjacent, stopwords, token_length]
matching: [exact, approximate]
metrics: [r_precision, precision@5]
sweep:
  ranking:
    textrank: cooccurrence
    mine: first_and_frequent
    mine-near: {kind: first_and_frequent, half_way: 20}
"""


def main() -> None:
    """Run the comparison in a temporary folder and print its table."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "my-ranking.yaml"
        spec.write_text(SPEC, encoding="utf-8")
        run = kpframe.Experiment.load(spec).run(out=Path(folder) / "run")
    print(run.text)


if __name__ == "__main__":
    main()
