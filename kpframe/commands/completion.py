"""`kpframe completion SHELL`: a script with which a shell completes commands, options and their values.

The script is made from the parser of the command line, so that it knows every option there is. All words
stand in the script: completing starts no Python, which would take longer than typing. Make it anew after
installing another version of kpframe, or a package with stages of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kpframe.commands._completion_bash import bash_script
from kpframe.commands._completion_fish import fish_script
from kpframe.commands._completion_words import Argument, Command
from kpframe.commands._completion_zsh import zsh_script
from kpframe.corpora.catalogue import known_corpora
from kpframe.files.resources import shipped_specs
from kpframe.language.models import MODELS
from kpframe.spec.load import load_tree
from kpframe.spec.measures import preset_names
from kpframe.stages import FOLDERS, PARTS
from kpframe.stages.registry import kinds, lookup

__all__ = ["commands_of", "execute"]

_FILES = {"FILE": "any", "PATH": "any", "MODEL": "any", "SPEC": "spec", "DIR": "folder", "RUN": "folder"}
"""What the name of a value says about it: any file, a spec, a folder."""


def execute(options: Any) -> int:
    """Print the script for a shell."""
    scripts = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
    print(scripts[options.shell](commands_of(options.parser)), end="")
    return 0


def commands_of(parser: argparse.ArgumentParser) -> list[Command]:
    """All commands of a parser, in its order, with the words that may stand at every place."""
    (choice,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {action.dest: action.help or "" for action in choice._choices_actions}
    words = {place: make() for place, make in _WORDS.items()}
    return [
        Command(name, helps.get(name, ""), tuple(_arguments(name, below, words)))
        for name, below in choice.choices.items()
    ]


def _arguments(
    command: str, parser: argparse.ArgumentParser, words: Mapping[tuple[str, str], Sequence[str]]
) -> Iterator[Argument]:
    position = 0
    for action in parser._actions:
        positional = not action.option_strings
        position += positional
        known = words.get((command, action.dest)) or words.get(("", action.dest)) or ()
        named = action.metavar if isinstance(action.metavar, str) else ""
        yield Argument(
            flags=tuple(action.option_strings),
            position=position if positional else 0,
            takes_value=action.nargs != 0,
            many=action.nargs in ("*", "+"),
            words=tuple(map(str, action.choices)) if action.choices else tuple(known),
            words_after=_kinds() if (command, action.dest) == ("stages", "kind") else {},
            files=_FILES.get(named, "spec" if action.dest == "pipeline" else ""),
            help=action.help or "",
        )


def _pipelines() -> list[str]:
    """The shipped specs with one configuration."""
    trees = {name: load_tree(name, variables={"KPFRAME_DATA": "."})[0] for name in shipped_specs()}
    return [name for name, tree in trees.items() if tree.get("ranking") and not tree.get("sweep")]


def _metrics() -> list[str]:
    """Kinds, and such with a cut-off the usual ones."""
    found: list[str] = []
    for kind in kinds("metrics"):
        found.append(kind)
        if lookup("metrics", kind).short == "k":
            found += [f"{kind}@5", f"{kind}@10"]
    return found


def _experiments() -> list[str]:
    return [name for name in shipped_specs() if not name.endswith("-base")]


def _kinds() -> dict[str, tuple[str, ...]]:
    return {folder: tuple(kinds(folder)) for folder in FOLDERS}


_WORDS: dict[tuple[str, str], Callable[[], Sequence[str]]] = {
    ("", "spec"): _experiments,
    ("", "pipeline"): _pipelines,
    ("", "preset"): preset_names,
    ("presets", "name"): preset_names,
    ("", "metric"): _metrics,
    ("", "matching"): lambda: kinds("matching"),
    ("", "language"): lambda: list(MODELS),
    ("correlate", "measures"): lambda: kinds(PARTS[0]),
    ("stages", "folder"): lambda: FOLDERS,
    ("data", "corpora"): lambda: [corpus.name for corpus in known_corpora()] + _experiments(),
}
"""By command (empty: any) and name of the argument, what may stand there."""
