"""`kpframe help [COMMAND]`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "show the help of kpframe, or of one command"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("command", nargs="?", metavar="COMMAND", help="as run")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    command: str | None = None


def execute(options: Options) -> int:
    """The same as --help."""
    from kpframe.commands._parser import command_names, list_parser, parser_of, unknown_command

    if options.command is None:
        list_parser().print_help()
        return 0
    if options.command not in command_names():
        unknown_command(options.command)
    parser_of(options.command).print_help()
    return 0
