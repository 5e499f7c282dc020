"""Files that are named by a URL, read and written through fsspec: the one place that knows of it.

Whoever opens files asks here, so that a URL may stand where a path may. `file://` is a path that every
machine is said to have. Passwords are no part of a URL: each kind of storage has its own place for them
(environment, configuration files), where fsspec finds them.
"""

from __future__ import annotations

import glob
import hashlib
import io
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from kpframe.errors import KpframeError, SpecError
from kpframe.files.leftovers import temporary_folder
from kpframe.files.storages import protocol, stream, system, told, unreachable

__all__ = [
    "below",
    "checksum",
    "exists",
    "fingerprint",
    "is_file",
    "is_folder",
    "is_shared",
    "is_url",
    "joined",
    "local_copy",
    "marks",
    "matching",
    "opened",
    "published",
    "refuse_url",
    "version",
]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_READ_ONLY = ("http", "https", "hf")
_STORES = ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "memory")
"""Object stores, where a file appears when all of it is there."""
_TIMES = (
    "LastModified",
    "last_modified",
    "Last-Modified",
    "mtime",
    "updated",
    "created",
    "generation",
    "size",
)
_TAGS = ("ETag", "etag", "md5Hash", "content_md5", "checksum")


def is_url(path: Any) -> bool:
    """Whether a path is a URL."""
    return isinstance(path, str) and _URL.match(path) is not None


def is_shared(path: str) -> bool:
    """Whether every machine is said to see the same under this path: a URL, but not of this process."""
    return is_url(path) and protocol(path) != "memory"


def refuse_url(path: str | None, place: str, problem: str, remedy: str) -> None:
    """SpecError where a path must not be a URL, before it is taken for the name of a folder."""
    if is_url(path):
        raise SpecError.at(f"{place} {path}", problem, remedy)


def joined(folder: str, name: str) -> str:
    """The path of what is called `name` in a folder."""
    return f"{folder.rstrip('/')}/{name}" if is_url(folder) else os.path.join(folder, name)


def exists(path: str) -> bool:
    """Whether there is anything. DataError where that cannot be found out."""
    place = _local(path)
    return os.path.exists(place) if place is not None else is_file(path) or is_folder(path)


def is_file(path: str) -> bool:
    """Whether there is a file. DataError where that cannot be found out."""
    place = _local(path)
    if place is not None:
        return os.path.isfile(place) or _is_pipe(place)
    with told(path):
        try:
            return bool(system(path).info(path)["type"] == "file")
        except FileNotFoundError as error:
            if isinstance(error.__cause__, OSError):  # the server was never asked
                raise error.__cause__ from None
            return False


def is_folder(path: str) -> bool:
    """Whether there is a folder, or something below the path of an object store."""
    place = _local(path)
    if place is not None:
        return os.path.isdir(place)
    if protocol(path) in ("http", "https"):  # whose folders are pages
        return False
    with told(path):
        return bool(system(path).isdir(path))


def opened(path: str) -> IO[bytes]:
    """The bytes of a file, which can be entered at any place. OSError as `open` has it for a path."""
    place = _local(path)
    if place is not None:
        if _is_pipe(place):
            return io.BytesIO(_drained(place, os.stat(place).st_ino))
        return open(place, "rb")
    with told(path):
        return stream(path)


def _is_pipe(place: str) -> bool:
    """Whether a path is a pipe, as `<(command)` of shells is."""
    try:
        return stat.S_ISFIFO(os.stat(place).st_mode)
    except OSError:
        return False


@lru_cache(maxsize=32)
def _drained(place: str, number: int) -> bytes:
    """What comes out of a pipe, which can be read once, and is asked for what it is before it is read."""
    with open(place, "rb") as file:
        return file.read()


def below(path: str) -> Iterator[tuple[str, str]]:
    """All files below a folder at a URL: their names relative to it, and their own URLs."""
    with told(path):
        store = system(path)
        root = str(store._strip_protocol(path)).rstrip("/")
        for found in sorted(store.find(root)):
            yield str(found)[len(root) :].lstrip("/"), str(store.unstrip_protocol(found))


def marks(path: str) -> str:
    """The characters that make a pattern of a path; in a URL of the web ? begins a query."""
    return "*" if is_url(path) and protocol(path) in _READ_ONLY else "*?["


def matching(pattern: str) -> list[str]:
    """The files that a pattern (with * ? or [ ]) stands for, in order; one without is the file itself."""
    if not any(mark in pattern for mark in marks(pattern)) or ("*" not in pattern and is_file(pattern)):
        return [pattern]
    place = _local(pattern)
    if place is not None:
        found = sorted(path for path in glob.glob(place, recursive=True) if os.path.isfile(path))
        return [f"file://{path}" for path in found] if is_url(pattern) else found
    with told(pattern):
        store = system(pattern)
        return [str(store.unstrip_protocol(path)) for path in sorted(store.glob(pattern))]


def fingerprint(path: str) -> str:
    """What tells whether a file has changed: the checksum that a store has of it, else that of its bytes."""
    if is_url(path) and _local(path) is None:
        with told(path):
            known = system(path).info(path)
        for name in _TAGS:
            if known.get(name):
                return f"{name}:{known[name]}".replace('"', "")
    return f"sha256:{checksum(path)}"


def checksum(path: str) -> str:
    """The SHA-256 of a file's bytes, wherever it lies."""
    content = hashlib.sha256()
    with opened(path) as file:
        while piece := file.read(2**20):
            content.update(piece)
    return content.hexdigest()


def version(path: str) -> str | None:
    """What differs when a file was written again, without reading it; None where there is none, or a pipe.

    Of the web, and of stores that tell neither checksum nor time, it is only the size.
    """
    try:
        if (place := _local(path)) is not None:
            found = os.stat(place)
            if not stat.S_ISREG(found.st_mode):
                return None
            # Not when anything about it changed: permissions and links may, while it is read.
            return f"{found.st_mtime_ns} {found.st_size} {found.st_ino}"
        with told(path):
            known = system(path).info(path)
    except (OSError, ValueError, KpframeError):
        return None
    return " ".join(f"{name}:{known[name]}" for name in (*_TAGS, *_TIMES) if known.get(name) is not None)


@contextmanager
def published(path: str) -> Iterator[IO[bytes]]:
    """A file to write that appears at a URL when the block ends without an error, and then is whole."""
    from kpframe.files.atomic import atomic_write, open_named

    place = _local(path)
    if place is not None:
        with atomic_write(Path(place)) as file:
            yield file
        return
    kind = protocol(path)
    if kind in _READ_ONLY:
        remedy = "give a file, or the URL of a store, as s3://bucket/name"
        raise SpecError.at(path, f"cannot be written: {kind} is read only", remedy)
    with told(path, "written"):
        store = system(path)
    with temporary_folder() as folder:
        whole = Path(folder, "whole")
        with open_named(whole, "wb") as file:
            yield file
        with told(path, "written"):
            _put(store, whole, path, at_once=kind in _STORES)


@contextmanager
def local_copy(path: str | Path) -> Iterator[Path]:
    """A path to the file: a copy of what is at a URL or comes out of a pipe, whose names errors have.

    For small files, which are read as a whole.
    """
    place = _local(str(path))
    if place is not None and not _is_pipe(place):
        yield Path(place)
        return
    with temporary_folder() as folder:
        name = str(path).partition("?")[0].rpartition("/")[2] or "file"
        copy = Path(folder, name)
        try:
            with opened(str(path)) as source, copy.open("wb") as file:
                shutil.copyfileobj(source, file)
        except OSError as error:
            raise unreachable(str(path), error, "read") from None
        try:
            yield copy
        except KpframeError as error:
            moved = [p.but(place=p.place.replace(str(copy), str(path))) for p in error.problems]
            raise type(error)(moved) from None


def _put(store: Any, whole: Path, path: str, *, at_once: bool) -> None:
    """Elsewhere than in a store a file is seen while it grows: so it gets its name at the end."""
    parent, _, name = path.rpartition("/")
    if at_once:
        store.put_file(str(whole), path)
        return
    store.makedirs(parent, exist_ok=True)
    aside = f"{parent}/.{name}.{os.urandom(4).hex()}.tmp"
    try:
        store.put_file(str(whole), aside)
        store.mv(aside, path)
    except BaseException:
        with suppress(Exception):
            store.rm_file(aside)
        raise


def _local(path: str) -> str | None:
    """The path on this machine; None for a URL of something else."""
    if not is_url(path):
        return path
    if protocol(path) != "file":
        return None
    parts = urlsplit(path)
    if parts.netloc not in ("", "localhost"):
        raise SpecError.at(path, "names a machine", "write file:///folder/file, with three slashes")
    # A pattern's ? is no query here.
    return unquote(path.partition("://")[2].removeprefix("localhost"))
