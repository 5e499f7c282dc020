"""In how many documents a token stands, and the idf that follows from it."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from kpframe.errors import ResourceError, counted
from kpframe.files.changes import while_unchanged
from kpframe.files.json_text import json_value
from kpframe.model.folding import fold
from kpframe.ranking._folded_counts import ByFolded, by_folded, folded_keys
from kpframe.ranking._trained_state import Count, checked

__all__ = ["DocumentFrequencies", "IdfForm", "read_table", "tell_all_alike"]

IdfForm = Literal["log", "smooth", "ratio", "log2"]


_log = logging.getLogger("kpframe.ranking")


class _State(BaseModel):
    """What `to_state` gives."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    documents: Count
    df: dict[str, Count]


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """Counts over a collection: `documents`, and for each token (or phrase) the documents with it."""

    documents: int
    of_token: Mapping[str, int]

    @classmethod
    def counted(cls, observations: Iterable[Iterable[str]]) -> DocumentFrequencies:
        """Over documents, each of which is given by its distinct tokens; tells where nothing follows."""
        documents = 0
        counts: Counter[str] = Counter()
        for tokens in observations:
            documents += 1
            counts.update(folded_keys(tokens))
        if counts and min(counts.values()) == documents:
            tell_all_alike(documents)
        return cls(documents, ByFolded(counts))

    def idf(self, token: str, form: IdfForm = "log") -> float:
        """ln(N / df), ln((N + 1) / (df + 1)) + 1, N / df or log2((N + 1) / (df + 1)).

        Finite and never negative. Under `log` and `ratio` a token that stands in no document counts as
        if it stood in one; a token that stands in all has 0 under `log` and `log2` and 1 under the others.
        """
        asked = form, self.of_token.get(token, 0)
        known = self._by_df.get(asked)
        if known is None:
            known = self._by_df[asked] = self._of_df(*asked)
        return known

    @cached_property
    def _by_df(self) -> dict[tuple[IdfForm, int], float]:
        """What was computed so far: most tokens stand in one of a few numbers of documents."""
        return {}

    def _of_df(self, form: IdfForm, df: int) -> float:
        documents = max(self.documents, 1)
        known = min(df, documents)
        if form in ("smooth", "log2"):
            smoothed = (documents + 1) / (known + 1)
            return math.log(smoothed) + 1.0 if form == "smooth" else math.log2(smoothed)
        ratio = documents / max(known, 1)
        return math.log(ratio) if form == "log" else ratio

    def to_state(self) -> dict[str, Any]:
        """Plain JSON values: {"documents": N, "df": {token: count}}."""
        return {"documents": self.documents, "df": dict(self.of_token)}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> DocumentFrequencies:
        """The counts that `to_state` gave; ResourceError if they are damaged."""
        found = checked(_State, state, "document frequencies")
        return cls(found.documents, by_folded(found.df, max))


def tell_all_alike(documents: int) -> None:
    """That a collection is one text, or the same one several times, so that it tells no words apart."""
    collection = counted(documents, "document") + (" with the same words" if documents > 1 else "")
    _log.warning(
        "every document frequency is that of all documents (%s): a ranking that weighs words by the "
        "collection knows nothing, and may leave phrases in the order of the text; give other texts, or a "
        "table of frequencies",
        collection,
    )


def read_table(path: Path) -> DocumentFrequencies:
    """Read a saved table: JSON as `to_state` gives, a trained tf.idf model, or lines `token<TAB>df`.

    The first line of the second form is `#documents<TAB>N`. Tokens are folded; of tokens that
    become equal the greatest df counts. Raises ResourceError, naming the line, for anything else.
    """
    try:
        return _read_table(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ResourceError.at(str(path), f"cannot be read ({error})", "give a UTF-8 file") from None


@while_unchanged(4)
def _read_table(path: Path) -> DocumentFrequencies:
    text = path.read_text(encoding="utf-8-sig")
    rows = _json_rows(path, text) if text.lstrip().startswith("{") else _tab_rows(path, text)
    documents = rows.pop(0)[2]
    counts: dict[str, int] = {}
    for place, token, count in rows:
        if not 1 <= count <= documents:
            raise ResourceError.at(
                place,
                f"{counted(count, 'document')} with {token!r}",
                f"the number must lie between 1 and the number of documents, {documents}",
            )
        folded = fold(token)
        counts[folded] = max(count, counts.get(folded, 0))
    return DocumentFrequencies(documents, ByFolded(counts))


def _json_rows(path: Path, text: str) -> list[tuple[str, str, int]]:
    """(place, token, count) of each entry, the number of documents first."""
    try:
        state = json_value(text)
        state = state.get("state", state)  # of a model that `kpframe train` wrote
        return [
            (str(path), "", int(state["documents"])),
            *((str(path), str(token), int(count)) for token, count in state["df"].items()),
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ResourceError.at(
            str(path), "is no table of document frequencies", 'write {"documents": N, "df": {token: count}}'
        ) from None


def _tab_rows(path: Path, text: str) -> list[tuple[str, str, int]]:
    """(place, token, count) of each line, the number of documents first."""
    rows: list[tuple[str, str, int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        token, _, count = line.rpartition("\t")
        if not (token and count.strip().isdecimal()):
            raise ResourceError.at(place, "is no row of a table", "write token<TAB>number of documents")
        rows.append((place, token, int(count)))
    if not rows or rows[0][1] != "#documents":
        raise ResourceError.at(
            f"{path}:1", "does not say the number of documents", "begin with the row #documents<TAB>N"
        )
    return rows
