"""What completion scripts are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Argument", "Command"]


@dataclass(frozen=True, slots=True)
class Argument:
    """An option, or what stands at a `position` (from 1; `many`: and at all that follow).

    `words` may stand there; or `words_after` those that depend on the word before; or `files`: `any` file,
    a `spec` (a .yaml file) or a `folder`.
    """

    flags: tuple[str, ...]
    position: int
    takes_value: bool
    many: bool
    words: tuple[str, ...]
    files: str
    help: str
    words_after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The help on one line, without characters that shells give a meaning."""
        text = " ".join(self.help.replace("%%", "%").split())
        return "".join(" " if ch in "'\"`$\\[]:;" else ch for ch in text)


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its arguments, in the order of its help."""

    name: str
    help: str
    arguments: tuple[Argument, ...]

    @property
    def options(self) -> list[Argument]:
        """The arguments with flags."""
        return [argument for argument in self.arguments if argument.flags]

    @property
    def positions(self) -> list[Argument]:
        """The arguments without flags."""
        return [argument for argument in self.arguments if not argument.flags]

    @property
    def summary(self) -> str:
        """The help on one line, without characters that shells give a meaning."""
        return Argument((), 0, False, False, (), "", self.help).summary
