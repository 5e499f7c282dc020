"""Embed texts by the letters they are made of: needs no model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from kpframe.model.remembered import remembered
from kpframe.stages import Embedding

__all__ = ["Trigrams"]


class Trigrams(Embedding):
    """How often each group of three characters stands in a text, hashed into a few numbers.

    Two blanks are put before the lower-cased text and one behind it; a group counts in the place that
    CRC-32 of its UTF-8, divided by `dimensions`, leaves. It knows spelling and nothing of meaning: good for
    trying out what works with vectors, and to see how much better a model is than none.
    """

    source: ClassVar[str] = "Weinberger et al. 2009 (feature hashing), section 2, without signs"

    dimensions: int = Field(64, ge=1, le=65_536, description="How many numbers a vector has.")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Counts of the groups of each text."""
        padded = [f"  {text.lower()} " for text in texts]
        lengths = [len(text) - 2 for text in padded]
        groups = chain.from_iterable([text[i : i + 3] for i in range(len(text) - 2)] for text in padded)
        places = np.fromiter(map(_hashed, groups), np.int64, sum(lengths)) % self.dimensions
        places += self.dimensions * np.repeat(np.arange(len(texts)), lengths)
        counts = np.bincount(places, minlength=len(texts) * self.dimensions)
        return counts.reshape(-1, self.dimensions).astype(np.float64)


@remembered
def _hashed(group: str) -> int:
    # A lone surrogate, which a text from JSON may have, has no UTF-8.
    return zlib.crc32(group.encode("utf-8", "surrogatepass"))
