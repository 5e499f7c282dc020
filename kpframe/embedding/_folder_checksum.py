"""What tells two models in folders apart: all that lies in them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from kpframe.files.changes import FileState, folder_state

__all__ = ["folder_checksum"]


def folder_checksum(folder: str) -> str:
    """SHA-256 over the names and contents of all files in a folder and those below, anew if one changed."""
    return _checksum(folder, folder_state(folder))


@lru_cache(maxsize=16)
def _checksum(folder: str, state: tuple[tuple[str, FileState], ...]) -> str:
    digest = hashlib.sha256()
    for name, _ in state:
        with open(name, "rb") as opened:
            content = hashlib.file_digest(opened, "sha256").hexdigest()
        digest.update(f"{Path(name).relative_to(folder).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()
