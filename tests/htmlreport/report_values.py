"""What a page is made of: a small report by hand, with texts that attack whoever shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    f"{SCRIPT} says \"Tom & 'Jerry'\" 𝒜stral 😀😀 graphs; שלום עולם \u2028 "
    "</script><!-- <img src=x onerror=alert(2)>"
)
PHRASES = (
    SCRIPT,
    "\"Tom & 'Jerry'\"",
    "𝒜stral 😀😀 graphs",
    "שלום עולם",
    "😀 graphs",
    "<img src=x onerror=alert(2)>",
)
COLUMNS = ("r_precision/exact", "r_precision/approximate")


def example(documents: int = 3, systems: int = 3, text: str = HOSTILE) -> dict[str, Any]:
    """A report in the shape that `collect` gives; every document has the same text and marks."""
    names = ["best & <b>bold</b>", "grid.one", "grid.two", *(f"more.{n}" for n in range(3, systems))][
        :systems
    ]
    ids = [SCRIPT, *(f"doc {n}" for n in range(1, documents))]
    labels = ("exact", "approximate")
    return {
        "format": "kpframe-report-2",
        "title": f"a {SCRIPT} title",
        "description": f"<b>not bold</b> {SCRIPT}",
        "generated": {"kpframe": "0.1.0"},
        "notes": [f"a note {SCRIPT}"],
        "columns": [
            {"name": name, "metric": "r_precision", "matching": label, "label": label, "signature": "s"}
            for name, label in zip(COLUMNS, labels, strict=True)
        ],
        "default_column": COLUMNS[0],
        "matchings": {
            label: {"signature": "s", "cutoff": "R", "cutoff_says": "the first R"} for label in labels
        },
        "systems": [_system(name, place, documents) for place, name in enumerate(names)],
        "significance": {"test": "a test", "correction": "holm", "level": 0.05, "interval": "95 %"},
        "axes": {"ranking": ["one", "two"], "candidates": ["tokens"]},
        "reference_source": "A & B (2009), <table 3>",
        "agreement": [
            {
                "column": COLUMNS[0],
                "systems": 2,
                "mean_difference": 0.01,
                "mean_absolute_difference": 0.02,
                "spearman": None,
            }
        ],
        "conclusions": [
            {"claim": f"{SCRIPT} is good", "holds": True, "detail": "d"},
            {"claim": "it is bad", "holds": False, "detail": ""},
            {"claim": "who knows", "holds": None, "detail": "not run: kea"},
        ],
        "curves": {
            name: {
                "exact": [{"k": k, "precision": 1 / k, "recall": k / 9, "f1": k / 12} for k in range(1, 9)]
            }
            for name in names
        },
        "per_document": {
            "ids": ids,
            "length": [20 + n for n in range(documents)],
            "gold": [3 + n % 4 for n in range(documents)],
            "values": {
                name: {
                    column: [round((n * 7 + place) % 11 / 11, 4) for n in range(documents)]
                    for column in COLUMNS
                }
                for place, name in enumerate(names)
            },
        },
        "positions": {name: {"proper": [{"gold": 5, "found": 3, "missed": 2}] * 5} for name in names},
        "positions_absent": {"proper": 3},
        "reliability": {names[0]: _reliability()},
        "waterfall": {name: {label: _losses(documents) for label in labels} for name in names},
        "steps": {name: [_step()] for name in names},
        "documents": [_document(id, text, names) for id in ids[:100]],
        "missed": {name: [{"text": SCRIPT, "count": 2}] for name in names},
        "spurious": {name: [{"text": "שלום", "count": 2, "systems": 1}] for name in names},
        "with_texts": True,
        "sampled": {
            "documents": {"shown": min(documents, 100), "of": documents, "how": "even"},
            "waterfall": {"shown": documents, "of": documents, "how": "all documents"},
            "phrases": {"shown": 30, "of": None, "how": "the best 30"},
        },
        "recipe": {
            "runs": [_run()],
            "signatures": {name: {COLUMNS[0]: "r_precision|match:exact"} for name in names},
            "statistics": [["documents", documents], ["words a document (mean)", 12.3456], ["unknown", None]],
            "failures": [
                {"run": "r", "id": SCRIPT, "stage": "ranking", "error": "x\x00y\x1b[31m", "cells": ["kea"]}
            ],
        },
    }


def _system(name: str, place: int, documents: int) -> dict[str, Any]:
    first = {"value": 0.5 - place / 20, "low": 0.4 - place / 20, "high": 0.6 - place / 20}
    more = {"documents": documents, "skipped": 0, "best": place == 0, "p": 0.01 * place or None}
    judged = {"significant_vs_best": (None, False, True)[min(place, 2)], "corrected_p": 0.02 * place or None}
    nothing = {"value": None, "low": None, "high": None, "reference": None, "best": False}
    grid = {"ranking": name.partition(".")[2], "candidates": "tokens"} if name.startswith("grid.") else {}
    scores = {
        COLUMNS[0]: {**first, **more, **judged, "reference": 0.45 if place < 2 else None},
        COLUMNS[1]: {**first, **more, **judged, **(nothing if place == 2 else {"reference": None})},
    }
    return {
        "name": name,
        "run": "r",
        "cell": name,
        "axes": grid,
        "documents": 3,
        "keyphrases": 9,
        "scores": scores,
    }


def phrases_of(document: Mapping[str, Any], system: str) -> list[dict[str, Any]]:
    """The list of a system, each phrase with its rank and score."""
    known = document["phrases"]
    return [
        {**known[number], "rank": rank, "score": score} for rank, score, number in document["systems"][system]
    ]


def _document(id: str, text: str, names: list[str]) -> dict[str, Any]:
    gold = [
        {"text": phrase, "variants": [phrase], "present": bool(spans), "spans": spans}
        for phrase in (*PHRASES[:3], "absent & gone")
        if (spans := list(places(text, phrase))) or phrase.startswith("absent")
    ]
    phrases = [
        {
            "text": phrase,
            "spans": list(places(text, phrase)),
            "mark": ("hit", "hit", "near", "false", "near", "false")[rank - 1],
            "rule": ("exact", "exact", "includes", "", "overlap: head", "")[rank - 1],
            "gold": (0, 1, 2, None, 2, None)[rank - 1] if len(gold) > 2 else None,
            "hits": ({"exact": ["exact", 0]}, {"exact": ["exact", 1]}, {"approximate": ["includes", 2]})[
                rank - 1
            ]
            if rank < 4
            else {},
        }
        for rank, phrase in enumerate(PHRASES, 1)
    ]
    return {
        "id": id,
        "text": text,
        "gold": gold,
        "phrases": phrases,
        "systems": {name: [[n + 1, 1 / (n + 1), n] for n in range(len(phrases))] for name in names},
        "counted": {name: {"exact": 4, "approximate": 4} for name in names},
        "other_text": [],
    }


def places(text: str, phrase: str) -> Iterator[list[int]]:
    """Where a phrase stands in a text, in code points."""
    begin = text.find(phrase)
    while begin >= 0:
        yield [begin, begin + len(phrase)]
        begin = text.find(phrase, begin + len(phrase))


def _losses(documents: int) -> dict[str, int]:
    parts = {"not_in_text": 3, "left_out": 0, "never_proposed": 2, "ranked_too_low": 3}
    rest = {"lost_in_postprocessing": 1, "found": 4, "found_by_postprocessing": 2}
    return {"gold": 13, **parts, **rest, "documents": documents}


def _reliability() -> dict[str, Any]:
    bins = [
        {"low": 0.0, "high": 0.5, "n": 90, "correct": 9, "confidence": 0.2, "accuracy": 0.1},
        {"low": 0.5, "high": 1.0, "n": 0, "correct": 0, "confidence": None, "accuracy": None},
    ]
    return {"ece": 0.1, "mce": 0.1, "n": 90, "bins": bins}


def _step() -> dict[str, Any]:
    counts = {"before": 50, "after": 30, "removed": 22, "made": 2, "removed_gold": 3, "made_gold": 5}
    return {"kind": "merge_adjacent", "label": "merge_adjacent", **counts}


def _run() -> dict[str, Any]:
    return {
        "run": "r",
        "spec": f"name: r\n# {SCRIPT} &amp;\n",
        "command": "kpframe run resolved.yaml --data DIR",
        "data_hash": "ab12",
        "documents": {
            "read": 5,
            "training": 2,
            "evaluated": 3,
            "characters": 999,
            "skipped": [{"place": f"f:{SCRIPT}", "reason": "no text"}],
        },
        "versions": [["kpframe", "0.1.0"]],
        "models": [["en", "en_core_web_sm 3.8.0"]],
        "resources": [["stopwords/en", "0123"]],
        "fitted": ["kea-01.json"],
        "timings": {
            "total": 71.0,
            "resumed": False,
            "workers": 2,
            "stages": [{"stage": "ranking", "what": "", "seconds": 1.5}],
            "cells": [{"cell": "kea", "seconds": 0.0}],
        },
    }
