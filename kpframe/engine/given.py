"""Predictions of other programs on their way through a run: paired with the documents, made lists of.

They are laid down once beside the documents, in the same order, so that workers find those of a document
without holding any file, and memory does not grow with their length.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kpframe.engine.spool import Entry, Spool
from kpframe.errors import DataError, counted
from kpframe.evaluation.alike_ids import alike_remedy
from kpframe.evaluation.predictions import Prediction, read_predictions, some
from kpframe.evaluation.spooled import Waiting
from kpframe.files.atomic import atomic_write
from kpframe.language.loose_marks import LooseMarks
from kpframe.language.text_places import Tokens
from kpframe.language.words import token_spans
from kpframe.model import Annotations, Document, Keyphrases, Place, Ranked, Skipped
from kpframe.model.folding import fold
from kpframe.spec import Spec
from kpframe.stages import Predictions

__all__ = ["UNPAIRED", "given_lists", "paired", "read_given"]

UNPAIRED = "unpaired"
"""The part of documents that are evaluated for no system, because one of them has no prediction."""

_Row = Mapping[str, tuple[Sequence[str], Sequence[float] | None]]
"""By cell the phrases predicted for a document, best first, and their scores where they have some."""


def paired(spec: Spec, spool: Spool, path: Path, *, whole: bool = True) -> Spool:
    """The spool with what other programs predicted for its evaluated documents, laid down at `path`.

    What has no counterpart is in `unpaired` of the spool; predictions only if the `whole` corpus is there and
    not what a limit left of it. Raises DataError where documents are missing and none may be, and where a
    file has no document in common with the corpus.
    """
    systems = {c.name: c.predictions for c in spec.configurations if c.predictions is not None}
    if not systems:
        return spool
    waiting = {name: Waiting(_read(predictions)) for name, predictions in systems.items()}
    lacking: dict[str, list[str]] = {name: [] for name in systems}
    entries: list[Entry] = []
    marks = {name: LooseMarks() for name in systems}
    offset = 0
    with atomic_write(path) as file:
        for entry in spool.entries:
            found = {name: one.take(entry.id) for name, one in waiting.items()}
            absent = [name for name in systems if found[name] is None] if entry.part == "test" else []
            for name in absent:
                lacking[name].append(entry.id)
            for name, prediction in found.items():
                marks[name].look_at(prediction.phrases if prediction else ())
            line = json.dumps({name: _row(one) for name, one in found.items()}).encode() + b"\n"
            file.write(line)
            skipped = any(systems[name].missing == "skip" for name in absent)
            entries.append(replace(entry, given=offset, part=UNPAIRED if skipped else entry.part))
            offset += len(line)
    left = {name: one.left() for name, one in waiting.items()}
    evaluated = sum(entry.part == "test" for entry in spool.entries)
    unpaired: list[Skipped] = []
    for name, predictions in systems.items():
        unpaired += _lacking(name, predictions, lacking[name], left[name], evaluated)
        if whole and left[name]:
            told = f"{len(left[name])} predictions are of no document of the corpus"
            unpaired.append(Skipped(name, f"{told}, as {some(left[name][:1])}"))
    return replace(spool, entries=tuple(entries), unpaired=tuple(unpaired), marks={**spool.marks, **marks})


def _read(predictions: Predictions) -> Iterator[Prediction]:
    return read_predictions(predictions.path, under=predictions.under, better=predictions.better)


def _row(found: Prediction | None) -> tuple[Sequence[str], Sequence[float] | None]:
    return ((), None) if found is None else (found.phrases, found.scores)


_BECOME = {"empty": "nothing was predicted for them", "skip": "they are evaluated for no system"}


def _lacking(
    name: str, predictions: Predictions, missing: Sequence[str], unknown: Sequence[str], evaluated: int
) -> Iterator[Skipped]:
    """The documents that a system has no prediction for; DataError where that may not be."""
    place = f"{name}: {predictions.path}"
    if evaluated and len(missing) == evaluated:
        sides = f"documents: {some(missing)}; predictions: {some(unknown)}"
        remedy = alike_remedy(missing, unknown, "give both the same ids")
        raise DataError.at(place, f"has no evaluated document ({sides})", remedy)
    if missing and predictions.missing == "refuse":
        problem = f"has no prediction for {len(missing)} of {counted(evaluated, 'document')}: {some(missing)}"
        remedy = alike_remedy(missing, unknown, "complete it, or say `missing: empty` or `missing: skip`")
        raise DataError.at(place, problem, remedy)
    if missing:
        become = _BECOME[predictions.missing]
        told = alike_remedy(missing, unknown, become)
        yield Skipped(name, f"no prediction for {len(missing)} of {counted(evaluated, 'document')} ({told})")


def read_given(path: Path | None, entries: Sequence[Entry]) -> list[_Row]:
    """What was laid down at `path` for documents; nothing where there is no such file."""
    if path is None:
        return [{}] * len(entries)
    if all(entry.predicted for entry in entries):  # they travel with them
        return [json.loads(entry.predicted) for entry in entries]
    rows = []
    with path.open("rb") as file:
        for entry in entries:
            file.seek(entry.given)
            rows.append(json.loads(file.readline()))
    return rows


def given_lists(document: Document, row: _Row) -> dict[str, Keyphrases]:
    """By cell the list of a document: phrases that stand in the text have their places there.

    Those that do not stand each in a line of their own behind the text, so that every phrase has tokens and
    a place, as all steps of post-processing expect; `Keyphrases.public` has only places in the text.
    """
    if not row:
        return {}
    tokens = Tokens(document.text)
    phrases = dict.fromkeys(phrase for given, _ in row.values() for phrase in given)
    places = {phrase: tuple(tokens.places([phrase])) for phrase in phrases}
    keys = {phrase: _key(phrase) for phrase in phrases}
    annotations = _annotated(document.text, tokens.spans, places)
    made = {}
    for cell, (given, scores) in row.items():
        ranks = scores if scores is not None else [-float(rank) for rank in range(1, len(given) + 1)]
        entries = [
            Ranked(keys[phrase], phrase, score, places[phrase])
            for phrase, score in zip(given, ranks, strict=True)
        ]
        made[cell] = Keyphrases(document, annotations, tuple(entries))
    return made


def _key(phrase: str) -> str:
    """As selections make keys of words."""
    return " ".join(fold(phrase[begin:end]) for begin, end in token_spans(phrase)) or phrase


def _annotated(
    text: str, spans: Sequence[tuple[int, int]], places: dict[str, tuple[Place, ...]]
) -> Annotations:
    """The tokens of the text and, behind it, of the phrases without a place, which get theirs there."""
    pieces, length = [text], len(text)
    tokens = list(spans)
    sentences = [(0, len(tokens))] if tokens else []
    for phrase, found in places.items():
        if found:
            continue
        begin = length + 1
        own = token_spans(phrase) or [(0, len(phrase))]
        places[phrase] = ((len(tokens), len(tokens) + len(own)),)
        sentences.append(places[phrase][0])
        tokens += [(begin + b, begin + e) for b, e in own]
        pieces.append(phrase)
        length = begin + len(phrase)
    whole = "\n".join(pieces)
    words = [whole[begin:end] for begin, end in tokens]
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys(words))}
    columns: Any = np.array(tokens, dtype=np.int32).reshape(-1, 2)
    return Annotations(
        whole,
        np.ascontiguousarray(columns[:, 0]),
        np.ascontiguousarray(columns[:, 1]),
        np.array([vocabulary[word] for word in words], dtype=np.int32),
        tuple(vocabulary),
        np.array(sentences, dtype=np.int32).reshape(-1, 2),
    )
