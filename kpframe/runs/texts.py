"""What the texts and gold of a run's documents were, as one checksum each.

Whoever reads the corpus of a finished run again (for the page, for judges, for UIMA) shows it beside numbers
that were counted on what it was. `texts.jsonl` tells whether it still is that.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from kpframe.errors import DataError
from kpframe.files.atomic import write_text
from kpframe.files.sealing import digest
from kpframe.model import Document, Skipped
from kpframe.runs.seals import AGAIN, verify_beside
from kpframe.runs.strict_json import decode_json, of, strict

__all__ = ["TEXTS", "text_digest", "the_same", "write_texts", "written_texts"]

TEXTS = "texts.jsonl"


def text_digest(document: Document) -> str:
    """A checksum of the text and the gold keyphrases of a document (not of its language or metadata)."""
    return digest([document.text, [keyphrase.variants for keyphrase in document.gold]])


def write_texts(run: Path, digests: Iterable[tuple[str, str]]) -> None:
    """Write the checksums of documents, by id."""
    lines = (json.dumps({"id": id, "digest": found}, ensure_ascii=False) for id, found in digests)
    write_text(run / TEXTS, "".join(f"{line}\n" for line in lines))


def written_texts(run: Path) -> Mapping[str, str]:
    """The checksums by id; empty for a run of version 0.1.0, which has none."""
    path = run / TEXTS
    if not path.is_file():
        return {}
    try:
        return dict(_decoded(line) for line in verify_beside(path).read_text(encoding="utf-8").splitlines())
    except ValueError:
        raise DataError.at(str(path), "is damaged", AGAIN) from None


@strict
def _decoded(line: str) -> tuple[str, str]:
    record = decode_json(line)
    return of(str, record["id"]), of(str, record["digest"])


def the_same(
    stream: Iterable[Document | Skipped], wanted: Collection[str], run: Path, remedy: str
) -> Iterator[Document]:
    """The wanted documents of a corpus that is read again, each once.

    Raises DataError at the first whose text or gold is not what the run had.
    """
    known = written_texts(run)
    seen: set[str] = set()
    for document in stream:
        if isinstance(document, Skipped) or document.id not in wanted or document.id in seen:
            continue
        seen.add(document.id)
        if known and known.get(document.id) != text_digest(document):
            problem = f"the text or gold of document {document.id!r} has changed since the run"
            raise DataError.at(str(run), problem, remedy)
        yield document
