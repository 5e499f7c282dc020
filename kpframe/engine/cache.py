"""The annotation cache, and annotations as bytes."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import numpy as np

from kpframe.files.atomic import atomic_write
from kpframe.model import Annotations

__all__ = ["AnnotationCache", "cache_folder", "dump_annotations", "parse_annotations"]

_MAGIC = b"kpframe-annotations-1\n"
_ARRAYS = ("begins", "ends", "words", "lemmas", "tags", "pos", "entity_labels")
_SPANS = ("sentences", "chunks", "entities")


def cache_folder() -> Path:
    """Where annotations are cached: `$KPFRAME_CACHE`, else `kpframe` in the user's cache folder."""
    chosen = os.environ.get("KPFRAME_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kpframe"


class AnnotationCache:
    """Annotations on disk, one file an entry; a damaged entry counts as missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, key: str) -> Path:
        return self.folder / "annotations" / key[:2] / f"{key[2:]}.bin"

    def load(self, key: str, text: str) -> Annotations | None:
        """The entry for `key`, or None if there is none that is whole."""
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        return parse_annotations(data, text)

    def save(self, key: str, annotations: Annotations) -> None:
        """Store an entry; a full or read-only disk is no reason to fail."""
        try:
            with atomic_write(self._path(key)) as file:
                file.write(dump_annotations(annotations))
        except OSError:
            return


def dump_annotations(annotations: Annotations) -> bytes:
    """Checksum, a JSON header with the vocabulary, and the arrays as little-endian int32."""
    layers: list[tuple[str, int]] = []
    chunks: list[bytes] = []
    for name in (*_ARRAYS, *_SPANS):
        array = getattr(annotations, name)
        if array is not None:
            layers.append((name, len(array)))
            chunks.append(np.ascontiguousarray(array, dtype="<i4").tobytes())
    header = json.dumps([layers, annotations.vocabulary], ensure_ascii=True, separators=(",", ":")).encode()
    body = len(header).to_bytes(8, "little") + header + b"".join(chunks)
    return _MAGIC + hashlib.blake2b(body, digest_size=16).digest() + body


def parse_annotations(data: bytes, text: str) -> Annotations | None:
    """What `dump_annotations` wrote, or None if the bytes are damaged."""
    start = len(_MAGIC) + 16
    body = data[start:]
    if (
        data[: len(_MAGIC)] != _MAGIC
        or hashlib.blake2b(body, digest_size=16).digest() != data[start - 16 : start]
    ):
        return None
    size = int.from_bytes(body[:8], "little")
    layers, vocabulary = json.loads(body[8 : 8 + size])
    values = np.frombuffer(body, dtype="<i4", offset=0, count=0)
    position = 8 + size
    arrays: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int32]]] = {}
    for name, length in layers:
        width = 2 if name in _SPANS else 1
        values = np.frombuffer(body, dtype="<i4", offset=position, count=length * width)
        arrays[name] = values.reshape(length, 2) if width == 2 else values
        position += 4 * length * width
    return Annotations(text=text, vocabulary=tuple(vocabulary), **arrays)
