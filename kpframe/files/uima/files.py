"""CAS files are written: XMI with its type system beside it, and JSON."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from kpframe.errors import DataError
from kpframe.files.atomic import atomic_write
from kpframe.files.uima import types
from kpframe.files.uima.characters import Blanks
from kpframe.files.uima.content import CasContent
from kpframe.files.uima.formats import TYPE_SYSTEM, refuse_other_formats
from kpframe.files.uima.writing import cas_of
from kpframe.model import Document, Keyphrase

__all__ = ["save_cas", "write_cas", "write_type_system"]

_REMEDY = "remove broken characters and numbers that JSON does not have"
_LONGEST = 9_900_000
"""Bytes of an escaped text in XMI: libxml2, with which Python reads XML, refuses attributes of 10 million."""


def write_cas(
    path: str | Path,
    document: Document,
    keyphrases: Sequence[Keyphrase] | Mapping[str, Sequence[Keyphrase]] = (),
) -> None:
    """Write a document as `.xmi` (with `TypeSystem.xml` beside it) or as `.json` (which has its types).

    Text, `document.annotations` and keyphrases are in the initial view; keyphrases are those of one
    system, or by the names of systems, with offsets into the document's text. In XMI gold is in the view
    `gold`, with its places in the text; in JSON it is in the initial view, as a type that is no keyphrase
    (dkpro-cassis reads no JSON of two texts). Offsets in the file count UTF-16 code units, as UIMA has it.
    Characters that the format cannot hold become blanks, and a warning names them. Raises DataError for
    another ending, for numbers that JSON does not have, for keyphrases of which two have one rank, a span
    is not in the text or a score is no finite number, and for a folder with the type system of something
    else.
    """
    blanked = save_cas(Path(path), document, keyphrases)
    if blanked:
        names = ", ".join(sorted(blanked))
        warnings.warn(f"document {document.id!r}: became blanks: {names}", stacklevel=2)


def save_cas(
    target: Path,
    document: Document,
    keyphrases: Sequence[Keyphrase] | Mapping[str, Sequence[Keyphrase]] = (),
) -> Set[str]:
    """As `write_cas`, without a warning: the names of the characters that became blanks (U+000C, …)."""
    refuse_other_formats(target)
    xml = target.suffix == ".xmi"
    systems = {name: tuple(found) for name, found in _systems(keyphrases).items()}
    place = f"document {document.id!r}"
    _refuse_length(place, document.text, xml=xml)
    for name, found in systems.items():
        _refuse_keyphrases(f"{place}, system {name!r}" if name else place, found, len(document.text))
    plain = Blanks(xml=xml)
    try:
        cas = cas_of(CasContent(document, systems), places=xml, plain=plain)
        encoded = (cas.to_xmi() if xml else _json(cas)).encode("utf-8")
    except (TypeError, ValueError) as error:  # metadata may be at fault
        raise DataError.at(place, f"cannot be written as {target.suffix} ({error})", _REMEDY) from None
    if xml:
        write_type_system(target.parent)
    with atomic_write(target) as file:
        file.write(encoded)
    return plain.found


def _systems(
    keyphrases: Sequence[Keyphrase] | Mapping[str, Sequence[Keyphrase]],
) -> Mapping[str, Sequence[Keyphrase]]:
    if isinstance(keyphrases, Mapping):
        return keyphrases
    return {"": keyphrases} if keyphrases else {}


def _json(cas: Any) -> str:
    from cassis.typesystem import TypeSystemMode

    data = json.loads(cas.to_json(type_system_mode=TypeSystemMode.MINIMAL))
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


def _refuse_length(place: str, text: str, *, xml: bool) -> None:
    if not xml or len(text) <= _LONGEST // 10:
        return
    if len(quoteattr(text).encode("utf-8", "replace")) > _LONGEST:
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
