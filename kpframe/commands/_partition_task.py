"""One partition: read, extracted, put in place with its manifest. What a worker does, here or elsewhere."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.commands._extracting import Done, Options, Texts, extracted
from kpframe.commands._inputs import PassedOver, WrongInput
from kpframe.commands._languages import Hindered
from kpframe.errors import DataError, KpframeError, Problem, SpecError
from kpframe.files.kinds import bare_name
from kpframe.files.leftovers import temporary_folder

if TYPE_CHECKING:
    from kpframe.engine.clock import Timed
    from kpframe.engine.executors import Executor
    from kpframe.engine.extraction import Extraction
    from kpframe.engine.named_files import NamedFiles
    from kpframe.engine.pipeline import Pipeline
    from kpframe.files.partitions import Partition

__all__ = ["FORMATS", "Made", "Task", "format_of", "make_elsewhere"]

FORMATS = {
    "csv": ".csv",
    "tsv": ".tsv",
    "json": ".json",
    "jsonl": ".jsonl",
    "parquet": ".parquet",
    "xlsx": ".xlsx",
}
_NAMED = 20
"""Problems of one partition that are told one by one."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


@dataclass(frozen=True)
class Made:
    """What became of one partition: what its manifest says, or why there is none.

    `skipped` are the first things that were left out of it.
    `full`: there is no room for results, so that the next ones would be computed in vain.
    """

    partition: Partition
    told: Mapping[str, Any] | None
    problems: tuple[Problem, ...] = ()
    full: bool = False
    skipped: tuple[str, ...] = ()

    @property
    def documents(self) -> int:
        return int(self.told["documents"]) if self.told else 0

    @property
    def failed(self) -> int:
        return int(self.told["failed"]) if self.told else 0


@dataclass(frozen=True)
class Task:
    """What is done with each partition; `files` are those that stages name, as the identity has them."""

    pipeline: Pipeline
    options: Options
    identity: str
    files: NamedFiles

    def make(
        self, partition: Partition, pool: Executor, watch: Any = iter, *, elsewhere: bool = False
    ) -> Made:
        """Read a partition, write its results and their manifest; what is wrong is told, not raised.

        Raised is what would be wrong with every other partition too: a SpecError that is no WrongInput,
        WorkersLost, and FilesChanged: then nothing can stand under the identity any more.
        `elsewhere`: other workers have temporary folders of their own, which may have room.
        """
        from kpframe.engine.executors import WorkersLost
        from kpframe.engine.named_files import FilesChanged

        try:
            with temporary_folder() as folder:
                try:
                    made, whole, ids = self.files.steadily(
                        lambda: self._extract(partition, Path(folder), pool, watch)
                    )
                except OSError as error:
                    return _stopped(partition, error, folder, elsewhere=elsewhere)
                return _published(made, whole, ids)
        except (Hindered, WrongInput) as error:  # of other partitions texts and tables may be others
            return Made(partition, None, _of_partition(error, partition))
        except (SpecError, WorkersLost, FilesChanged):
            raise
        except KpframeError as error:
            return Made(partition, None, _of_partition(error, partition))
        except OSError as error:  # there is not even room for a folder
            return _stopped(partition, error, tempfile.gettempdir(), elsewhere=elsewhere)

    def _extract(
        self, partition: Partition, folder: Path, pool: Executor, watch: Any
    ) -> tuple[Made, Path, Path]:
        """What is to be said of results and ids, and both as files in a temporary folder."""
        from kpframe.engine.executors import DEATH
        from kpframe.files.repeated_ids import listing
        from kpframe.files.urls import fingerprint

        shown: list[Problem] = []
        content = fingerprint(partition.source)
        whole, ids = folder / os.path.basename(partition.name), folder / "ids.gz"
        options = replace(
            self.options, input=(partition.source,), out=str(whole), format=format_of(whole.name)
        )
        folder_name = os.path.dirname(partition.name)
        left_out = PassedOver(told=False)
        texts = Texts(options, left_out, folder=folder_name, whole_name=partition.whole_name)
        done = Done(show=shown.extend)
        with listing(ids) as note:
            noted = _Noted(watch, note)
            extracted(self.pipeline, options, texts, pool, watch=noted, done=done)
        if fingerprint(partition.source) != content:
            raise DataError.at(partition.source, "changed while it was read", "run it again")
        counts = {
            name: getattr(done, name) for name in ("documents", "keyphrases", "empty", "textless", "failed")
        }
        told = {
            "identity": self.identity,
            "content": content,
            "complete": not any(DEATH in problem.problem for problem in shown),
            **counts,
            "skipped": texts.left_out.count,
            "first": texts.left_out.first,
        }
        skipped = tuple(texts.left_out.named)
        return Made(partition, told, tuple(shown[:_NAMED]), skipped=skipped), whole, ids


@dataclass(frozen=True)
class _Noted:
    """Watches results pass, and notes their ids."""

    watch: Callable[[Iterator[Extraction]], Iterator[Extraction]]
    note: Callable[[str], None]

    def __call__(self, results: Iterator[Extraction]) -> Iterator[Extraction]:
        for result in self.watch(results):
            self.note(result.id)
            yield result


def make_elsewhere(task: Task, partition: Partition) -> Timed[Made]:
    """The task in a worker that reads the inputs and writes the results itself, and what it took."""
    from kpframe.engine.clock import Timed
    from kpframe.engine.executors import SameProcess
    from kpframe.engine.operating import under_way

    with under_way() as operation:
        return Timed([task.make(partition, SameProcess(), elsewhere=True)], operation.clock)


def _published(made: Made, whole: Path, ids: Path) -> Made:
    from kpframe.files.partitions import publish

    partition = made.partition
    try:
        return replace(made, told=publish(partition, whole, ids, made.told or {}))
    except OSError as error:
        full = error.errno in _FULL
        remedy = "make room: the same command then makes only what is missing" if full else "check the folder"
        problem = f"cannot be written ({error.strerror or error})"
        return Made(partition, None, (Problem(partition.output, problem, remedy),), full)


def _stopped(partition: Partition, error: OSError, folder: str, *, elsewhere: bool) -> Made:
    """Why nothing came of a partition: it cannot be read, or its results have no room on the way."""
    if error.errno in _FULL:
        problem = f"results of {partition.source} cannot be written there ({error.strerror})"
        remedy = "make room, or set TMPDIR to another folder; the same command makes only what is missing"
        return Made(partition, None, (Problem(folder, problem, remedy),), full=not elsewhere)
    problem = f"cannot be read ({error.strerror or error})"
    return Made(partition, None, (Problem(partition.source, problem, "see what it says"),))


def _of_partition(error: KpframeError, partition: Partition) -> tuple[Problem, ...]:
    """What is wrong, with the partition where it is not named: that of a column says only the column."""
    name = os.path.basename(bare_name(partition.source))
    within = error.under(partition.source).problems
    return tuple(
        own if name in own.place else named for own, named in zip(error.problems, within, strict=True)
    )


def format_of(name: str) -> str:
    """The format of a result, by its name."""
    ending = os.path.splitext(bare_name(name))[1].lower()
    return next(form for form, known in FORMATS.items() if known == ending)
