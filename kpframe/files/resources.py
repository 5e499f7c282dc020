"""Open what kpframe ships by name: stop lists, tables, corpora, models, specs. Never downloads.

`resources/manifest.json` lists every resource with its checksum, licence and source; a file that
does not agree with its checksum is refused. In a checkout resources lie in `resources/` and specs
in `pipelines/`, in an installed wheel beside this module.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from kpframe.errors import ResourceError, nearest, suggestion
from kpframe.files.changes import files_below, while_unchanged

__all__ = [
    "checksum",
    "known_checksum",
    "manifest",
    "open_resource",
    "read_pairs",
    "read_words",
    "resource_path",
    "shipped_specs",
    "specs_folder",
]

_PACKAGE = Path(__file__).resolve().parent.parent


def _folder(name: str) -> Path:
    installed = _PACKAGE / f"_{name}"
    return installed if installed.is_dir() else _PACKAGE.parent / name


def specs_folder() -> Path:
    """The folder with the shipped specs."""
    return _folder("pipelines")


def shipped_specs() -> dict[str, Path]:
    """The shipped specs by name."""
    found = {path.stem: path for path in specs_folder().glob("*.yaml")}
    return dict(sorted(found.items()))


@cache
def manifest() -> dict[str, dict[str, Any]]:
    """What is shipped: name → {path, sha256, licence, source, description}."""
    path = _folder("resources") / "manifest.json"
    try:
        loaded: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResourceError.at(str(path), f"cannot be read ({error})", "reinstall kpframe") from None
    return loaded


def resource_path(name: str) -> Path:
    """The path of the resource `name` (as `stopwords/en`), its checksum verified.

    Raises ResourceError for an unknown name, a missing file or a wrong checksum.
    """
    entry = manifest().get(name)
    if entry is None:
        folder = name.rsplit("/", 1)[0]
        near = [known for known in sorted(manifest()) if known.startswith(folder)]
        tails = {known.rpartition("/")[2]: known for known in near}  # a long folder is alike by itself
        alike = tails.get(nearest(name.rpartition("/")[2], tails), "")
        remedy = suggestion(alike, near or sorted(manifest()))
        raise ResourceError.at(f"resource {name!r}", "is not shipped", remedy)
    path = _folder("resources") / str(entry["path"])
    _verify(name, path, str(entry["sha256"]))
    return path


@cache
def _verify(name: str, path: Path, expected: str) -> None:
    try:
        found = checksum(path)
    except OSError as error:
        raise ResourceError.at(f"resource {name!r}", str(error), "reinstall kpframe") from None
    if found != expected:
        raise ResourceError.at(
            str(path),
            f"does not agree with its checksum in the manifest (resource {name!r})",
            "reinstall kpframe, or after an intended change run `python -m kpframe.files.resources`",
        )


def checksum(path: Path) -> str:
    """SHA-256 of a file, or of all files of a folder with their names; OSError if it cannot be read."""
    digest = hashlib.sha256()
    if path.is_dir():
        for file in files_below(path):
            digest.update(file.relative_to(path).as_posix().encode() + b"\0")
            digest.update(file.read_bytes())
    else:
        digest.update(path.read_bytes())
    return digest.hexdigest()


@while_unchanged(256)
def known_checksum(path: str) -> str:
    """`checksum`, made again only when something there has changed; OSError if it cannot be read."""
    return checksum(Path(path))


def open_resource(name: str) -> str:
    """The text of a resource that is one UTF-8 file."""
    return resource_path(name).read_text(encoding="utf-8")


def read_words(name: str) -> list[str]:
    """The entries of a list: one a line, stripped; blank lines and lines with # are left out."""
    lines = (line.strip() for line in open_resource(name).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def read_pairs(name: str) -> list[tuple[str, str]]:
    """The rows of a table of two columns parted by a tab."""
    return [(left, right) for left, _, right in (row.partition("\t") for row in read_words(name))]


def update_manifest() -> None:
    """Write the checksums of all files named in the manifest anew (for maintainers)."""
    path = _folder("resources") / "manifest.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    for entry in entries.values():
        entry["sha256"] = checksum(path.parent / entry["path"])
    path.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    listed = [path.parent / entry["path"] for entry in entries.values()]
    for file in sorted(path.parent.rglob("*")):
        known = file.name in ("manifest.json", "README.md") or any(
            file == one or one in file.parents for one in listed
        )
        if file.is_file() and not known:
            print(f"not listed, and so not known to kpframe: {file}; give it an entry in {path}")


if __name__ == "__main__":
    update_manifest()
