"""Zips and tars, opened without trust and never unpacked to disk.

Names that lead out of the archive, links and devices are skipped; too many members, too large ones
and ones that grow without measure are refused, as is whatever is cut off or damaged.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from kpframe.errors import DataError, KpframeError
from kpframe.files.container import Container, Entry, Folder, Limits, Member, read_file, unreadable
from kpframe.files.kinds import kind_of_file, kind_of_stream
from kpframe.files.unpacking import unpacked
from kpframe.files.urls import below, exists, is_file, is_folder, is_url, opened

__all__ = ["damage_reported", "is_container", "open_bytes", "open_container", "open_nested", "path_problems"]

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    ArithmeticError,
    LookupError,
    RuntimeError,
    MemoryError,
)
"""What the standard library raises for archives that are not what they say."""

_PACKED: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZ": bz2.open,
    b"\xfd7": lzma.open,
    b"\x28\xb5": lambda stream, _: unpacked(stream, "zst"),
}


def open_container(path: str, limits: Limits | None = None) -> Container:
    """The folder, zip or tar (plain or compressed) at `path`.

    Raises DataError for a missing path, a file of another kind, a truncated or damaged archive.
    """
    limits = limits or Limits()
    if not exists(path):
        raise DataError.at(path, "does not exist", "correct the path")
    if is_folder(path):
        return _Remote(path, limits) if is_url(path) else Folder(path, limits)
    try:
        stream = opened(path)
    except OSError as error:
        raise unreadable(path, error) from None
    return _open_stream(stream, path, limits)


def open_nested(container: Container, member: Member) -> Container:
    """The archive that is a member of `container`, held in memory if `container` is an archive."""
    if isinstance(container, Folder):
        return open_container(str(member.handle), container.limits)
    return _open_stream(io.BytesIO(container.read(member)), member.place, container.limits)


def path_problems(parameter: str, path: str, *, folder: bool) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a path before anything is read: (parameter, problem, remedy).

    `folder` tells whether a folder or an archive is expected, or else a single file.
    """
    if not exists(path):
        yield parameter, f"{path!r} does not exist", "correct the path"
    elif not is_url(path) and not os.access(path, os.R_OK):
        yield parameter, f"{path!r} cannot be read", "check its permissions"
    elif is_folder(path) and not folder:
        yield parameter, f"{path!r} is a folder", "give a file"
    elif is_file(path) and folder and not _is_archive(path):
        yield parameter, f"{path!r} is neither a folder nor a zip or tar archive", "correct the path"


def is_container(path: str) -> bool:
    """Whether `path` is a folder, or an archive of files."""
    return is_folder(path) or (is_file(path) and _is_archive(path))


def open_bytes(content: bytes, place: str) -> Container:
    """The zip or tar in some bytes, called `place` in messages."""
    return _open_stream(io.BytesIO(content), place, Limits())


def _is_archive(path: str) -> bool:
    try:
        return kind_of_file(path).kind.group == "archive"
    except OSError:
        return False


@contextmanager
def damage_reported(place: str) -> Iterator[None]:
    """Turn what the standard library raises for a damaged archive into a DataError at `place`."""
    try:
        yield
    except _DAMAGE as error:
        if isinstance(error, OSError) and error.errno:
            raise unreadable(place, error) from None
        raise _damaged(place, str(error) or type(error).__name__) from None


def _damaged(place: str, reason: str) -> KpframeError:
    return DataError.at(place, f"is cut off or damaged ({reason})", "fetch or pack it again")


def _open_stream(stream: IO[bytes], place: str, limits: Limits) -> Container:
    try:
        with damage_reported(place):
            zipped = kind_of_stream(stream, place).kind.name == "zip"
            return (_Zip if zipped else _Tar)(stream, place, limits)
    except KpframeError:
        stream.close()
        raise


class _Remote(Container):
    """A folder at a URL with all that is below it."""

    def __init__(self, url: str, limits: Limits) -> None:
        super().__init__(url.rstrip("/"), (Entry(name, path) for name, path in below(url)), limits, None)

    def read(self, member: Member) -> bytes:
        return read_file(str(member.handle), self.limits)


class _Zip(Container):
    def __init__(self, stream: IO[bytes], place: str, limits: Limits) -> None:
        self._stream = stream
        self._zip = zipfile.ZipFile(stream)
        entries = (Entry(i.filename, i, _zip_objection(i)) for i in self._zip.infolist() if not i.is_dir())
        super().__init__(place, entries, limits, limits.members)

    def read(self, member: Member) -> bytes:
        info: zipfile.ZipInfo = member.handle
        self.limits.refuse_size(member.place, info.file_size, info.compress_size)
        with damage_reported(member.place):
            return self._zip.read(info)

    def close(self) -> None:
        self._zip.close()
        self._stream.close()


def _zip_objection(info: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if stat.S_ISLNK(kind):
        return "is a link; only files themselves are read"
    return "is encrypted" if info.flag_bits & 1 else ""


class _Tar(Container):
    def __init__(self, stream: IO[bytes], place: str, limits: Limits) -> None:
        self._stream = _unpacked(stream, place, limits)
        self._tar = _tar_file(self._stream, place)
        super().__init__(place, self._entries(place), limits, limits.members)

    def _entries(self, place: str) -> Iterator[Entry]:
        """The members; damage that `tarfile` would take for the end of the archive is reported."""
        position = -1
        while (info := self._tar.next()) is not None:
            if self._tar.offset <= position or info.size < 0:
                raise _damaged(place, "a member of negative size")
            position = self._tar.offset
            if not info.isdir():
                yield Entry(info.name, info, _tar_objection(info))
        self._stream.seek(self._tar.offset)
        end = self._stream.read(tarfile.BLOCKSIZE)
        if len(end) < tarfile.BLOCKSIZE or any(end):
            raise _damaged(place, "no end mark after the last member")

    def read(self, member: Member) -> bytes:
        info: tarfile.TarInfo = member.handle
        self.limits.refuse_size(member.place, info.size)
        with damage_reported(member.place):
            stream = self._tar.extractfile(info)
            content = stream.read() if stream else b""
        if len(content) != info.size:
            raise _damaged(member.place, "unexpected end of data")
        return content

    def close(self) -> None:
        self._tar.close()
        self._stream.close()


def _tar_file(stream: IO[bytes], place: str) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=stream, mode="r:")
    except tarfile.ReadError:
        raise DataError.at(
            place, "is neither a folder nor a whole zip or tar archive", "correct the path, or fetch it again"
        ) from None


def _tar_objection(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return "is a link; only files themselves are read"
    return "" if info.isreg() and not info.issparse() else "is not a regular file"


def _unpacked(stream: IO[bytes], place: str, limits: Limits) -> IO[bytes]:
    """`stream` itself, or its decompressed content in memory."""
    opener = _PACKED.get(stream.read(2))
    packed = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if opener is None:
        return stream
    content = io.BytesIO()
    with opener(stream, "rb") as inner:
        while chunk := inner.read(2**20):
            content.write(chunk)
            if content.tell() > max(limits.floor, limits.ratio * packed):
                raise limits.bomb(place)
            if content.tell() > limits.total:
                raise DataError.at(
                    place, f"has more than {limits.total:,} bytes unpacked", "unpack it and give the folder"
                )
    stream.close()
    content.seek(0)
    return content
