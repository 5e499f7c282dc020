"""`kpframe new [PATH]`: look at texts, and write a commented spec for them."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import dataclass
from pathlib import Path

from kpframe.commands import _arguments
from kpframe.errors import DataError, SpecError

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "look at texts of your own and write a commented spec for them; overwrites nothing"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="PATH",
        help="folders, archives or files with the texts, or - (default: .)",
    )
    parser.add_argument("--out", metavar="FILE", help="the spec to write (default: NAME.yaml, after PATH)")
    _arguments.language(parser, "the language of texts that do not say it")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    sources: tuple[str, ...] = (".",)
    out: str | None = None
    language: str = "auto"


_SCHEMA = "kpframe-schema.json"


def execute(options: Options) -> int:
    """Say what was found, and write the spec and the schema for editors; nothing is overwritten."""
    from kpframe.commands._look import look_at
    from kpframe.display.marks import harmless

    sources = options.sources or (".",)
    source = Path(sources[0])
    out = _free(Path(options.out or f"{_slug(source)}.yaml"))
    found = look_at(sources, options.language)
    given = found.layout.parameters.get("path", str(found.layout.path))
    paths = [_path(path, out) for path in ([given] if isinstance(given, str) else given)]
    spec = found.spec(out.stem, _SCHEMA, paths[0] if len(paths) == 1 else paths)
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("x", encoding="utf-8") as file:
        file.write(spec)
    print("\n".join(harmless(finding, keep="") for finding in found.findings))
    print(f"wrote {out}; {_schema(out.parent / _SCHEMA)}")
    print(f"next: kpframe check {out}\n      kpframe run {out}")
    return 0


def _free(out: Path) -> Path:
    """A path at which a spec can be written."""
    if out.suffix not in (".yaml", ".yml"):
        raise SpecError.at(f"--out {out}", "does not end in .yaml", f"write --out {out}.yaml")
    if out.stem.startswith(".") or not out.stem.strip() or not out.stem.isprintable():
        raise SpecError.at(f"--out {out}", "cannot name an experiment", "use letters, as in --out mine.yaml")
    if os.path.lexists(out):
        raise SpecError.at(str(out), "exists already, and nothing is overwritten", "give --out OTHER.yaml")
    return out


def _slug(source: Path) -> str:
    if str(source) == "-":
        return "stdin"
    name = source.resolve().name if source.is_dir() else source.name.split(".")[0]
    return re.sub(r"[^\w-]+", "-", name).strip("-_") or "mine"


def _path(given: str, out: Path) -> str:
    """The path as the spec has it: relative to the spec if that is near."""
    if given == "-":
        return given
    path = Path(given)
    relative = os.path.relpath(path.resolve(), out.parent.resolve())
    far = relative.split(os.sep).count("..") > 2
    shown = path.resolve().as_posix() if far else Path(relative).as_posix()
    if "${" in shown or not shown.isprintable():
        raise DataError.at(str(path), "has a name that a spec cannot hold", "rename it")
    return shown


def _schema(path: Path) -> str:
    """Write the schema beside the spec, where editors find it also on another machine."""
    import json

    from kpframe.spec import json_schema

    text = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"  # as `kpframe schema` has it
    if not os.path.lexists(path):
        path.write_text(text, encoding="utf-8")
        return f"and {path}, with which editors complete and check it"
    if path.read_text(encoding="utf-8", errors="replace") == text:
        return f"editors complete and check it with {path}"
    return f"{path} is of another version of kpframe; renew it: kpframe schema > {path}"
