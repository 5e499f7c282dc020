"""Exceptions of signal handlers that arrive, whatever Python does with the first of them.

A handler runs between two steps of the main thread, and its exception leaves whatever is going on. Two things
lose it. A signal that comes between Python's last look for one and a system call that waits is not seen
before the call has ended. And where a `__del__`, a callback of a weak reference or of the garbage collector,
or C code that can hand on no exception is going on, Python writes "Exception ignored in …" and goes on.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType

__all__ = ["Insistence"]

SOON = 0.01
"""Seconds from one try to the next."""


class Insistence:
    """Raises one exception in the main thread: again if it was swallowed, and then never more.

    `handle` is the signal handler, `make` gives the exception for the number of a signal, and `may` says
    whether there is something that it should leave now.
    """

    def __init__(self, make: Callable[[int], BaseException], may: Callable[[], bool] = lambda: True) -> None:
        self.raised = False
        self._make = make
        self._may = may
        self._lost: type[BaseException] | None = None
        self._before = sys.unraisablehook

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Raise the exception, if it is time for it."""
        if self.raised or not self._may() or self._in_hook(frame):
            return
        self.raised = True
        error = self._make(number)
        self._lost = type(error)
        raise error

    def hook(self) -> None:
        """From now on nothing is told of it where it is swallowed."""
        self._before = sys.unraisablehook
        sys.unraisablehook = self._unraisable

    def unhook(self) -> None:
        """Nothing more is raised."""
        self.raised = True
        if sys.unraisablehook == self._unraisable:  # else somebody has put another before it
            sys.unraisablehook = self._before

    def insist(self, give: Callable[[], object], over: threading.Event) -> None:
        """In another thread: `give` the signal again and again, until it is answered, or this is over."""
        while not over.wait(SOON):
            if not self.raised:
                give()

    def _unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        if self._lost is not None and isinstance(lost.exc_value, self._lost):
            self.raised = False
        else:
            self._before(lost)

    def _in_hook(self, frame: FrameType | None) -> bool:
        """Whether the hook itself would be left: nobody would hear of that."""
        while frame is not None and frame.f_code is not Insistence._unraisable.__code__:
            frame = frame.f_back
        return frame is not None
