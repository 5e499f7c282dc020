"""YAML that is plain data: duplicate keys refused, aliases bounded, no tags, every value's line known."""

from __future__ import annotations

import re
import reprlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from kpframe.errors import Problem, SpecError

__all__ = ["Positions", "parse_value", "read_yaml"]

MAX_CHARACTERS = 1_000_000
MAX_NODES = 100_000
MAX_DEPTH = 50

_PLAIN_TAGS: dict[type[yaml.Node], frozenset[str]] = {
    yaml.ScalarNode: frozenset({"null", "bool", "int", "float", "str", "timestamp"}),
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

    def place(self, path: Key) -> str:
        """The place of a value, or of the nearest value that encloses it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return self.fallback

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


class _Loader(yaml.SafeLoader):
    """YAML 1.1 without the words on/off/yes/no as booleans (`no` is Norwegian)."""

    yaml_implicit_resolvers = {  # noqa: RUF012 (as the base class has it)
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":timestamp"))]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool",
    re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"),
    list("tTfF"),
)


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
        raise SpecError([Problem(place, p.problem, p.remedy) for p in error.problems]) from None
    if node is None:
        return None
    converter = _Converter(Path(place), Positions())
    value = converter.convert(node, ())
    if converter.problems:
        raise SpecError([Problem(place, p.problem, p.remedy) for p in converter.problems])
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
        self._constructor = yaml.constructor.SafeConstructor()

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
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag.endswith(":merge"):
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
        try:
            return self._constructor.construct_object(node)
        except (ValueError, LookupError, AttributeError, yaml.YAMLError):  # whatever `!!bool maybe` causes
            shown = reprlib.repr(node.value)
            self.complain(node, f"{shown} cannot be read", "put it in quotes if it is a text")
            return None
