"""Which of the shipped pipelines suits documents with gold: all of them, measured on these documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from kpframe.analysis.comparable import NOTHING_FAILED, Comparable, comparable, failures_of
from kpframe.analysis.without_model import BY_RULES, TOKENS_BY_RULES, has_model, settings_without_model
from kpframe.engine.experiment import Experiment
from kpframe.engine.pipeline import Pipeline
from kpframe.engine.running import PageWriter
from kpframe.engine.settling import most_spoken
from kpframe.engine.told_once import silent, told_once
from kpframe.errors import DataError, KpframeError, SpecError, suggestion
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_sample import Sample
from kpframe.files.resources import shipped_specs
from kpframe.model import Document
from kpframe.runs.columns import Recipe, Tallies
from kpframe.runs.finished import FinishedRun
from kpframe.spec import load_spec
from kpframe.stages import Annotator
from kpframe.statistics.significance import t_interval

__all__ = ["COLUMN", "ENOUGH", "FOLDS", "Measured", "Row", "check_column", "measured", "needs"]

COLUMN = "f1@10/exact"
"""What pipelines are put in order by, unless another column is asked for."""
ENOUGH = 15
"""Documents with gold from which the supervised pipelines are tried."""
FOLDS = 3
_TIMED = 5
"""Documents whose time is taken: a rough figure is enough to choose by, and pipelines are many."""


@dataclass(frozen=True)
class Row:
    """A pipeline on a corpus: its scores by column, and where it is `best` or does not differ (`tied`).

    `needs` are as `needs` tells them; `seconds` is CPU time a document from raw text (None: not taken).
    """

    pipeline: str
    scores: Mapping[str, float | None]
    best: frozenset[str]
    tied: frozenset[str]
    needs: tuple[str, ...]
    seconds: float | None = None


@dataclass(frozen=True)
class Measured:
    """All pipelines on a corpus, the best in `column` first; `folder` has the run with its page.

    `documents` have gold that counts, and all scores are over them; `words` is the median length, and `gold`
    the mean number of keyphrases, of these and of the `without_present`, in whose texts none of them stands,
    so that they count for nothing in `column`. `learned` says whether the supervised pipelines were tried.
    `interval` is where the score of the best lies, and `margin` half the width of the interval of its
    difference from another pipeline, in the middle of all (95 %, by Student's t; None for fewer than two
    documents). `without_model` is the language of the texts where no model for it is installed, so that only
    pipelines that need none were measured. `compared` says what is left out since it failed.
    """

    name: str
    column: str
    rows: tuple[Row, ...]
    documents: int
    words: int
    gold: float
    learned: bool
    folder: Path
    interval: tuple[float, float] | None = None
    margin: float | None = None
    without_model: str = ""
    compared: Comparable = NOTHING_FAILED
    without_present: int = 0

    @property
    def undecided(self) -> bool:
        """Whether so few documents tell nothing: half of the other pipelines do not differ from the best."""
        return 2 * len(self.alike) >= len(self.rows) - 1

    @property
    def best(self) -> Row:
        """The first row; of equal ones that which needs least."""
        return self.rows[0]

    @property
    def alike(self) -> tuple[Row, ...]:
        """The rows after the best that are as good or do not differ from it significantly."""
        return tuple(row for row in self.rows[1:] if self.column in row.tied | row.best)

    @property
    def complete(self) -> bool:
        """Whether nothing failed."""
        return not (self.compared.failed or self.compared.out)

    @property
    def empty(self) -> bool:
        """Whether nothing was measured: no document has a gold keyphrase that counts."""
        return self.best.scores[self.column] is None


def needs(pipeline: str) -> tuple[str, ...]:
    """What a shipped pipeline wants: `language model`, `texts like yours`, `texts with gold`; texts aside."""
    (configuration,) = load_spec(pipeline, purpose="extract").configurations
    layers = configuration.required()
    annotators = [step for step in configuration.preprocessing if isinstance(step, Annotator)]
    model = any(
        step.engine("en") for step in annotators if step.provides() & layers - {"tokens", "sentences"}
    )
    learned = {"training": "texts with gold", "collection": "texts like yours"}
    found = [learned.get(configuration.ranking.fits_on(), "")]
    return tuple(filter(None, ["language model" if model else "", *found]))


def measured(
    name: str,
    documents: Sequence[Document],
    reader: Mapping[str, Any],
    out: Path,
    *,
    column: str = COLUMN,
    workers: int = 1,
    quiet: bool = True,
    timed: bool = True,
    page: PageWriter | None = None,
) -> Measured:
    """Run all pipelines over `documents`, which `reader` (a spec's `documents`) reads, into the folder `out`.

    Those that need no gold are evaluated on all documents at once, with frequencies counted over all. Those
    that learn from gold are trained on the other documents in `FOLDS` turns (`out/fold-1` …), if there are
    `ENOUGH`. So every pipeline has keyphrases for every document by a model that has not seen its gold, and
    all are compared document by document (randomisation test against the best of a column, Holm, .05).
    Where the language of the texts has no installed model, those that need none are tried. All scores are
    over the documents that failed in no pipeline; see `comparable` for which are left out.

    Raises DataError where there is no gold or nothing is left to compare, SpecError for a column that there
    is not.
    """
    check_column(column)
    with_gold = [document for document in documents if document.gold]
    if not with_gold:
        raise DataError.at(name, "has no gold keyphrases to measure by", "give texts with gold")
    settings = [f"documents={json.dumps(dict(reader), ensure_ascii=False)}"]
    spoken = most_spoken(documents)
    lacking = "" if has_model(spoken) else spoken
    own = settings_without_model("baselines", [BY_RULES]) if lacking else []
    experiment = Experiment.load("baselines", settings=[*settings, *own])
    learned = len(with_gold) >= ENOUGH
    with told_once("kpframe.ranking"):
        first = experiment.run(out=out, documents=documents, workers=workers, quiet=quiet, page=page)
        runs = [first.folder]
        if learned:
            own = settings_without_model("supervised") if lacking else []
            runs += _folds(with_gold, [*settings, *own], out, workers=workers, quiet=quiet)
    finished = [FinishedRun(folder) for folder in runs]
    left = _left(name, with_gold, finished)
    recipes, pooled = _pooled(finished, left)
    compared = [document for document in with_gold if document.id in left.documents]
    tried = {system for tallies in pooled.values() for system in tallies}
    with silent("kpframe", "kpframe.ranking"):  # the runs have told it
        seconds = _seconds(compared, tried, [TOKENS_BY_RULES] if lacking else []) if timed else {}
    rows = list(_rows(recipes, pooled, seconds, by_rules=bool(lacking)))
    words = round(median(len(document.text.split()) for document in compared))
    gold = sum(len(document.gold) for document in compared) / len(compared)
    ordered = tuple(sorted(rows, key=lambda row: _place(row, column)))
    sample = Sample.of_tallies(column, recipes[column][0], pooled[column])
    sure = _how_sure(sample, ordered[0].pipeline)
    counts = int(sample.counted.any(axis=1).sum())
    absent = len(compared) - counts
    return Measured(name, column, ordered, counts, words, gold, learned, out, *sure, lacking, left, absent)


def check_column(column: str) -> None:
    """SpecError for a column that is not measured."""
    known = load_spec("baselines", purpose="extract").columns
    if column not in known:
        raise SpecError.at(f"column {column!r}", "is not measured", suggestion(column, known))


def _left(name: str, documents: Sequence[Document], runs: Sequence[FinishedRun]) -> Comparable:
    """What can be compared; DataError where that is nothing."""
    failures = failures_of(runs)
    found = comparable({document.id for document in documents}, failures)
    if found.documents and found.out.keys() < failures.keys():
        return found
    first = next(failure for own in failures.values() for failure in own.values())
    raise DataError.at(
        name,
        f"no document went through all pipelines; {first.id!r} failed at {first.stage}: {first.error}",
        "mend the texts, or run single pipelines by `kpframe run`",
    )


def _place(row: Row, column: str) -> tuple[bool, float, int]:
    """Where a row stands: the highest score first, those without one last."""
    score = row.scores[column]
    return score is None, -(score or 0.0), len(row.needs)


def _folds(
    documents: Sequence[Document], settings: Sequence[str], out: Path, *, workers: int, quiet: bool
) -> Iterator[Path]:
    """The runs of `supervised`, each evaluated on another share of the documents."""
    shuffled = sorted(documents, key=lambda document: hashlib.sha256(document.id.encode()).digest())
    folds = [f"fold-{1 + number % FOLDS}" for number in range(len(shuffled))]
    parted = [
        replace(document, metadata={**document.metadata, "split": fold})
        for document, fold in zip(shuffled, folds, strict=True)
    ]
    for fold in sorted(set(folds)):
        others = [other for other in sorted(set(folds)) if other != fold]
        split = json.dumps({"by": "metadata", "train": others, "test": fold})
        experiment = Experiment.load("supervised", settings=[*settings, f"split={split}"])
        yield experiment.run(out=out / fold, documents=parted, workers=workers, quiet=quiet).folder


def _pooled(runs: Sequence[FinishedRun], left: Comparable) -> tuple[dict[str, Recipe], dict[str, Tallies]]:
    """By column how it is measured, and what was counted of what can be compared, over all runs."""
    recipes: dict[str, Recipe] = {}
    pooled: dict[str, Tallies] = {}
    for run in runs:
        recipes.update(run.columns.recipes)
        for column, tallies in run.columns.tallies.items():
            for cell, counted in left.of_tallies(tallies).items():
                pooled.setdefault(column, {}).setdefault(cell, {}).update(counted)
    return recipes, pooled


def _how_sure(sample: Sample, best: str) -> tuple[tuple[float, float] | None, float | None]:
    """The interval of the score of the best, and the middle of those of its differences, half as wide."""
    own = sample.systems.index(best)
    values = sample.values[sample.counted.all(axis=1)]
    found = t_interval(values[:, own], np.zeros(len(values)))
    others = [t_interval(values[:, own], other) for number, other in enumerate(values.T) if number != own]
    widths = [(interval.high - interval.low) / 2 for interval in others if interval is not None]
    return (found.low, found.high) if found else None, median(widths) if widths else None


def _rows(
    recipes: Mapping[str, Recipe],
    pooled: Mapping[str, Tallies],
    seconds: Mapping[str, float],
    *,
    by_rules: bool,
) -> Iterator[Row]:
    scores: dict[str, dict[str, float | None]] = {}
    best: dict[str, set[str]] = {}
    tied: dict[str, set[str]] = {}
    for column, tallies in pooled.items():
        sample = Sample.of_tallies(column, recipes[column][0], tallies)
        own = [sample.score(number) for number in range(len(sample.systems))]
        highest = max((score for score in own if score is not None), default=None)
        for score, (system, verdict) in zip(own, against_best(sample).items(), strict=True):
            scores.setdefault(system, {})[column] = score
            # Of equal scores no single one is the best.
            if score is None:
                continue
            if verdict.best or score == highest:
                best.setdefault(system, set()).add(column)
            elif not verdict.significant:
                tied.setdefault(system, set()).add(column)
    shipped = shipped_specs()
    for system, found in scores.items():
        wanted = needs(system) if system in shipped else ()
        wanted = tuple([need for need in wanted if not (by_rules and need == "language model")])
        first, alike = frozenset(best.get(system, ())), frozenset(tied.get(system, ()))
        yield Row(system, found, first, alike, wanted, seconds.get(system))


def _seconds(documents: Sequence[Document], tried: Set[str], settings: Sequence[str]) -> dict[str, float]:
    """CPU time a document from raw text, by pipeline; what cannot be made of so few texts is left out."""
    timed, training = documents[:_TIMED], documents[:ENOUGH]
    found = {}
    for name in sorted(tried & shipped_specs().keys()):
        try:
            learns = bool(load_spec(name, purpose="extract").configurations[0].ranking.fits_on())
            made = (
                Pipeline.train(name, training, settings=settings)
                if learns
                else Pipeline.load(name, settings=settings)
            )
        except KpframeError:
            continue
        list(made.extract_many(timed[:1]))  # models are loaded, and tables of words filled
        start = process_time()
        list(made.extract_many(timed))
        found[name] = (process_time() - start) / len(timed)
    return found
