"""Matches patterns of parts of speech against the tags of a text.

A pattern becomes a deterministic automaton, whose states are made when they are first needed. This
takes time linear in the length of each match, whatever the pattern (backtracking takes exponential
time for "(noun+)+ verb" before a table of nouns), and finds the longest match of any alternative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kpframe.candidates._tag_patterns import Choice, Node, Repeat, Tag, parse_pattern
from kpframe.candidates._tag_patterns import Sequence as InSequence

__all__ = ["Automaton", "compiled"]

_MOST_POSITIONS = 500


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a pattern: whether it can be empty, and which positions can begin and end it."""

    empty: bool
    first: frozenset[int]
    last: frozenset[int]


_NOTHING = _Part(True, frozenset(), frozenset())


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Automaton:
    """The automaton of a pattern; ValueError if it is malformed (see `parse_pattern`)."""
    return Automaton(pattern)


class Automaton:
    """The position automaton of a pattern (Glushkov 1961), made deterministic on demand."""

    def __init__(self, pattern: str) -> None:
        tree, self.layer = parse_pattern(pattern)
        self._pattern = pattern
        self._tags: list[frozenset[str]] = []
        self._follow: list[set[int]] = []
        whole = self._part(tree)
        self._last = whole.last
        self._states: list[frozenset[int]] = [whole.first]
        self._number = {(whole.first, False): 0}
        self._accepting = [False]
        self._next: list[dict[str, int]] = [{}]

    def ends(self, tags: Sequence[str | None], begin: int, stop: int) -> Iterator[int]:
        """All ends, ascending, of the matches that begin at `begin` and end by `stop`.

        A token whose tag is None matches nothing. Empty matches are not told.
        """
        state = 0
        for position in range(begin, stop):
            tag = tags[position]
            if tag is None:
                return
            after = self._next[state].get(tag)
            if after is None:
                after = self._step(state, tag)
            if after < 0:
                return
            state = after
            if self._accepting[state]:
                yield position + 1

    def longest(self, tags: Sequence[str | None], begin: int, stop: int) -> list[tuple[int, int]]:
        """The longest matches between `begin` and `stop`, from left to right, without overlap."""
        following, accepting = self._next, self._accepting
        first = following[0]
        found: list[tuple[int, int]] = []
        while begin < stop:
            tag = tags[begin]
            # Most tokens begin no match, and are passed over by one look-up.
            if tag is None or first.get(tag) == -1:
                begin += 1
                continue
            state, end = 0, 0
            for position in range(begin, stop):
                tag = tags[position]
                if tag is None:
                    break
                after = following[state].get(tag)
                if after is None:
                    after = self._step(state, tag)
                if after < 0:
                    break
                state = after
                if accepting[state]:
                    end = position + 1
            if end:
                found.append((begin, end))
            begin = end or begin + 1
        return found

    def _step(self, state: int, tag: str) -> int:
        """The state after `tag`, -1 if no match can go on; remembered."""
        read = [position for position in self._states[state] if tag in self._tags[position]]
        if not read:
            self._next[state][tag] = -1
            return -1
        expected = frozenset[int]().union(*(self._follow[position] for position in read))
        # Two sets of positions that go on alike are still different states if a match may end in only one.
        identity = (expected, not self._last.isdisjoint(read))
        number = self._number.setdefault(identity, len(self._states))
        if number == len(self._states):
            self._states.append(expected)
            self._accepting.append(identity[1])
            self._next.append({})
        self._next[state][tag] = number
        return number

    def _part(self, node: Node) -> _Part:
        if isinstance(node, Tag):
            return self._position(node.tags)
        if isinstance(node, Choice):
            parts = [self._part(item) for item in node.items]
            first = frozenset[int]().union(*(part.first for part in parts))
            last = frozenset[int]().union(*(part.last for part in parts))
            return _Part(any(part.empty for part in parts), first, last)
        if isinstance(node, InSequence):
            whole = _NOTHING
            for item in node.items:
                whole = self._joined(whole, self._part(item))
            return whole
        return self._repeated(node)

    def _position(self, tags: frozenset[str]) -> _Part:
        if len(self._tags) == _MOST_POSITIONS:
            raise ValueError(f"pattern {self._pattern!r} is too long; write it as several patterns")
        here = frozenset({len(self._tags)})
        self._tags.append(tags)
        self._follow.append(set())
        return _Part(False, here, here)

    def _joined(self, left: _Part, right: _Part) -> _Part:
        for position in left.last:
            self._follow[position] |= right.first
        first = left.first | right.first if left.empty else left.first
        last = left.last | right.last if right.empty else right.last
        return _Part(left.empty and right.empty, first, last)

    def _repeated(self, node: Repeat) -> _Part:
        whole = _NOTHING
        # Every repetition that must be there has positions of its own, since a position cannot count.
        for _ in range(node.least):
            whole = self._joined(whole, self._part(node.item))
        if node.most is None:
            loop = self._part(node.item)
            # Its end leads to its own beginning: that is the repetition; what comes out of it is not used.
            self._joined(loop, loop)
            return self._joined(whole, _Part(True, loop.first, loop.last))
        for _ in range(node.most - node.least):
            one = self._part(node.item)
            whole = self._joined(whole, _Part(True, one.first, one.last))
        return whole
