"""The texts of a corpus file, one a line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from kpframe.errors import DataError, KpframeError
from kpframe.files.changes import while_unchanged
from kpframe.files.json_text import json_value

__all__ = ["checksum", "corpus_lines"]


@while_unchanged(16)
def checksum(path: str) -> str:
    """SHA-256 of a file, computed again only when the file has changed; DataError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from None


def corpus_lines(path: str) -> Iterator[str]:
    """The text of each line: of .jsonl its `text`, or title and abstract, or `document`; of .txt all of it.

    Raises DataError, with the line, for a line that has no text, and for a file that is not UTF-8.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _text_of(line, f"{path}:{number}") if path.endswith(".jsonl") else line
    except OSError as error:
        raise _unreadable(path, error) from None
    except UnicodeDecodeError:
        raise DataError.at(path, "is not UTF-8 text", "convert it, for example with iconv") from None


def _text_of(line: str, place: str) -> str:
    try:
        record: Any = json_value(line)
    except ValueError as error:
        raise DataError.at(place, f"is not valid JSON ({error})", "repair or remove the line") from None
    if isinstance(record, dict):
        if isinstance(record.get("text"), str):
            return str(record["text"])
        parts = [record[name] for name in ("title", "abstract") if isinstance(record.get(name), str)]
        if parts:
            return "\n\n".join(parts)
        if isinstance(record.get("document"), list):
            return " ".join(map(str, record["document"]))
    raise DataError.at(place, "has no text", "give it a `text`, a `title` and `abstract`, or a `document`")


def _unreadable(path: str, error: OSError) -> KpframeError:
    reason = (error.strerror or type(error).__name__).lower()
    return DataError.at(path, f"cannot be read ({reason})", "correct the path")
