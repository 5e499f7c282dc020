"""What commands read: files, folders, archives, standard input; and what is left out of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kpframe.commands import counted, followable, show_left_out, tell
from kpframe.errors import DataError, Problem, SpecError

if TYPE_CHECKING:
    from kpframe.model import Document, Skipped
    from kpframe.stages import Reader

__all__ = [
    "NAMED",
    "PassedOver",
    "WrongInput",
    "files_reader",
    "is_source",
    "one_standard_input",
    "refuse_own_input",
    "utf8",
]

NAMED = 20
"""Things left out that are named one by one; the others are counted."""


class WrongInput(SpecError):
    """What is wrong is an input itself, and no option: another input may be right."""


class PassedOver:
    """What a reader leaves out: named as it comes, counted, and told at the end also where all is quiet.

    `told`: whether it is told here at all; the `named` are the first.
    """

    def __init__(self, *, told: bool = True) -> None:
        self.count = 0
        self.named: list[str] = []
        self._told = told

    @property
    def first(self) -> str:
        """The first thing left out, with its place; empty if there is none."""
        return self.named[0] if self.named else ""

    def documents(self, items: Iterable[Document | Skipped]) -> Iterator[Document]:
        """The documents among `items`."""
        from kpframe.model import Skipped

        for item in items:
            if isinstance(item, Skipped):
                self.add(item)
            else:
                yield item

    def watched(self, items: Iterable[Document | Skipped]) -> Iterator[Document | Skipped]:
        """All `items`, of which what is left out is counted."""
        from kpframe.model import Skipped

        for item in items:
            if isinstance(item, Skipped):
                self.add(item)
            yield item

    def add(self, skipped: Skipped) -> None:
        """Count one, and name it if there are not yet many."""
        self.count += 1
        if self.count <= NAMED:
            self.named.append(f"{skipped.place}: {followable(skipped.reason)}")
            if self._told:
                tell(f"skipped: {self.named[-1]}")

    def close(self, *, quiet: bool) -> int:
        """Tell what has not been told; the exit status: 1 if anything was left out."""
        if self.count > NAMED:
            tell(f"skipped: {counted(self.count - NAMED, 'thing')} more")
        if self.count and quiet:
            show_left_out(self.named, self.count)
        return 1 if self.count else 0


def files_reader(paths: Sequence[str], place: str, **parameters: Any) -> Reader:
    """The reader for any files. SpecError for parameters that are wrong, WrongInput for paths."""
    from kpframe.spec.stages import make_stage
    from kpframe.stages import Reader

    one_standard_input((place.partition(" ")[0], *paths))
    given = {name: value for name, value in parameters.items() if value not in (None, (), "")}
    value = {"kind": "files", "path": list(paths), **_plain(given)}
    reader = make_stage("documents", value, place, Reader)  # type: ignore[type-abstract]
    found = list(reader.problems([str(given.get("language", "auto"))]))
    problems = [Problem(place, problem, remedy) for _, problem, remedy in found]
    if problems:
        of_paths = all(parameter == "path" for parameter, *_ in found)
        raise (WrongInput if of_paths else SpecError)(problems)
    return reader


def _plain(given: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


def is_source(name: str) -> bool:
    """Whether a name means files with texts, and not a spec or something that kpframe ships."""
    return name == "-" or (os.path.exists(name) and not name.lower().endswith((".yaml", ".yml")))


def one_standard_input(*given: tuple[str | None, ...]) -> None:
    """SpecError if standard input is wanted twice; each is an option with the paths it was given."""
    wanted = [option for option, *paths in given for path in paths if path == "-"]
    if len(wanted) > 1:
        options = " and ".join(map(str, dict.fromkeys(wanted)))
        problem = (
            f"{'are both' if len(set(wanted)) > 1 else 'is twice'} -, and standard input can be read once"
        )
        raise SpecError.at(options, problem, "give one of them as a file")


def utf8(text: str) -> str:
    """A text from the command line; Python hands over bytes that are no UTF-8 as lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"is not valid UTF-8 at character {error.start}"
        raise DataError.at("--text", problem, "convert it, or use --input FILE with --encoding") from None
    return text


def refuse_own_input(out: str | None, inputs: Iterable[str]) -> None:
    """SpecError where what is written would take the place of what is read."""
    if out is None or not os.path.isfile(out):
        return
    for name in inputs:
        if os.path.isfile(name) and os.path.samefile(name, out):
            raise SpecError.at(
                f"--out {out}", "is the input, which it would take the place of", "name another"
            )
