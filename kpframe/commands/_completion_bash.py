"""The completion script for bash (3.2 and newer)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kpframe.commands._completion_words import Argument, Command

__all__ = ["bash_script"]

_SCRIPT = r"""# Completion of kpframe for bash. In ~/.bashrc:  source <(kpframe completion bash)
_kpframe() {
    local line=${COMP_LINE:0:COMP_POINT} before cur word prefix key
    local command= want= list= files= options= given=0 last=
    cur=${line##*[[:space:]]}
    before=${line%"$cur"}
    # A quoted text is one word, whatever it holds.
    while [[ $before =~ ^([^\"\']*)(\"[^\"]*\"|\'[^\']*\')(.*)$ ]]; do
        before=${BASH_REMATCH[1]}_${BASH_REMATCH[3]}
    done
    local -a words
    read -ra words <<< "$before"
    for word in "${words[@]:1}"; do
        if [[ -n $want ]]; then want=
        elif [[ -z $command ]]; then [[ $word == -* ]] || command=$word
        else
            case "$command:$word" in
@VALUED@) want=$word ;;
                *:-*) ;;
                *) given=$((given + 1)) last=$word ;;
            esac
        fi
    done
    prefix=${cur%"${cur##*[@:]}"}
    if [[ -z $want && $cur == --*=* ]]; then
        want=${cur%%=*} cur=${cur#*=} prefix=${cur%"${cur##*[@:]}"}
    fi
    key=${want:-$((given + 1))}
    case "$command:$key" in
@VALUES@
    esac
    case $command in
        '') list='@COMMANDS@' options='--help --version' ;;
@OPTIONS@
    esac
    COMPREPLY=()
    compopt +o default 2> /dev/null
    [[ -z $want && $cur == -* ]] && list=$options files=
    while IFS= read -r word; do
        [[ -n $word ]] && COMPREPLY+=("${word#"$prefix"}")
    done < <(
        compgen -W "$list" -- "$cur"
        case $files in
            spec) compgen -f -X '!*.y*ml' -- "$cur" ;;
            folder) compgen -d -- "$cur" ;;
            any) compgen -f -- "$cur" ;;
        esac
    )
    if [[ -n $files ]]; then
        compopt -o filenames 2> /dev/null
        # Nothing so far: let bash itself look for files, it knows about ~ and quotes.
        [[ ${#COMPREPLY[@]} -gt 0 ]] || compopt -o default 2> /dev/null
    fi
    return 0
}
complete -o default -F _kpframe kpframe
"""


def bash_script(commands: Sequence[Command]) -> str:
    """The script; its words hold no character that bash would interpret."""
    valued = [
        f"{command.name}:{flag}"
        for command in commands
        for option in command.options
        if option.takes_value
        for flag in option.flags
    ]
    indent = " " * 16
    parts = {
        "@VALUED@": indent + ("|\\\n" + indent).join(valued),
        "@VALUES@": "\n".join(line for command in commands for line in _values(command)),
        "@COMMANDS@": " ".join(command.name for command in commands),
        "@OPTIONS@": "\n".join(
            f"        {command.name}) options='{_flags(command)}' ;;" for command in commands
        ),
    }
    script = _SCRIPT
    for mark, text in parts.items():
        script = script.replace(mark, text)
    return script


def _flags(command: Command) -> str:
    return " ".join(flag for option in command.options for flag in option.flags if flag.startswith("--"))


def _values(command: Command) -> Iterator[str]:
    for argument in command.arguments:
        places = [f"{command.name}:{place}" for place in _places(argument)]
        setting = f"list='{' '.join(argument.words)}' files={argument.files}"
        if argument.words_after:
            cases = " ".join(f"{key}) list='{' '.join(w)}' ;;" for key, w in argument.words_after.items())
            setting = f"case $last in {cases} esac"
        if argument.takes_value and (argument.words or argument.files or argument.words_after):
            yield f"        {'|'.join(places)}) {setting} ;;"


def _places(argument: Argument) -> list[str]:
    if argument.flags:
        return list(argument.flags)
    return [str(argument.position)] if not argument.many else [f"[{argument.position}-9]", "[1-9][0-9]*"]
