"""CAS files: XMI with its type system beside it, and JSON."""

from __future__ import annotations

import io
import json
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from kpframe.errors import DataError
from kpframe.files.atomic import atomic_write
from kpframe.files.uima import types
from kpframe.files.uima.content import CasContent
from kpframe.files.uima.reading import content_of
from kpframe.files.uima.writing import GOLD_VIEW, cas_of
from kpframe.model import AUTO, Document, Keyphrase

__all__ = ["TYPE_SYSTEM", "cas_of_bytes", "read_cas", "write_cas", "write_type_system"]

TYPE_SYSTEM = "TypeSystem.xml"
"""The file beside XMI files that has their types, as DKPro's writers name it."""

_FORMATS = (".xmi", ".json")
_REMEDY = "remove control characters, broken characters and numbers that JSON does not have"
_LONGEST = 9_900_000
"""Bytes of an escaped text in XMI: libxml2, with which Python reads XML, refuses attributes of 10 million."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_cas(
    path: str | Path,
    document: Document,
    keyphrases: Sequence[Keyphrase] | Mapping[str, Sequence[Keyphrase]] = (),
) -> None:
    """Write a document as `.xmi` (with `TypeSystem.xml` beside it) or as `.json` (which has its types).

    Text, `document.annotations` and keyphrases are in the initial view; keyphrases are those of one
    system, or by the names of systems, with offsets into the document's text. Gold is in the view `gold`,
    and in XMI its places in the text are marked there (dkpro-cassis cannot read JSON of two texts).
    Offsets in the file count UTF-16 code units, as UIMA has it. Raises DataError for another ending, for
    what the format cannot hold, for keyphrases of which two have one rank, a span is not in the text or a
    score is no finite number, and for a folder with the type system of something else.
    """
    target = Path(path)
    _refuse_other_formats(target)
    systems = {name: tuple(found) for name, found in _systems(keyphrases).items()}
    place = f"document {document.id!r}"
    _refuse_characters(place, document.text, xml=target.suffix == ".xmi")
    for name, found in systems.items():
        _refuse_keyphrases(f"{place}, system {name!r}" if name else place, found, len(document.text))
    try:
        cas = cas_of(CasContent(document, systems), places=target.suffix == ".xmi")
        encoded = (cas.to_xmi() if target.suffix == ".xmi" else _json(cas)).encode("utf-8")
    except (TypeError, ValueError) as error:  # words, lemmas and metadata may be at fault
        raise DataError.at(place, f"cannot be written as {target.suffix} ({error})", _REMEDY) from None
    if target.suffix == ".xmi":
        write_type_system(target.parent)
    with atomic_write(target) as file:
        file.write(encoded)


def _systems(
    keyphrases: Sequence[Keyphrase] | Mapping[str, Sequence[Keyphrase]],
) -> Mapping[str, Sequence[Keyphrase]]:
    if isinstance(keyphrases, Mapping):
        return keyphrases
    return {"": keyphrases} if keyphrases else {}


def _json(cas: Any) -> str:
    """The JSON of a CAS, in which views without a text have no subject of analysis.

    dkpro-cassis (0.12) reads no JSON in which a view beside the initial one has such a subject.
    """
    from cassis.typesystem import TypeSystemMode

    data = json.loads(cas.to_json(type_system_mode=TypeSystemMode.MINIMAL))
    bare = {view.sofa.xmiID for view in cas.views if view.sofa.sofaString is None}
    data["%FEATURE_STRUCTURES"] = [fs for fs in data["%FEATURE_STRUCTURES"] if fs["%ID"] not in bare]
    for view in data["%VIEWS"].values():
        view["%SOFA"] = None if view["%SOFA"] in bare else view["%SOFA"]
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def write_type_system(folder: Path) -> None:
    """Write `TypeSystem.xml`, unless one with kpframe's types is there; DataError if it is another one."""
    path = folder / TYPE_SYSTEM
    if path.exists():
        if types.GOLD.encode() in path.read_bytes():
            return
        raise DataError.at(str(path), "is the type system of something else", "choose another folder")
    with atomic_write(path) as file:
        file.write(types.type_system().to_xml().encode("utf-8"))


def read_cas(
    path: str | Path,
    *,
    type_system: str | Path | None = None,
    gold_view: str = GOLD_VIEW,
    language: str = AUTO,
) -> CasContent:
    """The document, its annotations and keyphrases in an `.xmi` or `.json` file, whoever wrote it.

    Of an XMI file the types are those in `type_system`, else in `TypeSystem.xml` beside it, else DKPro's
    and kpframe's; annotations of unknown types are left out. The id is that of DKPro's DocumentMetaData,
    else the name of the file; `language` counts where the file has none. Gold is what the view
    `gold_view` has. Raises DataError for what cannot be read.
    """
    source = Path(path)
    _refuse_other_formats(source)
    given = source.parent / TYPE_SYSTEM if type_system is None else Path(type_system)
    needed = type_system is not None or given.is_file()
    types_file = _bytes(given) if needed and source.suffix == ".xmi" else None
    content = _bytes(source)
    try:
        return cas_of_bytes(
            content, source.suffix, types_file, name=source.stem, language=language, gold_view=gold_view
        )
    except ValueError as error:
        raise DataError.at(str(source), str(error), "give a CAS as XMI or JSON, with its types") from None


def cas_of_bytes(
    content: bytes,
    suffix: str,
    type_system: bytes | None = None,
    *,
    name: str,
    language: str = AUTO,
    gold_view: str = GOLD_VIEW,
    layers: bool = True,
) -> CasContent:
    """As `read_cas`, of a file's content; without `layers` annotations are left out.

    Raises ValueError, with the reason, for what cannot be read. Never resolves an entity.
    """
    cas = _loaded(content, suffix, type_system)
    try:
        return content_of(cas, name=name, language=language, gold_view=gold_view, layers=layers)
    except (DataError, TypeError, AttributeError, IndexError, KeyError) as error:
        raise ValueError(f"has annotations that cannot be used ({error})") from None


def _loaded(content: bytes, suffix: str, type_system: bytes | None) -> Any:
    library = types.cassis()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about types that are left out
            if suffix == ".json":
                return library.load_cas_from_json(io.BytesIO(content), lenient=True)
            _refuse_declarations(content)
            system = types.type_system()
            if type_system is not None:
                system = _loaded_types(type_system)
            return library.load_cas_from_xmi(io.BytesIO(content), system, lenient=True)
    except Exception as error:  # the library has no exception of its own for bad input
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"is no CAS that can be read ({reason})") from None


@lru_cache(maxsize=4)
def _loaded_types(content: bytes) -> Any:
    """A type system; a folder has the same for all its files, and reading it takes longer than a file."""
    _refuse_declarations(content)
    return types.cassis().load_typesystem(io.BytesIO(content))


def _refuse_declarations(content: bytes) -> None:
    """ValueError for XML with a document type, which may make it grow or read other files."""
    from defusedxml.ElementTree import iterparse

    for _, element in iterparse(io.BytesIO(content), ("end",), forbid_dtd=True):
        element.clear()


def _refuse_other_formats(path: Path) -> None:
    if path.suffix not in _FORMATS:
        raise DataError.at(str(path), "is neither .xmi nor .json", "choose one of these endings")


def _refuse_characters(place: str, text: str, *, xml: bool) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"has half of a surrogate pair at character {error.start}"
        raise DataError.at(place, problem, "decode the text with errors='replace'") from None
    found = _NO_XML.search(text) if xml else None
    if found:
        problem = f"has U+{ord(found[0]):04X} at character {found.start()}, which XML cannot hold"
        raise DataError.at(place, problem, "write .json, or remove such characters")
    if xml and len(text) > _LONGEST // 10 and len(quoteattr(text).encode("utf-8")) > _LONGEST:
        raise DataError.at(place, "has a text too long for XML (10 MB)", "write .json, or split the text")


def _refuse_keyphrases(place: str, keyphrases: Sequence[Keyphrase], length: int) -> None:
    ranks = set()
    for keyphrase in keyphrases:
        where = f"{place}, keyphrase {keyphrase.text!r}"
        if keyphrase.rank in ranks:
            raise DataError.at(
                where, f"has the rank {keyphrase.rank} of another one", "give each its own rank"
            )
        ranks.add(keyphrase.rank)
        if not math.isfinite(keyphrase.score):
            raise DataError.at(where, f"has the score {keyphrase.score}", "give a finite number")
        for begin, end in keyphrase.spans:
            if not 0 <= begin <= end <= length:
                problem = f"has the span {begin} to {end}, and the text {length} characters"
                raise DataError.at(where, problem, "give spans in this text")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None
