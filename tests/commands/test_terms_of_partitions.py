"""`kpframe terms` over a folder that `kpframe extract` wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import FAST, Outcome, run

from kpframe.files.sealing import sealed

HEAD = "id,text,g\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two partitions, whose documents have the same ids."""
    monkeypatch.chdir(tmp_path)
    Path("fast.yaml").write_text(FAST)
    Path("in").mkdir()
    Path("in/p.csv").write_text(HEAD + "1,kites,a\n2,pumps,b\n")
    Path("in/q.csv").write_text(HEAD + "1,kites,a\n2,fans,b\n")


def extract(capsys: pytest.CaptureFixture[str], source: str, *more: str) -> Outcome:
    """Make results in `out/`."""
    given = ["--pipeline", "fast.yaml", "--keep", "g", "--wide", *more]
    return run(capsys, "extract", "--input", source, "--out", "out/", *given)


def terms(capsys: pytest.CaptureFixture[str], table: str = "out") -> Outcome:
    """The command."""
    return run(capsys, "terms", table, "--by", "g")


@pytest.mark.parametrize("table", ["out", "out/", "out/*.csv"])
def test_equal_ids_of_partitions_are_several_documents(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were one, silently."""
    extract(capsys, "in")
    done = terms(capsys, table)
    assert (done.status, done.err) == (0, "") and done.out.count(": 2 documents") == 2


def test_what_no_manifest_calls_done_is_left_out_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Also what one calls done, and is gone."""
    extract(capsys, "in")
    Path("out/old.csv").write_text("id,g,keyphrase_1\n7,a,dust\n")
    done = terms(capsys)
    assert done.status == 1 and "dust" not in done.out
    assert "out: left out, since no manifest calls them done: old.csv" in done.err
    Path("out/old.csv").unlink()
    Path("out/q.csv").unlink()
    done = terms(capsys)
    assert done.status == 1 and "results are gone that manifests call done: q.csv" in done.err


def test_two_results_of_one_input_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """As of a run in another format; a pattern names those of one."""
    extract(capsys, "in")
    extract(capsys, "in", "--format", "jsonl")
    done = terms(capsys)
    assert done.status == 2 and "p.csv and p.jsonl are both results of in/p.csv" in done.err
    done = terms(capsys, "out/*.jsonl")
    assert (done.status, done.err) == (0, "")


def test_results_of_other_runs_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Of other inputs, and in another way."""
    extract(capsys, "in/p.csv")
    extract(capsys, "in/q.csv")
    done = terms(capsys)
    assert done.status == 0 and "1 of its results are of other inputs" in done.err
    extract(capsys, "in/q.csv", "--top", "3")
    done = terms(capsys)
    assert done.status == 1 and "made in 2 ways (pipeline, options): p.csv, q.csv" in done.err


def test_nothing_that_is_done_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Not an empty answer."""
    extract(capsys, "in")
    for manifest in Path("out/_manifest").glob("*.csv.json"):
        manifest.write_text("{")
    done = terms(capsys)
    assert done.status == 2 and "out: has no result that is done" in done.err


def test_a_result_that_is_not_as_it_was_made_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """It was read silently; named by itself it is read, and told."""
    extract(capsys, "in")
    Path("in/r.csv").write_text(HEAD + "1,lamps,a\n2,ropes,b\n")
    extract(capsys, "in")
    Path("out/q.csv").write_text(Path("out/q.csv").read_text().replace("fans", "dust"))
    for table in ("out", "out/*.csv"):
        done = terms(capsys, table)
        assert done.status == 1 and "dust" not in done.out and "lamps" in done.out
        assert f"{table}: left out, since they are not as they were made: q.csv" in done.err
    done = terms(capsys, "out/q.csv")
    assert done.status == 1 and "dust" in done.out and "out/q.csv: is not as it was made" in done.err


def test_results_that_were_copied_from_a_store_are_as_made(capsys: pytest.CaptureFixture[str]) -> None:
    """Their manifests have the checksum of the store, and that of the bytes."""
    extract(capsys, "in")
    for path in Path("out/_manifest").glob("*.csv.json"):
        known = json.loads(path.read_text())
        del known["checksum"]
        path.write_text(json.dumps(sealed({**known, "result": "ETag:0815"})))
    done = terms(capsys)
    assert (done.status, done.err) == (0, "")


def test_an_error_comes_behind_what_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """It told of a single group, and not that the other one was left out."""
    Path("in/q.csv").write_text(HEAD + "1,kites,c\n")
    Path("in/p.csv").write_text(HEAD + "1,kites,a\n")
    extract(capsys, "in")
    with Path("out/q.csv").open("a") as file:
        file.write("2,c,more\n")
    done = terms(capsys)
    assert done.status == 2 and "left out" in done.err and "one group (a)" in done.err
