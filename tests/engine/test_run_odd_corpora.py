"""Corpora without gold, without documents, or with ids and texts that nobody expects."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_runs import GRID, SINGLE, TWO, corpus, experiment, lines, outcome, run

from kpframe import DataError, Document, Gold
from kpframe.runs.cell_writer import CellWriter

pytestmark = pytest.mark.slow


def test_documents_without_gold_are_extracted_but_in_no_average(tmp_path: Path) -> None:
    """They are counted, and told."""
    documents = [
        *corpus(3),
        Document("none", "alpha beta gamma"),
        Document("absent", "x y", gold=(Gold(("z",)),)),
    ]
    made = run(tmp_path, SINGLE, documents)
    scores = made.summary.cells[0].scores
    assert {score.matching for score in scores} == {"exact", "approximate"}
    assert {(score.documents, score.skipped) for score in scores} == {(3, 2)}
    assert lines(made.folder, "single")["none"]["keyphrases"]
    assert (
        "2 evaluated documents have no gold keyphrase left, and no place in an average" in made.summary.notes
    )


def test_a_corpus_without_any_gold_has_no_score(tmp_path: Path) -> None:
    """No number is better than a wrong one."""
    made = run(tmp_path, TWO, [Document("a", "alpha beta"), Document("b", "gamma")])
    shown = [(score.matching, score.value) for cell in made.summary.cells for score in cell.scores]
    assert sorted(shown) == [("approximate", None)] * 4 + [("exact", None)] * 4


@pytest.mark.parametrize(
    ("count", "skipped", "split", "told"),
    [
        (0, 0, "", "read: 0 documents, skipped: 0 things"),
        (0, 2, "", "read: 0 documents, skipped: 2 things"),
        (1, 0, "split: {train: 2/3}\n", "read: 1 document, skipped: 0 things"),
    ],
)
def test_nothing_to_evaluate_is_told(tmp_path: Path, count: int, skipped: int, split: str, told: str) -> None:
    """An empty corpus, one that was skipped as a whole, and one that the split uses up."""
    made = experiment(tmp_path, f"{SINGLE}{split}", corpus(count))
    with (tmp_path / "corpus.jsonl").open("a") as file:
        file.write("{\n" * skipped)
    with pytest.raises(DataError) as error:
        made.run(out=tmp_path / "out", cache=tmp_path / "cache")
    assert str(error.value) == (
        f"documents: there is nothing to evaluate ({told}); check the path, the split and --limit"
    )


def test_a_second_document_with_an_id_is_skipped(tmp_path: Path) -> None:
    """The first stays; the other is counted."""
    documents = [Document("a", "alpha"), Document("b", "beta"), Document("a", "gamma")]
    made = run(tmp_path, SINGLE, documents=documents)
    assert [k["text"] for k in lines(made.folder, "single")["a"]["keyphrases"]] == ["alpha"]
    told = "1 thing in the corpus was skipped, first document 'a': the id exists already"
    assert told in made.summary.notes


STRANGE = {
    "": "an empty id, and an empty text",
    "a/b": "",
    "../../etc/passwd": " \n\t ",
    "c\nd\r\ne": "line one\r\nline two\rline three\u2028line four\u0085line five",
    "nul\0id": "a text\0with NUL\0 characters",
    "ünïcödé": "naïve Bayes über Größe",
    "😀👩\u200d👩\u200d👧": "graphs 😀 of 👩\u200d👩\u200d👧 emoji",
    "bidi\u202e": "\u202eright to left\u202c and back",
    "lone\udc80": "a lone \ud800 surrogate \udfff in a text",
    "e\u0301": "decomposed e\u0301galite\u0301",
    "\u00e9": "composed \u00e9galit\u00e9",
    'quo"te,comma;': 'a "quoted" text, with; marks',
    "x" * 100_000: "a huge id",
    "9" * 10_000: "a huge number",
    "٣": "an Arabic digit",
    "²": "superscript two",
    "one": "word",
    "dots": "... ,,, --- !!!",
    "html": "<b>bold</b> &amp; <script>alert(1)</script>",
    "long": "averylongword" * 5_000,
}


def escaped(id: str) -> str:
    """An id as UTF-8 files have it."""
    return id.encode("utf-8", "backslashreplace").decode()


def ids_of_table(path: Path) -> set[str]:
    """The ids in per_document.csv, some of which are longer than Python's csv module likes."""
    limit = csv.field_size_limit(10**6)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return {row["id"] for row in csv.DictReader(file)}
    finally:
        csv.field_size_limit(limit)


@pytest.mark.parametrize("workers", [1, 2])
def test_strange_ids_and_texts_go_through(tmp_path: Path, workers: int) -> None:
    """Every id comes back in every file, and order and cache change nothing."""
    documents = [
        Document(id, text, gold=(Gold(("graphs",)), Gold(("\udc80x",)))) for id, text in STRANGE.items()
    ]
    spec = TWO.replace("good: {kind: cooccurrence}", "good: tfidf").replace(
        "preprocessing:", "split: {train: 1/4}\npreprocessing:"
    )
    made = run(tmp_path, spec, documents=documents, workers=workers)
    assert made.failed == 0
    found = lines(made.folder, "good")
    assert set(found) < set(STRANGE)
    assert len(found) == 15
    assert ids_of_table(made.folder / "per_document.csv") == {escaped(id) for id in found}
    random.Random(3).shuffle(documents)
    again = run(tmp_path / "again", spec, documents=documents)
    assert outcome(again.folder) == outcome(made.folder)
    warm = run(tmp_path, spec, documents=documents, out=tmp_path / "warm")
    assert outcome(warm.folder) == outcome(made.folder)


def test_all_files_of_a_run_are_utf8(tmp_path: Path) -> None:
    """Lone surrogates are written as escapes, which JSON readers turn back."""
    documents = [Document(id, text) for id, text in STRANGE.items()]
    made = run(tmp_path, TWO.replace("good: {kind: cooccurrence}", "good: tfidf"), documents=documents)
    for path in made.folder.rglob("*.*"):
        if path.is_file():
            path.read_text(encoding="utf-8")
    words = [k["text"] for k in lines(made.folder, "good")["lone\udc80"]["keyphrases"]]
    assert "\ud800" in words or "lone" in words


def test_the_spool_is_read_while_it_is_made_only_once(tmp_path: Path) -> None:
    """A stream of documents is consumed once, and only as far as the limit."""
    taken = []

    def stream() -> Iterator[Document]:
        for document in corpus(50):
            taken.append(document.id)
            yield document

    made = run(tmp_path, GRID, documents=stream(), limit=9)
    assert len(taken) in (9, 10)
    assert len(lines(made.folder, "kea")) == 6


def test_a_full_disk_ends_a_run_with_an_error_and_no_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be written is not taken for whole."""

    def full(self: CellWriter, *parts: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CellWriter, "write", full)
    with pytest.raises(OSError, match="No space left"):
        run(tmp_path, SINGLE, corpus(4))
    assert not (tmp_path / "out" / "cells").exists()
