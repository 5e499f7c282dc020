"""Which finished runs are over the same documents: only these can be compared document by document."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath

from kpframe.errors import DataError
from kpframe.runs.beside import read_environment
from kpframe.runs.finished import FinishedRun
from kpframe.runs.records import ScoredDocument
from kpframe.runs.side_by_side import named_runs
from kpframe.runs.study_folder import StudyFolder, is_study

__all__ = ["by_data", "expanded"]

_Gold = dict[str, int]
"""By document how many gold keyphrases it has."""

_ALIKE = 0.9
"""So large a share of common documents has the same number of gold keyphrases where corpora are the same;
ids such as 1, 2, 3 stand in many corpora."""


def expanded(paths: Sequence[str | PathLike[str]]) -> list[str]:
    """The folders of runs, where those over many data sets stand for the runs that they hold."""
    found: list[str] = []
    for path in paths:
        if is_study(path):
            inside = StudyFolder.read(path)
            made = [str(run.path) for run in inside.finished().values()]
            if not made:
                raise DataError.at(fspath(path), "holds no finished run", "let the run end first")
            found += made
        else:
            found.append(fspath(path))
    return found


def by_data(paths: Sequence[str | PathLike[str]]) -> dict[str, list[FinishedRun]]:
    """Runs grouped by the documents that they are over, under names for the data sets.

    Two runs are over the same data if their hashes say so, or if half of the documents of the smaller one
    are in the other, with the same gold: as where one took fewer, or another split. Runs over many data
    sets say themselves what is the same, by its name.
    """
    if all(map(is_study, paths)):
        return _by_name([StudyFolder.read(path) for path in paths])
    runs = named_runs(expanded(paths))
    groups: list[tuple[str, _Gold, list[FinishedRun]]] = []
    for run in runs:
        hash, gold = _hash(run), _gold(run)
        for known, other, members in groups:
            if (hash and hash == known) or _same(gold, other):
                members.append(run)
                break
        else:
            groups.append((hash, gold, [run]))
    return dict(
        zip(_names([members[0] for *_, members in groups]), (group[2] for group in groups), strict=True)
    )


def _by_name(studies: Sequence[StudyFolder]) -> dict[str, list[FinishedRun]]:
    names = [study.path.resolve().name for study in studies]
    if len(set(names)) < len(names):
        names = [str(study.path) for study in studies]
    groups: dict[str, list[FinishedRun]] = {}
    for study, name in zip(studies, names, strict=True):
        for dataset, run in study.finished().items():
            groups.setdefault(dataset, []).append(FinishedRun(run.path, name=name))
    return groups


def _names(runs: Sequence[FinishedRun]) -> list[str]:
    """What their specs call them where these names differ, else the names of the runs."""
    names = [str(run.tree.get("name")) for run in runs]
    return names if len(set(names)) == len(names) else [run.name for run in runs]


def _hash(run: FinishedRun) -> str:
    try:
        return str((read_environment(run.path).get("data") or {}).get("hash") or "")
    except DataError:
        return ""


def _gold(run: FinishedRun) -> _Gold:
    found: _Gold = {}
    for document in run.scored(run.cells[0]):
        first = next(iter(document.matches.values()), None) if isinstance(document, ScoredDocument) else None
        found[document.id] = -1 if first is None else first.gold + first.dropped
    return found


def _same(one: _Gold, other: _Gold) -> bool:
    common = one.keys() & other.keys()
    if not common or len(common) < min(len(one), len(other)) / 2:
        return False
    alike = sum(-1 in (one[id], other[id]) or one[id] == other[id] for id in common)
    return alike >= _ALIKE * len(common)
