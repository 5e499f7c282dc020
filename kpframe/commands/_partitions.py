"""`kpframe extract --out FOLDER/`: partition by partition, each whole or not there, and none twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kpframe.commands._effects import refuse_without_effect
from kpframe.commands._extracting import Options, tell_renamed
from kpframe.commands._inputs import PassedOver
from kpframe.commands._leftovers import clear_after_killed_in
from kpframe.commands._partition_tally import Tally
from kpframe.commands._partition_task import FORMATS, Made, Task, format_of, make_elsewhere
from kpframe.errors import Problem, SpecError
from kpframe.files.urls import is_folder, is_shared

if TYPE_CHECKING:
    from kpframe.engine.executors import Executor
    from kpframe.engine.operating import Parts
    from kpframe.engine.pipeline import Pipeline
    from kpframe.files.partitions import Partition

__all__ = ["extract_partitions", "is_partitioned"]


def is_partitioned(options: Options) -> bool:
    """Whether results go into a folder, a file for each input."""
    return (
        options.text is None
        and options.out is not None
        and (options.out.endswith("/") or is_folder(options.out))
    )


def extract_partitions(options: Options) -> int:
    """Extract from every partition that has no results yet, or that has changed since."""
    from kpframe.engine.named_files import NamedFiles
    from kpframe.engine.operating import Parts
    from kpframe.engine.pipeline import Pipeline
    from kpframe.files.extraction_state import told_while
    from kpframe.files.partitions import others, partitions

    options = _checked(options)
    ending = FORMATS[options.format] if options.format else ""
    folder = str(options.out).rstrip("/") or "/"
    no_tables: list[str] = []
    passed = PassedOver()
    found = partitions(options.input, folder, ending, no_tables, passed.add)
    clear_after_killed_in(os.path.dirname(path) for one in found for path in (one.output, one.manifest))
    pipeline = Pipeline.load(options.pipeline, settings=options.settings)
    files = NamedFiles.of(pipeline.stages)
    identity = files.steadily(lambda: _identity(pipeline, options))
    task = Task(pipeline, replace(options, limit=None), identity, files)
    known = _known(found, task.identity)
    pending = [one for one in found if one.name not in known]
    tally = Tally(found, known, others(found), no_tables, quiet=options.quiet)
    tell_renamed(options, [format_of(one.name) for one in pending])
    with told_while(folder, tally.state, needed=bool(pending)):
        if pending:
            _make(task, pending, tally, Parts(len(found), there=len(known)))
        tally.compare_ids()
    return max(passed.close(quiet=options.quiet), tally.close(str(options.out)))


def _make(task: Task, pending: Sequence[Partition], tally: Tally, parts: Parts) -> None:
    """Make what is missing, until there is no room."""
    from kpframe.engine.progress import Progress
    from kpframe.engine.workforce import workforce

    options = task.options
    sent: dict[Partition, str | None] = {}
    with (
        _made_meanwhile(task, sent, tally),
        workforce(options.workers, options.cluster) as pool,
        Progress(options.quiet).bar(None, "extracting", parts) as show,
    ):

        def advance(documents: int) -> None:
            show(documents)
            tally.advance(documents)

        for made in _twice(pending, partial(_made, task, pool, advance, sent)):
            tally.add(made)
            parts.done += 1
            show(0)


@contextmanager
def _made_meanwhile(task: Task, sent: Mapping[Partition, str | None], tally: Tally) -> Iterator[None]:
    """What workers elsewhere have made and nobody has asked them for counts too, also after a signal."""
    from kpframe.files.partitions import made_since

    try:
        yield
    finally:
        for one in tally.unknown(sent):
            if told := made_since(one, task.identity, sent[one]):
                tally.add(Made(one, told))


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
    pending: Sequence[Partition], make: Callable[[Sequence[Partition]], Generator[Made]]
) -> Iterator[Made]:
    """All partitions; those that fail once more at the end, when whatever it was may be over.

    The first for whose results there is no room is the last: others would be computed in vain.
    """
    again: dict[str, Made] = {}
    with closing(make(pending)) as first:
        for made in first:
            if made.told is None and not made.full:
                again[made.partition.name] = made
                continue
            yield made
            if made.full:
                yield from again.values()
                return
    if again:
        with closing(make([made.partition for made in again.values()])) as second:
            for made in second:
                del again[made.partition.name]
                yield made
                if made.full:
                    break
        yield from again.values()


def _made(
    task: Task,
    pool: Executor,
    advance: Callable[[int], Any],
    sent: dict[Partition, str | None],
    pending: Sequence[Partition],
) -> Generator[Made]:
    """The partitions as they are ready; `sent` has those handed out, with the versions of their manifests.

    Workers elsewhere that can read the inputs and write the results do that themselves; nothing of a text
    passes through this process. Otherwise it reads and writes, and the workers get documents.
    """
    if not pool.shares_disk and all(is_shared(path) for one in pending for path in (one.source, one.output)):
        yield from _made_elsewhere(task, pool, advance, _noted(pending, sent))
        return

    def watched(found: Iterator[Any]) -> Iterator[Any]:
        for one in found:
            advance(1)
            yield one

    for partition in pending:
        yield task.make(partition, pool, watched)


def _noted(pending: Iterable[Partition], sent: dict[Partition, str | None]) -> Iterator[Partition]:
    from kpframe.files.urls import version

    for one in pending:
        sent[one] = version(one.manifest)
        yield one


def _made_elsewhere(
    task: Task, pool: Executor, advance: Callable[[int], Any], pending: Iterable[Partition]
) -> Iterator[Made]:
    from kpframe.engine.executors import DEATH, WorkerDied
    from kpframe.engine.operating import Operation, current

    watched = current() or Operation()
    there = replace(task, files=task.files.elsewhere)
    for result in pool.run(make_elsewhere, there, task.files.packed_for(pending)):
        if isinstance(result, WorkerDied):
            remedy = "give workers more memory (0.6 GB each), or see their logs"
            yield Made(result.task, None, (Problem(result.task.source, DEATH, remedy),))
            continue
        watched.clock.add(result.seconds)
        watched.clock.count(result.counts)
        for made in result:
            watched.failed += made.failed
            advance(made.documents)
            yield made
