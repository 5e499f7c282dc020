"""Predictions that exist as a run like any other: cells, summary, page, for `compare` and `analyse`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.commands import show_left_out, tell
from kpframe.commands._inputs import NAMED
from kpframe.errors import SpecError
from kpframe.model import AUTO

if TYPE_CHECKING:
    from kpframe.commands.score import Options
    from kpframe.evaluation.predictions import GoldRecord
    from kpframe.spec.measures import Measure

__all__ = ["score_as_run"]

_GOLD = "gold.jsonl"
"""The gold and the texts beside the results, so that readers of the run need no other file."""


def score_as_run(options: Options, measures: Callable[[bool], Sequence[Measure]]) -> int:
    """Evaluate predictions as systems of a run in the folder `--out`.

    `measures` tells by what, given whether the texts of all documents are known.
    """
    from kpframe.engine.experiment import Experiment
    from kpframe.files.atomic import atomic_write
    from kpframe.htmlreport.writing import write_page
    from kpframe.runs.folder import RunFolder
    from kpframe.spec import build
    from kpframe.spec.strict_yaml import Positions

    out = Path(str(options.out))
    names = _names(options)
    RunFolder(out, out.resolve().name)
    options = replace(options, predictions=tuple(_files(options.predictions, out)))
    texts = True
    with atomic_write(out / _GOLD) as file:
        for record in _gold(options):
            texts = texts and record[2] is not None
            file.write(_line(record))
    if options.better is not None and not _have_scores(options):
        tell(f"--better {options.better} has no effect: the predictions have no scores")
    systems = {
        name: {"predictions": _system(options, path)}
        for name, path in zip(names, options.predictions, strict=True)
    }
    tree = {
        "name": out.resolve().name,
        "documents": {
            "kind": "jsonl",
            "path": str((out / _GOLD).absolute()),
            "language": options.language,
        },
        "preprocessing": [],
        "systems": systems,
        "measures": [measure.to_spec() for measure in measures(texts)],
    }
    run = Experiment(build(tree, Positions(fallback="score"))).run(out=out, page=write_page)
    print(run.text)
    tell(f"results: {run.folder}")
    tell(f"open in a browser: {run.folder / 'report.html'}")
    skipped = run.skipped if options.missing is None else ()  # what --missing says is known
    if skipped and options.quiet:
        show_left_out([f"{one.place}: {one.reason}" for one in skipped[:NAMED]], len(skipped))
    return 1 if run.failed or skipped else 0


def _names(options: Options) -> list[str]:
    """What the systems are called: what was said, or the names of their files."""
    if options.names is None:
        names = [_name_of(Path(path)) for path in options.predictions]
    else:
        names = [name.strip() for name in options.names.split(",")]
    if len(names) != len(options.predictions):
        problem = f"names {len(names)} systems, and there are {len(options.predictions)} files"
        raise SpecError.at("--names", problem, "give a name for each --predictions, parted by commas")
    if len(set(names)) < len(names):
        raise SpecError.at("--names", f"are not distinct ({', '.join(names)})", "as --names mine,theirs")
    return names


def _name_of(path: Path) -> str:
    """The name of a file or folder, as far as it can name a cell."""
    name = "stdin" if str(path) == "-" else path.name.removesuffix(".gz")
    return re.sub(r"[^\w-]+", "-", name.rpartition(".")[0] or name).strip("-") or "predictions"


def _files(paths: Sequence[str], out: Path) -> Iterator[str]:
    """The files of predictions; standard input is kept beside the results, since the run reads it again."""
    from kpframe.evaluation._standard_input import kept_input

    for path in paths:
        yield str(kept_input(out, "predictions").absolute()) if path == "-" else path


def _system(options: Options, path: str) -> dict[str, Any]:
    given: dict[str, Any] = {"path": path, "missing": options.missing or "empty"}
    if options.better is not None:
        given["better"] = options.better
    if options.under is not None:
        given["under"] = options.under
    return given


def _have_scores(options: Options) -> bool:
    """Whether any prediction of any system has some; files are read as far as the first one."""
    from kpframe.evaluation.predictions import read_predictions

    read = (
        read_predictions(path, under=options.under, better=options.better) for path in options.predictions
    )
    return any(one.scores is not None for predictions in read for one in predictions)


def _gold(options: Options) -> Iterator[GoldRecord]:
    from kpframe.evaluation.predictions import carried, read_gold, read_predictions

    if options.gold:
        yield from read_gold(options.gold, under=options.under)
        return
    first = read_predictions(options.predictions[0], under=options.under, better=options.better)
    for record, _ in carried(first):
        yield record


def _line(record: GoldRecord) -> bytes:
    name, gold, text, *said = record
    keyphrases = [{"variants": list(one.variants), "source": one.source} for one in gold]
    line: dict[str, Any] = {"id": name, "text": text or "", "gold": keyphrases}
    if said and said[0] != AUTO:
        line["language"] = said[0]
    return json.dumps(line).encode() + b"\n"
