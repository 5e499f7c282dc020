"""What is in a folder beside the texts: told with its reason, but for what kpframe itself wrote there."""

from __future__ import annotations

from collections.abc import Callable

from kpframe.documents._container import Container, Folder, Member
from kpframe.documents._distinct import Placed
from kpframe.errors import KpframeError
from kpframe.files.kinds import kind_of_bytes, kind_of_file
from kpframe.model import Document, Skipped

__all__ = ["attempted", "because", "passed_over", "without_runs"]

_OWN = ("kpframe-schema.json",)
_RUN = "resolved.yaml"
"""What every folder of a run has."""


def attempted(place: str, make: Callable[[], Document]) -> Placed | Skipped:
    """The document that `make` makes of the file at `place`: one bad file never stops a folder."""
    try:
        return place, make()
    except KpframeError as error:
        return because(place, error)


def because(place: str, error: KpframeError) -> Skipped:
    """What was left out because of an error; the error's own place where it is more exact."""
    problem = error.problems[0]
    reason = f"{problem.problem}; {problem.remedy}" if problem.remedy else problem.problem
    return Skipped(problem.place if problem.place.startswith(place) else place, reason)


def without_runs(root: Container) -> list[Member]:
    """The files but for specs, their schema, and results of kpframe, which are no texts of anybody."""
    runs = tuple(f"{m.folder}/" for m in root.members if m.folder and m.name.rpartition("/")[2] == _RUN)
    return [
        member
        for member in root.members
        if not member.name.startswith(runs or "\0")
        and member.suffix not in (".yaml", ".yml")
        and member.name.rpartition("/")[2] not in _OWN
    ]


def passed_over(root: Container, member: Member) -> Skipped:
    """A file that the reader does not read, with what it is."""
    try:
        known = isinstance(root, Folder)
        seen = kind_of_file(str(member.handle)) if known else kind_of_bytes(root.read(member), member.name)
    except (OSError, KpframeError):
        return Skipped(member.place, "is not read, as it cannot be opened")
    return Skipped(member.place, f"is {seen.kind.what}, which is not read here")
