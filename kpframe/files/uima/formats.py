"""The kinds of CAS files, and what stands beside them."""

from __future__ import annotations

from pathlib import Path

from kpframe.errors import DataError

__all__ = ["TYPE_SYSTEM", "refuse_other_formats"]

TYPE_SYSTEM = "TypeSystem.xml"
"""The file beside XMI files that has their types, as DKPro's writers name it."""

_FORMATS = (".xmi", ".json")


def refuse_other_formats(path: Path) -> None:
    """DataError for a path that has neither ending."""
    if path.suffix not in _FORMATS:
        raise DataError.at(str(path), "is neither .xmi nor .json", "choose one of these endings")
