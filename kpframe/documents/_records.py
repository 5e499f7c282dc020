"""A document out of one JSON object, in kpframe's own layout, KP20k's or Hugging Face's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from kpframe.documents._given_tokens import joined, tokens_given
from kpframe.documents._phrases import split_phrases
from kpframe.files.tables.json_rows import no_json
from kpframe.files.tables.names import by_plain_keys
from kpframe.language.codes import known_language
from kpframe.language.detection import UNKNOWN
from kpframe.model import AUTO, Document, Gold
from kpframe.model.blank import visible

__all__ = ["GOLD", "TEXTS", "document_of", "has_text", "record_of"]

TEXTS = ("text", "document", "title", "abstract")
"""Keys of which one has the text, or a part of it."""
GOLD = ("gold", "keywords", "keyword", "keyphrases", "extractive_keyphrases", "abstractive_keyphrases")
"""Keys that have the gold keyphrases."""
_KEYS = frozenset([*TEXTS, *GOLD, "id", "language", "metadata"])
"""All keys that are read, whatever their case."""


def record_of(line: str) -> dict[str, Any]:
    """The JSON object on a line, with the keys that are read in lower case.

    Raises ValueError, with the reason, for anything else.
    """
    try:
        record = json.loads(line, parse_constant=_no_number)
        if "\\u" in line:
            json.dumps(record, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise ValueError(no_json(error)) from None
    except UnicodeEncodeError:
        raise ValueError("has half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(record, dict):
        raise ValueError("is not a JSON object")
    return dict(by_plain_keys(record, _KEYS))


def has_text(record: Mapping[str, Any]) -> bool:
    """Whether a record has a key for a text, though its value may be null: that is an empty text."""
    return any(key in record for key in TEXTS)


def document_of(record: Mapping[str, Any], name: str, language: str, *, rows: bool = False) -> Document:
    """The document of a record; `name` and `language` where it does not say.

    Raises ValueError, with the reason, for a record of no known layout; where records are `rows` of a
    table, one without a text has an empty one.
    """
    if not rows and not has_text(record):
        raise ValueError("has no 'text', no 'document' and no 'title' or 'abstract'")
    text, title = _text_and_title(record)
    metadata = dict(_typed(record, "metadata", dict) or {})
    if title and text.startswith(title):
        metadata.setdefault("title_length", len(title))
    length = metadata.get("title_length", 0)
    if type(length) is not int or not 0 <= length <= len(text):
        raise ValueError(f"'title_length' is {length!r}, not a number of characters of the text")
    made = tokens_given(record.get("document" if record.get("text") is None else "text"))
    return Document(
        _id(record, name), text, _language(record, language), tuple(_all_gold(record)), metadata, made
    )


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _typed(
    record: Mapping[str, Any], key: str, kind: type[str] | type[dict[Any, Any]] | type[list[Any]]
) -> Any:
    value = record.get(key)
    if value is not None and not isinstance(value, kind):
        name = {str: "a string", dict: "an object", list: "a list"}.get(kind)
        raise ValueError(f"{key!r} is not {name}")
    return value


def _text_and_title(record: Mapping[str, Any]) -> tuple[str, str]:
    title = _joined(record, "title")
    if record.get("text") is not None:
        return _joined(record, "text"), title
    if record.get("document") is not None:
        return _joined(record, "document"), title
    abstract = _joined(record, "abstract")
    return (f"{title}\n\n{abstract}" if title and abstract else title or abstract), title


def _joined(record: Mapping[str, Any], key: str) -> str:
    """A string as it is, a list of tokens joined by spaces."""
    value = record.get(key)
    if value is None:
        return ""
    joined = _words(value)
    if joined is None:
        raise ValueError(f"{key!r} is neither a string nor a list of tokens")
    return joined


def _words(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(token, str) for token in value):
        return joined(value)
    return None


def _id(record: Mapping[str, Any], name: str) -> str:
    given = record.get("id")
    if given is None or given == "":
        return name
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise ValueError("'id' is neither a string nor a whole number")
    return str(given)


def _language(record: Mapping[str, Any], language: str) -> str:
    given = _typed(record, "language", str)
    code = known_language(given or UNKNOWN)
    if code is None:
        raise ValueError(f"'language' is {given!r}, not the code or English name of a language")
    return language if code == AUTO else code


def _all_gold(record: Mapping[str, Any]) -> Iterator[Gold]:
    yield from filter(None, map(_gold, _typed(record, "gold", list) or ()))
    for key in ("keywords", "keyword", "keyphrases"):
        value = record.get(key)
        phrases = split_phrases(value, ";") if isinstance(value, str) else _phrases(record, key)
        yield from (Gold((phrase,)) for phrase in phrases)
    for source in ("extractive", "abstractive"):
        yield from (Gold((phrase,), source) for phrase in _phrases(record, f"{source}_keyphrases"))


def _phrases(record: Mapping[str, Any], key: str) -> list[str]:
    """Phrases given as strings or as lists of tokens; blank ones are left out."""
    phrases = [_words(item) for item in _typed(record, key, list) or ()]
    if None in phrases:
        raise ValueError(f"{key!r} holds something that is no phrase")
    return [phrase.strip() for phrase in phrases if phrase and visible(phrase)]


def _gold(item: Any) -> Gold | None:
    """One item of `gold`: a string, a list of variants, or an object with `variants` and `source`."""
    variants, source = (item.get("variants"), item.get("source")) if isinstance(item, dict) else (item, "")
    variants = [variants] if isinstance(variants, str) else variants
    if not isinstance(variants, list) or not all(isinstance(variant, str) for variant in variants):
        raise ValueError("'gold' holds something that is no phrase")
    if not isinstance(source, str | None):
        raise ValueError("'gold' has a source that is not a string")
    kept = tuple(variant.strip() for variant in variants if visible(variant))
    return Gold(kept, source or "") if kept else None
