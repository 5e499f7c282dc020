"""Files of phrases that are neither JSON nor columns: those of sequence models, and runs of trec_eval.

Both are told by their first line (or the name of the file), and give rows as JSON lines do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.escaping import field_text
from kpframe.model.blank import visible

__all__ = ["Rows", "is_sequence", "is_trec_run", "sequence_rows", "trec_rows"]

Rows = Iterator[tuple[str, dict[str, Any]]]
"""Place and row of each document."""

_BETWEEN = "<sep>"
_UNSAID = ("<eos>", "</s>", "<pad>", "<bos>", "<s>")


def is_sequence(path: Path, first: str) -> bool:
    """Whether a file has a line a document, its phrases parted by `<sep>`, as OpenNMT-kpg writes them."""
    named = path.name.removesuffix(".gz").endswith(".pred")
    return not first.startswith("{") and "\t" not in first and (named or _BETWEEN in first)


def sequence_rows(path: Path, lines: Iterator[tuple[int, str]]) -> Rows:
    """The phrases of each line, whose number is the id of the document; a blank line has none.

    `<peos>` ends the present phrases and parts as `<sep>` does; signs of the end of a sequence are left out.
    """
    for number, line in lines:
        text = line.replace("<peos>", _BETWEEN)
        for sign in _UNSAID:
            text = text.replace(sign, " ")
        phrases = [" ".join(part.split()) for part in text.split(_BETWEEN)]
        yield f"{path}:{number}", {"id": number, "phrases": [phrase for phrase in phrases if visible(phrase)]}


def is_trec_run(line: str) -> bool:
    """Whether a line is one of a trec_eval run: topic, Q0, document, rank, score, tag."""
    fields = line.split()
    return len(fields) == 6 and fields[1].upper() == "Q0" and _number(fields[4]) is not None


def trec_rows(path: Path, lines: Iterator[tuple[int, str]]) -> Rows:
    """The phrases of each topic, by score as trec_eval has them, equal scores by rank.

    Names are read as `kpframe.evaluation.trec` writes them: `_` is a blank; of the variants of a keyphrase
    the first one stands for all.
    """
    topics: dict[str, list[tuple[float, float, str]]] = {}
    places: dict[str, str] = {}
    for number, line in lines:
        if not line:
            continue
        place = f"{path}:{number}"
        fields = line.split()
        score, rank = (_number(fields[at]) for at in (4, 3)) if len(fields) == 6 else (None, None)
        if score is None or rank is None:
            raise DataError.at(place, "is no line of a trec_eval run", "write topic Q0 phrase rank score tag")
        topic = field_text(fields[0])
        places.setdefault(topic, place)
        topics.setdefault(topic, []).append((-score, rank, field_text(fields[2].partition("|")[0])))
    for topic, found in topics.items():
        ordered = sorted(found, key=lambda one: one[:2])
        yield places[topic], {"id": topic, "predicted": [phrase for *_, phrase in ordered]}


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
