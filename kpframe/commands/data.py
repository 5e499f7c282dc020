"""`kpframe data stats|list|export`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from kpframe.commands import counted, tell
from kpframe.commands._gold_table import PRESENCE, gold_table, number
from kpframe.corpora.catalogue import KnownCorpus, known_corpora
from kpframe.corpora.text_statistics import CorpusStatistics, statistics
from kpframe.engine.progress import Progress
from kpframe.errors import DataError, KpframeError
from kpframe.files.atomic import atomic_write
from kpframe.model import Document, Skipped
from kpframe.spec import load_spec

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Statistics, list or export of corpora."""
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


def _chosen(options: Any) -> list[KnownCorpus]:
    """The corpora that were named, by name or by a spec; for none all that are found."""
    known = {corpus.name: corpus for corpus in known_corpora(options.data)}
    if not options.corpora:
        return [corpus for corpus in known.values() if corpus.reader]
    return [known[name] if name in known else _of_spec(name, options, known) for name in options.corpora]


def _of_spec(name: str, options: Any, known: dict[str, KnownCorpus]) -> KnownCorpus:
    try:
        spec = load_spec(name, settings=options.settings, data=options.data, purpose="check")
    except KpframeError as error:
        if all(problem.place == f"spec {name!r}" for problem in error.problems):
            raise DataError.at(
                f"corpus {name!r}", "is not known", f"there are: {', '.join(known)}; or give a spec"
            ) from None
        raise
    return KnownCorpus(spec.name, spec.description, "", spec.reader, "" if spec.reader else "no documents")


def _stream(corpus: KnownCorpus, options: Any) -> Iterator[Document | Skipped]:
    if corpus.reader is None:
        raise DataError.at(f"corpus {corpus.name!r}", corpus.missing, "give its folder by --data DIR")
    return islice(Progress(options.quiet).count(corpus.reader.read(), corpus.name), options.limit)


def _export(corpora: list[KnownCorpus], options: Any) -> int:
    if len(corpora) != 1 or not options.out:
        raise DataError.at(
            "data export", "needs one corpus and --out FILE.jsonl", "as: data export inspec --out i.jsonl"
        )
    documents = 0
    with atomic_write(Path(options.out)) as file:
        for item in _stream(corpora[0], options):
            if isinstance(item, Skipped):
                tell(f"skipped: {item.place}: {item.reason}")
                continue
            file.write((json.dumps(item.to_json(), ensure_ascii=False) + "\n").encode())
            documents += 1
    tell(f"{counted(documents, 'document')}: {options.out}")
    return 0


def _stats(corpora: list[KnownCorpus], options: Any) -> int:
    if not corpora:
        raise DataError.at(
            "data stats", "no corpus was found", "give the folder of the corpora by --data DIR"
        )
    found = [(corpus, statistics(_stream(corpus, options), present=options.present)) for corpus in corpora]
    if options.format == "json":
        print(json.dumps({corpus.name: made.to_json() for corpus, made in found}, indent=2))
        return 0
    texts = [text for corpus, made in found for text in _tables(corpus, made, options.gold)]
    print("\n\n".join(texts))
    return 0


def _tables(corpus: KnownCorpus, made: CorpusStatistics, gold: bool) -> Iterator[str]:
    yield _described(corpus, made)
    if gold:
        yield gold_table(corpus.name, made)
        for name, part in made.splits.items():
            yield gold_table(f"{corpus.name}, part {name}", part)


def _described(corpus: KnownCorpus, made: CorpusStatistics) -> str:
    """The figures of one corpus, the published ones beside ours."""
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
