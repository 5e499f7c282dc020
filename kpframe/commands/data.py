"""`kpframe data stats|list|export`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kpframe.commands import LeftOut, _arguments, counted, tell
from kpframe.commands._corpora import chosen_corpora
from kpframe.commands._effects import need_ending, refuse_without_effect
from kpframe.commands._given_gold import GivenGold, gold_and_corpora
from kpframe.commands._inputs import PassedOver, one_standard_input
from kpframe.errors import DataError, SpecError

if TYPE_CHECKING:
    from kpframe.analysis.catalogue import KnownCorpus
    from kpframe.analysis.consistency import Consistency
    from kpframe.analysis.text_statistics import CorpusStatistics
    from kpframe.model import Document, Skipped

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "statistics, list or export of a corpus"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("action", choices=("stats", "list", "export"))
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="NAME",
        help="corpora by the names that `data list` shows, specs, or files, folders and zips with texts",
    )
    _arguments.settings(parser)
    _arguments.data(parser)
    _arguments.limit(parser)
    parser.add_argument(
        "--gold",
        nargs="?",
        const="",
        metavar="FILE",
        help="for stats: also what the gold keyphrases are like, the best scores that there can be, and how "
        "consistent several indexers are; FILE behind a corpus has its gold, as `score --gold` reads it",
    )
    parser.add_argument(
        "--predictions",
        action="append",
        metavar="FILE",
        help="for stats --gold: predictions of a system, for its consistency with the indexers; may be "
        "repeated",
    )
    parser.add_argument(
        "--top",
        type=_arguments.at_least_one,
        metavar="N",
        help="of predictions only the first N, equal ones counted once (default: all)",
    )
    _arguments.better(parser)
    parser.add_argument(
        "--present",
        choices=("stems", "words", "alphanumeric", "characters"),
        help="for stats: when a gold keyphrase is present in a text (default: stems)",
    )
    parser.add_argument("--format", choices=("text", "json"), help="for stats (default: text)")
    parser.add_argument("--out", metavar="FILE", help="for export: the JSONL file to write")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    action: Literal["stats", "list", "export"]
    corpora: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    data: str | None = None
    limit: int | None = None
    gold: str | None = None
    predictions: tuple[str, ...] = ()
    top: int | None = None
    better: Literal["higher", "lower"] | None = None
    present: Literal["stems", "words", "alphanumeric", "characters"] | None = None
    format: Literal["text", "json"] | None = None
    out: str | None = None
    quiet: bool = False


_OF_PREDICTIONS = ("predictions", "top", "better")

_WITHOUT_EFFECT = {
    "list": ("corpora", "settings", "limit", "gold", *_OF_PREDICTIONS, "present", "format", "out"),
    "stats": ("out",),
    "export": ("gold", *_OF_PREDICTIONS, "present", "format"),
}


def execute(options: Options) -> int:
    """Statistics, list or export of corpora."""
    from kpframe.analysis.catalogue import known_corpora

    refuse_without_effect(options, _WITHOUT_EFFECT[options.action], f"on data {options.action}")
    if options.action == "list":
        print(_listed(known_corpora(options.data)))
        return 0
    of_gold, names = gold_and_corpora(
        options.gold, options.corpora, [corpus.name for corpus in known_corpora(options.data)]
    )
    options = replace(options, gold=options.gold if of_gold is None else of_gold, corpora=names)
    one_standard_input(("NAME", *names), ("--predictions", *options.predictions), ("--gold", of_gold))
    corpora = chosen_corpora(names, options.settings, options.data)
    if of_gold is not None and len(corpora) > 1:
        raise SpecError.at(f"--gold {of_gold}", "is the gold of one corpus, not of several", "name one")
    if options.action == "export":
        return _export(corpora, options)
    return _stats(corpora, options, of_gold)


def _listed(corpora: list[KnownCorpus]) -> str:
    lines = []
    for corpus in corpora:
        state = "found" if corpus.reader else f"not found ({corpus.missing})"
        lines.append(f"{corpus.name:<12} {corpus.title}; {corpus.origin}: {state}")
    return "\n".join(lines)


def _stream(corpus: KnownCorpus, options: Options) -> Iterator[Document | Skipped]:
    from kpframe.engine.progress import Progress

    if corpus.reader is None:
        raise DataError.at(f"corpus {corpus.name!r}", corpus.missing, "give its folder by --data DIR")
    return islice(Progress(options.quiet).count(corpus.reader.read(), corpus.name), options.limit)


def _export(corpora: list[KnownCorpus], options: Options) -> int:
    import json

    from kpframe.files.atomic import atomic_write

    if len(corpora) != 1 or not options.out:
        raise DataError.at(
            "data export", "needs one corpus and --out FILE.jsonl", "as: data export inspec --out i.jsonl"
        )
    need_ending("--out", options.out, ".jsonl")
    documents = 0
    left_out = PassedOver()
    with atomic_write(Path(options.out)) as file:
        for item in left_out.documents(_stream(corpora[0], options)):
            file.write((json.dumps(item.to_json(), ensure_ascii=False, default=str) + "\n").encode())
            documents += 1
    tell(f"{counted(documents, 'document')}: {options.out}")
    return left_out.close(quiet=options.quiet)


def _stats(corpora: list[KnownCorpus], options: Options, of_gold: str | None) -> int:
    import json

    from kpframe.analysis.text_statistics import statistics
    from kpframe.commands._consistency_table import consistency_table

    _refuse_lone_predictions(options)
    if not corpora:
        raise DataError.at(
            "data stats", "no corpus was found", "give the folder of the corpora by --data DIR"
        )
    left_out, unpaired = PassedOver(), LeftOut(quiet=options.quiet)
    given = None if of_gold is None else GivenGold(of_gold, unpaired)

    def documents(corpus: KnownCorpus) -> Iterator[Document | Skipped]:
        items = left_out.watched(_stream(corpus, options))
        return items if given is None else given.put_in(items)

    present = options.present or "stems"
    found = [(corpus, statistics(documents(corpus), present=present)) for corpus in corpora]
    status = left_out.close(quiet=options.quiet)
    for corpus, made in found:
        if told := made.keyphrases.marks.told(f"{corpus.name}: gold"):
            tell(told)
    asked = options.gold is not None
    agreed = {one.name: _consistency(one, options, unpaired, given) for one in corpora if asked}
    status = max(status, unpaired.status)
    if options.format == "json":
        values: dict[str, Any] = {corpus.name: made.to_json() for corpus, made in found}
        for name, tables in agreed.items():
            if tables:
                values[name]["consistency"] = [one.to_json() for one in tables]
        print(json.dumps(values, indent=2))
        return status
    texts = [text for corpus, made in found for text in _tables(corpus, made, asked)]
    texts += [consistency_table(name, one) for name, tables in agreed.items() for one in tables]
    print("\n\n".join(texts))
    return status


def _consistency(
    corpus: KnownCorpus, options: Options, unpaired: LeftOut, given: GivenGold | None
) -> list[Consistency]:
    """Under each of the two matchings, where at least two indexers have given the gold keyphrases."""
    from kpframe.analysis.consistency import consistency, sources_of
    from kpframe.commands._unpaired import tell_unpaired
    from kpframe.evaluation.predictions import join, read_predictions
    from kpframe.model import Document
    from kpframe.spec.measures import DEFAULT_MATCHINGS
    from kpframe.stages import Matching
    from kpframe.stages.registry import lookup

    items = _stream(corpus, options)
    documents = [
        Document(one.id, "", one.language, one.gold)
        for one in (items if given is None else given.put_in(items, told=False))
        if isinstance(one, Document)
    ]
    if not any(len(sources_of(one)) > 1 for one in documents):
        if options.predictions:
            problem = f"the gold of {corpus.name} is not that of several indexers"
            raise DataError.at("--predictions", problem, "leave it out; kpframe score compares with gold")
        return []
    gold = [(one.id, one.gold, None) for one in documents if sources_of(one)]
    systems: dict[str, dict[str, Sequence[str]]] = {}
    for name, path in zip(_named(options.predictions), options.predictions, strict=True):
        joined = join(gold, read_predictions(path, better=options.better))
        tell_unpaired(joined, "empty", unpaired, f" of {name}")
        systems[name] = {pair.id: pair.phrases for pair in joined.pairs}
    tables = []
    for kind in DEFAULT_MATCHINGS:
        # No indexer is wrong because his term is not in the text.
        matching = lookup("matching", kind).model_validate({"absent": "keep"})
        assert isinstance(matching, Matching)
        tables.append(consistency(documents, matching, kind, systems, top=options.top))
    return tables


def _named(paths: Sequence[str]) -> list[str]:
    """Of a file in a run the name of the cell, of another its own; paths where these are alike."""
    files = [Path(path) for path in paths]
    short = [one.parent.name if one.name == "keyphrases.jsonl" else one.stem for one in files]
    return short if len(set(short)) == len(short) else list(paths)


def _refuse_lone_predictions(options: Options) -> None:
    for name in _OF_PREDICTIONS:
        if getattr(options, name) and (options.gold is None or not options.predictions):
            remedy = "add --gold" if options.predictions else "add --gold and --predictions FILE"
            raise SpecError.at(f"--{name}", "is for the consistency with several indexers", remedy)


def _tables(corpus: KnownCorpus, made: CorpusStatistics, gold: bool) -> Iterator[str]:
    from kpframe.commands._gold_table import gold_table

    yield _described(corpus, made)
    if gold:
        yield gold_table(corpus.name, made)
        for name, part in made.splits.items():
            yield gold_table(f"{corpus.name}, part {name}", part)


def _described(corpus: KnownCorpus, made: CorpusStatistics) -> str:
    """The figures of one corpus, the published ones beside ours."""
    from kpframe.commands._gold_table import PRESENCE, number

    published = corpus.published
    rows = [
        ("documents", f"{made.documents}", published.get("documents")),
        ("tokens a document", number(made.mean_tokens, 1), published.get("mean_tokens")),
        ("gold keyphrases", f"{made.gold}", None),
        ("gold keyphrases a document", number(made.mean_gold, 2), published.get("mean_gold")),
        ("correlation of length and number of gold", number(made.pearson_r, 2), published.get("pearson_r")),
        ("tokens a gold keyphrase", number(made.mean_gold_length, 2), None),
        (f"gold present ({PRESENCE[made.present]})", f"{made.present_gold}", None),
        ("documents with a present one", f"{made.documents_with_present}", None),
        ("documents without gold", f"{made.without_gold}", None),
        ("empty texts", f"{made.empty}", None),
        ("skipped", f"{made.skipped}", None),
    ]
    lines = [f"{corpus.name}: {corpus.title}"]
    lines += [
        f"  {label:<42} {value:>10}" + (f"  ({theirs})" if theirs is not None else "")
        for label, value, theirs in rows
    ]
    for name, part in made.splits.items():
        having = counted(part.documents_with_present, "document")
        lines.append(
            f"  part {name}: {counted(part.documents, 'document')}, {counted(part.gold, 'gold keyphrase')}, "
            f"{part.present_gold:,} present, {having} with a present one"
        )
    if published.get("source"):
        lines.append(f"  (in brackets: {published['source']})")
    return "\n".join(lines)
