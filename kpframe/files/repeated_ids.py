"""Ids that come in more than one partition: listed beside each result, and compared on disk.

Each partition's ids are unique already, since readers see to that. Over all of them they are sorted by
SQLite in a temporary file, so that memory does not grow with their number: 40 million ids take two
gigabytes of temporary files.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import repeat
from pathlib import Path

from kpframe.errors import DataError
from kpframe.files.atomic import open_named
from kpframe.files.leftovers import temporary_folder
from kpframe.files.urls import opened

__all__ = ["listing", "repeated"]

_PIECE = 2**20
"""Bytes of ids that are taken at a time."""
_FRESH = """
pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file; pragma cache_size = -32768;
create table ids (id blob, place integer);
"""
_FOUND = "select id, group_concat(place) from ids group by id having count(*) > 1 order by id"


@contextmanager
def listing(path: Path) -> Iterator[Callable[[str], None]]:
    """A function that notes one id; the list is packed lines of JSON, the same bytes for the same ids."""
    with open_named(path, "wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:

        def note(id: str) -> None:
            packed.write(f"{json.dumps(id)}\n".encode())

        yield note


def repeated(lists: Sequence[tuple[str, str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each id that is in more than one list, with the names of those lists, in the order of their bytes.

    `lists` are names and paths. DataError for a list that cannot be read, and where temporary files have
    no room.
    """
    with temporary_folder() as folder:
        try:
            with closing(sqlite3.connect(Path(folder, "ids"), isolation_level=None)) as base:
                base.executescript(_FRESH)
                for number, (_, path) in enumerate(lists):
                    for lines in _pieces(path):
                        # As lines of JSON: equal ids are equal lines, and none needs to be parsed.
                        base.execute("begin")
                        base.executemany("insert into ids values (?, ?)", zip(lines, repeat(number)))
                        base.execute("commit")
                for line, places in base.execute(_FOUND):
                    names = (lists[number][0] for number in sorted(map(int, places.split(","))))
                    yield json.loads(line), tuple(names)
        except sqlite3.Error as error:
            remedy = "make room there, or set TMPDIR to a folder that has some"
            raise DataError.at(folder, f"ids cannot be compared ({error})", remedy) from None


def _pieces(path: str) -> Iterator[list[bytes]]:
    try:
        with opened(path) as file, gzip.GzipFile("", "rb", fileobj=file) as lines:
            while some := lines.readlines(_PIECE):
                yield some
    except (OSError, EOFError, zlib.error) as error:
        remedy = "remove it: the same command makes it anew"
        raise DataError.at(path, f"ids cannot be read ({error})", remedy) from None
