"""Runs that are killed, resumed, changed or pointed at a wrong folder."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from engine_runs import (
    GRID,
    SINGLE,
    begin,
    corpus,
    demonstration,
    end,
    events,
    experiment,
    leftovers,
    lines,
    outcome,
    run,
)

from kpframe.runs.cell_writer import CellWriter

pytestmark = pytest.mark.slow


def finished(out: Path) -> dict[str, int]:
    """When the scores of each cell that stands in its place were written."""
    return {p.parent.name: p.stat().st_mtime_ns for p in out.glob("cells/*/scores.jsonl")}


def living(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, leader = path.read_text().rpartition(") ")[2].split()[:3]
        except OSError:
            continue
        if int(leader) == group and state != "Z":
            found.append(int(path.parent.name))
    return found


SMALL = corpus(8, words=40)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of the grid, to be copied."""
    folder = tmp_path_factory.mktemp("base")
    run(folder, GRID, SMALL)
    return folder


def copied(base: Path, folder: Path) -> Path:
    """The output folder of a copy of the complete run."""
    shutil.copytree(base, folder, dirs_exist_ok=True)
    return folder / "out"


MOMENTS = (
    ("log.jsonl", 1),
    (".work/cells/*/scores.jsonl", 1),
    ("cells/*", 1),
    (".work/cells/*", 1),
    ("cells/*", 4),
)
"""For each kill what there must be first, and how many of it; it comes a little later."""


@pytest.mark.acceptance
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """Five kill -9 at random moments, of the process or of all its workers too, then to the end."""
    documents = corpus(110, words=90)
    reference = outcome(run(tmp_path / "plain", GRID, documents).folder)
    experiment(tmp_path, GRID, documents)
    out = tmp_path / "out"
    command = ["run", tmp_path / "spec.yaml", "--out", out, "--quiet", "--workers"]
    chance = random.Random(2009)
    done: dict[str, int] = {}
    for attempt, (pattern, count) in enumerate(MOMENTS):
        process = begin([*command, 1 + attempt % 2], tmp_path / "cache")
        while process.poll() is None and len(list(out.glob(pattern))) < count:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.1))
        os.killpg(process.pid, signal.SIGKILL) if attempt % 3 == 1 else process.kill()
        process.communicate()
        assert all((out / "cells" / name / "cell.json").exists() for name in finished(out))
        assert {name: when for name, when in finished(out).items() if name in done} == done
        done = finished(out)
    end(begin([*command, 2], tmp_path / "cache"))
    assert {name: when for name, when in finished(out).items() if name in done} == done
    assert outcome(out) == reference
    assert leftovers(out) == []
    assert events(out, "plan")[-1]["pending"] == 7 - len(done)
    computed = [event["name"] for event in events(out, "cell")][::-1][: 7 - len(done)]
    assert not set(computed) & set(done)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    """Nobody else would ever end them, and each holds a language model."""
    code = (
        "import sys, time\n"
        "from kpframe.engine.local_processes import LocalProcesses\n"
        "if __name__ == '__main__':\n"
        "    for _ in LocalProcesses(2).run(max, 1, range(9)): pass\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": root, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert len(living(process.pid)) >= 3
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while living(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.stdout.close()
    assert living(process.pid) == []


def test_a_complete_run_computes_nothing_again(tmp_path: Path, base: Path) -> None:
    """The second run finds all cells, and reports the same."""
    out = copied(base, tmp_path)
    before, bytes_before = finished(out), outcome(out)
    again = run(tmp_path, GRID, SMALL, workers=2)
    assert finished(out) == before
    assert outcome(again.folder) == bytes_before
    assert [event["pending"] for event in events(again.folder, "plan")] == [7, 0]
    assert leftovers(again.folder) == []


@pytest.mark.parametrize("file", ["keyphrases.jsonl", "scores.jsonl", "cell.json"])
@pytest.mark.parametrize("damage", ["changed", "cut", "gone"])
def test_a_damaged_cell_is_computed_again(tmp_path: Path, base: Path, file: str, damage: str) -> None:
    """One other byte, a missing end or a missing file: that cell, and no other, is made anew."""
    out = copied(base, tmp_path)
    reference = outcome(out)
    path = out / "cells" / "tfidf.tokens" / file
    content = path.read_bytes()
    middle = len(content) // 2
    if damage == "gone":
        path.unlink()
    else:
        rest = bytes([content[middle] ^ 1]) + content[middle + 1 :] if damage == "changed" else b""
        path.write_bytes(content[:middle] + rest)
    again = run(tmp_path, GRID, SMALL)
    assert [event["name"] for event in events(again.folder, "cell")[7:]] == ["tfidf.tokens"]
    assert outcome(again.folder) == reference


@pytest.mark.parametrize("damage", ["changed", "cut", "gone", "all gone"])
def test_what_was_learned_is_learned_again_where_it_is_damaged(
    tmp_path: Path, base: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """And told; nobody reads these files again, but for those who look at them."""
    out = copied(base, tmp_path)
    reference = outcome(out)
    path = next((out / "fitted").glob("kea-*.json"))
    if damage == "all gone":
        shutil.rmtree(path.parent)
    elif damage == "gone":
        path.unlink()
    else:
        path.write_bytes(b"" if damage == "cut" else path.read_bytes().replace(b"1", b"2", 1))
    again = run(tmp_path, GRID, SMALL)
    assert outcome(again.folder) == reference
    assert "damaged or computed with other parameters" in caplog.text


@pytest.mark.parametrize(
    ("changes", "pending"),
    [
        ({}, 0),
        ({"window: 2": "window: 3"}, 2),
        ({"metrics: [r_precision, precision@5]": "metrics: [r_precision]"}, 7),
        ({"matching: [exact, approximate]": "matching: [exact]"}, 7),
        ({"seed: 1": "seed: 2"}, 7),
        ({"max: 3, stopwords": "max: 2, stopwords"}, 1),
        ({"tokens: tokens": "tokens: {kind: tokens, min_characters: 2}"}, 3),
        ({"reports: [json]": "reports: [json, csv]"}, 0),
        ({"reports: [json]": "reports: [json]\nsave: 3"}, 7),
    ],
)
def test_only_cells_that_a_changed_spec_touches_are_computed(
    tmp_path: Path, base: Path, changes: dict[str, str], pending: int
) -> None:
    """A cell is kept if nothing changed that its numbers depend on."""
    copied(base, tmp_path)
    spec = GRID
    for old, new in changes.items():
        assert old in spec
        spec = spec.replace(old, new)
    again = run(tmp_path, spec, SMALL)
    assert events(again.folder, "plan")[-1]["pending"] == pending
    fresh = run(tmp_path, spec, SMALL, out=tmp_path / "fresh")
    assert outcome(again.folder) == outcome(fresh.folder)


def test_other_documents_make_other_cells(tmp_path: Path) -> None:
    """A limit, one more document, one other gold keyphrase or text: everything is computed."""
    documents = corpus(12)
    run(tmp_path, SINGLE, documents)
    for changed in (documents[:-1], corpus(13), [*documents[:-1], corpus(12, seed=9)[-1]]):
        again = run(tmp_path, SINGLE, changed)
        assert events(again.folder, "plan")[-1]["pending"] == 1
        assert set(lines(again.folder, "single")) == {document.id for document in changed}
    limited = run(tmp_path, SINGLE, documents, limit=4)
    assert events(limited.folder, "plan")[-1]["pending"] == 1
    assert len(lines(limited.folder, "single")) == 4


def test_cells_and_fits_that_the_spec_no_longer_has_vanish(tmp_path: Path, base: Path) -> None:
    """What stands in the folder is what the spec says; stray files do no harm."""
    out = copied(base, tmp_path)
    (out / "cells" / "stray.txt").write_text("left by somebody")
    smaller = GRID.replace("    tfidf: {kind: tfidf, idf: {from: collection}}\n", "")
    again = run(tmp_path, smaller, SMALL)
    assert sorted(finished(again.folder)) == sorted(cell.name for cell in again.summary.cells)
    assert len(finished(again.folder)) == 5
    assert [path.name[:4] for path in (again.folder / "fitted").iterdir()] == ["kea-"]
    assert not (again.folder / "cells" / "stray.txt").exists()
    assert events(again.folder, "plan")[-1]["pending"] == 0


def test_an_interrupted_run_leaves_no_cell_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control-C in the middle of the pass."""
    calls = []

    def interrupt(self: CellWriter, *parts: object, **more: object) -> None:
        calls.append(parts)
        if len(calls) == 5:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(CellWriter, "write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, GRID, SMALL)
    assert finished(tmp_path / "out") == {}
    reference = outcome(run(tmp_path / "plain", GRID, SMALL).folder)
    assert outcome(run(tmp_path, GRID, SMALL).folder) == reference
    assert leftovers(tmp_path / "out") == []


def test_the_saved_spec_repeats_the_run(tmp_path: Path) -> None:
    """resolved.yaml holds every default; it gives the same cells, found complete in the same folder."""
    made = run(tmp_path, GRID, demonstration())
    reference = outcome(made.folder)
    spec = (made.folder / "resolved.yaml").read_text(encoding="utf-8")
    again = run(tmp_path / "again", spec, demonstration())
    cells = {name: content for name, content in outcome(again.folder).items() if name.startswith("cells/")}
    assert cells == {name: content for name, content in reference.items() if name in cells}
    assert len(cells) == 21


def test_the_log_is_made_of_json_lines_with_times(tmp_path: Path) -> None:
    """begin, plan, how far evaluating is, a line for each cell, end."""
    made = run(tmp_path, SINGLE, corpus(5))
    records = [json.loads(line) for line in (made.folder / "log.jsonl").read_text().splitlines()]
    assert [record["event"] for record in records] == [
        *("begin", "plan", "evaluating", "cell", "timings", "end")
    ]
    assert all(record["time"] for record in records)
