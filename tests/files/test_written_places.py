"""What stands where a file is to be written: links, pipes, and the input itself."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from kpframe.commands._inputs import refuse_own_input
from kpframe.errors import SpecError
from kpframe.files.atomic import write_text


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
