"""`kpframe stages [FOLDER [KIND]]`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kpframe.errors import SpecError

if TYPE_CHECKING:
    from kpframe.stages import Stage

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "list the stages, with parameters, defaults and sources"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="one box of the chain, as ranking")
    parser.add_argument("kind", nargs="?", metavar="KIND", help="one stage of it, as tfidf")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    folder: str | None = None
    kind: str | None = None


def execute(options: Options) -> int:
    """List the kinds of all boxes or of one, or describe one stage with its parameters."""
    from kpframe.errors import suggestion
    from kpframe.stages import FOLDERS, PARTS
    from kpframe.stages.registry import kinds, lookup

    folders = (*FOLDERS, *PARTS)
    if options.folder is not None and options.folder not in folders:
        raise SpecError.at("stages", f"no box {options.folder!r}", suggestion(options.folder, folders))
    if options.folder is not None and options.kind is not None:
        print(_described(lookup(options.folder, options.kind)))
        return 0
    for folder in [options.folder] if options.folder else folders:
        print(folder)
        for kind in kinds(folder):
            print(f"  {kind:<18} {_headline(lookup(folder, kind))}")
    return 0


def _headline(cls: type[Stage]) -> str:
    import inspect

    return (inspect.getdoc(cls) or "").split("\n\n", 1)[0].replace("\n", " ")


def _described(cls: type[Stage]) -> str:
    import inspect

    lines = [f"{cls.folder}: {cls.kind}", "", inspect.getdoc(cls) or ""]
    if cls.source:
        lines += ["", f"Source: {cls.source}"]
    lines += ["", "Parameters:"]
    properties = cls.model_json_schema()["properties"] if cls.model_fields else {}
    for name, field in cls.model_fields.items():
        default = (
            "required"
            if field.is_required()
            else f"default {_shown(field.get_default(call_default_factory=True))}"
        )
        lines.append(f"  {name} ({_type(properties[name])}; {default})")
        if field.description:
            lines.append(f"      {field.description}")
    return "\n".join(lines)


def _shown(value: Any) -> str:
    import json

    plain = value.model_dump(mode="json") if hasattr(value, "model_dump") else value
    return json.dumps(plain, default=list, ensure_ascii=False)


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if "anyOf" in schema:
        return " | ".join(_type(branch) for branch in schema["anyOf"])
    limits = [
        f"{sign} {schema[key]}"
        for key, sign in (
            ("minimum", "≥"),
            ("exclusiveMinimum", ">"),
            ("maximum", "≤"),
            ("exclusiveMaximum", "<"),
        )
        if key in schema
    ]
    return " ".join([str(schema.get("type", "value")), *limits])
