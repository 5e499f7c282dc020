"""The file of a trained pipeline: one line of JSON, sealed, with all that it needs in it."""

from __future__ import annotations

import atexit
import base64
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from kpframe.engine.cache import cache_folder
from kpframe.errors import KpframeError, SpecError
from kpframe.files.atomic import atomic_write, write_text
from kpframe.files.leftovers import temporary_name
from kpframe.files.sealing import is_whole, sealed
from kpframe.files.urls import local_copy
from kpframe.language.codes import DEFAULT
from kpframe.spec import Configuration
from kpframe.stages import Stage
from kpframe.version import __version__

__all__ = ["ModelFile", "told_of"]

_FORMAT = "kpframe-model-1"
_ELSEWHERE = ("documents", "split", "model", "reference")
"""Keys of a spec that mean nothing where the model is used."""
_CHAIN = ("preprocessing", "candidates", "ranking", "postprocessing", "sweep", "systems")
_Parameter = tuple[str, str]
"""The name of a parameter and its value."""
_Other = Callable[[str, str], str | None]
_RETRAIN = "train it anew with `kpframe train`"


@dataclass(frozen=True)
class ModelFile:
    """What a trained pipeline is made of again.

    `identity` says what must be the same where the model is used, `spec` is the resolved spec, `state`
    what the ranking learned. `files` are the contents (base64) of files that parameters of the chain name,
    as lists of terms, by `checksum/name`, which then stands in `spec` in place of the path: a model works
    wherever it is taken. `languages` are those of the texts that it learned from.
    """

    identity: Mapping[str, Any]
    spec: Mapping[str, Any]
    state: Mapping[str, Any]
    files: Mapping[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = (DEFAULT,)

    @classmethod
    def of(
        cls,
        configuration: Configuration,
        identity: Mapping[str, Any],
        spec: Mapping[str, Any],
        state: Mapping[str, Any],
        languages: tuple[str, ...],
    ) -> ModelFile:
        """The model of a pipeline; SpecError if a file that it needs cannot be read."""
        names: dict[_Parameter, str] = {}
        files: dict[str, str] = {}
        for key, path in _paths(configuration):
            content = _content(path)
            names[key, path] = name = f"{hashlib.sha256(content).hexdigest()}/{Path(path).name}"
            files[name] = base64.b64encode(content).decode("ascii")
        kept = {key: value for key, value in spec.items() if key not in _ELSEWHERE}
        told = _replaced_in_chain(kept, lambda *parameter: names.get(parameter))
        return cls(identity, told, state, files, languages)

    def write(self, path: Path) -> None:
        """Write the file. The same model gives the same bytes."""
        model = {
            "format": _FORMAT,
            "kpframe": __version__,
            "identity": self.identity,
            "spec": self.spec,
            "state": self.state,
            **({"files": self.files} if self.files else {}),
            # Without it, as in models that are older than the languages of others, it is English.
            **({"languages": list(self.languages)} if self.languages != (DEFAULT,) else {}),
        }
        write_text(path, json.dumps(sealed(model), ensure_ascii=False, sort_keys=True) + "\n")

    @classmethod
    def read(cls, path: str | Path) -> ModelFile:
        """The model in a file; SpecError if it is none, or was changed after it was written."""
        model = _read_json(path)
        parts = ("identity", "spec", "state")
        if not isinstance(model, dict) or model.get("format") != _FORMAT or not set(parts) <= model.keys():
            raise SpecError.at(str(path), "is not a kpframe model", "give a file written by `kpframe train`")
        if not is_whole(model):
            raise SpecError.at(str(path), "was changed after it was written", _RETRAIN)
        files = model.get("files", {})
        for name, part in [*((name, model[name]) for name in parts), ("files", files)]:
            if not isinstance(part, dict):
                raise SpecError.at(str(path), f"the model is damaged: {name} is no object", _RETRAIN)
        languages = model.get("languages", [DEFAULT])
        if not isinstance(languages, list) or not all(isinstance(code, str) for code in languages):
            raise SpecError.at(str(path), "the model is damaged: languages is no list of codes", _RETRAIN)
        return cls(model["identity"], model["spec"], model["state"], files, tuple(languages))

    def unpacked(self) -> dict[str, Any]:
        """The spec with the files that the model carries put where stages can read them.

        They lie in the cache folder, or if it cannot be written in a temporary one.
        """
        places = {name: str(_unpacked(name, content)) for name, content in self.files.items()}
        return _replaced_in_chain(self.spec, lambda key, value: places.get(value))


@contextmanager
def told_of(path: str | Path) -> Iterator[None]:
    """Errors that come out of the content of a model name its file."""
    try:
        yield
    except KpframeError as error:
        known = str(path)
        found = [
            p if p.place.startswith((known, "--set")) else p.but(place=f"{known}: {p.place}")
            for p in error.problems
        ]
        raise type(error)(found) from None


def _read_json(path: str | Path) -> Any:
    try:
        with local_copy(path) as file:
            return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError.at(str(path), f"cannot be read: {error.strerror}", "check the path") from None
    except (ValueError, RecursionError):
        raise SpecError.at(str(path), "is not JSON", "give a file written by `kpframe train`") from None


def _paths(configuration: Configuration) -> Iterator[_Parameter]:
    """The parameters of the chain that are paths."""
    stages: list[Stage] = [*configuration.preprocessing, configuration.selection, configuration.ranking]
    for stage in [*stages, *configuration.postprocessing]:
        plain = stage.to_spec()
        for path in stage.paths:
            value: Any = plain
            for key in path.split("."):
                value = value.get(key) if isinstance(value, Mapping) else None
            if isinstance(value, str) and value:
                yield path.rpartition(".")[2], value


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        problem = f"cannot be read, and the model needs it ({error.strerror})"
        raise SpecError.at(
            path, problem, "check the path; a model carries single files, no folders"
        ) from None


def _replaced_in_chain(spec: Mapping[str, Any], other: _Other) -> dict[str, Any]:
    """A spec with some parameters of its chain replaced; `other` says by what, None leaves one alone."""
    return {key: _replaced(value, other) if key in _CHAIN else value for key, value in spec.items()}


def _replaced(value: Any, other: _Other) -> Any:
    if isinstance(value, list):
        return [_replaced(item, other) for item in value]
    if not isinstance(value, Mapping):
        return value
    found = {key: other(key, item) if isinstance(item, str) else None for key, item in value.items()}
    return {key: found[key] or _replaced(item, other) for key, item in value.items()}


def _unpacked(name: Any, content: Any) -> Path:
    """The path of a file that a model carries; SpecError if it is not what its name says."""
    checksum, _, own = str(name).partition("/")
    try:
        data = base64.b64decode(content, validate=True)
    except (ValueError, TypeError):
        data = None
    safe = own not in ("", ".", "..") and Path(own).name == own and "\\" not in own and "\0" not in own
    if data is None or not safe or hashlib.sha256(data).hexdigest() != checksum:
        raise SpecError.at(
            f"files: {name}", "the model is damaged: this file is not what its name says", _RETRAIN
        )
    place = cache_folder() / "model-files" / checksum / own
    try:
        return _written(place, data)
    except OSError:
        return _written(_temporary() / checksum / own, data)


def _written(path: Path, data: bytes) -> Path:
    if not path.is_file() or path.read_bytes() != data:
        with atomic_write(path) as file:
            file.write(data)
    return path.absolute()


@cache
def _temporary() -> Path:
    folder = Path(tempfile.mkdtemp(prefix=temporary_name()))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
