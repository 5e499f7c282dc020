"""The tables of a finished run: rows for spreadsheets, frames of pandas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from kpframe.display.frames import pandas_module, summary_frame
from kpframe.errors import DataError, SpecError, suggestion
from kpframe.files.atomic import atomic_write
from kpframe.runs.beside import read_document_rows
from kpframe.runs.finished import FinishedRun
from kpframe.runs.records import FailedDocument, ScoredDocument
from kpframe.runs.seals import AGAIN

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "CountRow",
    "KeyphraseRow",
    "Table",
    "count_rows",
    "keyphrase_rows",
    "run_frame",
    "write_keyphrases_csv",
]

Table = Literal["scores", "documents", "keyphrases", "counts"]
"""Cells; values of single documents; keyphrases; what was counted in single documents."""


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
class CountRow:
    """What one matching counted in a document: gold kept and dropped, phrases that count, and hits."""

    cell: str
    id: str
    matching: str
    gold: int
    dropped: int
    predicted: int
    hits: int


def keyphrase_rows(run: FinishedRun) -> Iterator[KeyphraseRow]:
    """All keyphrases that were saved, best first, cell by cell, document by document."""
    for cell in run.cells:
        for saved, scored in run.documents(cell):
            if isinstance(scored, FailedDocument):
                continue
            keyphrases = saved.whole()
            columns = [_hits(scored, label, len(keyphrases)) for label in scored.matches]
            for i, keyphrase in enumerate(keyphrases):
                hits = tuple([column[i] for column in columns])
                yield KeyphraseRow(cell, scored.id, i + 1, keyphrase.text, keyphrase.score, hits)


def _hits(scored: ScoredDocument, label: str, count: int) -> list[bool | None]:
    """For each keyphrase of a document whether it hits.

    The ranks of hits are among the phrases that count; `positions` says which these are, where some do not.
    """
    found = scored.matches[label]
    if found.hits and not found.positions and found.predicted != scored.predicted:
        return [None] * count
    places = {found.position(hit.rank) for hit in found.hits}
    return [i in places for i in range(count)]


def count_rows(run: FinishedRun) -> Iterator[CountRow]:
    """The counts of all documents that did not fail."""
    for cell in run.cells:
        for scored in run.scored(cell):
            if isinstance(scored, ScoredDocument):
                for label, found in scored.matches.items():
                    counts = (found.gold, found.dropped, found.predicted, len(found.hits))
                    yield CountRow(cell, scored.id, label, *counts)


def write_keyphrases_csv(path: str | Path, run: FinishedRun) -> int:
    """All saved keyphrases of a run, one a line: cell, id, rank, text, score and a `hit` by matching.

    Hits are 1 or 0, and empty where the run does not tell. Returns the number of lines.
    """
    count = 0
    with atomic_write(Path(path)) as binary:
        file = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_keyphrase_header(run))
        for row in keyphrase_rows(run):
            hits = ["" if hit is None else int(hit) for hit in row.hits]
            writer.writerow([row.cell, row.id, row.rank, row.text, repr(row.score), *hits])
            count += 1
        file.flush()
        file.detach()
    return count


def _keyphrase_header(run: FinishedRun) -> list[str]:
    return ["cell", "id", "rank", "text", "score", *(f"hit/{label}" for label in run.matchings())]


def run_frame(folder: str | Path, what: Table = "scores", *, cells: Sequence[str] = ()) -> pd.DataFrame:
    """A finished run as a pandas DataFrame; `cells` are those wanted, all by default.

    - `scores`: a row a cell; see `kpframe.display.frames.summary_frame`. Needs the report `json`.
    - `documents`: a row a document and cell, with the number of predicted keyphrases and the value of
      each column (`metric/matching`), missing where the document is in no average.
    - `keyphrases`: a row a saved keyphrase: cell, id, rank, text, score, `hit/matching`.
    - `counts`: a row a document, cell and matching: gold, dropped, predicted, hits.

    Missing values are pandas' NA. Raises SpecError for another table, DataError for a folder that is no
    finished run or is damaged, and ResourceError if pandas is not installed.
    """
    pandas = pandas_module()
    if what not in get_args(Table):
        raise SpecError.at("what", f"unknown table {what!r}", suggestion(str(what), get_args(Table)))
    run = FinishedRun(folder, cells)
    if what == "scores":
        return _scores_frame(run)
    if what == "documents":
        return _documents_frame(run, pandas)
    if what == "keyphrases":
        header = _keyphrase_header(run)
        rows = [(r.cell, r.id, r.rank, r.text, r.score, *r.hits) for r in keyphrase_rows(run)]
        types = {"rank": "Int64", "score": "Float64", **dict.fromkeys(header[5:], "boolean")}
        return pandas.DataFrame(rows, columns=header).astype(types)
    names = ["gold", "dropped", "predicted", "hits"]
    frame = pandas.DataFrame(list(map(astuple, count_rows(run))), columns=["cell", "id", "matching", *names])
    return frame.astype(dict.fromkeys(names, "Int64"))


def _scores_frame(run: FinishedRun) -> pd.DataFrame:
    if run.summary is None:
        path = run.path / "summary.json"
        raise DataError.at(str(path), "there is no such file", AGAIN)
    frame = summary_frame(run.summary)
    return frame[frame["cell"].isin(run.cells)].reset_index(drop=True)


def _documents_frame(run: FinishedRun, pandas: Any) -> pd.DataFrame:
    header, rows = read_document_rows(run.path)
    wanted = [row for row in rows if row[0] in run.cells]
    frame = pandas.DataFrame(wanted, columns=header, dtype="object")
    types = {"predicted": "Int64", **dict.fromkeys(header[3:], "Float64")}
    made: pd.DataFrame = frame.astype(types)
    return made
