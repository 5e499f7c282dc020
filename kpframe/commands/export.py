"""`kpframe export RUN --to trec|csv|cas --out DIR`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kpframe.commands import LeftOut, _arguments, counted, tell
from kpframe.commands._effects import refuse_without_effect
from kpframe.commands._inputs import one_standard_input
from kpframe.errors import DataError, SpecError

if TYPE_CHECKING:
    from kpframe.evaluation.predictions import Pair
    from kpframe.runs.trec_files import TrecSystem

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "hand predictions and gold over to other tools"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="the folder of a run")
    parser.add_argument("--predictions", metavar="FILE", help="a file of predictions instead of a run")
    parser.add_argument(
        "--gold", metavar="FILE", help="not needed for a run, nor if the predictions carry their gold"
    )
    _arguments.under(parser)
    _arguments.better(parser)
    parser.add_argument(
        "--to",
        required=True,
        choices=("trec", "csv", "cas"),
        help="trec_eval's run and qrels, flat tables, or UIMA documents",
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write, new or empty")
    parser.add_argument(
        "--cell",
        action="append",
        metavar="NAME",
        help="only this cell of the run; may be repeated; for cas, all puts the keyphrases of all cells into "
        "one file a document (else each cell gets a folder)",
    )
    parser.add_argument(
        "--normalize",
        choices=("casefold", "porter", "snowball", "lancaster", "lemma"),
        help="for trec: how phrases are told apart (default: porter)",
    )
    parser.add_argument(
        "--subset",
        choices=("all", "present", "absent"),
        help="for trec: phrases that stand in the text, that do not, or all (default)",
    )
    parser.add_argument("--format", choices=("xmi", "json"), help="for cas: of the files (default: xmi)")
    parser.add_argument(
        "--no-annotations", action="store_true", help="for cas: without tokens, tags and the other layers"
    )


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    to: Literal["trec", "csv", "cas"]
    out: str
    run: str | None = None
    predictions: str | None = None
    gold: str | None = None
    under: str | None = None
    better: Literal["higher", "lower"] | None = None
    cell: tuple[str, ...] = ()
    normalize: Literal["casefold", "porter", "snowball", "lancaster", "lemma"] | None = None
    subset: Literal["all", "present", "absent"] | None = None
    format: Literal["xmi", "json"] | None = None
    no_annotations: bool = False
    quiet: bool = False


IDS_SHOWN = 5

_OF = {"trec": ("normalize", "subset", "gold"), "cas": ("format", "no_annotations")}
"""The options that only one hand-over has."""


def execute(options: Options) -> int:
    """Write what other tools read, and say what is in it."""
    from kpframe.runs.trec_files import write_trec

    if (options.run is None) == (options.predictions is None):
        raise SpecError.at("export", "needs a RUN or --predictions FILE", "give one of the two")
    one_standard_input(("--predictions", options.predictions), ("--gold", options.gold))
    for to, names in _OF.items():
        refuse_without_effect(options, names if to != options.to else (), f"on --to {options.to}")
    if options.run is not None:
        refuse_without_effect(options, ("under", "better"), "on a run")
    if options.to != "trec":
        return _csv(_run_of(options), options) if options.to == "csv" else _cas(_run_of(options), options)
    left_out = LeftOut(quiet=options.quiet)
    systems = (
        _of_run(options.run, options, left_out)
        if options.run
        else _of_predictions(str(options.predictions), options, left_out)
    )
    subset: Any = options.subset or "all"
    made = write_trec(options.out, systems, normalize=options.normalize or "porter", subset=subset)
    for line in _notices(made, subset):
        tell(line)
    tell(f"{counted(len(made), 'run')} and qrels: {options.out}")
    return left_out.status


def _csv(folder: str, options: Options) -> int:
    from kpframe.commands._runs import opened
    from kpframe.files.atomic import fresh_folder
    from kpframe.runs.tables import write_keyphrases_csv

    name = "keyphrases.csv"
    with fresh_folder(Path(options.out)) as target:
        count = write_keyphrases_csv(target / name, opened(folder, options.cell))
    tell(f"{counted(count, 'keyphrase')}: {Path(options.out) / name}")
    return 0


def _cas(folder: str, options: Options) -> int:
    from kpframe.commands._runs import opened
    from kpframe.runs.finished import FinishedRun

    # A cell may have that name: then it is meant.
    pooled = options.cell == ("all",) and "all" not in FinishedRun(folder).cells
    wanted = None if pooled else options.cell
    cells = opened(folder, wanted).cells  # tells what an unfinished run lacks
    # Only here: no other hand-over knows of language models.
    from kpframe.integrations import write_run

    count = write_run(
        folder,
        options.out,
        cells=wanted or (),
        pooled=pooled,
        format=options.format or "xmi",
        annotations=not options.no_annotations,
        notice=tell,
    )
    if len(cells) > 1:
        number = f"{len(cells)} systems"
        says = f"each file has the keyphrases of {number}: sort by score within one (feature `system`)"
        tell(
            says
            if pooled
            else f"a folder for each of {number}; --cell all puts them into one file a document"
        )
    tell(f"{counted(count, 'document')}: {options.out}")
    return 0


def _run_of(options: Options) -> str:
    if not options.run:
        place = f"export --to {options.to}"
        raise DataError.at(place, "needs the folder of a run", f"as: export runs/NAME --to {options.to}")
    return options.run


def _of_run(folder: str, options: Options, left_out: LeftOut) -> Iterator[tuple[str, Iterator[Pair]]]:
    from kpframe.commands._runs import opened
    from kpframe.runs.gold import DocumentGold
    from kpframe.runs.trec_files import run_pairs

    run = opened(folder, options.cell)
    gold = DocumentGold.known(run, options.gold)
    failed = run.failed()
    if failed:
        left_out.tell(
            f"{counted(len(failed), 'document')} failed in the run, left out: {_some(sorted(failed))}"
        )
    for cell in run.cells:
        cut = run.shortened(cell)
        if cut:
            tell(f"{cell}: of {counted(cut, 'document')} only the first keyphrases were saved")
        yield cell, run_pairs(run, cell, gold, failed)


def _of_predictions(path: str, options: Options, left_out: LeftOut) -> Iterator[tuple[str, Sequence[Pair]]]:
    from kpframe.evaluation.alike_ids import alike
    from kpframe.evaluation.predictions import join, read_gold, read_predictions

    if options.cell:
        raise DataError.at("--cell", "has no meaning for a file of predictions", "leave it out")
    gold = read_gold(options.gold, under=options.under) if options.gold else None
    joined = join(gold, read_predictions(path, under=options.under, better=options.better))
    unknown = joined.only_in_predictions
    if unknown:
        left_out.tell(f"{counted(len(unknown), 'id')} only in the predictions, left out: {_some(unknown)}")
        if told := alike(unknown, joined.only_in_gold):
            left_out.tell(f"of these ids, {told}")
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
