"""What a worker process of this machine does: one task after the other, until nobody wants more.

Its main thread works. Another reads tasks ahead, so that none has to be waited for, and sees when the pipe
they come from is closed: the pool was closed, or its process is gone.
"""

from __future__ import annotations

import _thread
import os
import pickle
import shutil
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from kpframe.engine.executors import UnlikeWorker, single_threaded
from kpframe.engine.insistence import Insistence

__all__ = ["BEGUN", "Call", "Sent", "code_file", "serve"]

BEGUN = b""
"""What a worker sends before all answers: whatever it was started for, it can work."""

Sent = tuple[bool, Any]
"""What is sent back of a task: whether it came to its end, and its result or the exception that it raised."""


@dataclass(frozen=True)
class Call:
    """A function with the place of its shared value: small to send, whatever is shared."""

    function: Callable[[Any, Any], Any]
    path: str

    def __call__(self, task: Any) -> Any:
        """The function's value of the shared value and the task."""
        return self.function(_shared(self.path), task)


class _Abandoned(BaseException):
    """Ends a task whose result nobody wants; no Exception, so that no document fails of it."""


class _Work:
    """What this process is at."""

    at_task = False
    abandoned = False
    unlike = False


_work = _Work()

# Between tasks there is nothing to leave; the next one does not begin.
_abandoning = Insistence(lambda _: _Abandoned(), may=lambda: _work.abandoned and _work.at_task)

_limits: list[Any] = []


def serve(tasks: Connection, results: Connection, published: str) -> None:
    """Work off what comes from `tasks`, and send what becomes of it, in the same order, to `results`.

    `published` is the folder of the shared values. The parent removes it before it asks workers to end; if it
    was killed, they do.
    """
    # One thread a process: numbers must not depend on how many threads a library takes.
    for library in ("OMP", "OPENBLAS", "MKL"):  # those that are not loaded yet
        os.environ[f"{library}_NUM_THREADS"] = "1"
    _limits.append(single_threaded())
    signal.signal(signal.SIGINT, _abandoning.handle)
    _abandoning.hook()
    waiting: SimpleQueue[bytes | None] = SimpleQueue()
    threading.Thread(target=_read, args=(tasks, waiting, published), daemon=True).start()
    _work_off(waiting, results)
    parent = parent_process()
    if parent is not None and os.path.isdir(published):
        parent.join(_PARTING)
        if not parent.is_alive():
            shutil.rmtree(published, ignore_errors=True)


_PARTING = 0.5
"""Seconds in which a parent that has closed its pipes is gone, if it is ending."""


def _work_off(waiting: SimpleQueue[bytes | None], results: Connection) -> None:
    with suppress(OSError):  # the pool was closed meanwhile, which the other thread sees
        results.send_bytes(BEGUN)
    while (message := waiting.get()) is not None:
        try:
            results.send_bytes(_answer(message))
        except _Abandoned:
            return
        except OSError:  # the pool was closed while it was sent
            return
        if _work.unlike:  # the next worker may have the right code, this one never will
            return


def _read(tasks: Connection, waiting: SimpleQueue[bytes | None], published: str) -> None:
    """Read ahead; when nothing can come any more, let the main thread leave what it is at."""
    try:
        while True:
            waiting.put(tasks.recv_bytes())
    except (EOFError, OSError):
        pass
    _work.abandoned = True
    waiting.put(None)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent, published), daemon=True).start()
    # A task may hold files and folders, which an exception lets it put away.
    _abandoning.insist(_thread.interrupt_main, threading.Event())


def _end_with(parent: BaseProcess, published: str) -> None:
    """Where the parent is gone nobody waits until the task can be left."""
    parent.join()
    shutil.rmtree(published, ignore_errors=True)
    os._exit(1)


def _answer(message: bytes) -> bytes:
    """A task's outcome as it is sent."""
    try:
        outcome: Sent = True, _done(message)
    except _Abandoned:
        raise
    except BaseException as error:
        _work.unlike = isinstance(error, UnlikeWorker)
        outcome = False, _sendable(error)
    try:
        return pickle.dumps(outcome)
    except Exception as error:
        return pickle.dumps((False, _sendable(error)))


def _sendable(error: BaseException) -> BaseException:
    """The exception with what led to it; one of a like message where it would not arrive."""
    told = "".join(traceback.format_exception(error))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(f"In a worker:\n{told}")
    return error


def _done(message: bytes) -> Any:
    try:
        call, task = pickle.loads(message)
        _work.at_task = True
        if _work.abandoned:
            raise _Abandoned
        return call(task)
    finally:
        _work.at_task = False


def code_file(path: Path) -> Path:
    """Where the code is told of the stages from elsewhere in a shared value, if it has some."""
    return path.with_suffix(".code")


@lru_cache(maxsize=2)
def _shared(path: str) -> Any:
    """The value in a file; both files are written by the parent process, in a folder of its own."""
    code = code_file(Path(path))
    if code.is_file():
        from kpframe.engine.same_worker import import_same_code

        import_same_code(pickle.loads(code.read_bytes()))
    return pickle.loads(Path(path).read_bytes())
