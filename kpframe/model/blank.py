"""Whether there is anything to be seen in a phrase."""

from __future__ import annotations

import re

__all__ = ["is_blank", "visible"]

# White space, and what Unicode lets programs ignore (Default_Ignorable_Code_Point): marks of direction,
# zero-width spaces and joiners, soft hyphens, byte order marks, fillers, variation selectors, tags.
_BLANK = re.compile(
    "[\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]*+"
)


def is_blank(text: str) -> bool:
    """Whether a text is empty, or nothing of it can be seen: a keyphrase of U+200B is none."""
    if text.isascii():
        return not text or text.isspace()
    return _BLANK.fullmatch(text) is not None


def visible(text: str) -> bool:
    """Whether something of a text can be seen."""
    return not is_blank(text)
