"""What is asked of one object again and again, found once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

__all__ = ["AskedOnce"]

Made = TypeVar("Made")


class AskedOnce:
    """Remembers what was made of it; for objects that never change."""

    def once(self, make: Callable[..., Made], *given: Hashable) -> Made:
        """What `make(self, *given)` gives, made once: many cells, or many metrics, ask for the same.

        It must depend on this object and on what is given alone, and nobody may change it.
        """
        asked = (make, *given)
        known = self._made
        if asked not in known:
            known[asked] = make(self, *given)
        made: Made = known[asked]
        return made

    @cached_property
    def _made(self) -> dict[tuple[Hashable, ...], Any]:
        """What was asked for by `once` so far."""
        return {}
