"""`kpframe export RUN --to trec|csv|cas --out DIR`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kpframe.commands import counted, tell
from kpframe.commands._runs import opened
from kpframe.errors import DataError
from kpframe.evaluation.predictions import Pair, join, read_gold, read_predictions
from kpframe.runs.gold import DocumentGold
from kpframe.runs.tables import write_keyphrases_csv
from kpframe.runs.trec_files import TrecSystem, run_pairs, write_trec

__all__ = ["execute"]

IDS_SHOWN = 5

_OF = {"trec": ("normalize", "subset"), "cas": ("format", "no_annotations")}
"""The options that only one hand-over has."""


def execute(options: Any) -> int:
    """Write what other tools read, and say what is in it."""
    _refuse_without_effect(options)
    if options.to != "trec":
        return _csv(options) if options.to == "csv" else _cas(options)
    systems = _of_run(options) if options.run else _of_predictions(options)
    subset: Any = options.subset or "all"
    made = write_trec(options.out, systems, normalize=options.normalize or "porter", subset=subset)
    for line in _notices(made, subset):
        tell(line)
    tell(f"{counted(len(made), 'run')} and qrels: {options.out}")
    return 0


def _csv(options: Any) -> int:
    _need_run(options)
    path = Path(options.out) / "keyphrases.csv"
    count = write_keyphrases_csv(path, opened(options.run, options.cell))
    tell(f"{counted(count, 'keyphrase')}: {path}")
    return 0


def _cas(options: Any) -> int:
    _need_run(options)
    opened(options.run, options.cell)  # tells what an unfinished run lacks
    # Only here: no other hand-over knows of language models.
    from kpframe.integrations import write_run

    count = write_run(
        options.run,
        options.out,
        cells=options.cell or (),
        format=options.format or "xmi",
        annotations=not options.no_annotations,
    )
    tell(f"{counted(count, 'document')}: {options.out}")
    return 0


def _refuse_without_effect(options: Any) -> None:
    for to, names in _OF.items():
        for name in names if to != options.to else ():
            if getattr(options, name):
                option = f"--{name.replace('_', '-')}"
                raise DataError.at(option, f"has no effect on --to {options.to}", "leave it out")


def _need_run(options: Any) -> None:
    if not options.run:
        place = f"export --to {options.to}"
        raise DataError.at(place, "needs the folder of a run", f"as: export runs/NAME --to {options.to}")


def _of_run(options: Any) -> Iterator[tuple[str, Iterator[Pair]]]:
    run = opened(options.run, options.cell)
    gold = DocumentGold.known(run, options.gold)
    failed = run.failed()
    if failed:
        tell(f"{counted(len(failed), 'document')} failed in the run, left out: {_some(sorted(failed))}")
    for cell in run.cells:
        cut = run.shortened(cell)
        if cut:
            tell(f"{cell}: of {counted(cut, 'document')} only the first keyphrases were saved")
        yield cell, run_pairs(run, cell, gold, failed)


def _of_predictions(options: Any) -> Iterator[tuple[str, Sequence[Pair]]]:
    if options.cell:
        raise DataError.at("--cell", "has no meaning for a file of predictions", "leave it out")
    gold = read_gold(options.gold, under=options.under) if options.gold else None
    joined = join(gold, read_predictions(options.predictions, under=options.under))
    unknown = joined.only_in_predictions
    if unknown:
        tell(f"{counted(len(unknown), 'id')} only in the predictions, left out: {_some(unknown)}")
    yield "predictions", joined.pairs


def _notices(made: Sequence[TrecSystem], subset: str) -> Iterator[str]:
    of = "" if subset == "all" else f"{subset} "
    for one in made:
        if one.without_gold:
            yield f"{one.name}: {counted(one.without_gold, 'document')} without {of}gold, not in the qrels"
        if one.without_phrases:
            number = counted(len(one.without_phrases), "document")
            yield f"{one.name}: {number} without {of}predictions: {_some(one.without_phrases)}"


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:IDS_SHOWN]) + (", …" if len(ids) > IDS_SHOWN else "")
