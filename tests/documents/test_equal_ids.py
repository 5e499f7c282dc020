"""Several inputs whose documents have equal ids: nothing is lost without a word, and no two have one id."""

from __future__ import annotations

import gzip
import logging
import os
import zipfile
from pathlib import Path

import pytest
from corpus_files import folder_with, parted, zipped

from kpframe.cli import main
from kpframe.documents._distinct import named_by_file
from kpframe.documents.files import Files
from kpframe.documents.text import Text


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With texts of two years, whose files have the same names."""
    monkeypatch.chdir(tmp_path)
    for year in ("2023", "2024"):
        for name in ("a.txt", "b.txt", "deep/a.txt"):
            path = Path(year, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{year} {name}")
        Path(year, "rows.csv").write_text(f"text\n{year} first\n{year} second\n")


def ids(*paths: str) -> dict[str, str]:
    """The documents by id, of which none may be left out."""
    documents, skipped = parted(Files(path=paths))
    assert skipped == []
    assert len({one.id for one in documents}) == len(documents)
    return {one.id: one.text for one in documents}


def test_files_and_folders_are_told_apart_by_their_folders() -> None:
    """As many folders as are needed, also through several inputs."""
    assert ids("2023/a.txt", "2024/a.txt") == {"a": "2023 a.txt", "2024/a": "2024 a.txt"}
    assert ids("2023/a.txt", "2023/b.txt") == {"a": "2023 a.txt", "b": "2023 b.txt"}
    for year in ("2023", "2024"):
        Path(year, "rows.csv").unlink()
    assert ids("2023", "2024").keys() == {"a", "b", "deep/a", "2024/a", "2024/b", "2024/deep/a"}
    assert ids("2023/a.txt", "2023/deep/a.txt", "2024/deep/a.txt").keys() == {"a", "deep/a", "2024/deep/a"}


def test_rows_and_lines_without_ids_are_told_apart_alike() -> None:
    """Their ids are made of the file's name and a number."""
    found = ids("2023/rows.csv", "2024/rows.csv")
    assert found == {
        "rows-2": "2023 first", "rows-3": "2023 second",
        "2024/rows-2": "2024 first", "2024/rows-3": "2024 second",
    }  # fmt: skip
    documents, _ = parted(Text(path="2023", unit="line"))
    assert {one.id for one in documents} >= {"a-1", "deep/a-1"}


def test_members_of_archives_are_told_apart() -> None:
    """By the name of the archive."""
    for year in ("2023", "2024"):
        with zipfile.ZipFile(f"{year}.zip", "w") as packed:
            packed.writestr("a.txt", year)
            packed.writestr("b.txt", year)
    assert ids("2023.zip", "2024.zip").keys() == {"a", "b", "2024.zip/a", "2024.zip/b"}


def test_a_file_that_is_read_twice_is_left_out_once() -> None:
    """By whatever path."""
    for again in ("2023/a.txt", "./2023/a.txt", os.path.abspath("2023/a.txt")):
        documents, (skipped,) = parted(Files(path=("2023/a.txt", again)))
        assert [one.id for one in documents] == ["a"]
        assert skipped.reason == "the id 'a' is already that of 2023/a.txt"


def test_files_that_differ_in_their_endings_keep_them() -> None:
    """In a folder, an archive and by themselves: all but one were lost. Others have names as always."""
    texts = {"p.html": "<p>page", "p.txt": "text", "p.md": "mark", "q.txt": "alone", "p.csv": "text\nrow\n"}
    folder_with(Path("st"), texts)
    Path("st.zip").write_bytes(zipped(texts))
    expected = {"p.html": "page", "p.txt": "text", "p.md": "mark", "q": "alone"}
    for path in ("st", "st.zip"):
        documents, skipped = parted(Text(path=path))
        assert {one.id: one.text for one in documents} == expected
        assert [told.place for told in skipped] == [f"{path}/p.csv"]
    given = [str(path) for path in sorted(Path("st").iterdir())]
    assert ids(*given) == {**expected, "p-2": "row"}
    assert ids("st/p.html", "st/q.txt") == {"p": "page", "q": "alone"}
    folder_with(Path("deep/st"), texts)
    documents, _ = parted(Files(path=("deep", "st/p.txt")))
    assert {one.id for one in documents} == {"st/p.html", "st/p.txt", "st/p.md", "st/q", "p"}


def test_endings_are_kept_where_folders_say_no_more() -> None:
    """Rows of tables, lines of texts, and packed files of one name."""
    for name in ("t.csv", "t.tsv"):
        Path(name).write_text(f"text\n{name}\n")
    assert ids("t.csv", "t.tsv") == {"t.csv-2": "t.csv", "t.tsv-2": "t.tsv"}
    folder_with(
        Path("st"),
        {"p.txt": "one\ntwo", "p.md": "one", "q.txt": "plain", "q.txt.gz": gzip.compress(b"packed")},
    )
    documents, skipped = parted(Text(path="st", unit="line"))
    assert ([one.id for one in documents], skipped) == (
        ["p.txt-1", "p.txt-2", "p.md-1", "q.txt-1", "q.txt.gz-1"], [],
    )  # fmt: skip


def test_longer_names_are_told(caplog: pytest.LogCaptureFixture) -> None:
    """The first three, and how many more."""
    caplog.set_level(logging.INFO)
    for i in range(6):
        Path("2023", f"x{i}.txt").write_text("x")
        Path("2024", f"x{i}.txt").write_text("x")
    ids(*(f"{year}/x{i}.txt" for year in ("2023", "2024") for i in range(6)))
    assert caplog.messages == [
        "2024/x0.txt: is called '2024/x0', since 'x0' is 2023/x0.txt",
        "2024/x1.txt: is called '2024/x1', since 'x1' is 2023/x1.txt",
        "2024/x2.txt: is called '2024/x2', since 'x2' is 2023/x2.txt",
        "3 more have their folders in their ids, since others have their names",
    ]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_tables_that_begin_with_one_id_are_refused_before_anything_is_read(
    ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids that are hers are not changed, and a table that would be lost whole is no notice."""
    lines = {"csv": "id,text\n1,red {0}\n2,kites\n", "tsv": "id\ttext\n1\tred {0}\n2\tkites\n"}
    content = lines.get(ending, '{{"id": 1, "text": "red {0}"}}\n')
    for name in ("jan", "feb"):
        Path(f"{name}.{ending}").write_text(content.format(name))
    words = ["extract", "--pipeline", "any-language", "--out", "k.jsonl", "--input"]
    assert main([*words, f"jan.{ending}", f"feb.{ending}"]) == 2
    assert capsys.readouterr().err.endswith(
        f"'feb.{ending}' begins with the id '1', as 'jan.{ending}' does; name a column that tells them apart "
        "by --id, or read each by itself\n"
    )
    assert not Path("k.jsonl").exists()


@pytest.mark.slow
def test_single_rows_with_an_id_of_another_table_are_left_out_and_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The exit status says so."""
    Path("jan.csv").write_text("id,text\n1,red kites\n2,owls\n")
    Path("feb.csv").write_text("id,text\n3,red kites\n2,herons\n")
    words = ["extract", "--pipeline", "any-language", "--out", "k.jsonl", "--input", "jan.csv", "feb.csv"]
    assert main(words) == 1
    told = capsys.readouterr().err
    assert "skipped: feb.csv:3: the id '2' is already that of jan.csv:3\n" in told
    assert "3 documents" in told and "1 skipped" in told


@pytest.mark.parametrize(
    ("place", "id", "made"),
    [
        ("x/a.txt", "a", ("x/a", "")),
        ("x/y/a.txt", "y/a", ("x/y/a", "")),
        ("a.txt", "a", ("a", "")),
        ("x/a.csv:7", "a-7", ("x/a", "-7")),
        ("x/a.csv.gz:7", "a-7", ("x/a", "-7")),
        ("x/a.ndjson:7", "a.ndjson-7", ("x/a.ndjson", "-7")),
        ("x/a.csv:7", "7", None),
        ("x/a.csv:7", "a-8", None),
        ("x/ba.txt", "a", None),
        ("standard input:3", "stdin-3", None),
        ("s3://bucket/x/a.txt", "a", ("s3://bucket/x/a", "")),
    ],
)
def test_whether_an_id_is_that_of_a_file(place: str, id: str, made: tuple[str, str] | None) -> None:
    """Worked by hand."""
    assert named_by_file(place, id) == made
