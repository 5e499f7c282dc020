"""Embed texts by a model of the sentence-transformers library."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from kpframe.embedding._folder_checksum import folder_checksum
from kpframe.errors import KpframeError, ResourceError
from kpframe.files.changes import while_unchanged
from kpframe.stages import Embedding

__all__ = ["SentenceTransformers"]

_KEPT = 16_384
"""Vectors that a process keeps (50 MB for a model of 384 dimensions): phrases come again and again."""


class SentenceTransformers(Embedding):
    """The vector that a sentence-transformers model gives a text, from a folder on this machine.

    The folder is what `SentenceTransformer.save` writes or the hub holds; it may also hold a plain model of
    the transformers library, whose token vectors are then averaged. Nothing is downloaded. Texts longer than
    the model takes (256 to 512 pieces of words) are cut. Each text goes alone, so that a vector does not
    depend on the texts beside it: .01 to .05 seconds for a phrase on a CPU, and more for a text.
    """

    source: ClassVar[str] = "Reimers & Gurevych 2019 (Sentence-BERT), section 3"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="The folder of a model.")

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Missing libraries, or a folder that is not there."""
        try:
            _refuse_missing(self.path)
        except KpframeError as error:
            yield from error.about("path")

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """A checksum of the folder; where it lies does not matter."""
        found = folder_checksum(self.path) if Path(self.path).is_dir() else None
        return {"kind": self.kind, "sha256": found}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Vectors in single precision, as the model gives them; ResourceError if it cannot be used."""
        return _loaded(self.path).encode(texts)


def _refuse_missing(path: str) -> None:
    """Libraries first: nobody should look for a folder that nothing could read."""
    if importlib.util.find_spec("sentence_transformers") is None:
        raise ResourceError.at(
            "embedding: sentence_transformers",
            "needs what is not installed: sentence-transformers",
            'install it with: pip install "kpframe[embeddings]"',
        )
    if not Path(path).is_dir():
        raise ResourceError.at(path, "is not a folder", "give the folder of a model; nothing is downloaded")


@dataclass(frozen=True, eq=False)
class _Model:
    model: Any
    kept: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.stack([self._vector(text) for text in texts]) if texts else np.zeros((0, 1))

    def _vector(self, text: str) -> NDArray[np.float64]:
        found = self.kept.get(text)
        if found is None:
            made = self.model.encode([text], batch_size=1, show_progress_bar=False, convert_to_numpy=True)
            found = np.asarray(made[0], dtype=np.float64)
            if len(self.kept) >= _KEPT:
                self.kept.pop(next(iter(self.kept)))
            self.kept[text] = found
        return found


@while_unchanged(4)
def _loaded(path: str) -> _Model:
    _refuse_missing(path)
    library = importlib.import_module("sentence_transformers")
    try:
        return _Model(library.SentenceTransformer(path, device="cpu", local_files_only=True))
    except (OSError, ValueError, KeyError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ResourceError.at(path, f"cannot be loaded ({reason})", "repair or replace the folder") from None
