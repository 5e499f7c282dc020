"""The completion script for fish (3.0 and newer)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kpframe.commands._completion_words import Argument, Command

__all__ = ["fish_script"]

_HEAD = r"""# Completion of kpframe for fish; keep it as ~/.config/fish/completions/kpframe.fish
function __kpframe_at --description 'Whether a word of COMMAND at PLACE (or later, with +) is completed'
    set -l found
    set -l given 0
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test -z "$found"
            string match -q -- '-*' $word; or set found $word
        else if contains -- "$found:$word" @VALUED@
            set skip 1
        else if not string match -q -- '-*' $word
            set given (math $given + 1)
            set -g __kpframe_last $word
        end
    end
    test "$found" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    set -l place (string replace '+' '' -- $argv[2])
    test (math $given + 1) = $place; and return 0
    string match -q -- '*+' $argv[2]; and test $given -ge $place
end
complete -c kpframe -f
complete -c kpframe -n __fish_use_subcommand -l version -d 'the version'
complete -c kpframe -n __fish_use_subcommand -s h -l help -d 'help'
"""


def fish_script(commands: Sequence[Command]) -> str:
    """The script; helps are shown beside options and commands."""
    valued = (
        f"{command.name}:{flag}"
        for command in commands
        for option in command.options
        if option.takes_value
        for flag in option.flags
    )
    lines = [line for command in commands for line in _lines(command)]
    return _HEAD.replace("@VALUED@", " ".join(valued)) + "\n".join(lines) + "\n"


def _lines(command: Command) -> Iterator[str]:
    start = "complete -c kpframe"
    yield f"{start} -n __fish_use_subcommand -a {command.name} -d '{command.summary}'"
    for argument in command.arguments:
        if argument.flags:
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in argument.flags
            )
            value = " -r" + _offered(argument) if argument.takes_value else ""
            yield f"{start} -n '__kpframe_at {command.name}' {flags}{value} -d '{argument.summary}'"
            continue
        place = f"{argument.position}{'+' if argument.many else ''}"
        condition = f"__kpframe_at {command.name} {place}"
        for key, words in argument.words_after.items():
            yield f"{start} -n '{condition}; and test $__kpframe_last = {key}' -a '{' '.join(words)}'"
        if offered := _offered(argument):
            yield f"{start} -n '{condition}'{offered}"


def _offered(argument: Argument) -> str:
    words = " ".join(argument.words)
    if argument.files == "folder":
        words = f"{words} (__fish_complete_directories)".strip()
    files = " -F" if argument.files in ("any", "spec") else ""
    return (f" -a '{words}'" if words else "") + files
