"""Folders that have little room, for tests: small file systems of their own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small(folder: Path, size: str) -> Iterator[None]:
    """The folder has so much room (`64k`), as long as the block lasts; skips where that cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("small file systems can be mounted by root only")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def grown(folder: Path, size: str) -> None:
    """Give a small folder more room; what is in it stays."""
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)
