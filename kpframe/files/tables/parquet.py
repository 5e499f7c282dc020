"""Parquet, by pyarrow: read batch by batch out of row groups, so that memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from kpframe.errors import DataError, ResourceError
from kpframe.files.tables.rows import BATCH, Rows, Table, damaged

__all__ = ["ParquetTable", "arrow", "common_types", "holds_text"]


def arrow(what: str) -> Any:
    """The package pyarrow; ResourceError, naming `what` needs it, if it is not installed."""
    try:
        import pyarrow
    except ImportError:
        remedy = "pip install 'kpframe[tables]'"
        raise ResourceError.at(what, "needs pyarrow, which is not installed", remedy) from None
    return pyarrow


def holds_text(kind: Any) -> bool:
    """Whether values of an Arrow type can be texts, or lists of tokens."""
    import pyarrow.types as types

    if not types.is_dictionary(kind):
        kind = getattr(kind, "value_type", kind)  # of lists of any sort
    if types.is_dictionary(kind):
        kind = kind.value_type
    tests = (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    return any(test(kind) for test in tests)


def common_types(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The Arrow types of columns by name that hold those of all tables. DataError where there is none."""
    pa = arrow("parquet")
    schemas = [pa.schema(list(types.items())) for types in tables.values()]
    try:
        whole = pa.unify_schemas(schemas, promote_options="permissive")
    except (pa.ArrowException, TypeError) as error:
        problem = f"columns differ between the files ({' '.join(str(error).split())})"
        raise DataError.at(next(iter(tables)), problem, "give one file, or leave the column out") from None
    return dict(zip(whole.names, whole.types, strict=True))


class ParquetTable(Table):
    """The columns of a Parquet file, with their types."""

    def __init__(self, stream: IO[bytes], place: str) -> None:
        self.place = place
        self._stream = stream
        self._arrow = arrow(place)
        import pyarrow.parquet

        try:
            # Not buffered ahead: a row group of a large file would be held as a whole.
            self._file = pyarrow.parquet.ParquetFile(stream, pre_buffer=False, buffer_size=2**20)
            schema = self._file.schema_arrow
        except (self._arrow.ArrowException, OSError, ValueError) as error:
            raise damaged(place, error) from None
        self.columns = list(schema.names)
        self.types = dict(zip(schema.names, schema.types, strict=True))

    def batches(self, names: Sequence[str]) -> Iterator[Rows]:
        """The rows, numbered from 1."""
        begin = 1
        try:
            # In the caller's thread: what is decoded ahead is held in memory.
            for batch in self._file.iter_batches(BATCH, columns=list(names), use_threads=False):
                values = {name: batch.column(name).to_pylist() for name in names}
                yield Rows(values, list(range(begin, begin + batch.num_rows)))
                begin += batch.num_rows
        except self._arrow.ArrowMemoryError:
            problem = f"rows {begin:,} to {begin + BATCH - 1:,} need more memory than there is"
            raise DataError.at(self.place, problem, "write smaller row groups, and shorter cells") from None
        except (self._arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise damaged(self.place, error) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._stream.close()
