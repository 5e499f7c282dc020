"""What is remembered for a whole process must not be what somebody can change meanwhile."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kpframe
from kpframe.files.changes import while_unchanged

ROOT = Path(kpframe.__file__).parent
_CACHES = {"cache", "lru_cache"}
_READS = {
    *("open", "read_text", "read_bytes", "stat", "lstat", "exists", "is_file", "is_dir", "iterdir", "glob"),
    *("rglob", "scandir", "listdir", "walk", "getenv", "environ", "time", "monotonic", "now", "today", "cwd"),
    *("getcwd", "file_state", "folder_state", "opened", "open_table", "urlopen"),
}  # fmt: skip
"""Names of functions and attributes by which files, the environment and the clock are read."""


_ALLOWED = {
    "engine/worker_process.py": {"_shared"},  # files that this run writes once, each under a name of its own
    "engine/source_code.py": {"own_code", "foreign_code"},  # forgotten at the beginning of each run
    "files/leftovers.py": {"_clear_once"},  # leftovers of others are looked for once in a process
    "files/resources.py": {"manifest", "_verify"},  # what is installed with kpframe; `check` and `run` verify
    "files/urls.py": {"_drained"},  # a pipe, which can be read only once
    "htmlreport/page.py": {"_style", "_script", "_template"},  # installed with kpframe
    "language/models.py": {"fingerprint", "identity", "load", "_loaded", "language_of"},  # Python packages
    "language/stop_lists.py": {"_resolved", "_spacy_lists"},  # installed with kpframe and spaCy
    "preprocessing/ner.py": {"_labels"},  # a Python package
}
"""What may be remembered though it is read: it cannot change meanwhile, or is forgotten in its own way."""


def _names(node: ast.AST) -> set[str]:
    """The names and attributes that a function mentions."""
    found = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            found.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            found.add(inner.attr)
    return found


def _is_cached(function: ast.AST) -> bool:
    if not isinstance(function, ast.FunctionDef):
        return False
    named = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    return any(
        (one.id if isinstance(one, ast.Name) else getattr(one, "attr", "")) in _CACHES for one in named
    )


def reading(source: str) -> Iterator[str]:
    """The functions of a file that are remembered and read what can change, also through others of it."""
    tree = ast.parse(source)
    functions = {
        node.name: _names(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for node in ast.walk(tree):
        if not _is_cached(node):
            continue
        seen, waiting = set(), [node.name]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += [other for other in functions[name] if other in functions]
        if any(functions[name] & _READS for name in seen):
            yield node.name


@pytest.mark.slow
def test_nothing_that_can_change_is_remembered_for_good() -> None:
    """Files are for `kpframe.files.changes.while_unchanged`, which forgets them when they change."""
    found: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "cache" not in source:  # the end of both names that are looked for; parsing is what takes long
            continue
        if names := set(reading(source)):
            found[path.relative_to(ROOT).as_posix()] = names
    assert found == _ALLOWED


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("@cache\ndef a(p): return open(p).read()", ["a"]),
        ("@functools.lru_cache(maxsize=2)\ndef a(p): return Path(p).read_text()", ["a"]),
        ("@lru_cache\ndef a(): return os.environ['X']", ["a"]),
        ("@cache\ndef a(): return b()\ndef b(): return c()\ndef c(): return time.time()", ["a"]),
        ("@cache\ndef a(): return b()\ndef b(): return a()", []),
        ("@cache\ndef a(p): return p + 1\ndef b(p): return open(p)", []),
        ("@while_unchanged(2)\ndef a(p): return open(p).read()", []),
        ("def a(p): return open(p)", []),
    ],
)
def test_what_is_found(body: str, found: list[str]) -> None:
    """Through other functions of the file, too."""
    assert list(reading(body)) == found


def counted(maxsize: int = 4) -> tuple[Callable[[Path], str], list[Path]]:
    """A function that reads a file, remembered, and what it was really asked."""
    asked: list[Path] = []

    @while_unchanged(maxsize)
    def content(path: Path) -> str:
        asked.append(path)
        return "".join(sorted(p.read_text() for p in path.iterdir())) if path.is_dir() else path.read_text()

    return content, asked


def test_a_file_is_read_once_and_again_when_it_was_changed_or_replaced(tmp_path: Path) -> None:
    """Also where its date and its size stay."""
    content, asked = counted()
    path = tmp_path / "a"
    path.write_text("one")
    assert [content(path), content(path)] == ["one", "one"]
    assert len(asked) == 1
    before = os.stat(path)
    path.write_text("two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert content(path) == "two"
    (tmp_path / "b").write_text("new")
    os.replace(tmp_path / "b", path)
    assert [content(path), content(path)] == ["new", "new"]
    assert len(asked) == 3


def test_a_folder_is_read_again_when_a_file_in_it_was_changed(tmp_path: Path) -> None:
    """As one with a model."""
    content, asked = counted()
    (tmp_path / "a").write_text("one")
    assert [content(tmp_path), content(tmp_path)] == ["one", "one"]
    (tmp_path / "b").write_text("two")
    assert content(tmp_path) == "onetwo"
    assert len(asked) == 2


def test_a_file_that_is_not_there_is_asked_for_each_time(tmp_path: Path) -> None:
    """An error is not remembered."""
    content, asked = counted()
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            content(tmp_path / "a")
    (tmp_path / "a").write_text("one")
    assert content(tmp_path / "a") == "one"
    assert len(asked) == 3
