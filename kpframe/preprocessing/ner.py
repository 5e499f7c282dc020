"""Named entities by spaCy's recogniser."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from kpframe.errors import ResourceError, suggestion
from kpframe.language import models as language_model
from kpframe.preprocessing._spacy_pass import EntityLabels, Request, SpacyAnnotator

__all__ = ["NUMERIC", "Ner"]

NUMERIC = frozenset({"CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})
"""Labels of entities that are mere numbers, amounts and dates."""


class Ner(SpacyAnnotator):
    """Named entities with their labels (for English those of OntoNotes: ORG, PERSON, GPE, …).

    By default numbers, amounts and dates are left out, because they are no keyphrases. The paper
    used the Stanford recogniser, whose labels are PERSON, ORGANIZATION and LOCATION.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, figure 1 (named entity recognition); spaCy 3.8"

    labels: list[str] | None = Field(
        None,
        min_length=1,
        description="Keep only entities with these labels of the model; null: all but CARDINAL, DATE, "
        "MONEY, ORDINAL, PERCENT, QUANTITY and TIME.",
    )

    def requires(self) -> frozenset[str]:
        """tokens."""
        return frozenset({"tokens"})

    def provides(self) -> frozenset[str]:
        """entities (with entity_labels)."""
        return frozenset({"entities"})

    def ask(self, request: Request) -> Request:
        """Adds the wanted labels."""
        only = None if self.labels is None else frozenset(self.labels)
        return replace(super().ask(request), labels=EntityLabels(only, NUMERIC))

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Models that are not installed, and labels that a model does not have."""
        yield from super().problems(languages)
        for name in self._models(languages):
            known = _labels(name)
            for label in self.labels or []:
                if known and label not in known:
                    hint = suggestion(label, known)
                    yield "labels", f"the model for {name!r} has no label {label!r}", hint


@cache
def _labels(model: str) -> list[str]:
    """The entity labels that a model's description lists; [] if it is not installed or lists none."""
    try:
        found = importlib.util.find_spec(language_model.module_name(model))
    except ResourceError:
        return []
    if found is None or found.origin is None:
        return []
    try:
        meta = json.loads((Path(found.origin).parent / "meta.json").read_text(encoding="utf-8"))
        return sorted(map(str, meta["labels"]["ner"]))
    except (OSError, ValueError, KeyError):
        return []
