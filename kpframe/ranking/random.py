"""Rank candidates by chance: the floor that every ranking must beat."""

from __future__ import annotations

from hashlib import blake2b
from typing import ClassVar

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

__all__ = ["Random"]


class Random(Ranking):
    """Scores uniform in 0 … 1 (1 excluded), the same on every machine.

    The score of a candidate depends on the seed, the id of its document and its key alone, thus
    neither on the order of documents nor on the other candidates.
    """

    source: ClassVar[str] = "the random ranking of DKPro Keyphrases, the paper's framework, but seeded"

    seed: int = Field(0, le=2**64 - 1, description="Other seeds give other, equally random orders.")

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates in an order drawn by the seed."""
        of_document = blake2b(
            f"{self.seed}\0{candidates.document.id}\0".encode("utf-8", "surrogatepass"), digest_size=8
        )
        scores = []
        for key in candidates.keys:
            digest = of_document.copy()
            digest.update(key.encode("utf-8", "surrogatepass"))
            scores.append((int.from_bytes(digest.digest(), "big") >> 11) / 2**53)
        return Keyphrases.ranked(candidates, scores)
