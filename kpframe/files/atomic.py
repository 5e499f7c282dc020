"""Files and folders that must never be half-written."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

from kpframe.errors import DataError
from kpframe.files.leftovers import name_beside

__all__ = ["atomic_write", "fresh_folder", "named_errors", "open_named", "write_text"]


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of `path` only when the block ends without an error.

    What a link names is replaced, not the link; a device or a pipe is written to as it is.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with open_named(path, "wb") as file:
            yield file
        return
    if path.is_symlink():
        path = Path(os.path.realpath(path))
    with named_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=name_beside(path), suffix=".tmp")
    try:
        with io.BufferedWriter(_Named(handle, "wb", str(path)), 2**17) as file:
            yield file
        with named_errors(path):
            os.chmod(name, 0o644)
            os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def open_named(path: Path, mode: Literal["wb", "ab"]) -> IO[bytes]:
    """Open a file to write it as it is, not aside; errors say which it is, also where a disk is full."""
    return io.BufferedWriter(_Named(str(path), mode, str(path)))


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Errors say which file it is about: of a temporary one what it would have become."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


class _Named(io.FileIO):
    """A file whose errors say what it will be: the system does not say where there is no more room."""

    def __init__(self, file: int | str, mode: str, path: str) -> None:
        super().__init__(file, mode)
        self._path = path

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        """Write some bytes."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self._path
            raise


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file atomically; a lone surrogate becomes its escape, as JSON has it."""
    with atomic_write(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


@contextmanager
def fresh_folder(path: Path) -> Iterator[Path]:
    """A folder to write into, which becomes `path` only when the block ends without an error.

    DataError where `path` is no folder or has anything in it, since old files would be taken for new ones;
    before the block, so that nothing is computed in vain.
    """
    path = Path(os.path.abspath(path))
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        problem = "is not empty" if path.is_dir() else "is no folder"
        raise DataError.at(str(path), problem, "choose another folder, or remove it first")
    with named_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=path.parent, prefix=name_beside(path), suffix=".tmp"))
    try:
        yield beside
        with named_errors(path):
            if path.exists():  # empty: it may be a link, or where somebody stands
                for one in sorted(beside.iterdir()):
                    os.replace(one, path / one.name)
                beside.rmdir()
            else:
                os.chmod(beside, 0o755)
                os.replace(beside, path)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
