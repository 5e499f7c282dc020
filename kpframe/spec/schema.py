"""The JSON schema of specs, for completion and checking in editors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kpframe.spec.values import CHAIN, PrintedRows, Reference, Split
from kpframe.stages import FOLDERS, Predictions
from kpframe.stages.registry import kinds, lookup

__all__ = ["json_schema"]

_MANY = ("preprocessing", "postprocessing", "matching", "metrics", "reports")

_PRESET = {"type": "string", "description": "A family of conventions: a preset by name."}
_MEASURE = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The first part of the column's name."},
        "group": {"type": "string", "description": "The second part of the column's name."},
        "metric": {"$ref": "#/$defs/metrics"},
        "matching": {"$ref": "#/$defs/matching"},
    },
    "required": ["metric", "matching"],
    "additionalProperties": False,
}


def json_schema() -> dict[str, Any]:
    """A JSON schema (draft 2020-12) of specs, made from the parameters of all known stages."""
    definitions: dict[str, Any] = {}
    for folder in FOLDERS:
        parameters = {kind: _parameters(folder, kind, definitions) for kind in kinds(folder)}
        definitions[folder] = {"anyOf": [_with_kind(kind, of) for kind, of in parameters.items()]}
        definitions[folder]["anyOf"] += [
            {"type": "string", "description": f"A kind of {folder}, with defaults."},
            _short_form(parameters),
        ]
    definitions["split"] = _inlined(Split.model_json_schema(), definitions)
    definitions["reference"] = _inlined(Reference.model_json_schema(), definitions)
    definitions["printed"] = _inlined(PrintedRows.model_json_schema(), definitions)
    printed = {"$ref": "#/$defs/printed"}
    boxes = {folder: _box(folder) for folder in FOLDERS}
    alternatives = {box: {"type": "object", "additionalProperties": _box(box)} for box in CHAIN}
    properties: dict[str, Any] = {
        **boxes,
        "description": {"type": "string"},
        "preset": {"anyOf": [{"type": "array", "items": _PRESET}, _PRESET]},
        "measures": {"type": "array", "items": _MEASURE},
        "split": {"$ref": "#/$defs/split"},
        "sweep": {"type": "object", "properties": alternatives, "additionalProperties": False},
        "systems": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {**{box: boxes[box] for box in CHAIN}, "predictions": _predictions()},
                "additionalProperties": False,
            },
        },
        "reference": {"$ref": "#/$defs/reference"},
        "printed": {"anyOf": [{"type": "array", "items": printed}, printed]},
        "model": {"type": "string", "description": "A fitted model: a path or a resource."},
        "save": {"type": "integer", "minimum": 1, "description": "Keyphrases saved a document."},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kpframe spec",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string"},
            "extends": {"type": "string", "description": "A spec to inherit from: a path or a shipped name."},
            **properties,
            "datasets": {"type": "object", "additionalProperties": _dataset(properties)},
        },
        "$defs": definitions,
    }


def _dataset(properties: Mapping[str, Any]) -> dict[str, Any]:
    """What a data set has of its own, laid over the rest of the spec; or the name of a spec that has it."""
    named = {"type": "string", "description": "A spec: a path or a shipped name."}
    own = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {"anyOf": [named, own]}


def _predictions() -> dict[str, Any]:
    """Predictions of another program, in place of candidates and ranking: a path, or a mapping."""
    path = {"type": "string", "description": "A file of predictions."}
    return {"anyOf": [path, Predictions.model_json_schema()]}


def _box(folder: str) -> dict[str, Any]:
    one = {"$ref": f"#/$defs/{folder}"}
    if folder in _MANY:
        return {"anyOf": [{"type": "array", "items": one}, one]}
    # Null takes back what the spec that is extended says.
    return {"anyOf": [one, {"type": "null"}]} if folder in CHAIN else one


def _parameters(folder: str, kind: str, definitions: dict[str, Any]) -> dict[str, Any]:
    return {**_inlined(lookup(folder, kind).model_json_schema(), definitions), "title": kind}


def _with_kind(kind: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The usual form, `{kind: top, number: 5}`."""
    return {
        **parameters,
        "properties": {"kind": {"const": kind}, **parameters.get("properties", {})},
        "required": ["kind", *parameters.get("required", [])],
    }


def _short_form(parameters: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The form `{top: {number: 5}}`."""
    return {
        "type": "object",
        "properties": {kind: {"anyOf": [of, {"type": "null"}]} for kind, of in parameters.items()},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }


def _inlined(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Move nested definitions to the one place that all references point to."""
    definitions.update(schema.pop("$defs", {}))
    return schema
