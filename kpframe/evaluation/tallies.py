"""From the counts of documents to one score, with a signature that says how it came about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple, cast

from pydantic import ValidationError

from kpframe.errors import Problem, SpecError
from kpframe.model import Matches, Score
from kpframe.stages import Counts, Matching, Metric, Stage
from kpframe.stages.parts import as_text, changed
from kpframe.stages.registry import lookup
from kpframe.version import __version__

__all__ = ["Tally", "aggregate", "average", "matching_label", "parse_signature", "signature", "tally"]

_LONG_NAMES = {
    "norm": "normalize",
    "tok": "tokens",
    "present": "presence",
    "dup": "duplicates",
    "avg": "average",
}
_PROVENANCE = ("docs", "missing", "spec", "kpframe")
_HASH_LENGTH = 12


class Tally(NamedTuple):
    """What `aggregate` needs to know of one document."""

    counts: Counts
    gold: int
    predicted: int

    def counts_for(self, metric: Metric) -> bool:
        """Whether the document has a value that goes into the average."""
        if not self.counts:
            return False
        if not metric.needs_gold or metric.empty == "zero":
            return True
        return self.gold > 0 and (metric.empty == "skip" or self.predicted > 0)

    def value(self, metric: Metric) -> float:
        """The document's own value; 0 where gold is needed and there is none."""
        return metric.value(self.counts) if self.gold or not metric.needs_gold else 0.0


def tally(metric: Metric, matches: Matches) -> Tally:
    """The tally of one document."""
    return Tally(metric.count(matches), matches.gold, matches.predicted)


def aggregate(metric: Metric, matching: Matching, tallies: Iterable[Tally], *, spec: str = "") -> Score:
    """One score out of the tallies of all documents, whatever their order.

    Documents without gold keyphrases are left out (`empty: skip`) or count as 0 (`empty: zero`: in
    a micro average their counts are summed with the others'). The value is None if none is left.
    """
    given = Counter(tallies)
    counted = Counter({one: times for one, times in given.items() if one.counts_for(metric)})
    documents = counted.total()
    return Score(
        metric=metric.label(),
        matching=matching_label(matching),
        value=average(metric, counted),
        documents=documents,
        skipped=given.total() - documents,
        signature=signature(metric, matching, documents, spec=spec),
    )


def average(metric: Metric, counted: Iterable[Tally]) -> float | None:
    """The average of documents that all count, by the metric's own rule; None if there is none."""
    times = Counter(counted)
    documents = times.total()
    if not documents:
        return None
    # Few of the tallies differ: what is asked of the metric is asked once for each of those.
    # fsum is exact, so that the order of the documents cannot show in the last digit.
    if metric.average == "micro":
        return metric.value(tuple(map(_sum, _columns([one.counts for one in times], times))))
    if metric.average == "macro":
        (values,) = _columns([(one.value(metric),) for one in times], times)
        return math.fsum(values) / documents
    parts = _columns([metric.parts(one.counts) for one in times], times)
    return metric.join([math.fsum(column) / documents for column in parts])


def _columns(rows: Sequence[Sequence[float]], times: Counter[Tally]) -> Iterator[list[float]]:
    """The columns of rows of which each comes as often as a tally does."""
    for column in zip(*rows, strict=True):
        yield list(chain.from_iterable(map(repeat, column, times.values())))


def _sum(numbers: Sequence[float]) -> float:
    whole = sum(numbers)
    return whole if isinstance(whole, int) else math.fsum(numbers)


def matching_label(matching: Matching) -> str:
    """The kind of a matching with the parameters that are not the default, as `exact(absent=keep)`."""
    parameters = [f"{name}={value}" for name, value in changed(matching).items()]
    return f"{matching.kind}({','.join(parameters)})" if parameters else matching.kind


def signature(
    metric: Metric, matching: Matching, documents: int, spec: str = "", version: str | None = None
) -> str:
    """The recipe of a score, defaults included, as one line that `parse_signature` reads.

    As `r_precision|match:exact|norm:casefold|…|dup:unite|empty:skip|avg:macro|docs:667|spec:3f2a…|
    kpframe:0.1.0`. `documents` is the number of documents that counted, `spec` the hash of
    the resolved spec (its first 12 characters are shown), `version` that of kpframe.
    """
    cutoff = f"@{as_text(getattr(metric, metric.short))}" if metric.short else ""
    own = (
        f"{name}:{as_text(value)}" for name, value in metric if name not in ("average", "empty", metric.short)
    )
    return "|".join(
        (
            f"{metric.kind}{cutoff}",
            *own,
            matching.signature(),
            f"empty:{metric.empty}",
            f"avg:{metric.average}",
            f"docs:{documents}",
            f"spec:{spec[:_HASH_LENGTH]}",
            f"kpframe:{version or __version__}",
        )
    )


def parse_signature(text: str) -> tuple[Metric, Matching]:
    """The metric and the matching that a signature names, with all their parameters.

    Raises SpecError for an unknown kind or parameter, a wrong value, or a part that is missing.
    """
    head, *rest = text.strip().split("|")
    kind, at, cutoff = head.partition("@")
    metric = lookup("metrics", kind)
    if at and not metric.short:
        raise SpecError.at(f"signature {text!r}", f"{kind} takes no value after @", "leave it out")
    pairs = [_pair(part, text) for part in rest]
    kinds = [value for name, value in pairs if name == "match"]
    if len(kinds) != 1:
        raise SpecError.at(f"signature {text!r}", "names no matching", "it must have one part match:<kind>")
    matching = lookup("matching", kinds[0])
    of_metric: dict[str, str | None] = {metric.short: cutoff} if at else {}
    of_matching: dict[str, str | None] = {}
    stages = [(metric, of_metric), (matching, of_matching)]
    for name, value in pairs:
        if name == "match":
            stages.reverse()  # from here on a name belongs to the matching first
        elif name not in _PROVENANCE:
            _assign(name, value, stages, text)
    return cast(Metric, _built(metric, of_metric, text)), cast(Matching, _built(matching, of_matching, text))


def _pair(part: str, text: str) -> tuple[str, str]:
    name, colon, value = part.partition(":")
    if not colon:
        raise SpecError.at(f"signature {text!r}", f"{part!r} is no name with a value", "write name:value")
    return _LONG_NAMES.get(name, name), value


def _assign(
    name: str, value: str, stages: list[tuple[type[Stage], dict[str, str | None]]], text: str
) -> None:
    for stage, parameters in stages:
        if name in stage.model_fields and name not in parameters:
            parameters[name] = None if value == "none" else value
            return
    kinds = " or ".join(sorted(stage.kind for stage, _ in stages))
    raise SpecError.at(f"signature {text!r}", f"{name!r} is no parameter of {kinds}, or is given twice")


def _built(stage: type[Stage], parameters: dict[str, str | None], text: str) -> Stage:
    try:
        return stage(**cast(dict[str, Any], parameters))
    except ValidationError as error:
        raise SpecError(list(_problems(error, text))) from None


def _problems(error: ValidationError, text: str) -> Iterator[Problem]:
    for found in error.errors():
        name = ".".join(map(str, found["loc"]))
        yield Problem(f"signature {text!r}", f"{name}: {found['msg'].removeprefix('Value error, ')}")
