"""The floors of the house: what may import what, read from the source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from families import every

from kpframe.stages import FOLDERS, PARTS

PACKAGE = Path(__file__).resolve().parent.parent / "kpframe"

BOXES = (*FOLDERS, *PARTS)
FLOORS = (
    ("__main__",),
    ("__init__", "cli"),
    ("commands",),
    ("integrations",),
    ("htmlreport",),
    ("analysis",),
    ("engine",),
    ("runs",),
    ("evaluation",),
    ("spec",),
    BOXES,
    ("stages",),
    ("display",),
    ("statistics",),
    ("language",),
    ("files",),
    ("model", "arguments"),
    ("errors", "version"),
)
"""The parts of the package, the top floor first; what stands on one floor does not know its neighbours."""

LEVEL = {part: number for number, floor in enumerate(FLOORS) for part in floor}
UPPER = {"cli", "commands", "__main__"}
HEAVY = {
    "cassis",
    "spacy",
    "sklearn",
    "networkx",
    "nltk",
    "openpyxl",
    "scipy",
    "skops",
    "narwhals",
    "pandas",
    "polars",
    "pyarrow",
    "pypdfium2",
    "sacrebleu",
    "sentence_transformers",
    "torch",
    "transformers",
}


class Import(NamedTuple):
    """An import of `module` in `file`; `lazy` if it runs only when a function is called."""

    file: Path
    line: int
    module: str
    lazy: bool

    @property
    def floor(self) -> str:
        """The part of kpframe that imports."""
        return self.file.relative_to(PACKAGE).with_suffix("").parts[0]

    @property
    def target(self) -> str:
        """The part of kpframe that is imported, or empty."""
        names = self.module.split(".")
        return names[1] if names[0] == "kpframe" and len(names) > 1 else ""

    def __str__(self) -> str:
        return f"{self.file.relative_to(PACKAGE.parent)}:{self.line} imports {self.module}"


@cache
def imports() -> tuple[Import, ...]:
    """All imports of the package, except those that only type checkers see."""
    found: list[Import] = []
    for file in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found += (Import(file, *rest) for rest in _imports_in(tree.body, False))
    return tuple(found)


def _imports_in(nodes: list[ast.stmt], lazy: bool) -> Iterator[tuple[int, str, bool]]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                inside = f".{alias.name}" if node.module == "kpframe" else ""
                yield node.lineno, f"{node.module}{inside}", lazy
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, lazy) for alias in node.names)
        elif not _for_type_checkers(node):
            inner = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            below = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            below += (
                stmt
                for child in ast.iter_child_nodes(node)
                if isinstance(child, ast.excepthandler | ast.match_case)
                for stmt in child.body
            )
            yield from _imports_in(below, inner)


def _for_type_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def test_the_reader_of_imports_sees_them_all() -> None:
    """At the top, in functions, in branches; not those for type checkers."""
    source = (
        "import a\nfrom b.c import d\nif TYPE_CHECKING:\n    import e\n"
        "try:\n    import f\nexcept ImportError:\n    import g\n"
        "class K:\n    def m(self):\n        with x:\n            from kpframe import h\n"
    )
    assert list(_imports_in(ast.parse(source).body, False)) == [
        (1, "a", False),
        (2, "b.c", False),
        (6, "f", False),
        (8, "g", False),
        (12, "kpframe.h", True),
    ]


def test_every_part_of_the_package_has_a_floor() -> None:
    """At most 24 folders and 6 modules stand at the top."""
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    assert folders | modules == set(LEVEL)
    assert len(folders) <= 24 and len(modules) <= 6


def test_a_floor_imports_only_what_lies_below_it() -> None:
    """Also inside functions: a hidden import is an import."""
    between = [(LEVEL[one.floor], one) for one in imports() if one.target not in ("", one.floor)]
    wrong = [str(found) for level, found in between if LEVEL[found.target] <= level]
    assert wrong == []


@every("folder", sorted(path.name for path in PACKAGE.iterdir() if path.is_dir()))
def test_a_folder_says_what_belongs_into_it(folder: str) -> None:
    """Its __init__ has a docstring; a circle of files cannot hide in one."""
    if folder.startswith("_"):
        return
    assert ast.get_docstring(ast.parse((PACKAGE / folder / "__init__.py").read_text(encoding="utf-8")))


def test_stages_are_reached_through_the_registry_alone() -> None:
    """Nobody but the folders themselves imports one of their modules by name."""
    wrong = [str(found) for found in imports() if found.target in FOLDERS and found.floor != found.target]
    assert wrong == []


def test_only_the_command_line_imports_the_command_line() -> None:
    """The library does not know that it has one."""
    wrong = [
        str(found)
        for found in imports()
        if found.target in UPPER and found.floor not in UPPER and found.floor != "__init__"
    ]
    assert wrong == []


def test_the_command_line_parses_before_it_imports() -> None:
    """At the top of `cli` and of each command stands nothing heavy, so that `--help` is quick."""
    public = [
        found
        for found in imports()
        if found.floor == "cli" or (found.floor == "commands" and not found.file.name.startswith("_"))
    ]
    top = {found.target for found in public if not found.lazy and found.target and not _for_types(found)}
    assert top <= {"commands", "errors", "version"}


def _for_types(found: Import) -> bool:
    """Whether an import stands under `if TYPE_CHECKING:` and is never run."""
    return found.file.read_text(encoding="utf-8").split("\n")[found.line - 1].startswith(" ")


def test_no_module_imports_a_heavy_library_when_it_is_imported() -> None:
    """spaCy, scikit-learn and their like are loaded by the function that needs them."""
    wrong = [str(found) for found in imports() if found.module.split(".")[0] in HEAVY and not found.lazy]
    assert wrong == []


def test_no_files_import_each_other_in_a_circle() -> None:
    """The files of the package can be put in an order in which each imports only earlier ones."""
    names = {_module(file): file for file in PACKAGE.rglob("*.py")}
    below: dict[str, set[str]] = {name: set() for name in names}
    for found in imports():
        target = found.module if found.module in names else found.module.rpartition(".")[0]
        own = _module(found.file)
        if target in names and target != own and not own.startswith(f"{target}."):
            below[own].add(target)
    known: set[str] = set()
    while ready := {name for name, needs in below.items() if needs <= known}:
        known |= ready
        below = {name: needs for name, needs in below.items() if name not in ready}
    assert below == {}


def _module(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_file_of_a_stage_folder_is_a_stage_or_has_an_underscore() -> None:
    """No other modules lie there, and no packages."""
    for folder in FOLDERS:
        assert not [path for path in (PACKAGE / folder).iterdir() if path.is_dir() and path.name[0] != "_"]
