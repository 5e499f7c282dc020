"""Values on their way to workers that have nothing of this machine's disk: files travel inside.

Stages name files by their paths (lists of terms, document frequencies, vectors). Where a stage is packed,
what lies there is packed with it, and where it is unpacked, it is put in a folder of that process.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import pickle
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from kpframe.engine.source_code import foreign_code
from kpframe.errors import SpecError
from kpframe.files.changes import files_below
from kpframe.files.leftovers import temporary_name
from kpframe.stages import Stage

__all__ = ["carried", "packed", "unpacked"]

_Content = Mapping[str, bytes]
"""What lies at a path: the bytes by name; a file has one, of its own name, a folder all that is below it."""

_Found = tuple[list[str], tuple[str, _Content]]
"""The keys that lead to a parameter, and name and content of what lies at its path."""


def packed(value: Any) -> tuple[bytes, tuple[str, ...]]:
    """The bytes of a value with all files that its stages name; and the stages from elsewhere in it.

    Those stand as `module:class`. SpecError for a file that cannot be read.
    """
    file = io.BytesIO()
    packer = _Packer(file)
    packer.dump(value)
    return file.getvalue(), tuple(sorted(packer.foreign))


def carried(stage: Stage) -> frozenset[str]:
    """The paths of what is packed with a stage and its parts."""
    parts = (carried(value) for _, value in stage if isinstance(value, Stage))
    return frozenset(path for _, path in _paths(stage)).union(*parts)


def unpacked(data: bytes) -> Any:
    """The value; its files lie in a temporary folder, which goes with this process."""
    return pickle.loads(data)  # made by `packed` of the command whose worker this is


class _Packer(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.foreign: set[str] = set()
        self._read: dict[str, tuple[str, _Content]] = {}

    def reducer_override(self, value: Any) -> Any:
        """How a stage is packed that names files; everything else as always."""
        if not isinstance(value, Stage):
            return NotImplemented
        cls = type(value)
        if foreign_code(cls) is not None:
            self.foreign.add(f"{cls.__module__}:{cls.__qualname__}")
        found = [(keys, self._content(path)) for keys, path in _paths(value)]
        if not found:
            return NotImplemented
        spec = {name: of for name, of in value.to_spec().items() if name != "kind"}
        return _rebuilt, (cls, spec, found)

    def _content(self, path: str) -> tuple[str, _Content]:
        """Name and content; of one path the same objects, which are packed once."""
        if path not in self._read:
            try:
                self._read[path] = Path(path).name, _content(Path(path))
            except OSError as error:
                raise SpecError.at(path, f"cannot be read ({error.strerror})", "check the path") from None
        return self._read[path]


def _paths(stage: Stage) -> Iterator[tuple[list[str], str]]:
    """The parameters of a stage that name files that are there; the keys that lead to each, and the path."""
    plain = stage.to_spec()
    for name in stage.paths:
        value: Any = plain
        for key in name.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, str) and value and Path(value).exists():
            yield name.split("."), value


def _content(path: Path) -> _Content:
    if path.is_file():
        return {path.name: path.read_bytes()}
    files = files_below(path)
    return {f"{path.name}/{file.relative_to(path).as_posix()}": file.read_bytes() for file in files}


def _rebuilt(
    cls: type[Stage], spec: dict[str, Any], found: list[tuple[list[str], tuple[str, _Content]]]
) -> Stage:
    for keys, (name, content) in found:
        *above, last = keys
        holder = spec
        for key in above:
            holder = holder[key]
        holder[last] = str(_written(content) / name)
    return cls.model_validate(spec)


def _written(content: _Content) -> Path:
    """The folder with some files; the same content in the same place, so that equal stages stay equal."""
    known = hashlib.sha256()
    for name, data in content.items():
        known.update(f"{name}\0{len(data)}\0".encode() + data)
    folder = _folder() / known.hexdigest()[:32]
    for name, data in content.items():
        place = folder / name
        if not place.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    return folder


@cache
def _folder() -> Path:
    made = Path(tempfile.mkdtemp(prefix=temporary_name()))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
