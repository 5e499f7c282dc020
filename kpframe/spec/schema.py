"""The JSON schema of specs, for completion and checking in editors."""

from __future__ import annotations

from typing import Any

from kpframe.registry import kinds, lookup
from kpframe.spec.values import CHAIN, Reference, Split
from kpframe.stages import FOLDERS

__all__ = ["json_schema"]

_MANY = ("preprocessing", "postprocessing", "matching", "metrics", "reports")


def json_schema() -> dict[str, Any]:
    """A JSON schema (draft 2020-12) of specs, made from the parameters of all known stages."""
    definitions: dict[str, Any] = {}
    for folder in FOLDERS:
        definitions[folder] = {"anyOf": [_kind_schema(folder, kind, definitions) for kind in kinds(folder)]}
        short = {"type": "string", "description": f"A kind of {folder}, with defaults."}
        definitions[folder]["anyOf"].append(short)
    definitions["split"] = _inlined(Split.model_json_schema(), definitions)
    definitions["reference"] = _inlined(Reference.model_json_schema(), definitions)
    boxes = {folder: _box(folder) for folder in FOLDERS}
    alternatives = {box: {"type": "object", "additionalProperties": _box(box)} for box in CHAIN}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kpframe spec",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string"},
            "description": {"type": "string"},
            "extends": {"type": "string", "description": "A spec to inherit from: a path or a shipped name."},
            **boxes,
            "split": {"$ref": "#/$defs/split"},
            "sweep": {"type": "object", "properties": alternatives, "additionalProperties": False},
            "systems": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {box: boxes[box] for box in CHAIN},
                    "additionalProperties": False,
                },
            },
            "reference": {"$ref": "#/$defs/reference"},
            "model": {"type": "string", "description": "A fitted model: a path or a resource."},
            "save": {"type": "integer", "minimum": 1, "description": "Keyphrases saved a document."},
        },
        "$defs": definitions,
    }


def _box(folder: str) -> dict[str, Any]:
    one = {"$ref": f"#/$defs/{folder}"}
    return {"anyOf": [{"type": "array", "items": one}, one]} if folder in _MANY else one


def _kind_schema(folder: str, kind: str, definitions: dict[str, Any]) -> dict[str, Any]:
    schema = _inlined(lookup(folder, kind).model_json_schema(), definitions)
    schema["title"] = kind
    schema["properties"] = {"kind": {"const": kind}, **schema.get("properties", {})}
    schema["required"] = ["kind", *schema.get("required", [])]
    return schema


def _inlined(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Move nested definitions to the one place that all references point to."""
    definitions.update(schema.pop("$defs", {}))
    return schema
