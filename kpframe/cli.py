"""The command line: finds the command that is meant, and tells what went wrong.

Everything else is in the file of the command, and is imported when the command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from kpframe.commands import prepare, show_problems, tell_values
from kpframe.commands._leftovers import clear_after_killed
from kpframe.commands._parser import (
    command,
    command_names,
    list_parser,
    options_of,
    parser_of,
    unknown_command,
)
from kpframe.commands._signals import Ended, ended_by_signals
from kpframe.commands._streams import OUTPUT, forget_output, output_fails, take_numbers, take_places
from kpframe.errors import KpframeError, Problem

__all__ = ["main"]

DONE, FAILED_DOCUMENTS, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    The exit status: 0 done, 1 done with failed documents, 2 bad spec or input, 128 + n ended by signal n.
    """
    # Else pydantic looks through every installed package for plugins of its own, which takes long.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    words = list(sys.argv[1:] if arguments is None else arguments)
    take_numbers()
    try:
        with ended_by_signals():
            return _run(words)
    except Ended as ended:
        forget_output()  # the signal may have come while it was written to a reader that has gone meanwhile
        resumes = "; the same command goes on where this one stopped" if words[:1] == ["run"] else ""
        tell_values(f"{ended.told}{resumes}", "ended", {}, always=True)
        return ended.status


def _run(words: Sequence[str]) -> int:
    try:
        take_places()
        name, *rest = words or [""]
        if not name or name.startswith("-"):
            every = list_parser()
            every.refuse_unknown(words[:1])
            every.parse_args(words)  # --help and --version end here
            every.print_help()
            status = DONE
        elif name not in command_names():
            unknown_command(name)
        else:
            parser = parser_of(name)
            said = parser.parse_command(rest)
            prepare(quiet="quiet" in said, as_json="log_json" in said, options=parser.options)
            options = options_of(command(name), said)
            clear_after_killed(options)
            status = command(name).execute(options)
        sys.stdout.flush()
    except KpframeError as error:
        show_problems(error.problems)
        return BAD_INPUT
    except BrokenPipeError:  # the reader, as `head`, has seen enough
        forget_output()
        return DONE
    except OSError as error:
        place = str(error.filename or (OUTPUT if output_fails() else words[0]))
        forget_output()
        problem = f"cannot be read or written: {error.strerror or error}"
        show_problems([Problem(place, problem, "check path, permissions and space")])
        return BAD_INPUT
    return status


if __name__ == "__main__":
    sys.exit(main())
