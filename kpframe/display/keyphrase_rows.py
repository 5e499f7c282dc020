"""Keyphrases as rows of a table: a row a keyphrase (long), or a row a document (wide)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kpframe.model.keyphrases import Keyphrase

__all__ = ["KeyphraseRows"]

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


class KeyphraseRows:
    """Collects rows, column by column: id, what is kept, and the keyphrases.

    Long: rank, text, score, key and spans, a row a keyphrase. Wide: a row a document, with the lists
    `keyphrases` and `scores`, or with `top` columns `keyphrase_1` … where the format has no lists. A kept
    column that would have the name of another one is called `kept_NAME`.
    """

    def __init__(self, keep: Sequence[str] = (), *, wide: bool = False, top: int = 0) -> None:
        self._wide, self._top = wide, top
        if not wide:
            self.types = {**_LONG, "spans": "string"}
        elif top:
            self.types = {"id": "string", **{f"keyphrase_{i}": "string" for i in range(1, top + 1)}}
        else:
            self.types = {"id": "string", **_LISTS}
        own = list(self.types)
        self.kept = [f"kept_{name}" if name in own else name for name in keep]
        self.columns = ["id", *self.kept, *own[1:]]
        self._rows: dict[str, list[Any]] = {name: [] for name in self.columns}

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
