"""A text after changes, with the way back to the text that was given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from kpframe.errors import StageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Offsets = NDArray[np.int32]

__all__ = ["Edit", "Traced", "evened", "narrowed"]

Edit = tuple[int, int, str]
"""Begin and end of what is replaced, half-open, and what stands there afterwards."""


class _Pattern(Protocol):
    """A compiled pattern of `re` or of `regex`."""

    def finditer(self, string: str, /) -> Iterator[Any]: ...


@dataclass(frozen=True, eq=False)
class Traced:
    """A text, and for each of its characters the range of the given text that it stands for.

    `begins` and `ends` (shape: characters of `text`) are code-point offsets into `given`, half-open, and
    never decrease. What was inserted stands for an empty range, what replaces something for all of that.
    `given` is None where something changed the text and did not tell how: there is no way back.
    """

    text: str
    given: str | None
    begins: _Offsets
    ends: _Offsets

    @classmethod
    def of(cls, text: str) -> Traced:
        """A text as it was given."""
        import numpy as np

        places = np.arange(len(text) + 1, dtype=np.int32)
        return cls(text, text, places[:-1], places[1:])

    @classmethod
    def lost(cls, text: str) -> Traced:
        """A text of which nobody knows where it comes from."""
        import numpy as np

        return cls(text, None, *(np.zeros(0, dtype=np.int32) for _ in range(2)))

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """The range of the given text that the characters `begin` to `end` (half-open) stand for."""
        if self.given is None:
            return begin, end
        if begin == end:
            place = int(self.begins[begin]) if begin < len(self.text) else len(self.given)
            return place, place
        return int(self.begins[begin]), int(self.ends[end - 1])

    def place_of(self, offset: int) -> int:
        """Where in this text that begins which stands at or after `offset` of the given text."""
        import numpy as np

        return int(np.searchsorted(self.begins, offset)) if self.given is not None else offset

    def inverse(self, begin: int, end: int) -> tuple[int, int]:
        """The characters of this text that stand for (parts of) the range of the given text."""
        if self.given is None:
            return begin, end
        first = self.place_of(begin)
        return first, max(first, self.place_of(end))

    def edited(self, edits: Iterable[Edit]) -> Traced:
        """The text after `edits`, which must be in order and not overlap; raises StageError for others."""
        import numpy as np

        parts: list[str] = []
        begins: list[_Offsets] = []
        ends: list[_Offsets] = []
        place = 0
        for begin, end, new in edits:
            if not place <= begin <= end <= len(self.text):
                problem = f"the edit of {begin}:{end} follows one that ends at {place}"
                raise StageError.at("cleaning", problem, "give edits in order")
            if self.text[begin:end] == new:
                continue
            parts += (self.text[place:begin], new)
            begins.append(self.begins[place:begin])
            ends.append(self.ends[place:begin])
            if new and self.given is not None:
                first, last = self.span(begin, end)
                begins.append(np.full(len(new), first, dtype=np.int32))
                ends.append(np.full(len(new), last, dtype=np.int32))
            place = end
        if not parts:
            return self
        made = "".join([*parts, self.text[place:]])
        return Traced(
            made,
            self.given,
            np.concatenate([*begins, self.begins[place:]]),
            np.concatenate([*ends, self.ends[place:]]),
        )

    def sub(self, pattern: _Pattern, new: str | Callable[[Any], str]) -> Traced:
        """Every match of `pattern` replaced by `new`, which is taken as it is, or by what it returns."""
        return self.edited(
            (*found.span(), new if isinstance(new, str) else new(found))
            for found in pattern.finditer(self.text)
        )

    def unwrapped(self, pattern: _Pattern, group: int = 1) -> Traced:
        """Of every match of `pattern` only what `group` matched, which stays what it is."""
        edits: list[Edit] = []
        for found in pattern.finditer(self.text):
            edits.append((found.start(), found.start(group), ""))
            edits.append((found.end(group), found.end(), ""))
        return self.edited(edits)

    def piece(self, begin: int, end: int) -> Traced:
        """The characters `begin` to `end`."""
        return Traced(self.text[begin:end], self.given, self.begins[begin:end], self.ends[begin:end])

    def strip(self, characters: str | None = None) -> Traced:
        """Without white space (or the given characters) at both ends."""
        begin = len(self.text) - len(self.text.lstrip(characters))
        return self.piece(begin, max(begin, len(self.text.rstrip(characters))))

    def split(self, separator: str) -> list[Traced]:
        """What stands between the separators."""
        pieces, place = [], 0
        for part in self.text.split(separator):
            pieces.append(self.piece(place, place + len(part)))
            place += len(part) + len(separator)
        return pieces

    def lines(self) -> list[Traced]:
        """The lines, without their ends, as `str.splitlines` parts them."""
        pieces, place = [], 0
        for line in self.text.splitlines(keepends=True):
            pieces.append(self.piece(place, place + len(line.splitlines()[0])))
            place += len(line)
        return pieces

    def joined(self, separator: str, pieces: Sequence[Traced]) -> Traced:
        """Pieces of this text, in its order, with a separator between them."""
        import numpy as np

        begins: list[_Offsets] = []
        ends: list[_Offsets] = []
        place = 0
        for number, piece in enumerate(pieces):
            if number:
                for offsets in (begins, ends):
                    offsets.append(np.full(len(separator), place, dtype=np.int32))
            begins.append(piece.begins)
            ends.append(piece.ends)
            place = int(piece.ends[-1]) if len(piece.ends) else place
        text = separator.join([piece.text for piece in pieces])
        if self.given is None:
            return Traced.lost(text)
        none = [np.zeros(0, dtype=np.int32)]
        return Traced(text, self.given, np.concatenate(none + begins), np.concatenate(none + ends))

    def blank(self) -> Traced:
        """An empty line."""
        return self.piece(0, 0)


_BLANKS = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
_EDGES = re.compile(r"(?m)^ | $")
_GAPS = re.compile(r"\n{3,}")


def evened(text: Traced) -> Traced:
    """White space inside lines as single blanks, none at their ends, and at most one empty line."""
    return narrowed(text.sub(_BLANKS, " ").sub(_EDGES, ""))


def narrowed(text: Traced) -> Traced:
    """At most one empty line between lines, no white space at both ends of the text."""
    return text.sub(_GAPS, "\n\n").strip()
