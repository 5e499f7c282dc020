"""`kpframe status RUN`: of an experiment, of one over many data sets, of an extraction over partitions."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.commands import counted

if TYPE_CHECKING:
    from kpframe.files.extraction_state import ExtractionState
    from kpframe.runs.under_way import RunState

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "say how far a run or an extraction is that another process is at"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("run", metavar="RUN", help="the folder of a run, or of an extraction's partitions")
    parser.add_argument("--format", choices=("text", "json"), help="default: text")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    run: str
    format: str = "text"
    quiet: bool = False


def execute(options: Options) -> int:
    """Tell the state of a run from its log and its last checkpoint; the run does not notice."""
    from kpframe.files.extraction_state import ExtractionState
    from kpframe.files.urls import refuse_url
    from kpframe.runs.seals import changed_beside
    from kpframe.runs.study_folder import StudyFolder, is_study
    from kpframe.runs.under_way import RunState

    if (extraction := ExtractionState.read(options.run)) is not None:
        _tell_extraction(options, extraction.beside_files(options.run))
        return 0
    refuse_url(options.run, "", "is a URL, where no extraction has begun", "give the --out of one")
    folder = Path(options.run)
    if is_study(folder):
        study = StudyFolder.read(folder)
        begun = [study.run_folder(name) for name in study.datasets]
        runs = [one for one in begun if (one / "log.jsonl").is_file()]
    else:
        begun = runs = [folder]
    states = {str(run): RunState.read(run) for run in runs}
    if options.format == "json":
        told: dict[str, Any] = {run: {**asdict(state), "left": state.left} for run, state in states.items()}
        print(json.dumps(told, indent=2))
        return 0
    for run, state in states.items():
        print(f"{run}: {_told(state)}")
    if is_study(folder) and (changed := changed_beside(folder)):
        print(f"{folder}: changed since: {', '.join(changed)}")
    if len(runs) < len(begun):
        print(f"{counted(len(begun) - len(runs), 'data set')} not begun")
    return 0


def _told(state: RunState) -> str:
    cells = counted(state.cells, "configuration")
    if state.state in ("finished", "changed"):
        failed = f", {state.failures:,} failures" if state.failures else ""
        changed = f"; changed since: {', '.join(state.changed)}" if state.changed else ""
        when = "finished" if state.state == "finished" else "changed, since it finished"
        done = f"{counted(state.documents, 'document')}, {cells}{failed}"
        return f"{when} {_at(state.sealed)}: {done}{_lost(state)}{changed}"
    if not state.sealed:
        return f"{state.state}, begun {_at(state.begun)}: reading and learning"
    share = f"{state.done / state.documents:.0%}" if state.documents else ""
    rate = f", {state.rate:,.1f} a second" if state.rate else ""
    left = f", about {_duration(state.left)} left" if state.left and state.state == "under way" else ""
    goes_on = "; the same command goes on" if state.state == "stopped" else ""
    done = f"{state.done:,} of {counted(state.documents, 'document')} ({share}) in {state.pending} of {cells}"
    return f"{state.state}, begun {_at(state.begun)}: {done}{rate}{left}; as of {_at(state.sealed)}{goes_on}"


def _lost(state: RunState) -> str:
    """The configurations that a finished run had and the folder has not."""
    told = ((state.missing, "not there"), (state.altered, "damaged, or no longer those of the run"))
    lost = "".join(f"; {what}: {', '.join(names)}" for names, what in told if names)
    return f"{lost}; the same command computes them anew" if lost else ""


def _tell_extraction(options: Options, state: ExtractionState) -> None:
    if options.format == "json":
        print(json.dumps({options.run: {**asdict(state), "left": state.left}}, indent=2))
        return
    done = state.there + state.made
    parts = f"{done:,} of {counted(state.partitions, 'partition')} ({state.there:,} were there)"
    counts = f"{parts}, {counted(state.documents, 'document')}"
    ended = state.state in ("finished", "changed")
    rate = f", {state.rate:,.1f} a second" if state.made and not ended else ""
    left = state.left if state.state == "under way" else None
    remain = "" if left is None else f", about {_duration(left)} left"
    goes_on = "; the same command goes on" if done + state.failed < state.partitions else ""
    if state.state == "under way":
        goes_on = ""
    when = f"{_at(state.updated)}" if ended else f"begun {_at(state.begun)}"
    when = f"since it finished {when}" if state.state == "changed" else when
    asof = "" if ended else f"; as of {_at(state.updated)}"
    print(f"{options.run}: {state.state}, {when}: {counts}{rate}{remain}{_wrong(state)}{asof}{goes_on}")


def _wrong(state: ExtractionState) -> str:
    """What failed or was left out, named as far as it is few."""
    more = "" if state.failed <= len(state.named) else ", …"
    named = f"{counted(state.failed, 'partition')} failed: {', '.join(state.named)}{more}"
    kinds = ((state.missing, "missing"), (state.altered, "changed"))
    lost = " and ".join(f"{counted(count, 'result')} {kind}" for count, kind in kinds if count)
    count = state.missing + state.altered
    names = f": {', '.join(state.lost)}{', …' if count > len(state.lost) else ''}" if state.lost else ""
    told = (
        (count, f"{lost}{names}"),
        (state.failed, named),
        (state.failures, f"{counted(state.failures, 'document')} failed"),
        (state.skipped, f"{state.skipped:,} skipped"),
        (state.repeated, f"{counted(state.repeated, 'id')} in several partitions"),
        (state.others, f"{counted(state.others, 'result')} of other inputs"),
    )
    return "".join(f"; {text}" for count, text in told if count)


def _at(seconds: float) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M:%S")


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return (
        f"{round(seconds)} s"
        if seconds < 90
        else f"{minutes} min"
        if minutes < 90
        else f"{minutes / 60:.1f} h"
    )
