"""A folder or an archive as one thing: named files that can be read, in natural order."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from kpframe.errors import DataError, KpframeError
from kpframe.files.urls import opened
from kpframe.model import Skipped

__all__ = [
    "Container",
    "Entry",
    "Folder",
    "Limits",
    "Member",
    "natural_key",
    "read_file",
    "unreadable",
    "walked",
]

_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True, slots=True)
class Limits:
    """What is refused as a mistake or an attack.

    `members`: files in an archive; `size`: bytes of one file; `ratio`: bytes for each compressed
    byte, looked at from `floor` bytes on; `total`: bytes of a compressed tar, which must be held in
    memory whole because it cannot be entered at any place.
    """

    members: int = 200_000
    size: int = 256 * 2**20
    ratio: int = 200
    floor: int = 2**20
    total: int = 2**30

    def refuse_size(self, place: str, size: int, compressed: int | None = None) -> None:
        """Raise DataError for a file of `size` bytes, packed in `compressed`, beyond the limits."""
        if size > self.size:
            raise self.too_large(place, self.size)
        if compressed is not None and size > max(self.floor, self.ratio * compressed):
            raise self.bomb(place)

    def too_large(self, place: str, limit: int) -> KpframeError:
        """The error for a file of more than `limit` bytes."""
        return DataError.at(place, f"has more than {limit:,} bytes", "split it into smaller files")

    def bomb(self, place: str) -> KpframeError:
        """The error for a file that grows suspiciously when it is unpacked."""
        return DataError.at(
            place, f"grows more than {self.ratio} times when unpacked", "if you trust it, unpack it yourself"
        )


@dataclass(frozen=True, slots=True)
class Member:
    """One file: its `name` relative to the container with `/`, its `place` for messages."""

    name: str
    place: str
    handle: Any

    @property
    def folder(self) -> str:
        """The folder part of the name, empty at the top."""
        return self.name.rpartition("/")[0]

    @property
    def stem(self) -> str:
        """The last part of the name without its suffix."""
        return os.path.splitext(self.name.rpartition("/")[2])[0]

    @property
    def suffix(self) -> str:
        """The suffix in lower case, with its dot."""
        return os.path.splitext(self.name)[1].lower()


@dataclass(frozen=True, slots=True)
class Entry:
    """What a container's own listing says: the raw name, and why it cannot be used, if so."""

    name: str
    handle: Any
    objection: str = ""


class Container(ABC):
    """Files by name. Hidden files (a leading dot, `__MACOSX`) are no members and not reported."""

    def __init__(self, place: str, entries: Iterable[Entry], limits: Limits, most: int | None) -> None:
        self.place = place
        self.limits = limits
        self.skipped: list[Skipped] = []
        self._members: dict[str, Member] = {}
        for number, entry in enumerate(entries, start=1):
            if most is not None and number > most:
                raise DataError.at(place, f"has more than {most:,} members", "unpack it and give the folder")
            self._admit(entry)
        self.members = sorted(self._members.values(), key=lambda member: natural_key(member.name))

    def _admit(self, entry: Entry) -> None:
        raw = entry.name.replace("\\", "/").split("/")
        parts = raw[:1] + [part for part in raw[1:] if part not in ("", ".")]
        parts = parts[1:] if parts[0] == "." else parts
        name = "/".join(parts)
        if any(part == "__MACOSX" or (part.startswith(".") and part != "..") for part in parts):
            return
        objection = entry.objection or _unsafe(name) or ("is there twice" if name in self._members else "")
        if objection:
            self.skipped.append(Skipped(f"{self.place}/{_printable(name)}", objection))
        else:
            self._members[name] = Member(name, f"{self.place}/{name}", entry.handle)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def find(self, name: str) -> Member | None:
        """The member with this name."""
        return self._members.get(name)

    def with_suffix(self, *suffixes: str) -> list[Member]:
        """The members whose suffix is one of `suffixes` (lower case), in natural order of names."""
        return [member for member in self.members if member.suffix in suffixes]

    @abstractmethod
    def read(self, member: Member) -> bytes:
        """The content of a member. DataError if it is beyond the limits, damaged or unreadable."""

    def close(self) -> None:
        """Close what is open."""
        return

    def __enter__(self) -> Container:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Folder(Container):
    """A folder with all that is below it. Links are skipped: they may lead out of it or in circles."""

    def __init__(self, path: str, limits: Limits) -> None:
        super().__init__(path, walked(Path(path)), limits, None)

    def read(self, member: Member) -> bytes:
        """The content of a file."""
        return read_file(str(member.handle), self.limits)


def read_file(path: str, limits: Limits) -> bytes:
    """The bytes of a regular file within the limits, DataError if it cannot be read."""
    try:
        with opened(path) as stream:
            content = stream.read(limits.size + 1)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    limits.refuse_size(path, len(content))
    return content


def unreadable(path: str, error: Exception) -> KpframeError:
    """The error for a file that the operating system does not give."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return DataError.at(path, f"cannot be read ({reason})", "check the path and its permissions")


def natural_key(name: str) -> tuple[object, ...]:
    """A key that sorts runs of digits by their value: `2` before `10`; ties by the name itself."""
    parts = _DIGITS.split(name)
    digits = (part.lstrip("0") for part in parts[1::2])
    values = [(len(value), value) for value in digits]
    return (*(x for pair in zip(parts[::2], [*values, (0, "")], strict=True) for x in pair), name)


def walked(folder: Path, prefix: str = "") -> Iterator[Entry]:
    """All below a folder on this machine, with an objection to what is not read: links, what is closed."""
    try:
        found = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Entry(prefix, folder, f"cannot be listed ({error.strerror})")
        return
    for entry in found:
        name = prefix + entry.name
        if entry.is_symlink():
            yield Entry(name, entry.path, "is a link; only files themselves are read")
        elif entry.is_dir(follow_symlinks=False):
            yield from walked(Path(entry.path), f"{name}/")
        elif entry.is_file(follow_symlinks=False):
            yield Entry(name, entry.path)
        else:
            yield Entry(name, entry.path, "is not a regular file")


def _unsafe(name: str) -> str:
    parts = name.split("/")
    if not name or parts[0] == "" or re.match(r"[A-Za-z]:", name):
        return "has an absolute name"
    if ".." in parts:
        return "has a name that leads out of the archive"
    if "\0" in name or _printable(name) != name:
        return "has a name that is not valid text"
    return ""


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
