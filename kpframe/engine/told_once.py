"""Notices that several cells would repeat."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["told_once"]


@contextmanager
def told_once(logger: str) -> Iterator[None]:
    """Inside, what `logger` tells in the same words is told once: cells may learn from the same."""
    once = _Once()
    watched = logging.getLogger(logger)
    watched.addFilter(once)
    try:
        yield
    finally:
        watched.removeFilter(once)


class _Once(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self._told: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        new = message not in self._told
        self._told.add(message)
        return new
