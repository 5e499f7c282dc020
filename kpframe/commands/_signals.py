"""Signals that ask a process to end, told to the program as one exception.

Python makes an exception of SIGINT alone. On SIGTERM (`kill`, `timeout`, a batch system) and SIGHUP (the
terminal was closed) a process would be gone at once, and its workers, semaphores and folders would stay.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from kpframe.engine.swallowed import give_signal_again, when_swallowed

__all__ = ["Ended", "ended_by_signals"]

_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ended(KeyboardInterrupt):
    """The process was asked to end, by signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def status(self) -> int:
        """The exit status as shells have it: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP."""
        return 128 + self.number

    @property
    def told(self) -> str:
        """What happened, in a word."""
        return "interrupted" if self.number == signal.SIGINT else "ended"


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise Ended for the first such signal; later ones are ignored while what was begun is put away.

    A signal that was ignored when the process began (by `nohup`) stays ignored. One whose Ended was swallowed
    is given again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    mine = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    ending = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ending
        if not ending:
            ending = True
            raise Ended(number)

    def again(lost: Ended) -> None:
        nonlocal ending
        ending = False
        give_signal_again(lost.number)

    for number in mine:
        signal.signal(number, end)
    unhook = when_swallowed(Ended, again)
    try:
        yield
    finally:
        unhook()
        for number in mine:
            signal.signal(number, before[number])
