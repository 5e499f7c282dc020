"""Files that are packed alone (gz, zst, bz2, xz), as streams of what is in them."""

from __future__ import annotations

from typing import IO, Any, cast

from kpframe.errors import ResourceError

__all__ = ["PACKINGS", "packed", "unpacked"]

PACKINGS = {"gz": b"\x1f\x8b", "zst": b"\x28\xb5\x2f\xfd", "bz2": b"BZh", "xz": b"\xfd7zXZ\0"}
"""The packings that are read, with their first bytes."""


def unpacked(stream: IO[bytes], packing: str) -> IO[bytes]:
    """What is packed in `stream`, as a stream; the stream itself where `packing` is empty.

    ResourceError if nothing is installed that unpacks it.
    """
    return stream if not packing else _opened(stream, packing, "rb")


def packed(stream: IO[bytes], packing: str) -> IO[bytes]:
    """A stream that packs what is written to it into `stream`; the same bytes for the same input."""
    return stream if not packing else _opened(stream, packing, "wb")


def _opened(stream: IO[bytes], packing: str, mode: str) -> IO[bytes]:
    made: Any
    if packing == "gz":
        import gzip

        made = gzip.GzipFile("", cast(Any, mode), fileobj=stream, mtime=0)
    elif packing == "bz2":
        import bz2

        made = bz2.BZ2File(stream, cast(Any, mode))
    elif packing == "xz":
        import lzma

        made = lzma.LZMAFile(stream, cast(Any, mode))  # noqa: SIM115
    else:
        made = _zstandard(stream, mode)
    return cast(IO[bytes], made)


def _zstandard(stream: IO[bytes], mode: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        remedy = "pip install 'kpframe[tables]', or pack it with gzip"
        raise ResourceError.at("zst", "needs pyarrow, which is not installed", remedy) from None
    whole = pyarrow.PythonFile(stream, mode="r" if mode == "rb" else "w")
    kind = pyarrow.CompressedInputStream if mode == "rb" else pyarrow.CompressedOutputStream
    return kind(whole, "zstd")
