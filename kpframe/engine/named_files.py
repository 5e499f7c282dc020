"""The files that stages name, as they were when keys were made: nothing is made of them as they are later.

A stage reads its file again when it has changed. What comes of that would stand under the key of what was
there before, so every result is made while its files stay as they are, and have the content of the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from kpframe.engine.carrying import carried
from kpframe.errors import DataError, KpframeError
from kpframe.files.changes import PathState, noted_files, path_state
from kpframe.files.resources import known_checksum
from kpframe.stages import Stage

__all__ = ["FilesChanged", "NamedFiles", "ReadFiles"]

TRIALS = 100
"""So often something is made again because a file was touched meanwhile."""

Made = TypeVar("Made")


class FilesChanged(DataError):
    """A file is not what keys were made of any more: what is made from now on cannot stand under them."""

    @classmethod
    def of(cls, path: str) -> KpframeError:
        """The error for a file."""
        return cls.at(path, "has changed while the run was under way", "run it again")


@dataclass(frozen=True)
class NamedFiles:
    """Files and folders by their paths: how they were, and the checksums of what they held then.

    `travelling` are those that go to workers elsewhere with their stage; the others are looked for there
    by the same path.
    """

    states: Mapping[str, PathState] = field(default_factory=dict)
    checksums: Mapping[str, str] = field(default_factory=dict)
    travelling: frozenset[str] = frozenset()

    @classmethod
    def of(cls, stages: Iterable[Stage], languages: Sequence[str] = ()) -> NamedFiles:
        """All that is read for the identities of the stages."""
        chosen = list(dict.fromkeys(stages))
        with noted_files() as states:
            for stage in chosen:
                stage.identity(languages)
        checksums = {path: _checksum(path) for path in states}
        files = cls(dict(states), checksums, frozenset(path for stage in chosen for path in carried(stage)))
        if changed := [path for path in states if path_state(path) != states[path]]:
            raise FilesChanged.of(changed[0])
        return files

    @property
    def elsewhere(self) -> NamedFiles:
        """Those that a worker which does not see this disk reads from its own."""
        left = {path: state for path, state in self.states.items() if path not in self.travelling}
        return replace(self, states=left)

    def packed_for(self, tasks: Iterable[Made]) -> Iterator[Made]:
        """The tasks for workers elsewhere; files are packed before the first is asked for, and compared."""
        self.compare()
        yield from tasks

    def compare(self) -> dict[str, PathState]:
        """How the files are now; FilesChanged for one that does not hold what it held.

        What has only been touched is no other: then the content decides.
        """
        now = {path: path_state(path) for path in self.states}
        for path, state in now.items():
            if state != self.states[path] and _checksum(path) != self.checksums[path]:
                raise FilesChanged.of(path)
        return now

    def steadily(self, make: Callable[[], Made]) -> Made:
        """What is made while the files stay as they are, with the content that they had; else FilesChanged.

        What was made while one was written is made again: it may have held something else for a moment.
        """
        before = self.compare()
        for _ in range(TRIALS):
            try:
                made = make()
            except Exception:
                self.compare()  # the reason may be the file
                raise
            after = self.compare()
            if after == before:
                return made
            before = after
        moving = next(path for path, state in self.compare().items() if state != self.states[path])
        raise FilesChanged.of(moving)


@dataclass(frozen=True)
class ReadFiles:
    """Files of `stages` that are read once, wherever they lie; `identities` are those of the stages before.

    Of a URL only these tell whether something else is there.
    """

    stages: tuple[Stage, ...] = ()
    identities: tuple[dict[str, Any], ...] = ()
    files: NamedFiles = field(default_factory=NamedFiles)

    @classmethod
    def of(cls, stages: Iterable[Stage]) -> ReadFiles:
        """How the files of the stages are now."""
        chosen = tuple(dict.fromkeys(stages))
        return cls(chosen, tuple(stage.identity() for stage in chosen), NamedFiles.of(chosen))

    def steadily(self, make: Callable[[], Made]) -> Made:
        """What is made of the files or the identities while they are what they were; else FilesChanged."""
        made = self.files.steadily(make)
        for stage, before in zip(self.stages, self.identities, strict=True):
            if stage.identity() != before:
                raise FilesChanged.of(str(getattr(stage, "path", stage.kind)))
        return made


def _checksum(path: str) -> str:
    try:
        return known_checksum(path)
    except OSError:
        return ""
