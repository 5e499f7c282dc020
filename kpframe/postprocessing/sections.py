"""Leave out phrases that stand in certain sections of a paper alone."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from kpframe.model import Annotations, Keyphrases
from kpframe.stages import Postprocessor

__all__ = ["Sections"]

_Kind = Literal[
    "title", "abstract", "keywords", "introduction", "related_work", "method", "experiments", "discussion",
    "conclusion", "acknowledgements", "references", "appendix", "caption", "other", "front_matter",
]  # fmt: skip


class Sections(Postprocessor):
    """Drops phrases all of whose places begin in sections of the kinds `drop`: authors, addresses.

    A phrase that stands elsewhere too stays, and so does one that stands nowhere in the text. What ranks by
    frequency or position has counted all places before. A text in which no section is to be seen (see the
    annotator `sections`) loses nothing.
    """

    source: ClassVar[str] = "kpframe; table of what was tried in the README of pipelines/"

    drop: tuple[_Kind, ...] = Field(
        ("front_matter",), min_length=1, description="Kinds of sections whose phrases are left out."
    )

    def requires(self) -> frozenset[str]:
        """sections."""
        return frozenset({"sections"})

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases that stand in other sections too."""
        inside = _inside(keyphrases.annotations, frozenset(self.drop))
        if not inside.any():
            return keyphrases
        return keyphrases.kept(
            entry
            for entry in keyphrases
            if not entry.places or not all(inside[begin] for begin, _ in entry.places)
        )


def _inside(annotations: Annotations, kinds: frozenset[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """For each token whether it is in a section of one of the kinds."""
    assert annotations.sections is not None and annotations.section_kinds is not None
    inside = np.zeros(len(annotations), dtype=np.bool_)
    named = annotations.strings(annotations.section_kinds)
    for kind, (begin, end) in zip(named, annotations.sections.tolist(), strict=True):
        if kind in kinds:
            inside[begin:end] = True
    return inside
