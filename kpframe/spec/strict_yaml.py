"""YAML 1.2 that is plain data: duplicate keys refused, aliases bounded, no tags, every value's line known."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from kpframe.errors import Problem, SpecError

__all__ = ["Positions", "as_yaml", "parse_value", "read_yaml"]

MAX_CHARACTERS = 1_000_000
MAX_NODES = 100_000
MAX_DEPTH = 50

_PLAIN_TAGS: dict[type[yaml.Node], frozenset[str]] = {
    yaml.ScalarNode: frozenset({"null", "bool", "int", "float", "str"}),
    yaml.SequenceNode: frozenset({"seq"}),
    yaml.MappingNode: frozenset({"map"}),
}
"""What may stand behind `!!`, for each type of node."""

Key = tuple[str | int, ...]


@dataclass
class Positions:
    """Where each value of a spec was written: the path of keys → `file:line`."""

    places: dict[Key, str] = field(default_factory=dict)
    files: dict[Key, Path] = field(default_factory=dict)
    fallback: str = "spec"
    settings: set[Key] = field(default_factory=set)
    """The paths of what was set from outside of the file."""

    def place(self, path: Key) -> str:
        """The place of a value, or of the nearest value that encloses it; with what was set below it."""
        lengths = range(len(path), 0, -1)
        found = next((self.places[path[:n]] for n in lengths if path[:n] in self.places), self.fallback)
        below = (key for key in self.settings if path and key[: len(path)] == path and len(key) > len(path))
        return " and ".join(dict.fromkeys((found, *(self.places[key] for key in sorted(below, key=str)))))

    def folder(self, path: Key) -> Path:
        """The folder that relative paths in a value refer to."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.files:
                return self.files[path[:length]].parent
        return Path()

    def forget(self, path: Key) -> None:
        """Drop everything known at and below a path."""
        for known in (self.places, self.files):
            for key in [key for key in known if key[: len(path)] == path]:
                del known[key]
        self.settings -= {key for key in self.settings if key[: len(path)] == path}

    def take(self, other: Positions, path: Key) -> None:
        """Take over what another one knows at and below a path."""
        self.places.update({key: of for key, of in other.places.items() if key[: len(path)] == path})
        self.files.update({key: of for key, of in other.files.items() if key[: len(path)] == path})
        self.settings |= {key for key in other.settings if key[: len(path)] == path}

    def move(self, path: Key, new: Key) -> None:
        """Everything at and below a path stands at another one now."""
        if path == new:
            return
        moved = Positions()
        moved.take(self, path)
        self.forget(path)
        if len(new) >= len(path):
            self.forget(new)
        size = len(path)
        self.places.update({(*new, *key[size:]): of for key, of in moved.places.items()})
        self.files.update({(*new, *key[size:]): of for key, of in moved.files.items()})
        self.settings |= {(*new, *key[size:]) for key in moved.settings}


_SCALARS = {
    "null": (re.compile(r"~|null|Null|NULL|"), ["~", "n", "N", ""]),
    "bool": (re.compile(r"true|True|TRUE|false|False|FALSE"), list("tTfF")),
    "int": (re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"), list("-+0123456789")),
    "float": (
        re.compile(
            r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
        ),
        list("-+0123456789."),
    ),
}
"""The core schema of YAML 1.2.2 (section 10.3.2): how a plain scalar of a type looks, and how it begins.

PyYAML has the rules of 1.1, by which `010` is 8, `1:30` is 90, `0b11` is 3, `1_000` is a thousand, `1e3` is
a text and `no` (Norwegian) is false.
"""


class _Loader(yaml.SafeLoader):
    """Gives up while reading what is far too deep: PyYAML's scanner looks at all open brackets per token."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 (as the base class has it)
    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self._depth += 1
        if self._depth > 2 * MAX_DEPTH:
            raise RecursionError
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


class _Dumper(yaml.SafeDumper):
    """Quotes every text that 1.1 or 1.2 would take for something else."""

    yaml_implicit_resolvers = dict(yaml.SafeDumper.yaml_implicit_resolvers)  # noqa: RUF012


for _tag, (_pattern, _first) in _SCALARS.items():
    for _either in (_Loader, _Dumper):
        _either.add_implicit_resolver(
            f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern.pattern})$"), _first
        )


def as_yaml(value: Any) -> str:
    """Plain values as YAML that any reader, of YAML 1.1 or 1.2, reads back as they are."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def read_yaml(path: Path, positions: Positions) -> dict[str, Any]:
    """The mapping in a YAML file; its places are added to `positions`.

    Raises SpecError with everything that is wrong with the file as YAML.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecError.at(str(path), f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from None
    except OSError as error:
        raise SpecError.at(str(path), f"cannot be read: {error.strerror}", "check the path") from None
    if len(text) > MAX_CHARACTERS:
        raise SpecError.at(str(path), "is too large for a spec", "a spec has at most a million characters")
    node = _compose(text, str(path))
    if node is None:
        raise SpecError.at(str(path), "is empty", "write at least `documents:` or `extends:`")
    converter = _Converter(path, positions)
    value = converter.convert(node, ())
    if not isinstance(value, dict):
        converter.complain(node, "a spec is a mapping of keys to values", "begin with `name: …`")
    if converter.problems:
        raise SpecError(converter.problems)
    return dict(value)


def parse_value(text: str, place: str) -> Any:
    """One YAML value from a command line, as in `--set ranking.window=3`."""
    try:
        node = _compose(text, place)
    except SpecError as error:
        raise error.moved(place) from None
    if node is None:
        return None
    converter = _Converter(Path(place), Positions())
    value = converter.convert(node, ())
    if converter.problems:
        raise SpecError(converter.problems).moved(place)
    return value


def _compose(text: str, place: str) -> yaml.Node | None:
    try:
        loader = _Loader(text)
    except yaml.reader.ReaderError as error:
        problem = f"the character {chr(int(error.character))!r} is not allowed"
        where = f"{place}:{text.count(chr(10), 0, error.position) + 1}"
        raise SpecError.at(where, f"is not valid YAML: {problem}", "remove it") from None
    try:
        return loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{place}:{mark.line + 1}" if mark else place
        raise SpecError.at(where, f"is not valid YAML: {error.problem}", "check quotes and indents") from None
    except RecursionError:
        raise SpecError.at(place, "is not valid YAML: it is nested too deeply", "check the file") from None
    except (yaml.YAMLError, ValueError) as error:
        problem = " ".join(str(error).split())
        raise SpecError.at(place, f"is not valid YAML: {problem}", "check the file") from None
    finally:
        loader.dispose()


class _Converter:
    """Turns nodes into plain values, counting, so that aliases cannot explode."""

    def __init__(self, path: Path, positions: Positions) -> None:
        self.path = path
        self.positions = positions
        self.problems: list[Problem] = []
        self._nodes = 0

    def complain(self, node: yaml.Node, problem: str, remedy: str) -> None:
        self.problems.append(Problem(f"{self.path}:{node.start_mark.line + 1}", problem, remedy))

    def convert(self, node: yaml.Node, path: Key) -> Any:
        self._nodes += 1
        if self._nodes > MAX_NODES or len(path) > MAX_DEPTH:
            if not any("too much" in p.problem for p in self.problems):
                self.complain(node, "expands to too much data", "use fewer aliases and less nesting")
            return None
        self.positions.places[path] = f"{self.path}:{node.start_mark.line + 1}"
        self.positions.files[path] = self.path
        if node.tag.removeprefix("tag:yaml.org,2002:") not in _PLAIN_TAGS[type(node)]:
            self.complain(node, f"the tag {node.tag} is not allowed", "a spec is plain data")
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.convert(item, (*path, i)) for i, item in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, path: Key) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode) or _is_merge(key_node):
                self.complain(key_node, "a key must be a plain word", "use `extends:` to inherit")
                continue
            key = str(key_node.value)
            if key in result:
                name = ".".join(map(str, (*path, key)))
                self.complain(key_node, f"{name}: the key stands twice", "remove one of the two")
                continue
            result[key] = self.convert(value_node, (*path, key))
            self.positions.places[(*path, key)] = f"{self.path}:{key_node.start_mark.line + 1}"
        return result

    def _scalar(self, node: yaml.Node) -> Any:
        text, tag = str(node.value), node.tag.removeprefix("tag:yaml.org,2002:")
        if tag == "str":
            return text
        pattern, _ = _SCALARS[tag]
        try:
            if pattern.fullmatch(text) or (tag == "float" and _SCALARS["int"][0].fullmatch(text)):
                return _READ[tag](text)
        except ValueError:  # Python's limit on the digits of a number
            pass
        shown = reprlib.repr(text)
        self.complain(node, f"{shown} cannot be read", "put it in quotes if it is a text")
        return None


def _is_merge(node: yaml.ScalarNode) -> bool:
    """Whether a key is the `<<` of YAML 1.1, which 1.2 no longer has: a text it would be a mistake."""
    return node.tag.endswith(":merge") or (node.value == "<<" and node.style is None)


def _whole(text: str) -> int:
    return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))


def _decimal(text: str) -> float:
    """`.inf` and `.nan` are floats whose point Python does not want."""
    return float(text.replace(".", "", 1) if text.lower().endswith(("inf", "nan")) else text)


_READ: dict[str, Callable[[str], Any]] = {
    "null": lambda text: None,
    "bool": lambda text: text.lower() == "true",
    "int": _whole,
    "float": _decimal,
}
"""From the text of a scalar to its value."""
