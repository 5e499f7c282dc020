"""Predictions and gold keyphrases that come from files, and the line in which kpframe writes its own.

Formats are told apart line by line, `.gz` files are unpacked, blank lines are ignored. Nothing else
is skipped: a line that cannot be understood raises DataError with file, line, problem and remedy.

- `{"id": …, "keyphrases": [{"text": …, "score": …, "rank": …}]}`: what kpframe writes;
- `{"id": …, "predicted": ["…"]}` and, for gold, `{"id": …, "gold": […], "text": …}`;
- `{"id": [["variant", …], …], …}`: one object for many documents, on one line or on many;
- `{"source": …, "target": …, "prediction": …}` (or `predictions`): KPEval's lines; without an `id` the line
  number is the id;
- `{"document": […], "extractive_keyphrases": […], "abstractive_keyphrases": […]}`: Hugging Face's rows, whose
  keyphrases are gold; predictions stand beside them under one of the names above;
- `id<TAB>phrase;phrase`; a first line that names the columns is told and skipped;
- lists of pairs of phrase and score, `[["…", 0.3], …]`, as pke and YAKE return them, in place of phrases;
- `phrase <sep> phrase`, a line a document, as OpenNMT-kpg's `.pred` files: the line number is the id;
- runs of trec_eval, `id Q0 phrase rank score tag`, with `_` for blanks (see `kpframe.evaluation.trec`);
- UIMA's files: an `.xmi` file, or a folder with `.xmi` and `.json`;
- a folder, zip or tar with a `.key` file a document, whose name is the id, beside texts or alone;
- tables (csv, tsv, parquet, xlsx) with a row a document or a row a keyphrase, as `extract` writes them;
  without a column `rank` or `score` the rank is the order of the rows; JSON and JSON lines with a row a
  keyphrase (`id`, `text` and `rank` or `score`) are read in the same way.

A string is a list of phrases parted by `;`. In a JSON list a `;` is part of its phrase.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.evaluation._phrase_files import NAMED, document_rows, gold_text_of, language_of, text_of
from kpframe.evaluation._phrase_values import Better, gold_of, phrases_of, rising, scores_of
from kpframe.evaluation.alike_ids import alike_remedy
from kpframe.evaluation.missing import Missing, missing_policy
from kpframe.model import AUTO, Gold, Keyphrase

__all__ = [
    "Joined",
    "Pair",
    "Prediction",
    "carried",
    "join",
    "paired_with",
    "prediction_line",
    "read_gold",
    "read_predictions",
    "some",
]

GoldRecord = tuple[str, tuple[Gold, ...], str | None] | tuple[str, tuple[Gold, ...], str | None, str]
"""Id, gold keyphrases and (if known) the text of a document; where it says its language, that too."""

IDS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Prediction:
    """The phrases predicted for a document, best first; gold, text and scores where the file has them."""

    id: str
    phrases: tuple[str, ...]
    gold: tuple[Gold, ...] | None = None
    text: str | None = None
    scores: tuple[float, ...] | None = None
    language: str = AUTO


@dataclass(frozen=True, slots=True)
class Pair:
    """What is needed to score one document."""

    id: str
    gold: tuple[Gold, ...]
    phrases: tuple[str, ...]
    text: str | None
    scores: tuple[float, ...] | None = None
    language: str = AUTO


@dataclass(frozen=True, slots=True)
class Joined:
    """Documents ready for scoring, in the order of the gold, and the ids that one side lacks."""

    pairs: tuple[Pair, ...]
    only_in_gold: tuple[str, ...]
    only_in_predictions: tuple[str, ...]


def read_predictions(
    path: str | Path, *, under: str | None = None, better: Better = None
) -> Iterator[Prediction]:
    """The predictions of a file, one a document, in the order of the file.

    `under` names the key of a line's object that has phrases, gold and text, where they stand deeper.

    Keyphrases with ranks are put in their order, else those with scores (highest first, unless lower ones
    are `better`), else they stay as listed. Pairs of phrase and score that all rise look as if lower were
    better, as with YAKE: DataError at the end of such a file, unless it is said. A document with an
    `error`, as kpframe writes it for one that failed, has no prediction:
    `join` lists it. Raises DataError for what cannot be understood and for an id that comes twice.
    """
    falling, rose = False, False
    for place, name, row in document_rows(path, under):
        if row.get("error"):
            continue
        predicted, gold = row.get("predicted", row.get("phrases")), row.get("gold")
        if predicted is None:
            remedy = "give them as 'keyphrases', 'predicted', 'prediction' or 'predictions'"
            raise DataError.at(place, f"no predictions for {name!r}", remedy)
        yield Prediction(
            name,
            phrases_of(place, predicted, better),
            None if gold is None else gold_of(place, gold),
            text_of(place, row),
            scores_of(place, predicted, better),
            language_of(place, row),
        )
        if better is None and not falling and (rises := rising(predicted)) is not None:
            falling, rose = not rises, rises
    if rose and not falling:
        problem = "all lists have rising scores, as if lower ones were better"
        remedy = "say that lower is better (`better: lower`, --better lower), or that higher is"
        raise DataError.at(str(path), problem, remedy)


def read_gold(path: str | Path, *, under: str | None = None) -> Iterator[GoldRecord]:
    """The gold keyphrases of a file: id, keyphrases and, where the file has it, the text.

    `under` is as in `read_predictions`, of which it may have been said alone.
    """
    for place, name, row in document_rows(path, under, needed=False):
        gold = row["gold"] if "gold" in row else _named_gold(place, row)
        if gold is None:
            raise DataError.at(place, f"no gold keyphrases for {name!r}", "give them as 'gold' or 'target'")
        language = language_of(place, row)
        record = name, gold_of(place, gold), gold_text_of(place, row)
        yield record if language == AUTO else (*record, language)


_RANKED = frozenset(("score", "rank", "probabilities"))


def _named_gold(place: str, row: Mapping[str, Any]) -> Any:
    """Gold under a name that predictions may have too; DataError for what can be nothing else than these."""
    found = row.get("phrases")
    several = [key for key in NAMED if row.get(key) is not None]
    if len(several) > 1:
        raise DataError.at(place, f"has both {' and '.join(map(repr, several))}", "call the gold ones 'gold'")
    if isinstance(found, list) and any(
        isinstance(one, dict) and not one.keys().isdisjoint(_RANKED) for one in found
    ):
        problem = "its phrases have scores or ranks, as those that a program found"
        raise DataError.at(place, problem, "give the file with the gold keyphrases as gold")
    return found


def join(
    gold: Iterable[GoldRecord] | None,
    predictions: Iterable[Prediction],
    *,
    missing: Missing = "empty",
) -> Joined:
    """Pair gold and predictions by id; without `gold`, predictions must bring their own.

    `missing` says what becomes of a document without a prediction: it counts as one for which
    nothing was predicted, it is left out, or DataError is raised (also for predictions without
    gold, which are listed but never scored). Both kinds of ids are listed in any case. Raises
    DataError if there is no id in common, since then every score would be 0 for the wrong reason.
    """
    missing = missing_policy(missing)
    predicted = _by_id(predictions)
    records = [record for record, _ in carried(predicted.values())] if gold is None else list(gold)
    known = {record[0] for record in records}
    if len(known) < len(records):
        twice, _ = Counter(record[0] for record in records).most_common(1)[0]
        raise DataError.at("gold", f"id {twice!r} comes twice", "keep one of the two")
    lacking = tuple(record[0] for record in records if record[0] not in predicted)
    unknown = tuple(name for name in predicted if name not in known)
    if len(lacking) == len(records):
        problem = f"no document is in both (gold: {some(lacking)}; predictions: {some(unknown)})"
        raise DataError.at("ids", problem, alike_remedy(lacking, unknown, "give both files the same ids"))
    if missing == "refuse" and (lacking or unknown):
        sides = f"only in gold: {some(lacking)}; only in predictions: {some(unknown)}"
        remedy = "complete the files, or use `missing`: empty or skip"
        raise DataError.at("ids", sides, alike_remedy(lacking, unknown, remedy))
    pairs = [
        paired_with(record, predicted.get(record[0]))
        for record in records
        if record[0] in predicted or missing == "empty"
    ]
    return Joined(tuple(pairs), lacking, unknown)


def prediction_line(
    document_id: str, keyphrases: Sequence[Keyphrase], extra: Mapping[str, Any] | None = None
) -> str:
    """The JSON line (without its line end) for one document: id, keyphrases, then `extra` as given.

    The same values give the same bytes, and floats survive reading back. Raises ValueError for a
    number that JSON does not have or an `extra` that would replace id or keyphrases.
    """
    line: dict[str, Any] = {"id": document_id, "keyphrases": [k.to_json() for k in keyphrases]}
    if extra and line.keys() & extra.keys():
        raise ValueError("extra must not hold 'id' or 'keyphrases'")
    line.update(extra or {})
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _by_id(predictions: Iterable[Prediction]) -> dict[str, Prediction]:
    found: dict[str, Prediction] = {}
    for prediction in predictions:
        if found.setdefault(prediction.id, prediction) is not prediction:
            raise DataError.at("predictions", f"id {prediction.id!r} comes twice", "keep one of the two")
    return found


def paired_with(record: GoldRecord, prediction: Prediction | None) -> Pair:
    """A document with what was predicted for it, if anything was; its own text goes first."""
    name, gold, text, *said = record
    language = str(said[0]) if said else AUTO
    if prediction is None:
        return Pair(name, gold, (), text, language=language)
    known = prediction.text if text is None else text
    language = prediction.language if language == AUTO else language
    return Pair(name, gold, prediction.phrases, known, prediction.scores, language)


def carried(predictions: Iterable[Prediction]) -> Iterator[tuple[GoldRecord, Prediction]]:
    """The gold that predictions bring along; DataError for one that brings none."""
    for prediction in predictions:
        if prediction.gold is None:
            raise DataError.at(
                f"prediction for {prediction.id!r}", "brings no gold keyphrases", "give a file with the gold"
            )
        yield (prediction.id, prediction.gold, prediction.text), prediction


def some(names: Sequence[str]) -> str:
    """The first ids, and how many more there are."""
    shown = ", ".join(map(repr, names[:IDS_SHOWN]))
    more = f" and {len(names) - IDS_SHOWN} more" if len(names) > IDS_SHOWN else ""
    return f"{shown}{more}" or "none"
