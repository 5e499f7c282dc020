"""Predictions and gold out of standard input, which is read once and has no name that says what it is."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kpframe.errors import DataError, KpframeError
from kpframe.files.atomic import open_named
from kpframe.files.decoding import beginning
from kpframe.files.kinds import kind_of_file
from kpframe.files.leftovers import temporary_folder

__all__ = ["STDIN", "kept_input", "standard_input"]

STDIN = "standard input"

_HEADER = re.compile(r'\ufeff?\s*"?(?:id|doc_?id|document_id|doc|document)"?\s*,', re.IGNORECASE)
"""How a csv begins that names its documents."""


@contextmanager
def standard_input() -> Iterator[Path]:
    """A temporary file with all that is read; errors name standard input in its place."""
    with temporary_folder() as folder:
        path = kept_input(Path(folder), "stdin")
        try:
            yield path
        except KpframeError as error:
            moved = [p.but(place=p.place.replace(str(path), STDIN)) for p in error.problems]
            raise type(error)(moved) from None


def kept_input(folder: Path, stem: str) -> Path:
    """All that is read, as a file in the folder whose ending says what only a name can say."""
    path = folder / stem
    source = getattr(sys.stdin, "buffer", None)
    with open_named(path, "wb") as file:
        if source is None:  # a stream of text, as of a notebook
            file.write(sys.stdin.read().encode("utf-8", "surrogatepass"))
        else:
            shutil.copyfileobj(source, file)
    if not path.stat().st_size:
        path.unlink()
        raise DataError.at(STDIN, "is empty", "pipe the lines in, or give a file")
    return path.rename(path.with_suffix(_ending(path)))


def _ending(path: Path) -> str:
    seen = kind_of_file(str(path))
    packed = f".{seen.packing}" if seen.packing else ""
    if seen.kind.group != "text" or packed:
        return {"xmi": ".xmi"}.get(seen.kind.name, ".jsonl") + packed
    return ".csv" if _HEADER.match(beginning(str(path), "utf-8")[0]) else ".jsonl"
