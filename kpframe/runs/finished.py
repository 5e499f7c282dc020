"""What the folder of a finished run holds, line by line. Reading it needs no corpus and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpframe.errors import DataError, Problem, SpecError, suggestion
from kpframe.evaluation.predictions import GoldRecord, Pair
from kpframe.model import Document, Gold
from kpframe.spec import Spec, build
from kpframe.spec.grid import cell_names
from kpframe.spec.strict_yaml import Positions, read_yaml
from kpframe.stages import Cleaner

__all__ = ["KeyphraseRow", "MatchRow", "RunFiles", "RunGold"]

_Known = tuple[tuple[Gold, ...], str | None]


@dataclass(frozen=True, slots=True)
class KeyphraseRow:
    """A keyphrase of a document in a cell.

    `hits` tells for each matching whether it hits a gold keyphrase, None where the run does not tell. A
    phrase that the matching took off the list, as equal to an earlier one or not of the subset, hits none.
    """

    cell: str
    id: str
    rank: int
    text: str
    score: float
    hits: tuple[bool | None, ...]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """What one matching counted in a document: gold kept and dropped, phrases that count, and hits."""

    cell: str
    id: str
    matching: str
    gold: int
    dropped: int
    predicted: int
    hits: int


class RunFiles:
    """A finished run, read from its folder.

    Raises DataError if the folder is none, lacks a cell that is asked for, or is damaged.
    """

    def __init__(self, folder: str | Path, cells: Sequence[str] = ()) -> None:
        self.path = Path(folder)
        self.resolved = self.path / "resolved.yaml"
        if not self.resolved.is_file():
            problem = "is not the folder of a run" if self.path.exists() else "there is no such folder"
            raise DataError.at(str(folder), problem, "give the folder that `kpframe run` wrote to")
        self.tree = read_yaml(self.resolved, Positions(fallback=str(self.resolved)))
        names = cell_names(self.tree)
        self.every_cell = [name for name in names if (self.path / "cells" / name / "cell.json").is_file()]
        self.unfinished = tuple(name for name in names if name not in self.every_cell)
        self._all_wanted = not cells
        if not self.every_cell:
            raise DataError.at(str(folder), "holds no finished cell", "let the run end first")
        for name in cells:
            if name not in self.every_cell:
                remedy = suggestion(name, self.every_cell, "it has")
                raise DataError.at(str(folder), f"has no cell {name!r}", remedy)
        self.cells = [name for name in self.every_cell if name in cells or not cells]

    def spec(self, remedy: str) -> Spec:
        """The spec of the run, with its corpus where it was when the run was made; `spec.reader` is not None.

        A relative path is relative to the current folder. Raises DataError, with `remedy`, if the corpus
        is not there or the run had none of its own.
        """
        try:
            spec = build(self.tree, Positions(fallback=str(self.resolved)), purpose="check")
        except SpecError as error:
            raise DataError([Problem(p.place, p.problem, remedy) for p in error.problems]) from None
        if spec.reader is None:
            raise DataError.at(str(self.resolved), "names no documents", remedy)
        return spec

    def notice(self) -> str:
        """What is left out because the run was not finished; empty if nothing is."""
        if not self.unfinished or not self._all_wanted:
            return ""
        return f"{self.path}: not finished, left out: {', '.join(self.unfinished)}"

    def records(self, cell: str, file: str) -> Iterator[dict[str, Any]]:
        """The lines of `keyphrases.jsonl` or `scores.jsonl` of a cell."""
        path = self.path / "cells" / cell / file
        try:
            with path.open(encoding="utf-8") as stream:
                for number, line in enumerate(stream, start=1):
                    found = json.loads(line)
                    if not isinstance(found, dict) or "id" not in found:
                        raise DataError.at(f"{path}:{number}", "is damaged", "run the experiment again")
                    yield found
        except OSError as error:
            problem = f"cannot be read ({error.strerror})"
            raise DataError.at(str(path), problem, "run the experiment again") from None
        except ValueError:
            raise DataError.at(str(path), "is damaged", "run the experiment again") from None

    def matchings(self) -> tuple[str, ...]:
        """The labels of the matchings, in their order; empty if every document failed."""
        for cell in self.cells:
            for record in self.records(cell, "scores.jsonl"):
                if "matches" in record:
                    return tuple(record["matches"])
        return ()

    def keyphrases(self) -> Iterator[KeyphraseRow]:
        """All keyphrases that were saved, best first, cell by cell, document by document."""
        labels = self.matchings()
        for cell in self.cells:
            lines = zip(
                self.records(cell, "keyphrases.jsonl"), self.records(cell, "scores.jsonl"), strict=True
            )
            for found, scored in lines:
                if "failure" in scored:
                    continue
                count = len(found["keyphrases"])
                columns = [_hits(scored, label, count) for label in labels]
                for i, keyphrase in enumerate(found["keyphrases"]):
                    hits = tuple([column[i] for column in columns])
                    text, score = keyphrase["text"], float(keyphrase["score"])
                    yield KeyphraseRow(cell, found["id"], i + 1, text, score, hits)

    def matches(self) -> Iterator[MatchRow]:
        """The counts of all documents that did not fail."""
        for cell in self.cells:
            for record in self.records(cell, "scores.jsonl"):
                for label, found in record.get("matches", {}).items():
                    predicted = found.get("predicted", record["predicted"])
                    counts = (found["gold"], found["dropped"], predicted, len(found["hits"]))
                    yield MatchRow(cell, record["id"], label, *counts)

    def failed(self) -> set[str]:
        """The documents that failed in any cell of the run, and so are in no average."""
        return {
            record["id"]
            for cell in self.every_cell
            for record in self.records(cell, "scores.jsonl")
            if "failure" in record
        }

    def pairs(self, cell: str, gold: RunGold, failed: Collection[str]) -> Iterator[Pair]:
        """The documents of a cell with their gold, but for those that failed."""
        for record in self.records(cell, "keyphrases.jsonl"):
            if record["id"] not in failed:
                phrases = tuple(keyphrase["text"] for keyphrase in record["keyphrases"])
                keyphrases, text = gold.of(record["id"], cell)
                yield Pair(record["id"], keyphrases, phrases, text)

    def shortened(self, cell: str) -> int:
        """The number of documents of which not all keyphrases were saved (`save` in the spec)."""
        return sum("total" in record for record in self.records(cell, "keyphrases.jsonl"))


def _hits(record: Mapping[str, Any], label: str, count: int) -> list[bool | None]:
    """For each keyphrase of a document whether it hits.

    The ranks of hits are among the phrases that count; `positions` says which these are, where some do not.
    """
    found = record["matches"][label]
    ranks = [hit[0] for hit in found["hits"]]
    positions = found.get("positions")
    if positions is None:
        if found.get("predicted", record["predicted"]) != record["predicted"] and ranks:
            return [None] * count
        positions = range(record["predicted"])
    places = {positions[rank - 1] for rank in ranks}
    return [i in places for i in range(count)]


class RunGold:
    """The gold keyphrases (and texts) that the documents of a run have: of a file, or of its corpus."""

    def __init__(self, records: Mapping[str, _Known], source: str, spec: Spec | None) -> None:
        self._records = records
        self._source = source
        self._cleaners = {
            configuration.name: [s for s in configuration.preprocessing if isinstance(s, Cleaner)]
            for configuration in (spec.configurations if spec else ())
        }

    @classmethod
    def of_file(cls, records: Iterable[GoldRecord], source: str) -> RunGold:
        """As `predictions.read_gold` has them; texts as they are."""
        return cls({name: (gold, text) for name, gold, text in records}, source, None)

    @classmethod
    def of_run(cls, run: RunFiles) -> RunGold:
        """Read again from the corpus that the run was over; texts cleaned as in the run.

        Raises DataError if it is not where it was; a relative path is relative to the current folder, as
        it was when the run was made.
        """
        spec = run.spec("give the gold by --gold FILE")
        assert spec.reader is not None
        wanted = {record["id"] for record in run.records(run.cells[0], "keyphrases.jsonl")}
        found = (item for item in spec.reader.read() if isinstance(item, Document) and item.id in wanted)
        return cls({item.id: (item.gold, item.text) for item in found}, "the run's own corpus", spec)

    def of(self, name: str, cell: str) -> _Known:
        """Gold and text of a document; DataError if it is not there."""
        if name not in self._records:
            problem = f"{self._source} has no document {name!r}, which the run has"
            raise DataError.at("gold", problem, "give the gold of the same documents by --gold FILE")
        gold, text = self._records[name]
        for cleaner in self._cleaners.get(cell, ()):
            text = cleaner.clean(text) if text is not None else None
        return gold, text
