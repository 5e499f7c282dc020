"""Named entities, as a recogniser finds them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.candidates._phrase_core import CoreFinder
from kpframe.model import Annotations, Candidates, Document, Place
from kpframe.stages import Selection

__all__ = ["NamedEntities"]


class NamedEntities(Selection):
    """The named entities of the text, without punctuation and clitics at their ends.

    The paper takes all entities of its recogniser (persons, organisations, locations); models differ
    in what they label, so `labels` can restrict to comparable ones. Leading determiners are left
    off by default ("the United Nations" → "United Nations").
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4"

    labels: tuple[str, ...] | None = Field(
        None,
        min_length=1,
        description="Only entities with one of these labels of the model (as PERSON, ORG, GPE); null: all.",
    )
    determiners: Literal["drop", "keep"] = Field(
        "drop",
        description="Leading determiners and possessives of an entity: left off, or kept as the "
        "recogniser gives them. drop needs the pos layer.",
    )

    def requires(self) -> frozenset[str]:
        """Entities, and parts of speech to tell determiners."""
        return frozenset({"entities", "pos"} if self.determiners == "drop" else {"entities"})

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """One place for every entity that has a word left."""
        finder = CoreFinder(annotations, "determiners" if self.determiners == "drop" else "nothing")
        cores = (finder.core(begin, end) for begin, end in self._entities(annotations))
        return Candidates.build(document, annotations, (core for core in cores if core))

    def _entities(self, annotations: Annotations) -> list[Place]:
        annotations.require("entities")
        assert annotations.entities is not None
        entities: list[Place] = [(begin, end) for begin, end in annotations.entities.tolist()]
        if self.labels is None:
            return entities
        assert annotations.entity_labels is not None
        labels = annotations.strings(annotations.entity_labels)
        return [place for place, label in zip(entities, labels, strict=True) if label in self.labels]
