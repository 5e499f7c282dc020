"""UIMA: documents with annotations, gold and keyphrases as XMI or JSON CAS, and whole runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from kpframe.analysis.run_files import RunFiles
from kpframe.annotation import Preprocessing
from kpframe.batches import batched
from kpframe.errors import DataError, Problem, SpecError
from kpframe.model import Document, Keyphrase
from kpframe.spec import Configuration, build
from kpframe.spec.strict_yaml import Positions
from kpframe.stages import Reader
from kpframe.store import AnnotationCache, cache_folder
from kpframe.uima import CasContent, read_cas, write_cas

__all__ = ["CasContent", "CasFormat", "read_cas", "write_cas", "write_run"]

CasFormat = Literal["xmi", "json"]

_FILE = "keyphrases.jsonl"


def write_run(
    run: str | Path,
    folder: str | Path,
    *,
    cells: Sequence[str] = (),
    format: CasFormat = "xmi",
    annotations: bool = True,
) -> int:
    """Write the documents of a finished run as CAS files, with the keyphrases of all its cells.

    The corpus is read again from where it was. `cells` are those wanted, all by default; the name of a
    cell is the `system` of its keyphrases. A file is named by the id of its document, what file names
    cannot have written as %XX. With `annotations`, the documents have the layers that the cells use, from
    the cache of annotations or made anew. Documents that failed in a cell have no keyphrases of it.
    Returns the number of files. Raises DataError for a folder that is no finished run, a corpus that is
    not where it was, a document that cannot be annotated or written, and for cells that clean or annotate
    texts differently, since one file has one text.
    """
    if format not in get_args(CasFormat):
        raise SpecError.at("format", f"unknown format {format!r}", "use xmi or json")
    files = RunFiles(run, cells)
    chain, reader = _chain(files, annotations)
    found = {cell: {line["id"]: line for line in files.records(cell, _FILE)} for cell in files.cells}
    wanted = set().union(*found.values())
    count = 0
    documents = (item for item in reader.read() if isinstance(item, Document) and item.id in wanted)
    for document in _annotated(chain, documents, annotations):
        systems = {cell: _keyphrases(lines.get(document.id, {})) for cell, lines in found.items()}
        write_cas(Path(folder) / f"{_file_name(document.id)}.{format}", document, systems)
        wanted.discard(document.id)
        count += 1
    if wanted:
        problem = f"the corpus has no document {min(wanted)!r}, which the run has"
        raise DataError.at(str(run), problem, "put the corpus of the run where it was")
    return count


def _chain(files: RunFiles, annotations: bool) -> tuple[Preprocessing, Reader]:
    """What cleans and annotates the documents of all wanted cells, and the reader of the corpus."""
    try:
        spec = build(files.tree, Positions(fallback=str(files.resolved)), purpose="check")
    except SpecError as error:
        remedy = "put the corpus of the run where it was"
        raise DataError([Problem(p.place, p.problem, remedy) for p in error.problems]) from None
    if spec.reader is None:
        raise DataError.at(str(files.resolved), "names no documents", "give a run over a corpus")
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


def _unlike(files: RunFiles, first: Configuration, other: Configuration, what: str, remedy: str) -> Exception:
    problem = f"the cells {first.name!r} and {other.name!r} {what} texts differently"
    return DataError.at(str(files.path), problem, remedy)


def _annotated(chain: Preprocessing, documents: Iterator[Document], annotations: bool) -> Iterator[Document]:
    cache = AnnotationCache(cache_folder())
    for batch in batched(documents, lambda document: len(document.text)):
        if not annotations:
            yield from (replace(chain.clean(document), annotations=None) for document in batch)
            continue
        for document, made in chain.annotate(batch, cache):
            if isinstance(made, Exception):
                raise DataError.at(f"document {document.id!r}", str(made), "export without annotations")
            yield replace(document, annotations=made)


def _keyphrases(line: Mapping[str, Any]) -> list[Keyphrase]:
    return [
        Keyphrase(k["text"], float(k["score"]), k["rank"], k["key"], tuple((b, e) for b, e in k["spans"]))
        for k in line.get("keyphrases", ())
    ]


def _file_name(id: str) -> str:
    kept = "".join(c if c.isalnum() or c in " ._-" else "".join(f"%{b:02X}" for b in c.encode()) for c in id)
    return f"%2E{kept[1:]}" if kept.startswith(".") else kept
