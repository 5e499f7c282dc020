"""One experiment over many data sets: an ordinary run for each, one after the other, and what all say."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from kpframe import arguments
from kpframe.engine.experiment import Experiment, Run, check_load, check_page, check_run
from kpframe.engine.pages import drop_page, page_or_told
from kpframe.engine.running import PageWriter
from kpframe.engine.workforce import workforce
from kpframe.errors import SpecError, counted
from kpframe.model import Skipped
from kpframe.runs.across_values import Across
from kpframe.runs.earlier import shown
from kpframe.runs.seals import PAGE, sealed_beside
from kpframe.runs.study_folder import StudyFolder, study_text
from kpframe.spec import DataSets, load_specs

__all__ = ["Study", "StudyPageWriter", "StudyRun"]

StudyPageWriter = Callable[[StudyFolder, Across], Any]
"""Writes the page over all data sets: the folder of the run, and all of them side by side."""

log = logging.getLogger("kpframe")


@dataclass(frozen=True, repr=False)
class StudyRun:
    """A finished run over many data sets: its folder, the run of each, and all of them side by side."""

    folder: Path
    runs: Mapping[str, Run]
    across: Across

    @property
    def failed(self) -> int:
        """The number of documents that failed somewhere."""
        return sum(run.failed for run in self.runs.values())

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What the readers left out."""
        return tuple(chain.from_iterable(run.skipped for run in self.runs.values()))

    @property
    def text(self) -> str:
        """The tables as a terminal shows them, and the conclusions."""
        return study_text(self.across, shutil.get_terminal_size((80, 24)).columns)

    def __repr__(self) -> str:
        found = self.across
        sizes = f"{counted(len(found.datasets), 'data set')} × {counted(len(found.systems), 'system')}"
        return f"<StudyRun {found.name!r} in {self.folder}: {sizes}, {', '.join(found.columns)}>"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Study:
    """A checked spec over many data sets that can be run."""

    many: DataSets

    @classmethod
    def load(
        cls,
        name: str | Path,
        *,
        settings: Sequence[str] = (),
        data: str | Path | None = None,
        only: Sequence[str] = (),
    ) -> Study:
        """A shipped spec with `datasets` by name, or one by path; SpecError with all that is wrong.

        `settings` and `data` are as for `Experiment.load`; `only` names the data sets that are wanted.
        """
        check_load("Study.load", name, settings, data)
        arguments.words("Study.load", "only", only, example="inspec")
        many = load_specs(name, settings=settings, data=data, only=only)
        if not isinstance(many, DataSets):
            raise SpecError.at(str(name), "has no data sets", "load it as an Experiment")
        return cls(many)

    def run(
        self,
        *,
        out: str | Path | None = None,
        workers: int = 1,
        limit: int | None = None,
        quiet: bool = True,
        cache: str | Path | None = None,
        page: PageWriter | None = None,
        study_page: StudyPageWriter | None = None,
        cluster: Any = None,
    ) -> StudyRun:
        """Run, or resume, all data sets in the folder `out` (default `runs/NAME`).

        Each is an ordinary run in `out/datasets/NAME`, made by the same workers with the same cache; what
        is finished is not computed again. `limit` takes the first documents of each. `page` writes the page
        of each run, `study_page` (as `kpframe.htmlreport.study.write_study_page`) that over all of them. Runs
        of data sets that the spec no longer has stay, and are told.
        """
        check_run("Study.run", out=out, workers=workers, limit=limit, quiet=quiet, cache=cache, page=page)
        check_page("Study.run", "study_page", study_page, "kpframe.htmlreport.study.write_study_page")
        path = Path(out) if out is not None else Path("runs") / self.many.name
        folder = StudyFolder.begun(path, self.many.name, self.many.names)
        if others := folder.others():
            log.warning(
                "%s: left alone, and in no table: %s, which the spec no longer has", path, ", ".join(others)
            )
        before = _shown(folder)
        with workforce(workers, cluster) as pool:
            runs = {
                name: Experiment(spec).run(
                    out=folder.run_folder(name), limit=limit, quiet=quiet, cache=cache, page=page, pool=pool
                )
                for name, spec in self.many.specs.items()
            }
        found = folder.across()
        folder.write(found)
        if study_page:
            page_or_told(path / PAGE, partial(study_page, folder, found))
        elif (before is None or before != _shown(folder)) and drop_page(path / PAGE):
            log.warning("%s: shows earlier results, and is removed", path / PAGE)
        return StudyRun(path, runs, found)


def _shown(folder: StudyFolder) -> Mapping[str, Any] | None:
    """What tells whether a page over all data sets would be another; None if one did not come to its end."""
    own = sealed_beside(folder.path)
    there = {name: shown(folder.run_folder(name)) for name in folder.begun_ones()}
    return None if own is None or None in there.values() else {"": own, **there}
