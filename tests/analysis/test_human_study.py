"""Sheets for judges: what is drawn from runs, and files that survive spreadsheets."""

from __future__ import annotations

import csv
import hashlib
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe import Document, Gold
from kpframe.analysis.human_study import CATEGORIES, Item, draw, matchings
from kpframe.analysis.sheets import read_table, write_table
from kpframe.engine.experiment import Experiment
from kpframe.errors import DataError, SpecError
from kpframe.spec import build

SPEC = """\
name: {name}
documents: {{kind: jsonl, path: corpus.jsonl}}
preprocessing: [{cleaners}simple]
sweep:
  candidates:
    tokens: tokens
    bigrams: {{kind: ngrams, min: 2, max: 2}}
    again: {{kind: tokens, min_characters: 2}}
ranking: frequency
matching: exact
reports: [json]
"""
CORPUS = (
    Document(
        "birds",
        "A Kite, a KITE and two kites.\nThe grey heron saw them. White storks left.",
        gold=(Gold(("kites",)), Gold(("grey heron",)), Gold(("storks",)), Gold(("absent bird",))),
    ),
    Document("empty", ""),
)


def a_run(
    folder: Path, name: str = "birds", documents: Sequence[Document] = CORPUS, cleaners: str = ""
) -> Path:
    """A finished run with the cells tokens, bigrams and again (the same as tokens, but for letters)."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(document.to_json()) + "\n" for document in documents]
    (folder / "corpus.jsonl").write_text("".join(lines))
    (folder / "spec.yaml").write_text(SPEC.format(name=name, cleaners=cleaners))
    made = Experiment.load(folder / "spec.yaml").run(out=folder / "out", cache=folder / "cache")
    assert not made.failed
    return made.folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run over the two documents above; tests do not change it."""
    return a_run(tmp_path_factory.mktemp("study"))


def pairs(items: Sequence[Item]) -> set[tuple[str, str, str]]:
    """What would be judged."""
    return {(item.category, item.predicted, item.gold) for item in items}


def test_all_categories_are_found_though_the_run_matched_exactly(run: Path) -> None:
    """Kite is the number of kites, grey a part; stork or white storks hold no absent bird."""
    items = matchings([run])
    assert pairs(items) == {
        ("Morph", "Kite", "kites"),
        ("PartOf", "grey", "grey heron"),
        ("Includes", "two kites", "kites"),
        ("Includes", "White storks", "storks"),
    }
    assert {item.document for item in items} == {"birds"}
    assert [item.id for item in items] == sorted(item.id for item in items)
    assert all(item.id.isalpha() and item.id.islower() and len(item.id) == 12 for item in items)


def test_a_matching_of_several_cells_comes_once_and_names_them(run: Path) -> None:
    """And shows where the phrase stands, on one line."""
    by_phrase = {item.predicted: item for item in matchings([run])}
    assert by_phrase["Kite"].cells == ("birds/again", "birds/tokens")
    assert by_phrase["two kites"].cells == ("birds/bigrams",)
    context = "A Kite, a KITE and [two kites]. The grey heron saw them. White storks left."
    assert by_phrase["two kites"].context == context


def test_cells_may_be_chosen(run: Path) -> None:
    """By name; a name that no run has is an error, with the nearest that there is."""
    assert {item.category for item in matchings([run], cells=["bigrams"])} == {"Includes"}
    with pytest.raises(SpecError) as error:
        matchings([run], cells=["bigrams", "trigrams"])
    assert str(error.value) == ("--cell trigrams: is in none of the runs; did you mean 'bigrams'?")


@pytest.mark.slow
def test_runs_may_come_in_any_order_and_more_than_once(run: Path, tmp_path: Path) -> None:
    """A second run over the same texts adds its cells, another corpus its own matchings."""
    same = a_run(tmp_path / "same", "same")
    other = a_run(tmp_path / "other", "other", [Document("birds", "Red kite.", gold=(Gold(("kite",)),))])
    items = matchings([run, same, other])
    assert items == matchings([other, same, run]) == matchings([same, run, other, run])
    assert Counter(len(item.cells) for item in items) == {4: 2, 2: 2, 1: 1}
    assert {item.id for item in matchings([run])} < {item.id for item in items}
    assert draw(items, 1) == draw(matchings([other, run, same]), 1)


def test_the_run_is_only_read(run: Path, tmp_path: Path) -> None:
    """Not a byte changes."""
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    matchings([run])
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_the_context_comes_from_the_cleaned_text(tmp_path: Path) -> None:
    """As the spans do; long texts are cut between words."""
    text = f"<p>{'far ' * 60}<b>red</b> kites &amp; owls {'off ' * 60}</p>"
    out = a_run(tmp_path, documents=[Document("d", text, gold=(Gold(("kites",)),))], cleaners="html, ")
    (item,) = [item for item in matchings([out]) if item.predicted == "red kites"]
    assert item.context == f"…{'far ' * 24}[red kites] & owls {'off ' * 22}off…"


def test_the_variant_that_was_matched_is_shown(tmp_path: Path) -> None:
    """Of all variants of a gold keyphrase; the longest if several fit."""
    gold = Gold(("raptor", "kite", "red kite of Wales"))
    text = "Raptor. Red kite. Red kite of Wales."
    out = a_run(tmp_path, documents=[Document("d", text, gold=(gold,))])
    assert pairs(matchings([out], cells=["bigrams"])) == {("Includes", "Red kite", "kite")}
    parts = {item.gold for item in matchings([out]) if item.category == "PartOf"}
    assert parts <= {"red kite of Wales"}


def test_failed_documents_have_no_matchings(tmp_path: Path, run: Path) -> None:
    """Their lines hold an error in place of keyphrases."""
    copied = copied_run(run, tmp_path)
    rewrite(copied, "tokens", lambda record: {**record, "keyphrases": [], "error": "ranking: no"})
    assert ("PartOf", "grey", "grey heron") in pairs(matchings([copied]))
    assert matchings([copied], cells=["tokens"]) == []


def copied_run(run: Path, folder: Path) -> Path:
    """A copy that may be damaged, its corpus beside it."""
    shutil.copytree(run, folder / "copy")
    return folder / "copy"


def rewrite(run: Path, cell: str, change: Callable[[Any], Any]) -> None:
    """Change the lines of a cell and seal it anew."""
    path = run / "cells" / cell / "keyphrases.jsonl"
    lines = [
        json.dumps(change(json.loads(line)), separators=(",", ":")) + "\n"
        for line in path.read_text().splitlines()
    ]
    path.write_text("".join(lines))
    record = json.loads((path.parent / "cell.json").read_text())
    record["files"]["keyphrases.jsonl"] = hashlib.sha256(path.read_bytes()).hexdigest()
    content = {name: value for name, value in record.items() if name != "seal"}
    seal = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    (path.parent / "cell.json").write_text(json.dumps({**content, "seal": seal}))


def problem_of(run: Path) -> str:
    """What is wrong with a run."""
    with pytest.raises(DataError) as error:
        matchings([run])
    return str(error.value)


def test_only_finished_runs_are_taken(run: Path, tmp_path: Path) -> None:
    """No other folder, no run that was killed, none that is damaged."""
    assert problem_of(tmp_path) == (
        f"{tmp_path}: is not the folder of a run; give the folder that `kpframe run` wrote to"
    )
    copied = copied_run(run, tmp_path)
    (copied / ".work").mkdir()
    unfinished = f"{copied}: is not finished; let `kpframe run` go on to its end"
    assert problem_of(copied) == unfinished
    (copied / ".work").rmdir()
    cell = copied / "cells" / "bigrams"
    cell.rename(tmp_path / "away")
    assert problem_of(copied) == unfinished
    (tmp_path / "away").rename(cell)
    (cell / "keyphrases.jsonl").write_text("{}")
    changed = "is damaged or was changed after the run; run the experiment again"
    assert problem_of(copied) == f"{cell / 'keyphrases.jsonl'}: {changed}"
    (cell / "cell.json").unlink()
    assert problem_of(copied) == unfinished


def test_documents_that_are_gone_or_have_changed_are_told(tmp_path: Path) -> None:
    """The snippets would be those of other texts."""
    out = a_run(tmp_path)
    corpus = tmp_path / "corpus.jsonl"
    lines = corpus.read_text().splitlines(keepends=True)
    corpus.write_text(lines[1])
    assert problem_of(out) == f"{out}: 1 of its documents are not in the corpus, first 'birds'; run it again"
    shorter = Document("birds", "kites", gold=(Gold(("kites",)),))
    corpus.write_text(json.dumps(shorter.to_json()) + "\n" + lines[1])
    assert (
        problem_of(out)
        == f"{out}: the text or gold of document 'birds' has changed since the run; run it again"
    )


def test_a_run_whose_documents_came_from_a_program_is_refused(tmp_path: Path) -> None:
    """They cannot be read again."""
    chain = {"preprocessing": ["simple"], "candidates": "tokens", "ranking": "frequency"}
    spec = build({"name": "made", **chain}, purpose="check")
    folder = Experiment(spec).run(out=tmp_path / "out", cache=tmp_path / "cache", documents=CORPUS).folder
    assert problem_of(folder) == (
        f"{folder / 'resolved.yaml'}: names no documents; "
        "run a spec with `documents:`, and leave its corpus where it is"
    )


def synthetic(sizes: dict[str, int], documents: int = 10) -> list[Item]:
    """Items of one category a cell, `sizes` of them, spread over documents."""
    return [
        Item(f"{cell}-{i}", f"d{i % documents}", "", "p", "g", "Includes", (cell,))
        for cell, size in sizes.items()
        for i in range(size)
    ]


def test_a_sample_is_even_over_cells_and_documents() -> None:
    """As far as there are items: a small cell is used up, the others share the rest."""
    drawn = draw(synthetic({"a": 100, "b": 100, "c": 4}), 24)
    assert Counter(item.cells for item in drawn) == {("a",): 10, ("b",): 10, ("c",): 4}
    assert sorted(Counter(item.document for item in drawn).values()) == [2] * 6 + [3] * 4


def test_an_item_of_several_cells_counts_for_each() -> None:
    """So that the others get their turn."""
    shared = [Item(f"s{i}", f"d{i}", "", "p", "g", "Morph", ("a", "b")) for i in range(5)]
    alone = [Item(f"c{i}", f"d{i}", "", "p", "g", "Morph", ("c",)) for i in range(5)]
    assert Counter(item.cells for item in draw(shared + alone, 6)) == {("a", "b"): 3, ("c",): 3}


def test_categories_are_drawn_each_for_itself_and_mixed() -> None:
    """At most N of each; the order does not give the category away."""
    items = [
        Item(f"{category}{i}", f"d{i}", "", "p", "g", category, ("a",))
        for category in CATEGORIES.values()
        for i in range(30)
    ]
    drawn = draw(items, 20)
    assert Counter(item.category for item in drawn) == dict.fromkeys(CATEGORIES.values(), 20)
    assert [item.category for item in drawn] != sorted(item.category for item in drawn)
    assert sorted(draw(items, 31), key=lambda i: i.id) == sorted(items, key=lambda i: i.id)


@given(st.randoms(), st.integers(0, 40), st.integers(0, 5))
@pytest.mark.slow
def test_a_sample_depends_on_the_seed_and_the_set_of_items(
    chance: random.Random, count: int, seed: int
) -> None:
    """Not on their order; and no item comes twice."""
    items = synthetic({"a": 20, "b": 9, "c": 1}, 7)
    moved = chance.sample(items, len(items))
    drawn = draw(items, count, seed)
    assert draw(moved, count, seed) == drawn
    assert len({item.id for item in drawn}) == len(drawn) == min(count, 30)


def test_another_seed_draws_another_sample() -> None:
    """Of the same size."""
    items = synthetic({"a": 100})
    assert {item.id for item in draw(items, 20, 1)} != {item.id for item in draw(items, 20, 2)}


HOSTILE = [
    "=1+1",
    "+49",
    "-x",
    "@SUM(A1)",
    "'=quoted",
    "''=twice",
    "'plain",
    "\t=tab",
    "\r\n=line",
    "a;=HYPERLINK(1)",
    'say "=1"',
    "＝１",
    "1,-2",
    'quote " and ""two""',
    "semi;colon, comma\ttab",
    "two\nlines",
    "two\r\nlines",
    "naïve 🦅 emoji 👩‍🔬",
    "עיבוד שפה טבעית",
    "معالجة اللغة",
    "\ufeffmark",
    " blanks ",
    "",
]


def test_hostile_phrases_come_back_as_they_went(tmp_path: Path) -> None:
    """Quotes, delimiters, line ends, formulas, emoji, right to left."""
    path = tmp_path / "sheet.csv"
    write_table(path, ("item", "phrase"), [(f"i{i}", phrase) for i, phrase in enumerate(HOSTILE)])
    table = read_table(path, ("item", "phrase"))
    assert [row["phrase"] for _, row in table.rows] == HOSTILE


@settings(deadline=None)
@given(st.lists(st.text() | st.text("=+-@'\"\t\r\n;,ab＝"), min_size=1, max_size=4))
@pytest.mark.slow
def test_any_phrase_comes_back_as_it_went(
    tmp_path_factory: pytest.TempPathFactory, phrases: list[str]
) -> None:
    """Whatever is put before a formula is taken off again, and nothing else is."""
    path = tmp_path_factory.mktemp("round") / "sheet.csv"
    write_table(path, ("item", "phrase"), [("i", phrase) for phrase in phrases])
    assert [row["phrase"] for _, row in read_table(path).rows] == phrases


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_field_is_a_formula_whatever_parts_the_fields(tmp_path: Path, delimiter: str) -> None:
    """Spreadsheets of other countries part them at semicolons."""
    path = tmp_path / "sheet.csv"
    write_table(path, ("item", "phrase"), [("i", phrase) for phrase in HOSTILE])
    text = path.read_text(encoding="utf-8-sig")
    with path.open(encoding="utf-8-sig", newline="") as file:
        fields = [field for row in csv.reader(file, delimiter=delimiter) for field in row]
    fields += [field for line in text.splitlines() for field in line.replace('"', "").split(delimiter)]
    assert not [field for field in fields if field.startswith(tuple("=+-@＝＋－＠"))]


def test_a_sheet_is_what_spreadsheets_read(tmp_path: Path) -> None:
    """A byte order mark, CRLF, and quotes only where they are needed."""
    path = tmp_path / "sheet.csv"
    write_table(path, ("item", "phrase"), [("i", "é"), ("j", "=1")])
    assert path.read_bytes() == b"\xef\xbb\xbfitem,phrase\r\ni,\xc3\xa9\r\nj,'=1\r\n"


def test_a_sheet_is_never_written_over(tmp_path: Path) -> None:
    """It may hold somebody's work."""
    path = tmp_path / "sheet.csv"
    path.write_text("work")
    with pytest.raises(DataError) as error:
        write_table(path, ("item",), [])
    assert str(error.value) == f"{path}: exists already; choose another --out, or remove it"
    assert path.read_text() == "work"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_sheets_are_read_as_spreadsheets_save_them(
    tmp_path: Path, delimiter: str, end: str, encoding: str
) -> None:
    """Empty rows are skipped; fields that are missing at the end are empty."""
    lines = ["item, predicted ,judgement", 'x,"red, kite; ""a""\tb",yes', ",,", "", "y,owl"]
    quoted = lines[1].split(",", 1)[0] + delimiter + lines[1][2:-4] + delimiter + "yes"
    content = [line.replace(",", delimiter) for line in lines]
    content[1] = quoted
    path = tmp_path / "t.csv"
    path.write_bytes((end.join(content) + end).encode(encoding))
    table = read_table(path, ("item", "judgement"))
    assert table.columns == ("item", "predicted", "judgement")
    assert [(line, dict(row)) for line, row in table.rows] == [
        (2, {"item": "x", "predicted": 'red, kite; "a"\tb', "judgement": "yes"}),
        (5, {"item": "y", "predicted": "owl", "judgement": ""}),
    ]


def test_the_line_of_a_row_is_where_it_begins(tmp_path: Path) -> None:
    """After a field with line breaks too."""
    path = tmp_path / "t.csv"
    path.write_text('item,text\na,"one\ntwo\nthree"\nb,x\n')
    assert [line for line, _ in read_table(path).rows] == [2, 5]


def test_the_needed_columns_decide_what_parts_a_header(tmp_path: Path) -> None:
    """Where names hold other delimiters."""
    path = tmp_path / "t.csv"
    path.write_text("item;kmr(a=1,b=2);judgement\nx;0.5;yes\n")
    assert read_table(path, ("item", "judgement")).columns == ("item", "kmr(a=1,b=2)", "judgement")
    with pytest.raises(DataError) as error:
        read_table(path)
    assert str(error.value) == (
        f"{path}:1: the header can be parted by , and ;; put names that hold one in quotes"
    )
    path.write_text('"item","f1;a"\nx,1\n')
    assert read_table(path).columns == ("item", "f1;a")


def test_a_single_column_needs_no_delimiter(tmp_path: Path) -> None:
    """The header is the name."""
    path = tmp_path / "t.csv"
    path.write_text("item\nx\n")
    assert [dict(row) for _, row in read_table(path, ("item",)).rows] == [{"item": "x"}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ":1: has no header; begin with the names of the columns"),
        (b"\xef\xbb\xbf\r\nitem\r\n", ":1: has no header; begin with the names of the columns"),
        (b"id,judgement\n", ":1: no column 'item'; the columns are: 'id', 'judgement'"),
        (b"item;item\n", ":1: more than one column 'item'; the columns are: 'item', 'item'"),
        (
            b"item,judgement\nx,yes\ny,no,maybe\n",
            ":3: has 3 fields, the header 2; put fields that hold the delimiter in quotes",
        ),
        (
            b'item,judgement\nx,"yes\ny,no\n',
            ":2: is no row of CSV (unexpected end of data; read to line 3): a quote is not closed, or not "
            "doubled within a text, and takes lines 2 to 3; check the quotes",
        ),
        (
            b'item,judgement\nx,"a" b\n',
            ":2: is no row of CSV (',' expected after '\"'; read to line 2); check the quotes",
        ),
        (b"item,judgement\nx,\xe9\n", ":2: byte 17 is not utf-8; save the sheet as `CSV UTF-8`"),
    ],
)
def test_files_that_are_no_sheets(tmp_path: Path, content: bytes, message: str) -> None:
    """Told with the line and a remedy."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        read_table(path, ("item",))
    assert str(error.value) == f"{path}{message}"


def test_a_sheet_that_is_not_there(tmp_path: Path) -> None:
    """Told by its path."""
    with pytest.raises(DataError, match=r"none\.csv: cannot be read \(.+\); check the path"):
        read_table(tmp_path / "none.csv")
