"""UIMA: documents as XMI or JSON CAS, with their annotations and gold keyphrases."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Language
from kpframe.documents._passed_over import because
from kpframe.errors import DataError, KpframeError
from kpframe.files.archives import open_container, path_problems
from kpframe.files.container import Container, Limits, Member, read_file
from kpframe.files.uima import cas_of_bytes
from kpframe.files.urls import is_file
from kpframe.language.codes import known_language
from kpframe.language.detection import UNKNOWN
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["Cas"]

_SUFFIXES = (".xmi", ".json")
_TYPE_SYSTEM = "TypeSystem.xml"
_LOOKED_AT = 50
"""Files of which the layers are looked at before a run."""


class Cas(Reader):
    """Reads UIMA's XMI and JSON CAS, as kpframe, DKPro and INCEpTION write them; one document a file.

    The id is that of DKPro's DocumentMetaData, else the name of the file. DKPro's tokens, sentences, lemmas,
    parts of speech (those before 1.9 too, and what stands at the place of a token without a link), noun
    chunks and named entities become annotations. Gold is what a view marks as keyphrases: kpframe's
    GoldKeyphrase, or in files of others DKPro's Keyphrase. The text is that of the initial view, or of the
    only other view that has one. Of XMI files the types stand in `TypeSystem.xml` in the same folder or at
    the top, and are DKPro's and kpframe's besides. A file that is no CAS, has no text or declares entities
    is skipped. Needs `pip install 'kpframe[cas]'`.
    """

    source: ClassVar[str] = (
        "Ferrucci and Lally (2004), UIMA; Eckart de Castilho and Gurevych (2014), DKPro Core; dkpro-cassis"
    )
    paths: ClassVar[tuple[str, ...]] = ("path", "types")

    path: str = Field(description="An .xmi or .json file, or a folder, zip or tar with such files.")
    types: str | None = Field(
        None, description="The type system of XMI files; null: TypeSystem.xml beside them, else DKPro's."
    )
    gold_view: str = Field("gold", min_length=1, description="The view in which gold keyphrases are marked.")
    annotations: Literal["use", "ignore"] = Field(
        "use",
        description="use: the files' annotations take the place of kpframe's own; ignore: only texts count.",
    )
    language: Language = "auto"

    def provides(self) -> frozenset[str]:
        """The layers that all of the first 50 files have; where others lack one, the document fails."""
        if self.annotations == "ignore":
            return frozenset()
        try:
            found = [one for one in islice(self.read(), _LOOKED_AT) if isinstance(one, Document)]
        except KpframeError:  # told by problems() and read()
            return frozenset()
        layers = [frozenset() if one.annotations is None else one.annotations.layers for one in found]
        return frozenset.intersection(*layers) if layers else frozenset()

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing library, missing and unreadable paths."""
        if importlib.util.find_spec("cassis") is None:
            yield "", "needs the package dkpro-cassis", "pip install 'kpframe[cas]'"
        yield from path_problems("path", self.path, folder=not self.path.lower().endswith(_SUFFIXES))
        if self.types is not None:
            yield from path_problems("types", self.types, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in natural order of the names of their files."""
        yield from distinct(self.read_entries())

    def read_entries(self) -> Iterator[Placed | Skipped]:
        """The documents with their places."""
        given = None if self.types is None else read_file(self.types, Limits())
        if is_file(self.path) and self.path.lower().endswith(_SUFFIXES):
            beside = os.path.join(os.path.dirname(self.path), _TYPE_SYSTEM)
            found = read_file(beside, Limits()) if given is None and is_file(beside) else given
            stem, suffix = os.path.splitext(os.path.basename(self.path))
            yield self._entry(self.path, read_file(self.path, Limits()), stem, suffix, found)
            return
        with open_container(self.path) as root:
            yield from self.entries(root)

    def entries(self, root: Container) -> Iterator[Placed | Skipped]:
        """What an open folder or archive holds."""
        given = None if self.types is None else read_file(self.types, Limits())
        yield from root.skipped
        members = root.with_suffix(*_SUFFIXES)
        if not members:
            raise DataError.at(self.path, "holds no .xmi or .json file", "give the folder with the CAS")
        for member in members:
            found = given if given is not None else _types_of(root, member)
            name = member.name[: -len(member.suffix)]
            try:
                content = root.read(member)
            except KpframeError as error:
                yield because(member.place, error)
                continue
            yield self._entry(member.place, content, name, member.suffix, found)

    def _entry(
        self, place: str, content: bytes, name: str, suffix: str, types: bytes | None
    ) -> Placed | Skipped:
        try:
            made = cas_of_bytes(
                content,
                suffix.lower(),
                types,
                name=name,
                language=self.language,
                gold_view=self.gold_view,
                layers=self.annotations == "use",
            )
        except ValueError as error:
            return Skipped(place, str(error))
        written = made.document.language
        code = known_language(written or UNKNOWN)
        if code is None:
            return Skipped(place, f"its language is {written!r}, not the code or English name of a language")
        return place, replace(made.document, language=code)


def _types_of(root: Container, member: Member) -> bytes | None:
    """The type system in the folder of a file, or at the top."""
    for name in (f"{member.folder}/{_TYPE_SYSTEM}", _TYPE_SYSTEM):
        found = root.find(name)
        if found is not None:
            return root.read(found)
    return None
