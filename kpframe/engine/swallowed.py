"""Exceptions of signal handlers that Python swallows.

A handler runs between any two steps of the main thread, and its exception leaves whatever is going on. Where
that is a `__del__`, a callback of a weak reference or of the garbage collector, or C code that can hand on no
exception, Python writes "Exception ignored in …" and goes on: the signal would be lost.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["give_signal_again", "when_swallowed"]

Lost = TypeVar("Lost", bound=BaseException)

SOON = 0.01
"""Seconds until the signal is given again: what swallowed its exception is over by then, mostly."""


def when_swallowed(kind: type[Lost], again: Callable[[Lost], object]) -> Callable[[], None]:
    """From now on `again` is called with each exception of this kind that was swallowed; nothing is told.

    What is returned ends it. `again` runs where the exception was lost, so it must raise nothing itself.
    """
    before = sys.unraisablehook

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, kind):
            again(lost.exc_value)
        else:
            before(lost)

    def end() -> None:
        if sys.unraisablehook is hook:  # else somebody has put another before it, who still calls it
            sys.unraisablehook = before

    sys.unraisablehook = hook
    return end


def give_signal_again(number: int) -> None:
    """Signal `number` comes to the main thread once more, as soon as what swallowed it can be over."""
    timer = threading.Timer(SOON, _give, (number,))
    timer.daemon = True  # the process may end before
    timer.start()


def _give(number: int) -> None:
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ()) if hasattr(signal, "pthread_sigmask") else ()
    if hasattr(signal, "pthread_kill") and number not in blocked:
        # A signal indeed, which also ends what the main thread waits for.
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))
