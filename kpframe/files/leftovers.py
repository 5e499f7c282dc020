"""Temporary files that say whose they are, so that those of a process that was killed can be removed.

Their names hold the number of the process, when it began, and where: machine, its start and its space of
process numbers. Only where all that is the same can be known that the process is gone; files of another
machine on a shared disk, of another container and of a user who is not this one stay, and so does all that
was left before the machine was started anew.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import socket
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["began", "name_beside", "remove_leftovers", "temporary_folder", "temporary_name"]

log = logging.getLogger("kpframe")

_MARK = r"(\d+)-(\d+)-([0-9a-f]{12})"
_NAMES = re.compile(rf"kpframe-{_MARK}-[a-z0-9_]+|\..*\.{_MARK}\.[a-z0-9_]+\.tmp")
_LONGEST = 128
"""So many bytes of a file's name stand in that of its temporary one: a system takes 255 in all."""


def temporary_name() -> str:
    """How the name of a temporary folder of this process begins.

    The first removes what killed processes have left where temporary files are: programs do, as commands.
    """
    _clear_once()
    mark = _mark()
    return f"kpframe-{mark}-" if mark else "kpframe-"


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for as long as a block."""
    return tempfile.TemporaryDirectory(prefix=temporary_name())


@cache
def _clear_once() -> None:
    if removed := remove_leftovers([tempfile.gettempdir()]):
        log.info("removed leftovers of processes that were killed: %s", ", ".join(removed))


def name_beside(path: Path) -> str:
    """How the name of a file begins that shall become `path` when it is whole; it ends with `.tmp`."""
    name = os.fsencode(path.name)[:_LONGEST].decode("utf-8", "ignore")
    mark = _mark()
    return f".{name}.{mark}." if mark else f".{name}."


def remove_leftovers(folders: Iterable[str | Path]) -> list[str]:
    """Remove what killed processes of this user left in some folders (not below them); what was removed."""
    place = _place()
    return [] if not place else [path for folder in folders for path in _removed(str(folder), place)]


def _removed(folder: str, place: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if _NAMES.fullmatch(entry.name)]
    except OSError:  # none of ours, or not there
        return
    for entry in found:
        with suppress(OSError):  # another command removes it just now
            if _is_left(entry, place):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    os.unlink(entry.path)
                yield entry.path


def _is_left(entry: os.DirEntry[str], place: str) -> bool:
    found = _NAMES.fullmatch(entry.name)
    number, begun, where = [part for part in found.groups() if part is not None] if found else ("", "", "")
    state = entry.stat(follow_symlinks=False)
    ours = state.st_uid == os.getuid() and not stat.S_ISLNK(state.st_mode)
    return ours and where == place and began(int(number)) != begun


def _mark() -> str:
    """What tells this process from all others; empty where the system does not say enough."""
    place, number = _place(), os.getpid()
    return f"{number}-{began(number)}-{place}" if place else ""


def _place() -> str:
    """Where process numbers mean the same as here; empty where that cannot be known."""
    try:
        space = os.readlink("/proc/self/ns/pid")
        start = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
        if not began(os.getpid()):
            return ""
    except OSError:
        return ""
    return hashlib.sha256(f"{socket.gethostname()}\0{start}\0{space}".encode()).hexdigest()[:12]


def began(number: int) -> str:
    """When a process began, in ticks since the machine did; empty if there is none, or it has ended."""
    try:
        fields = Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in (b"Z", b"X") else fields[19].decode("ascii")
