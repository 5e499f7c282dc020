"""Work handed to this process or to others: in order, lazily, and without losing anything."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kpframe.engine.executors import Executor, SameProcess, WorkerDied
from kpframe.engine.local_processes import LocalProcesses, executor

pytestmark = pytest.mark.slow


def product(shared: int, task: int) -> int:
    return shared * task


def late_first(shared: str, task: int) -> int:
    """Task 0 ends when another has begun; `shared` is a folder, or empty where nobody else works."""
    if shared and task:
        Path(shared, str(task)).touch()
    while shared and not os.listdir(shared):
        os.sched_yield()
    return task


def fails_at_three(shared: None, task: int) -> int:
    if task == 3:
        raise ValueError("three")
    return task


def dies_at_three(shared: int, task: int) -> int:
    if task == 3:
        os.kill(os.getpid(), shared)
    return task


def process_number(shared: None, task: int) -> int:
    return os.getpid()


def threads_of_blas(shared: None, task: int) -> list[int]:
    import numpy as np
    from threadpoolctl import threadpool_info

    np.ones((2, 2)) @ np.ones((2, 2))
    return [pool["num_threads"] for pool in threadpool_info()]


@pytest.fixture(scope="module", params=[1, 2])
def pool(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """One worker, and two, that may be used again after whatever a test did."""
    made = executor(request.param)
    yield made
    made.close()


def test_one_worker_is_this_process_and_more_are_others() -> None:
    """The number of workers chooses."""
    assert isinstance(executor(1), SameProcess)
    assert isinstance(executor(0), SameProcess)
    assert isinstance(executor(3), LocalProcesses)


def test_results_come_in_the_order_of_the_tasks(pool: Executor, tmp_path: Path) -> None:
    """Whatever finishes first."""
    assert list(pool.run(product, 3, range(40))) == [3 * i for i in range(40)]
    assert list(pool.run(late_first, str(tmp_path) if pool.workers > 1 else "", range(6))) == list(range(6))
    assert list(pool.run(product, 1, [])) == []


def test_tasks_are_taken_only_as_they_are_worked_off(pool: Executor) -> None:
    """An endless stream is never read to its end."""
    taken = []

    def tasks() -> Iterator[int]:
        for number in itertools.count():
            taken.append(number)
            yield number

    results = pool.run(product, 2, tasks())
    assert list(itertools.islice(results, 5)) == [0, 2, 4, 6, 8]
    assert len(taken) <= 5 + 8


def test_an_error_of_the_function_reaches_the_caller(pool: Executor) -> None:
    """After the results before it; the executor can be used again."""
    results = pool.run(fails_at_three, None, range(6))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)
    assert list(pool.run(product, 2, [1])) == [2]


def test_an_error_of_the_stream_reaches_the_caller(pool: Executor) -> None:
    """A reader that breaks down is not taken for its end; what it gave before is worked off."""

    def tasks() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    results = pool.run(product, 1, tasks())
    assert next(results) == 1
    with pytest.raises(OSError, match="gone"):
        next(results)


def test_close_can_be_called_twice_and_before_any_work(pool: Executor) -> None:
    """And the executor can be used again afterwards."""
    pool.close()
    pool.close()
    assert list(pool.run(product, 2, [1, 2])) == [2, 4]
    pool.close()
    pool.close()


def test_a_worker_has_one_thread(pool: Executor) -> None:
    """Numbers must not depend on how many threads a library takes."""
    (threads,) = pool.run(threads_of_blas, None, [0])
    assert set(threads) <= {1}


def test_a_stream_that_is_left_early_leaves_no_process_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was published to the workers goes with them."""
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    pool = LocalProcesses(2)
    results = pool.run(process_number, None, itertools.count())
    workers = set(itertools.islice(results, 12))
    assert workers and os.getpid() not in workers
    assert len(list(tmp_path.glob("kpframe-*/*"))) == 1
    results.close()  # type: ignore[attr-defined]
    pool.close()
    assert list(tmp_path.iterdir()) == []
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


class Slow:
    """Taken down only when somebody has asked for its task to end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __del__(self) -> None:
        (self.folder / "taken down").touch()
        while True:  # until the exception that ends the task comes, and is swallowed here
            pass


def never_ends(folder: Path, task: int) -> int:
    """The first task ends; the second loses the first request to end, and waits for another."""
    if task == 1:
        Slow(folder)
        (folder / "swallowed").touch()
    while task == 1:
        pass
    return task


def test_an_abandoned_task_ends_though_its_exception_is_swallowed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In a `__del__` Python goes on after an exception, and writes of it."""
    pool = LocalProcesses(2)
    results = pool.run(never_ends, tmp_path, range(9))
    assert next(results) == 0
    while not (tmp_path / "taken down").exists():
        os.sched_yield()
    pool.close()
    assert (tmp_path / "swallowed").exists()
    assert capfd.readouterr().err == ""


def long_or_dies(shared: None, task: tuple[int, bytes]) -> bytes:
    """What it was given, which is more than a pipe holds; one worker is killed in each of its tries."""
    number, given = task
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return given


def test_no_worker_and_no_pool_waits_for_one_that_died(tmp_path: Path) -> None:
    """Not even where tasks and results are longer than what fits into a pipe."""
    pool = LocalProcesses(2)
    tasks = [(number, bytes([number]) * 300_000) for number in range(12)]
    found: list[Any] = list(pool.run(long_or_dies, None, tasks))
    pool.close()
    assert found[3] == WorkerDied(tasks[3])
    assert found[:3] + found[4:] == [given for _, given in tasks[:3] + tasks[4:]]


@pytest.mark.parametrize("given", ["file", "input"])
def test_a_script_without_a_guard_is_told_at_once(given: str, tmp_path: Path) -> None:
    """Each worker would begin by running it again, and end; no task is to blame."""
    script = tmp_path / "script.py"
    imported = "from kpframe.engine.local_processes import LocalProcesses\n"
    script.write_text(f"{imported}print(list(LocalProcesses(2).run(max, 1, range(99))))")
    arguments = [sys.executable, *([str(script)] if given == "file" else ["-"])]
    with script.open() as source:
        done = subprocess.run(
            arguments, stdin=source, capture_output=True, text=True, check=False, timeout=120
        )
    assert done.returncode == 1 and done.stdout == ""
    told = "WorkersLost: workers: they end before they begin; keep the code of a script under"
    assert done.stderr.count(told) == 1


def raises_oddly(shared: None, task: int) -> int:
    class Odd(Exception):
        """Of a class that no other process can find."""

    if task == 1:
        raise Odd("odd")
    if task == 2:
        raise UnicodeDecodeError("utf-8", b"x", 0, 1, "why")
    return task


def test_what_a_task_raises_arrives_with_what_led_to_it() -> None:
    """Also where its class cannot be sent; the worker goes on."""
    pool = LocalProcesses(2)
    with pytest.raises(RuntimeError, match="Odd: odd") as odd:
        list(pool.run(raises_oddly, None, [0, 1]))
    assert "in raises_oddly" in "".join(odd.value.__notes__)
    with pytest.raises(UnicodeDecodeError, match="why"):
        list(pool.run(raises_oddly, None, [2]))
    assert list(pool.run(raises_oddly, None, [3, 4])) == [3, 4]
    pool.close()


def test_a_run_within_a_run_takes_nothing_from_it() -> None:
    """A batch whose worker died is tried item by item while the others are under way."""
    pool = LocalProcesses(2)
    found = []
    for result in pool.run(product, 2, range(10)):
        found += [result, *pool.run(product, 100, [result])]
    pool.close()
    assert found == [each for task in range(10) for each in (2 * task, 200 * task)]


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.acceptance
def test_a_task_that_kills_its_worker_is_told_and_no_other_is_lost(way: int) -> None:
    """All tasks under way are repeated, each alone."""
    pool = LocalProcesses(2)
    found: list[Any] = list(pool.run(dies_at_three, int(way), range(6)))
    pool.close()
    assert found[3] == WorkerDied(3)
    assert found[:3] + found[4:] == [0, 1, 2, 4, 5]


def test_what_cannot_be_sent_is_told() -> None:
    """A function that no worker could import is an error, not a hanging program."""
    pool = LocalProcesses(2)
    with pytest.raises(Exception, match=r"pickle|local object"):
        list(pool.run(lambda shared, task: task, None, [1]))
    pool.close()
