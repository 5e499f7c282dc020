"""What is in a folder beside the texts: told with its reason, but for what kpframe itself wrote there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kpframe.documents._distinct import Placed
from kpframe.errors import KpframeError
from kpframe.files.container import Container, Folder, Member
from kpframe.files.kinds import kind_of_bytes, kind_of_file
from kpframe.files.urls import version
from kpframe.model import Document, Skipped

__all__ = ["attempted", "because", "passed_over", "steady"]


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


def steady(path: str, read: Callable[[], Iterable[Placed | Skipped]]) -> Iterator[Placed | Skipped]:
    """What is read of a file piece by piece; at the end it is told if the file was changed meanwhile.

    What was read may then be some of what it was and some of what it is, or end where it was cut off.
    """
    before = version(path)
    yield from read()
    if version(path) != before:
        yield Skipped(path, "changed while it was read, so that some of it may be missing; run it again")


def passed_over(root: Container, member: Member) -> Skipped:
    """A file that the reader does not read, with what it is."""
    try:
        known = isinstance(root, Folder)
        seen = kind_of_file(str(member.handle)) if known else kind_of_bytes(root.read(member), member.name)
    except (OSError, KpframeError):
        return Skipped(member.place, "is not read, as it cannot be opened")
    reason = f"is {seen.kind.what}, which is not read here"
    if seen.kind.group == "table":
        reason += "; give it by itself"
    return Skipped(member.place, reason)
