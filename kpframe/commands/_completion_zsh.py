"""The completion script for zsh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kpframe.commands._completion_words import Argument, Command

__all__ = ["zsh_script"]

_FILES = {"any": "_files", "spec": "_files -g '*.(yaml|yml)'", "folder": "_files -/"}

_SCRIPT = r"""#compdef kpframe
# Completion of kpframe for zsh. A file named _kpframe in a folder of $fpath, or in ~/.zshrc after compinit:
#   source <(kpframe completion zsh)
@FUNCTIONS@
_kpframe() {
    local curcontext="$curcontext" state
    local -a commands
    commands=(
@COMMANDS@
    )
    _arguments -C '--version[the version]' '--help[help]' '1: :->command' '*:: :->rest'
    case $state in
        command) _describe -t commands command commands ;;
        rest)
            case $words[1] in
@CASES@
            esac
            ;;
    esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _kpframe "$@"
else
    compdef _kpframe kpframe
fi
"""


def zsh_script(commands: Sequence[Command]) -> str:
    """The script; helps are shown beside options and commands."""
    functions = "".join(
        _function(command, argument)
        for command in commands
        for argument in command.arguments
        if _offers(argument)
    )
    parts = {
        "@FUNCTIONS@": functions.rstrip("\n"),
        "@COMMANDS@": "\n".join(f"        '{command.name}:{command.summary}'" for command in commands),
        "@CASES@": "\n".join(_case(command) for command in commands),
    }
    script = _SCRIPT
    for mark, text in parts.items():
        script = script.replace(mark, text)
    return script


def _offers(argument: Argument) -> bool:
    return argument.takes_value and bool(argument.words or argument.files or argument.words_after)


def _name(command: Command, argument: Argument) -> str:
    place = argument.flags[-1].lstrip("-") if argument.flags else str(argument.position)
    return f"_kpframe_{command.name}_{place.replace('-', '_')}"


def _function(command: Command, argument: Argument) -> str:
    lines = [f"    compadd -- {' '.join(argument.words)}"] if argument.words else []
    if argument.words_after:
        cases = [f"        {key}) compadd -- {' '.join(w)} ;;" for key, w in argument.words_after.items()]
        lines += ["    case $line[1] in", *cases, "    esac"]
    if argument.files:
        lines.append(f"    {_FILES[argument.files]}")
    return f"{_name(command, argument)}() {{\n" + "\n".join(lines) + "\n}\n"


def _case(command: Command) -> str:
    lines = "".join(f" \\\n                    {spec}" for spec in _specs(command))
    return f"                {command.name})\n                    _arguments{lines}\n                    ;;"


def _specs(command: Command) -> Iterator[str]:
    for argument in command.arguments:
        action = _name(command, argument) if _offers(argument) else " "
        if not argument.flags:
            yield f"'{'*' if argument.many else argument.position}: :{action}'"
            continue
        value = f": :{action}" if argument.takes_value else ""
        for flag in argument.flags:
            equals = "=" if argument.takes_value and flag.startswith("--") else ""
            yield f"'*{flag}{equals}[{argument.summary}]{value}'"
