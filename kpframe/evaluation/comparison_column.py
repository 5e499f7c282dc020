"""The systems of one column put to the test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kpframe.errors import DataError, KpframeError, SpecError, suggestion
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.comparison_values import Choice, Comparison, Contrast, Omissions, Test
from kpframe.statistics.significance import (
    DRAWS,
    MEAN,
    SEED,
    Correction,
    Interval,
    Outcome,
    Resampled,
    Zeros,
    bootstrap,
    correct,
    effect,
    minimum_detectable_difference,
    randomisation,
    t_interval,
    t_test,
    wilcoxon,
)

__all__ = ["Column", "Procedure"]

_TESTS = ("randomisation", "t", "wilcoxon", "bootstrap")
"""For the intervals of measures that are no mean, where the test itself is not the bootstrap."""

_NO_MEAN = "is one value of all documents together, not a mean over documents"


@dataclass(frozen=True)
class Procedure:
    """What is done with every column; SpecError for what no test can be run with."""

    test: Test = "randomisation"
    permutations: int = DRAWS
    correction: Correction = "holm"
    level: float = 0.05
    seed: int = SEED
    zeros: Zeros = "pratt"

    def __post_init__(self) -> None:
        if self.test not in _TESTS:
            hint = suggestion(str(self.test), _TESTS, "use one of")
            raise SpecError.at("test", f"is unknown: {self.test!r}", hint)
        if self.zeros not in ("pratt", "drop"):
            hint = suggestion(str(self.zeros), ("pratt", "drop"), "use one of")
            raise SpecError.at("zeros", f"is unknown: {self.zeros!r}", hint)
        if not 0 < self.level < 1:
            raise SpecError.at("level", f"must lie between 0 and 1, not {self.level}", "0.05 is usual")
        if self.permutations < 1:
            problem = f"must be at least 1, not {self.permutations}"
            raise SpecError.at("permutations", problem, "10000 is usual")
        if self.seed < 0:
            raise SpecError.at("seed", f"must not be negative, as {self.seed} is", f"{SEED} is the default")
        correct((), self.correction)

    @property
    def draws(self) -> int:
        """How many draws the test makes."""
        return self.permutations if self.test in ("randomisation", "bootstrap") else 0


class Column:
    """A column whose systems are `ranked`: those with a score, the best first."""

    def __init__(self, sample: Sample, plan: Procedure) -> None:
        self.sample = sample
        self.plan = plan
        scores = _fair_scores(sample)
        known = {system: score for system, score in enumerate(scores) if score is not None}
        self.ranked = sorted(known, key=lambda system: -known[system])  # equals stay in their order
        self.scores = scores

    def comparison(self, choice: Choice, baselines: Sequence[str], unfinished: tuple[str, ...]) -> Comparison:
        """All contrasts that the choice of baselines asks for, corrected together.

        Raises DataError if there are not two systems with a score or two of them share no document.
        """
        sample, plan = self.sample, self.plan
        if len(self.ranked) < 2:
            raise _too_few(sample.column, unfinished)
        chosen = self.ranked[:1] if choice == "best" else self._numbers(baselines)
        pairs = list(self._pairs(chosen or self.ranked))
        for pair in pairs:
            self._check_shared(*pair)
        made = self._contrasts(pairs)
        unscored = [system for system, score in enumerate(self.scores) if score is None]
        return Comparison(
            column=sample.column,
            test=plan.test,
            draws=plan.draws,
            seed=plan.seed,
            zeros=plan.zeros if plan.test == "wilcoxon" else None,
            correction=plan.correction,
            level=plan.level,
            choice=choice,
            baselines=tuple(sample.systems[number] for number in chosen),
            systems=tuple((sample.systems[n], self.scores[n]) for n in [*self.ranked, *unscored]),
            contrasts=tuple(made),
            documents=len(sample.ids),
            omissions=_omissions(sample, unfinished),
        )

    def contrasts(self, pairs: Sequence[tuple[str, str]]) -> list[Contrast]:
        """Systems against baselines of their own, by their names, corrected together.

        Those of which one has no score are left out. Raises DataError where two share no document.
        """
        numbers = {name: number for number, name in enumerate(self.sample.systems)}
        wanted = [(numbers[system], numbers[baseline]) for system, baseline in pairs]
        scored = [pair for pair in wanted if all(self.scores[number] is not None for number in pair)]
        for pair in scored:
            self._check_shared(*pair)
        return self._contrasts(scored)

    def best_pairs(self) -> list[tuple[int, int]]:
        """All other systems against the best, where they share documents."""
        return [pair for pair in self._pairs(self.ranked[:1]) if self.sample.shared(*pair).any()]

    def _numbers(self, baselines: Sequence[str]) -> list[int]:
        systems = self.sample.systems
        for name in baselines:
            if name not in systems:
                problem = f"is no system of {self.sample.column}"
                raise SpecError.at(f"baseline {name!r}", problem, suggestion(name, systems))
            if self.scores[systems.index(name)] is None:
                raise DataError.at(f"baseline {name!r}", "has no score", "choose another")
        return [systems.index(name) for name in dict.fromkeys(baselines)]

    def _pairs(self, baselines: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Systems against baselines; no two systems twice."""
        seen: set[frozenset[int]] = set()
        for baseline in baselines:
            for system in self.ranked:
                if system != baseline and frozenset((system, baseline)) not in seen:
                    seen.add(frozenset((system, baseline)))
                    yield system, baseline

    def _check_shared(self, system: int, baseline: int) -> None:
        sample = self.sample
        if sample.shared(system, baseline).any():
            return
        ours, theirs = sample.systems[system], sample.systems[baseline]
        common = (sample.known[:, system] & sample.known[:, baseline]).any()
        what = "no document that counts for both" if common else "no document id"
        problem = f"shares {what} with {theirs}"
        raise DataError.at(f"{sample.column}: {ours}", problem, "compare systems on the same documents")

    def _contrasts(self, pairs: Sequence[tuple[int, int]]) -> list[Contrast]:
        resampled = self._resampled(pairs)
        outcomes = self._outcomes(pairs, resampled)
        corrected = correct([outcome.p for outcome in outcomes], self.plan.correction)
        return [
            self._contrast(pair, outcome.p, p, redrawn)
            for pair, outcome, p, redrawn in zip(pairs, outcomes, corrected, resampled, strict=True)
        ]

    @cached_property
    def _is_mean(self) -> bool:
        return self.sample.aggregate is MEAN

    def _resampled(self, pairs: Sequence[tuple[int, int]]) -> list[Resampled | None]:
        """The bootstrap of all pairs, where the test or the intervals need it."""
        plan = self.plan
        if self._is_mean and plan.test != "bootstrap":
            return [None] * len(pairs)
        return bootstrap(
            self.sample.parts,
            pairs,
            aggregate=self.sample.aggregate,
            resamples=plan.permutations if plan.test == "bootstrap" else DRAWS,
            level=1 - plan.level,
            seed=plan.seed,
        )

    def _outcomes(
        self, pairs: Sequence[tuple[int, int]], resampled: Sequence[Resampled | None]
    ) -> list[Outcome]:
        plan, sample = self.plan, self.sample
        if plan.test == "randomisation":
            return randomisation(
                sample.parts,
                pairs,
                aggregate=sample.aggregate,
                permutations=plan.permutations,
                seed=plan.seed,
            )
        if plan.test == "bootstrap":
            return [Outcome(redrawn.p, redrawn.documents) for redrawn in resampled if redrawn]
        if not self._is_mean:
            name = "the t-test" if plan.test == "t" else "Wilcoxon's test"
            problem = f"{_NO_MEAN}, so {name} cannot test it"
            raise SpecError.at(
                sample.column, problem, "use the test randomisation or bootstrap, or leave this column out"
            )
        columns = [(sample.values[:, a], sample.values[:, b]) for a, b in pairs]
        if plan.test == "t":
            return [t_test(first, second) for first, second in columns]
        return [wilcoxon(first, second, zeros=plan.zeros) for first, second in columns]

    def _contrast(
        self, pair: tuple[int, int], p: float, corrected: float, made: Resampled | None
    ) -> Contrast:
        sample, level = self.sample, self.plan.level
        system, baseline = pair
        shared = sample.shared(*pair)
        ours, theirs = sample.score(system, shared), sample.score(baseline, shared)
        values = sample.values[:, system], sample.values[:, baseline]
        size = effect(*values)
        assert size is not None and ours is not None and theirs is not None  # there are shared documents
        deviation = size.deviation if made is None else made.error * size.documents**0.5
        bounds = (-1.0, 1.0) if sample.bounded else None
        interval = (
            Interval(made.low, made.high, "bootstrap")
            if made
            else t_interval(*values, level=1 - level, bounds=bounds)
        )
        return Contrast(
            system=sample.systems[system],
            baseline=sample.systems[baseline],
            documents=size.documents,
            only_system=int((sample.counted[:, system] & ~shared).sum()),
            only_baseline=int((sample.counted[:, baseline] & ~shared).sum()),
            score=ours,
            baseline_score=theirs,
            difference=ours - theirs,
            relative=(ours - theirs) / theirs if theirs else None,
            interval=interval,
            d_z=size.d_z,
            wins=size.wins,
            ties=size.ties,
            losses=size.losses,
            superiority=size.superiority,
            detectable=self._detectable(size.documents, deviation),
            p=p,
            corrected_p=corrected,
            significant=corrected <= level,
        )

    def _detectable(self, documents: int, deviation: float | None) -> float | None:
        """The difference that a single test would find; None where there can be none so great."""
        if not deviation:
            return None
        found = minimum_detectable_difference(documents, deviation, level=self.plan.level)
        return None if found is None or (self.sample.bounded and found > 1.0) else found


def _too_few(column: str, unfinished: Sequence[str]) -> KpframeError:
    problem = "there are not two systems with a score"
    if not unfinished:
        return DataError.at(column, problem, "give another run, or more scores")
    told = f"{problem} (not finished, or not those of their run: {', '.join(unfinished)})"
    return DataError.at(column, told, "run the experiment again, or give another run")


def _fair_scores(sample: Sample) -> list[float | None]:
    """The scores of all systems on the same documents, or each on its own where they share none."""
    scored = sample.counted.any(axis=0)
    common: NDArray[np.bool_] = np.logical_and.reduce(sample.counted[:, scored], axis=1)
    used = common if common.any() else None
    return [sample.score(system, used) for system in range(len(sample.systems))]


def _omissions(sample: Sample, unfinished: tuple[str, ...]) -> Omissions:
    dropped = sample.known & ~sample.failed & ~sample.counted
    gold = np.ma.masked_less(sample.gold, 0)
    unequal = (gold.max(axis=1) != gold.min(axis=1)).filled(False)
    return Omissions(
        missing=int((~sample.known).any(axis=1).sum()),
        failed=int(sample.failed.any(axis=1).sum()),
        uncounted=int(dropped.any(axis=1).sum()),
        unequal_gold=int(unequal.sum()),
        unfinished=unfinished,
    )
