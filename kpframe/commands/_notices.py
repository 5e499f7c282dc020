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

    def emit(self, record: logging.LogRecord) -> None:
        """Say one of them."""
        try:
            self._say(record.levelname.lower(), self.format(record))
        except Exception:  # a notice that cannot be shown must stop nothing
            self.handleError(record)
