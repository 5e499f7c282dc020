"""The floors of the house: what may import what, read from the source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from kpframe.environment import SHOWING
from kpframe.stages import FOLDERS, PARTS

PACKAGE = Path(__file__).resolve().parent.parent / "kpframe"

GROUND = {
    "calibration",
    "diversity",
    "errors",
    "language_model",
    "markup",
    "model",
    "normalize",
    "penn",
    "resources",
    "version",
}
"""Values and pure functions: they know nothing of stages."""

ALLOWED = {
    "version": set(),
    "errors": set(),
    "penn": set(),
    "calibration": {"errors"},
    "diversity": {"errors", "normalize"},
    "markup": set(),
    "model": {"errors"},
    "resources": {"errors"},
    "language_model": {"errors"},
    "normalize": {"errors", "resources"},
    "stages": {"errors", "model"},
    "registry": {"errors", "stages"},
    "parts": {"errors", "registry", "stages"},
    "spec": {"errors", "model", "parts", "registry", "resources", "stages"},
    "store": {"errors", "model"},
    "uima": {"errors", "model", "penn", "store"},
    **{folder: {*GROUND - {"version"}, "stages"} for folder in (*FOLDERS, *PARTS)},
    "documents": {*GROUND - {"version"}, "stages", "uima"},
    "matching": {*GROUND - {"version"}, "parts", "stages"},
    "metrics": {*GROUND - {"version"}, "parts", "stages"},
}
"""What each of the lower floors may import of kpframe; whatever stands above is not here."""

UPPER = {"cli", "commands", "__main__"}
HEAVY = {
    "cassis",
    "spacy",
    "sklearn",
    "networkx",
    "nltk",
    "scipy",
    "skops",
    "pandas",
    "sacrebleu",
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


@pytest.mark.parametrize("floor", ALLOWED)
def test_a_floor_imports_only_what_lies_below_it(floor: str) -> None:
    """Also inside functions: a hidden import is an import."""
    wrong = [
        str(found)
        for found in imports()
        if found.floor == floor and found.target and found.target not in {floor, *ALLOWED[floor]}
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_stage_folder_imports_no_other(folder: str) -> None:
    """What two boxes share belongs to the ground floor."""
    others = set(FOLDERS) - {folder}
    wrong = [str(found) for found in imports() if found.floor == folder and found.target in others]
    assert wrong == []


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


def test_what_computes_does_not_import_what_shows() -> None:
    """So an edit there leaves the cells of a run valid; the experiment alone has its page written."""
    showing = {name.removesuffix(".py") for name in SHOWING}
    wrong = {
        (found.floor, found.target)
        for found in imports()
        if found.target in showing and found.floor not in {*showing, "__init__"}
    }
    assert wrong == {("experiment", "htmlreport")}


def test_the_command_line_parses_before_it_imports() -> None:
    """At the top of `cli` stands nothing but the version, so that `--help` is quick."""
    top = {found.target for found in imports() if found.floor == "cli" and not found.lazy and found.target}
    assert top == {"version"}


def test_no_module_imports_a_heavy_library_when_it_is_imported() -> None:
    """spaCy, scikit-learn and their like are loaded by the function that needs them."""
    wrong = [str(found) for found in imports() if found.module.split(".")[0] in HEAVY and not found.lazy]
    assert wrong == []


def test_no_floor_reaches_above_itself_in_a_circle() -> None:
    """The parts of the package can be put in an order in which each imports only earlier ones."""
    below: dict[str, set[str]] = {}
    for found in imports():
        if found.target and found.target != found.floor and found.floor != "__init__":
            below.setdefault(found.floor, set()).add(found.target)
    known = {found.target for found in imports() if found.target} - set(below)
    while ready := {floor for floor, needs in below.items() if needs <= known}:
        known |= ready
        below = {floor: needs for floor, needs in below.items() if floor not in ready}
    assert below == {}


def test_every_file_of_a_stage_folder_is_a_stage_or_has_an_underscore() -> None:
    """No other modules lie there, and no packages."""
    for folder in FOLDERS:
        assert not [path for path in (PACKAGE / folder).iterdir() if path.is_dir() and path.name[0] != "_"]
