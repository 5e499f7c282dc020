"""Standard input as a file that is read as a whole."""

from __future__ import annotations

import sys

from kpframe.files.container import Limits

__all__ = ["standard_input"]


def standard_input() -> bytes:
    """All bytes of standard input, within the limits of a file."""
    limit = Limits().size
    stream = getattr(sys.stdin, "buffer", None)
    content = stream.read(limit + 1) if stream else sys.stdin.read(limit + 1).encode("utf-8")
    Limits().refuse_size("standard input", len(content))
    return bytes(content)
