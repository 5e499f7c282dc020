"""Stages that other stages are given as parameters, from and to plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, ValidationError, WithJsonSchema

from kpframe.errors import KpframeError
from kpframe.stages.base import Stage
from kpframe.stages.evaluating import Similarity
from kpframe.stages.extracting import Embedding, Ranking, Selection
from kpframe.stages.registry import kinds, lookup
from kpframe.stages.wrong_parameters import PartProblem, Wrong, shown, wrong_parameters

__all__ = [
    "SIGNATURE_NAMES",
    "EmbeddingPart",
    "PartProblem",
    "RankingPart",
    "SelectionPart",
    "SimilarityPart",
    "as_text",
    "changed",
    "part",
    "part_text",
]

SIGNATURE_NAMES = {
    "normalize": "norm",
    "tokens": "tok",
    "presence": "present",
    "duplicates": "dup",
    "language": "lang",
    "average": "avg",
}
"""Parameters of matchings and metrics that have a shorter name in signatures."""

_WRITTEN = re.compile(r"([a-z_0-9]+)(?:\((.*)\))?")


def part(folder: str, value: Any) -> Stage:
    """The stage for `kmr`, `kmr(pad=left)`, `{kind: kmr, …}` or a stage; ValueError if there is none."""
    if isinstance(value, Stage):
        return value
    if isinstance(value, str) and (found := _WRITTEN.fullmatch(value)):
        pairs = [pair.partition("=") for pair in (found[2] or "").split(",") if pair]
        value = {"kind": found[1], **{name.strip(): _read(text.strip()) for name, _, text in pairs}}
    if not isinstance(value, Mapping) or not isinstance(value.get("kind"), str):
        remedy = f"write `kind:` with one of: {', '.join(kinds(folder))}"
        raise PartProblem(folder, [Wrong((), f"names no kind (given: {shown(value)})", remedy)])
    parameters = {name: given for name, given in value.items() if name != "kind"}
    try:
        return lookup(folder, value["kind"]).model_validate(parameters)
    except ValidationError as error:
        cls = lookup(folder, value["kind"])
        raise PartProblem(cls.kind, wrong_parameters(cls, error, parameters)) from None
    except KpframeError as error:
        raise PartProblem(folder, [Wrong((), one.problem, one.remedy) for one in error.problems]) from None


def _read(text: str) -> str | None:
    return None if text == "none" else text


def part_text(stage: Stage) -> str:
    """Kind and parameters as `part` reads them: `kmr(pad=left)`; without parameters, the kind alone."""
    pairs = stage.model_dump(mode="json").items()
    values = ",".join(f"{name}={'none' if value is None else value}" for name, value in pairs)
    return f"{stage.kind}({values})" if values else stage.kind


def as_text(value: Any) -> str:
    """The value of a parameter as labels and signatures have it: `none`, `a+b`, `kmr(pad=left)`."""
    if isinstance(value, Stage):
        return part_text(value)
    if value is None:
        return "none"
    return "+".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def changed(stage: Stage) -> dict[str, str]:
    """The parameters of a stage that are not the default, as text."""
    found: dict[str, str] = {}
    for name, value in stage:
        default = type(stage).model_fields[name].default
        if isinstance(value, Stage):
            default = part(value.folder, default)
        if value != default:
            found[name] = as_text(value)
    return found


_SCHEMA = WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]})
"""How editors see a part: a kind by name, or with parameters. `kpframe check` tells which there are."""


_AS_SPEC = PlainSerializer(lambda stage: stage.to_spec())


def _made(folder: str, base: type[Any], refusal: str) -> BeforeValidator:
    """Makes a part of `folder` of what a spec says, and refuses what is not of the `base`."""

    def make(value: Any) -> Any:
        made = part(folder, value)
        if not isinstance(made, base):
            raise ValueError(f"{made.kind} {refusal}")
        return made

    return BeforeValidator(make)


SimilarityPart = Annotated[Similarity, _made("similarity", Similarity, "is no similarity"), _AS_SPEC, _SCHEMA]
"""The type of a parameter that is a similarity of phrases."""

EmbeddingPart = Annotated[Embedding, _made("embedding", Embedding, "is no embedding"), _AS_SPEC, _SCHEMA]
"""The type of a parameter that is an embedding of phrases and texts."""

SelectionPart = Annotated[
    Selection, _made("candidates", Selection, "selects no candidates"), _AS_SPEC, _SCHEMA
]
"""The type of a parameter that is a selection of candidates."""

RankingPart = Annotated[Ranking, _made("ranking", Ranking, "is no ranking"), _AS_SPEC, _SCHEMA]
"""The type of a parameter that is a ranking."""
