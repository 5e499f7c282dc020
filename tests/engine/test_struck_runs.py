"""What is nobody's fault is no result: workers killed from outside, memory, runs killed in the middle."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path
from typing import Any

import engine_stages
import pytest
from engine_runs import SINGLE, TWO, corpus, events, experiment, leftovers, lines, outcome, run

from kpframe import Document
from kpframe.cli import main
from kpframe.engine import checkpoint
from kpframe.engine.executors import DEATH
from kpframe.runs.cell_writer import CellWriter
from kpframe.stages import registry

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stages of these tests are known in them alone."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    engine_stages.register()


def documents() -> list[Document]:
    """Eight, the third of which has the word."""
    found = corpus(8)
    found[2] = Document("d2", f"{engine_stages.BAD} {found[2].text}", gold=found[2].gold)
    return found


def struck(folder: Path, times: int, **parameters: Any) -> str:
    """A spec with a ranking that will be struck so often."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "strikes").write_text(str(times))
    (folder / "diary").write_text("")
    more = "".join(f", {name}: {value}" for name, value in parameters.items())
    return TWO.replace("bad: frequency", f"bad: {{kind: struck, folder_of_files: {folder}{more}}}")


def diary(folder: Path) -> list[str]:
    """The documents that were ranked since the diary was emptied."""
    found = (folder / "diary").read_text().split()
    (folder / "diary").write_text("")
    return found


@pytest.mark.acceptance
def test_a_document_whose_worker_is_killed_is_tried_again_alone(tmp_path: Path) -> None:
    """Three kills in a row: with its batch, with that alone, by itself. The fourth worker lives."""
    plain = run(tmp_path / "plain", struck(tmp_path, 0), documents())
    made = run(tmp_path / "struck", struck(tmp_path, 3), documents(), workers=2)
    assert (tmp_path / "strikes").read_text() == "0"
    assert made.failed == 0
    assert outcome(made.folder) == outcome(plain.folder)


@pytest.mark.acceptance
def test_what_a_kill_has_lost_the_next_run_tries_again(tmp_path: Path) -> None:
    """The failure shows, and is no result: the next run evaluates that document alone, and all is well."""
    plain = outcome(run(tmp_path / "plain", struck(tmp_path, 0), documents()).folder)
    made = run(tmp_path, struck(tmp_path, 99), documents(), workers=2)
    assert [(f["id"], f["stage"], f["error"]) for f in made.summary.failures] == [
        ("d2", "worker", DEATH) for _ in range(2)
    ]
    assert made.summary.notes[-1] == (
        "1 of them by no fault of their own (a worker died, or memory ran out): the same command tries them "
        "again"
    )
    record = json.loads((made.folder / "cells" / "good" / "cell.json").read_text())
    assert record["incomplete"] == {"evaluated": ["d2"], "learned": []}
    spec = struck(tmp_path, 0)
    again = run(tmp_path, spec, documents())
    assert diary(tmp_path) == ["d2"]
    assert again.failed == 0 and outcome(again.folder) == plain
    assert events(again.folder, "plan")[-1]["pending"] == 2
    run(tmp_path, spec, documents())
    assert events(again.folder, "plan")[-1]["pending"] == 0 and diary(tmp_path) == []
    assert leftovers(again.folder) == []


@pytest.mark.acceptance
def test_a_document_that_is_lost_again_stays_to_be_tried(tmp_path: Path) -> None:
    """A second struck run changes nothing; the third, undisturbed, heals the cells."""
    plain = outcome(run(tmp_path / "plain", struck(tmp_path, 0), documents()).folder)
    first = outcome(run(tmp_path, struck(tmp_path, 99), documents(), workers=2).folder)
    assert outcome(run(tmp_path, struck(tmp_path, 99), documents(), workers=2).folder) == first
    assert outcome(run(tmp_path, struck(tmp_path, 0), documents()).folder) == plain


def test_memory_that_runs_out_is_no_result(tmp_path: Path) -> None:
    """One cell lacks the document; the other, which needed less, is whole and stays."""
    made = run(tmp_path, struck(tmp_path, 99, way="memory"), documents())
    assert [(f["id"], f["stage"], f["cell"]) for f in made.summary.failures] == [
        ("d2", "ranking struck", "bad")
    ]
    assert lines(made.folder, "bad")["d2"]["error"] == "ranking struck: MemoryError: "
    spec = struck(tmp_path, 0, way="memory")
    again = run(tmp_path, spec, documents())
    assert events(again.folder, "plan")[-1]["pending"] == 1
    assert diary(tmp_path) == ["d2"]
    assert outcome(again.folder) == outcome(run(tmp_path / "plain", spec, documents()).folder)


@pytest.mark.acceptance
def test_what_was_not_learned_because_of_a_kill_is_learned_next_time(tmp_path: Path) -> None:
    """The cell is computed anew, as its ranking has learned something else; the other stays."""
    plain = outcome(run(tmp_path / "plain", struck(tmp_path, 0, learns="true"), documents()).folder)
    made = run(tmp_path, struck(tmp_path, 4, learns="true"), documents(), workers=2)
    assert [f["id"] for f in made.summary.failures] == ["d2"]
    spec = struck(tmp_path, 0, learns="true")
    again = run(tmp_path, spec, documents())
    assert events(again.folder, "plan")[-1]["pending"] == 1
    assert again.failed == 0 and outcome(again.folder) == plain
    assert len(diary(tmp_path)) == 8


def test_the_exit_status_says_that_documents_are_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """1 as long as they are, 0 when they have been made up for."""
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    command = ["run", str(tmp_path / "spec.yaml"), "--out", str(tmp_path / "out"), "-q", "--no-page"]
    experiment(tmp_path, struck(tmp_path, 1, way="memory"), documents())
    assert main(command) == 1
    assert "the same command tries them again" in capsys.readouterr().out
    assert main(command) == 0


def interrupted(folder: Path, spec: str, monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
    """A run that is ended while the lines of so many documents and cells have been written."""
    write, calls = CellWriter.write, []

    def interrupt(self: CellWriter, *parts: Any, **more: Any) -> None:
        calls.append(parts)
        if len(calls) > after:
            raise KeyboardInterrupt
        write(self, *parts, **more)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "SECONDS", 0)
        patch.setattr(CellWriter, "write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(folder, spec, documents())
    diary(folder)


def test_a_pass_that_was_killed_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five documents are in both cells, the sixth in one: the sixth is made again, and no other."""
    spec = struck(tmp_path, 0)
    plain = outcome(run(tmp_path / "plain", spec, documents()).folder)
    interrupted(tmp_path, spec, monkeypatch, after=11)
    assert not list((tmp_path / "out" / "cells").glob("*"))
    again = run(tmp_path, spec, documents())
    assert diary(tmp_path) == ["d5", "d6", "d7"]
    assert outcome(again.folder) == plain and leftovers(again.folder) == []


@pytest.mark.parametrize("damage", ["changed", "cut", "gone", "checkpoint", "other checkpoint"])
def test_damaged_work_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    """One other byte, a missing end, a missing file, in what was under way or in what is said of it."""
    spec = struck(tmp_path, 0)
    plain = outcome(run(tmp_path / "plain", spec, documents()).folder)
    interrupted(tmp_path, spec, monkeypatch, after=11)
    work = tmp_path / "out" / ".work"
    path = work / ("checkpoint.json" if "checkpoint" in damage else "cells/good/scores.jsonl")
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "other checkpoint":
        path.write_text(content.decode().replace('"done": 5', '"done": 4'))
    else:
        middle = len(content) // 2
        path.write_bytes(content[:middle] + (b"" if damage == "cut" else b"~" + content[middle + 1 :]))
    again = run(tmp_path, spec, documents())
    assert len(diary(tmp_path)) == 8
    assert outcome(again.folder) == plain


def test_work_of_another_spec_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of other parameters never come into a cell."""
    interrupted(tmp_path, struck(tmp_path, 0), monkeypatch, after=11)
    spec = struck(tmp_path, 0).replace("candidates: tokens", "candidates: {kind: tokens, min_characters: 3}")
    again = run(tmp_path, spec, documents())
    assert outcome(again.folder) == outcome(run(tmp_path / "plain", spec, documents()).folder)


def test_more_cells_than_open_files(tmp_path: Path) -> None:
    """All cells are written side by side, and no file of them stays open."""
    steps = "".join(f"    top{n}: [{{kind: top, number: {n + 1}}}]\n" for n in range(60))
    spec = SINGLE + f"sweep:\n  postprocessing:\n{steps}"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 40, hard))
    try:
        made = run(tmp_path, spec, corpus(6, words=20))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(made.summary.cells) == 60
    assert made.failed == 0
