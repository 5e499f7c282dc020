"""Embed texts by the word vectors of a spaCy model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from kpframe.embedding._folder_checksum import folder_checksum
from kpframe.errors import KpframeError, ResourceError
from kpframe.files.changes import while_unchanged
from kpframe.language import models
from kpframe.stages import Embedding

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["SpacyVectors"]


class SpacyVectors(Embedding):
    """The mean of the vectors of a text's tokens, by a spaCy model that has vectors (`_md`, `_lg`).

    Tokens without a vector count as zeros, as spaCy has it. The model's tagger and parser are not run. The
    models that kpframe itself needs (`_sm`) have no vectors.
    """

    source: ClassVar[str] = "spaCy's Doc.vector"

    model: str = Field(
        description="An installed package, as en_core_web_md, or the folder of a model (relative to where "
        "the command is typed)."
    )

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A model that is not there, or has no vectors."""
        try:
            _loaded(self.model)
        except KpframeError as error:
            yield from error.about("model")

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """The name, and a checksum of what lies there."""
        if Path(self.model).is_dir():
            return {"kind": self.kind, "sha256": folder_checksum(self.model)}
        try:
            return {**self.to_spec(), "model_identity": models.identity(self.model)}
        except ResourceError:  # told by problems()
            return self.to_spec()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Means over tokens; ResourceError if the model cannot be used."""
        language = _loaded(self.model)
        rows = [language.make_doc(text).vector for text in texts]
        found: NDArray[np.float64] = np.array(rows, dtype=np.float64).reshape(
            len(rows), language.vocab.vectors_length
        )
        return found


@while_unchanged(4)
def _loaded(model: str) -> Language:
    import spacy

    if Path(model).is_dir():
        try:
            language = spacy.load(model)
        except (OSError, ValueError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise ResourceError.at(
                f"model {model!r}", f"cannot be loaded ({reason})", "repair or replace the folder"
            ) from None
    else:
        language = models.load(model)
    if not language.vocab.vectors_length:
        raise ResourceError.at(
            f"model {model!r}", "has no word vectors", "give a model that has, as en_core_web_md"
        )
    return language
