"""The documents of a run, written once to a file of the run and read from there in the order of ids.

A corpus is a stream in any order; results must not depend on it. So a run first lays the stream down
in one file, remembers for each document where it lies, and works in the natural order of the ids.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import IO

from kpframe.engine.cache import dump_annotations, parse_annotations
from kpframe.engine.settling import Languages, how_assumed, spoken
from kpframe.errors import DataError
from kpframe.files.atomic import atomic_write
from kpframe.language.codes import DEFAULT
from kpframe.language.detection import UNKNOWN, language_guess
from kpframe.language.loose_marks import LooseMarks
from kpframe.language.scripts import is_latin
from kpframe.model import AUTO, Document, Gold, Skipped
from kpframe.model.natural_order import natural_key
from kpframe.runs.texts import text_digest
from kpframe.spec import Split

__all__ = ["Entry", "Spool", "read_documents", "with_documents"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A document's place in the spool.

    `part` is `train`, `test`, `unpaired` (evaluated, if a prediction were not missing) or empty (neither).
    `digest` covers all of the document, `content` its text and gold alone. `given` is where the predictions
    of other programs lie (see `kpframe.engine.given`).
    """

    id: str
    offset: int
    length: int
    characters: int
    digest: str
    content: str
    gold: int
    part: str = "test"
    given: int = -1
    assumed: str = ""
    """The language, where neither the corpus nor the text says it."""
    line: bytes = b""
    """The document itself, where it travels to a worker that does not see the spool."""
    predicted: bytes = b""
    """What other programs predicted for it, then."""


@dataclass(frozen=True)
class Spool:
    """All documents of a run in the natural order of their ids, and what the reader skipped.

    `unpaired` says which documents or predictions of a system have no counterpart.
    """

    path: Path
    entries: tuple[Entry, ...]
    skipped: tuple[Skipped, ...]
    unpaired: tuple[Skipped, ...] = ()
    languages: Languages = field(default_factory=Languages)
    marks: Mapping[str, LooseMarks] = field(default_factory=dict)
    """By whose they are (`gold`, or the name of a system) how many phrases end in a full stop or the like."""

    @classmethod
    def write(
        cls, path: Path, stream: Iterable[Document | Skipped], *, split: Split | None, limit: int | None
    ) -> Spool:
        """Lay a stream down at `path` and assign every document to its part.

        A document that does not say its language gets what its text shows, or the one of most others.
        """
        languages, marks = Languages(), LooseMarks()
        silent: dict[str, tuple[bool, str]] = {}
        skipped: list[Skipped] = []
        entries: dict[str, Entry] = {}
        parts: dict[str, str] = {}
        offset = 0
        with atomic_write(path) as file:
            for document in islice(_only_documents(stream, skipped), limit):
                if document.id in entries:
                    skipped.append(Skipped(f"document {document.id!r}", "the id exists already"))
                    continue
                line = _line(_guessed(document, languages, silent))
                file.write(line)
                marks.look_at_forms(gold.variants for gold in document.gold)
                entries[document.id] = Entry(
                    document.id,
                    offset,
                    len(line),
                    len(document.text),
                    hashlib.sha256(line).hexdigest()[:32],
                    text_digest(document),
                    len(document.gold),
                )
                parts[document.id] = str(document.metadata.get("split", ""))
                offset += len(line)
        most = {latin: languages.known(latin) for latin in (True, False)}
        for id, (latin, how) in silent.items():
            entries[id] = replace(entries[id], assumed=most[latin])
            languages.add(most[latin], how if most[latin] == DEFAULT else "assumed")
        assigned = _assign(list(entries), parts, split)
        ordered = sorted(entries.values(), key=lambda entry: natural_key(entry.id))
        placed = tuple(replace(entry, part=assigned[entry.id]) for entry in ordered)
        return cls(path, placed, tuple(skipped), languages=languages, marks={"gold": marks})

    @property
    def data_hash(self) -> str:
        """A hash of all documents, texts and gold and metadata, whatever their order."""
        content = hashlib.sha256()
        for entry in self.entries:
            assumed = f" {entry.assumed}" if entry.assumed else ""
            content.update(f"{entry.digest} {entry.part}{assumed}\n".encode())
        return content.hexdigest()

    def part(self, *names: str) -> list[Entry]:
        """The documents of the named parts, in order."""
        return [entry for entry in self.entries if entry.part in names]


def read_documents(path: Path, entries: Sequence[Entry]) -> list[Document]:
    """The documents at `entries` of the spool at `path`, or that travel with them."""
    documents = []
    with path.open("rb") if not all(entry.line for entry in entries) else nullcontext() as file:
        for entry in entries:
            document = _parse(entry.line or _read(file, entry))
            documents.append(replace(document, language=entry.assumed) if entry.assumed else document)
    return documents


def with_documents(
    path: Path, given: Path | None, batches: Iterable[Sequence[Entry]]
) -> Iterator[list[Entry]]:
    """Batches of entries with their documents and predictions in them, each read when it is asked for."""
    for batch in batches:
        with path.open("rb") as file, given.open("rb") if given else nullcontext() as beside:
            yield [
                replace(entry, line=_read(file, entry), predicted=_line_at(beside, entry.given))
                for entry in batch
            ]


def _read(file: IO[bytes] | None, entry: Entry) -> bytes:
    assert file is not None
    file.seek(entry.offset)
    return file.read(entry.length)


def _line_at(file: IO[bytes] | None, offset: int) -> bytes:
    if file is None:
        return b""
    file.seek(offset)
    return file.readline()


def _only_documents(stream: Iterable[Document | Skipped], skipped: list[Skipped]) -> Iterator[Document]:
    for item in stream:
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            yield item


def _guessed(document: Document, languages: Languages, silent: dict[str, tuple[bool, str]]) -> Document:
    """The document with the language that its text shows; of one that shows none its script is noted."""
    document = spoken(document)
    if document.language != AUTO:
        languages.add(document.language, "said")
        return document
    found = language_guess(document.text)
    if found == UNKNOWN:
        if any(map(str.isalpha, document.text)):
            silent[document.id] = is_latin(document.text), how_assumed(document.text, DEFAULT)
        return document
    languages.add(found, "guessed")
    return replace(document, language=found)


def _line(document: Document) -> bytes:
    record = document.to_json()
    if document.annotations is not None:
        record["annotations"] = base64.b64encode(dump_annotations(document.annotations)).decode()
    return (json.dumps(record, sort_keys=True, ensure_ascii=True, default=str) + "\n").encode()


def _parse(line: bytes) -> Document:
    record = json.loads(line)
    given = record.get("annotations")
    return Document(
        id=record["id"],
        text=record["text"],
        language=record["language"],
        gold=tuple(Gold(tuple(g["variants"]), g["source"]) for g in record["gold"]),
        metadata=record["metadata"],
        annotations=parse_annotations(base64.b64decode(given), record["text"]) if given else None,
    )


def _assign(ids: Sequence[str], own: dict[str, str], split: Split | None) -> dict[str, str]:
    """The part of every document: by the corpus's own split, or by rank of a seeded hash."""
    if split is None:
        return dict.fromkeys(ids, "test")
    by_hash = split.by == "hash"
    share = split.share if by_hash else Fraction(2, 3)
    parts = _by_hash(ids, f"{split.seed}", share) if by_hash else _assign_by_metadata(ids, own, split)
    if split.development:
        inner = [id for id in ids if parts[id] == "train"]
        parts = {**dict.fromkeys(ids, ""), **_by_hash(inner, f"{split.seed}:development", share)}
    return parts


def _by_hash(ids: Sequence[str], seed: str, share: Fraction) -> dict[str, str]:
    """Exactly `share` of the documents, rounded, for training."""
    hashed = sorted(ids, key=lambda id: _hash(f"{seed}:{id}"))
    cut = round(Fraction(len(ids)) * share)
    return {id: "train" if rank < cut else "test" for rank, id in enumerate(hashed)}


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _assign_by_metadata(ids: Sequence[str], own: dict[str, str], split: Split) -> dict[str, str]:
    train = {split.train} if isinstance(split.train, str) else set(split.train)
    test = {split.test} if isinstance(split.test, str) else split.test and set(split.test)
    assigned = {}
    for id in ids:
        evaluated = own[id] not in train if test is None else own[id] in test
        assigned[id] = "train" if own[id] in train else "test" if evaluated else ""
    if "train" not in assigned.values() or "test" not in assigned.values():
        found = ", ".join(sorted({part or "(none)" for part in own.values()}))
        raise DataError.at(
            "split",
            f"the corpus's own parts ({found}) leave nothing to train on or to evaluate",
            "name its parts in split.train and split.test",
        )
    return assigned
