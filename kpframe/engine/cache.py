"""The annotation cache, and annotations as bytes.

A folder a document, in it a file for each set of annotators that ran over it. A file begins with a seal over
its key, the text and all that follows, so that neither damage nor another document's annotations pass.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kpframe.files.atomic import atomic_write
from kpframe.model import LAYERS, Annotations

__all__ = ["AnnotationCache", "Maker", "cache_folder", "dump_annotations", "parse_annotations"]

_SEAL = 16
"""The bytes of a seal (BLAKE2b)."""

_HOUR = 3600

_MAGIC = b"kpframe-annotations-1\n"
_ARRAYS = ("begins", "ends", "words", "lemmas", "tags", "pos", "entity_labels", "section_kinds")
_SPANS = ("sentences", "chunks", "entities", "sections", "headings")

log = logging.getLogger("kpframe")


def cache_folder() -> Path:
    """Where annotations are cached: `$KPFRAME_CACHE`, else `kpframe` in the user's cache folder."""
    chosen = os.environ.get("KPFRAME_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kpframe"


@dataclass(frozen=True)
class Maker:
    """One annotator as the cache knows it: its identity, and the layers that it makes.

    `alone`: running it beside others changes nothing that they make.
    """

    identity: str
    layers: tuple[str, ...]
    alone: bool


class AnnotationCache:
    """Annotations on disk; an entry that is damaged or another's is told once, and counts as missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._told = False
        self._counts = {"cache hits": 0, "cache misses": 0}

    def counted(self) -> dict[str, int]:
        """How many entries were there and how many were not, since this was last asked."""
        counts, self._counts = self._counts, dict.fromkeys(self._counts, 0)
        return counts

    def _folder(self, key: str) -> Path:
        return self.folder / "annotations" / key[:2] / key[2:]

    def load(self, key: str, text: str, makers: Sequence[Maker] = ()) -> Annotations | None:
        """What `makers` made of the document with this key and text, or None if there is no whole entry.

        An entry with more layers serves if all further makers stand alone; it is given without theirs.
        """
        found = self._found(key, text, makers)
        self._counts["cache misses" if found is None else "cache hits"] += 1
        return found

    def _found(self, key: str, text: str, makers: Sequence[Maker]) -> Annotations | None:
        exact = self._read(key, text, _name(makers))
        if exact is not None:
            return exact[1]
        for name in self._others(key, makers):
            found = self._read(key, text, name)
            further = _further(found[0], makers) if found else None
            if found is not None and further is not None:
                return _without(found[1], further)
        return None

    def _others(self, key: str, makers: Sequence[Maker]) -> Iterator[str]:
        """The names of the other entries of a document, in a fixed order."""
        if not makers:
            return
        try:
            names = sorted(entry.name for entry in os.scandir(self._folder(key)))
        except OSError:
            return
        yield from (name for name in names if name.endswith(".bin") and name != _name(makers))

    def _read(self, key: str, text: str, name: str) -> tuple[list[Maker], Annotations] | None:
        """Makers and annotations of an entry; None if there is none, or (told once) none that is good."""
        path = self._folder(key) / name
        try:
            data = path.read_bytes()
        except OSError:
            return None
        body = data[_SEAL:]
        # The seal is over the place and the text too: a whole entry of another document is damage here.
        if data[:_SEAL] == _seal(f"{key}/{name}", text, body):
            size = int.from_bytes(body[:4], "little")
            makers = [Maker(i, tuple(layers), alone) for i, layers, alone in json.loads(body[4 : 4 + size])]
            found = parse_annotations(body[4 + size :], text)
            if found is not None:
                _used(path)
                return makers, found
        if not self._told:
            self._told = True
            log.warning(
                "%s: an entry is damaged or belongs to another text; such entries are made anew", path
            )
        return None

    def save(self, key: str, annotations: Annotations, makers: Sequence[Maker] = ()) -> None:
        """Store what `makers` made; a full or read-only disk is no reason to fail."""
        name = _name(makers)
        header = json.dumps([[m.identity, m.layers, m.alone] for m in makers]).encode()
        body = len(header).to_bytes(4, "little") + header + dump_annotations(annotations)
        try:
            with atomic_write(self._folder(key) / name) as file:
                file.write(_seal(f"{key}/{name}", annotations.text, body) + body)
        except OSError:
            return


def _used(path: Path) -> None:
    """Note that an entry was of use, to the hour: a full cache forgets what was not for longest."""
    now = time.time()
    with suppress(OSError):
        found = os.stat(path)
        if now - found.st_atime > _HOUR:
            os.utime(path, (now, found.st_mtime))


def _name(makers: Sequence[Maker]) -> str:
    identities = "\n".join(maker.identity for maker in makers)
    return hashlib.blake2b(identities.encode(), digest_size=8).hexdigest() + ".bin"


def _seal(key: str, text: str, body: bytes) -> bytes:
    content = hashlib.blake2b(digest_size=_SEAL)
    # Each part with its length, lest what ends one and begins the next be taken the other way.
    for part in (key.encode(), text.encode("utf-8", "surrogatepass"), body):
        content.update(len(part).to_bytes(8, "little") + part)
    return content.digest()


def _further(made: Sequence[Maker], wanted: Sequence[Maker]) -> list[Maker] | None:
    """What `made` has beside `wanted`, if the rest would be the same without it; else None."""
    further = [maker for maker in made if maker not in wanted]
    kept = [maker for maker in made if maker in wanted]
    needed = {layer for maker in wanted for layer in maker.layers}
    harmless = all(maker.alone and needed.isdisjoint(maker.layers) for maker in further)
    return further if harmless and kept == list(wanted) else None


def _without(annotations: Annotations, makers: Sequence[Maker]) -> Annotations:
    """Annotations without the layers of some makers; the vocabulary may hold more than needed."""
    dropped = {layer for maker in makers for layer in maker.layers}
    fields = {layer: None for layer in LAYERS if layer in dropped}
    labels = {"entity_labels": None} if "entities" in dropped else {}
    if "sections" in dropped:
        labels |= {"section_kinds": None, "headings": None}
    return annotations.with_layers(**fields, **labels)


def dump_annotations(annotations: Annotations) -> bytes:
    """Checksum, a JSON header with the vocabulary, and the arrays as little-endian int32."""
    layers: list[tuple[str, int]] = []
    chunks: list[bytes] = []
    for name in (*_ARRAYS, *_SPANS):
        array = getattr(annotations, name)
        if array is not None:
            layers.append((name, len(array)))
            # Four bytes, little-endian, whatever the machine: entries may be read on another.
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
