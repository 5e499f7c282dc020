"""How often phrases and words stand in other texts: the background of foreground/background rankings."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import add
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from kpframe.errors import ResourceError
from kpframe.files.changes import while_unchanged
from kpframe.files.json_text import json_value
from kpframe.model import Annotations, Candidates
from kpframe.model.folding import fold
from kpframe.ranking._folded_counts import ByFolded, by_folded
from kpframe.ranking._trained_state import Count, checked

__all__ = ["Counts", "count", "read_counts", "union"]

_WRITE = 'write rows phrase<TAB>count after a first row #tokens<TAB>N, or {"tokens": N, "phrases": {…}}'


class _State(BaseModel):
    """What `Counts.to_state` gives."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: Count
    words: dict[str, Count]
    phrases: dict[str, Count]
    texts: frozenset[str]


@dataclass(frozen=True, eq=False)
class Counts:
    """Occurrences in one text or many: `words` of tokens with a letter or digit, `phrases` of candidates.

    `tokens` is the number of such tokens. `texts` has a digest of each text, so that a document
    can be taken out of a background of which it is a part.
    """

    tokens: int = 0
    words: Mapping[str, int] = field(default_factory=dict)
    phrases: Mapping[str, int] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()

    def without(self, other: Counts) -> Counts:
        """These counts less those of another, if its text is among those counted here."""
        if not other.texts <= self.texts:
            return self
        return Counts(
            # A text is known by its characters; read as another language it may have more tokens than here.
            max(self.tokens - other.tokens, 0),
            _Less(self.words, by_folded(other.words, add)),
            _Less(self.phrases, by_folded(other.phrases, add)),
            self.texts - other.texts,
        )

    def to_state(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "tokens": self.tokens,
            "words": dict(self.words),
            "phrases": dict(self.phrases),
            "texts": sorted(self.texts),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Counts:
        """The counts that `to_state` gave; ResourceError if they are damaged."""
        found = checked(_State, state, "background")
        words, phrases = (by_folded(counts, add) for counts in (found.words, found.phrases))
        return cls(found.tokens, words, phrases, found.texts)


class _Less(dict[str, int]):
    """Counts less some others, worked out where they are asked for: a background is large, a text small."""

    def __init__(self, all_counts: Mapping[str, int], less: Mapping[str, int]) -> None:
        super().__init__()
        self.all_counts = all_counts
        self.less = less

    def get(self, key: str, default: Any = None) -> Any:
        found = self.all_counts.get(key)
        return default if found is None else max(found - self.less.get(key, 0), 0)


def count(candidates: Candidates) -> Counts:
    """What one text holds; counted once for all rankings of its candidates."""
    return candidates.annotations.once(_count, candidates)


def _count(_: Annotations, candidates: Candidates) -> Counts:
    words = Counter(token for token in candidates.tokens if any(map(str.isalnum, token)))
    places = candidates.places_of
    phrases = {key: len(places[number]) for number, key in enumerate(candidates.keys)}
    digest = hashlib.blake2b(candidates.annotations.text.encode("utf-8", "surrogatepass"), digest_size=12)
    return Counts(words.total(), words, phrases, frozenset({digest.hexdigest()}))


def union(parts: Iterable[Counts]) -> Counts:
    """The sums of several counts."""
    tokens = 0
    words: Counter[str] = Counter()
    phrases: Counter[str] = Counter()
    texts: set[str] = set()
    for part in parts:
        tokens += part.tokens
        words.update(by_folded(part.words, add))
        phrases.update(by_folded(part.phrases, add))
        texts |= part.texts
    return Counts(tokens, ByFolded(words), ByFolded(phrases), frozenset(texts))


def read_counts(path: Path) -> Counts:
    """Read counts from rows `phrase<TAB>count` or from JSON; ResourceError for anything else.

    Rows of one word count both as word and as phrase. Phrases are folded; what becomes equal is summed.
    """
    try:
        return _read_counts(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ResourceError.at(str(path), f"cannot be read ({error})", "give a UTF-8 file") from None


@while_unchanged(4)
def _read_counts(path: Path) -> Counts:
    text = path.read_text(encoding="utf-8-sig")
    rows = _json_rows(path, text) if text.lstrip().startswith("{") else _tab_rows(path, text)
    _, _, tokens = rows.pop(0)
    phrases: Counter[str] = Counter()
    for place, phrase, times in rows:
        if times < 1:
            raise ResourceError.at(place, f"{times} occurrences of {phrase!r}", "counts must be at least 1")
        phrases[fold(phrase)] += times
    words = {phrase: times for phrase, times in phrases.items() if " " not in phrase}
    if tokens < max(sum(words.values()), 1):
        raise ResourceError.at(
            str(path),
            f"{tokens} tokens, but {sum(words.values())} occurrences of single words",
            "the number of tokens must be that of the whole text",
        )
    return Counts(tokens, ByFolded(words), ByFolded(phrases))


def _json_rows(path: Path, text: str) -> list[tuple[str, str, int]]:
    """(place, phrase, count) of each entry, the number of tokens first."""
    try:
        state = json_value(text)
        counted = [(str(path), str(phrase), int(times)) for phrase, times in state["phrases"].items()]
        return [(str(path), "", int(state["tokens"])), *counted]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ResourceError.at(str(path), "is no table of counts", _WRITE) from None


def _tab_rows(path: Path, text: str) -> list[tuple[str, str, int]]:
    """(place, phrase, count) of each line, the number of tokens first."""
    rows: list[tuple[str, str, int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        phrase, _, times = line.rpartition("\t")
        if not (phrase and times.strip().isdecimal()):
            raise ResourceError.at(f"{path}:{number}", "is no row of a table of counts", _WRITE)
        rows.append((f"{path}:{number}", phrase, int(times)))
    if not rows or rows[0][1] != "#tokens":
        raise ResourceError.at(f"{path}:1", "does not say the number of tokens", _WRITE)
    return rows
