"""Progress on standard error: rate and time left, only on a terminal and only after a second."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["Progress"]

Item = TypeVar("Item")


class Progress:
    """Makes progress bars; silent where standard error is no terminal, a dumb one, or on request."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet

    @contextmanager
    def bar(self, total: int, title: str) -> Iterator[Callable[[int], Any]]:
        """A bar for `total` documents; call what it yields with the number done since."""
        with self._tqdm(total=total, desc=title) as bar:
            yield bar.update

    def count(self, items: Iterable[Item], title: str, total: int | None = None) -> Iterator[Item]:
        """Pass items on and show how many there were; the time left only where their `total` is known."""
        with self._tqdm(total=total, desc=title) as bar:
            for item in items:
                bar.update(1)
                yield item

    def _tqdm(self, **options: Any) -> Any:
        from tqdm import tqdm

        silent = self.quiet or os.environ.get("TERM") in ("dumb", "unknown")
        return tqdm(
            unit=" documents",
            disable=True if silent else None,
            delay=1,
            leave=False,
            dynamic_ncols=True,
            smoothing=0.1,
            **options,
        )
