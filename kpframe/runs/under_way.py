"""How far a run is that another process is at, from what it writes down on the way."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from kpframe.errors import DataError
from kpframe.runs.seals import changed_beside, changed_cells

__all__ = ["RunState"]


@dataclass(frozen=True)
class RunState:
    """A run's state: `under way`, `stopped` (the same command goes on), `finished`, or `changed` since then.

    `done` of `documents` are evaluated in all `pending` configurations of `cells`, as the last checkpoint
    says (it is written every few seconds); `failures` are known at the end. Times are seconds since 1970,
    0 where nothing says them; `rate` is documents a second since the run went on from where it was.
    """

    state: Literal["under way", "stopped", "finished", "changed"]
    begun: float = 0.0
    documents: int = 0
    cells: int = 0
    pending: int = 0
    done: int = 0
    failures: int = 0
    sealed: float = 0.0
    rate: float = 0.0
    changed: tuple[str, ...] = ()
    """The tables and other files beside the configurations that were changed since the run wrote them."""
    missing: tuple[str, ...] = ()
    """The configurations of a run that had finished which are not there any more."""
    altered: tuple[str, ...] = ()
    """Those that are damaged, or none of the run: as where their folders were exchanged."""

    @classmethod
    def read(cls, run: Path) -> RunState:
        """The state of the run in a folder; DataError if there is none."""
        events = _events(run)
        last = {str(event["event"]): event for event in events}  # of those of one name the last counts
        begin, plan, end = (last.get(name, {}) for name in ("begin", "plan", "end"))
        finished = bool(end) and events[-1]["event"] == "end"
        if not _is_held(run / "log.jsonl") and finished:
            documents = int(plan.get("documents", 0))
            cells, failures = int(plan.get("cells", 0)), int(end.get("failures", 0))
            changed, (missing, altered) = changed_beside(run), changed_cells(run)
            state: Literal["finished", "changed"] = "changed" if missing or altered else "finished"
            return cls(state, _seconds(begin), documents, cells, 0, documents, failures, _seconds(end),
                       changed=tuple(changed), missing=missing, altered=altered)  # fmt: skip
        pass_ = last.get("evaluating", {})
        done, sealed = _checkpoint(run)
        spent = sealed - _seconds(pass_)
        rate = (done - int(pass_.get("done", 0))) / spent if pass_ and spent > 0 else 0.0
        return cls(
            "under way" if _is_held(run / "log.jsonl") else "stopped",
            _seconds(begin),
            int(pass_.get("of", plan.get("documents", 0))),
            int(plan.get("cells", 0)),
            int(plan.get("pending", 0)),
            done,
            0,
            sealed,
            max(rate, 0.0),
        )

    @property
    def left(self) -> float | None:
        """Seconds that the evaluation will still take; None where that cannot be told."""
        return (self.documents - self.done) / self.rate if self.rate > 0 else None


def _events(run: Path) -> list[dict[str, Any]]:
    """The events since the run was last begun."""
    try:
        lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    found = [event for line in lines if isinstance(event := _parsed(line), dict) and "event" in event]
    starts = [number for number, event in enumerate(found) if event["event"] == "begin"]
    if not starts:
        problem = "is no folder of a run, or of one that has not begun"
        raise DataError.at(
            str(run),
            problem,
            "give the folder that `kpframe run` writes, or `kpframe extract` partitions into",
        )
    return found[starts[-1] :]


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:  # the last line may be half written
        return None


def _checkpoint(run: Path) -> tuple[int, float]:
    """How many documents all cells have, and since when that is known."""
    path = run / ".work" / "checkpoint.json"
    try:
        return int(json.loads(path.read_text(encoding="utf-8"))["done"]), path.stat().st_mtime
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0.0


def _seconds(event: Mapping[str, Any]) -> float:
    try:
        return datetime.strptime(str(event["time"]), "%Y-%m-%dT%H:%M:%S%z").timestamp()
    except (KeyError, ValueError):
        return 0.0


def _is_held(log: Path) -> bool:
    """Whether a process is writing into the run; where files cannot be locked, one that wrote just now."""
    try:
        import fcntl
    except ImportError:
        return time.time() - log.stat().st_mtime < 60
    try:
        with log.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
