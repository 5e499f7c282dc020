"""An annotator of one's own: runs of capitalised words as entities, without a model.

python examples/stages/preprocessing/capital_runs.py
"""

from itertools import groupby
from typing import ClassVar

import numpy as np
from pydantic import Field

import kpframe
from kpframe.model import Annotations, Document
from kpframe.stages import Annotator

__all__ = ["CapitalRuns"]


@kpframe.stage
class CapitalRuns(Annotator):
    """Takes runs of capitalised words inside a sentence, its first word aside, for named entities."""

    kind: ClassVar[str] = "capital_runs"
    source: ClassVar[str] = "kpframe"

    least: int = Field(1, ge=1, description="The smallest number of words of a run.")

    def requires(self) -> frozenset[str]:
        """Tokens."""
        return frozenset({"tokens"})

    def provides(self) -> frozenset[str]:
        """Entities."""
        return frozenset({"entities"})

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """The same annotations with the layer of entities."""
        assert annotations is not None  # the engine runs what is required first
        words = annotations.strings(annotations.words)
        found: list[tuple[int, int]] = []
        for begin, end in annotations.sentences.tolist():
            # The first word of a sentence is written with a capital whatever it is.
            for capital, run in groupby(range(begin + 1, end), lambda i: words[i][:1].isupper()):
                places = list(run)
                if capital and len(places) >= self.least:
                    found.append((places[0], places[-1] + 1))
        spans = np.array(found, dtype=np.int32).reshape(-1, 2)
        number = len(annotations.vocabulary)
        return annotations.with_layers(
            vocabulary=(*annotations.vocabulary, "RUN"),
            entities=spans,
            entity_labels=np.full(len(found), number, dtype=np.int32),
        )


SETTINGS = [
    "preprocessing=[simple, capital_runs]",
    "candidates={kind: named_entities, determiners: keep}",
    "ranking=frequency",
    "postprocessing=[merge_adjacent, stopwords]",
]


def main() -> None:
    """Extract entities without any language model."""
    pipeline = kpframe.Pipeline.load("textrank", settings=SETTINGS)
    text = "Yesterday the White Star Line denied it. Everybody at the White Star Line was calm."
    print([keyphrase.text for keyphrase in pipeline.extract(text)])


if __name__ == "__main__":
    main()
