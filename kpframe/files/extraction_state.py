"""How far an extraction over partitions is, as it says itself every few seconds in a file beside them."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, Self

from kpframe.errors import DataError, KpframeError
from kpframe.files.leftovers import began
from kpframe.files.partitions import lost, manifests
from kpframe.files.urls import joined, opened, published

__all__ = ["ExtractionState", "told_while"]

EVERY = 10.0
"""Seconds between two writings."""
_SILENT = 60.0
"""Seconds without one after which a process elsewhere is taken to have ended."""
_NAMED = 5
"""Results that are named, of those that are missing or altered."""
_PLACE = "_manifest/status.json"
_STATES = ("under way", "stopped", "finished", "changed")
_MOST = 2**31 * 100
"""More than any count here, and a time that calendars still have: the year 8774."""


@dataclass(frozen=True)
class ExtractionState:
    """An extraction's state: `under way`, `stopped` (the same command goes on), `finished`, or `changed`.

    Of `partitions` some were `there` already, some are `made`, some `failed` (after two trials; `named` has
    the first). `documents` are those of all that are done; `failures` those of them that failed, `skipped`
    what was left out, `repeated` the ids that come in several partitions (known at the end), `others`
    results in the folder that are of no input. `rate` is documents a second since it was begun, those under
    way counted. `changed` is one that was finished, of whose results some are `missing` or `altered` since
    (`lost` has the first); they are neither in `there` and `made` nor in `documents`. Times are seconds
    since 1970; `started` is when the process began, as its system counts, which tells it from a later one
    with its number.
    """

    state: Literal["under way", "stopped", "finished", "changed"]
    begun: float
    updated: float
    partitions: int
    there: int = 0
    made: int = 0
    failed: int = 0
    named: tuple[str, ...] = ()
    documents: int = 0
    failures: int = 0
    skipped: int = 0
    repeated: int = 0
    others: int = 0
    missing: int = 0
    altered: int = 0
    lost: tuple[str, ...] = ()
    rate: float = 0.0
    process: int = 0
    started: str = ""
    machine: str = ""

    @classmethod
    def read(cls, folder: str) -> Self | None:
        """The state of the results in a folder; None if nothing says it, DataError for a damaged file."""
        path = joined(folder, _PLACE)
        try:
            with opened(path) as file:
                value = json.loads(file.read())
            found = cls(**_checked({**value, "lost": []}, known={field.name for field in fields(cls)}))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, TypeError, RecursionError) as error:
            remedy = "the command that makes the results writes it anew"
            raise DataError.at(path, f"is damaged ({error})", remedy) from None
        ended = found.state == "under way" and not found._is_alive()
        return replace(found, state="stopped") if ended else found

    def write(self, folder: str) -> None:
        """Leave it in the folder of the results. DataError where that cannot be written."""
        value = {**asdict(self), "process": os.getpid(), "machine": _machine()}
        value["started"] = began(os.getpid())
        try:
            with published(joined(folder, _PLACE)) as file:
                file.write(json.dumps(value, indent=1, sort_keys=True).encode() + b"\n")
        except OSError as error:
            problem = f"cannot be written ({error.strerror or error})"
            remedy = "make room, or check its permissions: the same command makes only what is missing"
            raise DataError.at(folder, problem, remedy) from None

    def beside_files(self, folder: str) -> Self:
        """The state with what became of the results since: each is compared with its manifest.

        Not while it is under way, where results are there before their manifests.
        """
        if self.state == "under way":
            return self
        found = [*lost(folder)]
        # Nothing names results whose manifests are gone too, or whose manifests alone are.
        unnamed = max(0, self.there + self.made + self.others - len(manifests(folder)))
        altered = sum(not gone for _, gone, _ in found)
        count = len(found) + unnamed
        from_before = min(self.there, count)
        made = max(0, self.made - (count - from_before))
        left = self.there - from_before + made
        documents = max(0, self.documents - sum(number for _, _, number in found))
        return replace(
            self,
            state="changed" if count and self.state == "finished" else self.state,
            there=self.there - from_before,
            made=made,
            documents=documents if left else 0,
            missing=count - altered,
            altered=altered,
            lost=tuple(name for name, _, _ in found[:_NAMED]),
        )

    @property
    def left(self) -> float | None:
        """Seconds that the other partitions will take, if they are like those made; None if none is made."""
        rest = self.partitions - self.there - self.made - self.failed
        return (self.updated - self.begun) / self.made * rest if self.made else None

    def _is_alive(self) -> bool:
        if self.machine != _machine():
            return time.time() - self.updated < _SILENT
        if self.started and (now := began(self.process)):  # else it is gone, or hidden from this user
            return now == self.started
        try:
            os.kill(self.process, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except OSError:  # it is somebody else's
            return True
        return True


def _checked(value: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """The `known` values of a state as they were written; ValueError for one that cannot be."""
    found = {name: given for name, given in value.items() if name in known}
    for name, given in found.items():
        if name in ("named", "lost"):
            right = isinstance(given, list) and all(isinstance(one, str) for one in given)
            found[name] = tuple(given) if right else ()
        elif name in ("state", "machine", "started"):
            right = given in _STATES if name == "state" else isinstance(given, str)
        else:
            number = float if name in ("begun", "updated", "rate") else int
            right = type(given) in (int, number) and 0 <= given <= _MOST
        if not right:
            raise ValueError(f"{name} is {str(given)[:40]!r}")
    return found


def _machine() -> str:
    """What tells machines apart, and on Linux containers, whose processes have numbers of their own."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")
    return f"{socket.gethostname()} {space}".strip()


@contextmanager
def told_while(folder: str, state: Callable[[], ExtractionState], *, needed: bool) -> Iterator[None]:
    """While the block is at work its state is kept in the folder.

    DataError where that cannot be written at first, before anything is computed that could not be written
    either; not if nothing else is `needed` there, and not later: who asks sees that the state is old.
    """
    begin = replace(state(), state="under way")
    if needed:
        begin.write(folder)
    else:
        _tried(begin, folder)
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(EVERY):
            _tried(replace(state(), state="under way"), folder)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    last: Literal["stopped", "finished"] = "stopped"
    try:
        yield
        last = "finished"
    finally:
        ended.set()
        thread.join()
        now = state()
        _tried(now if now.state == "stopped" else replace(now, state=last), folder)


def _tried(state: ExtractionState, folder: str) -> None:
    with suppress(KpframeError):
        state.write(folder)
