"""The code that a result comes from: kpframe's own, and what a stage from elsewhere is made of."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import inspect
import os
import site
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kpframe.engine.live_code import live_code
from kpframe.files.changes import files_below

__all__ = ["ANNOTATING", "SHOWING", "ForeignCode", "foreign_code", "forget_code", "own_code"]


SHOWING = ("__main__.py", "cli.py", "commands", "htmlreport", "integrations", "display", "analysis")
"""The parts of kpframe that only show what was computed: no value of a cell depends on them."""

ANNOTATING = ("preprocessing", "stages", "language", "files", "model", "errors.py", "engine/annotating.py")
"""The parts on which annotations depend: the box and all floors below it. Other code may change freely."""

_PACKAGE = Path(__file__).parent.parent
_BEGUN = time.time() - 0.02  # the clock of a file system may be some milliseconds late
_IMPORTING = ("import_module", "__import__")


@cache
def own_code(only: tuple[str, ...] = ()) -> str:
    """A hash of kpframe's own source, what only shows results left out; or of the parts in `only`."""
    content = hashlib.sha256()
    for file in sorted(_PACKAGE.rglob("*.py")):
        name = file.relative_to(_PACKAGE).as_posix()
        chosen = any(name == part or name.startswith(f"{part}/") for part in only or SHOWING)
        if chosen == bool(only):
            content.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return content.hexdigest()[:32]


@dataclass(frozen=True)
class ForeignCode:
    """What the results of a stage from elsewhere come from.

    `files` are the names of the files that `checksum` covers: all files of the top-level package of the
    stage and of every package that it imports, directly or through others, and single modules. Installed
    distributions that are imported stand in `packages` with their versions instead; the standard library
    is covered by the version of Python. Not covered is what is found while running: files that are opened
    by name (declare them in `paths`), modules whose names are computed. `content` is the checksum of what the
    files hold now, whatever is in memory; empty where there are none.
    """

    checksum: str
    files: tuple[str, ...]
    packages: dict[str, str]
    content: str = ""


@cache
def foreign_code(cls: type) -> ForeignCode | None:
    """The code of a stage from elsewhere, found without running any; None for one of kpframe's own.

    The checksum covers the class in memory too (see `live_code`): several may come from one place in a file.
    Where the code in memory cannot be told from files, since the stage was typed into a session or a file
    changed after this process began, the checksum is one that was never seen before: one for each run, since
    `forget_code` is called at the beginning of each.
    """
    if cls.__module__.startswith("kpframe."):
        return None
    try:
        begin = Path(inspect.getsourcefile(cls) or "").resolve()
        closure = _Closure()
        closure.add(cls.__module__.partition(".")[0], begin)
        closure.follow()
        files = closure.checksums()
    except (OSError, TypeError):
        return ForeignCode(os.urandom(16).hex(), (), {})
    names = [f"{name}\0{checksum}" for name, checksum in files]
    names.append(live_code(cls, _is_elsewhere))
    checksum = hashlib.sha256("\n".join(names).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    content = checksum
    if any(max(file.stat().st_mtime, file.stat().st_ctime) > _BEGUN for _, file in closure.files):
        checksum = os.urandom(16).hex()
    packages = dict(sorted(closure.packages.items()))
    return ForeignCode(checksum, tuple(name for name, _ in files), packages, content)


def forget_code() -> None:
    """Look at the code of stages anew: in a session it may be another since the last run."""
    foreign_code.cache_clear()


@dataclass
class _Closure:
    """Modules that are reached by `import` from a first one, by the names of their top-level packages."""

    files: list[tuple[str, Path]] = field(default_factory=list)
    packages: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    pending: list[Path] = field(default_factory=list)

    def add(self, name: str, file: Path) -> None:
        """The whole package `name` if it is one, else the module in `file`."""
        self.seen.add(name)
        folders = _folders(name)
        for folder in folders:
            found = [path for path in files_below(folder) if _is_source(path.relative_to(folder))]
            self.files += [(f"{name}/{path.relative_to(folder).as_posix()}", path) for path in found]
            self.pending += found
        if not folders:
            self.files.append((file.name, file))
            self.pending.append(file)

    def follow(self) -> None:
        """Add all that is imported, and what that imports, until nothing new is found."""
        while self.pending:
            file = self.pending.pop()
            if file.suffix != ".py":
                continue
            for module in _imported(file):
                name = module.partition(".")[0]
                if name == "kpframe":
                    self._add_shown(module)
                elif name not in self.seen:
                    self._import(name, file.parent)

    def _import(self, name: str, beside: Path) -> None:
        self.seen.add(name)
        file = _origin(name, beside)
        if file is None or _is_standard(file):
            return
        distributions = _distributions().get(name, ()) if _is_installed(file) else ()
        self.packages.update({found: importlib.metadata.version(found) for found in distributions})
        if not distributions:
            self.add(name, file)

    def _add_shown(self, module: str) -> None:
        """A part of kpframe that else only shows results computes here."""
        part = next((p for p in SHOWING if module.split(".")[1:2] == [p.removesuffix(".py")]), None)
        if part is not None and f"kpframe.{part}" not in self.seen:
            self.seen.add(f"kpframe.{part}")
            path = _PACKAGE / part
            found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
            self.files += [(f"kpframe/{file.relative_to(_PACKAGE).as_posix()}", file) for file in found]

    def checksums(self) -> list[tuple[str, str]]:
        """Each file's name with the SHA-256 of its content."""
        return sorted((name, hashlib.sha256(file.read_bytes()).hexdigest()) for name, file in self.files)


def _is_source(path: Path) -> bool:
    """Whether a file of a package, by its place in it, is its own and not made from another or for a tool."""
    return not any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def _spec(name: str) -> importlib.machinery.ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):  # `__main__` and modules made by hand have no spec
        return None


def _folders(name: str) -> list[Path]:
    """Where a top-level package lies; none for a module of one file."""
    spec = _spec(name)
    return [Path(place).resolve() for place in (spec.submodule_search_locations or ())] if spec else []


def _origin(name: str, beside: Path) -> Path | None:
    """The file of a top-level module or package, if there is one; it may stand beside who imports it."""
    spec = _spec(name)
    if spec is not None and spec.has_location and spec.origin:
        return Path(spec.origin).resolve()
    if spec is not None and spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    file = beside / f"{name}.py"
    return file if file.is_file() else None


def _imported(file: Path) -> Iterator[str]:
    """The names of modules that a file imports absolutely, anywhere in it; nothing is executed."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            yield from _imported_by_call(node)


def _imported_by_call(node: ast.Call) -> Iterator[str]:
    """The module in `importlib.import_module("name")`, if its name is written there."""
    called = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
    first = node.args[0]
    if called in _IMPORTING and isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield first.value


@cache
def _site_folders() -> tuple[Path, ...]:
    paths: Iterable[str] = (
        *(sysconfig.get_paths()[key] for key in ("purelib", "platlib")),
        *site.getsitepackages(),
        site.getusersitepackages(),
    )
    return tuple(dict.fromkeys(Path(path).resolve() for path in paths))


@cache
def _standard_folders() -> tuple[Path, ...]:
    return tuple({Path(sysconfig.get_paths()[key]).resolve() for key in ("stdlib", "platstdlib")})


def _is_standard(file: Path) -> bool:
    """Whether a file is one of the standard library, whatever its name: `sched.py` may be somebody's own."""
    return not _is_installed(file) and any(file.is_relative_to(folder) for folder in _standard_folders())


def _is_elsewhere(module: str) -> bool:
    """Whether a module is neither kpframe's nor a library's: it has no version that keys cover."""
    if module.partition(".")[0] in ("kpframe", "builtins"):
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is None or not (_is_standard(Path(file).resolve()) or _is_installed(Path(file).resolve()))


def _is_installed(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in _site_folders())


@cache
def _distributions() -> dict[str, list[str]]:
    """For each installed top-level module the distributions that brought it."""
    found = importlib.metadata.packages_distributions()
    return {name: sorted(set(distributions)) for name, distributions in found.items()}
