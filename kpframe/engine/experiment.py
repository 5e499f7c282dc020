"""Documents × grid: an experiment as users run it, and what they get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from kpframe import arguments
from kpframe.engine.annotating import forget_keys
from kpframe.engine.cache import cache_folder
from kpframe.engine.executors import Executor
from kpframe.engine.given_texts import given_documents
from kpframe.engine.progress import Progress
from kpframe.engine.running import PageWriter, Running
from kpframe.engine.source_code import forget_code
from kpframe.engine.workforce import workforce
from kpframe.errors import DataError, SpecError, counted
from kpframe.model import Document, Skipped
from kpframe.model.collector import no_garbage_collection
from kpframe.model.summary import Summary
from kpframe.runs.folder import RunFolder
from kpframe.spec import Spec, load_spec
from kpframe.stages.registry import lookup

if TYPE_CHECKING:
    import pandas as pd

    from kpframe.runs.tables import Table

__all__ = ["Experiment", "Run", "check_load", "check_page", "check_run"]


@dataclass(frozen=True, repr=False)
class Run:
    """A finished run: its folder, its summary, what a terminal should show of it, and what was left out."""

    folder: Path
    summary: Summary
    text: str
    skipped: tuple[Skipped, ...] = ()

    @property
    def failed(self) -> int:
        """The number of documents that failed somewhere."""
        return len({failed["id"] for failed in self.summary.failures})

    def to_pandas(self, what: Table = "scores") -> pd.DataFrame:
        """A row a cell; or one of the other tables of `kpframe.runs.tables.run_frame`.

        Raises ResourceError if pandas is not installed.
        """
        from kpframe.display import frame
        from kpframe.runs.tables import Table, run_frame

        arguments.choice("to_pandas", "what", what, get_args(Table))
        return frame(self.summary) if what == "scores" else run_frame(self.folder, what)

    def _repr_html_(self) -> str:
        from kpframe.display import html

        return html(self.summary)

    def __repr__(self) -> str:
        cells, columns = counted(len(self.summary.cells), "cell"), ", ".join(self.summary.columns)
        failed = f", {self.failed} failed" if self.failed else ""
        return f"<Run {self.summary.name!r} in {self.folder}: {cells}, {columns}{failed}>"

    def __str__(self) -> str:
        """The table of all scores and its notes, whichever reports the spec asks for."""
        report: Any = lookup("reports", "console")()
        return str(report.write(self.summary, None))


@dataclass(frozen=True)
class Experiment:
    """A checked spec that can be run.

    `spec` is None as long as the folder of the corpora is not known; `source` is what it is loaded from.
    """

    spec: Spec | None
    source: tuple[str | Path, tuple[str, ...]] | None = None

    @classmethod
    def load(
        cls, name: str | Path, *, settings: Sequence[str] = (), data: str | Path | None = None
    ) -> Experiment:
        """A shipped experiment by name, or a spec by path; SpecError with all that is wrong.

        `settings` are `path=value` as on the command line; `data` stands for `$KPFRAME_DATA`. Where
        neither is given, `run(data=…)` can still say where the corpora are.
        """
        check_load("Experiment.load", name, settings, data)
        source = (name, tuple(settings))
        try:
            return cls(load_spec(name, settings=settings, data=data), source)
        except SpecError as error:
            if all("KPFRAME_DATA is not set" in problem.problem for problem in error.problems):
                return cls(None, source)
            raise

    def run(
        self,
        *,
        data: str | Path | None = None,
        out: str | Path | None = None,
        workers: int = 1,
        limit: int | None = None,
        quiet: bool = True,
        cache: str | Path | None = None,
        documents: Iterable[Document | Skipped] | None = None,
        page: PageWriter | None = None,
        pool: Executor | None = None,
        cluster: Any = None,
    ) -> Run:
        """Run, or resume, the experiment in the folder `out` (default `runs/NAME`).

        `data` is the folder of the corpora, if it was not known when the experiment was loaded. `limit`
        takes only the first documents of the corpus. `cache` is the folder of the annotation cache.
        `documents` replaces the spec's own. `page` (as `kpframe.htmlreport.writing.write_page`) writes
        `report.html`, as the command does. `pool` are workers that are there already; `cluster` is the
        address of a Dask scheduler, `local:N`, or a client, and works in place of `workers`, with the same
        bytes. Raises SpecError if the corpora are not found or an argument is wrong, and DataError if there
        is nothing to evaluate.
        """
        place = "Experiment.run"
        check_run(place, out=out, workers=workers, limit=limit, quiet=quiet, cache=cache, page=page)
        arguments.path(place, "data", data, optional=True, example="corpora")
        if documents is not None:
            documents = given_documents(place, documents)
        forget_code()
        forget_keys()
        spec = self._located(data)
        folder = RunFolder(Path(out) if out is not None else Path("runs") / spec.name, spec.name)
        with workforce(workers, cluster, pool) as used:
            running = Running(spec, folder, used, Progress(quiet), Path(cache or cache_folder()), page)
            with folder.held(), no_garbage_collection():
                summary, text = running.run(_stream(spec) if documents is None else documents, limit)
            return Run(folder.path, summary, text, running.skipped)

    def _located(self, data: str | Path | None) -> Spec:
        if self.spec is not None and data is None:
            return self.spec
        if self.source is None:
            raise DataError.at("data", "has no effect on a spec that was built in Python", "leave it out")
        name, settings = self.source
        return load_spec(name, settings=settings, data=data)


def check_load(place: str, name: Any, settings: Any, data: Any) -> None:
    """ArgumentError for what is no name of a spec, no settings or no folder."""
    arguments.path(place, "name", name, example="zesch2009")
    arguments.words(place, "settings", settings, example="ranking.window=3")
    arguments.path(place, "data", data, optional=True, example="corpora")


def check_run(place: str, *, out: Any, workers: Any, limit: Any, quiet: Any, cache: Any, page: Any) -> None:
    """ArgumentError for an argument of a run that is of the wrong type or out of its range."""
    arguments.path(place, "out", out, optional=True)
    arguments.whole(place, "workers", workers)
    arguments.whole(place, "limit", limit, optional=True)
    arguments.flag(place, "quiet", quiet)
    arguments.path(place, "cache", cache, optional=True, example="cache")
    check_page(place, "page", page, "kpframe.htmlreport.writing.write_page")


def check_page(place: str, name: str, page: Any, example: str) -> None:
    """ArgumentError for what writes no page."""
    if page is not None and not callable(page):
        remedy = f"give {example}, or leave it out"
        arguments.instance(place, name, page, (), "a function that writes the page", remedy)


def _stream(spec: Spec) -> Iterator[Document | Skipped]:
    if spec.reader is None:
        raise DataError.at("documents", "the spec names none", "add `documents:`")
    return spec.reader.read()
