"""`kpframe completion SHELL`: a script with which a shell completes commands, options and their values.

The script is made by shtab from the parser of the command line, so that it knows every option there is. All
words stand in the script: completing starts no Python, which would take longer than typing. Make it anew
after installing another version of kpframe, or a package with stages of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "print a script that completes the words of kpframe commands"

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("shell", choices=SHELLS)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    shell: str


def execute(options: Options) -> int:
    """Print the script for a shell."""
    import shtab

    from kpframe.commands._parser import whole_parser

    parser = whole_parser()
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    words = _words()
    for name, below in commands.choices.items():
        for action in below._actions:
            _teach(action, words.get((name, action.dest)) or words.get(("", action.dest)))
    print(shtab.complete(parser, options.shell))
    return 0


def _teach(action: argparse.Action, words: Callable[[], Sequence[str]] | None) -> None:
    """Tell shtab what may stand in an argument: known words, a file or a folder."""
    import shtab

    if words is not None:
        action.choices = words()
    elif action.metavar in ("FILE", "PATH", "MODEL", "SPEC"):
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif action.metavar in ("DIR", "RUN"):
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]


def _words() -> dict[tuple[str, str], Callable[[], Sequence[str]]]:
    """By command (empty: any) and name of the argument, what may stand there."""
    from kpframe.analysis.catalogue import known_corpora
    from kpframe.commands._parser import command_names
    from kpframe.files.resources import shipped_specs
    from kpframe.language.models import MODELS
    from kpframe.spec.measures import preset_names
    from kpframe.stages import FOLDERS, PARTS
    from kpframe.stages.registry import kinds

    experiments = [name for name in shipped_specs() if not name.endswith("-base")]
    return {
        ("", "spec"): lambda: experiments,
        ("", "pipeline"): _pipelines,
        ("", "preset"): preset_names,
        ("presets", "name"): preset_names,
        ("", "metric"): _metrics,
        ("score", "matching"): lambda: kinds("matching"),
        ("", "language"): lambda: list(MODELS),
        ("correlate", "measures"): lambda: kinds(PARTS[0]),
        ("stages", "folder"): lambda: (*FOLDERS, *PARTS),
        ("stages", "kind"): lambda: sorted({kind for folder in FOLDERS for kind in kinds(folder)}),
        ("data", "corpora"): lambda: [corpus.name for corpus in known_corpora()] + experiments,
        ("help", "command"): command_names,
    }


def _pipelines() -> list[str]:
    """The shipped specs with one configuration."""
    from kpframe.files.resources import shipped_specs
    from kpframe.spec.load import load_tree

    names = [name for name in shipped_specs() if not name.endswith("-base")]
    trees = {name: load_tree(name, variables={"KPFRAME_DATA": "."}, tell=False)[0] for name in names}
    return [name for name, tree in trees.items() if tree.get("ranking") and not tree.get("sweep")]


def _metrics() -> list[str]:
    """Kinds, and such with a cut-off the usual ones."""
    from kpframe.stages.registry import kinds, lookup

    found: list[str] = []
    for kind in kinds("metrics"):
        found.append(kind)
        if lookup("metrics", kind).short == "k":
            found += [f"{kind}@5", f"{kind}@10"]
    return found
