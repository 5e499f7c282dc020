"""Score predictions that already exist, without running any extraction."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from kpframe.errors import DataError, SpecError, counted
from kpframe.evaluation._counted import batches, tallied_columns
from kpframe.evaluation._handed_over import gold_records, predictions_of
from kpframe.evaluation.missing import Missing, missing_policy
from kpframe.evaluation.predictions import Pair, read_gold, read_predictions
from kpframe.evaluation.scores import Scores
from kpframe.evaluation.spooled import SpooledPairs, join_spooled
from kpframe.evaluation.tallies import Aggregation, Tally, matching_label
from kpframe.language.codes import DEFAULT, EACH, language_code
from kpframe.language.detection import language_of_most
from kpframe.model import AUTO, Document, Keyphrase, Score
from kpframe.model.collector import no_garbage_collection
from kpframe.spec.measures import (
    DEFAULT_MATCHINGS,
    DEFAULT_METRICS,
    Measure,
    absent_of,
    load_preset,
    together,
)
from kpframe.spec.stages import building
from kpframe.stages import Matching, Metric, Stage
from kpframe.stages.wrong_parameters import shown

__all__ = ["chosen_measures", "in_languages", "score", "score_measures", "tallied", "with_policy"]

log = logging.getLogger("kpframe")

_LOOKED_AT = 100
"""Texts from which the language is guessed, where nothing says it."""

StageLike = str | Mapping[str, Any] | Stage

_EXAMPLES = {"metrics": "precision@5", "matching": "approximate"}


class Extracted(Protocol):
    """What `Pipeline.extract_many` yields: the keyphrases of a document, with its id."""

    id: str
    error: str | None

    def __iter__(self) -> Iterator[Keyphrase]: ...


def score(
    gold: str | Path | Mapping[str, Any] | Iterable[Document],
    predictions: str | Path | Mapping[str, Sequence[str | Keyphrase]] | Iterable[Extracted],
    *,
    metrics: StageLike | Sequence[StageLike] | None = None,
    matching: StageLike | Sequence[StageLike] | None = None,
    preset: str | Sequence[str] = (),
    subset: str | Sequence[str] = (),
    missing: Missing = "empty",
    language: str = AUTO,
) -> Scores:
    """The scores of predictions against gold keyphrases, joined by document id.

    `gold` is a file (see `kpframe.evaluation.predictions`), documents, or a mapping of ids to lists of
    keyphrases (a keyphrase may be a list of variants). `predictions` is a file, a mapping of ids to
    phrases or keyphrases, best first, or what `extract_many` yields. `metrics` (default `r_precision`)
    and `matching` (default `exact` and `approximate`) are written as in a spec: `"precision@5"`,
    `{"kind": "exact", "normalize": "porter"}`.
    `preset` names families of conventions (`"kpeval"`), whose measures are computed instead of, or beside,
    those. `subset` (`all`, `present`, `absent`) says which phrases count, gold and predicted; without it a
    preset has all its subsets, and gold that is not in the text is dropped where texts are known; without
    texts every gold keyphrase counts (`absent:keep` in the signature). `missing` says what happens to
    documents without predictions: they count as `empty`, are left out (`skip`), or are an
    error (`refuse`); the signature has
    that too. `language` is that of documents that do not say theirs: a code or an English name, by whose
    stems and plurals phrases are compared; `auto` is what most of the first texts are in, English without
    texts; the signature has it unless it is English.

    Raises SpecError for a wrong metric, matching or preset and DataError for unusable files.
    """
    missing = missing_policy(missing)
    records = read_gold(gold) if isinstance(gold, str | Path) else gold_records(gold)
    found = (
        read_predictions(predictions) if isinstance(predictions, str | Path) else predictions_of(predictions)
    )
    joined = join_spooled(records, found, missing=missing)
    chosen = chosen_measures(metrics, matching, preset, subset, texts=joined.pairs.texts)
    spoken = in_languages(chosen, joined.pairs, language_code(language))
    return Scores(with_policy(score_measures(joined.pairs, spoken), missing))


def in_languages(measures: Sequence[Measure], pairs: SpooledPairs, language: str = AUTO) -> list[Measure]:
    """Measures that compare by the languages of the documents; `language` is that of those that say none."""
    said = pairs.languages - {AUTO}
    if language == AUTO and AUTO in pairs.languages:
        language = language_of_most([pair.text for pair in islice(pairs, _LOOKED_AT) if pair.text])
    found = said | ({language} if AUTO in pairs.languages else set())
    if found <= {DEFAULT}:
        return list(measures)
    by = found.pop() if len(found) == 1 else EACH
    return [replace(m, matching=m.matching.in_language(by)) for m in measures]


def score_measures(pairs: Iterable[Pair], measures: Sequence[Measure]) -> list[Score]:
    """Score paired documents by every measure; each distinct matching is made once."""
    sums = [Aggregation(measure.metric, measure.matching) for measure in measures]
    empty = True
    with no_garbage_collection():
        for some in batches(pairs):
            empty = False
            for one, tallies in zip(sums, tallied_columns(some, measures), strict=True):
                one.add(tallies)
    if empty:
        raise DataError.at("gold and predictions", "there is no document to score", "check both files")
    return [
        replace(one.score(), metric=measure.name, matching=measure.group)
        for measure, one in zip(measures, sums, strict=True)
    ]


def tallied(pairs: Iterable[Pair], measures: Sequence[Measure]) -> Iterator[tuple[Pair, list[Tally]]]:
    """Each document with its tally by every measure."""
    for some in batches(pairs):
        columns = tallied_columns(some, measures)
        yield from zip(some, map(list, zip(*columns, strict=True)), strict=True)


def with_policy(scores: Sequence[Score], missing: str) -> list[Score]:
    """The scores with the policy for documents without predictions in their signatures."""
    return [replace(s, signature=s.signature.replace("|docs:", f"|missing:{missing}|docs:")) for s in scores]


def chosen_measures(
    metrics: StageLike | Sequence[StageLike] | None,
    matching: StageLike | Sequence[StageLike] | None,
    preset: str | Sequence[str] = (),
    subset: str | Sequence[str] = (),
    *,
    texts: bool,
) -> list[Measure]:
    """Every metric under every matching, and the measures of presets; no column comes twice.

    Without texts, absent gold can only be kept.
    """
    presets = _words("preset", preset)
    subsets = _words("subset", subset)
    for name in presets:
        if presets.count(name) > 1:
            raise SpecError.at("preset", f"{name} comes twice", "name it once")
    found: list[Measure] = []
    if metrics is not None or matching is not None or not presets:
        found += _crossed(
            DEFAULT_METRICS if metrics is None else metrics,
            DEFAULT_MATCHINGS if matching is None else matching,
            subsets,
            texts,
        )
    families = {name: load_preset(name) for name in presets}
    chosen = {name: family.chosen(subsets, texts=texts) for name, family in families.items()}
    for name, family in families.items():
        if left := len(family.chosen(subsets)) - len(chosen[name]):
            told = counted(left, "measure")
            log.warning("preset %s: without texts, %s left out", name, told)
    found = together(found, chosen.items())
    columns = [measure.column for measure in found]
    for column in columns:
        if columns.count(column) > 1:
            raise SpecError.at("measures", f"{column} comes twice", "leave out one metric or matching")
    return found


def _crossed(
    metrics: StageLike | Sequence[StageLike],
    matching: StageLike | Sequence[StageLike],
    subsets: Sequence[str],
    texts: bool,
) -> Iterator[Measure]:
    wanted: list[str | None] = [absent_of(subset) for subset in subsets]
    wanted = wanted or [None if texts else "keep"]
    with building("score") as builder:
        measures = [
            builder.stage("metrics", item, ("metrics", i), Metric)  # type: ignore[type-abstract]
            for i, item in enumerate(_listed("metrics", metrics))
        ]
        matchings = [
            builder.stage("matching", _with_absent(item, absent), ("matching", i), Matching)  # type: ignore[type-abstract]
            for i, item in enumerate(_listed("matching", matching))
            for absent in wanted
        ]
    for metric in filter(None, measures):
        for one in filter(None, matchings):
            yield Measure(metric.label(), matching_label(one), metric, one)


def _listed(name: str, value: StageLike | Sequence[StageLike]) -> list[StageLike]:
    given = [value] if isinstance(value, str | Mapping | Stage) else value
    if not isinstance(given, list | tuple) or not given:
        raise SpecError.at(
            name, f"{value!r} names none", f"write them as in a spec, as ['{_EXAMPLES[name]}']"
        )
    for one in given:
        if not isinstance(one, str | Mapping | Stage):
            raise SpecError.at(
                name, f"{shown(one)} names none", f"write one as in a spec, as '{_EXAMPLES[name]}'"
            )
    return list(given)


def _words(name: str, value: str | Sequence[str]) -> list[str]:
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or not all(isinstance(word, str) for word in given):
        raise SpecError.at(name, f"{value!r} is no name", "give a name, or a list of names")
    return list(given)


def _with_absent(value: StageLike, absent: str | None) -> StageLike:
    if absent is None:
        return value
    if isinstance(value, Stage):
        told = "absent" in value.model_fields_set or "absent" not in type(value).model_fields
        return value if told else value.model_copy(update={"absent": absent})
    given = {"kind": value} if isinstance(value, str) else dict(value)
    return {"absent": absent, **given}
