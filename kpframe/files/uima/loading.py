"""CAS files are read: XMI with its type system beside it, and JSON."""

from __future__ import annotations

import io
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.uima import types
from kpframe.files.uima.content import CasContent
from kpframe.files.uima.formats import TYPE_SYSTEM, refuse_other_formats
from kpframe.files.uima.reading import content_of
from kpframe.files.uima.writing import GOLD_VIEW
from kpframe.model import AUTO

__all__ = ["cas_of_bytes", "read_cas"]


def read_cas(
    path: str | Path,
    *,
    type_system: str | Path | None = None,
    gold_view: str = GOLD_VIEW,
    language: str = AUTO,
) -> CasContent:
    """The document, its annotations and keyphrases in an `.xmi` or `.json` file, whoever wrote it.

    Of an XMI file the types are those in `type_system`, else in `TypeSystem.xml` beside it, and DKPro's
    and kpframe's; annotations of unknown types are left out. The text is that of the initial view, or of
    the only other view that has one. The id is that of DKPro's DocumentMetaData, else the name of the file;
    `language` counts where the file has none. Gold is what the view `gold_view` has. Keyphrases of other
    programs, marked beside the text, are those of one system without a name. Raises DataError for what
    cannot be read.
    """
    source = Path(path)
    refuse_other_formats(source)
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
                return _of_json(content)
            _refuse_declarations(content)
            system = types.reading_types() if type_system is None else _loaded_types(type_system)
            return library.load_cas_from_xmi(io.BytesIO(content), system, lenient=True)
    except Exception as error:  # the library has no exception of its own for bad input
        said = " ".join(str(error).split())
        # What Python says of its own objects says nothing of the file.
        foreign = isinstance(error, AttributeError | TypeError | LookupError | RecursionError) or not said
        reason = "it has other parts than a CAS" if foreign else said
        raise ValueError(f"is no CAS that can be read ({reason})") from None


def _of_json(content: bytes) -> Any:
    """A CAS of JSON. dkpro-cassis (0.12) makes a second view twice and fails; here each is made once."""
    from cassis.json import CasJsonDeserializer

    reader = CasJsonDeserializer()
    make = reader._get_or_create_view

    def view(cas: Any, name: str, *numbers: Any) -> Any:
        made = any(sofa.sofaID == name for sofa in cas.sofas) and name != "_InitialView"
        return cas.get_view(name) if made else make(cas, name, *numbers)

    reader._get_or_create_view = view
    return reader.deserialize(io.BytesIO(content), types.cassis().TypeSystem(), lenient=True)


@lru_cache(maxsize=4)
def _loaded_types(content: bytes) -> Any:
    """A type system with ours: files of other programs may lie beside those of kpframe.

    A folder has the same for all its files, and reading it takes longer than a file. Where it tells one of
    our types otherwise, it alone counts.
    """
    _refuse_declarations(content)
    library = types.cassis()
    given = library.load_typesystem(io.BytesIO(content))
    try:
        return library.merge_typesystems(given, types.reading_types())
    except ValueError:
        return given


def _refuse_declarations(content: bytes) -> None:
    """ValueError for XML with a document type, which may make it grow or read other files."""
    from defusedxml.ElementTree import iterparse

    for _, element in iterparse(io.BytesIO(content), ("end",), forbid_dtd=True):
        element.clear()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None
