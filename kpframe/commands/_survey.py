"""What a folder or file of texts is: how it is laid out, in which encoding, and what its columns are."""

from __future__ import annotations

import codecs
import csv
import gzip
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from kpframe.errors import DataError

__all__ = ["Layout", "layout_of"]

_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
_LINES = (".jsonl", ".jsonl.gz")
_TEXT_COLUMNS = ("text", "abstract", "body", "content", "fulltext", "full_text", "document", "article")
_GOLD_COLUMNS = ("gold", "tags", "terms", "subjects", "topics", "descriptors")
_DELIMITERS = ",;\t|"
_SEPARATORS = ";,|"
_MOST = 16 * 2**20
"""Bytes that are looked at in one file."""
_ALL = 256 * 2**20
"""Bytes that are looked at in a folder."""
_ROWS = 200


@dataclass(frozen=True)
class Layout:
    """How texts can be read: the kind of reader and its parameters, without path and language.

    `found` says what is there, `notes` what a person should know about it.
    """

    kind: str
    path: Path
    found: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def layout_of(source: Path) -> Layout:
    """The layout of a file or folder. Raises DataError, with a remedy, where kpframe has no reader for it."""
    if not source.exists():
        raise DataError.at(str(source), "does not exist", "give the folder or file that holds your texts")
    if source.is_dir():
        return _folder(source)
    name = source.name.lower()
    if name.endswith(_LINES):
        return _with_encoding(Layout("jsonl", source, "a .jsonl file"), [source])
    if name.endswith(_TABLES):
        return _table(source)
    if name.endswith(".txt"):
        lines = sum(1 for line in _beginning(source).split(b"\n") if line.strip())
        note = f"the file is one document; if each of its {lines:,} lines is one, set `unit: line`"
        layout = Layout("text", source, "a .txt file", notes=(note,) if lines > 1 else ())
        return _with_encoding(layout, [source])
    remedy = "give a folder of .txt files, with or without .key files, or a .jsonl, .csv, .tsv or .txt file"
    if name.endswith((".zip", ".tar", ".tgz", ".tar.gz")):
        remedy = "unpack it, and give the folder"
    if name.endswith(".json"):
        remedy = "write one JSON object a line into a .jsonl file, as by: jq -c '.[]' FILE.json"
    raise DataError.at(str(source), "is of a kind that kpframe does not read", remedy)


def _folder(source: Path) -> Layout:
    files = list(_walk(source))
    endings = Counter(_ending(file) for file in files)
    texts = [file for file in files if _ending(file) == ".txt"]
    keys = [file for file in files if _ending(file) == ".key"]
    annotated = [file for file in files if _ending(file) == ".xmi"]
    lines = [file for file in files if file.name.lower().endswith(_LINES)]
    tables = [file for file in files if file.name.lower().endswith(_TABLES)]
    used: tuple[str, ...]
    if texts and keys:
        found = f"{_count(texts, '.txt')} and {_count(keys, '.key')}"
        layout, used = _with_encoding(Layout("text_and_keys", source, found), texts + keys), (".txt", ".key")
    elif lines:
        whole = lines[0] if len(lines) == 1 else source
        layout, used = _with_encoding(Layout("jsonl", whole, _count(lines, ".jsonl")), lines), _LINES
    elif tables:
        largest = max(tables, key=lambda file: (file.stat().st_size, file.name))
        layout, used = _table(largest), ()
        endings[_ending(largest)] -= 1
    elif annotated:
        layout, used = Layout("cas", source, _count(annotated, ".xmi")), (".xmi", ".xml")
    elif texts:
        layout, used = _with_encoding(Layout("text", source, _count(texts, ".txt")), texts), (".txt",)
    else:
        remedy = "convert the texts to .txt, or to one .jsonl or .csv file"
        if not endings:
            raise DataError.at(str(source), "holds no file", "give the folder or file that holds your texts")
        seen = ", ".join(f"{ending} ({n})" for ending, n in endings.most_common(5))
        raise DataError.at(str(source), f"holds no texts that kpframe reads, but {seen}", remedy)
    others = [f"{n} {ending}" for ending, n in sorted(endings.items()) if n > 0 and ending not in used]
    note = (f"not read: {', '.join(others[:6])}",) if others else ()
    return Layout(layout.kind, layout.path, layout.found, layout.parameters, layout.notes + note)


def _walk(folder: Path) -> Iterator[Path]:
    """Files in the order of their names; hidden ones and links are none, as for all readers."""
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(top, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path


def _ending(file: Path) -> str:
    name = file.name.lower()
    packed = next((ending for ending in (*_TABLES, *_LINES) if name.endswith(ending)), None)
    return packed or file.suffix.lower() or "without an ending"


def _count(files: Sequence[Path], ending: str) -> str:
    return f"{len(files):,} {ending} file{'' if len(files) == 1 else 's'}"


def _with_encoding(layout: Layout, files: Sequence[Path]) -> Layout:
    """The layout with the encoding that all files have, if it is not UTF-8."""
    encoding = _common_encoding(files)
    more = {} if encoding == "utf-8" else {"encoding": encoding}
    return Layout(layout.kind, layout.path, layout.found, {**layout.parameters, **more}, layout.notes)


def _common_encoding(files: Sequence[Path]) -> str:
    seen: dict[str, Path] = {}
    looked_at = 0
    for file in files:
        content = _beginning(file)
        looked_at += len(content)
        seen.setdefault(_encoding(content, str(file)), file)
        if looked_at > _ALL:
            break
    kinds = set(seen) - {"ascii"}
    if kinds <= {"cp1252", "latin-1"}:
        return "utf-8" if not kinds else "latin-1" if "latin-1" in kinds else "cp1252"
    if len(kinds) == 1 and not (kinds == {"utf-16"} and "ascii" in seen):
        return kinds.pop()
    odd = next(kind for kind in ("cp1252", "latin-1", "utf-16") if kind in seen)
    raise DataError.at(
        str(seen[odd]),
        f"is not UTF-8 as other files of the same corpus are (it looks like {odd})",
        f"convert such files first, as by: iconv -f {odd} -t utf-8 OLD > NEW",
    )


def _beginning(file: Path) -> bytes:
    try:
        with gzip.open(file) if file.name.lower().endswith(".gz") else file.open("rb") as stream:
            return bytes(stream.read(_MOST))
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError.at(str(file), f"cannot be read ({reason})", "check the file") from None


def _encoding(content: bytes, place: str) -> str:
    """The encoding that some bytes are in; of several possible ones the likeliest."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in content:
        raise DataError.at(place, "is not text: it has null bytes", "convert it to text, or take it away")
    if content.isascii():
        return "ascii"
    for encoding in ("utf-8", "cp1252"):
        try:
            codecs.getincrementaldecoder(encoding)().decode(content, final=len(content) < _MOST)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _table(file: Path) -> Layout:
    """A table, with the columns that hold text and gold."""
    base = _with_encoding(Layout("csv", file, f"the table {file.name}"), [file])
    encoding = str(base.parameters.get("encoding", "utf-8"))
    text = _beginning(file).decode(encoding, "replace").removeprefix("\ufeff")
    delimiter = _delimiter(file, text)
    header, *rows = _rows(text, delimiter) or [[]]
    rows = [row for row in rows if len(row) == len(header)]
    if not header or not rows:
        raise DataError.at(str(file), "has no rows below a header", "give a table with a header")
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    wanted = _text_column(columns)
    gold = next((name for name in columns if name != wanted and _is_gold(name)), None)
    title = next((name for name in columns if name != wanted and name.casefold().strip() == "title"), None)
    parameters: dict[str, Any] = {"text": wanted, **({"title": title} if title else {}), "gold": gold}
    if gold is not None:
        counts = {mark: sum(mark in cell for cell in columns[gold]) for mark in _SEPARATORS}
        parameters["gold_separator"] = max(counts, key=counts.__getitem__) if any(counts.values()) else ";"
    if delimiter != ",":
        parameters["delimiter"] = delimiter
    left = [repr(name) for name in columns if name not in (wanted, title, gold, "id")]
    notes = (f"columns that are not used: {', '.join(left[:8])}",) if left else ()
    return Layout("csv", file, base.found, {**parameters, **base.parameters}, notes)


def _delimiter(file: Path, text: str) -> str:
    """The delimiter with which most rows have as many fields as the header, and more than one."""
    if ".tsv" in file.name.lower():
        return "\t"

    def fit(delimiter: str) -> tuple[float, int]:
        header, *rows = _rows(text, delimiter) or [[]]
        alike = sum(len(row) == len(header) for row in rows)
        return (alike / len(rows) if rows and len(header) > 1 else 0.0), len(header)

    return max(_DELIMITERS, key=fit)


def _rows(text: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(max(csv.field_size_limit(), _MOST))
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    return [row for row in islice(reader, _ROWS) if row]


def _text_column(columns: Mapping[str, Sequence[str]]) -> str:
    """A column that is called as texts are called, or else the one with the longest cells."""
    by_name = {name.casefold().strip(): name for name in columns}
    named = next((by_name[name] for name in _TEXT_COLUMNS if name in by_name), None)
    return named or max(columns, key=lambda name: sum(map(len, columns[name])))


def _is_gold(name: str) -> bool:
    plain = name.casefold().strip()
    return plain in _GOLD_COLUMNS or "keyword" in plain or "keyphrase" in plain
