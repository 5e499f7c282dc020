"""UIMA: documents with annotations, gold and keyphrases as XMI or JSON CAS, and whole runs."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.batches import batched
from kpframe.engine.cache import AnnotationCache, cache_folder
from kpframe.engine.identity import digest
from kpframe.errors import DataError, SpecError, counted
from kpframe.evaluation.predictions import some
from kpframe.files.atomic import fresh_folder
from kpframe.files.uima import CasContent, read_cas, save_cas, write_cas, write_type_system
from kpframe.files.uima.types import cassis
from kpframe.model import Document, Keyphrase
from kpframe.runs.finished import FinishedRun
from kpframe.runs.texts import the_same
from kpframe.spec import Configuration
from kpframe.stages import Reader

__all__ = ["CasContent", "CasFormat", "read_cas", "write_cas", "write_run"]

CasFormat = Literal["xmi", "json"]

_LONGEST = 200
"""Bytes of the name of a file, without its ending; file systems take 255, and a temporary file needs some."""

_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
"""What Windows does not take as the name of a file, whatever its ending."""


def write_run(
    run: str | Path,
    folder: str | Path,
    *,
    cells: Sequence[str] = (),
    pooled: bool = False,
    format: CasFormat = "xmi",
    annotations: bool = True,
    notice: Callable[[str], None] = warnings.warn,
) -> int:
    """Write the documents of a finished run as CAS files, with the keyphrases of its cells.

    The corpus is read again from where it was. `cells` are those wanted, all by default; the name of a
    cell is the `system` of its keyphrases. Each of several cells gets a folder of its own, since whoever
    sorts the keyphrases of a file by score would mix them; `pooled`, one file has those of all cells. A file
    is named by the id of its document (a folder by its cell), what file names cannot have written as %XX; an
    id that is too long, or differs from another in case alone, is followed by a hash. With `annotations`,
    the documents have the layers that the cells use, from the cache of annotations or made anew. Documents
    that failed in a cell have no keyphrases of it. `notice` is told of characters that became blanks. The
    folder appears when all is written. Returns the number of documents. Raises DataError for a folder that
    is not empty or no finished run, a corpus that is not where it was, a document that cannot be annotated
    or written, and for cells that clean or annotate texts differently, since their texts are read once.
    """
    if format not in get_args(CasFormat):
        raise SpecError.at("format", f"unknown format {format!r}", "use xmi or json")
    files = FinishedRun(run, cells)
    chain, reader = _chain(files, annotations)
    cassis()  # this before anything that takes time
    with fresh_folder(Path(folder)) as target:
        # Only where the lines of documents begin is held in memory.
        places = {cell: files.offsets(cell) for cell in files.cells}
        writing = _Writing(target, places, format, pooled)
        documents = the_same(reader.read(), frozenset(writing.wanted), files.path, "run it again")
        for document in _annotated(chain, documents, annotations):
            writing.write(
                document,
                {
                    cell: files.at(cell, known[document.id]).whole() if document.id in known else []
                    for cell, known in places.items()
                },
            )
        if writing.wanted:
            problem = f"the corpus has no document {min(writing.wanted)!r}, which the run has"
            raise DataError.at(str(run), problem, "put the corpus of the run where it was")
    writing.tell(notice)
    return len(writing.names)


class _Writing:
    """The files of a run: where each goes, which documents are still to come, what became blanks."""

    def __init__(
        self, target: Path, cells: Mapping[str, Collection[str]], format: CasFormat, pooled: bool
    ) -> None:
        self.wanted: set[str] = set().union(*cells.values())
        self.names = _file_names(self.wanted)
        self._format = format
        names = _file_names(cells)
        apart = {cell: target / names[cell] for cell in cells} if len(cells) > 1 and not pooled else {}
        self._folders = apart or dict.fromkeys(cells, target)
        self._blanked: set[str] = set()
        self._documents: list[str] = []
        for one in set(self._folders.values()) if format == "xmi" else ():
            write_type_system(one)

    def write(self, document: Document, found: Mapping[str, Sequence[Keyphrase]]) -> None:
        """The files of a document: one in each folder."""
        blanked: Set[str] = frozenset()
        for folder in dict.fromkeys(self._folders.values()):
            systems = {cell: found[cell] for cell, its in self._folders.items() if its == folder}
            blanked = save_cas(folder / f"{self.names[document.id]}.{self._format}", document, systems)
        if blanked:
            self._blanked |= blanked
            self._documents.append(document.id)
        self.wanted.discard(document.id)

    def tell(self, notice: Callable[[str], None]) -> None:
        """What became blanks, if anything did."""
        if self._documents:
            number = len(self._documents)
            where = f"in {counted(number, 'document')} ({some(self._documents)})"
            names = ", ".join(sorted(self._blanked))
            notice(f"characters that {self._format} cannot hold became blanks {where}: {names}")


def _chain(files: FinishedRun, annotations: bool) -> tuple[Preprocessing, Reader]:
    """What cleans and annotates the documents of all wanted cells, and the reader of the corpus."""
    spec = files.with_corpus("put the corpus of the run where it was")
    assert spec.reader is not None
    chosen = [one for one in spec.configurations if one.name in files.cells] or list(spec.configurations)
    layers: frozenset[str] = frozenset().union(*(one.required() for one in chosen))
    whole = Preprocessing.of(chosen[0].preprocessing, layers)
    for one in chosen:
        chain = Preprocessing.of(one.preprocessing, one.required())
        if chain.cleaners != whole.cleaners:
            raise _unlike(files, chosen[0], one, "clean", "export them one by one")
        if annotations and not set(chain.annotators) <= set(whole.annotators):
            raise _unlike(files, chosen[0], one, "annotate", "export them one by one, or no annotations")
    return whole, spec.reader


def _unlike(
    files: FinishedRun, first: Configuration, other: Configuration, what: str, remedy: str
) -> Exception:
    problem = f"the cells {first.name!r} and {other.name!r} {what} texts differently"
    return DataError.at(str(files.path), problem, remedy)


def _annotated(chain: Preprocessing, documents: Iterator[Document], annotations: bool) -> Iterator[Document]:
    cache = AnnotationCache(cache_folder())
    for batch in batched(documents, lambda document: len(document.text)):
        if not annotations:
            yield from (replace(chain.clean(document).as_given(), annotations=None) for document in batch)
            continue
        for document, made in chain.annotate(batch, cache):
            if made.error is not None:
                raise DataError.at(f"document {document.id!r}", str(made.error), "export without annotations")
            yield replace(document, annotations=made.value).as_given()


def _file_names(ids: Collection[str]) -> dict[str, str]:
    """For each id a name without ending that file systems take, and that no other has in another case."""
    plain = {id: _escaped(id) for id in ids}
    uses = Counter(name.casefold() for name in plain.values())
    return {
        id: name if uses[name.casefold()] == 1 and _is_safe(name) else f"{_cut(name)}~{digest(id)[:12]}"
        for id, name in plain.items()
    }


def _escaped(id: str) -> str:
    kept = "".join(c if c.isalnum() or c in " ._-" else _hexadecimal(c) for c in id)
    return f"%2E{kept[1:]}" if kept.startswith(".") else kept


def _hexadecimal(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _is_safe(name: str) -> bool:
    return bool(name) and len(name.encode("utf-8")) <= _LONGEST and not _DEVICES.match(name)


def _cut(name: str) -> str:
    return name.encode("utf-8")[: _LONGEST - 20].decode("utf-8", "ignore")
