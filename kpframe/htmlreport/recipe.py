"""How the numbers came about: specs, versions, data, failures, times, and the command that repeats a run."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

from kpframe.analysis.text_statistics import statistics
from kpframe.htmlreport.finished import DATA, ReportRun
from kpframe.htmlreport.source import Source
from kpframe.model import Document
from kpframe.runs.beside import read_environment, read_events

__all__ = ["recipe"]

STAGES = {
    "preprocessing": "the language model and all other annotators",
    "candidates": "selecting candidates",
    "learning": "from the documents for training",
    "evaluation": "matching and counting",
    "reports": "summaries and tables, without this page",
}
"""What is done in stages whose names do not say it all."""


def recipe(source: Source, signatures: Mapping[str, Any], *, with_texts: bool = True) -> dict[str, Any]:
    """The recipe of all runs; without texts, nothing that could quote one, as messages of errors do."""
    documents = {id: document for run in source.runs for id, document in run.documents.items()}
    made = {
        "runs": [_run(run) for run in source.runs],
        "signatures": dict(signatures),
        "statistics": _statistics(documents.values()) if documents else [],
        "failures": [failure for run in source.runs for failure in _failures(run)],
    }
    return made if with_texts else _without_messages(made)


def _without_messages(made: dict[str, Any]) -> dict[str, Any]:
    for failure in made["failures"]:
        failure["error"] = failure["error"].partition(":")[0]
    for one in (one for run in made["runs"] for one in run["documents"]["skipped"]):
        one["reason"] = "left out of this report"
    return made


def _run(run: ReportRun) -> dict[str, Any]:
    environment = read_environment(run.finished.path)
    events, _ = read_events(run.finished.path)
    data = environment.get("data") or {}
    spec = run.portable(run.finished.resolved.read_text(encoding="utf-8"))
    return {
        "run": run.name,
        "spec": spec,
        "command": _command(events, elsewhere=DATA in spec),
        "data_hash": data.get("hash"),
        "documents": {
            "read": data.get("documents"),
            "training": data.get("training"),
            "evaluated": data.get("evaluated"),
            "characters": data.get("characters"),
            "skipped": [
                {"place": run.portable(str(one["place"])), "reason": one["reason"]}
                for one in data.get("skipped") or ()
            ],
        },
        "versions": _versions(environment),
        "models": [[str(language), str(model)] for language, model in _items(environment, "language_models")],
        "resources": [[str(name), str(sum_)] for name, sum_ in _items(environment, "resources")],
        "fitted": sorted(path.name for path in (run.finished.path / "fitted").glob("*.json")),
        "timings": _timings(events),
    }


def _items(environment: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    return sorted((environment.get(key) or {}).items())


def _versions(environment: Mapping[str, Any]) -> list[list[str]]:
    own = [
        [key, str(environment[key])]
        for key in ("kpframe", "code", "python", "platform")
        if key in environment
    ]
    return [
        *own,
        *([name, str(version or "not installed")] for name, version in _items(environment, "packages")),
    ]


def _command(events: Iterable[Mapping[str, Any]], *, elsewhere: bool) -> str:
    """What repeats the run, given the spec that the report shows; `elsewhere` there is a corpus."""
    begun = [event for event in events if event.get("event") == "begin"]
    limit = begun[-1].get("limit") if begun else None
    words = ["kpframe", "run", "resolved.yaml", *(["--data", "DIR"] if elsewhere else [])]
    return shlex.join([*words, *(["--limit", str(limit)] if limit is not None else [])])


def _timings(events: list[dict[str, Any]]) -> dict[str, Any]:
    """How long the last session took in which something was computed, as far as the log says.

    The seconds of `stages` are added up over all workers. A session ends, for this, when its times are
    written, so that a report which the run itself writes says the same as one that is made later.
    """
    session = _session(events)
    named = {event.get("event"): event for event in session}
    plan = named.get("plan", {})
    seconds = named.get("timings", {}).get("seconds") or {}
    end = named.get("timings") or named.get("end")
    return {
        "total": _seconds(session[0], end) if session and end else None,
        "resumed": plan.get("pending") != plan.get("cells"),
        "workers": session[0].get("workers") if session else None,
        "stages": [
            {"stage": stage, "what": STAGES.get(stage, ""), "seconds": float(spent)}
            for stage, spent in seconds.items()
        ],
        "cells": [
            {"cell": event["name"], "seconds": event["seconds"]}
            for event in session
            if event.get("event") == "cell" and "seconds" in event
        ],
    }


def _session(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events of the last time that cells were computed; of the last time of all, if there is none."""
    begins = [i for i, event in enumerate(events) if event.get("event") == "begin"]
    # A log may be lost, or begin in the middle: what stands before the first session is of none.
    sessions = [events[i:j] for i, j in pairwise([*begins, len(events)])]
    computing = [session for session in sessions if any(event.get("pending") for event in session)]
    return [*sessions, *computing][-1] if sessions else []


def _seconds(first: Mapping[str, Any], last: Mapping[str, Any]) -> float | None:
    try:
        begin, end = (datetime.strptime(event["time"], "%Y-%m-%dT%H:%M:%S%z") for event in (first, last))
    except (KeyError, TypeError, ValueError):
        return None
    return (end - begin).total_seconds()


def _statistics(documents: Iterable[Document]) -> list[list[Any]]:
    found = statistics(documents)
    return [
        ["documents evaluated", found.documents],
        ["documents without gold keyphrases", found.without_gold],
        ["words a document (mean)", found.mean_words],
        ["tokens a document (mean)", found.mean_tokens],
        ["gold keyphrases", found.gold],
        ["gold keyphrases a document (mean)", found.mean_gold],
        ["tokens a gold keyphrase (mean)", found.mean_gold_length],
        [f"gold keyphrases not in the text (share, by {found.present})", found.absent_share],
        ["correlation of words and gold keyphrases (Pearson)", found.pearson_r],
    ]


def _failures(run: ReportRun) -> list[dict[str, Any]]:
    """Each failure once, with the cells that it concerns; those of learning concern none in particular."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for failure in run.unlearned:
        found.setdefault((failure.id, failure.stage, failure.error), [])
    for cell in run.cells if run.lost else ():
        for failure in run.finished.failures(cell):
            found.setdefault((failure.id, failure.stage, failure.error), []).append(cell)
    return [
        {"run": run.name, "id": id, "stage": stage, "error": run.portable(error), "cells": cells}
        for (id, stage, error), cells in found.items()
    ]
