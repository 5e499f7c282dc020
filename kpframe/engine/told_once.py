"""Notices that several cells, or several runs of one command, would repeat."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

__all__ = ["silent", "told_once"]

_NAMED = 5
"""So many of the cells that a notice is about are named."""


class Together(logging.Filter):
    """Keeps back what is told, until all is: in the same words once, and of which cells."""

    def __init__(self, logger: logging.Logger) -> None:
        super().__init__()
        self._logger = logger
        self._kept: dict[str, tuple[logging.LogRecord, dict[str, None]]] = {}
        self._about: tuple[str, ...] = ()

    @contextmanager
    def about(self, names: Sequence[str]) -> Iterator[None]:
        """What is told inside is about these cells."""
        self._about = tuple(names)
        try:
            yield
        finally:
            self._about = ()

    def filter(self, record: logging.LogRecord) -> bool:
        """Nothing passes yet."""
        names = getattr(record, "cells", self._about)
        _, known = self._kept.setdefault(record.getMessage(), (record, {}))
        known.update(dict.fromkeys(names))
        return False

    def tell(self) -> None:
        """Tell all that was kept back, in order; to those around who keep it back too, as it was said."""
        around = any(isinstance(other, Together) for other in self._logger.filters)
        for message, (record, names) in self._kept.items():
            record.msg, record.args = message + ("" if around else _of(list(names))), None
            record.cells = tuple(names)
            self._logger.handle(record)


def _of(names: Sequence[str]) -> str:
    if len(names) < 2:  # there is one, or nobody said of which
        return ""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" (so in {len(names)} pipelines: {', '.join(names[:_NAMED])}{more})"


@contextmanager
def told_once(logger: str) -> Iterator[Together]:
    """What `logger` tells inside is told at the end, in the same words once: cells may learn from the same.

    May stand around others of its kind, as around several runs.
    """
    watched = logging.getLogger(logger)
    together = Together(watched)
    watched.filters.insert(0, together)  # whoever is around gets it from this one
    try:
        yield together
    finally:
        watched.removeFilter(together)
        together.tell()


@contextmanager
def silent(*loggers: str) -> Iterator[None]:
    """Inside, these tell nothing: what is done there was done and told before."""

    def nothing(record: logging.LogRecord) -> bool:
        return False

    watched = [logging.getLogger(name) for name in loggers]
    for logger in watched:
        logger.addFilter(nothing)
    try:
        yield
    finally:
        for logger in watched:
            logger.removeFilter(nothing)
