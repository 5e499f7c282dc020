"""The parser of the command line, made of what each command's file says.

A command is a file of this folder with `HELP = "…"` on a line of its own, `arguments(parser)`, a frozen
dataclass `Options`, which has the defaults, and `execute(options)`, which returns the exit status. What it
imports at its top is light, since all of them are imported for completion.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

from kpframe.errors import suggestion
from kpframe.version import __version__

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

__all__ = [
    "Command",
    "Parser",
    "command",
    "command_names",
    "list_parser",
    "options_of",
    "parser_of",
    "unknown_command",
    "whole_parser",
]

_PLACES = frozenset(("DIR", "DOCUMENTS", "FILE", "FOLDER", "MODEL", "PATH", "RUN", "SPEC"))
"""What stands for a place in the help of an argument."""

_FOLDER = os.path.dirname(__file__)

_FIRST = ("run", "check", "extract", "train", "score", "compare", "analyse", "report")
"""What most people want comes first in the help; all other commands follow in alphabetical order."""


_OPTION = re.compile(r"--?[^\W\d][\w.-]*")
"""What looks like an option; a number below zero and a text that begins with a dash do not."""


class Command(Protocol):
    """What the file of a command has."""

    HELP: str
    Options: type[Any]

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Say what can be said to the command."""

    def execute(self, options: Any) -> int:
        """Do it; the exit status."""


class _Once(argparse._StoreAction):
    """Stores what an option says that has one value; argparse would forget all but the last."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        # No option has a default of its own, so what is there was said. The words without an option are taken
        # in several pieces, where options stand between them.
        if option_string is not None and hasattr(namespace, self.dest):
            raise argparse.ArgumentError(self, "is given twice; give it once")
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """Names the nearest option, choice or command for one that does not exist; takes no half-written one.

    Options that may be repeated are those with the action `append` or `extend`; any other is refused twice.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.allow_abbrev = False
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    @property
    def options(self) -> frozenset[str]:
        """All options, as they are written."""
        return frozenset(self._option_string_actions)

    def parse_command(self, words: Sequence[str]) -> argparse.Namespace:
        """What was said, positional words before, between or after options; ends the process if wrong."""
        self.refuse_unknown(words)  # first: else what the slip of the pen should have been is missed
        return self.parse_intermixed_args(_without_border(words))

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print it, and fail where it cannot be written; argparse itself would be silent."""
        print(self.format_help(), end="", file=file)
        sys.stdout.flush()

    def refuse_unknown(self, words: Iterable[str]) -> None:
        """End the process with what was probably meant by the first option that there is not."""
        known = [option for option in self._option_string_actions if option.startswith("--")]
        for word in words:
            if word == "--":
                return
            name = word.partition("=")[0]
            if name in self._option_string_actions or not _OPTION.fullmatch(name) or self._are_flags(name):
                continue
            hint = suggestion(f"--{name.lstrip('-')}", known, f"options of {self.prog}")
            if os.path.exists(word):
                hint = f"the file of this name is ./{word}"
            self.error(f"there is no option {name}; {hint}")

    def _are_flags(self, name: str) -> bool:
        """Whether it is several options of one letter in one word, or one with its value: `-qh`."""
        return not name.startswith("--") and name[:2] in self._option_string_actions and len(name) <= 3

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if value == "" and action.const != "" and action.metavar in _PLACES:
            # As of a variable of the shell that is not set; it would be the current folder.
            raise argparse.ArgumentError(action, "is empty; name a file or folder, as . for this one")
        if action.choices is not None and value not in action.choices:
            hint = suggestion(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}; {hint}")


def _without_border(words: Sequence[str]) -> list[str]:
    """Words after `--` are names, whatever they begin with, which argparse forgets."""
    if "--" not in words:
        return list(words)
    at = list(words).index("--")
    names = (f"./{word}" if word.startswith("-") and word != "-" else word for word in words[at + 1 :])
    return [*words[:at], *names]


def command_names() -> list[str]:
    """All commands: the files of the folder, those that most people want first."""
    # Not by `pkgutil`: what it imports would be a quarter of the time that the list takes.
    files = [name for name in os.listdir(_FOLDER) if name.endswith(".py") and not name.startswith("_")]
    found = [name.removesuffix(".py") for name in files]
    return sorted(found, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))


def command(name: str) -> Command:
    """The file of a command."""
    return cast(Command, importlib.import_module(f"kpframe.commands.{name}"))


def parser_of(name: str) -> Parser:
    """The parser for what follows `kpframe NAME`; it has no defaults, as `Options` has them."""
    of = command(name)
    about = f"{of.HELP[:1].upper()}{of.HELP[1:]}."
    parser = Parser(prog=f"kpframe {name}", description=about, argument_default=argparse.SUPPRESS)
    _fill(parser, of)
    return parser


def _fill(parser: argparse.ArgumentParser, of: Command) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no notices")
    of.arguments(parser)


def options_of(of: Command, said: argparse.Namespace) -> Any:
    """What was said as the command's own options, and its defaults for the rest."""
    from dataclasses import fields  # not at the top: who asks for the list need not wait for it either

    known = {field.name for field in fields(of.Options)}
    given = {name: value for name, value in vars(said).items() if name in known}
    return of.Options(**{n: tuple(v) if isinstance(v, list) else v for n, v in given.items()})


def _help_line(name: str) -> str:
    """HELP of a command, read and not imported: who asks for the list need not wait for twenty modules."""
    with open(os.path.join(_FOLDER, f"{name}.py"), encoding="utf-8") as file:
        line = next(line.rstrip() for line in file if line.startswith("HELP = "))
    return line.removeprefix('HELP = "').removesuffix('"')


def _empty_parser(parser_class: Any) -> tuple[Parser, Any]:
    parser = Parser(prog="kpframe", description="Extract keyphrases, and evaluate how well that was done.")
    parser.add_argument("--version", action="version", version=f"kpframe {__version__}")
    return parser, parser.add_subparsers(metavar="COMMAND", title="commands", parser_class=parser_class)


def list_parser() -> Parser:
    """The parser of `kpframe` that knows its commands by name and line alone, for help."""
    parser, commands = _empty_parser(_named_only)
    for name in command_names():
        commands.add_parser(name, help=_help_line(name))
    return parser


def _named_only(**given: Any) -> None:
    """No parser: where commands are only listed, twenty of them would be half of the time."""


def whole_parser() -> Parser:
    """The parser of `kpframe` with all that can be said to each command, for completion."""
    parser, commands = _empty_parser(Parser)
    for name in command_names():
        of = command(name)
        about = f"{of.HELP[:1].upper()}{of.HELP[1:]}."
        _fill(
            commands.add_parser(name, help=of.HELP, description=about, argument_default=argparse.SUPPRESS),
            of,
        )
    return parser


def unknown_command(name: str) -> NoReturn:
    """End the process with what was probably meant."""
    list_parser().error(f"there is no command {name!r}; {suggestion(name, command_names())}")
