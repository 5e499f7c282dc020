"""Score predictions that already exist, without running any extraction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Protocol

from kpframe.errors import DataError, SpecError
from kpframe.model import Document, Gold, Keyphrase, Matches, Score
from kpframe.predictions import GoldRecord, Pair, Prediction, join, read_gold, read_predictions
from kpframe.scoring import aggregate, tally
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Positions
from kpframe.stages import Matching, Metric

__all__ = ["evaluation_stages", "score", "score_pairs", "with_policy"]

StageLike = str | Mapping[str, Any]


class Extracted(Protocol):
    """What `Pipeline.extract_many` yields: the keyphrases of a document, with its id."""

    id: str
    error: str | None

    def __iter__(self) -> Iterator[Keyphrase]: ...


def score(
    gold: str | Path | Mapping[str, Any] | Iterable[Document],
    predictions: str | Path | Mapping[str, Sequence[str | Keyphrase]] | Iterable[Extracted],
    *,
    metrics: StageLike | Sequence[StageLike] = ("r_precision",),
    matching: StageLike | Sequence[StageLike] = "exact",
    missing: Literal["zero", "skip", "error"] = "zero",
) -> list[Score]:
    """The scores of predictions against gold keyphrases, joined by document id.

    `gold` is a file (see `kpframe.predictions`), documents, or a mapping of ids to lists of keyphrases
    (a keyphrase may be a list of variants). `predictions` is a file, a mapping of ids to phrases or
    keyphrases, best first, or what `extract_many` yields. `metrics` and `matching` are written as in a
    spec: `"precision@5"`, `{"kind": "exact", "normalize": "porter"}`. Gold that is not in the text is
    dropped where texts are known; without texts every gold keyphrase counts (`absent:keep` in the
    signature). `missing` says what happens to documents without predictions: they count as empty, are
    left out, or are an error; the signature has that too.

    Raises SpecError for a wrong metric or matching and DataError for unusable files.
    """
    records = list(_gold_records(gold))
    joined = join(records, _predictions(predictions), missing=missing)
    texts = bool(joined.pairs) and all(pair.text is not None for pair in joined.pairs)
    measures, matchings = evaluation_stages(metrics, matching, texts=texts)
    return with_policy(score_pairs(joined.pairs, measures, matchings), missing)


def score_pairs(
    pairs: Sequence[Pair], metrics: Sequence[Metric], matchings: Sequence[Matching]
) -> list[Score]:
    """Score paired documents by every metric under every matching."""
    if not pairs:
        raise DataError.at("gold and predictions", "there is no document to score", "check both files")
    matched: list[list[Matches]] = [
        [matching.match(pair.phrases, pair.gold, pair.text) for pair in pairs] for matching in matchings
    ]
    return [
        aggregate(metric, matching, (tally(metric, matches) for matches in row))
        for metric in metrics
        for matching, row in zip(matchings, matched, strict=True)
    ]


def with_policy(scores: Sequence[Score], missing: str) -> list[Score]:
    """The scores with the policy for documents without predictions in their signatures."""
    return [replace(s, signature=s.signature.replace("|docs:", f"|missing:{missing}|docs:")) for s in scores]


def evaluation_stages(
    metrics: StageLike | Sequence[StageLike], matching: StageLike | Sequence[StageLike], *, texts: bool
) -> tuple[list[Metric], list[Matching]]:
    """Metrics and matchings from short forms; without texts, absent gold can only be kept."""
    builder = StageBuilder(Positions(fallback="score"))
    measures = [
        builder.stage("metrics", item, ("metrics", i), Metric)  # type: ignore[type-abstract]
        for i, item in enumerate(_listed(metrics))
    ]
    matchings = [
        builder.stage("matching", _with_absent(item, texts), ("matching", i), Matching)  # type: ignore[type-abstract]
        for i, item in enumerate(_listed(matching))
    ]
    if builder.problems:
        raise SpecError(builder.problems)
    return [m for m in measures if m is not None], [m for m in matchings if m is not None]


def _listed(value: StageLike | Sequence[StageLike]) -> list[StageLike]:
    return [value] if isinstance(value, str | Mapping) else list(value)


def _with_absent(value: StageLike, texts: bool) -> StageLike:
    if texts:
        return value
    given = {"kind": value} if isinstance(value, str) else dict(value)
    return {"absent": "keep", **given}


def _gold_records(gold: str | Path | Mapping[str, Any] | Iterable[Document]) -> Iterable[GoldRecord]:
    if isinstance(gold, str | Path):
        yield from read_gold(gold)
    elif isinstance(gold, Mapping):
        for id, phrases in gold.items():
            variants = ((p,) if isinstance(p, str) else tuple(p) for p in phrases)
            yield str(id), tuple(Gold(v) for v in variants), None
    else:
        for document in gold:
            yield document.id, document.gold, document.text


def _predictions(
    predictions: str | Path | Mapping[str, Sequence[str | Keyphrase]] | Iterable[Extracted],
) -> Iterable[Prediction]:
    if isinstance(predictions, str | Path):
        yield from read_predictions(predictions)
        return
    pairs: Iterable[tuple[Any, Iterable[str | Keyphrase]]]
    if isinstance(predictions, Mapping):
        pairs = predictions.items()
    else:
        pairs = ((found.id, found) for found in predictions if found.error is None)
    for id, phrases in pairs:
        texts = tuple(p.text if isinstance(p, Keyphrase) else p for p in phrases)
        if isinstance(phrases, str) or not all(isinstance(text, str) for text in texts):
            raise DataError.at(
                f"predictions for {id!r}", "are not a list of phrases", "give strings or keyphrases"
            )
        yield Prediction(str(id), texts)
