"""Write a report's file whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from kpframe.errors import DataError

__all__ = ["write_file"]


def write_file(folder: Path, name: str, text: str) -> Path:
    """Write `text` as UTF-8 with its line ends as they are; the old file stays until all is written.

    Makes the folder if there is none. Raises DataError if it cannot be written.
    """
    path = folder / name
    unfinished = folder / f".{name}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            # A lone surrogate (from a file name, say) cannot be encoded; its escape can.
            unfinished.write_bytes(text.encode("utf-8", errors="backslashreplace"))
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError.at(str(path), f"cannot be written ({reason})", "choose another folder") from None
    return path
