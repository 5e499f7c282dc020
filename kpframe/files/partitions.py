"""A data set in partitions: files of an input folder or pattern, and one file of results for each.

Beside a result lies its manifest in `_manifest/`: what it was made of, so that what is there and unchanged is
not made again. The names of manifests begin with `_`, which readers of partitioned data sets leave out.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpframe.errors import DataError, KpframeError, SpecError, without_secrets
from kpframe.files.container import walked
from kpframe.files.kinds import bare_name
from kpframe.files.sealing import sealed, whole_record
from kpframe.files.urls import (
    below,
    checksum,
    fingerprint,
    is_file,
    is_folder,
    is_url,
    joined,
    marks,
    matching,
    opened,
    published,
    version,
)
from kpframe.model import Skipped

__all__ = [
    "Partition",
    "is_as_made",
    "is_done",
    "lost",
    "made_since",
    "manifest_of",
    "manifests",
    "others",
    "outdate",
    "partitions",
    "publish",
    "tables_of",
]

_TABLES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json", ".parquet", ".xlsx")
_AS_IT_IS = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx")
_MANIFEST = "_manifest"
_BOOKS = (_MANIFEST, "_delta_log", "_spark_metadata", "_temporary")
"""Folders in which data sets in partitions keep account of themselves."""


@dataclass(frozen=True)
class Partition:
    """One file, and where its results lie: `name` below the folder of all of them.

    `whole_name`: another one has its name but for the ending, which then is in the ids that are made of it.
    """

    source: str
    folder: str
    name: str
    whole_name: bool = False

    @property
    def output(self) -> str:
        """The file of the results."""
        return joined(self.folder, self.name)

    @property
    def ids(self) -> str:
        """The ids of its documents."""
        return joined(joined(self.folder, _MANIFEST), f"{self.name}.ids.gz")

    @property
    def manifest(self) -> str:
        """What the results were made of."""
        return joined(joined(self.folder, _MANIFEST), f"{self.name}.json")


def partitions(
    patterns: Sequence[str],
    folder: str,
    ending: str,
    no_tables: list[str] | None = None,
    skip: Callable[[Skipped], object] = lambda _: None,
) -> list[Partition]:
    """The partitions that folders and patterns stand for, by their names below them.

    What lies in `folder` is none, where it is below a folder that is read; `no_tables` gets files of it that
    are none, and `skip` what is not read, as links and folders that cannot be listed. A file that is named
    twice is one partition, by its first name.
    Results have the `ending`; without one that of their partition, where it can be written. DataError where
    there is none, SpecError where two would lie in one place, or a result where an input is.
    """
    named: dict[str, tuple[str, str]] = {}
    for pattern in patterns:
        for name, path in tables_of(pattern, folder, no_tables, skip):
            named.setdefault(_plain(path), (name, path))
    alike = Counter(_stem(name) for name, _ in named.values())
    found = [
        Partition(path, folder, _result_name(name, ending), alike[_stem(name)] > 1)
        for name, path in named.values()
    ]
    if not found:
        known = ", ".join(_TABLES)
        raise DataError.at(
            f"--input {' '.join(patterns)}",
            "names no table, and partitions are tables",
            f"give files that end with {known}",
        )
    by_name: dict[str, Partition] = {}
    for one in found:
        other = by_name.setdefault(one.name, one)
        if other is not one:
            problem = f"{other.source} and {one.source} would both be {one.name}"
            apart = "rename one of them, or give their folders apart, each with an --out of its own"
            raise SpecError.at(f"--out {folder}", problem, apart)
        if _plain(one.output) in named:
            problem = f"{one.name} would take the place of an input"
            raise SpecError.at(f"--out {folder}", problem, "choose another folder")
    return list(by_name.values())


def tables_of(
    pattern: str,
    results: str = "",
    no_tables: list[str] | None = None,
    skip: Callable[[Skipped], object] = lambda _: None,
) -> Iterator[tuple[str, str]]:
    """Names below what is fixed in a pattern, and paths; of a folder all tables in it.

    Of a folder, what lies in the folder of `results` is left out, `no_tables` gets what is none, and `skip`
    what is not read. Files that keep account of partitions, as `_SUCCESS`, are nobody's loss.
    """
    if is_folder(pattern):
        base = pattern.rstrip("/")
        inside = f"{_plain(results)}/" if results else ""
        if inside == f"{_plain(base)}/" or not inside.startswith(f"{_plain(base)}/"):
            inside = ""  # results beside the inputs, or elsewhere
        for name, path, objection in sorted(_below(base)):
            parts = name.split("/")
            hidden = any(part.startswith(".") or part in _BOOKS for part in parts)
            if hidden or (inside and f"{_plain(path)}/".startswith(inside)):
                continue
            if objection:
                skip(Skipped(path, objection))
            elif bare_name(name).lower().endswith(_TABLES):
                yield name, path
            elif no_tables is not None and not parts[-1].startswith("_"):
                no_tables.append(path)
        return
    fixed = pattern
    while any(mark in fixed for mark in marks(pattern)):
        fixed = fixed.rpartition("/")[0]
    start = f"{fixed.rstrip('/')}/" if fixed != pattern else f"{pattern.rpartition('/')[0]}/"
    for path in matching(pattern):
        name = path[len(start) :] if path.startswith(start) else path.partition("?")[0].rpartition("/")[2]
        yield name, path


def _below(base: str) -> Iterator[tuple[str, str, str]]:
    """All below a folder: names, paths, and why something is not read, as of a folder that is read whole."""
    if is_url(base) and not base.startswith("file://"):
        yield from ((name, path, "") for name, path in below(base))
        return
    for entry in walked(Path(base.removeprefix("file://"))):
        name = entry.name.rstrip("/")
        yield name, joined(base, name) if name else base, entry.objection


def _stem(name: str) -> str:
    return os.path.splitext(bare_name(name))[0]


def _result_name(name: str, ending: str) -> str:
    bare = bare_name(name)
    stem, own = os.path.splitext(bare)
    if ending:
        return f"{stem}{ending}"
    packed = name[len(bare) :] if name.endswith((".gz", ".zst")) else ""
    return f"{bare}{packed}" if own.lower() in _AS_IT_IS else f"{stem}.jsonl"


def _plain(path: str) -> str:
    return (
        path
        if is_url(path) and not path.startswith("file://")
        else os.path.abspath(path.removeprefix("file://"))
    )


def others(found: Sequence[Partition]) -> list[str]:
    """Results in the folder, by their manifests, that are of none of the partitions found."""
    known = {one.name for one in found}
    return [name for name in manifests(found[0].folder) if name not in known] if found else []


def manifests(folder: str) -> list[str]:
    """The results that have manifests in a folder."""
    place = joined(folder, _MANIFEST)
    if not is_folder(place):
        return []
    files = (name for name, _, objection in _below(place) if not objection)
    names = (name.removesuffix(".json") for name in files if name.endswith(".json"))
    return sorted(name for name in names if bare_name(name).lower().endswith(_AS_IT_IS))


def lost(folder: str) -> Iterator[tuple[str, bool, int]]:
    """Results that are not what their manifests say: name, whether it is missing, and its documents.

    A result that a manifest says to be of older input is not looked at. Files whose manifests cannot be read
    count as changed, since the same command makes them anew.
    """
    for name in manifests(folder):
        one = Partition("", folder, name)
        try:
            known = manifest_of(one)
            if not known["complete"]:
                continue
            documents = int(known["documents"])
            if not is_file(one.output):
                yield name, True, documents
            elif known["result"] != fingerprint(one.output) or not (
                is_file(one.ids) and known["ids"] == fingerprint(one.ids)
            ):
                yield name, False, documents
        except (OSError, ValueError, KeyError, KpframeError):
            yield name, False, 0


def is_as_made(known: Mapping[str, Any], path: str) -> bool:
    """Whether a result has the bytes that its manifest was written for, also where both were copied.

    A store may have another kind of checksum of it than the one it was copied from.
    """
    now, content = fingerprint(path), known["sha256"]
    if now in (known["result"], f"sha256:{content}"):
        return True
    return not now.startswith("sha256:") and bool(checksum(path) == content)


def manifest_of(partition: Partition) -> Mapping[str, Any]:
    """What a manifest says. ValueError for one that is not as it was written: its counts are believed."""
    with opened(partition.manifest) as file:
        return whole_record(file.read())


def is_done(partition: Partition, identity: str) -> Mapping[str, Any] | None:
    """What the manifest says, if the results are there, whole, and of this input and identity; else None."""
    try:
        known = manifest_of(partition)
        same = known["identity"] == identity and known["complete"]
        same = same and known["content"] == fingerprint(partition.source)
        same = same and known.get("whole_name", False) == partition.whole_name
        for path, content in ((partition.output, known["result"]), (partition.ids, known["ids"])):
            same = same and is_file(path) and content == fingerprint(path)
    except (OSError, ValueError, KeyError, KpframeError):
        return None
    return known if same else None


def made_since(partition: Partition, identity: str, before: str | None) -> Mapping[str, Any] | None:
    """What the manifest says, if it was written since its version was `before`; else None.

    Whoever wrote it has just read the input and compared it: neither it nor the results are read for that.
    """
    try:
        if version(partition.manifest) in (before, None):
            return None
        known = manifest_of(partition)
        same = known["identity"] == identity and known["complete"] and is_file(partition.output)
        same = same and known.get("whole_name", False) == partition.whole_name
    except (OSError, ValueError, KeyError, KpframeError):
        return None
    return known if same else None


def outdate(partition: Partition) -> bool:
    """Say in the manifest of results that are there that they are no longer those of the input.

    They stay, since nothing is lost; False where there are none, or it cannot be written.
    """
    try:
        _write(partition, {**manifest_of(partition), "complete": False})
        return is_file(partition.output)
    except (OSError, ValueError, KpframeError):
        return False


def publish(partition: Partition, whole: Path, ids: Path, told: Mapping[str, Any]) -> Mapping[str, Any]:
    """Put results and ids in place, then their manifest; killed in between, they are made again."""
    checksum = hashlib.sha256()
    with whole.open("rb") as source:
        while piece := source.read(2**20):
            checksum.update(piece)
    for made, place in ((whole, partition.output), (ids, partition.ids)):
        with published(place) as file, made.open("rb") as source:
            shutil.copyfileobj(source, file, 2**20)
    record = {
        "input": without_secrets(partition.source),
        "output": partition.name,
        "sha256": checksum.hexdigest(),
        "bytes": whole.stat().st_size,
        "result": fingerprint(partition.output),
        "ids": fingerprint(partition.ids),
        **({"whole_name": True} if partition.whole_name else {}),
        **told,
    }
    _write(partition, record)
    return record


def _write(partition: Partition, record: Mapping[str, Any]) -> None:
    """A manifest with its own checksum, since what it counts is told without reading the results again."""
    content = {name: value for name, value in record.items() if name != "checksum"}
    with published(partition.manifest) as file:
        text = json.dumps(sealed(content), indent=1, sort_keys=True, ensure_ascii=False)
        file.write(text.encode() + b"\n")
