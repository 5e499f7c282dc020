"""The command line as a process: pipes, colours, interrupts, and what is imported when."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import FAST, run, spawn, variables

HEAVY = ("numpy", "pydantic", "spacy", "sklearn", "scipy", "networkx", "nltk", "yaml", "rich")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a quick pipeline, and the same with documents."""
    (tmp_path / "fast.yaml").write_text(FAST)
    (tmp_path / "demo.yaml").write_text(f"{FAST}documents: {{kind: jsonl, resource: corpora/demo}}\n")
    return tmp_path


def imported(code: str, folder: Path) -> set[str]:
    """The heavy libraries in memory after some code."""
    report = "import sys, json; print('\\n' + json.dumps(sorted({n.split('.')[0] for n in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        cwd=folder,
        env=variables(folder),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1])) & set(HEAVY)


def test_importing_kpframe_and_its_help_loads_no_library(folder: Path) -> None:
    """Both are there at once; names are loaded when they are first used."""
    code = (
        "import kpframe\nfrom kpframe.cli import main\n"
        "for words in ['--help'], ['run', '--help'], ['--version'], []:\n"
        "    try: assert main(words) == 0\n"
        "    except SystemExit as end: assert not end.code\n"
    )
    assert imported(code, folder) == set()


@pytest.mark.slow
def test_checking_a_spec_loads_no_language_model_and_no_learning_library(folder: Path) -> None:
    """All kinds of stages of the paper's grid."""
    code = "from kpframe.cli import main\nmain(['check', 'quickstart', '--quiet'])"
    assert not imported(code, folder) & {"spacy", "sklearn", "networkx", "scipy"}


@pytest.mark.slow
def test_scoring_a_small_file_loads_no_library_of_numbers(folder: Path) -> None:
    """They would be half of its time."""
    (folder / "p.jsonl").write_text('{"id": "a", "predicted": ["port"], "gold": ["port"]}\n')
    code = "from kpframe.cli import main\nassert main(['score', '--predictions', 'p.jsonl']) == 0"
    assert not imported(code, folder) & {"numpy", "spacy", "sklearn", "networkx", "scipy"}


@pytest.mark.slow
def test_the_public_names_are_there_and_no_others(folder: Path) -> None:
    """`dir` shows them, an unknown one is an AttributeError."""
    code = (
        "import kpframe\nassert dir(kpframe) == sorted(kpframe.__all__) and len(kpframe.__all__) <= 17\n"
        "assert all(getattr(kpframe, name) is not None for name in kpframe.__all__)\n"
        "try: kpframe.nothing\nexcept AttributeError as error: assert 'nothing' in str(error)\n"
        "else: raise SystemExit(1)"
    )
    imported(code, folder)


@pytest.mark.slow
def test_a_process_ends_with_the_status_of_its_command(folder: Path) -> None:
    """0 done, 2 wrong input; and `python -m kpframe` is the command. Errors in a pipe have no colours."""
    assert spawn("--version", folder=folder).returncode == 0
    done = spawn("check", "nowhere.yaml", folder=folder)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: spec 'nowhere.yaml': there is no such file")
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.slow
def test_standard_input_and_output_are_utf_8(folder: Path) -> None:
    """From one pipe into another."""
    done = spawn(
        "extract",
        "--pipeline",
        "fast.yaml",
        "--input",
        "-",
        "--format",
        "json",
        "--language",
        "en",
        folder=folder,
        stdin="Über café",
    )
    assert json.loads(done.stdout.decode("utf-8"))[0]["keyphrases"][0]["text"] == "Über"


@pytest.mark.slow
def test_an_output_that_knows_no_unicode_gets_escapes(folder: Path) -> None:
    """Instead of a traceback in the middle of a table."""
    done = spawn("stages", folder=folder, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\\u" in done.stdout


@pytest.mark.parametrize("command", ["stages", "schema"])
@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error(command: str, folder: Path) -> None:
    """As in `kpframe stages | head -1`."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kpframe", command],
        cwd=folder,
        env=variables(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    if command == "schema":
        process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0
    process.stderr.close()


@pytest.mark.parametrize("arguments", [("run", "demo.yaml", "--limit", "2"), ("--help",)])
@pytest.mark.slow
def test_pipes_get_no_colours_and_no_bars(arguments: tuple[str, ...], folder: Path) -> None:
    """No escape sequence and no carriage return."""
    done = spawn(*arguments, folder=folder)
    for stream in (done.stdout, done.stderr):
        assert b"\x1b" not in stream
        assert b"\r" not in stream


def on_a_terminal(folder: Path, *arguments: str, **environment: str) -> bytes:
    """What a command shows on a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kpframe", *arguments],
        cwd=folder,
        env=variables(folder, TERM="xterm", **environment),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # how Linux says that the other side is closed
        pass
    os.close(ours)
    process.wait(timeout=60)
    return shown


@pytest.mark.slow
def test_a_terminal_has_colours_unless_they_are_not_wanted(folder: Path) -> None:
    """NO_COLOR, and terminals that know none."""
    assert b"\x1b[31merror\x1b[0m" in on_a_terminal(folder, "check", "no")
    assert b"\x1b" not in on_a_terminal(folder, "check", "no", NO_COLOR="1")


@pytest.mark.parametrize("where", ["missing-folder-as-file/x.json", "."])
@pytest.mark.slow
def test_a_place_that_cannot_be_written_is_told(
    where: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file where a folder should be, a folder where a file should be."""
    (folder / "missing-folder-as-file").write_text("")
    monkeypatch.chdir(folder)
    done = run(capsys, "extract", "--pipeline", "fast.yaml", "--text", "x", "--out", where)
    assert done.status == 2
    assert done.err.startswith("error: ")
    assert "cannot be read or written" in done.err


@pytest.mark.slow
def test_two_workers_give_the_same_bytes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order of the input."""
    lines = "".join(
        json.dumps({"id": str(i), "text": f"green energy {i} and red kites"}) + "\n" for i in range(9)
    )
    (folder / "in.jsonl").write_text(lines)
    monkeypatch.chdir(folder)
    command = ("extract", "--pipeline", "fast.yaml", "--input", "in.jsonl", "--format", "jsonl", "--workers")
    one, two = (run(capsys, *command, number) for number in ("1", "2"))
    assert (one.status, two.status) == (0, 0)
    assert one.out == two.out
    assert one.out.count("\n") == 9
