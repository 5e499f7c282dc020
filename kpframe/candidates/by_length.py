"""One selection for short texts and another for long ones."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from kpframe.model import Annotations, Candidates, Document
from kpframe.stages import Selection
from kpframe.stages.bounds import Bounded
from kpframe.stages.parts import SelectionPart

__all__ = ["ByLength"]


class ByLength(Bounded, Selection):
    """Selects by `below` in a text of fewer than `bound` tokens, by `above` in all others.

    What suits abstracts is poor on papers and the other way round (`pipelines/README.md` has the figures).
    The ranking `by_length` with the same `bound` ranks either kind of candidates its own way; bounds that are
    apart are refused.
    """

    source: ClassVar[str] = "kpframe"

    below: SelectionPart = Field(
        "noun_phrases", validate_default=True, description="The selection for short texts."
    )
    above: SelectionPart = Field("tokens", validate_default=True, description="The selection for long texts.")

    @model_validator(mode="after")
    def _one_level(self) -> Self:
        if self.below.level() != self.above.level():
            raise ValueError("below and above must both select words, or both lemmas")
        return self

    def level(self) -> Literal["words", "lemmas"]:
        """That of both selections."""
        return self.below.level()

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """The candidates of the selection for such a text."""
        chosen = self.below if len(annotations) < self.bound else self.above
        return chosen.select(document, annotations)
