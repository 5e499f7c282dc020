"""Learning from documents: what a ranking must have seen before it can rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kpframe.annotation import Preprocessing, digest
from kpframe.errors import KpframeError, Problem, StageError
from kpframe.spec import Configuration
from kpframe.stages import Ranking, Selection

__all__ = ["Fit"]


@dataclass(frozen=True)
class Fit:
    """One thing to be learned; configurations that would learn the same share it."""

    id: str
    ranking: Ranking
    selection: Selection
    preprocessing: Preprocessing

    @classmethod
    def of(cls, configuration: Configuration, preprocessing: Preprocessing) -> Fit | None:
        """What `configuration` must learn, or None if its ranking learns nothing."""
        ranking, selection = configuration.ranking, configuration.selection
        if not ranking.fits_on():
            return None
        stages = [stage.to_spec() for stage in configuration.preprocessing]
        identity = digest([ranking.fit_identity(selection), stages])
        return cls(identity, ranking, selection, preprocessing)

    def learn(self, observations: Iterable[Any]) -> Mapping[str, Any]:
        """The fitted state; StageError that names the ranking if nothing can be learned."""
        try:
            return self.ranking.fit(observations)
        except KpframeError as error:
            problems = [
                Problem(f"ranking {self.ranking.kind}: {p.place}", p.problem, p.remedy)
                for p in error.problems
            ]
            raise StageError(problems) from None
