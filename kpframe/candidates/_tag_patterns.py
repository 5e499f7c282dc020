"""A small language for sequences of parts of speech, and its parser.

    pattern   = sequence ("|" sequence)*
    sequence  = item+
    item      = (name | "(" pattern ")") ("?" | "*" | "+" | "{m}" | "{m,}" | "{m,n}")?
    name      = a part of speech, as `noun` or `JJ`

White space parts names and means nothing else: "(adjective|noun)* noun" or "JJ{0,2} NN IN NN".
"""

from __future__ import annotations

import re
import reprlib
from dataclasses import dataclass
from typing import Final, NoReturn

from kpframe.language.parts_of_speech import layer_of, parse

__all__ = ["Choice", "Node", "Repeat", "Sequence", "Tag", "parse_pattern"]

_LEXEME: Final = re.compile(r"\s*(?:([A-Za-z_]+\$?)|([()|?*+])|\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}|(\S))")
_MOST_REPEATS = 20
_DEEPEST = 50
"""Groups inside each other; and what is made of a pattern is at most four times as deep.

The parser and the automaton call themselves at each level, and Python ends after a thousand calls."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One token with one of these tags."""

    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`least` to `most` times the same; without limit if `most` is None."""

    item: Node
    least: int
    most: int | None


Node = Tag | Sequence | Choice | Repeat


def parse_pattern(pattern: str) -> tuple[Node, str]:
    """The tree of `pattern`, and the layer (`pos` or `tags`) that its names are looked up in.

    Raises ValueError, naming the pattern and the position in it, for anything malformed.
    """
    parser = _Parser(pattern)
    tree = parser.choice()
    if parser.token:
        parser.fail(f"{parser.token!r} without '('")
    if _depth(tree) > 4 * _DEEPEST:
        raise ValueError(f"pattern {reprlib.repr(pattern)}: too many repetitions are repeated themselves")
    if len(parser.layers) > 1:
        raise ValueError(
            f"pattern {pattern!r}: universal classes (lower case) and Penn tags (upper case) are mixed; "
            "use one of the two"
        )
    return tree, parser.layers.pop()


def _depth(tree: Node) -> int:
    """The levels of a tree, counted level by level and not by a function that calls itself."""
    depth, level = 0, [tree]
    while level:
        depth += 1
        inner: list[Node] = []
        for node in level:
            if isinstance(node, Repeat):
                inner.append(node.item)
            elif not isinstance(node, Tag):
                inner += node.items
        level = inner
    return depth


class _Parser:
    """Recursive descent with one token of look-ahead."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.layers: set[str] = set()
        self.token = ""
        self.at = self.end = self.depth = 0
        self.advance()

    def fail(self, problem: str) -> NoReturn:
        raise ValueError(f"pattern {reprlib.repr(self.pattern)}, character {self.at + 1}: {problem}")

    def advance(self) -> None:
        self.match = _LEXEME.match(self.pattern, self.end)
        if self.match is None:
            self.token, self.at = "", len(self.pattern)
            return
        self.token = self.match.group().strip()
        self.at, self.end = self.match.end() - len(self.token), self.match.end()
        if self.match[6]:
            self.fail(f"unexpected {self.token!r}; allowed are names, ( ) | ? * + and {{m,n}}")

    def choice(self) -> Node:
        items = [self.sequence()]
        while self.token == "|":
            self.advance()
            items.append(self.sequence())
        return items[0] if len(items) == 1 else Choice(tuple(items))

    def sequence(self) -> Node:
        items: list[Node] = []
        while self.token and self.token not in "|)":
            items.append(self.item())
        if not items:
            self.fail("a part of speech is missing here")
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def item(self) -> Node:
        node = self.group() if self.token == "(" else self.name()
        while self.token and (self.token in "?*+" or self.token[0] == "{"):
            node = self.repeated(node)
            self.advance()
        return node

    def group(self) -> Node:
        opened = self.at
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail(f"nested too deeply; at most {_DEEPEST} groups can stand inside each other")
        self.advance()
        node = self.choice()
        if self.token != ")":
            self.at = opened
            self.fail("'(' is never closed")
        self.depth -= 1
        self.advance()
        return node

    def name(self) -> Node:
        if self.token in "?*+" or self.token[0] == "{":
            self.fail(f"{self.token!r} has nothing to repeat")
        try:
            self.layers.add(layer_of(self.token))
            tags = parse((self.token,)).tags
        except ValueError as error:
            self.fail(str(error))
        self.advance()
        return Tag(tags)

    def repeated(self, node: Node) -> Node:
        bounds = {"?": (0, 1), "*": (0, None), "+": (1, None)}
        assert self.match is not None
        least, most = bounds[self.token] if self.token in bounds else self.counts(self.match)
        return Repeat(node, least, most)

    def counts(self, match: re.Match[str]) -> tuple[int, int | None]:
        least = int(match[3])
        most = None if match[4] and not match[5] else int(match[5] or least)
        if most == 0 or (most is not None and most < least):
            self.fail(f"{self.token!r} allows no repetition")
        if max(least, most or 0) > _MOST_REPEATS:
            self.fail(f"{self.token!r} is too much; at most {_MOST_REPEATS} repetitions can be counted")
        return least, most
