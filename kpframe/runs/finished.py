"""The one reader of runs: a finished run, read from its folder. It needs no corpus and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

from kpframe.errors import DataError, KpframeError, Problem, SpecError, suggestion
from kpframe.model.summary import Summary
from kpframe.runs.beside import read_summary
from kpframe.runs.codec import decode_marker, decode_scores, spec_checksum
from kpframe.runs.columns import Columns, counted_columns, recipes_of
from kpframe.runs.lost_gold import SavedLosses, decode_losses
from kpframe.runs.records import CellRecord, FailedDocument, RunMarker, ScoredDocument
from kpframe.runs.saved_keyphrases import SavedKeyphrases
from kpframe.runs.seals import AGAIN, LOSSES, recorded_cell, verify_cell
from kpframe.spec import Spec, build
from kpframe.spec.grid import cell_names, names_a_folder
from kpframe.spec.strict_yaml import Positions, read_yaml

__all__ = ["FinishedRun"]

_OTHERS = "has cells that are not those of this run"

Record = TypeVar("Record", ScoredDocument | FailedDocument, SavedLosses)


class FinishedRun:
    """A finished run: its cells, the lines of their files, what was counted, its spec.

    `cells` are those asked for, all by default; `every_cell` has all that are finished and `unfinished`
    those that the spec has and the folder has not; the `foreign` ones of these are there, and were made
    otherwise, in a run that came to its end. `tree` is the resolved spec as plain values. `name` is what the
    run is called beside others, `path` its folder.

    Before the files of a cell are read, they are checked against the seal of the cell, once a process.
    Everything raises DataError where the folder is no run, lacks a cell that is asked for, or is damaged.
    """

    def __init__(self, folder: str | Path, cells: Sequence[str] = (), name: str = "") -> None:
        self.path = Path(folder)
        self.name = name or self.path.name
        self.resolved = self.path / "resolved.yaml"
        for file in (self.resolved, self.path / "run.json"):
            if not file.is_file():
                if (self.path / "datasets.json").is_file():
                    problem = "is a run over many data sets, and one is wanted here"
                    raise DataError.at(str(folder), problem, f"give one of {self.path / 'datasets'}")
                problem = "is not the folder of a run" if self.path.exists() else "there is no such folder"
                raise DataError.at(str(folder), problem, "give the folder that `kpframe run` wrote to")
        self.marker = _marker(self.path / "run.json")
        self.tree = read_yaml(self.resolved, Positions(fallback=str(self.resolved)))
        if self.marker.spec not in ("", spec_checksum(self.tree)):
            raise DataError.at(str(self.resolved), "is not the spec that the run was made by", AGAIN)
        names = self._cell_names()
        self._records = {name: record for name in names if (record := self._record(name)) is not None}
        self.every_cell = list(self._records)
        self.unfinished = tuple(name for name in names if name not in self._records)
        self.foreign = () if self.under_way else tuple(filter(self._has_file, self.unfinished))
        self._all_wanted = not cells
        self._check_there(str(folder), cells)
        self.cells = [name for name in self.every_cell if name in cells or not cells]

    def _check_there(self, place: str, cells: Sequence[str]) -> None:
        if not self.every_cell and self.foreign:
            raise DataError.at(place, f"{_OTHERS}: {', '.join(self.foreign)}", AGAIN)
        if not self.every_cell:
            raise DataError.at(place, "holds no finished cell", "let the run end first")
        for wanted in cells:
            if wanted in self.foreign:
                raise DataError.at(place, f"{_OTHERS}: {wanted}", AGAIN)
            if wanted not in self._records:
                remedy = suggestion(wanted, self.every_cell, "it has")
                raise DataError.at(place, f"has no cell {wanted!r}", remedy)

    def _cell_names(self) -> list[str]:
        try:
            names = cell_names(self.tree)
            if all(map(names_a_folder, names)):
                return names
        except (AttributeError, TypeError):
            pass
        raise DataError.at(str(self.resolved), "is not a spec as runs write it", AGAIN)

    def _has_file(self, cell: str) -> bool:
        return (self.path / "cells" / cell / "cell.json").is_file()

    def _record(self, cell: str) -> CellRecord | None:
        """What `cell.json` says; None for a cell that is not there, or is one of an earlier spec."""
        if not self._has_file(cell):
            return None
        record = recorded_cell(self.path / "cells" / cell)
        return record if self.marker.keys.get(cell, record.key) == record.key else None

    @cached_property
    def spec(self) -> Spec:
        """The stages of the run, without its documents: its corpus need not be there."""
        bare = {key: value for key, value in self.tree.items() if key not in ("documents", "reference")}
        return build(bare, Positions(fallback=str(self.resolved)), purpose="read")

    def with_corpus(self, remedy: str) -> Spec:
        """The spec with the corpus where it was when the run was made; its `reader` is not None.

        A relative path is relative to the current folder. Raises DataError, with `remedy`, if the corpus
        is not there or the run had none of its own.
        """
        try:
            spec = build(self.tree, Positions(fallback=str(self.resolved)), purpose="read")
        except SpecError as error:
            raise DataError([Problem(p.place, p.problem, remedy) for p in error.problems]) from None
        if spec.reader is None:
            raise DataError.at(str(self.resolved), "names no documents", remedy)
        return spec

    @property
    def under_way(self) -> bool:
        """Whether a run into the folder has not come to its end: it goes on, or was killed."""
        return (self.path / ".work").exists()

    def notice(self) -> str:
        """What is left out because the run was not finished; empty if nothing is."""
        if not self.unfinished or not self._all_wanted:
            return ""
        missing = ", ".join(name for name in self.unfinished if name not in self.foreign)
        told = [f"not finished, left out: {missing}"] if missing else []
        told += [f"{_OTHERS}, left out: {', '.join(self.foreign)}"] if self.foreign else []
        return f"{self.path}: {'; '.join(told)}"

    def scored(self, cell: str) -> Iterator[ScoredDocument | FailedDocument]:
        """The documents of a cell with what was counted, or how they failed."""
        yield from self._records_of(cell, "scores.jsonl", decode_scores)

    def keyphrases(self, cell: str) -> Iterator[SavedKeyphrases]:
        """The lists of a cell, a document each; those of failed documents are empty."""
        for place, line in self._lines(cell, "keyphrases.jsonl"):
            yield SavedKeyphrases(line, place)

    def aligned(self) -> Iterator[dict[str, SavedKeyphrases]]:
        """Document by document the lists of all cells; they have the same documents in the same order."""
        for lists in zip_longest(*(self.keyphrases(cell) for cell in self.cells)):
            ids = {None if found is None else found.id for found in lists}
            if len(ids) > 1:
                named = ", ".join(sorted(repr(id) for id in ids if id is not None))
                raise DataError.at(
                    str(self.path), f"its cells have not the same documents, as {named}", AGAIN
                )
            yield dict(zip(self.cells, lists, strict=True))

    def documents(self, cell: str) -> Iterator[tuple[SavedKeyphrases, ScoredDocument | FailedDocument]]:
        """The documents of a cell with their lines in both files."""
        lists = self.keyphrases(cell)
        for scored in self.scored(cell):
            found = next(lists, None)
            if found is None or found.id != scored.id:
                raise self._unlike(cell, scored.id)
            yield found, scored
        if (more := next(lists, None)) is not None:
            raise self._unlike(cell, more.id)

    def _unlike(self, cell: str, id: str) -> KpframeError:
        problem = f"the document {id!r} does not stand at the same place in both files"
        return DataError.at(str(self.path / "cells" / cell), problem, AGAIN)

    def offsets(self, cell: str) -> dict[str, int]:
        """By document, where its line in `keyphrases.jsonl` begins: for `at`, in files too large to hold."""
        path = verify_cell(self.path / "cells" / cell, self._records[cell]) / "keyphrases.jsonl"
        places: dict[str, int] = {}
        begin = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                text = line.decode("utf-8", "replace")
                places[SavedKeyphrases(text, f"{path}:{number}").id] = begin
                begin += len(line)
        return places

    def at(self, cell: str, offset: int) -> SavedKeyphrases:
        """The list whose line begins at an offset."""
        path = self.path / "cells" / cell / "keyphrases.jsonl"
        with path.open("rb") as file:
            file.seek(offset)
            return SavedKeyphrases(file.readline().decode("utf-8", "replace"), str(path))

    def _records_of(self, cell: str, file: str, decode: Callable[[str], Record]) -> Iterator[Record]:
        """What the lines of a file of a cell say, each of a document of its own."""
        seen: set[str] = set()
        for place, line in self._lines(cell, file):
            try:
                found = decode(line)
            except ValueError:
                raise DataError.at(place, "is damaged", AGAIN) from None
            if found.id in seen:
                raise DataError.at(place, f"has document {found.id!r} a second time", AGAIN)
            seen.add(found.id)
            yield found

    def _lines(self, cell: str, file: str) -> Iterator[tuple[str, str]]:
        """The lines of a file of a cell with their places, once the cell is known to be as it was written."""
        path = verify_cell(self.path / "cells" / cell, self._records[cell]) / file
        try:
            with path.open(encoding="utf-8") as stream:
                for number, line in enumerate(stream, start=1):
                    yield f"{path}:{number}", line
        except OSError as error:
            raise DataError.at(str(path), f"cannot be read ({error.strerror})", AGAIN) from None
        except UnicodeDecodeError:
            raise DataError.at(str(path), "is damaged", AGAIN) from None

    def counts_losses(self, cell: str) -> bool:
        """Whether the run counted where gold was lost; version 0.1.0 did not."""
        return LOSSES in self._records[cell].files

    def losses(self, cell: str) -> Iterator[SavedLosses]:
        """By document where gold was lost."""
        yield from self._records_of(cell, LOSSES, decode_losses)

    def failures(self, cell: str) -> list[FailedDocument]:
        """The documents that failed in a cell."""
        found = []
        for place, line in self._lines(cell, "scores.jsonl"):
            if '"failure"' in line:
                try:
                    scored = decode_scores(line)
                except ValueError:
                    raise DataError.at(place, "is damaged", AGAIN) from None
                found += [scored] if isinstance(scored, FailedDocument) else []
        return found

    def failed(self) -> set[str]:
        """The documents that failed in any cell of the run, and so are in no average."""
        return {failure.id for cell in self.every_cell for failure in self.failures(cell)}

    def unlearned(self, cells: Sequence[str]) -> list[FailedDocument]:
        """Failures of documents from which the rankings of cells should have learned, each once."""
        found: dict[tuple[str, str], FailedDocument] = {}
        for cell in cells:
            for failure in self._records[cell].unlearned:
                found.setdefault((failure.id, failure.stage), failure)
        return list(found.values())

    def shortened(self, cell: str) -> int:
        """The number of documents of which not all keyphrases were saved (`save` in the spec)."""
        return sum(found.shortened for found in self.keyphrases(cell))

    def matchings(self) -> tuple[str, ...]:
        """The labels of the matchings, in their order; empty if every document failed."""
        for cell in self.cells:
            for found in self.scored(cell):
                if isinstance(found, ScoredDocument):
                    return tuple(found.matches)
        return ()

    @cached_property
    def columns(self) -> Columns:
        """What was counted in all cells, column by column."""
        cells: Mapping[str, Any] = {cell: self.scored(cell) for cell in self.every_cell}
        return counted_columns(recipes_of(self.tree, str(self.resolved)), cells, str(self.path))

    @cached_property
    def summary(self) -> Summary | None:
        """What `summary.json` says; None where there is none, as in some runs of before version 0.2.0."""
        return read_summary(self.path)

    @property
    def unsaid(self) -> str:
        """What of a run without `summary.json` cannot be shown, for readers; else empty."""
        if self.summary is not None:
            return ""
        kept = {"reference": "published scores", "printed": "rows of publications"}
        lacking = [says for name, says in kept.items() if self.tree.get(name)]
        if not lacking:
            return ""
        return f"without {' and '.join(lacking)}, as its summary.json is not there; {AGAIN}"


def _marker(path: Path) -> RunMarker:
    try:
        return decode_marker(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError.at(str(path), f"cannot be read ({error.strerror})", AGAIN) from None
    except ValueError:
        raise DataError.at(str(path), "is damaged", AGAIN) from None
