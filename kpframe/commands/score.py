"""`kpframe score --predictions F … [--gold F] [--preset NAME] [--out RUN]`."""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kpframe.commands import LeftOut, _arguments, counted, tell
from kpframe.commands._effects import need_ending, refuse_without_effect
from kpframe.commands._inputs import one_standard_input
from kpframe.commands._score_run import score_as_run
from kpframe.errors import SpecError

if TYPE_CHECKING:
    from kpframe.evaluation.spooled import SpooledJoin, SpooledPairs
    from kpframe.model import Score
    from kpframe.spec.measures import Measure

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "score existing predictions against gold keyphrases"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    _inputs(parser)
    _measures(parser)
    _documents(parser)
    parser.add_argument("--format", choices=("text", "json", "csv", "markdown"), help="default: text")


def _inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--gold", metavar="FILE", help="not needed if the predictions carry their gold; - is stdin"
    )
    parser.add_argument(
        "--predictions",
        required=True,
        action="append",
        metavar="FILE",
        help="of one system, - is stdin; with --out it may be repeated",
    )
    parser.add_argument("--names", metavar="A,B", help="with --out: what the systems are called")
    parser.add_argument(
        "--out", metavar="DIR", help="make a run of it, as `kpframe run` does: tables, page, comparisons"
    )
    _arguments.better(parser)
    _arguments.under(parser)


def _measures(parser: argparse.ArgumentParser) -> None:
    of_preset = "all measures of a family under its conventions, as kpeval; see `kpframe presets`"
    parser.add_argument("--preset", action="append", metavar="NAME", help=of_preset)
    parser.add_argument(
        "--subset",
        action="append",
        choices=("all", "present", "absent"),
        help="which phrases count, gold and predicted; for a preset, of its subsets; may be repeated",
    )
    examples = {
        "metric": "r_precision, f1@10 or '{kind: f1, k: 10, average: micro}'",
        "matching": "exact, approximate or '{kind: soft, similarity: kmr}'",
    }
    for name, example in examples.items():
        about = f"as {example}; may be repeated"
        parser.add_argument(f"--{name}", action="append", metavar=name.upper(), help=about)
    parser.add_argument(
        "--normalize",
        choices=("casefold", "porter", "snowball", "lancaster", "lemma"),
        help="how tokens are compared (default: casefold)",
    )
    parser.add_argument(
        "--absent",
        choices=("drop", "keep", "split", "only"),
        help="gold keyphrases that are not in the text (default: drop where texts are given)",
    )


def _documents(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--per-document", metavar="FILE", help="also write the values of every document, as CSV"
    )
    parser.add_argument(
        "--missing",
        type=_missing,
        choices=("empty", "skip", "refuse"),
        help="documents without predictions (default: empty)",
    )
    _arguments.language(parser, "of documents that do not say it")


def _missing(word: str) -> str:
    """A policy by its name; those of 0.1.0 stand for what they are called now."""
    from kpframe.evaluation.missing import OLDER

    return OLDER.get(word, word)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    predictions: tuple[str, ...]
    gold: str | None = None
    names: str | None = None
    out: str | None = None
    better: Literal["higher", "lower"] | None = None
    under: str | None = None
    preset: tuple[str, ...] = ()
    subset: tuple[str, ...] = ()
    metric: tuple[str, ...] = ()
    matching: tuple[str, ...] = ()
    normalize: str | None = None
    absent: str | None = None
    per_document: str | None = None
    missing: Literal["empty", "skip", "refuse"] | None = None
    language: str = "auto"
    format: str = "text"
    quiet: bool = False


def execute(options: Options) -> int:
    """Score a file of predictions and print every score with its signature; or make a run of several.

    The exit status is 1 where ids are on one side only, unless `--missing` says that this is known: a score
    over other documents than were meant, or with zeros that nobody asked for, must not look as if all were
    well.
    """
    from kpframe.evaluation.scoring import in_languages, score_measures, with_policy

    need_ending("--per-document", options.per_document, ".csv")
    one_standard_input(("--predictions", *options.predictions), ("--gold", options.gold))
    if options.out is not None:
        refuse_without_effect(options, ("per_document",), "with --out, which writes tables itself")
        if options.format != "text":
            raise SpecError.at(
                "--format", "has no effect with --out, which writes all of them", "leave it out"
            )
        return score_as_run(options, lambda texts: _chosen(options, texts))
    refuse_without_effect(options, ("names",), "without --out")
    if len(options.predictions) > 1:
        raise SpecError.at("--predictions", "are several", "give --out DIR: it makes a run of them")
    left_out = LeftOut(quiet=options.quiet and options.missing is None)
    joined = _joined(options, left_out)
    if options.better is not None and not joined.pairs.scored:
        tell(f"--better {options.better} has no effect: the predictions have no scores")
    chosen = in_languages(_chosen(options, joined.pairs.texts), joined.pairs, options.language)
    scores = with_policy(score_measures(joined.pairs, chosen), options.missing or "empty")
    if options.per_document:
        _write_documents(Path(options.per_document), joined.pairs, chosen)
        tell(f"values of {counted(len(joined.pairs), 'document')}: {options.per_document}")
    show = _named if options.format == "text" and options.preset else _SHOWN[options.format]
    print(show(scores))
    return left_out.status if options.missing is None else 0


def _chosen(options: Options, texts: bool) -> list[Measure]:
    """The measures that were asked for; without texts, absent gold can only be kept."""
    from kpframe.evaluation.scoring import chosen_measures
    from kpframe.spec.measures import DEFAULT_MATCHINGS, DEFAULT_METRICS
    from kpframe.spec.strict_yaml import parse_value

    if options.preset and not options.metric:
        for name in ("matching", "normalize", "absent"):
            if getattr(options, name) not in (None, ()):
                problem = "has no effect on a preset, which sets all conventions"
                raise SpecError.at(f"--{name}", problem, "leave it out, or name a --metric that it is for")
        metrics = matchings = None
    else:
        metrics = [parse_value(text, f"--metric {text}") for text in options.metric or DEFAULT_METRICS]
        matchings = [_matching(text, options) for text in options.matching or DEFAULT_MATCHINGS]
    return chosen_measures(metrics, matchings, options.preset or (), options.subset or (), texts=texts)


def _joined(options: Options, left_out: LeftOut) -> SpooledJoin:
    from kpframe.commands._unpaired import tell_unpaired
    from kpframe.evaluation.predictions import read_gold, read_predictions
    from kpframe.evaluation.spooled import join_spooled

    gold = read_gold(options.gold, under=options.under) if options.gold else None
    predictions = read_predictions(options.predictions[0], under=options.under, better=options.better)
    joined = join_spooled(gold, predictions, missing=options.missing or "empty")
    tell_unpaired(joined, options.missing or "empty", left_out)
    return joined


def _matching(text: str, options: Options) -> Any:
    """The matching as in a spec; --normalize and --absent hold where it does not say them itself."""
    from kpframe.spec.strict_yaml import parse_value

    value = parse_value(text, f"--matching {text}")
    if options.absent is not None and options.subset:
        raise SpecError.at("--absent", "says the same as --subset", "give one of the two")
    common = {"normalize": options.normalize, "absent": options.absent}
    given = {name: word for name, word in common.items() if word is not None}
    if isinstance(value, str):
        return {"kind": value, **given}
    return {**given, **value} if isinstance(value, dict) and "kind" in value else value


def _write_documents(path: Path, pairs: SpooledPairs, measures: Sequence[Measure]) -> None:
    """A row a document, a column a measure; empty where a document is in no average."""
    import csv

    from kpframe.evaluation.scoring import tallied
    from kpframe.files.atomic import atomic_write
    from kpframe.files.escaping import in_csv

    with atomic_write(path) as binary:
        file = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", *(in_csv(measure.column) for measure in measures)])
        for pair, tallies in tallied(pairs, measures):
            values = (
                one.value(measure.metric) if one.counts_for(measure.metric) else ""
                for one, measure in zip(tallies, measures, strict=True)
            )
            writer.writerow([in_csv(pair.id), *values])
        file.flush()
        file.detach()


def _value(score: Score) -> str:
    return "–" if score.value is None else format(score.value, ".4f")


def _text(scores: Sequence[Score]) -> str:
    return "\n".join(f"{_value(score)}  {score.signature}" for score in scores)


def _named(scores: Sequence[Score]) -> str:
    """With the names that a family gives its measures, which signatures do not have."""
    names = [f"{score.metric}/{score.matching}" for score in scores]
    width = max(map(len, names))
    return "\n".join(
        f"{_value(score)}  {name:{width}}  {score.signature}"
        for name, score in zip(names, scores, strict=True)
    )


def _json(scores: Sequence[Score]) -> str:
    import json

    return json.dumps([score.to_json() for score in scores], indent=2)


def _csv(scores: Sequence[Score]) -> str:
    import csv

    from kpframe.files.escaping import in_csv

    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["metric", "matching", "value", "documents", "skipped", "signature"])
    writer.writerows(
        [in_csv(value) if isinstance(value, str) else value for value in score.to_json().values()]
        for score in scores
    )
    return file.getvalue().rstrip("\n")


def _markdown(scores: Sequence[Score]) -> str:
    rows = [(f"{score.metric}, {score.matching}", _value(score), f"`{score.signature}`") for score in scores]
    lines = ["| measure | value | signature |", "|---|---:|---|"]
    return "\n".join(
        [*lines, *(f"| {' | '.join(c.replace('|', chr(92) + '|') for c in row)} |" for row in rows)]
    )


_SHOWN = {"text": _text, "json": _json, "csv": _csv, "markdown": _markdown}
