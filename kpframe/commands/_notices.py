"""The handler of kpframe's notices; apart, since `logging` would be a quarter of the time that help takes."""

from __future__ import annotations

import logging
from collections.abc import Callable

__all__ = ["Notices"]


class Notices(logging.Handler):
    """Hands level and text of each record to `say`."""

    def __init__(self, say: Callable[[str, str], None]) -> None:
        super().__init__()
        self._say = say
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Say one of them."""
        try:
            text = self.format(record)
            # A file is opened more than once: for its columns, for its rows, for each partition, and where
            # the language of a text is that of most others.
            if record.name in ("kpframe.files", "kpframe.documents"):
                if text in self._told:
                    return
                self._told.add(text)
            self._say(record.levelname.lower(), text)
        except Exception:  # a notice that cannot be shown must stop nothing
            self.handleError(record)
