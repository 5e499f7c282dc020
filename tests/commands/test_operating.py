"""Long commands that are watched: lines in logs, a signal that asks, metrics, the state of a run."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import FAST, run

from kpframe.cli import main
from kpframe.commands import _operating
from kpframe.commands._signals import Ended
from kpframe.engine.operating import Operation, under_way
from kpframe.engine.progress import Progress
from kpframe.errors import DataError
from kpframe.runs.under_way import RunState

SPEC = f"{FAST}documents: {{kind: jsonl, path: corpus.jsonl}}\nmetrics: [r_precision]\nreports: [csv]\n"
SAMPLE = re.compile(r'kpframe_[a-z_]+(\{[a-z]+="[^"]+"\})? [0-9.e+]+')


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a corpus and a spec, where commands are typed."""
    lines = [
        {"id": f"d{i}", "text": f"Neural nets rank {i} nodes.", "gold": ["neural nets"]} for i in range(6)
    ]
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (tmp_path / "fast.yaml").write_text(FAST)
    (tmp_path / "spec.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def metrics(path: Path) -> dict[str, float]:
    """The samples of a file, each of which is one of the format, after its help and type."""
    found = {}
    known: set[str] = set()
    for line in path.read_text().splitlines():
        if line.startswith("# TYPE "):
            known.add(line.split()[2])
        elif not line.startswith("# HELP "):
            assert SAMPLE.fullmatch(line) and re.split("[{ ]", line)[0] in known
            found[line.rpartition(" ")[0]] = float(line.rpartition(" ")[2])
    return found


def test_an_operation_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate and time left from when the stage began."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    operation = Operation()
    operation.begin("evaluating", 5_000)
    assert operation.line() == "evaluating: 0 of 5,000 documents, 0.0 a second, 0 failed"
    operation.advance(1_000)
    operation.failed = 2
    now[0] += 50
    assert operation.line() == "evaluating: 1,000 of 5,000 documents, 20.0 a second, 3:20 left, 2 failed"
    assert operation.values()["left"] == 200
    operation.begin("reports", None)
    assert operation.line() == "reports: 0 documents, 0.0 a second, 2 failed"
    assert 'kpframe_documents_total{stage="evaluating"} 1000\n' in operation.metrics()


def test_whatever_shows_progress_is_counted() -> None:
    """Also where nothing is shown, and only inside the block."""
    with under_way() as operation:
        assert list(Progress(quiet=True).count("abc", "reading")) == ["a", "b", "c"]
        assert 'stage="reading"} 3' in operation.metrics()
    list(Progress(quiet=True).count("abc", "reading"))
    assert 'stage="reading"} 3' in operation.metrics()


def test_metrics_of_an_extraction(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Documents, seconds by stage, memory, and how it ended."""
    done = run(
        capsys, "extract", "--input", "corpus.jsonl", "--pipeline", "fast.yaml", "--metrics-file", "m.prom"
    )
    found = metrics(place / "m.prom")
    assert done.status == 0
    assert found['kpframe_documents_total{stage="extracting"}'] == 6
    assert found["kpframe_under_way"] == 0 and found["kpframe_exit_status"] == 0
    assert found["kpframe_memory_bytes"] > 1e7
    # It may be .000: six short texts, whose words another test of this process may have met.
    assert found['kpframe_stage_seconds_total{stage="preprocessing"}'] >= 0


def test_metrics_of_a_run_count_the_cache(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Made the first time, taken the second."""
    words = ["run", "spec.yaml", "--no-page", "--metrics-file", "m.prom", "--out"]
    assert run(capsys, *words, "one").status == 0
    first = metrics(place / "m.prom")
    assert run(capsys, *words, "two").status == 0
    second = metrics(place / "m.prom")
    assert first["kpframe_cache_hits_total"] + first["kpframe_cache_misses_total"] == 6
    assert (second["kpframe_cache_hits_total"], second["kpframe_cache_misses_total"]) == (6, 0)


@pytest.mark.slow
def test_failed_documents_are_counted(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each once; the status stands there too."""
    lines = [
        {"id": "a", "text": "Neural nets.", "language": "en"},
        {"id": "b", "text": "Neurala nät.", "language": "sv"},
    ]
    (place / "corpus.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert run(capsys, "extract", "--input", "corpus.jsonl", "--metrics-file", "m.prom").status == 1
    found = metrics(place / "m.prom")
    assert (found["kpframe_exit_status"], found["kpframe_failures_total"]) == (1, 1)


def test_a_file_that_cannot_be_written_is_told_at_once(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is computed."""
    (place / "taken").write_text("")
    done = run(capsys, "extract", "--text", "Neural nets.", "--metrics-file", "taken/m.prom")
    assert done.status == 2 and "taken" in done.err and not done.out
    done = run(capsys, "extract", "--text", "Neural nets.", "--metrics-file", "s3://bucket/m.prom")
    assert done.status == 2 and "is a URL" in done.err


def test_notices_and_errors_as_json(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line each, with time and level; what is written to standard output is not touched."""
    words = ["extract", "--input", "corpus.jsonl", "--pipeline", "fast.yaml", "--out", "k.csv", "--log-json"]
    (notice,) = map(json.loads, run(capsys, *words).err.splitlines())
    assert (notice["level"], notice["event"]) == ("info", "notice")
    assert notice["message"].startswith("wrote k.csv: 6 documents")
    (told,) = map(json.loads, run(capsys, "run", "none.yaml", "--log-json").err.splitlines())
    assert (told["level"], told["event"], told["problem"]) == ("error", "problem", "there is no such file")
    assert run(capsys, "run", "none.yaml").err.startswith("error: ")


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="there is no SIGUSR1 on this system")
def test_a_signal_asks_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """And is answered at once, also by a quiet command; afterwards the signal means what it meant."""
    before = signal.getsignal(signal.SIGUSR1)

    def work() -> int:
        for number, _ in enumerate(Progress(quiet=True).count("abcdef", "extracting", 6)):
            if number == 3:
                os.kill(os.getpid(), signal.SIGUSR1)
        return 0

    assert _operating.watched(work, metrics_file=None, out=None, quiet=True) == 0
    assert re.search(
        r"extracting: 4 of 6 documents, .* a second, 0:00 left, 0 failed", capsys.readouterr().err
    )
    assert signal.getsignal(signal.SIGUSR1) is before


def test_metrics_have_the_exit_status_of_a_signal(tmp_path: Path) -> None:
    """Not that of wrong input."""

    def work() -> int:
        raise Ended(signal.SIGTERM)

    with pytest.raises(Ended):
        _operating.watched(work, metrics_file=str(tmp_path / "m"), out=None, quiet=True)
    assert metrics(tmp_path / "m")["kpframe_exit_status"] == 143


@pytest.mark.parametrize("taken", ["corpus.jsonl", "fast.yaml", "k.csv", "./k.csv"])
def test_metrics_take_the_place_of_nothing_else(
    taken: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither of an input, nor a spec, nor the results; those of the last time are replaced."""
    words = ("extract", "corpus.jsonl", "--pipeline", "fast.yaml", "--out", "k.csv", "--metrics-file")
    before = {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
    done = run(capsys, *words, taken)
    assert done.status == 2 and done.err.startswith(f"error: --metrics-file {taken.removeprefix('./')}: is ")
    assert before == {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
    assert [run(capsys, *words, "m.prom").status for _ in range(2)] == [0, 0]


def test_a_log_gets_a_line_from_time_to_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """While one document takes long, too; with the metrics."""
    from kpframe.commands import prepare

    prepare(quiet=False)
    monkeypatch.setattr(_operating, "EVERY", 0.001)
    told = threading.Event()
    tick = _operating._tick

    def noticed(*words: Any) -> None:
        tick(*words)
        told.set()

    monkeypatch.setattr(_operating, "_tick", noticed)

    def work() -> int:
        with Progress(quiet=True).bar(10, "evaluating") as advance:
            advance(1)
            for _ in range(2):  # the first may have looked before the step and told after it
                told.clear()
                if not told.wait(60):
                    return 1
            return 0

    assert _operating.watched(work, metrics_file=str(tmp_path / "m"), out=None, quiet=False) == 0
    assert "evaluating: 1 of 10 documents" in capsys.readouterr().err
    assert metrics(tmp_path / "m")["kpframe_exit_status"] == 0


def test_the_state_of_a_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Finished, with what it had."""
    assert run(capsys, "run", "spec.yaml", "--no-page", "--out", "r").status == 0
    told = run(capsys, "status", "r")
    assert told.status == 0 and re.match(r"r: finished 20.*: 6 documents, 1 configuration\n", told.out)
    state = json.loads(run(capsys, "status", "r", "--format", "json").out)["r"]
    assert (state["state"], state["documents"], state["cells"], state["failures"]) == ("finished", 6, 1, 0)
    told = run(capsys, "status", "nothing")
    assert told.status == 2 and "is no folder of a run" in told.err


def test_the_state_of_a_run_in_the_middle(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process sees what the checkpoint says; one that was ended can go on."""
    from kpframe.engine import checkpoint

    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    seen: list[RunState] = []
    add = checkpoint.CellsUnderWay.add

    def looking(self: Any, id: str, result: Any) -> None:
        add(self, id, result)
        if self.done == 4:
            seen.append(RunState.read(place / "r"))
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint.CellsUnderWay, "add", looking)
    with pytest.raises(KeyboardInterrupt):
        main(["run", "spec.yaml", "--no-page", "--out", "r", "--quiet"])
    (state,) = seen
    assert (state.state, state.done, state.documents, state.pending, state.cells) == ("under way", 4, 6, 1, 1)
    after = RunState.read(place / "r")
    assert (after.state, after.done) == ("stopped", 4)


def test_a_damaged_log_stops_nobody(place: Path) -> None:
    """A last line that is half written is none."""
    (place / "r").mkdir()
    log = place / "r/log.jsonl"
    log.write_text('{"time": "2026-01-01T10:00:00+0000", "event": "begin"}\n{"time": "2026-01-01T')
    state = RunState.read(place / "r")
    assert (state.state, state.begun, state.done) == ("stopped", 1767261600.0, 0)
    log.write_text("")
    with pytest.raises(DataError, match="is no folder of a run"):
        RunState.read(place / "r")


@pytest.fixture(autouse=True)
def plain_notices() -> Iterator[None]:
    """As they were, after a test that had them otherwise."""
    from kpframe.commands import prepare

    yield
    prepare(quiet=False)
