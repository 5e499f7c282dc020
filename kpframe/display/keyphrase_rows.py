"""Keyphrases as rows of a table: a row a keyphrase (long), or a row a document (wide)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kpframe.model.keyphrases import Keyphrase

__all__ = ["LONG_COLUMNS", "OBJECT", "KeyphraseRows", "kept_names"]

_LONG = {
    "id": "string",
    "rank": "int",
    "text": "string",
    "score": "float",
    "key": "string",
    "spans": "string",
}
_LISTS = {"keyphrases": "list string", "scores": "list float"}
_BATCH = 1000
_OF_WIDE = re.compile(r"keyphrases|keyphrase_[1-9][0-9]*")
"""Columns of which a wide table has one or the other: no kept one may look like them."""

LONG_COLUMNS = tuple(_LONG)[1:]
"""Columns with which each row of a keyphrase ends."""
OBJECT = ("id", "language", "characters", "keyphrases", "error")
"""What the JSON object of a document may have of its own, some of it only now and then."""


def kept_names(keep: Sequence[str], is_taken: Callable[[str], bool]) -> dict[str, str]:
    """The names that kept columns get beside columns that are there: `kept_NAME` where NAME `is_taken`.

    Those that are free stay as they are, so where one of them is called `kept_NAME`, `kept_` is put before
    the other once more.
    """
    names = {name: name for name in keep if not is_taken(name)}
    used = set(names)
    for name in keep:
        if name not in names:
            new = f"kept_{name}"
            while new in used or is_taken(new):
                new = f"kept_{new}"
            names[name] = new
            used.add(new)
    return {name: names[name] for name in keep}


class KeyphraseRows:
    """Collects rows, column by column: id, what is kept, and the keyphrases.

    Long: rank, text, score, key and spans, a row a keyphrase. Wide: a row a document, with the lists
    `keyphrases` and `scores`, or with `top` columns `keyphrase_1` … where the format has no lists. A kept
    column that would have the name of another one is called `kept_NAME`. `objects`: it is a JSON object a
    document, whose own names are others; its keyphrases are lists in it.
    """

    def __init__(
        self, keep: Sequence[str] = (), *, wide: bool = False, top: int = 0, objects: bool = False
    ) -> None:
        self._wide, self._top = wide, top
        if not wide:
            self.types = {**_LONG, "spans": "string"}
        elif top:
            self.types = {"id": "string", **{f"keyphrase_{i}": "string" for i in range(1, top + 1)}}
        else:
            self.types = {"id": "string", **_LISTS}
        own = list(self.types)
        self._taken = set(OBJECT if objects else own)
        self.kept = list(kept_names(keep, self.is_taken).values())
        self.columns = ["id", *self.kept, *own[1:]]
        self._rows: dict[str, list[Any]] = {name: [] for name in self.columns}

    def is_taken(self, name: str) -> bool:
        """Whether a column that is kept cannot have this name."""
        return name in self._taken or (self._wide and _OF_WIDE.fullmatch(name) is not None)

    @property
    def full(self) -> bool:
        """Whether there are enough rows to be written."""
        return len(self._rows["id"]) >= _BATCH

    def taken(self) -> dict[str, list[Any]]:
        """The rows that were collected, which are then forgotten."""
        rows, self._rows = self._rows, {name: [] for name in self.columns}
        return rows

    def add(self, id: Any, keyphrases: Sequence[Keyphrase], kept: Mapping[str, Any]) -> None:
        """Add the rows of one document."""
        count = 1 if self._wide else len(keyphrases)
        self._rows["id"] += [id] * count
        for name, value in zip(self.kept, kept.values(), strict=True):
            self._rows[name] += [value] * count
        if not self._wide:
            self._rows["rank"] += [k.rank for k in keyphrases]
            self._rows["text"] += [k.text for k in keyphrases]
            self._rows["score"] += [k.score for k in keyphrases]
            self._rows["key"] += [k.key for k in keyphrases]
            self._rows["spans"] += [" ".join(f"{b}-{e}" for b, e in k.spans) for k in keyphrases]
        elif self._top:
            for i in range(self._top):
                text = keyphrases[i].text if i < len(keyphrases) else None
                self._rows[f"keyphrase_{i + 1}"].append(text)
        else:
            self._rows["keyphrases"].append([k.text for k in keyphrases])
            self._rows["scores"].append([k.score for k in keyphrases])
