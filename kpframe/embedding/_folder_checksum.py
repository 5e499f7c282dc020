"""What tells two models in folders apart: all that lies in them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

__all__ = ["folder_checksum"]


@cache
def folder_checksum(folder: str) -> str:
    """SHA-256 over the names and contents of all files in a folder and those below, once a process."""
    digest = hashlib.sha256()
    root = Path(folder)
    for file in sorted(path for path in root.rglob("*") if path.is_file()):
        with file.open("rb") as opened:
            content = hashlib.file_digest(opened, "sha256").hexdigest()
        digest.update(f"{file.relative_to(root).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()
