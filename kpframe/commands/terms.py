"""`kpframe terms FILE --by COLUMN`: what is said in which group of documents."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from kpframe.commands import LeftOut, _arguments, counted, tell
from kpframe.commands._inputs import refuse_own_input

if TYPE_CHECKING:
    from kpframe.analysis.terms import GroupTerm

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "which keyphrases mark which group of documents, with the test"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument(
        "table",
        metavar="FILE",
        help="what `kpframe extract --keep … --out FILE` (or DIR/) wrote; - for standard input",
    )
    parser.add_argument("--by", required=True, metavar="COLUMN", help="the kept column with the groups")
    parser.add_argument("--id", metavar="COLUMN", help="the column with the ids of documents (default: id)")
    parser.add_argument(
        "--top", type=_arguments.at_least_one, metavar="N", help="terms a group (default: 20)"
    )
    parser.add_argument(
        "--order",
        choices=("log_likelihood", "tfidf", "frequency"),
        help="what terms are ordered by (default: log_likelihood)",
    )
    parser.add_argument("--out", metavar="FILE", help="a table: csv, tsv, jsonl, json, parquet or xlsx")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    table: str
    by: str
    id: str = "id"
    top: int = 20
    order: Literal["log_likelihood", "tfidf", "frequency"] = "log_likelihood"
    out: str | None = None
    quiet: bool = False


def execute(options: Options) -> int:
    """Print, or write, the terms of each group."""
    from kpframe.files.tables.writing import format_of_name

    if options.out is not None:
        format_of_name(options.out)  # before anything is read
        refuse_own_input(options.out, [options.table])
    from kpframe.analysis.terms import terms_of_table

    left_out = LeftOut(quiet=options.quiet)
    found = terms_of_table(
        options.table, options.by, id=options.id, top=options.top, order=options.order, lacks=left_out.tell
    )
    if options.out is None:
        print("\n".join(_shown(found, options.by)))
    else:
        _write(found, options.out)
        tell(f"wrote {options.out}: {counted(len(found), 'term')}")
    return left_out.status


def _shown(terms: Sequence[GroupTerm], by: str) -> Iterator[str]:
    from kpframe.display.marks import harmless

    for number, (group, of_group) in enumerate(groupby(terms, key=lambda term: term.group)):
        listed = list(of_group)
        gap = "\n" if number else ""
        yield harmless(f"{gap}{by} = {group}: {counted(listed[0].documents, 'document')}", keep="\n")
        width = max(4, *(len(term.term) for term in listed))
        yield f"  {'term':<{width}}  documents   here   rest  tf.idf       G²  p (Holm)"
        for t in listed:
            counts = f"{t.frequency:>9,}  {t.share:>5.1%}  {t.rest:>5.1%}"
            values = f"{t.tfidf:>6.1f}  {t.log_likelihood:>7.1f}  {t.p:>8.2g}"
            yield harmless(f"  {t.term:<{width}}  {counts}  {values}", keep="")


def _write(terms: Sequence[GroupTerm], out: str) -> None:
    from kpframe.analysis.terms import GroupTerm
    from kpframe.files.tables.writing import writing_table

    names = [field.name for field in fields(GroupTerm)]
    types = dict.fromkeys(("share", "rest", "tfidf", "log_likelihood", "p"), "float")
    with writing_table(out, names, {**types, "frequency": "int", "documents": "int"}) as writer:
        rows = [asdict(term) for term in terms]
        writer.write({name: [row[name] for row in rows] for name in names})
