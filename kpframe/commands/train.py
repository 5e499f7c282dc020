"""`kpframe train SPEC --out MODEL`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from kpframe.commands import _arguments, counted, tell
from kpframe.errors import DataError, SpecError

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "train the ranking of a spec and save the pipeline"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    _arguments.spec(parser)
    parser.add_argument("--out", required=True, metavar="MODEL", help="the model file to write (.json)")
    _arguments.limit(parser)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    spec: str
    out: str
    settings: tuple[str, ...] = ()
    data: str | None = None
    limit: int | None = None


def execute(options: Options) -> int:
    """Train on the training part of the spec's documents, or on all if it has no split."""

    from kpframe.engine.pipeline import Pipeline
    from kpframe.engine.spool import Spool, read_documents
    from kpframe.files.leftovers import temporary_folder
    from kpframe.spec import load_spec

    if not str(options.out).endswith(".json"):
        raise SpecError.at("--out", f"{options.out!r} is no name for a model", "end it with .json")
    spec = load_spec(options.spec, settings=options.settings, data=options.data, purpose="check")
    if spec.reader is None:
        raise DataError.at("documents", "is missing", "name a reader, as {kind: jsonl, path: …}")
    with temporary_folder() as scratch:
        spool = Spool.write(
            Path(scratch) / "documents.jsonl", spec.reader.read(), split=spec.split, limit=options.limit
        )
        for skipped in spool.skipped[:3]:
            tell(f"skipped: {skipped.place}: {skipped.reason}")
        entries = spool.part("train") if spec.split else list(spool.entries)
        documents = (document for entry in entries for document in read_documents(spool.path, [entry]))
        Pipeline.train(spec, documents).save(options.out)
    tell(f"trained on {counted(len(entries), 'document')}; model: {Path(options.out)}")
    return 0
