"""What `kpframe extract` tells of texts that are empty, cut or lists, and of kept columns; alike inputs."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from command_line import FAST, Outcome, run

CUT = '{"id": "1", "text": "red kites"}\n{"id": "2", "text": "her'
TOLD = "2: is not JSON (Unterminated string starting at character 21)"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quick pipeline."""
    monkeypatch.chdir(tmp_path)
    Path("fast.yaml").write_text(FAST)


def extract(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """With the quick pipeline."""
    return run(capsys, "extract", "--pipeline", "fast.yaml", *arguments)


def ids(lines: str) -> list[str]:
    """Of documents in JSON lines."""
    return [json.loads(line)["id"] for line in lines.splitlines()]


def test_an_empty_text_is_told_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    """It was told as one without a keyphrase."""
    Path("t.csv").write_text("id,text\n1,\n2,red kites\n3,of the\n")
    Path("in").mkdir()
    Path("in/t.csv").write_text(Path("t.csv").read_text())
    assert extract(capsys, "--text", " ").err == "the text is empty\n"
    assert extract(capsys, "--text", "of the").err == "no keyphrase in the text\n"
    assert extract(capsys, "t.csv").err == "no keyphrase in 2 of 3 documents; 1 of them has no text\n"
    counts = "3 documents, 3 keyphrases, 2 empty (1 without text)\n"
    assert extract(capsys, "t.csv", "--out", "k.csv").err == f"wrote k.csv: {counts}"
    for made in ("1 partition made, 0", "0 partitions made, 1"):
        assert extract(capsys, "in", "--out", "out/").err == f"wrote out/: {made} there already; {counts}"


@pytest.mark.parametrize("more", [[], ["--column", "text"], ["--id", "id"]])
@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "-"])
def test_a_cut_last_line_is_named_alike(
    more: list[str], name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By every reader of lines; what is whole is not lost."""
    Path("c.jsonl").write_text(CUT)
    Path("c.jsonl.gz").write_bytes(gzip.compress(CUT.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CUT.encode())))
    done = extract(capsys, name, *more, "--format", "jsonl")
    place = "standard input" if name == "-" else name
    assert (done.status, ids(done.out), done.err) == (1, ["1"], f"skipped: {place}:{TOLD}\n")


def test_a_cut_only_line_is_no_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of standard input, which has no name, its keyphrases were `text` and `id`."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "1", "text": "her')))
    done = extract(capsys, "-")
    assert (done.status, done.out) == (1, "") and "skipped: standard input:1: is not JSON" in done.err


def test_a_cut_last_line_counts_in_a_partition(capsys: pytest.CaptureFixture[str]) -> None:
    """And in statistics."""
    Path("in").mkdir()
    Path("in/c.jsonl").write_text(CUT)
    done = extract(capsys, "in", "--out", "out/")
    assert done.status == 1 and "1 document, 3 keyphrases, 1 skipped" in done.err and TOLD in done.err
    done = run(capsys, "data", "stats", "in/c.jsonl")
    assert done.status == 1 and TOLD in done.err


def test_kept_columns_keep_their_names_where_nothing_collides(capsys: pytest.CaptureFixture[str]) -> None:
    """`text`, `rank` and `score` are no names of an object's own; what is renamed is told once."""
    Path("in").mkdir()
    for name in ("a", "b"):
        Path(f"in/{name}.csv").write_text(f"id,text,rank,score,error\n{name},red kites,7,8,9\n")
    keep = ("--keep", "text,rank,score,error")
    done = extract(capsys, "in/a.csv", *keep, "--format", "jsonl")
    found = json.loads(done.out)
    assert [found[name] for name in ("text", "rank", "score", "kept_error")] == ["red kites", "7", "8", "9"]
    assert done.err.count("'error' is 'kept_error'") == 1 and "kept_text" not in done.err
    done = extract(capsys, "in", *keep, "--out", "out/")
    assert done.err.count("'text' is 'kept_text', 'rank' is 'kept_rank', 'score' is 'kept_score'\n") == 1
    wide = extract(capsys, "in/a.csv", *keep, "--wide", "--format", "csv")
    assert (wide.err, wide.out.partition(",keyphrase_1")[0]) == ("", "id,text,rank,score,error")


def test_lists_are_told_once_and_others_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Of strings they are tokens, by every reader of lines."""
    Path("l.jsonl").write_text('{"id": "1", "text": ["red", "kites"]}\n{"id": "2", "text": [1, 2]}\n')
    for more in ([], ["--id", "id"], ["--column", "text"]):
        done = extract(capsys, "l.jsonl", *more, "--format", "jsonl")
        assert (done.status, ids(done.out)) == (1, ["1"])
        assert done.err.count("column 'text' has lists: taken as tokens\n") == 1
        assert "skipped: l.jsonl:2: " in done.err


def test_lists_in_parquet_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where several partitions have them."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    Path("in").mkdir()
    for name in ("a", "b"):
        table = arrow.table({"id": [name], "text": [["red", "kites"]]})
        parquet.write_table(table, f"in/{name}.parquet")
    done = extract(capsys, "in", "--out", "out/")
    assert done.status == 0 and done.err.count("has lists: taken as tokens") == 1


@pytest.mark.parametrize("more", [[], ["--id", "id"], ["--keep", "keyword"]])
def test_titles_and_abstracts_are_joined_whatever_is_named_besides(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """With --id the abstract was read alone."""
    line = {"id": "1", "title": "Red kites", "abstract": "They soar.", "keyword": "kites", "language": "en"}
    Path("k.jsonl").write_text(json.dumps(line) + "\n")
    found = json.loads(extract(capsys, "k.jsonl", *more, "--format", "jsonl").out)
    assert found["characters"] == len("Red kites\n\nThey soar.")
    assert found.get("keyword") == ("kites" if "--keep" in more else None)


def test_a_column_that_lines_lack_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """As in other tables."""
    Path("k.jsonl").write_text('{"id": "1", "title": "Red kites"}\n')
    done = extract(capsys, "k.jsonl", "--id", "idd")
    assert done.status == 2 and "has no column 'idd'; did you mean 'id'?" in done.err


def test_tables_of_one_name_make_distinct_ids(capsys: pytest.CaptureFixture[str]) -> None:
    """In one file and in partitions the same ones, whatever their number of rows is."""
    Path("in").mkdir()
    Path("in/a.csv").write_text("text\nred kites\nherons\n")
    Path("in/a.tsv").write_text("text\nowls\n")
    Path("in/b.csv").write_text("text\nterns\n")
    whole = ["a.csv-2", "a.csv-3", "a.tsv-2", "b-2"]
    assert ids(extract(capsys, "in", "--format", "jsonl").out) == whole
    assert sorted(ids(extract(capsys, *map(str, Path("in").iterdir()), "--format", "jsonl").out)) == whole
    done = extract(capsys, "in", "--out", "out/", "--wide")
    made = [line.partition(",")[0] for one in sorted(Path("out").glob("a.?sv")) for line in one.open()]
    assert (done.status, [line.partition("\t")[0] for line in made]) == (
        0,
        ["id", *whole[:2], "id", "a.tsv-2"],
    )
    Path("in/a.tsv").unlink()
    assert "1 partition made, 1 there already" in extract(capsys, "in", "--out", "out/", "--wide").err
    assert "a-2," in Path("out/a.csv").read_text()


def test_a_named_column_of_ids_may_have_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """As those of other tables; a missing one is made of the line, and a list is none."""
    values = ("7.0", "null", '" x "', "[1]", "true")
    Path("k.jsonl").write_text("".join(f'{{"nr": {one}, "text": "red kites"}}\n' for one in values))
    done = extract(capsys, "k.jsonl", "--id", "nr", "--format", "jsonl")
    assert (done.status, ids(done.out)) == (1, ["7", "k-2", "x", "True"])
    assert done.err == "skipped: k.jsonl:4: the id is neither text nor number\n"


@pytest.mark.parametrize("more", [[], ["--id", "id"], ["--keep", "keyphrases"]])
def test_results_are_inputs_again(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Keyphrases in lines are no gold that is needed here, whatever they look like."""
    Path("k.jsonl").write_text(
        '{"id": "a", "text": "red kites", "keyphrases": [{"text": "x", "score": 1}]}\n'
    )
    done = extract(capsys, "k.jsonl", *more, "--format", "jsonl")
    assert (done.status, ids(done.out)) == (0, ["a"])
