"""The storages that URLs name, as fsspec has them: which are known, what they need, how they fail."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from kpframe.errors import DataError, KpframeError, ResourceError, SpecError, suggestion, without_secrets

__all__ = ["protocol", "stream", "system", "told", "unreachable"]

_NEEDS = {
    "s3": "kpframe[s3]", "s3a": "kpframe[s3]", "gs": "kpframe[gcs]", "gcs": "kpframe[gcs]",
    "abfs": "adlfs", "abfss": "adlfs", "az": "adlfs", "hdfs": "kpframe[tables]", "webhdfs": "requests",
    "http": "kpframe[urls]", "https": "kpframe[urls]", "sftp": "paramiko", "ssh": "paramiko",
    "ftp": "kpframe[urls]", "hf": "huggingface_hub", "memory": "kpframe[urls]", "file": "kpframe[urls]",
}  # fmt: skip
"""The protocols, with what to install for each. No others: some that fsspec knows unpack what they read by
templates or programs, and a spec is data, which can never run code."""


def protocol(path: str) -> str:
    """What stands before `://`, in lower case."""
    return path.partition("://")[0].lower()


def system(path: str) -> Any:
    """fsspec's file system for a URL. SpecError for an unknown kind, ResourceError for a missing library."""
    kind = protocol(path)
    if kind not in _NEEDS or "::" in path:
        raise SpecError.at(path, f"{kind}:// is not known", suggestion(kind, sorted(_NEEDS), "known are"))
    user, at, _ = path.partition("://")[2].partition("/")[0].rpartition("@")
    if at and ":" in user:
        problem = "has a password in it, which would stand in logs"
        raise SpecError.at(path, problem, "give it as the storage has it: environment, configuration file")
    try:
        import fsspec
    except ImportError:
        problem = "needs fsspec, which is not installed"
        raise ResourceError.at(path, problem, "pip install 'kpframe[urls]'") from None
    try:
        # Listings that are remembered would hide what others have changed since.
        return fsspec.core.url_to_fs(path, use_listings_cache=False)[0]
    except ImportError as error:
        remedy = f"pip install '{_NEEDS[kind]}'"
        raise ResourceError.at(path, f"needs a library that is not installed ({error})", remedy) from None


@contextmanager
def told(path: str, done: str = "read") -> Iterator[None]:
    """Whatever a storage raises is told as what it is, with the URL and without secrets."""
    try:
        yield
    except KpframeError:
        raise
    except FileNotFoundError as error:
        if done == "read":  # as `open` has it
            raise
        raise unreachable(path, error, done) from None
    except Exception as error:  # each storage has errors of its own
        raise unreachable(path, error, done) from None


def unreachable(path: str, error: Exception, done: str) -> KpframeError:
    """The error for a URL that cannot be `done` (read, written)."""
    reason = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, FileNotFoundError) and done == "read":
        return DataError.at(path, "does not exist", "correct the URL")
    remedy = "check the URL, the network, and what its storage wants to know (credentials, region)"
    return DataError.at(path, f"cannot be {done} ({reason[:300]})", remedy)


def stream(path: str) -> IO[bytes]:
    """The bytes of a file, read in blocks of which few are kept: a long file needs no more memory."""
    return io.BufferedReader(_File(system(path).open(path, "rb", block_size=2**22), path), 2**16)


class _File(io.RawIOBase):
    """A file of fsspec whose errors are those of files: readers know what to do with them."""

    def __init__(self, file: Any, path: str) -> None:
        self._file, self._path = file, path

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def seekable(self) -> bool:
        """It can be entered at any place."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; OSError for whatever the storage raises."""
        try:
            data = self._file.read(len(buffer))
        except Exception as error:
            raise OSError(5, without_secrets(f"reading failed: {error}")[:300], self._path) from None
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        """The place where it is."""
        return int(self._file.tell())

    def close(self) -> None:
        """Close it."""
        if not self.closed:
            self._file.close()
        super().close()
