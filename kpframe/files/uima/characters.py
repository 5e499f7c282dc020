"""Characters that a file cannot hold: each becomes a blank, so that offsets stay, and is remembered."""

from __future__ import annotations

import re

__all__ = ["Blanks"]

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_UTF_8 = re.compile("[\ud800-\udfff]")


class Blanks:
    """Puts a blank for what XML (else JSON: UTF-8) cannot hold; `found` names these characters (U+000C).

    All such characters are one UTF-16 unit, as a blank is: neither kpframe's offsets nor UIMA's move.
    """

    def __init__(self, *, xml: bool) -> None:
        self._wrong = _NO_XML if xml else _NO_UTF_8
        self.found: set[str] = set()

    def __call__(self, text: str) -> str:
        """The text with blanks."""
        if self._wrong.search(text) is None:
            return text
        self.found.update(f"U+{ord(one):04X}" for one in self._wrong.findall(text))
        return self._wrong.sub(" ", text)
