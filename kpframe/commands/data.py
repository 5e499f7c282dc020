"""`kpframe data stats|list|export`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kpframe.commands import _arguments, counted, tell
from kpframe.commands._effects import need_ending, refuse_without_effect
from kpframe.commands._inputs import PassedOver, files_reader, is_source
from kpframe.errors import DataError, KpframeError

if TYPE_CHECKING:
    from kpframe.analysis.catalogue import KnownCorpus
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
        action="store_true",
        help="for stats: also what the gold keyphrases are like, and the best scores that there can be",
    )
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
    gold: bool = False
    present: Literal["stems", "words", "alphanumeric", "characters"] | None = None
    format: Literal["text", "json"] | None = None
    out: str | None = None
    quiet: bool = False


_WITHOUT_EFFECT = {
    "list": ("corpora", "settings", "limit", "gold", "present", "format", "out"),
    "stats": ("out",),
    "export": ("gold", "present", "format"),
}


def execute(options: Options) -> int:
    """Statistics, list or export of corpora."""
    from kpframe.analysis.catalogue import known_corpora

    refuse_without_effect(options, _WITHOUT_EFFECT[options.action], f"on data {options.action}")
    if options.action == "list":
        print(_listed(known_corpora(options.data)))
        return 0
    corpora = _chosen(options)
    if options.action == "export":
        return _export(corpora, options)
    return _stats(corpora, options)


def _listed(corpora: list[KnownCorpus]) -> str:
    lines = []
    for corpus in corpora:
        state = "found" if corpus.reader else f"not found ({corpus.missing})"
        lines.append(f"{corpus.name:<12} {corpus.title}; {corpus.origin}: {state}")
    return "\n".join(lines)


def _chosen(options: Options) -> list[KnownCorpus]:
    """The corpora that were named, by name or by a spec; for none all that are found."""
    from kpframe.analysis.catalogue import known_corpora

    known = {corpus.name: corpus for corpus in known_corpora(options.data)}
    if not options.corpora:
        return [corpus for corpus in known.values() if corpus.reader]
    return [_corpus(name, options, known) for name in options.corpora]


def _corpus(name: str, options: Options, known: dict[str, KnownCorpus]) -> KnownCorpus:
    """A corpus by its name, by a spec, or by the files with its texts."""
    if name in known:
        return known[name]
    return _of_files(name) if is_source(name) else _of_spec(name, options, known)


def _of_files(path: str) -> KnownCorpus:
    from kpframe.analysis.catalogue import KnownCorpus
    from kpframe.commands._look import look_at

    if path == "-":
        return KnownCorpus("stdin", "standard input", "", files_reader([path], path), "")
    found = look_at([path], None)
    return KnownCorpus(path, found.layout.found, "", found.reader(), "")


def _of_spec(name: str, options: Options, known: dict[str, KnownCorpus]) -> KnownCorpus:
    from kpframe.analysis.catalogue import KnownCorpus
    from kpframe.spec import load_spec

    try:
        spec = load_spec(name, settings=options.settings, data=options.data, purpose="check")
    except KpframeError as error:
        if all(problem.place == f"spec {name!r}" for problem in error.problems):
            raise DataError.at(
                f"corpus {name!r}", "is not known", f"there are: {', '.join(known)}; or give a spec"
            ) from None
        raise
    return KnownCorpus(spec.name, spec.description, "", spec.reader, "" if spec.reader else "no documents")


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


def _stats(corpora: list[KnownCorpus], options: Options) -> int:
    import json

    from kpframe.analysis.text_statistics import statistics

    if not corpora:
        raise DataError.at(
            "data stats", "no corpus was found", "give the folder of the corpora by --data DIR"
        )
    left_out = PassedOver()
    found = [
        (corpus, statistics(left_out.watched(_stream(corpus, options)), present=options.present or "stems"))
        for corpus in corpora
    ]
    status = left_out.close(quiet=options.quiet)
    if options.format == "json":
        print(json.dumps({corpus.name: made.to_json() for corpus, made in found}, indent=2))
        return status
    texts = [text for corpus, made in found for text in _tables(corpus, made, options.gold)]
    print("\n\n".join(texts))
    return status


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
        lines.append(
            f"  part {name}: {part.documents} documents, {part.gold} gold keyphrases, {part.present_gold} "
            f"present, {part.documents_with_present} documents with a present one"
        )
    if published.get("source"):
        lines.append(f"  (in brackets: {published['source']})")
    return "\n".join(lines)
