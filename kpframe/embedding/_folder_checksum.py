"""What tells two models in folders apart: all that lies in them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from kpframe.files.changes import files_below, while_unchanged

__all__ = ["folder_checksum"]


@while_unchanged(16)
def folder_checksum(folder: str) -> str:
    """SHA-256 over the names and contents of all files in a folder and those below, anew if one changed."""
    digest = hashlib.sha256()
    for path in files_below(Path(folder)):
        with path.open("rb") as opened:
            content = hashlib.file_digest(opened, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()
