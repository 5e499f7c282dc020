"""BERTScore of a pair of phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from kpframe.model.folding import squeeze
from kpframe.similarity._encoder import load, missing_packages, revision
from kpframe.similarity._greedy_cosine import TokenVectors, greedy_score
from kpframe.stages import Similarity

__all__ = ["BertScore"]


class BertScore(Similarity):
    """How well the tokens of two phrases match by the cosine of their contextual vectors.

    Needs `pip install "kpframe[bertscore]"` and a model on this machine; nothing is downloaded. Each
    token is matched with the token of the other phrase that is most like it (greedily, many to one);
    special tokens may be matched but do not count, as in the authors' program, and there is no idf.

    Raw values crowd together near the top, so that (x − baseline) / (1 − baseline) is taken, and what is
    below 0 becomes 0, where the authors leave it negative. Layers, and the baselines of F that the
    authors of BERTScore measured, for the models of Kundu et al.: roberta-large, layer 17, .83122575;
    microsoft/deberta-large-mnli, layer 18, .45173016; allenai/scibert_scivocab_uncased, layer 8, .5322364.

    Phrases are compared as they are written. Vectors are computed in single precision, in batches of
    equally long phrases: values may differ in the sixth decimal between machines and batches.
    """

    source: ClassVar[str] = "Zhang et al. 2020, section 3; Kundu et al. 2023, section 2.3 and appendix C"
    symmetric: ClassVar[bool] = False
    """Precision and recall change places with the phrases; F stays."""

    model: str = Field(
        "roberta-large", description="The name of a model on the Hugging Face hub, or a folder with one."
    )
    layer: int = Field(17, ge=0, description="The hidden layer that gives the vectors; 0: the embeddings.")
    baseline: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="The value that two phrases reach by chance, which becomes 0; 0: as it is.",
    )
    measure: Literal["f", "precision", "recall"] = Field(
        "f",
        description="precision: over the tokens of the prediction; recall: of the gold keyphrase; f: both.",
    )

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Packages that are missing."""
        if (error := missing_packages()) is not None:
            for found in error.problems:
                yield "model", found.problem, found.remedy

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the revision of the model."""
        return {**self.to_spec(), "revision": revision(self.model)}

    def compare(self, predicted: str, gold: str) -> float:
        """The similarity in 0 … 1; ResourceError if packages or the model are missing."""
        return self.matrix([predicted], [gold])[0][0]

    def matrix(self, predicted: Sequence[str], gold: Sequence[str]) -> list[list[float]]:
        """A row for each predicted phrase; all phrases go through the model together."""
        rows, columns = [squeeze(phrase) for phrase in predicted], [squeeze(phrase) for phrase in gold]
        vectors = load(self.model, self.layer).encode(filter(None, [*rows, *columns]))
        return [[self._value(vectors.get(p), vectors.get(g)) for g in columns] for p in rows]

    def _value(self, predicted: TokenVectors | None, gold: TokenVectors | None) -> float:
        if predicted is None or gold is None:
            return 0.0
        score: float = getattr(greedy_score(predicted, gold), self.measure)
        return min(max((score - self.baseline) / (1.0 - self.baseline), 0.0), 1.0)
