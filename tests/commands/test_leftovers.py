"""What killed commands leave is removed by the next of the same user, and nothing else; real processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from command_line import FAST, run, spawn, variables

from kpframe.files.atomic import write_text
from kpframe.files.leftovers import name_beside, remove_leftovers, temporary_name

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="needs /proc, which tells of processes"
)

HOLDS = """
import sys, time
from pathlib import Path
from kpframe.files.atomic import atomic_write, fresh_folder
from kpframe.files.leftovers import temporary_folder
with temporary_folder() as folder, atomic_write(Path("k.jsonl")) as file, fresh_folder(Path("xmi")) as beside:
    Path(folder, "whole").write_text("half")
    (beside / "a.xmi").write_text("half")
    print("ready", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands are typed, with a folder for temporary files beside."""
    made = tmp_path / "here"
    made.mkdir()
    (made / "fast.yaml").write_text(FAST)
    monkeypatch.chdir(made)
    monkeypatch.setattr(tempfile, "tempdir", variables(made)["TMPDIR"])
    return made


def holding(place: Path, code: str = HOLDS) -> subprocess.Popen[str]:
    """A process that has a temporary folder and two unfinished results, and waits."""
    words = [sys.executable, "-c", code]
    process = subprocess.Popen(words, cwd=place, env=variables(place), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def left(place: Path) -> list[str]:
    """The names of what is there but was not put there on purpose, without what differs each time."""
    found = [*place.iterdir(), *(place.parent / "here-tmp").iterdir()]
    return sorted(re.sub(r"\d+-\d+-.*", "", path.name) for path in found if path.name != "fast.yaml")


def extract(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """What the next command says on standard error; it may be this process, as it was another that died."""
    done = run(capsys, "extract", "--text", "red kites", "--pipeline", "fast.yaml", *more)
    assert done.status == 0
    return done.err


@pytest.mark.slow
def test_the_next_command_removes_what_a_killed_one_left(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Temporary files at once, unfinished results when it writes beside them; each told once, in one line."""
    process = holding(place)
    process.kill()
    process.wait()
    assert left(place) == [".k.jsonl.", ".xmi.", "kpframe-"]
    told = extract(capsys)
    assert re.fullmatch(r"removed 1 leftover of commands that were killed: \S+/here-tmp/kpframe-\S+\n", told)
    assert left(place) == [".k.jsonl.", ".xmi."]
    assert re.match(
        r"removed 2 leftovers of commands that were killed: \./\.(k\.jsonl|xmi)\.\S+ and 1 more\n",
        extract(capsys, "--out", "other.jsonl"),
    )
    assert left(place) == ["other.jsonl"]
    assert extract(capsys) == ""


@pytest.mark.slow
def test_what_a_living_process_has_stays(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also one that is stopped; killed and not yet waited for is dead."""
    process = holding(place)
    try:
        process.send_signal(signal.SIGSTOP)
        assert "leftover" not in extract(capsys, "--out", "o.jsonl")
        assert left(place) == [".k.jsonl.", ".xmi.", "kpframe-", "o.jsonl"]
        process.kill()  # a zombie until somebody waits for it
        deadline = time.monotonic() + 60
        while ") Z " not in Path(f"/proc/{process.pid}/stat").read_text():
            assert time.monotonic() < deadline
        assert "removed 3 leftovers" in extract(capsys, "--out", "o.jsonl")
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_quiet_removes_without_a_word(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no result."""
    process = holding(place)
    process.kill()
    process.wait()
    assert extract(capsys, "--quiet", "--out", "o.jsonl") == ""
    assert left(place) == ["o.jsonl"]


def test_a_process_that_has_the_number_of_a_dead_one_is_another(place: Path) -> None:
    """What tells is when it began."""
    number, begun, where = temporary_name().removeprefix("kpframe-").strip("-").split("-")
    assert (number, len(where)) == (str(os.getpid()), 12)
    (place / f"kpframe-{number}-{begun}-{where}-abcdefgh").mkdir()
    (place / f"kpframe-{number}-{int(begun) - 1}-{where}-abcdefgh").mkdir()
    removed = remove_leftovers([place])
    assert [Path(path).name.split("-")[2] for path in removed] == [str(int(begun) - 1)]


@pytest.mark.parametrize(
    "name",
    [
        "kpframe-999999999-1-0123456789ab-abcdefgh",  # of another machine, or from before this one's start
        "kpframe-abcdefgh",  # of a version that did not say whose
        ".k.jsonl.999999999-1-0123456789ab.abcdefgh.tmp",
        ".k.jsonl.abcdefgh.tmp",
        "k.jsonl.999999999-1-{here}.abcdefgh.tmp",
        "kpframe-999999999-1-{here}-abc/efgh",
        "mine-999999999-1-{here}-abcdefgh",
        "kpframe-x-1-{here}-abcdefgh",
        "kpframe-999999999-1-{here}-abcdefgh.csv",
    ],
)
def test_what_is_not_surely_a_leftover_of_this_machine_stays(name: str, place: Path) -> None:
    """Nor what only looks like one."""
    path = place / name.format(here=temporary_name().split("-")[3])
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text("x")
    inside = path.parent.name.startswith("kpframe-")
    assert remove_leftovers([place]) == ([] if not inside else [str(path.parent)])
    assert path.exists() or inside


def test_links_and_files_of_others_stay(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link could lead anywhere."""
    here = temporary_name().split("-")[3]
    (place / "precious").mkdir()
    (place / f"kpframe-999999999-1-{here}-aaaaaaaa").symlink_to(place / "precious")
    assert remove_leftovers([place]) == []
    (place / f"kpframe-999999999-1-{here}-bbbbbbbb").mkdir()
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert remove_leftovers([place]) == []
    monkeypatch.undo()
    assert len(remove_leftovers([place])) == 1


def test_names_may_be_as_long_as_a_system_takes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What says whose a file is must not make it too long."""
    for name in ("x" * 249 + ".jsonl", "ä" * 124 + ".jsonl"):
        write_text(place / name, "red")
        assert (place / name).read_text() == "red"
        assert len(os.fsencode(name_beside(Path(name)))) < 200
    assert run(capsys, "extract", "--text", "red", "--pipeline", "fast.yaml", "--out", name).status == 0


PROGRAM = """
from itertools import repeat
import kpframe
if __name__ == "__main__":
    results = kpframe.Pipeline.load("fast.yaml").extract_many(repeat("red kites"), workers=2)
    next(results)
    print("ready", flush=True)
    for _ in results:
        pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_put_away_what_a_program_has_published_that_is_killed(place: Path, number: int) -> None:
    """A program of somebody else has no handlers of ours."""
    (place / "program.py").write_text(PROGRAM)
    words = [sys.executable, "program.py"]
    process = subprocess.Popen(words, cwd=place, env=variables(place), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    temporary = place.parent / "here-tmp"
    assert len(list(temporary.glob("kpframe-*/*.shared"))) == 1
    process.send_signal(number)
    assert process.wait() == -number
    deadline = time.monotonic() + 60
    while list(temporary.iterdir()):
        assert time.monotonic() < deadline
        os.sched_yield()


@pytest.mark.slow
def test_the_next_program_removes_what_a_killed_one_left(place: Path) -> None:
    """As soon as it needs a temporary folder itself."""
    process = holding(place)
    process.kill()
    process.wait()
    code = "from kpframe.files.leftovers import temporary_folder\nwith temporary_folder():\n    pass"
    subprocess.run([sys.executable, "-c", code], cwd=place, env=variables(place), check=True)
    assert left(place) == [".k.jsonl.", ".xmi."]


@pytest.mark.slow
def test_a_killed_run_over_partitions_leaves_nothing_for_ever(place: Path) -> None:
    """Beside each result, in the folders below too."""
    (place / "in/deep").mkdir(parents=True)
    (place / "in/deep/a.csv").write_text("id,text\n1,red kites\n")
    (place / "out/deep").mkdir(parents=True)
    code = HOLDS.replace('"k.jsonl"', '"out/deep/a.csv"').replace('Path("xmi")', 'Path("out/_manifest")')
    process = holding(place, code)
    process.kill()
    process.wait()
    words = ["extract", "--input", "in", "--out", "out/", "--pipeline", "fast.yaml"]
    assert b"leftover" in spawn(*words, folder=place).stderr
    assert not list((place / "out").rglob(".*.tmp"))
    assert (place / "out/deep/a.csv").is_file()
