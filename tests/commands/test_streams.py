"""Standard streams that were closed before the command began."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import FAST, variables

from kpframe.commands._parser import command_names

pytestmark = pytest.mark.slow

NO_OUTPUT = b"error: standard output: is closed; send it to a file or to /dev/null\n"
EXTRACT = "extract --pipeline fast.yaml --language en"


def closed(arguments: str, redirections: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """The command under a shell that closes streams."""
    (folder / "fast.yaml").write_text(FAST)
    line = f'"{sys.executable}" -m kpframe {arguments} {redirections}'
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=variables(folder), capture_output=True, check=False
    )


EACH_IN_A_PROCESS = """
import os, sys
from kpframe.cli import main
for words in sys.argv[1:]:
    if not (child := os.fork()):
        os._exit(main(words.split()))
    print(words, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=sys.stderr, flush=True)
"""
"""Each as the first command of a process, which has what this one has and need not begin anew."""


def test_no_command_begins_without_a_standard_output(tmp_path: Path) -> None:
    """Better at once than after an hour's work."""
    commands = [*command_names(), "--help", "--version", ""]
    done = subprocess.run(
        ["sh", "-c", '"$0" -c "$@" >&-', sys.executable, EACH_IN_A_PROCESS, *commands],
        cwd=tmp_path,
        env=variables(tmp_path),
        capture_output=True,
        check=False,
    )
    told = "".join(f"{NO_OUTPUT.decode()}{name} 2\n" for name in commands)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (0, b"", told)


def test_the_command_itself_does_not_begin_without_a_standard_output(tmp_path: Path) -> None:
    """Not only the function that it calls."""
    done = closed("stages", ">&-", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", NO_OUTPUT)


def test_a_closed_input_is_told_to_who_reads_it(tmp_path: Path) -> None:
    """And no one else."""
    done = closed(f"{EXTRACT} --input -", "<&-", tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"error: standard input: is closed; give a file, or pipe the text in\n"
    assert closed(f"{EXTRACT} --text red", "<&-", tmp_path).stdout == b"1.0000  red\n"


@pytest.mark.parametrize(
    ("arguments", "status", "out"),
    [(f"{EXTRACT} --text red", 0, b"1.0000  red\n"), ("check nowhere", 2, b""), ("extract", 2, b"")],
)
def test_without_a_standard_error_the_status_tells(
    arguments: str, status: int, out: bytes, tmp_path: Path
) -> None:
    """What would be said there goes nowhere, least of all into a file that is written."""
    done = closed(arguments, "2>&-", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (status, out, b"")


def test_a_file_that_is_written_gets_nothing_else(tmp_path: Path) -> None:
    """A new file would take the free number of standard error, with the notices that are sent there."""
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "red"}\nnot json\n')
    done = closed(f"{EXTRACT} --input in.jsonl --out out.jsonl", "<&- 2>&-", tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")  # a line was left out
    assert (tmp_path / "out.jsonl").read_bytes().count(b"\n") == 1


def test_with_all_three_closed_nothing_is_left_but_the_status(tmp_path: Path) -> None:
    """No traceback into whatever file comes first."""
    done = closed(f"{EXTRACT} --text red --out out.txt", "<&- >&- 2>&-", tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / "out.txt").exists()


def test_a_full_disk_is_told_once(tmp_path: Path) -> None:
    """Not again by the interpreter, which would write what is left."""
    done = closed("stages", "> /dev/full", tmp_path)
    assert done.returncode == 2
    told = b"error: standard output: cannot be read or written: No space left on device; "
    assert done.stderr.startswith(told)
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_run_whose_tables_cannot_be_shown_is_whole(unbuffered: str, tmp_path: Path) -> None:
    """All is written and sealed before anything goes to standard output, which is what is named."""
    (tmp_path / "corpus.jsonl").write_text('{"id": "a", "text": "red kites", "gold": ["red kites"]}\n')
    (tmp_path / "spec.yaml").write_text(
        "name: birds\ndocuments: {kind: jsonl, path: corpus.jsonl}\npreprocessing: [simple]\n"
        "candidates: ngrams\nranking: position\nreports: [console, csv]\n"
    )
    line = f'PYTHONUNBUFFERED={unbuffered} "{sys.executable}" -m kpframe run spec.yaml --out out > /dev/full'
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, env=variables(tmp_path), capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"results: out\n" in done.stderr
    assert done.stderr.splitlines()[-1].startswith(
        b"error: standard output: cannot be read or written: No space"
    )
    assert {"sealed.json", "report.html", "summary.csv"} <= {
        path.name for path in (tmp_path / "out").iterdir()
    }
    log = (tmp_path / "out" / "log.jsonl").read_text().splitlines()
    assert '"event": "end"' in log[-1]
