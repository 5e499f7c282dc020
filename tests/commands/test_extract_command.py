"""`kpframe extract`: texts in, keyphrases out, in four formats."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from command_line import FAST, Outcome, run

TEXT = "Red kites soar. Red kites and grey herons."


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quick pipeline in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    Path("fast.yaml").write_text(FAST)


def extract(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    return run(capsys, "extract", "--pipeline", "fast.yaml", *arguments)


def typed(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Standard input holds these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


def test_a_text_gives_scores_and_phrases(capsys: pytest.CaptureFixture[str]) -> None:
    """One a line, best first, and nothing else."""
    assert extract(capsys, "--text", TEXT, "--top", "3") == (
        0,
        "2.0000  Red\n2.0000  Red kites\n2.0000  kites\n",
        "",
    )


def test_a_text_that_looks_like_a_file_is_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    """Also if a file of that name exists."""
    Path("paper.txt").write_text("green energy")
    result = extract(capsys, "--text", "paper.txt", "--format", "json")
    assert json.loads(result.out)["characters"] == 9
    assert "green" not in result.out


def test_a_file_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Its name without .txt is the id."""
    Path("paper.txt").write_text("green energy")
    assert extract(capsys, "--input", "paper.txt").out.splitlines()[0] == "# paper"


def test_files_are_named_without_an_option_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Before and after options, and beside those of --input, which come behind them."""
    for name in ("a", "b", "c"):
        Path(f"{name}.txt").write_text(f"The {name}pple tree.", encoding="utf-8")
    said = extract(capsys, "a.txt", "--top", "2", "b.txt", "--format", "csv", "--input", "c.txt")
    assert [line.split(",")[0] for line in said.out.splitlines()[1:]] == ["a", "a", "b", "b", "c", "c"]
    assert extract(capsys, "--input", "a.txt", "b.txt", "c.txt", "--top", "2", "--format", "csv") == said


def test_a_file_with_a_byte_order_mark_has_none_in_its_phrases(capsys: pytest.CaptureFixture[str]) -> None:
    """The mark is no character of the text."""
    Path("paper.txt").write_bytes(b"\xef\xbb\xbfgreen energy")
    (result,) = json.loads(extract(capsys, "--input", "paper.txt", "--format", "json").out)
    assert result["characters"] == 12
    assert result["keyphrases"][0]["text"] == "green"


def test_a_folder_is_read_in_natural_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Every .txt file below it."""
    for name in ("news/10.txt", "news/9.txt", "news/b/1.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("green energy")
    out = extract(capsys, "--input", "news", "--format", "jsonl").out
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["9", "10", "b/1"]


def test_standard_input_is_read(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """By `-`, as everywhere."""
    typed(monkeypatch, "grüne Energie".encode())
    (result,) = json.loads(extract(capsys, "--input", "-", "--format", "json").out)
    assert (result["id"], result["characters"]) == ("stdin", 13)


def test_jsonl_and_csv_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Told apart by the endings of their names."""
    Path("in.jsonl").write_text('{"id": "a", "text": "green energy"}\n{"id": "b", "text": "red kites"}\n')
    Path("in.csv").write_text("title,abstract\nx,green energy\ny,red kites\n")
    Path("in.tsv").write_text("title\tabstract\nx\tgreen energy\n")
    assert [
        [(r["id"], r["keyphrases"][0]["text"]) for r in map(json.loads, out.splitlines())]
        for out in (
            extract(capsys, "--format", "jsonl", "--input", "in.jsonl").out,
            extract(capsys, "--format", "jsonl", "--input", "in.csv", "--column", "abstract").out,
            extract(capsys, "--format", "jsonl", "--input", "in.tsv", "--column", "abstract").out,
        )
    ] == [
        [("a", "green"), ("b", "red")],
        [("in-2", "green"), ("in-3", "red")],
        [("in-2", "green")],
    ]


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_parses_back_and_spans_are_slices_of_the_text(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With ranks from 1."""
    result = json.loads(extract(capsys, "--text", TEXT, "--format", form).out)
    assert [k["rank"] for k in result["keyphrases"]] == list(range(1, len(result["keyphrases"]) + 1))
    assert result["keyphrases"][1] == {
        "text": "Red kites", "score": 2.0, "rank": 2, "key": "red kites", "spans": [[0, 9], [16, 25]],
    }  # fmt: skip
    assert TEXT[16:25] == "Red kites"


def test_csv_parses_back(capsys: pytest.CaptureFixture[str]) -> None:
    """One header, a row a keyphrase, whatever is in the text."""
    Path("in.jsonl").write_text(
        '{"id": "a,\\"b", "text": "green \\"energy\\", red"}\n{"id": "=1+1", "text": "herons"}\n'
    )
    rows = list(csv.DictReader(io.StringIO(extract(capsys, "--format", "csv", "--input", "in.jsonl").out)))
    assert list(rows[0]) == ["id", "rank", "text", "score", "key", "spans"]
    assert {row["id"] for row in rows} == {'a,"b', "'=1+1"}  # a spreadsheet would compute it
    assert (rows[0]["text"], float(rows[0]["score"]), rows[0]["spans"]) == ("green", 1.0, "0-5")


def test_text_in_several_documents_has_headings(capsys: pytest.CaptureFixture[str]) -> None:
    """A blank line between documents."""
    Path("in.jsonl").write_text('{"id": "a", "text": "green"}\n{"id": "b", "text": "red"}\n')
    assert extract(capsys, "--input", "in.jsonl").out == "# a\n1.0000  green\n\n# b\n1.0000  red\n"


@pytest.mark.parametrize(("top", "count"), [("1", 1), ("3", 3), ("50", 8)])
def test_top_is_an_upper_bound(top: str, count: int, capsys: pytest.CaptureFixture[str]) -> None:
    """50 of 8 phrases are 8."""
    assert len(extract(capsys, "--text", TEXT, "--top", top).out.splitlines()) == count


@pytest.mark.parametrize("text", ["", "  \n\t ", "the of and to", "- - -"])
def test_a_text_without_phrases_gives_none(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No output, a notice, status 0."""
    told = "no keyphrase in the text" if text.strip() else "the text is empty"
    assert extract(capsys, "--text", text) == (0, "", f"{told}\n")
    result = json.loads(extract(capsys, "--text", text, "--format", "json").out)
    assert result == {"id": "text", "characters": len(text), "keyphrases": []}


def test_a_parameter_can_be_set(capsys: pytest.CaptureFixture[str]) -> None:
    """As in all commands."""
    result = extract(capsys, "--text", TEXT, "--set", "candidates.max=1")
    assert "Red kites" not in result.out
    assert result.status == 0


def test_output_goes_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """Whole, and with nothing on the screen."""
    assert extract(capsys, "--text", TEXT, "--out", "new/out.json", "--format", "json")[:2] == (0, "")
    assert json.loads(Path("new/out.json").read_text())["id"] == "text"


def test_limit_takes_the_first_documents(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a corpus that may be endless."""
    Path("in.jsonl").write_text("".join(f'{{"id": "{i}", "text": "green"}}\n' for i in range(9)))
    out = extract(capsys, "--input", "in.jsonl", "--limit", "2", "--format", "jsonl").out
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["0", "1"]


def test_a_document_that_fails_loses_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    """It is shown, its result has the error, and the exit status is 1."""
    Path("in.jsonl").write_text(
        '{"id": "a", "text": "green"}\n'
        '{"id": "zh", "text": "机器学习是人工智能的一个分支。"}\n'
        '{"id": "b", "text": "red"}\n'
    )
    result = extract(capsys, "--input", "in.jsonl", "--format", "jsonl")
    records = [json.loads(line) for line in result.out.splitlines()]
    assert result.status == 1
    assert [(r["id"], len(r["keyphrases"]), "error" in r) for r in records] == [
        ("a", 1, False),
        ("zh", 0, True),
        ("b", 1, False),
    ]
    assert result.err.startswith("error: document 'zh': ")
    assert "without spaces between words" in result.err


def test_what_a_reader_skips_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With its line; the rest is used."""
    Path("in.jsonl").write_text('{"id": "a", "text": "green"}\nnot json\n')
    result = extract(capsys, "--input", "in.jsonl", "--format", "jsonl")
    assert result.status == 1
    assert result.err.startswith("skipped: in.jsonl:2: is not JSON")
    quiet = extract(capsys, "--input", "in.jsonl", "--quiet")
    assert quiet.status == 1
    assert quiet.err.startswith("error: skipped: in.jsonl:2: is not JSON")


def test_an_empty_input_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to extract from."""
    Path("in.jsonl").write_text("\n")
    assert extract(capsys, "--input", "in.jsonl") == (0, "", "the input holds no document\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--input", "no.txt"), "error: --input no.txt: 'no.txt' does not exist; correct the path\n"),
        (("no.txt",), "error: --input no.txt: 'no.txt' does not exist; correct the path\n"),
        (
            ("green energy",),
            "error: 'green energy': is no file; correct the path, or say --text for a text itself\n",
        ),
        (
            (),
            "error: extract: has no text; name files or folders, - for standard input, or --text\n",
        ),
        (
            ("--text", "x", "in.txt"),
            "error: --text: stands beside 'in.txt'; give a text or files, not both\n",
        ),
        (
            ("--input", "in.txt", "--encoding", "utf-99"),
            "error: --input in.txt: encoding: unknown text encoding 'utf-99'; did you mean 'utf-8'?\n",
        ),
        (
            ("--text", "x", "--set", "ranking.damping=3"),
            "error: --set ranking.damping=3: ranking.damping: unknown parameter; "
            "frequency takes: normalize, kind; 'damping' is a parameter of collabrank, cooccurrence, "
            "expandrank, multipartiterank, topicrank, …\n",
        ),
        (
            ("--text", "x", "--set", "candidates.max=0"),
            "error: --set candidates.max=0: candidates.max: must be at least 1 "
            "(given: 0); it means: Most tokens of an n-gram.\n",
        ),
    ],
)
def test_what_is_wrong_is_told_and_the_status_is_2(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Place, problem, remedy."""
    Path("in.txt").write_text("x")
    assert extract(capsys, *arguments) == (2, "", message)


def test_bytes_that_are_not_in_the_encoding_name_file_and_place(capsys: pytest.CaptureFixture[str]) -> None:
    """And the option that helps does help."""
    Path("in.txt").write_bytes("naïve café".encode("cp1252"))
    result = extract(capsys, "--input", "in.txt")
    assert result.status in (0, 2)
    assert "in.txt" in result.err
    assert "byte 2" in result.err
    assert "café" in extract(capsys, "--input", "in.txt", "--encoding", "cp1252").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--text", "x", "--top", "0"),
        ("--text", "x", "--top", "ten"),
        ("--text", "x", "--workers", "0"),
        ("--text", "x", "--format", "xml"),
    ],
)
def test_a_wrong_command_line_shows_how_it_is_used(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, as for any wrong input."""
    status, out, err = extract(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: kpframe extract")


def test_a_grid_is_no_pipeline(capsys: pytest.CaptureFixture[str]) -> None:
    """One configuration must be chosen."""
    result = run(capsys, "extract", "--text", "x", "--pipeline", "quickstart")
    assert result.status == 2
    assert result.err.startswith("error: quickstart: is a grid of 16 configurations (kea, textrank, ")


def test_a_ranking_that_learned_nothing_says_how_to_teach_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of ranking at random."""
    result = extract(capsys, "--text", "x", "--set", "ranking=kea")
    assert result.status == 2
    assert "kpframe train" in result.err
    assert "must learn from documents before it can rank" in result.err


def test_an_unknown_pipeline_is_told_with_those_that_are_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    """By name."""
    result = run(capsys, "extract", "--text", "x", "--pipeline", "textrnk")
    assert result.status == 2
    assert result.err == "error: spec 'textrnk': there is no such file; did you mean 'textrank'?\n"


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"format": "kpframe-model-0"}', "[" * 9999])
def test_a_file_that_is_no_model_is_refused(content: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever it holds."""
    Path("m.json").write_text(content)
    result = run(capsys, "extract", "--text", "x", "--pipeline", "m.json")
    assert result.status == 2
    assert result.err.startswith("error: m.json: is not ")


def test_a_text_that_is_not_utf_8_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The shell may hand over any bytes; Python then has half surrogate pairs."""
    result = extract(capsys, "--text", "caf\udce9 noir")
    assert result.status == 2
    assert result.err == (
        "error: --text: is not valid UTF-8 at character 3; convert it, or use --input FILE with --encoding\n"
    )


@pytest.mark.parametrize("words", [["-", "-"], ["--input", "-", "-"], ["-", "--input", "-"]])
def test_standard_input_is_read_once(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The second reading found nothing, which was a document without a text."""
    done = run(capsys, "extract", *words)
    assert done.status == 2 and "--input: is twice -, and standard input can be read once" in done.err


def test_longer_names_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where all is read again, to find the language of a text that does not show it."""
    for year in ("2023", "2024"):
        Path(year).mkdir()
        Path(year, "x.txt").write_text(TEXT)
    Path("2024/short.txt").write_text("xqz")
    done = extract(capsys, "2023", "2024", "--format", "jsonl")
    assert done.err.count("is called '2024/x'") == 1
