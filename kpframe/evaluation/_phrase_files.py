"""Files with phrases for documents: lines of several formats as rows of one.

A row has the raw values under `predicted`, `gold` and `text`, or under `phrases` where the format
does not say whether they are predicted or gold; `_phrase_values` checks and converts them. `place` is file
and line, for errors.
"""

from __future__ import annotations

import json
import logging
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from kpframe.errors import DataError, KpframeError
from kpframe.evaluation._cas_files import cas_rows, is_cas
from kpframe.evaluation._key_files import has_keys, key_rows, refuse_lone
from kpframe.evaluation._line_layouts import Rows, is_sequence, is_trec_run, sequence_rows, trec_rows
from kpframe.evaluation._phrase_values import list_of, phrase_of
from kpframe.evaluation._standard_input import STDIN, standard_input
from kpframe.evaluation._stripped_lines import stripped_lines
from kpframe.evaluation._table_files import has_rows_of_keyphrases, is_table, table_rows
from kpframe.files.decoding import as_utf8
from kpframe.files.urls import local_copy
from kpframe.language.codes import known_language
from kpframe.model import AUTO

__all__ = [
    "NAMED",
    "document_rows",
    "gold_text_of",
    "language_of",
    "text_of",
]

_log = logging.getLogger("kpframe.evaluation")

_PREDICTED = ("prediction", "predictions")
_TARGET = ("target", "targets")
NAMED = ("keyphrases", "keywords", "keyword")
"""What corpora call their gold, and programs what they found: which it is says what a file is given as."""
_HUGGING_FACE = ("extractive_keyphrases", "abstractive_keyphrases")
_KNOWN = frozenset(
    ("id", *NAMED, "predicted", "gold", "source", "text", *_PREDICTED, *_TARGET, *_HUGGING_FACE)
)
_OF_PHRASES = frozenset(("text", "score", "rank", "key", "spans", "probabilities"))
"""The keys of a phrase, by which a list of phrases is told from a list of documents."""
_ID_HEADS = frozenset(("id", "ids", "doc", "docid", "doc_id", "document", "document_id", "name", "key"))
_PHRASE_HEADS = frozenset(
    [
        "keyphrases",
        "keyphrase",
        "phrases",
        "keywords",
        "predictions",
        "prediction",
        "predicted",
        "gold",
        "target",
        "targets",
        "labels",
    ]
)


def language_of(place: str, row: Mapping[str, Any]) -> str:
    """The language that a row says, or `auto`; DataError for what is none."""
    given = row.get("language")
    code = AUTO if given in (None, "") else known_language(given) if isinstance(given, str) else None
    if code is None:
        problem = f"'language' is {reprlib.repr(given)}, not the code or English name of a language"
        raise DataError.at(place, problem, "write it as de, de-DE or German")
    return code


def document_rows(
    path: str | Path, under: str | None = None, *, needed: bool = True
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Place, id and row of each document; `under` names the key of an object that has all but the id.

    Of UIMA's files (an .xmi file, a folder) it names the system; of .key files, in a folder or archive, it
    says nothing. `-` is standard input. Where it is not
    `needed`, a file whose first line has no such object is read as one without: it was said of another.
    """
    stdin = str(path) == "-"
    with standard_input() if stdin else local_copy(path) as file:
        for place, name, row in _rows_of_documents(file, under, needed=needed):
            yield place.replace(str(file), STDIN if stdin else str(path), 1), name, row


def _rows_of_documents(
    path: Path, under: str | None, *, needed: bool = True
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    whole = key_rows(path) if has_keys(path) else cas_rows(path, under) if is_cas(path) else None
    if whole is not None:
        yield from _each_once(as_utf8(whole))
        return
    refuse_lone(path)
    seen: set[str] = set()
    for place, row in as_utf8(table_rows(str(path)) if _is_table(path) else _rows(path)):
        if under is not None and (seen or needed or isinstance(row.get(under), dict)):
            row = _beneath(place, row, under)
        else:
            under = None
        name = _identifier(place, row)
        if name in seen:
            raise DataError.at(place, f"id {name!r} comes twice", _see(path, under, name))
        seen.add(name)
        yield place, name, row


def _each_once(
    rows: Iterator[tuple[str, str, dict[str, Any]]],
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Rows of files; DataError for an id that two of them have."""
    places: dict[str, str] = {}
    for place, name, row in rows:
        if name in places:
            raise DataError.at(place, f"id {name!r} comes twice", f"see {places[name]}")
        places[name] = place
        yield place, name, row


def _is_table(path: Path) -> bool:
    try:
        return is_table(str(path))
    except (OSError, KpframeError):
        for _ in stripped_lines(path):  # an error for what cannot be read or decoded
            pass
        return False


def _rows(path: Path) -> Rows:
    """The rows of a file, whose layout its first line tells."""
    lines = stripped_lines(path)
    blank: list[tuple[int, str]] = []
    for number, first in lines:
        blank.append((number, first))
        if first:
            break
    whole = chain(blank, lines)
    first = blank[-1][1] if blank else ""
    if is_trec_run(first):
        yield from trec_rows(path, whole)
    elif is_sequence(path, first):
        yield from sequence_rows(path, whole)
    else:
        yield from _mixed_rows(path, _without_header(path, whole))


def _mixed_rows(path: Path, lines: Iterator[tuple[int, str]]) -> Rows:
    """JSON and columns, which may stand side by side."""
    for number, line in lines:
        place = f"{path}:{number}"
        if line.startswith("{"):
            rows = _from_object(place, _parsed(path, number, line, lines), number)
        elif line.startswith("["):
            rows = _from_list(place, _parsed(path, number, line, lines), number)
        else:
            rows = _from_columns(place, line) if line else []
        for row in rows:
            yield place, row


def _see(path: Path, under: str | None, name: str) -> str:
    """Where an id stands first: looked for when it is needed, as lines of a million ids are much to keep."""
    place = next(place for place, one, _ in _rows_of_documents(path, under) if one == name)
    see = f"see line {place.rpartition(':')[2]}"
    together = _is_table(path) and has_rows_of_keyphrases(str(path))
    return f"{see}; sort the rows by id, as those of a document stand together" if together else see


def _beneath(place: str, row: Mapping[str, Any], under: str) -> dict[str, Any]:
    inner = row.get(under)
    if not isinstance(inner, dict):
        raise DataError.at(
            place, f"has no object under {under!r}", "name another by `under`, or leave it out"
        )
    return {**inner, "id": row.get("id", inner.get("id"))}


def _without_header(path: Path, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """All lines but a first one that names the columns, which is told."""
    for number, line in lines:
        heads = [column.strip(" #\"'").casefold().replace(" ", "_") for column in line.split("\t")]
        if len(heads) == 2 and heads[0] in _ID_HEADS and heads[1] in _PHRASE_HEADS:
            _log.warning("%s:%d: taken as a header and skipped: %s", path, number, line.replace("\t", ", "))
        else:
            yield number, line
        if line:
            break
    yield from lines


def _parsed(path: Path, number: int, line: str, following: Iterator[tuple[int, str]]) -> Any:
    """The JSON object or list on a line, or on this and all following lines where it goes on."""
    remedy = "write one JSON object a line"
    if "\0" in line:
        problem = "has null characters, as UTF-16 without a byte order mark"
        raise DataError.at(f"{path}:{number}", problem, "save it as UTF-8")
    try:
        try:
            found = _decode(line)
        except json.JSONDecodeError as error:
            if error.pos < len(line):
                raise
            whole = "\n".join([line, *(text for _, text in following)])
            found = _decode(whole)
    except json.JSONDecodeError as error:
        place = f"{path}:{number + error.lineno - 1}"
        problem = f"not valid JSON ({error.msg.removesuffix(' at')} at column {error.colno})"
        raise DataError.at(place, problem, remedy) from None
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise DataError.at(f"{path}:{number}", f"not valid JSON ({reason})", remedy) from None
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} comes twice")
    return found


# `json.loads` makes a decoder for each line that it is given a hook for.
_decode = json.JSONDecoder(object_pairs_hook=_distinct).decode


def _from_columns(place: str, line: str) -> list[dict[str, Any]]:
    columns = line.split("\t")
    if len(columns) != 2:
        raise DataError.at(place, "neither JSON nor an id, one tab and phrases", "write one of the two")
    return [{"id": columns[0].strip(), "phrases": columns[1]}]


def _from_list(place: str, found: list[Any], number: int) -> list[dict[str, Any]]:
    """A whole file as a list of rows; or a line with the phrases of the document whose number it is."""
    if not found or not all(isinstance(item, dict) and not item.keys() <= _OF_PHRASES for item in found):
        return [{"id": number, "phrases": found}]
    return [row for n, item in enumerate(found, start=1) for row in _from_object(f"{place}[{n}]", item, n)]


def _from_object(place: str, found: dict[str, Any], number: int) -> list[dict[str, Any]]:
    if found and not found.keys() & _KNOWN and all(isinstance(value, list) for value in found.values()):
        return [{"id": name, "phrases": value} for name, value in found.items()]
    if any(key in found for key in _HUGGING_FACE):
        return [_from_hugging_face(place, found, number)]
    if any(key in found for key in (*_PREDICTED, *_TARGET)):
        predicted, gold = (_one_of(place, found, keys) for keys in (_PREDICTED, _TARGET))
        return [
            {"id": found.get("id", number), "predicted": predicted, "gold": gold, "text": found.get("source")}
        ]
    named = next((found[key] for key in NAMED if found.get(key) is not None), None)
    return [found if named is None else {"phrases": named, **found}]


def _one_of(place: str, found: Mapping[str, Any], keys: Sequence[str]) -> Any:
    given = [key for key in keys if found.get(key) is not None]
    if len(given) > 1:
        raise DataError.at(place, f"has both {' and '.join(map(repr, given))}", "give one of them")
    return found[given[0]] if given else None


def _from_hugging_face(place: str, found: dict[str, Any], number: int) -> dict[str, Any]:
    """A row of the data sets there: `document` (tokens), extractive and abstractive keyphrases."""
    gold = [
        {"variants": [_joined(place, phrase)], "source": key.partition("_")[0]}
        for key in _HUGGING_FACE
        for phrase in list_of(place, found.get(key) or [])
    ]
    text = found.get("text", found.get("document"))
    predicted = _one_of(place, found, ("predicted", "keyphrases", *_PREDICTED))
    text = text if text is None else _joined(place, text)
    return {"id": found.get("id", number), "predicted": predicted, "gold": gold, "text": text}


def _joined(place: str, value: Any) -> str:
    """A string as it is, a list of tokens joined by blanks."""
    if isinstance(value, list) and all(isinstance(token, str) for token in value):
        return " ".join(value)
    return phrase_of(place, value)


def _identifier(place: str, row: Mapping[str, Any]) -> str:
    name = row.get("id")
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        problem = "no id" if name in (None, "") else f"the id {name!r} is neither a string nor an integer"
        raise DataError.at(place, problem, "give every document an id")
    return str(name)


def text_of(place: str, row: Mapping[str, Any]) -> str | None:
    """The text of a row, None if it has none; DataError unless it is a string."""
    text = row.get("text")
    if text is not None and not isinstance(text, str):
        raise DataError.at(place, f"the text is not a string but {type(text).__name__}", "correct it")
    return text


def gold_text_of(place: str, row: Mapping[str, Any]) -> str | None:
    """The text of a row with gold: title and abstract as one where it has no other, as in corpora."""
    text, title, abstract = text_of(place, row), row.get("title"), row.get("abstract")
    if text is not None or not isinstance(abstract, str):
        return text
    return f"{title}\n\n{abstract}" if isinstance(title, str) and title else abstract
