"""The rules of JSON schema (draft 2020-12) that kpframe's schema uses, in their plainest form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "null": lambda v: v is None,
}
_RULES: dict[str, Callable[[Any, Any], bool]] = {
    "const": lambda rule, v: v == rule and type(v) is type(rule),
    "enum": lambda rule, v: v in rule,
    "minimum": lambda rule, v: not _TYPES["number"](v) or v >= rule,
    "maximum": lambda rule, v: not _TYPES["number"](v) or v <= rule,
    "exclusiveMinimum": lambda rule, v: not _TYPES["number"](v) or v > rule,
    "exclusiveMaximum": lambda rule, v: not _TYPES["number"](v) or v < rule,
    "minLength": lambda rule, v: not isinstance(v, str) or len(v) >= rule,
    "maxLength": lambda rule, v: not isinstance(v, str) or len(v) <= rule,
    "pattern": lambda rule, v: not isinstance(v, str) or re.search(rule, v) is not None,
    "minItems": lambda rule, v: not isinstance(v, list) or len(v) >= rule,
    "maxItems": lambda rule, v: not isinstance(v, list) or len(v) <= rule,
    "minProperties": lambda rule, v: not isinstance(v, dict) or len(v) >= rule,
    "maxProperties": lambda rule, v: not isinstance(v, dict) or len(v) <= rule,
    "required": lambda rule, v: not isinstance(v, dict) or set(rule) <= set(v),
}
_ELSEWHERE = {"type", "properties", "additionalProperties", "items", "prefixItems", "anyOf", "oneOf", "$ref"}
_NOTES = {"$schema", "$defs", "title", "description", "default", "format", "discriminator", "examples"}


def keywords_of(schema: Any) -> set[str]:
    """All keywords of a schema; one that is not checked here would go unnoticed."""
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for word in ("properties", "$defs"):
        for below in schema.get(word, {}).values():
            found |= keywords_of(below)
    for word in ("anyOf", "oneOf", "prefixItems"):
        for below in schema.get(word, []):
            found |= keywords_of(below)
    return found.union(*(keywords_of(schema.get(word)) for word in ("items", "additionalProperties")))


KNOWN = set(_RULES) | _ELSEWHERE | _NOTES


def fits(value: Any, schema: Mapping[str, Any] | bool, root: Mapping[str, Any]) -> bool:
    """Whether a value is valid."""
    if isinstance(schema, bool):
        return schema
    if "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        if not fits(value, target, root):
            return False
    types = schema.get("type", [])
    allowed = [types] if isinstance(types, str) else types
    if allowed and not any(_TYPES[name](value) for name in allowed):
        return False
    if not all(rule(schema[word], value) for word, rule in _RULES.items() if word in schema):
        return False
    if "anyOf" in schema and not any(fits(value, branch, root) for branch in schema["anyOf"]):
        return False
    if "oneOf" in schema and sum(fits(value, branch, root) for branch in schema["oneOf"]) != 1:
        return False
    return _members_fit(value, schema, root)


def _members_fit(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    if isinstance(value, dict):
        named = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        return all(fits(member, named.get(key, others), root) for key, member in value.items())
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        rest = schema.get("items", True)
        return all(fits(member, first[i] if i < len(first) else rest, root) for i, member in enumerate(value))
    return True
