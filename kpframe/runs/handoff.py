"""Hand results over to other tools: trec_eval and what reads its files, spreadsheets, pandas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from kpframe.errors import DataError, ResourceError, SpecError
from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.trec import Subset, TrecDocument, trec_documents, trec_matching
from kpframe.files.atomic import atomic_write, write_text
from kpframe.model import Score
from kpframe.runs.finished import RunFiles

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Table",
    "TrecSystem",
    "run_frame",
    "scores_frame",
    "summary_frame",
    "write_keyphrases_csv",
    "write_trec",
]

Table = Literal["scores", "documents", "keyphrases", "counts"]
"""Cells; values of single documents; keyphrases; what was counted in single documents."""


@dataclass(frozen=True, slots=True)
class TrecSystem:
    """What was written of one system.

    `documents` counts those in the qrels, `phrases` the lines of the run. `without_phrases` are documents
    that have gold of the subset and no phrase of it: trec_eval leaves them out unless it is called with
    -c, ir_measures counts them as 0, and so does kpframe. `without_gold` counts documents without gold of
    the subset, which are not in the qrels and so in no average; kpframe has `empty: skip` for it.
    """

    name: str
    documents: int
    phrases: int
    without_phrases: tuple[str, ...]
    without_gold: int


def write_trec(
    folder: str | Path,
    systems: Iterable[tuple[str, Iterable[Pair]]],
    *,
    normalize: str = "porter",
    subset: Subset = "all",
) -> list[TrecSystem]:
    """Write `qrels.txt`, `runs/NAME.txt` for each system and `export.json` into `folder`.

    All systems must have the same gold. Phrases have the names of `kpframe.evaluation.trec`; rank and score
    follow the order of the list. With `subset` other than `all`, gold and predictions are parted into
    those that stand in the text (as tokens, under the same normalisation) and those that do not, and each
    part is ranked anew. `export.json` says under which matching names are equal, and what each run holds.

    Raises SpecError for an unknown normalisation or subset, and DataError for documents without texts
    where these are needed, and for systems that differ in their gold.
    """
    if subset not in get_args(Subset):
        raise SpecError.at("subset", f"unknown subset {subset!r}", "use all, present or absent")
    matching = trec_matching(normalize, subset)
    target = Path(folder)
    made: list[TrecSystem] = []
    qrels: dict[str, tuple[str, ...]] | None = None
    for name, pairs in systems:
        own: dict[str, tuple[str, ...]] = {}
        without: list[str] = []
        phrases = 0
        with atomic_write(target / "runs" / f"{name}.txt") as file:
            for document in trec_documents(_with_texts(pairs, subset), matching):
                own[document.id] = document.gold
                phrases += len(document.phrases)
                file.writelines(line.encode("ascii") for line in document.run(name))
                if document.gold and not document.phrases:
                    without.append(document.id)
            if qrels is None:
                qrels = own
                _write_qrels(target / "qrels.txt", qrels)
            elif own != qrels:
                problem = f"have other documents or other gold than those of {made[0].name!r}"
                raise DataError.at(f"the documents of {name!r}", problem, "export it to a folder of its own")
        empty = sum(not gold for gold in own.values())
        made.append(TrecSystem(name, len(own) - empty, phrases, tuple(without), empty))
    record = {"matching": matching.signature(), "subset": subset, "systems": [asdict(one) for one in made]}
    write_text(target / "export.json", json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    return made


def _with_texts(pairs: Iterable[Pair], subset: Subset) -> Iterator[Pair]:
    for pair in pairs:
        if subset != "all" and pair.text is None:
            problem = f"needs the text of every document, and {pair.id!r} has none"
            raise DataError.at(f"subset {subset}", problem, "give gold with texts, or use subset all")
        yield pair


def _write_qrels(path: Path, gold: Mapping[str, tuple[str, ...]]) -> None:
    with atomic_write(path) as file:
        for name, keyphrases in gold.items():
            file.writelines(line.encode("ascii") for line in TrecDocument(name, keyphrases, ()).qrels())


def write_keyphrases_csv(path: str | Path, run: RunFiles) -> int:
    """All saved keyphrases of a run, one a line: cell, id, rank, text, score and a `hit` by matching.

    Hits are 1 or 0, and empty where the run does not tell. Returns the number of lines.
    """
    count = 0
    with atomic_write(Path(path)) as binary:
        file = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_keyphrase_header(run))
        for row in run.keyphrases():
            hits = ["" if hit is None else int(hit) for hit in row.hits]
            writer.writerow([row.cell, row.id, row.rank, row.text, repr(row.score), *hits])
            count += 1
        file.flush()
        file.detach()
    return count


def _keyphrase_header(run: RunFiles) -> list[str]:
    return ["cell", "id", "rank", "text", "score", *(f"hit/{label}" for label in run.matchings())]


def run_frame(folder: str | Path, what: Table = "scores", *, cells: Sequence[str] = ()) -> pd.DataFrame:
    """A finished run as a pandas DataFrame; `cells` are those wanted, all by default.

    - `scores`: a row a cell; see `summary_frame`. Needs the report `json`.
    - `documents`: a row a document and cell, with the number of predicted keyphrases and the value of
      each column (`metric/matching`), missing where the document is in no average.
    - `keyphrases`: a row a saved keyphrase: cell, id, rank, text, score, `hit/matching`.
    - `counts`: a row a document, cell and matching: gold, dropped, predicted, hits.

    Missing values are pandas' NA. Raises SpecError for another table, DataError for a folder that is no
    finished run, and ResourceError if pandas is not installed.
    """
    pandas = _pandas()
    if what not in get_args(Table):
        offered = ", ".join(get_args(Table))
        raise SpecError.at("what", f"unknown table {what!r}", f"there are: {offered}")
    run = RunFiles(folder, cells)
    if what == "scores":
        frame = summary_frame(_summary(run))
        return frame[frame["cell"].isin(run.cells)].reset_index(drop=True)
    if what == "documents":
        return _documents_frame(run)
    if what == "keyphrases":
        header = _keyphrase_header(run)
        rows = ((r.cell, r.id, r.rank, r.text, r.score, *r.hits) for r in run.keyphrases())
        frame = pandas.DataFrame(list(rows), columns=header)
        types = {"rank": "Int64", "score": "Float64", **dict.fromkeys(header[5:], "boolean")}
        return frame.astype(types)
    names = ["gold", "dropped", "predicted", "hits"]
    frame = pandas.DataFrame(list(map(astuple, run.matches())), columns=["cell", "id", "matching", *names])
    return frame.astype(dict.fromkeys(names, "Int64"))


def summary_frame(summary: Mapping[str, Any]) -> pd.DataFrame:
    """A summary, as `Summary.to_json` gives it, as a DataFrame: a row a cell.

    Columns are `cell`, the axes of the grid, `documents`, `keyphrases`, and the scores by
    `metric/matching`. `attrs` has the name of the run and `signatures`: by column and cell the signature
    of the score.
    """
    pandas = _pandas()
    columns: list[str] = summary["columns"]
    axes = list(dict.fromkeys(axis for cell in summary["cells"] for axis in cell["axes"]))
    signatures: dict[str, dict[str, str]] = {column: {} for column in columns}
    rows: list[dict[str, Any]] = []
    for cell in summary["cells"]:
        row = {"cell": cell["name"], **{axis: cell["axes"].get(axis) for axis in axes}}
        row.update(documents=cell["documents"], keyphrases=cell["keyphrases"])
        for score in cell["scores"]:
            column = f"{score['metric']}/{score['matching']}"
            row[column] = score["value"]
            signatures.setdefault(column, {})[cell["name"]] = score["signature"]
        rows.append(row)
    frame = pandas.DataFrame(rows, columns=["cell", *axes, "documents", "keyphrases", *columns])
    types = {"documents": "Int64", "keyphrases": "Int64", **dict.fromkeys(columns, "Float64")}
    frame = frame.astype(types)
    frame.attrs = {"name": summary["name"], "signatures": signatures}
    return frame


def scores_frame(scores: Iterable[Score]) -> pd.DataFrame:
    """Scores as a DataFrame: metric, matching, value, documents, skipped, signature; a row each."""
    pandas = _pandas()
    names = ["metric", "matching", "value", "documents", "skipped", "signature"]
    frame = pandas.DataFrame([score.to_json() for score in scores], columns=names)
    return frame.astype({"value": "Float64", "documents": "Int64", "skipped": "Int64"})


def _documents_frame(run: RunFiles) -> pd.DataFrame:
    path = run.path / "per_document.csv"
    if not path.is_file():
        raise DataError.at(str(path), "there is no such file", "let the run end first")
    # Python's own csv module refuses very long ids; pandas alone would round the last digit of numbers.
    frame: pd.DataFrame = _pandas().read_csv(path, dtype="object", keep_default_na=False)
    frame = frame[frame["cell"].isin(run.cells)].reset_index(drop=True)
    for column in frame.columns[2:]:
        frame[column] = [float(text) if text else None for text in frame[column]]
        frame[column] = frame[column].astype("Int64" if column == "predicted" else "Float64")
    return frame


def _summary(run: RunFiles) -> Mapping[str, Any]:
    path = run.path / "summary.json"
    try:
        found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError.at(str(path), "there is no such file", "run again with the report json") from None
    except ValueError:
        raise DataError.at(str(path), "is damaged", "run the experiment again") from None
    return found


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ResourceError.at("pandas", "is not installed", "pip install pandas") from None
    return pandas
