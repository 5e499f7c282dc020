"""Remedies in the words of the command that was typed: what a spec calls `encoding` is --encoding there."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["in_words_of"]

_ENCODING = "set `encoding` to the one that the file has (often cp1252 or latin-1), or save it as UTF-8"
_IN_COMMANDS = {
    _ENCODING: ("--encoding", "give its own by --encoding (often cp1252 or latin-1), or save it as UTF-8"),
    " by `text`": ("--column", " by --column"),
    " by `id`": ("--id", " by --id"),
    " by `under`": ("--under", " by --under"),
    "use `missing`: empty or skip": ("--missing", "use --missing empty or skip"),
}
"""What readers say, for specs and Python, the option that it is on a command line, and how that is said."""
_WITHOUT = {_ENCODING: "save it as UTF-8"}
"""What remains of it where a command has no such option, if it is anything."""
_OF_SPECS = "--set"
"""An option of commands that read specs, where the words of specs can be followed too."""


def in_words_of(options: Collection[str], text: str) -> str:
    """A message as the user of a command with these `options` can follow it."""
    for said, (option, here) in _IN_COMMANDS.items():
        if option in options:
            text = text.replace(said, here)
        elif _OF_SPECS not in options:
            text = text.replace(said, _WITHOUT.get(said, ""))
    return text
