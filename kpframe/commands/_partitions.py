"""`kpframe extract --out FOLDER/`: partition by partition, each whole or not there, and none twice."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.commands import counted, show_problems, tell
from kpframe.commands._effects import refuse_without_effect
from kpframe.commands._extracting import Done, Options, Texts, extracted
from kpframe.errors import DataError, KpframeError, Problem, SpecError
from kpframe.files.kinds import bare_name
from kpframe.files.urls import is_folder, is_shared

if TYPE_CHECKING:
    from kpframe.engine.executors import Executor
    from kpframe.engine.pipeline import Pipeline
    from kpframe.files.partitions import Partition

__all__ = ["extract_partitions", "is_partitioned"]

_FORMATS = {
    "csv": ".csv",
    "tsv": ".tsv",
    "json": ".json",
    "jsonl": ".jsonl",
    "parquet": ".parquet",
    "xlsx": ".xlsx",
}
_NAMED = 20
"""Problems of one partition that are told one by one."""


def is_partitioned(options: Options) -> bool:
    """Whether results go into a folder, a file for each input."""
    return (
        options.text is None
        and options.out is not None
        and (options.out.endswith("/") or is_folder(options.out))
    )


@dataclass(frozen=True)
class _Made:
    """What became of one partition: what its manifest says, or why there is none."""

    partition: Partition
    told: Mapping[str, Any] | None
    problems: tuple[Problem, ...] = ()

    @property
    def documents(self) -> int:
        return int(self.told["documents"]) if self.told else 0


def extract_partitions(options: Options) -> int:
    """Extract from every partition that has no results yet, or that has changed since."""
    from kpframe.engine.pipeline import Pipeline
    from kpframe.engine.progress import Progress
    from kpframe.engine.workforce import workforce
    from kpframe.files.partitions import others, partitions

    options = _checked(options)
    ending = _FORMATS[options.format] if options.format else ""
    found = partitions(options.input, str(options.out).rstrip("/") or "/", ending)
    pipeline = Pipeline.load(options.pipeline, settings=options.settings)
    identity = _identity(pipeline, options)
    known = _known(found, identity)
    pending = [one for one in found if one.name not in known]
    tally = _Tally(dict(known))
    if pending:
        with workforce(options.workers, options.cluster) as pool:
            progress = Progress(options.quiet)
            with progress.bar(None, "extracting") as advance:
                task = _Task(pipeline, replace(options, limit=None), identity)
                for made in _twice(pending, partial(_made, task, pool, advance)):
                    tally.add(made)
    if old := others(found):
        named = f"{', '.join(old[:5])}{', …' if len(old) > 5 else ''}"
        tell(f"{options.out} has {counted(len(old), 'result')} of other inputs, which stay: {named}")
    return tally.close(str(options.out), len(known))


def _checked(options: Options) -> Options:
    refuse_without_effect(options, ("text", "limit"), "on partitions")
    if options.format == "text":
        raise SpecError.at("--format text", "is no format for partitions", "say csv, jsonl or parquet")
    if "-" in options.input:
        raise SpecError.at("--input -", "is no partition", "give files, a folder or a pattern")
    return options


def _identity(pipeline: Pipeline, options: Options) -> str:
    """All that results depend on besides the partition."""
    from kpframe.engine.identity import digest, extraction_key

    how = ("top", "format", "language", "columns", "id", "keep", "long", "wide", "encoding")
    state = "" if pipeline.state is None else digest(pipeline.state)
    return extraction_key(pipeline.stages, state, {name: getattr(options, name) for name in how})


def _known(found: Sequence[Partition], identity: str) -> dict[str, Mapping[str, Any]]:
    """What is there already, by name. Remote stores are slow to ask, and are asked side by side."""
    from concurrent.futures import ThreadPoolExecutor

    from kpframe.files.partitions import is_done

    with ThreadPoolExecutor(8) as pool:
        told = pool.map(is_done, found, [identity] * len(found))
        return {one.name: record for one, record in zip(found, told, strict=True) if record is not None}


def _twice(
    pending: Sequence[Partition], make: Callable[[Sequence[Partition]], Iterator[_Made]]
) -> Iterator[_Made]:
    """All partitions; those that fail once more at the end, when whatever it was may be over."""
    again = []
    for made in make(pending):
        if made.told is None:
            again.append(made.partition)
        else:
            yield made
    yield from make(again) if again else ()


@dataclass(frozen=True)
class _Task:
    """What is done with each partition."""

    pipeline: Pipeline
    options: Options
    identity: str

    def make(self, partition: Partition, pool: Executor, watch: Any = iter) -> _Made:
        """Read a partition, write its results and their manifest; what is wrong is told, not raised."""
        from kpframe.engine.executors import DEATH
        from kpframe.files.partitions import publish
        from kpframe.files.urls import fingerprint

        shown: list[Problem] = []
        try:
            content = fingerprint(partition.source)
            with tempfile.TemporaryDirectory(prefix="kpframe-") as folder:
                whole = Path(folder, os.path.basename(partition.name))
                form = _format_of(whole.name)
                options = replace(self.options, input=(partition.source,), out=str(whole), format=form)
                texts = Texts(options)
                done = extracted(
                    self.pipeline, options, texts, pool, watch=watch, done=Done(show=shown.extend)
                )
                if fingerprint(partition.source) != content:
                    raise DataError.at(partition.source, "changed while it was read", "run it again")
                told = {
                    "identity": self.identity,
                    "content": content,
                    "complete": not any(DEATH in problem.problem for problem in shown),
                    **{name: getattr(done, name) for name in ("documents", "keyphrases", "empty", "failed")},
                    "skipped": texts.left_out.count,
                    "first": texts.left_out.first,
                }
                return _Made(partition, publish(partition, whole, told), tuple(shown[:_NAMED]))
        except KpframeError as error:
            return _Made(partition, None, error.problems)
        except OSError as error:
            reason = f"{error.strerror or error}"
            problem = Problem(partition.source, f"cannot be read or written ({reason})", "see what it says")
            return _Made(partition, None, (problem,))


def _format_of(name: str) -> str:
    ending = os.path.splitext(bare_name(name))[1].lower()
    return next(form for form, known in _FORMATS.items() if known == ending)


def _made(
    task: _Task, pool: Executor, advance: Callable[[int], Any], pending: Sequence[Partition]
) -> Iterator[_Made]:
    """The partitions as they are ready.

    Workers elsewhere that can read the inputs and write the results do that themselves; nothing of a text
    passes through this process. Otherwise it reads and writes, and the workers get documents.
    """
    if not pool.shares_disk and all(is_shared(path) for one in pending for path in (one.source, one.output)):
        yield from _made_elsewhere(task, pool, advance, pending)
        return

    def watched(found: Iterator[Any]) -> Iterator[Any]:
        for one in found:
            advance(1)
            yield one

    for partition in pending:
        yield task.make(partition, pool, watched)


def _made_elsewhere(
    task: _Task, pool: Executor, advance: Callable[[int], Any], pending: Sequence[Partition]
) -> Iterator[_Made]:
    from kpframe.engine.executors import DEATH, WorkerDied

    for made in pool.run(_make, task, pending):
        if isinstance(made, WorkerDied):
            yield _Made(made.task, None, (Problem(made.task.source, DEATH, "see the log of the worker"),))
        else:
            advance(made.documents)
            yield made


def _make(task: _Task, partition: Partition) -> _Made:
    from kpframe.engine.executors import SameProcess

    return task.make(partition, SameProcess())


class _Tally:
    """What all partitions come to; what was there counts as what was made."""

    def __init__(self, known: dict[str, Mapping[str, Any]]) -> None:
        self._told = known
        self._failed: list[_Made] = []

    def add(self, made: _Made) -> None:
        """Count one, and show what was wrong with it."""
        show_problems(made.problems)
        if made.told is None:
            self._failed.append(made)
            return
        self._told[made.partition.name] = made.told
        if made.told["skipped"]:
            tell(f"skipped: {counted(made.told['skipped'], 'thing')}, the first: {made.told['first']}")

    def close(self, out: str, there: int) -> int:
        """The last line, and the exit status: 1 if anything failed or was left out, also earlier."""
        names = ("documents", "keyphrases", "empty", "failed", "skipped")
        total = {name: sum(int(told[name]) for told in self._told.values()) for name in names}
        made = len(self._told) - there
        counts = f"{counted(total['documents'], 'document')}, {counted(total['keyphrases'], 'keyphrase')}"
        rest = "".join(f", {total[name]:,} {name}" for name in ("empty", "failed", "skipped") if total[name])
        parts = f"{counted(made, 'partition')} made, {there:,} there already"
        lost = f", {len(self._failed):,} failed" if self._failed else ""
        tell(f"wrote {out}: {parts}{lost}; {counts}{rest}")
        return 1 if self._failed or total["failed"] or total["skipped"] else 0
