"""Everything that the report shows, as plain values: runs are read, nothing is written."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe.htmlreport import scores
from kpframe.htmlreport.documents import choose
from kpframe.htmlreport.documents import documents as shown_documents
from kpframe.htmlreport.lists import read_lists
from kpframe.htmlreport.recipe import recipe
from kpframe.htmlreport.source import Source, read_sources
from kpframe.htmlreport.waterfall import read_losses
from kpframe.model import Document, Skipped
from kpframe.model.collector import no_garbage_collection
from kpframe.model.summary import Summary
from kpframe.runs.beside import read_claims
from kpframe.version import __version__

__all__ = ["FORMAT", "collect"]

FORMAT = "kpframe-report-2"

_SURROGATE = re.compile("[\ud800-\udfff]")


@no_garbage_collection()
def collect(
    runs: Sequence[str | Path],
    *,
    documents: Iterable[Document | Skipped] | None = None,
    summary: Summary | None = None,
    documents_limit: int = 150,
    phrases_limit: int = 30,
    left_out: list[str] | None = None,
) -> dict[str, Any]:
    """What the report of one or several finished runs shows, as plain JSON values.

    `documents` stand for those of the corpora, which are read again otherwise, and `summary` for the
    `summary.json` of the first run. At most `documents_limit` documents are shown with their best
    `phrases_limit` phrases; with 0, no text and no phrase of the corpora is in what is returned. What cannot
    be told is left empty, with a note; runs without their texts are added to `left_out`. The same runs give
    the same values. Raises DataError for what is no run, and runs not evaluated alike.
    """
    source = read_sources(runs, documents, summary, left_out)
    samples = scores.samples(source)
    default = source.columns[0]
    chosen = choose(source, samples[default], documents_limit)
    lists = read_lists(source, set(chosen))
    lost = read_losses(source)
    notes = [*lists.notes, *lost.notes]
    systems = scores.systems(source, samples, lists.counts())
    pages = shown_documents(source, lists, chosen, phrases_limit)
    found = {
        "format": FORMAT,
        "title": ", ".join(dict.fromkeys(run.spec.name for run in source.runs)),
        "description": source.runs[0].spec.description if len(source.runs) == 1 else "",
        "generated": {"kpframe": __version__},
        "notes": [*_own_notes(source, documents_limit > 0), *source.notes, *notes],
        "columns": scores.columns(source),
        "default_column": default,
        "matchings": _matchings(source),
        "systems": systems,
        "significance": scores.method(),
        "axes": _axes(systems),
        "reference_source": _reference_source(source),
        "printed": _printed(source),
        "agreement": scores.agreement(source.columns, systems),
        "conclusions": _conclusions(source),
        "curves": lists.curves(),
        "per_document": scores.per_document(source, samples),
        "positions": lists.positions(),
        "positions_absent": lists.absent if lists.positions() else {},
        "reliability": lists.reliability(),
        "waterfall": {
            name: {label: losses.to_json() for label, losses in by_label.items() if losses.documents}
            for name, by_label in lost.losses.items()
        },
        "steps": lost.steps,
        "missed": lists.missed() if documents_limit else {},
        "spurious": lists.spurious() if documents_limit else {},
        "with_texts": documents_limit > 0,
        "sampled": _sampled(samples[default].ids, pages, lost.documents, default, phrases_limit),
        "recipe": recipe(source, scores.signatures(source, samples), with_texts=documents_limit > 0),
    }
    # Most of it are texts, and all that they have besides words are ranks, places and finite scores.
    return {**_plain(found), "documents": [_plain(page) if _is_odd(page) else page for page in pages]}


def _is_odd(page: Mapping[str, Any]) -> bool:
    """Whether something in a document that is shown is half of a surrogate pair."""
    words = [page["id"], page["text"], *(one["text"] for one in page["phrases"])]
    words += (form for gold in page["gold"] for form in gold["variants"])
    return any(not word.isascii() and _SURROGATE.search(word) for word in words)


def _own_notes(source: Source, with_texts: bool) -> Iterator[str]:
    """What the summaries of the runs say to their readers; without texts, no example of what was skipped."""
    for run in source.runs:
        for note in run.summary.notes if run.summary else ():
            text = run.portable(f"{run.name}: {note}" if len(source.runs) > 1 else note)
            yield text if with_texts else text.partition(", first ")[0]


def _matchings(source: Source) -> dict[str, Any]:
    made = {}
    for label, matching in source.matchings.items():
        cutoff = source.cutoff(label)
        says = {
            "R": "the first R phrases, R = the number of gold keyphrases that the matching keeps",
            "all": "all phrases",
        }.get(str(cutoff), f"the first {cutoff} phrases")
        made[label] = {"signature": matching.signature(), "cutoff": cutoff, "cutoff_says": says}
    return made


def _axes(systems: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The alternatives of each axis of the grid, in the order of the systems."""
    axes: dict[str, dict[str, None]] = {}
    for system in systems:
        for axis, name in system["axes"].items():
            axes.setdefault(axis, {})[name] = None
    return {axis: list(names) for axis, names in axes.items()}


def _reference_source(source: Source) -> str:
    named = (run.summary.reference_source for run in source.runs if run.summary)
    return ", ".join(dict.fromkeys(filter(None, named)))


def _printed(source: Source) -> list[dict[str, Any]]:
    """The rows of publications that the runs have, each once."""
    found: list[dict[str, Any]] = []
    for row in (row for run in source.runs if run.summary for row in run.summary.printed):
        one = {"system": row.system, "values": dict(row.values), "source": row.source}
        if one not in found:
            found.append(one)
    return found


def _conclusions(source: Source) -> list[dict[str, Any]]:
    """What became of the claims that specs make, as the runs wrote it down."""
    claims = (claim for run in source.runs for claim in read_claims(run.finished.path))
    return [{"claim": c["says"], "holds": c["holds"], "detail": c["evidence"]} for c in claims]


def _sampled(
    ids: Sequence[str], pages: Sequence[Any], told: int, column: str, phrases: int
) -> dict[str, Any]:
    every = "all documents"
    half = (
        f"half of them those on which the systems differ most in {column}, the others at even distances in "
        "the order of their ids"
    )
    return {
        "documents": {"shown": len(pages), "of": len(ids), "how": every if len(pages) == len(ids) else half},
        "waterfall": {
            "shown": told,
            "of": len(ids),
            "how": every if told == len(ids) else "as they are told",
        },
        "phrases": {
            "shown": phrases,
            "of": None,
            "how": f"the best {phrases} phrases of a document, and those further down that hit",
        },
    }


def _plain(found: dict[str, Any]) -> dict[str, Any]:
    """The values as JSON and UTF-8 have them; a lone surrogate becomes U+FFFD, one for one."""
    try:
        text = json.dumps(found, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        found = _finite(found)
        text = json.dumps(found, ensure_ascii=False)
    if text.isascii() or not _SURROGATE.search(text):  # nearly always
        return found
    mended: dict[str, Any] = json.loads(_SURROGATE.sub("\ufffd", text))
    return mended


def _finite(value: Any) -> Any:
    """The value in plain containers, with None for what is no number."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
