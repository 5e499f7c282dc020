"""Gold keyphrases in the reference JSON of the ake-datasets: `{id: [[variant, …], …]}`."""

from __future__ import annotations

import json
from typing import Any

from kpframe.errors import DataError, KpframeError
from kpframe.files.container import Limits, read_file
from kpframe.files.decoding import decode
from kpframe.files.json_text import json_value
from kpframe.model import Gold, Skipped
from kpframe.model.blank import visible

__all__ = ["References", "load_references"]


class References:
    """The gold of every document of a file, and the entries that could not be used."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.gold: dict[str, tuple[Gold, ...]] = {}
        self.skipped: list[Skipped] = []
        self._unused: set[str] = set()

    def add(self, name: str, value: Any) -> None:
        """Note the gold of one document; a second or a malformed entry is skipped."""
        gold = _gold(value)
        if name in self.gold:
            self.skipped.append(Skipped(self.place(name), "the file has this id twice; the first one counts"))
        elif gold is None:
            self.skipped.append(Skipped(self.place(name), "is no list of lists of variants"))
        else:
            self.gold[name] = gold
            self._unused.add(name)

    def place(self, name: str) -> str:
        """Where the gold of a document stands."""
        return f"{self.path} (id {name!r})"

    def take(self, name: str) -> tuple[Gold, ...]:
        """The gold of a document, empty if there is none; it then counts as used."""
        self._unused.discard(name)
        return self.gold.get(name, ())

    def unused(self) -> list[Skipped]:
        """The entries that belong to no text."""
        return [Skipped(self.place(name), "there is no text") for name in self.gold if name in self._unused]


def load_references(path: str) -> References:
    """The references at `path`; DataError if it is not one JSON object."""
    text = decode(read_file(path, Limits()), "utf-8", path)
    try:
        entries = json_value(text, object_pairs_hook=_Pairs)
        text.encode("utf-8") if "\\u" not in text else json.dumps(entries, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise _malformed(f"{path}:{error.lineno}", f"is not JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        raise _malformed(path, f"is not JSON that can be used ({error})") from None
    if not isinstance(entries, _Pairs):
        raise _malformed(path, "is not a JSON object")
    references = References(path)
    for name, value in entries:
        references.add(name, value)
    return references


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as it stands in the file, so that an id given twice is seen."""


def _malformed(place: str, problem: str) -> KpframeError:
    return DataError.at(place, problem, "give a file with {id: [[variant, …], …]}")


def _gold(value: Any) -> tuple[Gold, ...] | None:
    """The gold keyphrases, None for a value of another form; blank variants are left out."""
    if not isinstance(value, list) or isinstance(value, _Pairs):
        return None
    phrases = [[item] if isinstance(item, str) else item for item in value]
    for forms in phrases:
        if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
            return None
    kept = ([form.strip() for form in forms if visible(form)] for forms in phrases)
    return tuple(Gold(tuple(forms)) for forms in kept if forms)
