"""`kpframe analyse RUN` and `kpframe analyse --predictions F`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from kpframe.commands import LeftOut, _arguments, counted, tell
from kpframe.commands._effects import format_of
from kpframe.commands._inputs import one_standard_input
from kpframe.errors import DataError, Problem, SpecError

if TYPE_CHECKING:
    from kpframe.analysis.overview import Analysed, Overview
    from kpframe.model import Gold
    from kpframe.runs.finished import FinishedRun
    from kpframe.runs.gold import DocumentGold
    from kpframe.runs.saved_keyphrases import SavedKeyphrases
    from kpframe.spec import Spec
    from kpframe.stages import Matching

    Known = Mapping[str, tuple[tuple[Gold, ...], str | None]]
    """By document id the gold keyphrases and, if there is one, the text."""

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "look behind scores: where gold is missed, confidence, diversity"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="the folder of a run")
    parser.add_argument("--cell", action="append", metavar="NAME", help="only this cell; may be repeated")
    parser.add_argument("--predictions", metavar="FILE", help="a file of predictions instead of a run")
    parser.add_argument("--gold", metavar="FILE", help="default: of the run's corpus, or in the predictions")
    _arguments.under(parser)
    parser.add_argument(
        "--matching", metavar="LABEL", help="default: the run's first; as exact(normalize=porter)"
    )
    parser.add_argument(
        "--top", type=_arguments.at_least_one, metavar="N", help="only the best N phrases of a document"
    )
    parser.add_argument("--format", choices=("text", "json"), help="default: text")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    run: str | None = None
    cell: tuple[str, ...] = ()
    predictions: str | None = None
    gold: str | None = None
    under: str | None = None
    matching: str | None = None
    top: int | None = None
    format: Literal["text", "json"] | None = None
    out: str | None = None
    quiet: bool = False


DEFAULT = "exact(normalize=porter,absent=keep)"
UNTRAINED = "the ranking is not trained on gold keyphrases, so its scores are no probabilities"


def execute(options: Options) -> int:
    """Analyse the cells of a run, or a file of predictions."""
    import json

    from kpframe.commands._analysis_text import overview_text
    from kpframe.files.atomic import write_text

    if (options.run is None) == (options.predictions is None):
        raise SpecError.at("analyse", "needs a RUN or --predictions FILE", "give one of the two")
    one_standard_input(("--predictions", options.predictions), ("--gold", options.gold))
    wanted = format_of(options.out, options.format, {".txt": "text", ".json": "json"})
    left_out = LeftOut(quiet=options.quiet)
    found = (
        _of_run(options.run, options, left_out)
        if options.run is not None
        else _of_predictions(str(options.predictions), options, left_out)
    )
    if wanted == "json":
        text = json.dumps({name: one.to_json() for name, one in found.items()}, indent=2, ensure_ascii=False)
    else:
        text = "\n\n".join(overview_text(name, one) for name, one in found.items())
    if options.out:
        write_text(Path(options.out), text + "\n")
        tell(f"{counted(len(found), 'system')}: {options.out}")
    else:
        print(text)
    return left_out.status


def _of_run(folder: str, options: Options, left_out: LeftOut) -> dict[str, Overview]:
    from kpframe.analysis.overview import overviews
    from kpframe.commands._runs import opened
    from kpframe.runs.gold import DocumentGold

    if options.under:
        raise SpecError.at("--under", "has no effect on a run", "leave it out")
    run = opened(folder, options.cell)
    spec = run.spec
    matching = _of_spec(spec, options.matching)
    gold = DocumentGold.known(run, options.gold)
    trained = {c.name: c.ranking.probability for c in spec.configurations}
    failed = run.failed()
    if failed:
        left_out.tell(f"{counted(len(failed), 'document')} left out: failed in the run")
    for cell in run.cells:
        shortened = run.shortened(cell)
        if shortened:
            tell(f"{cell}: of {counted(shortened, 'document')} only the best {spec.save} phrases were saved")
    rows = _rows(run, gold, failed, trained)
    best = ({cell: one.best(options.top) for cell, one in row.items()} for row in rows)
    return overviews(best, run.cells, matching, unsure=UNTRAINED)


def _rows(
    run: FinishedRun, gold: DocumentGold, failed: set[str], trained: Mapping[str, bool]
) -> Iterator[dict[str, Analysed]]:
    """The documents that failed nowhere, each with the lists of all cells."""
    for lists in run.aligned():
        id = next(iter(lists.values())).id
        if id not in failed:
            yield {cell: _analysed(id, cell, saved, gold, trained[cell]) for cell, saved in lists.items()}


def _analysed(id: str, cell: str, saved: SavedKeyphrases, gold: DocumentGold, scored: bool) -> Analysed:
    from kpframe.analysis.overview import Analysed

    keyphrases, text = gold.of(id, cell)
    found = saved.whole()
    scores = tuple([keyphrase.score for keyphrase in found]) if scored else None
    return Analysed(id, keyphrases, tuple([keyphrase.text for keyphrase in found]), text, scores)


def _of_spec(spec: Spec, label: str | None) -> Matching:
    """The matching of a run by its label; the first one by default."""
    from kpframe.errors import suggestion

    if label is None:
        return next(iter(spec.matchings.values()))
    if label not in spec.matchings:
        raise SpecError.at(
            f"--matching {label}", "is no matching of the run", suggestion(label, spec.matchings)
        )
    return spec.matchings[label]


def _of_predictions(path: str, options: Options, left_out: LeftOut) -> dict[str, Overview]:
    from kpframe.analysis.overview import overview
    from kpframe.evaluation.predictions import read_gold

    if options.cell:
        raise SpecError.at("--cell", "has no effect on a file of predictions", "leave it out")
    matching = _written(options.matching or DEFAULT)
    known: Known | None = None
    if options.gold:
        known = {name: (gold, text) for name, gold, text, *_ in read_gold(options.gold)}
    documents = list(_predicted(path, options.under, known, left_out))
    if not documents:
        raise DataError.at(path, "there is no document to analyse", "check the file")
    texts = all(document.text is not None for document in documents)
    if not texts and "absent=" not in (options.matching or "") and "absent" in type(matching).model_fields:
        matching = matching.model_copy(update={"absent": "keep"})
    best = (document.best(options.top) for document in documents)
    return {path: overview(best, matching)}


def _written(label: str) -> Matching:
    from kpframe.stages import Matching
    from kpframe.stages.parts import part
    from kpframe.stages.wrong_parameters import PartProblem

    try:
        return cast(Matching, part("matching", label))
    except PartProblem as error:
        place = f"--matching {label}"
        raise SpecError(
            [Problem(".".join([place, *map(str, one.at)]), one.problem, one.remedy) for one in error.wrong]
        ) from None


def _predicted(path: str, under: str | None, known: Known | None, left_out: LeftOut) -> Iterator[Analysed]:
    """The documents of a file of predictions, then those of the gold that it lacks, without predictions."""
    from kpframe.analysis.overview import Analysed
    from kpframe.evaluation._phrase_files import document_rows
    from kpframe.evaluation.alike_ids import alike, alike_remedy

    seen: set[str] = set()
    failed = unknown = 0
    for place, name, row in document_rows(path, under):
        seen.add(name)
        if row.get("error"):
            failed += 1
        elif known is not None and name not in known:
            unknown += 1
        else:
            yield _document(place, name, row, known)
    if failed:
        left_out.tell(f"{counted(failed, 'document')} left out: failed when the predictions were made")
    if unknown:
        left_out.tell(f"{counted(unknown, 'document')} left out: not in the gold")
    if known is None:
        return
    if seen.isdisjoint(known):
        remedy = alike_remedy(seen, known, "give both files the same ids")
        raise DataError.at("ids", "no document is in both files", remedy)
    lacking = [name for name in known if name not in seen]
    if told := alike(sorted(seen.difference(known)), lacking):
        left_out.tell(f"of the ids that one file lacks, {told}")
    if lacking:
        left_out.tell(f"{counted(len(lacking), 'document')} of the gold without predictions")
    for name in lacking:
        yield Analysed(name, known[name][0], (), known[name][1])


def _document(place: str, name: str, row: Mapping[str, Any], known: Known | None) -> Analysed:
    from kpframe.analysis.overview import Analysed
    from kpframe.evaluation._phrase_files import text_of
    from kpframe.evaluation._phrase_values import phrases_of
    from kpframe.statistics.calibration import confidence

    predicted = row.get("predicted", row.get("phrases"))
    if predicted is None:
        remedy = "give them as 'keyphrases', 'predicted' or 'prediction'"
        raise DataError.at(place, f"no predictions for {name!r}", remedy)
    phrases = phrases_of(place, predicted)
    rows = _in_order(predicted)
    given = [_probabilities(place, found) for found in rows]
    probabilities = tuple(found for found in given if found is not None)
    if probabilities and len(probabilities) < len(given):
        raise DataError.at(place, "only some keyphrases have probabilities", "give them to all or to none")
    scores = tuple(float(found["score"]) for found in rows if found.get("score") is not None)
    gold, text = known[name] if known is not None else (_own_gold(place, name, row), None)
    return Analysed(
        name,
        gold,
        phrases,
        text_of(place, row) if text is None else text,
        tuple(map(confidence, probabilities)) or scores or (None if phrases else ()),
        probabilities or None,
    )


def _own_gold(place: str, name: str, row: Mapping[str, Any]) -> tuple[Gold, ...]:
    from kpframe.evaluation._phrase_values import gold_of

    if row.get("gold") is None:
        raise DataError.at(place, f"{name!r} brings no gold keyphrases", "give a file with them by --gold")
    return gold_of(place, row["gold"])


def _in_order(predicted: Any) -> list[Mapping[str, Any]]:
    """The objects of keyphrases in the order of `phrases_of`, which has checked them."""
    rows: list[Mapping[str, Any]] = [found for found in predicted if isinstance(found, dict)]
    for key, sign in (("rank", 1), ("score", -1)):
        if rows and rows[0].get(key) is not None:
            return sorted(rows, key=lambda row: sign * row[key])
    return rows


def _probabilities(place: str, found: Mapping[str, Any]) -> tuple[float, ...] | None:
    from kpframe.statistics.calibration import confidence

    given = found.get("probabilities")
    if given is None:
        return None
    if not isinstance(given, list):
        raise DataError.at(place, f"the probabilities {given!r} are no list", "one for each model token")
    try:
        confidence(given)
    except DataError as error:
        first = error.problems[0]
        raise DataError.at(f"{place}: {first.place}", first.problem, first.remedy) from None
    return tuple(map(float, given))
