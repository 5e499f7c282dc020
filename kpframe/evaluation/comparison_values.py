"""What a comparison says: contrasts of systems, what was left out, verdicts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

from kpframe.statistics.significance import Correction, Interval, Zeros

__all__ = ["Choice", "Comparison", "Contrast", "Omissions", "Test", "Verdict"]

Test = Literal["randomisation", "t", "wilcoxon", "bootstrap"]
Choice = Literal["best", "given", "all pairs"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """One system against one baseline, on the `documents` that count for both.

    Scores, `difference` (system minus baseline) and all else are over these documents alone;
    `only_system` and `only_baseline` count those that count for one of the two. `interval` is the
    confidence interval of the difference at 1 - level, not corrected for the number of contrasts.
    `relative`, `d_z`, `wins`, `ties`, `losses` and `superiority` are as in `significance.Effect`, and
    all but the first are of the values of single documents. `detectable` is the difference that a
    single test on so many documents finds with a probability of 0.8, None where the two never
    differ, or where that is more than a measure in 0 … 1 can differ: so few documents show nothing.
    """

    system: str
    baseline: str
    documents: int
    only_system: int
    only_baseline: int
    score: float
    baseline_score: float
    difference: float
    relative: float | None
    interval: Interval | None
    d_z: float | None
    wins: int
    ties: int
    losses: int
    superiority: float
    detectable: float | None
    p: float
    corrected_p: float
    significant: bool

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**plain, "interval": self.interval.to_json() if self.interval else None}


@dataclass(frozen=True, slots=True)
class Omissions:
    """Documents, of all that any system has, that do not count for every system, and why.

    `missing`: a system does not have it; `failed`: it failed in a system; `uncounted`: it is in no
    average by the measure's own rule, as where no gold keyphrase is left. One may be in several.
    `unequal_gold` counts documents for which not all systems have the same number of gold keyphrases,
    as where they clean texts differently: these do count. `unfinished` are cells without results.
    """

    missing: int = 0
    failed: int = 0
    uncounted: int = 0
    unequal_gold: int = 0
    unfinished: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**plain, "unfinished": list(self.unfinished)}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The contrasts of one column.

    `level` is the level of significance that corrected p are compared to. `systems` have their scores
    over the documents that count for all of them (where there are none, over their own), the best first;
    `contrasts` are in that order, too. `choice` says how
    baselines were chosen: `best`, `given` or `all pairs`. `draws` and `seed` are of tests that draw
    (0 draws: the test draws nothing), `zeros` of Wilcoxon's (None: another test). `documents` counts
    all documents that any system has. A system without a score (None) is in no contrast.
    """

    column: str
    test: Test
    draws: int
    seed: int
    zeros: Zeros | None
    correction: Correction
    level: float
    choice: Choice
    baselines: tuple[str, ...]
    systems: tuple[tuple[str, float | None], ...]
    contrasts: tuple[Contrast, ...]
    documents: int
    omissions: Omissions

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {
            **{field.name: getattr(self, field.name) for field in fields(self)},
            "baselines": list(self.baselines),
            "systems": [{"system": system, "score": score} for system, score in self.systems],
            "contrasts": [contrast.to_json() for contrast in self.contrasts],
            "omissions": self.omissions.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a cell differs from the best one of its column; p are None for the best itself,
    and for a cell that shares no document with it or has no score.
    """

    best: bool
    p: float | None = None
    corrected_p: float | None = None
    significant: bool = False
