"""One run under way: documents outside, cells inside; every common prefix once; resumable at any moment."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from kpframe.engine.batches import batched, long_ones_told
from kpframe.engine.checkpoint import CellsUnderWay
from kpframe.engine.dispatch import one_by_one
from kpframe.engine.evaluating import Evaluated, evaluate, failure_lines
from kpframe.engine.executors import DEATH, Executor
from kpframe.engine.fitting import Fit, ObservationFile
from kpframe.engine.following import language_notices, problems_of_most
from kpframe.engine.forgetting import cache_limit, forget_if_full
from kpframe.engine.given import UNPAIRED, paired
from kpframe.engine.identity import digest, environment
from kpframe.engine.learning import Observed, observe, state_text
from kpframe.engine.mending import mend, undecided
from kpframe.engine.named_files import NamedFiles, ReadFiles
from kpframe.engine.operating import Operation, current
from kpframe.engine.outcome import Outcome
from kpframe.engine.pages import drop_page, page_or_told
from kpframe.engine.plan import Plan
from kpframe.engine.planning import only_pending, plan_run
from kpframe.engine.progress import Progress
from kpframe.engine.spool import Entry, Spool, read_documents, with_documents
from kpframe.engine.summarize import summarize
from kpframe.engine.told_once import told_once
from kpframe.errors import DataError, SpecError, StageError, counted
from kpframe.model import Document, Skipped
from kpframe.model.summary import Summary
from kpframe.runs.cell_writer import CellWriter
from kpframe.runs.earlier import drop_earlier, shown
from kpframe.runs.folder import RunFolder
from kpframe.runs.records import FailedDocument
from kpframe.runs.seals import changed_beside, seal_beside, unseal_beside
from kpframe.runs.texts import write_texts
from kpframe.spec import Spec
from kpframe.stages.registry import lookup

__all__ = ["PageWriter", "Running"]

PageWriter = Callable[[Path, Sequence[Document], Summary], None]
"""Writes the page of a finished run: its path, the evaluated documents, the summary."""

WAITING = 1 << 25
"""So many bytes of lines wait for all cells together before they are appended to their files."""

LINES = 2_048
"""At most so many documents × cells are in one batch: with many cells, results are larger than texts."""

log = logging.getLogger("kpframe")

_NAMED = 20
"""Things left out that are named one by one."""


@dataclass
class _Learned:
    """What was learned for the fits of a run.

    By the id of a fit: `states` identifies what it is, `unlearned` has the failures of documents from which
    it should have learned, and `undecided` the ids of those whose failure is no result.
    """

    states: dict[str, str] = field(default_factory=dict)
    unlearned: dict[str, list[FailedDocument]] = field(default_factory=dict)
    undecided: dict[str, list[str]] = field(default_factory=dict)


class Running:
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
        self.cache_limit = cache_limit()  # now: a wrong value would be found after hours
        self.page = page
        self.watched = current() or Operation()
        self.clock = self.watched.clock
        self.skipped: tuple[Skipped, ...] = ()
        self.files = NamedFiles()
        self.predicted = ReadFiles()
        self._page_is_changed = False
        self._shown: Mapping[str, str] | None = None

    def run(self, stream: Iterable[Document | Skipped], limit: int | None) -> tuple[Summary, str]:
        """Compute what is not there yet; the summary, and what a terminal should show of it."""
        self.folder.log("begin", spec=self.spec.name, limit=limit, workers=self.pool.workers)
        with self.clock.during("reading"):
            spool = self._spool(stream, limit)
        plan, keys = self.predicted.steadily(
            lambda: plan_run(self.spec, spool, self.cache, self._given, self.files)
        )
        self.folder.write_plan(self.spec, keys)
        pending = self._pending(plan, keys, spool)
        if pending:
            self._remove_page()
            self._compute(only_pending(plan, pending), keys, spool)
        with self.clock.during("reports"):
            summary = summarize(self.spec, self.folder, spool)
            text = self._report(summary)
            seal_beside(self.folder.path, self._tables)
        seconds = {stage: round(spent, 3) for stage, spent in self.clock.seconds.items()}
        self.folder.log("timings", seconds=seconds)
        if self.page:
            self._write_page(summary, spool)
        elif self._shown is None or self._shown != shown(self.folder.path):
            self._remove_page()
        self.folder.sweep()
        self._forget()
        for failed in summary.failures:
            self.folder.log("failure", **failed)
        self.folder.log("end", failures=len(summary.failures))
        return summary, text

    @property
    def _given(self) -> Path:
        return self.folder.work / "predictions.jsonl"

    def _spool(self, stream: Iterable[Document | Skipped], limit: int | None) -> Spool:
        watched = self.progress.count(stream, "reading")
        spool = Spool.write(self.folder.work / "documents.jsonl", watched, split=self.spec.split, limit=limit)
        for skipped in spool.skipped[:_NAMED]:
            log.info("skipped: %s: %s", skipped.place, skipped.reason)
        if len(spool.skipped) > _NAMED:
            log.info("skipped: %s more", counted(len(spool.skipped) - _NAMED, "thing"))
        whole = limit is None or len(spool.entries) < limit
        spool = self._paired(spool, whole=whole)
        self.skipped = (*spool.skipped, *spool.unpaired)
        if not spool.part("test"):
            things = counted(len(spool.skipped), "thing")
            read = f"read: {counted(len(spool.entries), 'document')}, skipped: {things}"
            raise DataError.at(
                "documents", f"there is nothing to evaluate ({read})", "check the path, the split and --limit"
            )
        if not any(entry.gold for entry in spool.part("test")):
            log.warning("no evaluated document has gold keyphrases: there will be keyphrases, but no score")
        for told in filter(None, (marks.told(whose) for whose, marks in spool.marks.items())):
            log.warning("%s", told)
        self.spec = self.spec.in_languages(spool.languages.codes)
        self._tell_of_languages(spool)
        self._unseal()
        self.files = NamedFiles.of(self.spec.computing, self.spec.languages)
        self.folder.write_environment(environment(self.spec, spool))
        write_texts(self.folder.path, ((entry.id, entry.content) for entry in spool.part("test")))
        return spool

    @property
    def _tables(self) -> list[str]:
        """The files of the reports that are asked for."""
        return [*chain.from_iterable(report.files for report in self.spec.reports)]

    def _paired(self, spool: Spool, *, whole: bool) -> Spool:
        """With the predictions of other programs, which are read here, and must be the same for the keys."""
        systems = [one.predictions for one in self.spec.configurations if one.predictions is not None]
        self.predicted = ReadFiles.of(systems)
        return self.predicted.steadily(lambda: paired(self.spec, spool, self._given, whole=whole))

    def _unseal(self) -> None:
        """Before what lies beside the cells is written anew; who has changed a file of it is told."""
        self._shown = shown(self.folder.path)
        changed = changed_beside(self.folder.path)
        self._drop_earlier(changed)
        page = self.folder.page.name
        if not self.page and page in changed:  # it stays, unless what it shows is another now
            self._page_is_changed = True
            changed.remove(page)
        if changed:
            told = "%s: changed since the last run, and written anew: %s"
            log.warning(told, self.folder.path, ", ".join(changed))
        unseal_beside(self.folder.path)

    def _drop_earlier(self, changed: list[str]) -> None:
        """What reports wrote that the spec no longer has; taken out of `changed`, as it is not written anew.

        At once: where the run is killed later, nobody would know of it.
        """
        gone = drop_earlier(self.folder.path, self._tables)
        if gone:
            told = "%s: removing %s, of reports that the spec no longer has"
            log.warning(told, self.folder.path, ", ".join(gone))
        for name in [name for name in gone if name in changed]:
            log.warning("%s: was changed since it was written, and is removed", self.folder.path / name)
            changed.remove(name)

    def _remove_page(self) -> None:
        """It shows what is replaced; who wants no new one is told."""
        told = "was changed since it was written" if self._page_is_changed else "shows earlier results"
        if drop_page(self.folder.page) and not self.page:
            log.warning("%s: %s, and is removed", self.folder.page, told)

    def _tell_of_languages(self, spool: Spool) -> None:
        """What was guessed, and what does not follow it.

        Raises SpecError if the language of most documents cannot be worked on; documents in others fail by
        themselves.
        """
        told = spool.languages.told("documents.language=CODE says it, by --set or in the spec")
        if told:
            log.info("%s", told)
        stages = [*dict.fromkeys(chain.from_iterable(c.stages for c in self.spec.configurations))]
        problems = problems_of_most(stages, spool.languages, "documents")
        if problems:
            raise SpecError(problems)
        matchings = self.spec.matchings.values()
        for line in language_notices([*stages, *matchings], spool.languages.codes):
            log.warning("%s", line)

    def _pending(self, plan: Plan, keys: Mapping[str, str], spool: Spool) -> Collection[str]:
        """The cells that are not there yet; what the spec no longer has is removed."""
        pending = [name for name, key in keys.items() if not self.folder.has_cell(name, key)]
        if gone := self.folder.others(keys):
            log.warning("%s: removing %s, which the spec no longer has", self.folder.path, ", ".join(gone))
        self.folder.drop_others(keys, [_fitted_name(fit) for fit in plan.fits])
        replaced = [n for n in pending if self.folder.cell(n).is_dir() and not self.folder.sound(n, keys[n])]
        if replaced:
            log.warning(
                "%s: replacing %s, damaged or computed with other parameters, documents or code",
                self.folder.path,
                counted(len(replaced), "configuration"),
            )
        self.folder.log("plan", documents=len(spool.entries), cells=len(keys), pending=len(pending))
        return pending

    def _compute(self, plan: Plan, keys: Mapping[str, str], spool: Spool) -> None:
        """Learn, mend the cells that lack only some documents, and compute all others in one pass."""
        plan, learned = self._fit(plan, spool)
        writers = [
            CellWriter(
                self.folder,
                cell.name,
                keys[cell.name],
                state=learned.states.get(cell.fit, ""),
                unlearned=learned.unlearned.get(cell.fit, ()),
                undecided=learned.undecided.get(cell.fit, ()),
                room=WAITING // len(plan.cells),
            )
            for cell in plan.cells
        ]
        entries = spool.part("test")
        lacking = {writer.name: undecided(self.folder, writer) for writer in writers}
        mended = [writer for writer in writers if lacking[writer.name] is not None]
        self._mend(plan, mended, entries, lacking)
        rest = [writer for writer in writers if lacking[writer.name] is None]
        if rest:
            self._evaluate(only_pending(plan, [writer.name for writer in rest]), rest, entries)

    def _fit(self, plan: Plan, spool: Spool) -> tuple[Plan, _Learned]:
        """Show the fits the documents that they learn from; all in the order of ids."""
        fits = [fit.id for fit in plan.fits]
        learned = _Learned({}, {fit: [] for fit in fits}, {fit: [] for fit in fits})
        if not fits:
            return plan, learned
        known = spool.part("train", "test", UNPAIRED)
        entries = [entry for entry in known if any(fit.wants(entry.part) for fit in plan.fits)]
        seen = {fit: ObservationFile(self.folder.work / f"{fit}.observed") for fit in fits}

        def lost(entry: Entry) -> Observed:
            wanting = [fit.id for fit in plan.fits if fit.wants(entry.part)]
            return Observed.lost(entry.id, wanting, _death(entry))

        with self.progress.bar(len(entries), "learning") as advance:
            batches = self._sent(plan, batched(long_ones_told(entries, _length), _length))
            for observed in one_by_one(self.pool, observe, self._elsewhere(plan), batches, lost, self.clock):
                advance(1)
                for fit, failed in observed.failures.items():
                    learned.unlearned[fit].append(failed)
                for fit in observed.undecided:
                    learned.undecided[fit].append(observed.id)
                for fit, observation in observed.seen.items():
                    seen[fit].add(observation)
        states: dict[str, Mapping[str, Any]] = {}
        with self.clock.during("learning"), told_once("kpframe.ranking") as together:
            for one in plan.fits:
                with together.about([cell.name for cell in plan.cells if cell.fit == one.id]):
                    states[one.id] = self._learn(plan, one, seen[one.id], learned)
        return replace(plan, states=states), learned

    def _learn(self, plan: Plan, fit: Fit, seen: ObservationFile, learned: _Learned) -> Mapping[str, Any]:
        text = plan.files.steadily(lambda: state_text(fit, seen.read()))
        learned.states[fit.id] = digest(text)
        return self.folder.write_state(_fitted_name(fit), text)

    def _mend(
        self,
        plan: Plan,
        writers: Sequence[CellWriter],
        entries: Sequence[Entry],
        lacking: Mapping[str, Collection[str] | None],
    ) -> None:
        known = {writer.name: frozenset(lacking[writer.name] or ()) for writer in writers}
        wanted = frozenset().union(*known.values())
        again = [entry for entry in entries if entry.id in wanted]
        results = self._evaluated(only_pending(plan, known), again)
        made = dict(zip([entry.id for entry in again], results, strict=True))
        for writer in writers:
            mend(self.folder, writer, entries, made, known[writer.name])
            self.folder.log("cell", name=writer.name)

    def _evaluate(self, plan: Plan, writers: Sequence[CellWriter], entries: Sequence[Entry]) -> None:
        """One pass over the documents, with all cells inside."""
        cells = CellsUnderWay(self.folder, writers)
        rest = entries[cells.done :]
        with self.progress.bar(len(entries), "evaluating") as advance:
            advance(cells.done)
            self.folder.log("evaluating", done=cells.done, of=len(entries))
            for entry, result in zip(rest, self._evaluated(plan, rest), strict=True):
                cells.add(entry.id, result)
                self.watched.failed += any(lines.failed for lines in result.values())
                advance(1)
        cells.finish()
        for writer in writers:
            self.folder.log("cell", name=writer.name)

    def _evaluated(self, plan: Plan, entries: Sequence[Entry]) -> Iterator[Evaluated]:
        """What each document is in each cell, in order."""

        def lost(entry: Entry) -> Evaluated:
            lines = failure_lines(_death(entry), decided=False)
            return {cell.name: lines for cell in plan.cells}

        most = LINES // max(1, len(plan.cells))
        batches = batched(long_ones_told(entries, _length), _length, at_most=most)
        sent = self._sent(plan, batches)
        return one_by_one(self.pool, evaluate, self._elsewhere(plan), sent, lost, self.clock)

    def _elsewhere(self, plan: Plan) -> Plan:
        """The plan as workers get it: those that do not see this disk have a cache of their own."""
        if self.pool.shares_disk:
            return plan
        return replace(plan, spool=Path(), cache=None, files=plan.files.elsewhere)

    def _sent(self, plan: Plan, batches: Iterable[list[Entry]]) -> Iterable[list[Entry]]:
        """Batches as workers get them: with the documents in them where those do not see this disk."""
        if self.pool.shares_disk:
            return batches
        return plan.files.packed_for(with_documents(plan.spool, plan.given, batches))

    def _report(self, summary: Summary) -> str:
        """What is asked for, and in any case `summary.json`, which whoever reads a run depends on."""
        kept: Any = lookup("reports", "json")()
        if kept not in self.spec.reports:
            kept.write(summary, self.folder.path)
        texts = [report.write(summary, self.folder.path) for report in self.spec.reports]
        return "\n".join(text for text in texts if text)

    def _forget(self) -> None:
        removed = forget_if_full(self.cache, self.cache_limit)
        if removed.files:
            told = "%s: full, so %d entries that were used longest ago are removed (KPFRAME_CACHE_LIMIT)"
            log.info(told, self.cache, removed.files)

    def _write_page(self, summary: Summary, spool: Spool) -> None:
        """`report.html`, the same as `kpframe report` makes of the finished run."""
        assert self.page is not None
        documents = read_documents(spool.path, spool.part("test"))
        write = partial(self.page, self.folder.page, documents, summary)
        page_or_told(self.folder.page, write)


def _fitted_name(fit: Fit) -> str:
    return f"{fit.ranking.kind}-{fit.id[:12]}.json"


def _length(entry: Entry) -> int:
    return entry.characters


def _death(entry: Entry) -> FailedDocument:
    died: Outcome[Any] = Outcome(None, StageError.at("", DEATH), "worker")
    return died.failure(entry.id)
