"""Which pipelines and documents can be compared, where some documents failed in some pipelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from kpframe.runs.columns import Tallies
from kpframe.runs.finished import FinishedRun
from kpframe.runs.records import FailedDocument

__all__ = ["NOTHING_FAILED", "TOLERATED", "Comparable", "comparable", "failures_of"]

TOLERATED = 0.1
"""The share of the documents that may fail in a pipeline; one in which more fail is left out."""

Failures = Mapping[str, Mapping[str, FailedDocument]]
"""By pipeline and id the documents that failed."""


@dataclass(frozen=True)
class Comparable:
    """What is left to compare: `documents` by id, in all pipelines but those in `out`.

    `failed` has the other documents, each with its failures by pipeline, those of pipelines in `out` only
    where the document is left out for other reasons; `out` has the pipelines that are left out, each with
    its failures among the rest, of which there were `of`.
    """

    documents: frozenset[str]
    failed: Mapping[str, Mapping[str, FailedDocument]]
    out: Mapping[str, Sequence[FailedDocument]]
    of: int

    def of_tallies(self, tallies: Tallies) -> Tallies:
        """What was counted, without what cannot be compared."""
        return {
            system: {id: tally for id, tally in counted.items() if id not in self.failed}
            for system, counted in tallies.items()
            if system not in self.out
        }


NOTHING_FAILED = Comparable(frozenset(), {}, {}, 0)
"""Of documents that are not named."""


def failures_of(runs: Sequence[FinishedRun]) -> dict[str, dict[str, FailedDocument]]:
    """What failed in all runs together, by pipeline; each has an entry, an empty one if nothing did."""
    found: dict[str, dict[str, FailedDocument]] = {}
    for run in runs:
        for cell in run.every_cell:
            found.setdefault(cell, {}).update({failure.id: failure for failure in run.failures(cell)})
    return found


def comparable(ids: Set[str], failures: Failures) -> Comparable:
    """Pipelines and documents for which every pair has a result, so that all means are over the same texts.

    A document that fails in half of the pipelines or more is left out: the text is at fault. A pipeline in
    which more than a tenth (`TOLERATED`) of the others fail is left out, so that it takes no documents from
    the rest. What fails in any of these is left out for all. Documents that are not among `ids` (they have no
    gold) take part in nothing, and are among the `failed` where they failed.
    """
    by_document: dict[str, dict[str, FailedDocument]] = {}
    for pipeline, found in failures.items():
        for id, failure in found.items():
            by_document.setdefault(id, {})[pipeline] = failure
    broken = {id for id, found in by_document.items() if 2 * len(found) >= len(failures)}
    rest = ids - broken
    out = {
        pipeline: [found[id] for id in sorted(rest & found.keys())]
        for pipeline, found in failures.items()
        if len(rest & found.keys()) > TOLERATED * len(rest)
    }
    failed = {
        id: found
        for id, found in sorted(by_document.items())
        if id in broken or not found.keys() <= out.keys()
    }
    return Comparable(frozenset(rest - failed.keys()), failed, out, len(rest))
