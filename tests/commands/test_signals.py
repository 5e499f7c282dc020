"""How a command ends that is asked to end: a line, the status of the signal, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import FAST, variables

pytestmark = pytest.mark.slow

SIGNALS = [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "ended", 143), (signal.SIGHUP, "ended", 129)]


def started(folder: Path, *arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A command in a session of its own, with a folder for temporary files of its own."""
    (folder / "tmp").mkdir()
    (folder / "fast.yaml").write_text(FAST)
    return subprocess.Popen(
        [sys.executable, "-m", "kpframe", *arguments],
        cwd=folder,
        env=variables(folder, TMPDIR=str(folder / "tmp")),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Tests that `nohup` has started, or a script in the background, would hand on that SIGHUP or SIGINT
        # is ignored, which the command respects.
        preexec_fn=_default_signals,
    )


def _default_signals() -> None:
    for number, _, _ in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.acceptance
@pytest.mark.parametrize(("number", "told", "status"), SIGNALS)
@pytest.mark.parametrize(
    ("workers", "group"),
    [("1", False), ("2", False), ("2", True)],
    ids=["alone", "first", "all"],
)
def test_a_signal_ends_a_command_and_all_that_it_began(
    number: signal.Signals, told: str, status: int, workers: str, group: bool, tmp_path: Path
) -> None:
    """After the first result, in the middle of the others; `kill` sends to one process, a terminal to all."""
    text = "green energy and red kites " * 30
    rows = (json.dumps({"id": str(i), "text": f"{i} {text}"}) + "\n" for i in range(20_000))
    (tmp_path / "in.jsonl").write_text("".join(rows))
    process = started(
        tmp_path, "extract", "--pipeline", "fast.yaml", "--input", "in.jsonl", "--format", "jsonl",
        "--workers", workers, "--quiet",
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    (os.killpg if group else os.kill)(process.pid, number)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read().decode() == f"{told}\n"
    process.stderr.close()
    assert process.wait(timeout=60) == status
    assert os.listdir(tmp_path / "tmp") == []


@pytest.mark.parametrize(("number", "told", "status"), SIGNALS[:2])
@pytest.mark.acceptance
def test_a_run_says_that_it_goes_on(number: signal.Signals, told: str, status: int, tmp_path: Path) -> None:
    """It is reading documents out of a pipe that has none yet, under the name of a file."""
    os.mkfifo(tmp_path / "in.jsonl")
    process = started(tmp_path, "run", "demo.yaml", "--quiet")
    (tmp_path / "demo.yaml").write_text(f"{FAST}documents: {{kind: jsonl, path: in.jsonl}}\n")
    writing = None
    while writing is None and process.poll() is None:
        with suppress(OSError):  # nobody has opened the other end
            writing = os.open(tmp_path / "in.jsonl", os.O_WRONLY | os.O_NONBLOCK)
    process.send_signal(number)
    if writing is not None:
        # A signal that comes between Python's last look for one and the system call waits for the call to
        # end, which a pipe that stays open would never let it: the handler comes before what was read.
        os.close(writing)
    _, errors = process.communicate(timeout=600)
    assert errors.decode() == f"{told}; the same command goes on where this one stopped\n"
    assert process.returncode == status
    assert os.listdir(tmp_path / "tmp") == []


def test_a_signal_that_was_ignored_stays_ignored(tmp_path: Path) -> None:
    """As `nohup` has it: the command goes on and ends by itself."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "fast.yaml").write_text(FAST)
    script = (
        'trap "" HUP; "$0" -c "import os, signal, sys; from kpframe.cli import main; '
        'os.kill(os.getpid(), signal.SIGHUP); sys.exit(main(sys.argv[1:]))" '
        "extract --pipeline fast.yaml --text red"
    )
    done = subprocess.run(
        ["sh", "-c", script, sys.executable],
        cwd=tmp_path,
        env=variables(tmp_path),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"1.0000  red\n", b"")


@pytest.mark.parametrize(("number", "told", "status"), SIGNALS)
def test_a_signal_is_not_lost_in_what_swallows_exceptions(
    number: signal.Signals, told: str, status: int, tmp_path: Path
) -> None:
    """It comes while an object is taken down, a weak reference calls back, and the collector does."""
    script = f"""
import gc, os, signal, threading, weakref
from kpframe.commands._signals import Ended, ended_by_signals

sent = []

def send(*_):
    sent.append(1)
    os.kill(os.getpid(), {int(number)})
    signal.pthread_sigmask(signal.SIG_BLOCK, ())  # the handler has run when this returns, at the latest

class Sending:
    __del__ = send

class Quiet:
    pass

def swallowed(work):
    try:
        with ended_by_signals():
            work()
            assert sent
            threading.Event().wait()
    except Ended as ended:
        print(ended.told, ended.status, flush=True)
    sent.clear()

def taken_down():
    Sending()

def called_back():
    quiet = Quiet()
    kept.append(weakref.ref(quiet, send))
    del quiet

def collected():
    gc.callbacks.append(send)
    try:
        gc.collect()
    finally:
        gc.callbacks.clear()

kept = []
for work in (taken_down, called_back, collected):
    swallowed(work)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=variables(tmp_path), timeout=120,
        capture_output=True, check=False, preexec_fn=_default_signals,
    )  # fmt: skip
    assert (done.stdout.decode(), done.stderr.decode()) == (f"{told} {status}\n" * 3, "")


def test_a_signal_that_no_system_call_has_seen_is_given_again(tmp_path: Path) -> None:
    """It is noted, but the call that the main thread waits in is not interrupted."""
    script = """
import signal, threading
from kpframe.commands._signals import Ended, ended_by_signals

def elsewhere():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

try:
    with ended_by_signals():
        threading.Thread(target=elsewhere).start()
        threading.Event().wait()
except Ended as ended:
    print(ended.told)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=variables(tmp_path), timeout=120, capture_output=True, check=False
    )
    assert (done.stdout, done.stderr) == (b"ended\n", b"")
