"""Documents × grid: every common prefix once, cell by cell, resumable at any moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kpframe.engine.batches import batched
from kpframe.engine.cache import cache_folder
from kpframe.engine.clock import StageClock, Timed
from kpframe.engine.executors import DEATH, Executor, WorkerDied, executor
from kpframe.engine.fitting import Fit, ObservationFile
from kpframe.engine.identity import environment
from kpframe.engine.planning import only_pending, plan_run
from kpframe.engine.progress import Progress
from kpframe.engine.spool import Entry, Spool, read_documents
from kpframe.engine.summarize import per_document_rows, summarize
from kpframe.engine.walk import Evaluated, Observed, Plan, Task, evaluate, failure, observe
from kpframe.errors import DataError, KpframeError, SpecError, StageError
from kpframe.model import Document, Skipped
from kpframe.model.collector import no_garbage_collection
from kpframe.model.summary import Summary
from kpframe.runs.folder import CellWriter, RunFolder
from kpframe.runs.records import FailedDocument
from kpframe.spec import Spec, load_spec

if TYPE_CHECKING:
    import pandas as pd

    from kpframe.runs.tables import Table

__all__ = ["Experiment", "Run"]

Result = TypeVar("Result")

PageWriter = Callable[[Path, Sequence[Document], Summary, Path], None]
"""Writes the page of a finished run: its path, the evaluated documents, the summary, the annotation cache."""

_Unlearned = dict[str, list[FailedDocument]]
"""By the id of a fit, the failures of the documents from which it should have learned."""

log = logging.getLogger("kpframe")


@dataclass(frozen=True, repr=False)
class Run:
    """A finished run: its folder, its summary, and what a terminal should show of it."""

    folder: Path
    summary: Summary
    text: str

    @property
    def failed(self) -> int:
        """The number of documents that failed somewhere."""
        return len({failed["id"] for failed in self.summary.failures})

    def to_pandas(self, what: Table = "scores") -> pd.DataFrame:
        """A row a cell; or one of the other tables of `kpframe.runs.tables.run_frame`.

        Raises ResourceError if pandas is not installed.
        """
        from kpframe.display import frame
        from kpframe.runs.tables import run_frame

        return frame(self.summary) if what == "scores" else run_frame(self.folder, what)

    def _repr_html_(self) -> str:
        from kpframe.display import html

        return html(self.summary)

    def __repr__(self) -> str:
        cells, columns = len(self.summary.cells), ", ".join(self.summary.columns)
        failed = f", {self.failed} failed" if self.failed else ""
        return f"<Run {self.summary.name!r} in {self.folder}: {cells} cells, {columns}{failed}>"

    def __str__(self) -> str:
        return self.text


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
    ) -> Run:
        """Run, or resume, the experiment in the folder `out` (default `runs/NAME`).

        `data` is the folder of the corpora, if it was not known when the experiment was loaded. `limit`
        takes only the first documents of the corpus. `cache` is the folder of the annotation cache.
        `documents` replaces the spec's own. `page` (as `kpframe.htmlreport.writing.write_page`) writes
        `report.html`, as the command does. Raises SpecError if the corpora are not found and DataError
        if there is nothing to evaluate.
        """
        spec = self._located(data)
        folder = RunFolder(Path(out) if out is not None else Path("runs") / spec.name, spec.name)
        pool = executor(workers)
        try:
            running = _Running(spec, folder, pool, Progress(quiet), Path(cache or cache_folder()), page)
            with folder.held(), no_garbage_collection():
                return running.run(_stream(spec) if documents is None else documents, limit)
        finally:
            pool.close()

    def _located(self, data: str | Path | None) -> Spec:
        if self.spec is not None and data is None:
            return self.spec
        if self.source is None:
            raise DataError.at("data", "has no effect on a spec that was built in Python", "leave it out")
        name, settings = self.source
        return load_spec(name, settings=settings, data=data)


def _stream(spec: Spec) -> Iterator[Document | Skipped]:
    if spec.reader is None:
        raise DataError.at("documents", "the spec names none", "add `documents:`")
    return spec.reader.read()


class _Running:
    """One run under way."""

    def __init__(
        self,
        spec: Spec,
        folder: RunFolder,
        pool: Executor,
        progress: Progress,
        cache: Path,
        page: PageWriter | None,
    ) -> None:
        self.spec = spec
        self.folder = folder
        self.pool = pool
        self.progress = progress
        self.cache = cache
        self.page = page
        self.clock = StageClock()

    def run(self, stream: Iterable[Document | Skipped], limit: int | None) -> Run:
        self.folder.log("begin", spec=self.spec.name, limit=limit, workers=self.pool.workers)
        with self.clock.during("reading"):
            spool = self._spool(stream, limit)
        plan, keys = plan_run(self.spec, spool, self.cache)
        self.folder.write_plan(self.spec, keys)
        pending = [name for name, key in keys.items() if not self.folder.has_cell(name, key)]
        self.folder.drop_others(keys, [_fitted_name(fit) for fit in plan.fits])
        replaced = [name for name in pending if self.folder.cell(name).is_dir()]
        if replaced:
            log.warning(
                "%s: replacing %d configurations that were computed with other parameters, documents or code",
                self.folder.path,
                len(replaced),
            )
        self.folder.log("plan", documents=len(spool.entries), cells=len(keys), pending=len(pending))
        if pending:
            self.folder.page.unlink(missing_ok=True)  # it shows what is about to be replaced
            needed = only_pending(plan, set(pending))
            fitted, unlearned = self._fit(needed, spool)
            for number in range(len(fitted.groups)):
                self._evaluate(fitted, number, spool, keys, unlearned)
        with self.clock.during("reports"):
            summary = summarize(self.spec, self.folder, spool)
            text = self._report(summary)
        seconds = {stage: round(spent, 3) for stage, spent in self.clock.seconds.items()}
        self.folder.log("timings", seconds=seconds)
        if self.page:
            self._write_page(summary, spool)
        self.folder.sweep()
        for failed in summary.failures:
            self.folder.log("failure", **failed)
        self.folder.log("end", failures=len(summary.failures))
        return Run(self.folder.path, summary, text)

    def _spool(self, stream: Iterable[Document | Skipped], limit: int | None) -> Spool:
        watched = self.progress.count(stream, "reading")
        spool = Spool.write(self.folder.work / "documents.jsonl", watched, split=self.spec.split, limit=limit)
        if not spool.part("test"):
            read = f"{len(spool.entries)} documents were read and {len(spool.skipped)} things skipped"
            raise DataError.at(
                "documents", f"there is nothing to evaluate ({read})", "check the path, the split and --limit"
            )
        if not any(entry.gold for entry in spool.part("test")):
            log.warning("no evaluated document has gold keyphrases: there will be keyphrases, but no score")
        self.folder.write_environment(environment(self.spec, spool))
        return spool

    def _fit(self, plan: Plan, spool: Spool) -> tuple[Plan, _Unlearned]:
        """Show the fits the documents that they learn from; all in the order of ids."""
        unlearned: _Unlearned = {fit.id: [] for fit in plan.fits}
        if not plan.fits:
            return plan, unlearned
        entries = [e for e in spool.part("train", "test") if any(fit.wants(e.part) for fit in plan.fits)]
        observations = {fit.id: ObservationFile(self.folder.work / f"{fit.id}.observed") for fit in plan.fits}

        def dead(entry: Entry) -> Observed:
            wanting = [fit.id for fit in plan.fits if fit.wants(entry.part)]
            return Observed(entry.id, {}, dict.fromkeys(wanting, _death(entry)))

        with self.progress.bar(len(entries), "learning") as advance:
            for observed in self._each(observe, plan, entries, _itself, dead):
                advance(1)
                for fit, failed in observed.failures.items():
                    unlearned[fit].append(failed)
                for fit, observation in observed.observations.items():
                    observations[fit].add(observation)
        with self.clock.during("learning"):
            states = {fit.id: self._learn(fit, observations[fit.id].read()) for fit in plan.fits}
        return replace(plan, states=states), unlearned

    def _learn(self, fit: Fit, observations: Iterable[Any]) -> Mapping[str, Any]:
        return self.folder.write_state(_fitted_name(fit), fit.learn(observations))

    def _evaluate(
        self, plan: Plan, number: int, spool: Spool, keys: Mapping[str, str], unlearned: _Unlearned
    ) -> None:
        group = plan.groups[number]
        entries = spool.part("test")
        writers = {
            cell.name: CellWriter(self.folder, cell.name, keys[cell.name], unlearned.get(cell.fit, ()))
            for cell in group.cells
        }

        def task(batch: list[Entry]) -> Task:
            return Task(number, tuple(batch))

        def dead(entry: Entry) -> Evaluated:
            return dict.fromkeys(writers, _death(entry))

        title = f"{group.selection.kind} ({number + 1}/{len(plan.groups)})"
        try:
            with self.progress.bar(len(entries), title) as advance:
                for result in self._each(evaluate, plan, entries, task, dead):
                    advance(1)
                    for name, outcome in result.items():
                        if isinstance(outcome, tuple):
                            writers[name].write(outcome)
                        else:
                            writers[name].write_failure(outcome)
        except BaseException:
            for writer in writers.values():
                writer.abandon()
            raise
        for name, writer in writers.items():
            writer.finish()
            self.folder.log("cell", name=name)

    def _each(
        self,
        function: Callable[[Plan, Any], Timed[Result]],
        plan: Plan,
        entries: Sequence[Entry],
        task: Callable[[list[Entry]], Any],
        dead: Callable[[Entry], Result],
    ) -> Iterator[Result]:
        """The results of `function` for single documents, in order, whatever happens to workers.

        `dead` makes the result of a document whose worker died.
        """
        batches = list(batched(entries, lambda entry: entry.characters))
        results = self.pool.run(function, plan, map(task, batches))
        for batch, result in zip(batches, results, strict=True):
            if not isinstance(result, WorkerDied):
                self.clock.add(result.seconds)
                yield from result
                continue
            for entry in batch:
                (single,) = self.pool.run(function, plan, [task([entry])])
                yield dead(entry) if isinstance(single, WorkerDied) else single[0]

    def _report(self, summary: Summary) -> str:
        header = ["cell", "id", "predicted", *summary.columns]
        names = [cell.name for cell in summary.cells]
        rows = chain.from_iterable(per_document_rows(self.spec, self.folder, name) for name in names)
        self.folder.write_per_document(names, header, rows)
        texts = [report.write(summary, self.folder.path) for report in self.spec.reports]
        return "\n".join(text for text in texts if text)

    def _write_page(self, summary: Summary, spool: Spool) -> None:
        """`report.html`, the same as `kpframe report` makes of the finished run."""
        assert self.page is not None
        documents = read_documents(spool.path, spool.part("test"))
        try:
            self.page(self.folder.page, documents, summary, self.cache)
        except Exception as error:  # the results are whole without it
            self.folder.page.unlink(missing_ok=True)
            reason = error if isinstance(error, KpframeError) else f"{type(error).__name__}: {error}"
            log.warning("%s: cannot be written (%s); the results are complete", self.folder.page, reason)


def _itself(batch: list[Entry]) -> list[Entry]:
    return batch


def _fitted_name(fit: Fit) -> str:
    return f"{fit.ranking.kind}-{fit.id[:12]}.json"


def _death(entry: Entry) -> FailedDocument:
    return failure(entry.id, "worker", StageError.at("", DEATH))
