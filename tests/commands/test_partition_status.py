"""`kpframe status` of a folder of partitions: under way, killed, finished; and folders that are full."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import FAST, run, variables

from kpframe.files import extraction_state
from kpframe.files.extraction_state import ExtractionState
from kpframe.files.leftovers import began
from kpframe.files.sealing import sealed

TEXT = "Neural nets rank nodes of graphs."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a quick pipeline and three partitions, where commands are typed."""
    (tmp_path / "fast.yaml").write_text(FAST)
    (tmp_path / "in").mkdir()
    for i in range(3):
        (tmp_path / f"in/{i}.csv").write_text(f"id,text\n{i}a,{TEXT}\n{i}b,{TEXT}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


WORDS = ["extract", "--input", "in", "--out", "out/", "--pipeline", "fast.yaml"]


@contextmanager
def waiting(place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command that has made two partitions, and waits for the third, which is a pipe."""
    (place / "in/2.csv").unlink()
    os.mkfifo(place / "in/2.csv")
    words = [
        sys.executable,
        "-m",
        "kpframe",
        "extract",
        "--input",
        *(f"in/{i}.csv" for i in range(3)),
        *WORDS[3:],
    ]
    process = subprocess.Popen(words, cwd=place, env=variables(place), stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def state(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """What the command says of the folder, as values."""
    found = json.loads(run(capsys, "status", "out/", "--format", "json").out)
    return dict(found["out/"])


def test_what_is_finished(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what it came to, and what was wrong with it."""
    assert run(capsys, *WORDS).status == 0
    told = run(capsys, "status", "out/")
    assert told.status == 0
    assert re.fullmatch(
        r"out/: finished, 2\S+ \S+: 3 of 3 partitions \(0 were there\), 6 documents\n", told.out
    )
    (place / "in/0.csv").write_text(f"id,text\n1a,{TEXT}\nx,y,z\n")
    (place / "in/1.csv").write_text("nothing\n")
    (place / "out/_manifest/9.csv.json").write_text(json.dumps(sealed({"complete": False})))
    assert run(capsys, *WORDS).status == 1
    told = run(capsys, "status", "out")
    # 1.csv has failed, so its old result is not counted; the id 1a of the new 0.csv is unique then.
    assert "2 of 3 partitions (1 were there), 3 documents; 1 partition failed: 1.csv; 1 skipped" in told.out
    assert "; 1 result of other inputs" in told.out


def test_results_that_are_gone_or_changed_are_not_finished(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is counted, by what its manifest says; the same command makes them again."""
    assert run(capsys, *WORDS).status == 0
    (place / "out/1.csv").unlink()
    told = run(capsys, "status", "out/")
    assert told.status == 0
    assert re.fullmatch(
        r"out/: changed, since it finished 2\S+ \S+: 2 of 3 partitions \(0 were there\), 4 documents; "
        r"1 result missing: 1\.csv; the same command goes on\n",
        told.out,
    )
    same_size = (place / "out/2.csv").read_bytes()
    (place / "out/2.csv").write_bytes(same_size[:-1] + b"x")
    told = run(capsys, "status", "out/")
    assert "1 of 3 partitions" in told.out
    assert "; 1 result missing and 1 result changed: 1.csv, 2.csv; the same command" in told.out
    found = state(capsys)
    assert (found["state"], found["missing"], found["altered"]) == ("changed", 1, 1)
    assert run(capsys, *WORDS).status == 0
    told = run(capsys, "status", "out/")
    assert "finished, " in told.out and "3 of 3 partitions (1 were there), 6 documents\n" in told.out


def test_results_without_manifests_are_not_finished(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where only the manifest is gone, and where nothing is left: the same command makes them."""
    assert run(capsys, *WORDS).status == 0
    (place / "out/_manifest/1.csv.json").unlink()
    told = run(capsys, "status", "out").out
    assert "changed, since" in told and "2 of 3 partitions" in told and "1 result missing" in told
    for path in [*place.glob("out/*.csv"), *place.glob("out/_manifest/[0-9]*")]:
        path.unlink()
    told = run(capsys, "status", "out").out
    assert "0 of 3 partitions (0 were there), 0 documents; 3 results missing; the same command" in told
    assert run(capsys, *WORDS).status == 0 and "finished" in run(capsys, "status", "out").out


def test_terms_tell_of_partitions_that_failed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is said in which group is not known of all texts then."""
    for i in range(2):
        (place / f"in/{i}.csv").write_text(f"id,text,g\n{i}a,{TEXT},x\n{i}b,Red kites.,y\n")
    (place / "in/2.csv").write_bytes(b"id,text,g\n2a,caf\xe9,x\n")
    assert run(capsys, *WORDS, "--wide", "--keep", "g").status == 1
    told = run(capsys, "terms", "out/", "--by", "g")
    assert told.status == 1 and "1 partition failed, and not in it: 2.csv" in told.err


def test_results_with_endings_in_capitals_are_seen(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing ones, and those of inputs that are gone."""
    (place / "in/0.csv").rename(place / "in/A.CSV")
    assert run(capsys, *WORDS).status == 0
    (place / "out/A.CSV").unlink()
    assert "; 1 result missing: A.CSV" in run(capsys, "status", "out/").out
    assert run(capsys, *WORDS).status == 0
    (place / "in/A.CSV").unlink()
    assert "has 1 result of other inputs, which stay: A.CSV" in run(capsys, *WORDS).err


def test_what_has_been_stopped_by_an_error(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a lost scheduler is one."""
    from kpframe.commands._partition_task import Task
    from kpframe.errors import DataError

    whole = Task.make
    made: list[object] = []

    def lost(self: Task, partition: object, *words: object) -> object:
        made.append(partition)
        if len(made) == 2:
            raise DataError.at("--cluster", "the scheduler is gone")
        return whole(self, partition, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(Task, "make", lost)
    assert run(capsys, *WORDS).status == 2
    told = run(capsys, "status", "out/").out
    assert "out/: stopped, begun 2" in told and "1 of 3 partitions" in told
    assert told.endswith("; the same command goes on\n")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes on this system")
def test_what_is_under_way_and_what_was_killed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another process asks; a process that is gone cannot say so itself."""
    with waiting(place) as process:
        path = place / "out/_manifest/status.json"
        assert process.stderr is not None
        while not path.is_file():
            assert process.poll() is None, process.stderr.read()
        assert state(capsys)["state"] == "under way"
        assert state(capsys)["partitions"] == 3
        process.kill()
        process.wait()
        assert state(capsys)["state"] == "stopped"
        assert run(capsys, "status", "out/").out.endswith("; the same command goes on\n")


def test_the_state_is_kept_while_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time and again, with what is left by the partitions made so far."""
    monkeypatch.setattr(extraction_state, "EVERY", 0.001)
    numbers = iter(range(10**9))
    seen: list[ExtractionState] = []

    def now() -> ExtractionState:
        made = min(next(numbers), 8)
        return ExtractionState(
            "under way", begun=100, updated=100 + 5 * made, partitions=10, there=1, made=made
        )

    with extraction_state.told_while(str(tmp_path), now, needed=True):
        while not seen or seen[-1].made < 8:
            seen.append(ExtractionState.read(str(tmp_path)) or seen[-1])
    last = ExtractionState.read(str(tmp_path))
    assert last is not None and (last.state, last.left) == ("finished", 5.0)
    assert {one.state for one in seen} == {"under way"}


def test_a_machine_elsewhere_is_alive_as_long_as_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its processes cannot be asked; silence of a minute is an end."""
    told = ExtractionState("under way", begun=1_000, updated=1_000, partitions=1)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(extraction_state, "_machine", lambda: "elsewhere")
        told.write(str(tmp_path))
    for now, state in ((1_059, "under way"), (1_061, "stopped")):
        monkeypatch.setattr("time.time", lambda now=now: now)
        found = ExtractionState.read(str(tmp_path))
        assert found is not None and found.state == state


@pytest.mark.skipif(not began(os.getpid()), reason="the system does not say when processes began")
def test_another_process_with_the_number_of_one_that_was_killed_is_another(tmp_path: Path) -> None:
    """Numbers come again: what began at another time is not what wrote the state."""
    ExtractionState("under way", begun=1_000, updated=1_000, partitions=1).write(str(tmp_path))
    found = ExtractionState.read(str(tmp_path))
    assert found is not None and found.state == "under way"
    path = tmp_path / "_manifest/status.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "started": "1"}))
    found = ExtractionState.read(str(tmp_path))
    assert found is not None and found.state == "stopped"


def test_a_damaged_state_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what writes it anew."""
    assert run(capsys, *WORDS).status == 0
    (place / "out/_manifest/status.json").write_text("{}")
    told = run(capsys, "status", "out/")
    assert told.status == 2 and "status.json: is damaged" in told.err and "writes it anew" in told.err
    assert run(capsys, *WORDS).status == 0
    assert run(capsys, "status", "out/").status == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("partitions", "x"), ("made", -1), ("documents", None), ("begun", 1e300), ("named", [1]), ("state", [])],
)
def test_a_state_with_a_value_that_cannot_be_is_told(
    name: str, value: object, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the value; it was a traceback."""
    assert run(capsys, *WORDS).status == 0
    path = place / "out/_manifest/status.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))
    told = run(capsys, "status", "out/")
    assert told.status == 2 and f"status.json: is damaged ({name} is " in told.err


@pytest.mark.parametrize("content", ["without", "text", "other", "[]", "null", '"x"', "[" * 100_000])
def test_a_manifest_that_is_not_as_it_was_written_is_not_believed(
    content: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Valid JSON that lacks a count, has a wrong one, or is no object: told, and made anew."""
    assert run(capsys, *WORDS).status == 0
    path = place / "out/_manifest/1.csv.json"
    known = json.loads(path.read_text())
    changed = {
        "without": {key: value for key, value in known.items() if key != "skipped"},
        "text": {**known, "documents": "x"},
        "other": {**known, "documents": known["documents"] + 1},
    }
    path.write_text(json.dumps(changed[content]) if content in changed else content)
    told = run(capsys, "status", "out/")
    assert told.status == 0 and "; 1 result changed: 1.csv" in told.out
    done = run(capsys, *WORDS)
    assert done.status == 0 and "1 partition made, 2 there already; 6 documents" in done.err
    assert json.loads(path.read_text()) == known


def test_ids_of_partitions_that_are_gone_are_compared_anew(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is known of the last time is believed only as it was written."""
    (place / "in/1.csv").write_text(f"id,text\n0a,{TEXT}\n")
    assert run(capsys, *WORDS).status == 1
    path = place / "out/_manifest/ids_twice.json"
    path.write_text(path.read_text().replace("1.csv", "gone.csv"))
    done = run(capsys, *WORDS)
    assert done.status == 1 and "in/1.csv: the id '0a' is also in in/0.csv" in done.err


def test_partitions_in_a_store(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A URL is asked as a folder is; one without an extraction is told so."""
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").store.clear()
    assert run(capsys, *WORDS[:3], "--out", "memory://b/out/", *WORDS[5:]).status == 0
    assert "memory://b/out: finished, 2" in run(capsys, "status", "memory://b/out").out
    told = run(capsys, "status", "memory://b/other")
    assert told.status == 2 and "memory://b/other: is a URL, where no extraction has begun" in told.err
    fsspec.filesystem("memory").store.clear()
