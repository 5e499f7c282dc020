"""Documents that fail, workers that die, and texts that nobody expects."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import engine_stages
import pytest
from engine_runs import GRID, SINGLE, corpus, events, experiment, leftovers, lines, outcome, run

from kpframe import DataError, Document, Gold, batches, registry
from kpframe.cli import main
from kpframe.run_folder import CellWriter

TWO = """
name: two
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
sweep:
  ranking:
    bad: frequency
    good: {kind: cooccurrence}
metrics: [r_precision, precision@5]
reports: [json, csv, console]
"""

BREAKS = {
    "cleaner": ("preprocessing: [simple]", "preprocessing: [poisoned-cleaner, simple]", "preprocessing", True),
    "annotator": (
        "preprocessing: [simple]",
        "preprocessing: [simple, poisoned-annotator]",
        "preprocessing",
        True,
    ),
    "whole pass": (
        "preprocessing: [simple]",
        "preprocessing: [simple, {kind: poisoned-annotator, whole: true}]",
        "preprocessing",
        True,
    ),
    "selection": ("candidates: tokens", "candidates: poisoned-selection", "candidates poisoned-selection", True),
    "ranking": ("bad: frequency", "bad: poisoned-ranking", "ranking poisoned-ranking", False),
    "postprocessor": (
        "metrics:",
        "postprocessing: [poisoned-postprocessor]\nmetrics:",
        "postprocessing poisoned-postprocessor",
        True,
    ),
}
"""What is put in place of what, the stage that is told, and whether both cells are struck."""


@pytest.fixture(autouse=True)
def stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failing stages are known in these tests alone."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    engine_stages.register()


def poisoned(count: int = 6, bad: int = 2) -> list[Document]:
    """A small corpus with one document that some stage cannot stand."""
    documents = corpus(count)
    old = documents[bad]
    documents[bad] = Document(old.id, f"{engine_stages.BAD} {old.text}", gold=old.gold)
    return documents


@pytest.mark.parametrize("part", sorted(BREAKS))
@pytest.mark.parametrize("items", [32, 1])
def test_a_document_that_fails_is_recorded_and_in_no_average(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, items: int
) -> None:
    """The others are as in a run without it, in all cells, also those in which nothing failed."""
    monkeypatch.setattr(batches, "MAX_ITEMS", items)
    old, new, stage, both = BREAKS[part]
    assert old in TWO
    made = run(tmp_path, TWO.replace(old, new), poisoned())
    cells = ["bad", "good"] if both else ["bad"]
    error = "RuntimeError: cannot stand this text"
    assert made.failed == 1
    assert list(made.summary.failures) == [
        {"id": "d2", "stage": stage, "error": error, "cell": cell} for cell in cells
    ]
    assert [{k: v for k, v in event.items() if k != "time"} for event in events(made.folder, "failure")] == [
        {"event": "failure", **failure} for failure in made.summary.failures
    ]
    for cell in cells:
        assert lines(made.folder, cell)["d2"] == {"id": "d2", "keyphrases": [], "error": f"{stage}: {error}"}
    assert "1 documents failed and are in no average" in made.summary.notes
    assert json.loads((made.folder / "summary.json").read_text())["failures"] == list(made.summary.failures)
    without = run(tmp_path / "without", TWO, [d for d in poisoned() if d.id != "d2"])
    assert [cell.documents for cell in made.summary.cells] == [5, 5]
    for name in ("bad", "good"):
        for column in made.summary.columns:
            assert made.summary.value(name, column) == without.summary.value(name, column)
        assert {**lines(made.folder, name), "d2": None} == {**lines(without.folder, name), "d2": None}
    assert leftovers(made.folder) == []


def test_a_failed_document_shows_in_the_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 without failures, 1 with one, also when the finished run is only looked up again."""
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    experiment(tmp_path, TWO.replace("bad: frequency", "bad: poisoned-ranking"), poisoned())
    command = ["run", str(tmp_path / "spec.yaml"), "--out", str(tmp_path / "out"), "-q"]
    assert main(command) == 1
    printed = capsys.readouterr()
    assert "d2" in printed.out
    assert main(command) == 1
    experiment(tmp_path, TWO, poisoned())
    assert main(command) == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_document_that_cannot_be_learned_from_is_told_every_time(
    tmp_path: Path, workers: int
) -> None:
    """A resumed run says the same as the first, also if it had nothing left to learn."""
    spec = TWO.replace("bad: frequency", "bad: {kind: poisoned-ranking, learns: true}")
    made = run(tmp_path, spec, poisoned(), workers=workers)
    assert list(made.summary.failures) == [
        {"id": "d2", "stage": "ranking poisoned-ranking", "error": "RuntimeError: cannot stand this text"}
    ]
    assert [cell.documents for cell in made.summary.cells] == [5, 5]
    reference = outcome(made.folder)
    again = run(tmp_path, spec, poisoned())
    assert events(again.folder, "plan")[-1]["pending"] == 0
    assert outcome(again.folder) == reference
    (made.folder / "cells" / "good" / "scores.jsonl").unlink()
    assert outcome(run(tmp_path, spec, poisoned()).folder) == reference
    (made.folder / "cells" / "bad" / "scores.jsonl").unlink()
    assert outcome(run(tmp_path, spec, poisoned()).folder) == reference


def test_what_one_ranking_cannot_learn_another_can(tmp_path: Path) -> None:
    """A document that fails in one fit is not lost for the others."""
    spec = TWO.replace("bad: frequency", "bad: {kind: poisoned-ranking, learns: true}").replace(
        "good: {kind: cooccurrence}", "good: tfidf"
    )
    made = run(tmp_path, spec, poisoned())
    (state,) = (made.folder / "fitted").glob("tfidf-*.json")
    assert json.loads(state.read_text())["documents"] == 6
    (other,) = (made.folder / "fitted").glob("poisoned-ranking-*.json")
    assert json.loads(other.read_text())["candidates"] < sum(len(set(d.text.split())) for d in poisoned())


def test_what_a_reader_skips_is_counted(tmp_path: Path) -> None:
    """A document that the reader cannot read does not fail the run."""
    made = run(tmp_path, SINGLE.replace("{kind: jsonl, path: corpus.jsonl}", "poisoned-reader"))
    assert made.failed == 0
    assert "1 things in the corpus were skipped, first corpus:2: is unreadable" in made.summary.notes
    assert set(lines(made.folder, "single")) == {"a", "b"}
    skipped = json.loads((made.folder / "environment.json").read_text())["data"]["skipped"]
    assert skipped == [{"place": "corpus:2", "reason": "is unreadable"}]


def test_a_reader_that_breaks_down_ends_the_run_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results over half a corpus would be wrong."""
    reader = "{kind: poisoned-reader, breaks: true}"
    experiment(tmp_path, SINGLE.replace("{kind: jsonl, path: corpus.jsonl}", reader))
    assert main(["run", str(tmp_path / "spec.yaml"), "--out", str(tmp_path / "out"), "-q"]) == 2
    assert "corpus:3: is no document; repair it" in capsys.readouterr().err
    assert not (tmp_path / "out" / "cells").exists()


@pytest.mark.parametrize("way", ["exit", "kill"])
def test_a_worker_that_dies_loses_one_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """All others of its batch, and of the batches that were under way, are there."""
    monkeypatch.setattr(batches, "MAX_ITEMS", 3)
    spec = TWO.replace("candidates: tokens", f"candidates: {{kind: poisoned-selection, way: {way}}}")
    made = run(tmp_path, spec, poisoned(12, bad=4), workers=2)
    reason = "MemoryError: the worker process died; it may have run out of memory"
    assert list(made.summary.failures) == [
        {"id": "d4", "stage": "worker", "error": reason, "cell": cell} for cell in ("bad", "good")
    ]
    plain = run(tmp_path / "plain", TWO, [d for d in poisoned(12, bad=4) if d.id != "d4"])
    for name in ("bad", "good"):
        found = lines(made.folder, name)
        assert found.pop("d4")["error"] == f"worker: {reason}"
        assert found == lines(plain.folder, name)
    assert leftovers(made.folder) == []


def test_the_code_of_a_stage_from_elsewhere_is_part_of_a_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change in it the cell is computed again, as after a change in kpframe."""
    spec = TWO.replace("bad: frequency", "bad: poisoned-ranking")
    run(tmp_path, spec, corpus(4))
    assert events(run(tmp_path, spec, corpus(4)).folder, "plan")[-1]["pending"] == 0
    changed = tmp_path / "engine_stages.py"
    changed.write_text(Path(engine_stages.__file__).read_text() + "\n# changed\n")
    from kpframe import annotation, environment

    environment.code_fingerprint.cache_clear()
    annotation.source_of.cache_clear()
    monkeypatch.setattr("inspect.getsourcefile", lambda cls: str(changed))
    try:
        assert events(run(tmp_path, spec, corpus(4)).folder, "plan")[-1]["pending"] == 1
    finally:
        environment.code_fingerprint.cache_clear()
        annotation.source_of.cache_clear()


def test_documents_without_gold_are_extracted_but_in_no_average(tmp_path: Path) -> None:
    """They are counted, and told."""
    documents = [*corpus(3), Document("none", "alpha beta gamma"), Document("absent", "x y", gold=(Gold(("z",)),))]
    made = run(tmp_path, SINGLE, documents)
    (score,) = made.summary.cells[0].scores
    assert (score.documents, score.skipped) == (3, 2)
    assert lines(made.folder, "single")["none"]["keyphrases"]
    assert "2 evaluated documents have no gold keyphrase left and are in no average" in made.summary.notes


def test_a_corpus_without_any_gold_has_no_score(tmp_path: Path) -> None:
    """No number is better than a wrong one."""
    made = run(tmp_path, TWO, [Document("a", "alpha beta"), Document("b", "gamma")])
    assert [score.value for cell in made.summary.cells for score in cell.scores] == [None] * 4


@pytest.mark.parametrize(
    ("count", "skipped", "split", "told"),
    [
        (0, 0, "", "0 documents were read and 0 things skipped"),
        (0, 2, "", "0 documents were read and 2 things skipped"),
        (1, 0, "split: {train: 2/3}\n", "1 documents were read and 0 things skipped"),
    ],
)
def test_nothing_to_evaluate_is_told(
    tmp_path: Path, count: int, skipped: int, split: str, told: str
) -> None:
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
    told = "1 things in the corpus were skipped, first document 'a': the id exists already"
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


@pytest.mark.parametrize("workers", [1, 2])
def test_strange_ids_and_texts_go_through(tmp_path: Path, workers: int) -> None:
    """Every id comes back in every file, and order and cache change nothing."""
    documents = [
        Document(id, text, gold=(Gold(("graphs",)), Gold(("\udc80x",)))) for id, text in STRANGE.items()
    ]
    spec = TWO.replace("good: {kind: cooccurrence}", "good: tfidf").replace("preprocessing:", "split: {train: 1/4}\npreprocessing:")
    made = run(tmp_path, spec, documents=documents, workers=workers)
    assert made.failed == 0
    found = lines(made.folder, "good")
    assert set(found) < set(STRANGE)
    assert len(found) == 15
    assert (made.folder / "per_document.csv").read_bytes().count(b"x" * 100_000) in (0, 2)
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

    def full(self: CellWriter, *parts: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CellWriter, "write", full)
    with pytest.raises(OSError, match="No space left"):
        run(tmp_path, SINGLE, corpus(4))
    assert not (tmp_path / "out" / "cells").exists()
