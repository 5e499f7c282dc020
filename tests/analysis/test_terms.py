"""What is said in which group of documents."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from kpframe.analysis.terms import distinctive_terms, keyphrases_of_table, terms_of_table
from kpframe.arguments import ArgumentError
from kpframe.errors import DataError
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.writing import writing_table


def rows(*counts: tuple[str, str, int, int]) -> list[tuple[str, str, str, str]]:
    """(group, term, documents with it, documents) as rows."""
    return [
        (group, f"{group}{i}", term if i < having else "", term.title())
        for group, term, having, size in counts
        for i in range(size)
    ]


def test_the_log_likelihood_is_that_of_four_counts() -> None:
    """Worked by hand: 8 of 10 against 2 of 10; G² = 2 Σ O ln(O/E) with E = 5 each."""
    found = distinctive_terms(rows(("a", "pump", 8, 10), ("b", "pump", 2, 10)))
    expected = 4 * (8 * math.log(8 / 5) + 2 * math.log(2 / 5))
    assert [(t.group, t.term, t.frequency, t.documents) for t in found] == [
        ("a", "Pump", 8, 10),
        ("b", "Pump", 2, 10),
    ]
    assert found[0].log_likelihood == pytest.approx(expected) == pytest.approx(7.7096, abs=1e-3)
    assert found[1].log_likelihood == pytest.approx(-expected)
    assert (found[0].share, found[0].rest, found[0].tfidf) == (0.8, 0.2, 0.0)
    assert found[0].p == pytest.approx(2 * 0.005493, rel=1e-3)  # chi-square tables, times two tests


def test_a_document_counts_a_term_once() -> None:
    """However often and however written."""
    twice = [("a", "1", "pump", "pump"), ("a", "1", "pump", "Pump"), ("b", "2", "", "")]
    (term,) = distinctive_terms(twice)
    assert (term.frequency, term.documents, term.tfidf) == (1, 1, pytest.approx(math.log(2)))


def test_groups_come_in_natural_order_and_missing_values_are_one() -> None:
    """2 before 10; a whole number is written as one."""
    given = [(group, str(i), f"t{i}", f"t{i}") for i, group in enumerate([10.0, 2.0, None, float("nan")])]
    assert list(dict.fromkeys(t.group for t in distinctive_terms(given))) == ["2", "10", "(none)"]


@pytest.mark.parametrize("order", ["frequency", "tfidf", "log_likelihood"])
def test_the_order_is_that_asked_for(order: str) -> None:
    """Ties by frequency, then by the term itself."""
    given = rows(("a", "common", 9, 9), ("a", "own", 4, 9), ("b", "common", 9, 9), ("b", "other", 1, 9))
    first = distinctive_terms(given, top=1, order=order)[0].term  # type: ignore[arg-type]
    assert first == ("Common" if order == "frequency" else "Own")


@pytest.mark.parametrize("wrong", [{"order": "x"}, {"top": 0}, {"top": -1}, {"top": "2"}])
def test_wrong_arguments_are_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    """Before anything is read: -1 left out the last term, silently."""
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        terms_of_table(str(tmp_path / "none.csv"), "g", **wrong)
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        distinctive_terms(rows(("a", "x", 1, 1), ("b", "y", 1, 1)), **wrong)


def test_one_group_is_nothing_to_compare() -> None:
    """Told with the group."""
    with pytest.raises(DataError, match=r"one group \(a\)"):
        distinctive_terms([("a", "1", "x", "x")])


def test_wide_and_long_tables_say_the_same(tmp_path: Path) -> None:
    """Lists, columns and rows; a document without keyphrases counts where it has a row."""
    long, wide, flat = (str(tmp_path / name) for name in ("l.jsonl", "w.jsonl", "f.csv"))
    with writing_table(long, ["id", "g", "rank", "text", "key"]) as writer:
        writer.write(
            {"id": ["1", "2"], "g": ["a", "b"], "rank": [1, 1], "text": ["X", "Y"], "key": ["x", "y"]}
        )
    with writing_table(wide, ["id", "g", "keyphrases"]) as writer:
        writer.write({"id": ["1", "2"], "g": ["a", "b"], "keyphrases": [["X"], ["Y"]]})
    with writing_table(flat, ["id", "g", "keyphrase_1", "keyphrase_2"]) as writer:
        writer.write(
            {"id": ["1", "2"], "g": ["a", "b"], "keyphrase_1": ["X", "Y"], "keyphrase_2": ["", None]}
        )
    assert terms_of_table(long, "g") == terms_of_table(wide, "g") == terms_of_table(flat, "g")


OWN = {"rank": 1, "text": "red", "score": 1.0, "key": "red", "spans": ""}


@pytest.mark.parametrize(
    "row",
    [
        {"keyphrase_type": "blue", "keyphrase_1": "red"},
        {"keyphrase_type": "blue", "keyphrases": ["red"]},
        {"keyphrases": "blue", "keyphrase_1": "red", "keyphrase_2": None},
        {"text": "blue", "rank": 3, "keyphrases": ["red"]},
        {"text": "blue", "rank": 3, "keyphrase_1": "red"},
        {"keyphrases": "blue", "keyphrase_1": "blue", **OWN},
    ],
)
def test_only_what_extract_found_is_a_keyphrase(row: dict[str, object], tmp_path: Path) -> None:
    """Never what was kept, whatever it is called."""
    path = str(tmp_path / "t.jsonl")
    with writing_table(path, ["id", "g", *row]) as writer:
        both = {name: [value, value] for name, value in row.items()}
        writer.write({"id": ["1", "2"], "g": ["a", "b"], **both})
    assert [(t.group, t.term, t.frequency) for t in terms_of_table(path, "g")] == [
        ("a", "red", 1),
        ("b", "red", 1),
    ]


def test_terms_of_partitions_are_those_of_one_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Of a folder or a pattern, with ids under any name; what the tables lack is told once."""
    columns = ["doc", "rank", "text", "stars"]
    rows = [("a", 1, "red", "1"), ("b", 1, "blue", "2"), ("b", 2, "red", "2"), ("c", 1, "blue", "2")]
    for name, some in (("whole/t", rows), ("parts/0", rows[:2]), ("parts/1", rows[2:])):
        path = tmp_path / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        with writing_table(str(path), columns) as writer:
            writer.write(dict(zip(columns, map(list, zip(*some, strict=True)), strict=True)))
    whole = terms_of_table(str(tmp_path / "whole/t.csv"), "stars", id="doc")
    caplog.clear()
    for parts in ("parts", "parts/*.csv"):
        assert terms_of_table(str(tmp_path / parts), "stars", id="doc") == whole
        assert [record.getMessage() for record in caplog.records[-1:]] == [
            f"{tmp_path / parts}: 1 id in several tables, each taken for one document: 'b'"
        ]
    assert len(caplog.records) == 4 and {(t.group, t.documents) for t in whole} == {("1", 1), ("2", 2)}
    with pytest.raises(DataError, match="has no table"):
        terms_of_table(str(tmp_path / "none/*.csv"), "stars")


def test_a_table_that_lacks_documents_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A row a keyphrase: documents without one are in no group, and shares are too high."""
    long, wide = tmp_path / "long.csv", tmp_path / "wide.csv"
    long.write_text("id,stars,rank,text\na,1,1,pump\nb,2,1,battery\n")
    wide.write_text('id,stars,keyphrases\na,1,"[""pump""]"\nb,2,"[""battery""]"\nc,2,[]\n')
    assert {term.group: term.documents for term in terms_of_table(str(wide), "stars")} == {"1": 1, "2": 2}
    assert not caplog.records
    assert {term.group: term.documents for term in terms_of_table(str(long), "stars")} == {"1": 1, "2": 1}
    assert "documents without one are not in it" in caplog.text


def test_what_cannot_be_read_of_a_folder_is_told(tmp_path: Path) -> None:
    """The terms are those of the rest."""
    (tmp_path / "t.csv").write_text("id,g,keyphrase_1\n1,a,nets\n2,b,kites\n")
    (tmp_path / "l.csv").symlink_to(tmp_path / "t.csv")
    lines: list[str] = []
    assert terms_of_table(str(tmp_path), "g", lacks=lines.append)
    assert [line.partition("l.csv")[2] for line in lines] == [": is a link; only files themselves are read"]


SKIPS = {
    "short.csv": ("1,a,cat,dog\n2,b,cow,\n3,a,cat\n4,a\n", ":4: has 3 fields, the header 4 (and 1 row more)"),
    "long.csv": ("1,a,cat,dog\n2,b,cow,\n3,b,c,d,e\n", ":4: has 5 fields, the header 4"),
    "cut.csv": ('1,a,cat,dog\n2,b,cow,\n3,a,"ca', ":4: is no row of CSV"),
    "tabs.tsv": ("1,a,cat,dog\n2,b,cow,\n3,a\n", ":4: has 2 fields, the header 4"),
    "id.csv": ("1,a,cat,dog\n2,b,cow,\n,b,cow,\n", ":4: has no id"),
}


@pytest.mark.parametrize("name", SKIPS)
def test_rows_that_are_none_are_told(name: str, tmp_path: Path) -> None:
    """The place of the first and the number of the others; they were lost silently."""
    content, reason = SKIPS[name]
    path = tmp_path / name
    text = f"id,g,keyphrase_1,keyphrase_2\n{content}"
    path.write_text(text.replace(",", "\t") if name.endswith(".tsv") else text)
    lines: list[str] = []
    found = terms_of_table(str(path), "g", lacks=lines.append)
    assert {term.group: term.documents for term in found} == {"a": 1, "b": 1}
    assert len(lines) == 1 and lines[0].startswith(f"skipped: {path}{reason}")


def test_rows_of_long_tables_that_are_none_are_told_once_for_all_tables(tmp_path: Path) -> None:
    """Before the error too that there is nothing to compare."""
    for name in "pq":
        (tmp_path / f"{name}.csv").write_text(f"id,g,rank,text\n{name},a,1,cat\n{name}2,b,1\n")
    lines: list[str] = []
    with pytest.raises(DataError, match="one group"):
        terms_of_table(str(tmp_path), "g", lacks=lines.append)
    assert lines == [f"skipped: {tmp_path}/p.csv:3: has 3 fields, the header 4 (and 1 row more)"]


def test_lines_that_are_no_objects_are_told(tmp_path: Path) -> None:
    """Lists, anything else, and what is cut, also within an object."""
    path = tmp_path / "t.jsonl"
    good = (
        '{"id": 1, "g": "a", "keyphrases": ["cat"]}\n{"id": 2, "g": "b", "keyphrases": [{"text": "cow"}]}\n'
    )
    bad = '{"id": 3, "g": "a", "keyphrases": [["cat"]]}\n[1]\ngarbage\n{"id": 4, "g": "b", "keyph'
    path.write_text(good + bad)
    lines: list[str] = []
    assert len(terms_of_table(str(path), "g", lacks=lines.append)) == 2
    assert lines == [f"skipped: {path}:3: has a keyphrase without a text (and 3 rows more)"]


def test_numbers_are_keyphrases_and_no_key_is_none(tmp_path: Path) -> None:
    """They ended in a traceback, and a row without a key had the key None."""
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"id": 1, "g": "a", "keyphrases": [2020, "[1]"]}\n{"id": 2, "g": "b", "keyphrases": null}\n'
    )
    assert {term.term for term in terms_of_table(str(path), "g")} == {"2020", "[1]"}
    long = '{"id": %d, "g": "%s", "rank": 1, "text": "%s", "key": null}\n'
    path.write_text(long % (1, "a", "Cats") + long % (2, "b", "Dogs"))
    assert {term.term for term in terms_of_table(str(path), "g")} == {"Cats", "Dogs"}


@pytest.mark.parametrize(
    ("head", "row"), [("keyphrase_1,keyphrase_2", "cat,"), ("rank,text", "1,cat"), ("text,rank", "cat,1")]
)
def test_an_id_twice_in_one_table_is_told(head: str, row: str, tmp_path: Path) -> None:
    """As across tables."""
    path = tmp_path / "t.csv"
    path.write_text(f"id,g,{head}\n1,a,{row}\n1,a,{row}\n1,b,{row}\n2,b,{row}\n")
    lines: list[str] = []
    found = terms_of_table(str(path), "g", lacks=lines.append)
    assert {term.group: term.documents for term in found} == {"a": 1, "b": 2}
    assert lines == [f"{path}: 1 id more than once in a table, each taken for one document: '1'"]
    path.write_text("id,g,rank,text\n1,a,2,cow\n1,a,1,cat\n2,b,1,cat\n2,b,2,cow\n")
    lines.clear()
    assert terms_of_table(str(path), "g", lacks=lines.append) and not lines


def test_keyphrases_of_a_table_tells_rows_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where nobody collects them."""
    path = tmp_path / "t.csv"
    path.write_text("id,g,keyphrase_1\n1,a,cat\n2,b\n")
    with open_table(str(path)) as table:
        assert list(keyphrases_of_table(table, "g")) == [("a", "1", "", ""), ("a", "1", "cat", "cat")]
    assert caplog.messages == [f"skipped: {path}:3: has 2 fields, the header 3"]
