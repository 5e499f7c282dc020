"""What all stages share; the base of each box is in `extracting` and `evaluating`.

    documents → preprocessing → candidates → ranking → postprocessing → matching → metrics → reports

A stage is a frozen pydantic model: its fields are its parameters, with their ranges, units and
defaults, and the same model checks specs and yields the JSON schema for editors. A stage is
stateless, picklable and does nothing on construction. Its `kind` is the name of its file.
"""

from __future__ import annotations

import json
import math
from abc import ABC
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from kpframe.errors import KpframeError, without_secrets
from kpframe.files.resources import known_checksum
from kpframe.files.urls import fingerprint, is_url
from kpframe.stages.checked import Checked

__all__ = ["FOLDERS", "PARTS", "Stage"]

FOLDERS = (
    "documents",
    "preprocessing",
    "candidates",
    "ranking",
    "postprocessing",
    "matching",
    "metrics",
    "reports",
)
"""The boxes of the chain, in their order. This is the only place that states it."""

PARTS = ("similarity", "embedding")
"""Folders of what a stage may be given as a parameter; they stand in no box of the chain."""

_BEYOND = 2**31
"""No whole number of a parameter without its own bound reaches this: all that computes can hold it."""


def _may_be_true(annotation: Any) -> bool:
    """Whether truth values belong to a type."""
    parts = get_args(annotation)
    return annotation in (bool, Any, object) or any(
        part is True or part is False if get_origin(annotation) is Literal else _may_be_true(part)
        for part in parts
    )


def _check_numbers(value: Any, field: FieldInfo | None = None) -> None:
    """Refuse what is not finite, or so large that it must be a slip, unless the field has its own bound.

    Mappings are handed on, most often to another library, which checks what is its own.
    """
    if isinstance(value, BaseModel):
        if not isinstance(value, Stage):  # which has checked its own
            for name, below in type(value).model_fields.items():
                _check_numbers(getattr(value, name), below)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            _check_numbers(one)
    elif isinstance(value, float) and not math.isfinite(value):
        raise PydanticCustomError("not_finite", "must be a finite number")
    elif isinstance(value, int) and abs(value) >= _BEYOND and not (field and _has_a_bound(field)):
        raise PydanticCustomError(
            "beyond", "must be between {least} and {most}", {"least": 1 - _BEYOND, "most": _BEYOND - 1}
        )


def _has_a_bound(field: FieldInfo) -> bool:
    return any(getattr(one, bound, None) is not None for one in field.metadata for bound in ("le", "lt"))


class Stage(Checked, ABC):
    """What all stages share."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    folder: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    source: ClassVar[str] = ""
    """Where the technique is described: authors, year, section."""
    short: ClassVar[str] = ""
    """The parameter that `kind@value` sets, if the stage has such a short form."""
    paths: ClassVar[tuple[str, ...]] = ()
    """The parameters that are paths; relative ones are relative to the file of the spec."""
    example: ClassVar[Mapping[str, Any]] = {}
    """Values for parameters, other than paths, without which the stage cannot be made; whoever lists or tries
    all stages makes it with these."""

    @field_validator("*", mode="before")
    @classmethod
    def _no_number(cls, value: Any, info: ValidationInfo) -> Any:
        """A truth value is no number: `k: true` would be the first keyphrase alone."""
        if isinstance(value, bool) and not _may_be_true(cls.model_fields[str(info.field_name)].annotation):
            raise PydanticCustomError("not_boolean", "must not be true or false")
        return value

    @field_validator("*", mode="after")
    @classmethod
    def _no_boundless_number(cls, value: Any, info: ValidationInfo) -> Any:
        """No number is infinite, or greater than any text or collection: what computes with it cannot."""
        _check_numbers(value, cls.model_fields[str(info.field_name)])
        return value

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = cls.__module__.rsplit(".", 1)[-1]

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """The stage with other parameters; what was found of the old ones is not copied with them."""
        made = super().model_copy(update=update, deep=deep)
        for name in made.__dict__.keys() - type(made).model_fields.keys():
            del made.__dict__[name]
        return made

    def requires(self) -> frozenset[str]:
        """The annotation layers that this stage reads."""
        return frozenset()

    def provides(self) -> frozenset[str]:
        """The annotation layers that this stage makes."""
        return frozenset()

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """What `kpframe check` should report beyond ranges: (parameter, problem, remedy).

        May look at the file system and at installed packages, but reads no text.
        """
        yield from ()

    def bounds(self) -> frozenset[int]:
        """The numbers of tokens from which on a text is worked on in another way, by this stage or its parts.

        Stages of one chain must change together; a spec in which they do not is refused.
        """
        return frozenset().union(*(value.bounds() for _, value in self if isinstance(value, Stage)))

    def limits(self, language: str) -> Iterator[str]:
        """What of this stage does not follow the language of the texts, as `the stop list is English`.

        Each is told once, before texts in `language` are worked on.
        """
        yield from ()

    def to_spec(self) -> dict[str, Any]:
        """Kind and all parameters, as plain values."""
        return {"kind": self.kind, **self.model_dump(mode="json")}

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All that the results of this stage depend on: parameters, contents of files, parts, models.

        A parameter that is a path is replaced by the checksum of what lies there: the same file elsewhere
        gives the same results, another in its place does not.
        """
        parts = {name: value.identity(languages) for name, value in self if isinstance(value, Stage)}
        identity = {**self.to_spec(), **parts}
        for path in self.paths:
            _seal_file(identity, path.split("."))
        return identity

    @cached_property
    def key(self) -> str:
        """Folder, kind and parameters as one string: equal stages have equal keys."""
        return f"{self.folder}/{json.dumps(self.to_spec(), sort_keys=True)}"

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        """As a spec spells it: `f1@5`, or `{kind: f1, k: 5, average: "micro"}`; defaults are left out."""
        own = {name: value for name, value in self.to_spec().items() if name != "kind"}
        said = {name: value for name, value in own.items() if not self._is_default(name)}
        short = said.pop(self.short, own.get(self.short)) if self.short else None
        if not said:
            return f"{self.kind}@{short}" if isinstance(short, int | str) else self.kind
        given = {**({self.short: short} if self.short else {}), **said}
        return f"{{kind: {self.kind}, {', '.join(f'{n}: {json.dumps(v)}' for n, v in given.items())}}}"

    def _is_default(self, name: str) -> bool:
        value, default = getattr(self, name), type(self).model_fields[name].default
        # The default of a parameter that is a stage itself may stand there by its name.
        return value == default or (isinstance(value, Stage) and repr(value) == default)

    def __matmul__(self, value: Any) -> Self:
        """`F1() @ 5` is the stage `f1@5`; TypeError for a stage without such a short form."""
        if not self.short:
            return NotImplemented
        return type(self)(
            **{**{name: getattr(self, name) for name in self.model_fields_set}, self.short: value}
        )

    def __iter__(self) -> Generator[tuple[str, Any], None, None]:
        """Names and values of the parameters, without what is cached beside them."""
        for name in type(self).model_fields:
            yield name, getattr(self, name)


def _seal_file(identity: dict[str, Any], keys: Sequence[str]) -> None:
    """Put the checksum of a file, and the suffix that tells its layout, in the place of its path."""
    *above, last = keys
    for key in above:
        below = identity.get(key)
        if not isinstance(below, dict):
            return
        identity = below
    value = identity.get(last)
    if isinstance(value, list | tuple):
        identity[last] = list(map(_sealed, value))
    elif value is not None:
        identity[last] = _sealed(value)


def _sealed(value: Any) -> Any:
    """What stands in the place of a path: its name says nothing unless it cannot be read."""
    if not isinstance(value, str) or not value or value == "-":
        return value
    try:
        place = Path(value)
        known = place.is_file() or place.is_dir()
        found = known_checksum(value) if known else fingerprint(value)  # of a URL, or what came out of a pipe
    except (OSError, KpframeError):
        return without_secrets(value)
    # What follows ? in a URL may be a key, and is another each time a store signs it.
    suffix = Path(value.partition("?")[0]).suffix if is_url(value) else place.suffix
    return {"sha256": found, "suffix": suffix}
