"""What stands where a file is to be written: links, pipes, and the input itself."""

from __future__ import annotations

import errno
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kpframe.commands._inputs import refuse_own_input
from kpframe.errors import SpecError
from kpframe.files.atomic import fresh_folder, open_named, write_text


def test_what_a_link_names_is_written(tmp_path: Path) -> None:
    """The link stays one."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_gets_what_is_written(tmp_path: Path) -> None:
    """And stays a pipe; so do devices, as /dev/stdout."""
    path, read = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    write_text(path, "new")
    reader.join()
    assert read == ["new"] and path.is_fifo()


def test_the_input_is_not_written_over(tmp_path: Path) -> None:
    """By whatever path it is named."""
    given = tmp_path / "in.csv"
    given.write_text("id,text\n")
    (tmp_path / "link.csv").symlink_to("in.csv")
    for name in ("in.csv", "./in.csv", "link.csv"):
        with pytest.raises(SpecError, match="is the input, which it would take the place of"):
            refuse_own_input(str(tmp_path / name), ["-", str(given)])
    refuse_own_input(str(tmp_path / "other.csv"), [str(given)])
    refuse_own_input(None, [str(given)])


def _file(path: Path) -> None:
    write_text(path, "new")


def _folder(path: Path) -> None:
    with fresh_folder(path):
        pass


@pytest.mark.parametrize(
    ("write", "module", "step"),
    [
        (_file, tempfile, "mkstemp"),
        (_file, os, "replace"),
        (_folder, tempfile, "mkdtemp"),
        (_folder, os, "replace"),
    ],
)
def test_an_error_names_what_was_to_be_written(
    write: Callable[[Path], None], module: Any, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the temporary file beside it, of which nobody knows."""
    place = tmp_path / "k.csv"

    def refused(*words: Any, **more: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path / ".k.csv.1234.tmp"))

    monkeypatch.setattr(module, step, refused)
    with pytest.raises(PermissionError) as caught:
        write(place)
    assert (caught.value.filename, caught.value.strerror) == (str(place), "Permission denied")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="not on this system")
def test_a_full_disk_is_told_with_the_place() -> None:
    """The system does not say which file it was."""
    full = Path("/dev/full")

    def opened() -> None:
        with open_named(full, "ab") as file:
            file.write(b"new")

    for write in (opened, lambda: write_text(full, "new")):
        with pytest.raises(OSError, match="No space") as error:
            write()
        assert (error.value.errno, error.value.filename) == (errno.ENOSPC, str(full))
