"""`kpframe extract` over partitions: each whole or absent, none twice, and nothing lost."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import FAST, Outcome, run

from kpframe.commands import _partition_task
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.writing import writing_table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a quick pipeline, where commands are typed."""
    (tmp_path / "fast.yaml").write_text(FAST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def partition(path: Path, first: int, rows: int = 5, text: str = "Neural nets rank nodes.") -> None:
    """A table with texts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing_table(str(path), ["id", "text"]) as writer:
        ids = [f"d{i}" for i in range(first, first + rows)]
        writer.write({"id": ids, "text": [f"{text} Number {i}." for i in range(rows)]})


def extract(capsys: pytest.CaptureFixture[str], source: str, *more: str, out: str = "out/") -> Outcome:
    """The command."""
    return run(capsys, "extract", "--input", source, "--out", out, "--pipeline", "fast.yaml", "--wide", *more)


def contents(folder: Path) -> dict[str, bytes]:
    """All results, without their manifests."""
    files = [path for path in folder.rglob("*") if path.is_file() and "_manifest" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_each_partition_has_its_results_and_a_manifest(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under the same name, in the same format; the manifest says of what and how much."""
    for i in range(3):
        partition(place / f"in/part-{i}.parquet", 10 * i)
    done = extract(capsys, "in/*.parquet")
    assert (done.status, done.out) == (0, "")
    assert "wrote out/: 3 partitions made, 0 there already; 15 documents" in done.err
    assert sorted(contents(place / "out")) == [f"part-{i}.parquet" for i in range(3)]
    told = json.loads((place / "out/_manifest/part-1.parquet.json").read_text())
    assert (told["input"], told["output"], told["documents"]) == ("in/part-1.parquet", "part-1.parquet", 5)
    assert len(told["sha256"]) == 64 and told["content"].startswith("sha256:") and len(told["identity"]) > 10
    with open_table("out/part-1.parquet") as table:
        assert next(iter(table.batches(["id"]))).columns["id"] == [f"d{i}" for i in range(10, 15)]


def test_what_is_there_is_not_made_again(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what is missing, changed, damaged, or asked for otherwise."""
    for i in range(4):
        partition(place / f"in/{i}.csv", 10 * i)
    assert "4 partitions made" in extract(capsys, "in/*.csv").err
    before = contents(place / "out")
    assert "0 partitions made, 4 there already; 20 documents" in extract(capsys, "in/*.csv").err
    partition(place / "in/0.csv", 0, text="Graph ranking.")
    (place / "out/1.csv").unlink()
    (place / "out/2.csv").write_bytes(before["2.csv"][:-5])
    assert "3 partitions made, 1 there already" in extract(capsys, "in/*.csv").err
    after = contents(place / "out")
    assert after["0.csv"] != before["0.csv"]
    assert {**after, "0.csv": b""} == {**before, "0.csv": b""}
    assert "4 partitions made, 0 there" in extract(capsys, "in/*.csv", "--top", "2").err


def test_partitions_in_folders_keep_their_names(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder is searched; two files of one name lie in two folders; manifests are none."""
    partition(place / "in/2024/a.csv", 0)
    partition(place / "in/2025/a.csv", 10)
    partition(place / "in/_manifest/a.json", 20)
    assert extract(capsys, "in", "--format", "jsonl").status == 0
    assert sorted(contents(place / "out")) == ["2024/a.jsonl", "2025/a.jsonl"]
    assert extract(capsys, "in/*/a.csv", out="again/").status == 0
    assert sorted(contents(place / "again")) == ["2024/a.csv", "2025/a.csv"]


def test_what_is_no_table_in_a_folder_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the status says that something was left out; what a pattern does not name is nobody's loss."""
    partition(place / "in/a.csv", 0)
    (place / "in/notes.txt").write_text("Neural nets.")
    done = extract(capsys, "in")
    assert done.status == 1 and "1 partition made" in done.err
    assert "left out: 1 file of the input that are no tables, the first: in/notes.txt" in done.err
    assert extract(capsys, "in/*.csv").status == 0


def test_results_below_the_input_are_no_input(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However often the command is repeated."""
    partition(place / "in/a.csv", 0)
    for told in ("1 partition made, 0 there", "0 partitions made, 1 there"):
        done = extract(capsys, "in", out="in/results/")
        assert done.status == 0 and told in done.err


@pytest.mark.parametrize("pattern", ["[0-1].csv", "?.csv", "[!2]*.csv", "*.csv"])
def test_patterns_of_urls_are_those_of_paths(
    pattern: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file whose name is a pattern is that file."""
    for first, name in enumerate(("0", "1", "[7]")):
        partition(place / f"in/{name}.csv", 10 * first)
    assert extract(capsys, f"in/{pattern}").status == 0
    assert extract(capsys, f"file://{place}/in/{pattern}", out="other/").status == 0
    found = contents(place / "out")
    assert found and found == contents(place / "other")
    assert extract(capsys, f"file://{place}/in/[7].csv", out="one/").status == 0
    assert list(contents(place / "one")) == ["[7].csv"]


def test_a_partition_that_fails_is_told_and_the_others_are_made(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is tried twice, the status says so, and the next command tries it again."""
    partition(place / "in/a.csv", 0)
    (place / "in/b.csv").write_bytes(b"id,x\n1,x\n")
    (place / "in/c.parquet").write_bytes(b"PAR1 cut off")
    done = extract(capsys, "in")
    assert done.status == 1 and done.err.count("in/b.csv: has no column 'text'") == 1
    assert "in/c.parquet: is cut off or damaged" in done.err
    assert "wrote out/: 1 partition made, 0 there already, 2 failed; 5 documents" in done.err
    assert sorted(contents(place / "out")) == ["a.csv"]
    partition(place / "in/b.csv", 10)
    (place / "in/c.parquet").unlink()
    done = extract(capsys, "in")
    assert done.status == 0 and "1 partition made, 1 there already; 10 documents" in done.err


def test_results_from_before_a_failure_stay_and_are_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are no longer those of the input, and the manifest says so."""
    partition(place / "in/a.csv", 0)
    assert extract(capsys, "in").status == 0
    before = contents(place / "out")
    (place / "in/a.csv").write_bytes(b"id,x\n1,x\n")
    done = extract(capsys, "in")
    assert done.status == 1
    assert "out/ has 1 result from before what failed now, which stay: a.csv" in done.err
    assert contents(place / "out") == before
    assert json.loads((place / "out/_manifest/a.csv.json").read_text())["complete"] is False


def test_a_partition_that_fails_once_is_made_at_the_end(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a network or a disk is itself again; nothing is told of it, since nothing is missing."""
    from kpframe.engine.pipeline import Pipeline

    for i in range(3):
        partition(place / f"in/{i}.csv", 10 * i)
    whole, seen = Pipeline.extract_many, []

    def struck(self: Pipeline, documents: object, **words: object) -> object:
        for result in whole(self, documents, **words):  # type: ignore[arg-type]
            seen.append(result.id)
            if seen.count("d0") == 1 and result.id == "d4":
                raise OSError(5, "Input/output error")
            yield result

    monkeypatch.setattr(Pipeline, "extract_many", struck)
    done = extract(capsys, "in")
    assert done.status == 0 and "3 partitions made, 0 there already; 15 documents" in done.err
    assert seen[-5:] == [f"d{i}" for i in range(5)] and seen.count("d10") == 1


def test_a_partition_that_vanishes_is_a_failure(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between being found and being read."""
    from kpframe.files import partitions

    partition(place / "in/a.csv", 0)
    found = [
        partitions.Partition("in/a.csv", "out", "a.csv"),
        partitions.Partition("in/b.csv", "out", "b.csv"),
    ]
    monkeypatch.setattr(partitions, "partitions", lambda *words: found)
    done = extract(capsys, "in/*.csv")
    assert done.status == 1 and "1 partition made, 0 there already, 1 failed" in done.err
    assert "in/b.csv" in done.err


def test_what_is_left_out_makes_the_status_1_also_later(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A manifest remembers it."""
    (place / "in").mkdir()
    (place / "in/a.csv").write_text("id,text\n1,Neural nets.\n2,too,many\n")
    for made in (1, 0):
        done = extract(capsys, "in")
        assert done.status == 1 and f"{made} partition" in done.err and "1 skipped" in done.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none/*.csv"], "names no table, and partitions are tables"),
        (["in", "--limit", "3"], "--limit: has no effect on partitions"),
        (["in", "--format", "text"], "is no format for partitions"),
        (["-"], "is no partition"),
        (["in/a.csv", "--input", "other/a.csv"], "would both be a.csv"),
    ],
)
def test_what_cannot_be_is_refused(
    words: list[str], told: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is computed."""
    partition(place / "in/a.csv", 0)
    partition(place / "other/a.csv", 0)
    source, *more = words
    done = extract(capsys, source, *more)
    assert done.status == 2 and told in done.err and not (place / "out").exists()


def test_a_result_never_takes_the_place_of_its_input(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Into the folder of the inputs only another format can go."""
    partition(place / "in/a.csv", 0)
    assert "a.csv would take the place of an input" in extract(capsys, "in/*.csv", out="in/").err
    assert extract(capsys, "in/*.csv", "--format", "jsonl", out="in/").status == 0


def test_partitions_in_a_store(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a URL to a URL, resumed as on disk."""
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    for i in range(2):
        with writing_table(f"memory://b/in/{i}.jsonl", ["id", "text"]) as writer:
            writer.write({"id": [str(i)], "text": ["Neural nets."]})
    source = "memory://b/in/*.jsonl"
    assert "2 partitions made" in extract(capsys, source, out="memory://b/out/").err
    assert "0 partitions made, 2 there" in extract(capsys, source, out="memory://b/out").err
    assert [path for path in memory.find("b/out") if "manifest" not in path] == [
        "/b/out/0.jsonl",
        "/b/out/1.jsonl",
    ]
    memory.store.clear()


@pytest.mark.acceptance
def test_workers_make_the_same_bytes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One process, two; a cluster that is sent documents, and one that reads and writes by itself."""
    pytest.importorskip("distributed")
    from dask_cluster import scheduler, worker

    for i in range(4):
        partition(place / f"in/{i}.parquet", 50 * i, rows=50)
    here = f"file://{place}"
    with scheduler(place / "s") as (address, _), worker(address, place / "a"), worker(address, place / "b"):
        runs = {
            "one": ["in/*.parquet"],
            "two": ["in/*.parquet", "--workers", "2"],
            "sent": ["in/*.parquet", "--cluster", address],
            "themselves": [f"{here}/in/*.parquet", "--cluster", address],
        }
        for name, words in runs.items():
            out = f"{here}/{name}/" if name == "themselves" else f"{name}/"
            done = extract(capsys, *words, "--metrics-file", f"{name}.prom", out=out)
            assert done.status == 0 and "4 partitions made" in done.err
            spent = re.findall(r'stage_seconds_total{stage="(\w+)"}', Path(f"{name}.prom").read_text())
            assert {"preprocessing", "candidates", "ranking"} <= set(spent)
        assert not list((place / "a/here").iterdir())
    found = [contents(place / name) for name in runs]
    assert found[0] and all(one == found[0] for one in found)


@pytest.mark.acceptance
def test_lost_workers_and_a_lost_scheduler_lose_nothing(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both workers are killed after the first partition, then the scheduler; the command is repeated."""
    distributed = pytest.importorskip("distributed")
    from dask_cluster import scheduler, worker

    from kpframe.commands import _partition_tally
    from kpframe.commands._partition_task import Made

    for i in range(6):
        partition(place / f"in/{i}.parquet", 200 * i, rows=200)
    source = f"file://{place}/in/*.parquet"
    assert extract(capsys, source, out="one/").status == 0
    kept = _partition_tally.Tally.add
    made: list[str] = []

    def struck(self: object, one: Made) -> None:
        kept(self, one)  # type: ignore[arg-type]
        made.append(one.partition.name)
        if len(made) == 1:
            with distributed.Client(address, set_as_default=False) as client:
                for number in client.run(os.getpid).values():
                    os.kill(number, signal.SIGKILL)
        elif len(made) == 3:
            process.kill()
            process.wait()

    out, words = f"file://{place}/out/", ["--cluster"]
    with (
        scheduler(place / "s") as (address, process),
        worker(address, place / "a"),
        worker(address, place / "b"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(_partition_tally.Tally, "add", struck)
            lost = extract(capsys, source, *words, address, out=out)
        assert lost.status == 2 and "the scheduler is gone" in lost.err
    with scheduler(place / "s2") as (address, _), worker(address, place / "c"):
        done = extract(capsys, source, *words, address, out=out)
    assert done.status == 0 and len(made) >= 3
    assert contents(place / "out") == contents(place / "one")


def test_results_of_inputs_that_are_gone_are_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They stay: another command may have made them."""
    for i in range(2):
        partition(place / f"in/{i}.csv", 10 * i)
    assert "of other inputs" not in extract(capsys, "in/*.csv").err
    (place / "in/0.csv").unlink()
    done = extract(capsys, "in/*.csv")
    assert "out/ has 1 result of other inputs, which stay: 0.csv" in done.err
    assert done.status == 0


def ids(path: Path, *names: str) -> None:
    """A table of texts with these ids."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing_table(str(path), ["id", "text"]) as writer:
        writer.write({"id": list(names), "text": ["Neural nets rank nodes."] * len(names)})


def test_ids_in_several_partitions_are_told_and_kept(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both partitions have their results; the next command says the same without comparing again."""
    ids(place / "in/a.csv", "x", "y", 'ä "1"')
    ids(place / "in/b.parquet", "z", "x")
    ids(place / "in/c.jsonl", 'ä "1"', "x")
    for made in (3, 0):
        done = extract(capsys, "in")
        assert done.status == 1 and f"{made} partition" in done.err
        assert "in/b.parquet: the id 'x' is also in in/a.csv and 1 more partition; all of them" in done.err
        assert "in/c.jsonl: the id 'ä \"1\"' is also in in/a.csv; all of them have results" in done.err
        assert "7 documents" in done.err and done.err.rstrip().endswith(", 2 ids in several partitions")
    lines = (place / "out/_manifest/ids_twice.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"id": 'ä "1"', "partitions": ["a.csv", "c.jsonl"]},
        {"id": "x", "partitions": ["a.csv", "b.parquet", "c.jsonl"]},
    ]
    assert len(contents(place / "out")) == 3


def test_ids_are_compared_again_when_a_partition_changes(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With those of partitions that were there already; once they are unique nothing is told."""
    ids(place / "in/a.csv", "x")
    ids(place / "in/b.csv", "y")
    assert extract(capsys, "in").status == 0
    ids(place / "in/b.csv", "x")
    done = extract(capsys, "in", "--quiet")
    assert done.status == 1 and done.err == (
        "error: in/b.csv: the id 'x' is also in in/a.csv; all of them have results; make ids unique, or name "
        "another column by --id\n"
    )
    ids(place / "in/b.csv", "y")
    assert extract(capsys, "in").status == 0
    assert (place / "out/_manifest/ids_twice.jsonl").read_text() == ""


def test_many_ids_in_several_partitions_are_counted(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty are named, all of them lie in a file."""
    for name in "ab":
        ids(place / f"in/{name}.csv", *(f"d{i}" for i in range(25)))
    done = extract(capsys, "in")
    assert done.err.count("is also in in/a.csv") == 20
    assert "5 more ids in several partitions; out/_manifest/ids_twice.jsonl has all of them" in done.err
    assert len((place / "out/_manifest/ids_twice.jsonl").read_text().splitlines()) == 25


def test_results_whose_ids_are_lost_are_made_again(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Else ids could not be compared; damaged ones count as lost."""
    for i in range(3):
        partition(place / f"in/{i}.csv", 10 * i)
    assert extract(capsys, "in").status == 0
    (place / "out/_manifest/0.csv.ids.gz").unlink()
    (place / "out/_manifest/1.csv.ids.gz").write_bytes(b"\x1f\x8b")
    done = extract(capsys, "in")
    assert done.status == 0 and "2 partitions made, 1 there already" in done.err


def test_what_a_folder_has_and_is_not_read_is_told_as_of_one_file(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links, also to folders, and folders that cannot be listed: skipped by name, and the status is 1."""
    for name, first in (("in/a.csv", 0), ("ext/e.csv", 10), ("in/closed/c.csv", 20), ("in/_b.csv", 30)):
        partition(place / name, first)
    (place / "in/linked").symlink_to(place / "ext")
    (place / "in/dangling.csv").symlink_to("nowhere.csv")
    (place / "in/_SUCCESS").write_text("")
    listed = os.scandir

    def closed(folder: str | Path) -> object:
        if str(folder).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return listed(folder)

    monkeypatch.setattr("os.scandir", closed)
    for _ in range(2):
        done = extract(capsys, "in")
        told = [line for line in done.err.splitlines() if line.startswith("skipped")]
        assert done.status == 1 and told == [
            "skipped: in/closed: cannot be listed (Permission denied)",
            "skipped: in/dangling.csv: is a link; only files themselves are read",
            "skipped: in/linked: is a link; only files themselves are read",
        ]
    assert sorted(contents(place / "out")) == ["_b.csv", "a.csv"]
    assert "3 things" in extract(capsys, "in", "--quiet").err
    (place / "in/_SUCCESS").unlink()
    one = run(capsys, "extract", "in", "--format", "csv", "--pipeline", "fast.yaml", "--wide")
    assert one.status == 1 and set(told) <= set(one.err.splitlines())
    assert {line.partition(",")[0] for line in one.out.splitlines()} == {
        "id",
        *(f"d{i}" for i in (*range(5), *range(30, 35))),
    }


def test_names_that_are_made_have_the_folder_of_their_partition(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that no other partition has them, whichever are there; ids of their own stay as they are."""
    for folder in ("2023", "2024"):
        (place / "in" / folder).mkdir(parents=True)
        (place / f"in/{folder}/part.csv").write_text("text\nNeural nets rank nodes.\n")
        (place / f"in/{folder}/lines.jsonl").write_text('{"text": "Neural nets rank nodes."}\n')
    (place / "in/part.csv").write_text("id,text\npart-2,Neural nets.\n,Graphs rank.\n")
    assert extract(capsys, "in", "--format", "csv").status == 0

    def names(path: str) -> list[str]:
        return [line.partition(",")[0] for line in (place / path).read_text().splitlines()[1:]]

    assert (names("out/part.csv"), names("out/2024/part.csv")) == (["part-2", "part-3"], ["2024/part-2"])
    assert names("out/2023/lines.csv") == ["2023/lines-1"]
    before = contents(place / "out")
    assert extract(capsys, "in/2024/*.csv", "--format", "csv", out="flat/").status == 0
    assert names("flat/part.csv") == ["part-2"]
    assert extract(capsys, "in/*/*.csv", "--format", "csv", out="some/").status == 0
    assert contents(place / "some") == {name: before[name] for name in ("2023/part.csv", "2024/part.csv")}


@pytest.mark.parametrize("again", ["in/w1.csv", "./in/w1.csv", "in", "in/deep"])
def test_a_file_that_is_named_twice_is_one_partition(
    again: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a pattern and by itself, in other words, by a folder and one that is below it: by its first name."""
    for name, first in (("in/w1.csv", 0), ("in/w2.csv", 10), ("in/deep/w3.csv", 20)):
        partition(place / name, first)
    words = ["--out", "out/", "--pipeline", "fast.yaml"]
    done = run(capsys, "extract", "in", "in/*.csv", again, *words)
    assert done.status == 0 and "3 partitions made, 0 there already; 15 documents" in done.err
    assert sorted(contents(place / "out")) == ["deep/w3.csv", "w1.csv", "w2.csv"]
    partition(place / "other/w1.csv", 30)
    done = run(capsys, "extract", "in/*.csv", "other/w1.csv", *words)
    assert done.status == 2 and "in/w1.csv and other/w1.csv would both be w1.csv" in done.err


def test_a_stop_list_that_is_edited_meanwhile_ends_the_command(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result under way is not kept; put back, the same command makes it and those after it."""
    for i in range(4):
        partition(place / f"in/{i}.csv", 10 * i)
    listed = place / "own.txt"
    (place / "fast.yaml").write_text(FAST.replace("stopwords: [en]", f"stopwords: [en, {listed}]"))
    listed.write_text("nodes\n")
    extract(capsys, "in/*.csv", out="fresh/")
    wrapped = _partition_task.extracted

    def meddling(*given: Any, **named: Any) -> Any:
        if named["done"] and "2.csv" in given[1].out:
            listed.write_text("neural\n")
        return wrapped(*given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(_partition_task, "extracted", meddling)
        done = extract(capsys, "in/*.csv")
    assert done.status == 2
    assert f"{listed}: has changed while the run was under way; run it again" in done.err
    assert sorted(contents(place / "out")) == ["0.csv", "1.csv"]
    listed.write_text("nodes\n")
    assert "2 partitions made, 2 there already" in extract(capsys, "in/*.csv").err
    assert contents(place / "out") == contents(place / "fresh")
