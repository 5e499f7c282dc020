"""How large the annotation cache may grow, and what it forgets: what was used longest ago.

The time of access tells when: `AnnotationCache` sets it itself, since most disks are mounted without.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kpframe.errors import SpecError

__all__ = ["CacheUse", "cache_limit", "cache_use", "forget", "forget_if_full", "size_of"]

DEFAULT_LIMIT = "2GB"

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SAMPLED = 16
"""How many of the 256 shelves are looked at to tell whether all need be."""


@dataclass(frozen=True)
class CacheUse:
    """What lies in the cache: `files` and their `size` on the disk in bytes, and when they were last used.

    `oldest` and `newest` are seconds since the epoch, None for an empty cache.
    """

    files: int = 0
    size: int = 0
    oldest: float | None = None
    newest: float | None = None


@dataclass(frozen=True)
class _Entry:
    used: float
    path: str
    size: int


def size_of(text: str, place: str) -> int | None:
    """Bytes of `500MB`, `2G` or a plain number; None (no limit) for `none`. SpecError for anything else."""
    if text.strip().lower() == "none":
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)b?\s*", text, re.IGNORECASE)
    if found is None:
        raise SpecError.at(place, f"{text!r} is no size", "write it as 500MB or 2GB, or none for no limit")
    return int(float(found[1]) * _UNITS[found[2].lower()])


def cache_limit() -> int | None:
    """The size in bytes that the cache may have: `$KPFRAME_CACHE_LIMIT`, else 2 GB; None for no limit."""
    return size_of(os.environ.get("KPFRAME_CACHE_LIMIT") or DEFAULT_LIMIT, "KPFRAME_CACHE_LIMIT")


def cache_use(cache: Path) -> CacheUse:
    """What lies in a cache folder."""
    entries = list(_entries(cache))
    if not entries:
        return CacheUse()
    used = [entry.used for entry in entries]
    return CacheUse(len(entries), sum(entry.size for entry in entries), min(used), max(used))


def forget(cache: Path, limit: int) -> CacheUse:
    """Remove what was used longest ago until at most `limit` bytes are left; what was removed.

    An entry that another process has open or removes meanwhile does no harm: it is read as missing there.
    """
    entries = sorted(_entries(cache), key=lambda entry: (-entry.used, entry.path))
    kept, removed = 0, []
    for entry in entries:
        kept += entry.size
        if kept > limit:
            removed.append(entry)
    for entry in removed:
        with suppress(OSError):
            os.unlink(entry.path)
            os.rmdir(os.path.dirname(entry.path))  # of its document, if this was the last one
    used = [entry.used for entry in removed]
    size = sum(entry.size for entry in removed)
    return CacheUse(len(removed), size, min(used, default=None), max(used, default=None))


def forget_if_full(cache: Path, limit: int | None) -> CacheUse:
    """`forget`, but down to nine tenths of the limit, and only if it seems to be reached.

    Looking at every file of a full cache takes seconds, and each run would do it. Documents lie on 256
    shelves by a hash of their text, so a sixteenth of the shelves tells the size well enough; and room is
    made for more than one run.
    """
    if limit is None or _estimated(cache) < limit:
        return CacheUse()
    if cache_use(cache).size <= limit:
        return CacheUse()
    return forget(cache, limit * 9 // 10)


def _estimated(cache: Path) -> int:
    shelves = [f"{number:02x}" for number in range(0, 256, 256 // _SAMPLED)]
    sampled = sum(entry.size for shelf in shelves for entry in _below(cache / "annotations" / shelf))
    # A tenth more: a cache a little below its limit is looked at once too often rather than never.
    return sampled * (256 // _SAMPLED) * 11 // 10


def _entries(cache: Path) -> Iterator[_Entry]:
    yield from _below(cache / "annotations")


def _below(folder: Path) -> Iterator[_Entry]:
    for inner, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(inner, name)
            with suppress(OSError):
                found = os.stat(path)
                yield _Entry(found.st_atime, path, max(found.st_size, 512 * getattr(found, "st_blocks", 0)))
