"""From the counts of documents to one score, with a signature that says how it came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import cast

from pydantic import ValidationError

from kpframe.errors import Problem, SpecError
from kpframe.evaluation._sums import Average, Tally
from kpframe.model import Matches, Score
from kpframe.stages import Matching, Metric, Stage
from kpframe.stages.parts import SIGNATURE_NAMES, as_text, changed
from kpframe.stages.registry import lookup
from kpframe.stages.wrong_parameters import Wrong, wrong_parameters
from kpframe.version import __version__

__all__ = [
    "Aggregation",
    "Tally",
    "aggregate",
    "average",
    "matching_label",
    "parse_signature",
    "signature",
    "tally",
]

_LONG_NAMES = {short: name for name, short in SIGNATURE_NAMES.items()}
_PROVENANCE = ("docs", "missing", "spec", "kpframe")
_HASH_LENGTH = 12


def tally(metric: Metric, matches: Matches) -> Tally:
    """The tally of one document."""
    return Tally(metric.count(matches), matches.gold, matches.predicted)


class Aggregation:
    """One score out of the tallies of documents that come by and by."""

    def __init__(self, metric: Metric, matching: Matching) -> None:
        self.metric = metric
        self.matching = matching
        self._average = Average(metric)
        self._given = 0

    def add(self, tallies: Iterable[Tally]) -> None:
        """Add documents, whether they count or not."""
        given = Counter(tallies)
        self._given += given.total()
        self._average.add(Counter({one: n for one, n in given.items() if one.counts_for(self.metric)}))

    def score(self, *, spec: str = "") -> Score:
        """The score of all documents so far; its value is None if none counts."""
        documents = self._average.documents
        return Score(
            metric=self.metric.label(),
            matching=matching_label(self.matching),
            value=self._average.value,
            documents=documents,
            skipped=self._given - documents,
            signature=signature(self.metric, self.matching, documents, spec=spec),
        )


def aggregate(metric: Metric, matching: Matching, tallies: Iterable[Tally], *, spec: str = "") -> Score:
    """One score out of the tallies of all documents, whatever their order.

    Documents without gold keyphrases are left out (`empty: skip`) or count as 0 (`empty: zero`: in
    a micro average their counts are summed with the others'). The value is None if none is left.
    """
    found = Aggregation(metric, matching)
    found.add(tallies)
    return found.score(spec=spec)


def average(metric: Metric, counted: Iterable[Tally]) -> float | None:
    """The average of documents that all count, by the metric's own rule; None if there is none."""
    found = Average(metric)
    found.add(counted)
    return found.value


def matching_label(matching: Matching) -> str:
    """The kind of a matching with the parameters that are not the default, as `exact(absent=keep)`."""
    parameters = [f"{name}={value}" for name, value in changed(matching).items()]
    return f"{matching.kind}({','.join(parameters)})" if parameters else matching.kind


def signature(
    metric: Metric, matching: Matching, documents: int, spec: str = "", version: str | None = None
) -> str:
    """The recipe of a score, defaults included, as one line that `parse_signature` reads.

    As `r_precision|match:exact|norm:casefold|…|dup:unite|empty:skip|avg:macro|docs:667|spec:3f2a…|
    kpframe:0.2.0`. `documents` is the number of documents that counted, `spec` the hash of
    the resolved spec (its first 12 characters are shown; without a spec there is no such part), `version`
    that of kpframe.
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
            f"{SIGNATURE_NAMES['average']}:{metric.average}",
            f"docs:{documents}",
            *([f"spec:{spec[:_HASH_LENGTH]}"] if spec else []),
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
        return stage.model_validate(parameters)
    except ValidationError as error:
        found = wrong_parameters(stage, error, parameters)
        raise SpecError([_problem_in(text, one) for one in found]) from None


def _problem_in(text: str, wrong: Wrong) -> Problem:
    name = ".".join(map(str, wrong.at))
    return Problem(f"signature {text!r}", f"{name}: {wrong.problem}" if name else wrong.problem, wrong.remedy)
