"""What a stage from elsewhere is in memory: its functions as they were compiled, and what values they see.

Files do not tell all of it. A class may be made by a factory, in a loop or by `exec`; a method may be
replaced, an attribute or a global set, a helper reloaded; and Python takes old bytecode for a source that
was changed without another time or size.
"""

from __future__ import annotations

import dis
import hashlib
import inspect
import types
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any

__all__ = ["live_code"]

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_WRAPPED = (classmethod, staticmethod)


def live_code(cls: type, is_elsewhere: Callable[[str], bool]) -> str:
    """A checksum of a class in memory; `is_elsewhere` says of a module by its name whether it is looked at.

    It covers the methods of the class and of its bases, functions and classes that they use by a global
    name, what these have as defaults and in closures, and constants (numbers, strings, tuples of them)
    among class attributes and globals. What can be changed in place, as a dict that remembers results, is
    no constant, and is not covered. The same source gives the same checksum in every process of one version
    of Python.
    """
    found = _Found(is_elsewhere)
    found.add_class(cls)
    return found.checksum()


class _Found:
    def __init__(self, is_elsewhere: Callable[[str], bool]) -> None:
        self._is_elsewhere = is_elsewhere
        self._content = hashlib.sha256()
        self._seen: set[int] = set()

    def checksum(self) -> str:
        return self._content.hexdigest()[:32]

    def add_class(self, cls: type) -> None:
        """The methods and constants of a class and of its bases."""
        if id(cls) in self._seen:
            return
        self._seen.add(id(cls))
        for base in cls.__mro__:
            if self._is_elsewhere(base.__module__):
                for name, value in sorted(vars(base).items()):
                    if not name.startswith("__") or inspect.isfunction(value):
                        self.add(f"{base.__qualname__}.{name}", value)

    def add(self, name: str, value: Any) -> None:
        """A value that is seen under a name; nothing of one that is neither code nor constant."""
        if _is_constant(value):
            self._write(name, _constant(value))
            return
        for part in _functions(value):
            self._add_function(name, part)
        if isinstance(value, partial):
            self.add(f"{name}()", (*value.args, *sorted(value.keywords.items())))

    def _add_function(self, name: str, function: types.FunctionType) -> None:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        for number, value in enumerate((*(function.__defaults__ or ()), *_cells(function))):
            self.add(f"{name}[{number}]", value)
        for key, value in sorted((function.__kwdefaults__ or {}).items()):
            self.add(f"{name}[{key}]", value)
        if self._is_elsewhere(function.__module__ or ""):
            self._write(name, _compiled(function.__code__))
            self._add_globals(function)

    def _add_globals(self, function: types.FunctionType) -> None:
        # What a function sets by itself, as a counter, is another from one document to the next.
        names = sorted(set(_names(function.__code__)) - set(_set_globals(function.__code__)))
        for name in names:
            value = function.__globals__.get(name)
            if isinstance(value, types.ModuleType):
                if self._is_elsewhere(value.__name__):
                    for inner in names:
                        self.add(f"{name}.{inner}", vars(value).get(inner))
            elif isinstance(value, type):
                self.add_class(value)
            elif value is not None:
                self.add(name, value)

    def _write(self, *parts: str) -> None:
        for part in parts:
            self._content.update(part.encode("utf-8", "surrogatepass") + b"\0")


def _functions(value: Any) -> Iterator[types.FunctionType]:
    """The functions that are called by what a class or module has under a name."""
    if isinstance(value, types.FunctionType):
        yield value
        if hasattr(value, "__wrapped__"):
            yield from _functions(value.__wrapped__)
    elif isinstance(value, _WRAPPED):
        yield from _functions(value.__func__)
    elif isinstance(value, property):
        for one in (value.fget, value.fset):
            yield from _functions(one)
    elif isinstance(value, cached_property | partial):
        yield from _functions(value.func)
    elif type(value).__module__ == "functools" and hasattr(value, "__wrapped__"):  # as `cache` makes it
        yield from _functions(value.__wrapped__)


def _cells(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not yet bound
            yield None


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _set_globals(code: types.CodeType) -> Iterator[str]:
    yield from (one.argval for one in dis.get_instructions(code) if one.opname == "STORE_GLOBAL")
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _set_globals(constant)


def _compiled(code: types.CodeType) -> str:
    """Instructions, names and constants; no line numbers and no paths."""
    constants = [
        _compiled(one) if isinstance(one, types.CodeType) else _constant(one) for one in code.co_consts
    ]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))


def _is_constant(value: Any) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_constant, value))
    return type(value) in _PLAIN


def _constant(value: Any) -> str:
    """A text for a constant, the same in every process: sets have another order in each."""
    if type(value) is frozenset:
        return f"frozenset({sorted(map(_constant, value))})"
    if type(value) is tuple:
        return f"({', '.join(map(_constant, value))})"
    return repr(value)
