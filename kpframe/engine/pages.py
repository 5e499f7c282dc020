"""The page of a run: results are whole without it, so that none is lost for its sake."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kpframe.errors import KpframeError

__all__ = ["drop_page", "page_or_told"]

_log = logging.getLogger("kpframe")


def drop_page(page: Path) -> bool:
    """Remove a page; whether there was one. A folder of its name is none."""
    there = page.is_file()
    if there:
        page.unlink()
    return there


def page_or_told(page: Path, write: Callable[[], Any]) -> None:
    """Write a page; where that fails it is told, and no older one stays."""
    try:
        write()
    except Exception as error:  # the results are whole without it
        drop_page(page)
        _log.warning("%s: cannot be written (%s); the results are complete", page, _reason(error))


def _reason(error: Exception) -> str:
    if isinstance(error, KpframeError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__}: {error}"
