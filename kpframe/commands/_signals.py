"""Signals that ask a process to end, told to the program as one exception.

Python makes an exception of SIGINT alone. On SIGTERM (`kill`, `timeout`, a batch system) and SIGHUP (the
terminal was closed) a process would be gone at once, and its workers, semaphores and folders would stay.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from kpframe.engine.insistence import Insistence

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
    insistence = Insistence(Ended)
    for number in mine:
        signal.signal(number, insistence.handle)
    insistence.hook()
    try:
        with _noted(frozenset(mine), insistence):
            yield
    finally:
        insistence.unhook()
        for number in mine:
            signal.signal(number, before[number])


@contextmanager
def _noted(numbers: frozenset[int], insistence: Insistence) -> Iterator[None]:
    """C code notes each signal at once, here for a thread, which gives it again until it is answered."""
    if sys.platform == "win32":  # where it can be noted in a socket alone
        yield
        return
    noted, notes = os.pipe()
    os.set_blocking(notes, False)
    over = threading.Event()

    def watch() -> None:
        while number := os.read(noted, 1):
            if number[0] in numbers:
                insistence.insist(lambda: _give(number[0]), over)

    thread = threading.Thread(target=watch, daemon=True)
    before = signal.set_wakeup_fd(notes, warn_on_full_buffer=False)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        over.set()
        os.close(notes)
        thread.join()
        os.close(noted)


def _give(number: int) -> None:
    """Give a signal to the main thread, which also ends what it waits for."""
    signal.pthread_kill(threading.main_thread().ident or 0, number)
