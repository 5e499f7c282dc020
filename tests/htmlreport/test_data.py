"""What the report is made from: the same numbers as everywhere, right offsets, nothing invented."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from report_runs import GRID, HOSTILE, SINGLE, a_run, corpus, experiment
from report_values import phrases_of

import kpframe
from kpframe import Document, Gold, __version__
from kpframe.analysis.comparison import Sample
from kpframe.engine.experiment import Experiment
from kpframe.errors import DataError
from kpframe.evaluation.tallies import Tally
from kpframe.htmlreport.curves import Curve
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.intervals import score_intervals
from kpframe.htmlreport.scores import agreement
from kpframe.htmlreport.source import read_sources
from kpframe.language.text_places import occurrences
from kpframe.metrics.f1 import F1
from kpframe.metrics.precision import Precision
from kpframe.metrics.recall import Recall
from kpframe.model import Annotations
from kpframe.preprocessing.simple import Simple
from kpframe.stages import registry
from kpframe.stages.registry import lookup

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid over odd texts; tests do not change it."""
    return a_run(tmp_path_factory.mktemp("report"), corpus())


@pytest.fixture(scope="module")
def data(run: Path) -> dict[str, Any]:
    """All that a report on it would show."""
    return collect([run])


def records(run: Path, cell: str, file: str) -> dict[str, dict[str, Any]]:
    """The lines of a file of a cell by document."""
    lines = (run / "cells" / cell / file).read_text(encoding="utf-8").splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def test_scores_are_those_of_the_summary(run: Path, data: dict[str, Any]) -> None:
    """To the last digit, with documents, axes and signatures."""
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in data["systems"]] == [cell["name"] for cell in summary["cells"]]
    for row, cell in zip(data["systems"], summary["cells"], strict=True):
        assert (row["documents"], row["keyphrases"]) == (cell["documents"], cell["keyphrases"])
        for column, score in zip(summary["columns"], cell["scores"], strict=True):
            shown = row["scores"][column]
            assert [shown[key] for key in ("value", "documents", "skipped")] == [
                score[key] for key in ("value", "documents", "skipped")
            ]
            assert data["recipe"]["signatures"][row["name"]][column] == score["signature"]


def test_a_grid_has_its_axes_and_what_stands_beside_it_has_none(data: dict[str, Any]) -> None:
    """In the order of the spec."""
    assert data["axes"] == {"ranking": ["tfidf", "cooccurrence"], "candidates": ["ngrams", "tokens"]}
    axes = {row["name"]: row["axes"] for row in data["systems"]}
    assert axes["kea"] == {}
    assert axes["tfidf.tokens"] == {"ranking": "tfidf", "candidates": "tokens"}


def test_a_score_lies_in_its_interval_and_only_the_best_is_not_tested(data: dict[str, Any]) -> None:
    """In every column in which documents count, one system is the best."""
    for column in data["columns"]:
        scores = [row["scores"][column["name"]] for row in data["systems"]]
        counted = [score for score in scores if score["value"] is not None]
        for score in counted:
            assert 0 <= score["low"] <= score["value"] <= score["high"] <= 1
            assert (score["significant_vs_best"] is None) is score["best"]
        assert sum(score["best"] for score in scores) == bool(counted)


def test_the_same_run_gives_the_same_values_without_places_and_times(run: Path, data: dict[str, Any]) -> None:
    """Plain JSON, in UTF-8, with no path of this machine."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    again = collect([run])
    assert json.dumps(again, ensure_ascii=False, allow_nan=False) == text
    assert text.encode("utf-8").decode("utf-8") == text
    assert str(run.parent) not in text
    assert json.loads(text) == data
    assert data["generated"] == {"kpframe": __version__}


def test_reading_a_run_changes_nothing(run: Path) -> None:
    """No file is written, not even a time."""
    before = {path: os.stat(path).st_mtime_ns for path in run.rglob("*")}
    collect([run])
    assert {path: os.stat(path).st_mtime_ns for path in run.rglob("*")} == before


def test_spans_are_those_of_the_predictions_and_of_gold_in_the_text(run: Path, data: dict[str, Any]) -> None:
    """Counted in code points, also behind emoji; present gold has a place, absent gold has none."""
    assert data["documents"]
    for document in data["documents"]:
        for name in document["systems"]:
            saved = records(run, name, "keyphrases.jsonl")[document["id"]]["keyphrases"]
            for phrase in phrases_of(document, name):
                original = saved[phrase["rank"] - 1]
                assert (phrase["text"], phrase["spans"]) == (original["text"], original["spans"])
        for gold in document["gold"]:
            assert bool(gold["spans"]) == gold["present"]


def test_hostile_texts_come_through_as_they_are(tmp_path: Path) -> None:
    """Mark-up, emoji, right-to-left text; gold that is given twice counts once."""
    run = a_run(tmp_path, [HOSTILE], SINGLE)
    (document,) = collect([run])["documents"]
    text = document["text"]
    assert document["id"] == HOSTILE.id
    assert text == HOSTILE.text
    found = [(gold["text"], [text[b:e] for b, e in gold["spans"]]) for gold in document["gold"]]
    assert found == [
        ("neural network", []),
        ("שלום עולם", ["שלום עולם"]),
        ('"quotes" & <b>', []),
        ("Deep", ["deep", "deep"]),
    ]


def test_what_is_no_number_is_nothing() -> None:
    """JSON has no word for it; containers become plain ones."""
    from types import MappingProxyType

    from kpframe.htmlreport.data import _plain

    values = {"a": float("nan"), "b": (1.5, float("inf")), "c": MappingProxyType({"d": "\ud800"})}
    assert _plain(values) == {"a": None, "b": [1.5, None], "c": {"d": "\ufffd"}}


def test_half_a_surrogate_pair_becomes_one_other_character(tmp_path: Path) -> None:
    """No page can hold it; offsets stay what they are."""
    documents = [Document("d", "\ud83d deep \ude00 ranking", gold=(Gold(("ranking",)),))]
    made = experiment(tmp_path, SINGLE).run(
        out=tmp_path / "out", cache=tmp_path / "cache", documents=documents
    )
    found = collect([made.folder], documents=documents)
    (document,) = found["documents"]
    assert document["text"] == "\ufffd deep \ufffd ranking"
    assert document["gold"][0]["spans"] == [[9, 16]]


def test_marks_tell_hits_near_misses_and_false_phrases(tmp_path: Path) -> None:
    """`network` is the singular of gold, `deep learning` has a word of it, `ranking` has nothing to do."""
    gold = (Gold(("networks",)), Gold(("learning",)), Gold(("graphs", "graph")))
    text = "network. graph. deep learning. ranking. networks are old. machine learning is new."
    run = a_run(tmp_path, [Document("d", text, gold=gold)], SINGLE)
    (document,) = collect([run])["documents"]
    marks = {p["text"]: (p["mark"], p["rule"], p["gold"]) for p in phrases_of(document, "single")}
    assert marks["graph"] == ("hit", "exact", 2)
    assert marks["network"] == ("near", "morph", 0)
    assert marks["deep learning"] == ("near", "includes", 1)
    assert marks["ranking"] == ("false", "", None)


def test_a_phrase_hits_under_each_matching_by_itself(tmp_path: Path) -> None:
    """And says which gold keyphrase it is; what hits under none has no entry."""
    gold = (Gold(("networks",)), Gold(("learning",)))
    text = "network. learning. graphs. networks are old."
    run = a_run(tmp_path, [Document("d", text, gold=gold)], SINGLE)
    (document,) = collect([run])["documents"]
    hits = {p["text"]: p.get("hits") for p in phrases_of(document, "single")}
    assert hits["learning"] == {"exact": ["exact", 1], "approximate": ["exact", 1]}
    assert hits["network"] == {"approximate": ["morph", 0]}
    assert hits["graphs"] is None


def test_how_far_down_phrases_count_is_told(run: Path, data: dict[str, Any]) -> None:
    """By system and matching: as many as there is gold, no more than were found, twins skipped."""
    for document in data["documents"]:
        for name, counted in document["counted"].items():
            record = records(run, name, "scores.jsonl")[document["id"]]
            for label, rank in counted.items():
                matched = record["matches"][label]
                positions = matched.get("positions") or range(matched["predicted"])
                counting = list(positions)[: matched["gold"]]
                assert rank == (counting[-1] + 1 if counting else 0)


def test_without_documents_no_text_and_no_phrase_is_in_the_page(tmp_path: Path) -> None:
    """Nor the message of an error that quotes one: for corpora that must not be handed on."""
    documents = [
        Document(f"d{i}", f"zyxwort qwfpg{i}. arstd zyxwort. qwfpg{i} neiox.", gold=(Gold(("zyxwort",)),))
        for i in range(6)
    ]
    run = a_run(tmp_path, documents)
    told = collect([run], documents_limit=0)
    assert told["documents"] == [] and told["missed"] == told["spurious"] == {}
    assert told["systems"] and told["waterfall"] and told["curves"] and not told["with_texts"]
    plain = json.dumps(told)
    assert not [word for word in ("zyxwort", "qwfpg", "arstd", "neiox") if word in plain]
    assert "zyxwort" in json.dumps(collect([run]))


def test_axes_are_those_of_the_spec_where_there_is_no_summary(tmp_path: Path) -> None:
    """A run of before that was asked for no more than a table on the screen has its grid in the report."""
    run = a_run(tmp_path, corpus(6), GRID.replace("reports: [json, conclusions]", "reports: [console]"))
    (run / "summary.json").unlink()
    found = collect([run])
    assert found["axes"] == {"ranking": ["tfidf", "cooccurrence"], "candidates": ["ngrams", "tokens"]}
    assert [row["axes"] for row in found["systems"] if row["name"] == "kea"] == [{}]


def test_published_scores_need_the_summary(tmp_path: Path) -> None:
    """Every run leaves it; without it, as runs of before may be, a note says so."""
    (tmp_path / "published.csv").write_text("cell,p\nsingle,0.5\n")
    told = {}
    for report in ("json", "console", "before"):
        spec = SINGLE.replace("reports: [json]", f"reports: [{report.replace('before', 'console')}]")
        spec += "reference: {path: published.csv, columns: {r_precision/exact: p}, source: A book}\n"
        run = a_run(tmp_path, corpus(4), spec, report)
        if report == "before":
            (run / "summary.json").unlink()
        told[report] = collect([run])
    score = {name: found["systems"][0]["scores"]["r_precision/exact"] for name, found in told.items()}
    assert [found["reference"] for found in score.values()] == [0.5, 0.5, None]
    note = "before: without published scores, as its summary.json is not there; run the experiment again"
    assert note in told["before"]["notes"] and note not in told["console"]["notes"]


def test_only_the_best_phrases_are_shown_and_those_that_hit(run: Path) -> None:
    """With their ranks."""
    found = collect([run], phrases_limit=1)
    ranks = [p for d in found["documents"] for name in d["systems"] for p in phrases_of(d, name)]
    assert all(p["rank"] == 1 or p["mark"] in ("hit", "near") for p in ranks)
    assert any(p["rank"] > 1 for p in ranks)
    assert found["sampled"]["phrases"]["shown"] == 1


def test_documents_are_sampled_where_there_are_many(run: Path, data: dict[str, Any]) -> None:
    """Half of them are those on which systems differ most; the ids stay in their order."""
    found = collect([run], documents_limit=2)
    shown = [document["id"] for document in found["documents"]]
    ids = found["per_document"]["ids"]
    assert shown == [id for id in ids if id in shown] and len(shown) == 2
    column = found["default_column"]
    values = [by_column[column] for by_column in found["per_document"]["values"].values()]
    rows = [[row for row in rows if row is not None] for rows in zip(*values, strict=True)]
    spread = {id: max(row, default=0) - min(row, default=0) for id, row in zip(ids, rows, strict=True)}
    assert max(spread.values()) in [spread[id] for id in shown]
    assert found["sampled"]["documents"]["shown"] == 2
    assert data["sampled"]["documents"]["how"] == "all documents"


def test_curves_are_what_the_metrics_say(run: Path, data: dict[str, Any]) -> None:
    """Precision, recall and F1 at each k, from the records of the run itself."""
    saved = records(run, "tfidf.tokens", "scores.jsonl").values()
    points = data["curves"]["tfidf.tokens"]["approximate"]
    assert [point["k"] for point in points] == list(range(1, len(points) + 1))
    for point in points:
        k = point["k"]
        values: dict[str, list[float]] = {"precision": [], "recall": [], "f1": []}
        for record in saved:
            found = record["matches"]["approximate"]
            if found["gold"]:
                hits = sum(rank <= k for rank, _, _ in found["hits"])
                values["precision"].append(Precision(k=k).value((hits, k)))
                values["recall"].append(Recall(k=k).value((hits, found["gold"])))
                values["f1"].append(F1(k=k).value((hits, k, hits, found["gold"])))
        means = {name: round(sum(rows) / len(rows), 4) for name, rows in values.items()}
        assert {name: point[name] for name in means} == pytest.approx(means, abs=1e-4)


def test_places_of_gold_add_up(data: dict[str, Any]) -> None:
    """Gold of all fifths and of no place is the gold that counts; every system has the same."""
    counts = {name: cell["exact"] for name, cell in data["waterfall"].items()}
    for variant in ("proper", "paper"):
        for name, positions in data["positions"].items():
            rows = positions[variant]
            kept = counts[name]["gold"] - counts[name]["not_in_text"]
            assert sum(row["gold"] for row in rows) + data["positions_absent"][variant] == kept
            assert all(row["gold"] == row["found"] + row["missed"] for row in rows)
    proper = {name: sum(r["found"] for r in p["proper"]) for name, p in data["positions"].items()}
    assert all(proper[name] <= counts[name]["found"] for name in proper)


def test_only_trained_rankings_are_probabilistic(data: dict[str, Any]) -> None:
    """Scores of others are no probabilities, even where they lie in 0 … 1."""
    assert list(data["reliability"]) == ["kea"]
    bins = data["reliability"]["kea"]["bins"]
    assert len(bins) == 10 and sum(b["n"] for b in bins) == data["reliability"]["kea"]["n"]


def test_what_is_missed_and_what_is_wrong_is_named(tmp_path: Path) -> None:
    """By the number of documents, in the cut-off of R, here 1."""
    documents = [
        Document("a", "wrong. wrong. right.", gold=(Gold(("right",)),)),
        Document("b", "Wrong. wrong. right.", gold=(Gold(("Right",)),)),
        Document("c", "right. right. wrong.", gold=(Gold(("right",)),)),
    ]
    run = a_run(tmp_path, documents, SINGLE)
    found = collect([run])
    assert found["missed"]["single"] == [{"text": "Right", "count": 2}]
    assert found["spurious"]["single"] == [{"text": "Wrong", "count": 2, "systems": 1}]


def test_the_recipe_can_be_followed(run: Path, data: dict[str, Any], tmp_path: Path) -> None:
    """The spec has the folder of the corpus as a variable, and gives the same scores elsewhere."""
    (recipe,) = data["recipe"]["runs"]
    assert recipe["command"] == "kpframe run resolved.yaml --data DIR"
    assert "path: ${KPFRAME_DATA}/corpus.jsonl" in recipe["spec"]
    assert ["kpframe", __version__] in recipe["versions"]
    assert recipe["documents"]["evaluated"] == len(data["per_document"]["ids"])
    assert [name.rpartition("-")[0] for name in recipe["fitted"]] == ["kea", "tfidf"]
    (tmp_path / "resolved.yaml").write_text(recipe["spec"], encoding="utf-8")
    again = Experiment.load(tmp_path / "resolved.yaml", data=run.parent)
    again.run(out=tmp_path / "out", cache=run.parent / "cache")
    first, second = (
        [c["scores"] for c in json.loads((out / "summary.json").read_text())["cells"]]
        for out in (run, tmp_path / "out")
    )
    assert first == second


def test_timings_are_those_of_the_log(tmp_path: Path) -> None:
    """Of the last time that something was computed; unknown where the log does not say."""
    run = a_run(tmp_path, corpus(3), SINGLE)
    (found,) = collect([run])["recipe"]["runs"]
    assert found["timings"]["total"] is not None
    stages = [one["stage"] for one in found["timings"]["stages"]]
    assert set(stages) >= {"reading", "preprocessing", "candidates", "ranking", "evaluation"}
    assert all(one["seconds"] >= 0 for one in found["timings"]["stages"])
    events = [
        {"time": "2026-01-01T10:00:00+0000", "event": "begin", "spec": "single", "limit": 3, "workers": 2},
        {"time": "2026-01-01T10:00:00+0000", "event": "plan", "documents": 3, "cells": 2, "pending": 1},
        {"time": "2026-01-01T10:00:07+0000", "event": "cell", "name": "single", "seconds": 4.5},
        {"time": "2026-01-01T10:00:08+0000", "event": "timings", "seconds": {"ranking": 1.25}},
        {"time": "2026-01-01T10:00:09+0000", "event": "end", "failures": 0},
        {"time": "2026-01-01T11:00:00+0000", "event": "begin", "spec": "single", "limit": 3, "workers": 1},
        {"time": "2026-01-01T11:00:00+0000", "event": "plan", "documents": 3, "cells": 2, "pending": 0},
        {"time": "2026-01-01T11:00:01+0000", "event": "timings", "seconds": {"reading": 0.5}},
    ]
    (run / "log.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    (found,) = collect([run])["recipe"]["runs"]
    assert found["command"] == "kpframe run resolved.yaml --data DIR --limit 3"
    assert found["timings"] == {
        "total": 8.0,
        "resumed": True,
        "workers": 2,
        "stages": [{"stage": "ranking", "what": "", "seconds": 1.25}],
        "cells": [{"cell": "single", "seconds": 4.5}],
    }


def test_without_its_corpus_a_report_has_scores_and_says_what_it_lacks(tmp_path: Path) -> None:
    """What needs texts is empty; nothing is an error."""
    run = a_run(tmp_path, corpus(4), SINGLE)
    (tmp_path / "corpus.jsonl").unlink()
    found = collect([run])
    assert found["systems"][0]["scores"]["r_precision/exact"]["value"] is not None
    assert found["documents"] == [] and found["positions"] == {}
    assert found["waterfall"]["single"]["exact"]["documents"] == 5  # the run itself has counted them
    assert "out: the texts of 5 documents are not there, and what needs them is left out" in found["notes"]


def test_documents_can_be_given_in_place_of_the_corpus(tmp_path: Path) -> None:
    """As where they came from a program."""
    documents = corpus(4)
    run = a_run(tmp_path, documents, SINGLE)
    whole = collect([run])
    (tmp_path / "corpus.jsonl").unlink()
    assert collect([run], documents=documents) == whole


TWO_OF_GOLD = (Gold(("ranking",)), Gold(("graph",)))


@pytest.mark.parametrize(
    "changed",
    [
        Document("d", "ranking. graph.", gold=TWO_OF_GOLD[:1]),
        Document("d", "ranking. graphs.", gold=TWO_OF_GOLD),
    ],
    ids=["gold", "text"],
)
def test_a_corpus_that_has_changed_is_told(changed: Document, tmp_path: Path) -> None:
    """No text that the run has not seen is shown; losses are those that the run has counted."""
    run = a_run(tmp_path, [Document("d", "ranking. graph.", gold=TWO_OF_GOLD)], SINGLE)
    found = collect([run], documents=[changed])
    assert found["notes"][-2:] == [
        f"out: {run}: the text or gold of document 'd' has changed since the run; run it again",
        "out: the texts of 1 document are not there, and what needs them is left out",
    ]
    assert found["documents"] == []
    assert found["waterfall"]["single"]["exact"]["gold"] == 2


def test_other_gold_is_told_of_a_run_that_has_not_kept_what_its_texts_were(tmp_path: Path) -> None:
    """As one of version 0.1.0: gold that no longer fits is not counted."""
    run = a_run(tmp_path, [Document("d", "ranking. graph.", gold=TWO_OF_GOLD)], SINGLE)
    (run / "texts.jsonl").unlink()
    found = collect([run], documents=[Document("d", "ranking. graph.", gold=TWO_OF_GOLD[:1])])
    assert found["notes"][-1:] == [
        "1 document has other gold keyphrases than in the run, as out: document d: the corpus has "
        "changed, and none of these is in the places of gold and among the missed",
    ]
    assert found["waterfall"]["single"]["exact"]["gold"] == 2


class Broken(Simple):
    """Fails for every text."""

    kind = "broken"

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        raise RuntimeError("cannot stand this text")


class Picky(Simple):
    """Fails for texts with mark-up."""

    kind = "picky"

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        if "<" in document.text:
            raise RuntimeError("no mark-up")
        return super().annotate(document, annotations)


def test_a_run_in_which_everything_failed_has_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the failures and no scores."""
    failing = SINGLE.replace("preprocessing: [simple]", "preprocessing: [broken]")
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    kpframe.stage(Broken)
    run = a_run(tmp_path, corpus(2), failing)
    found = collect([run])
    assert len(found["recipe"]["failures"]) == 3
    assert found["recipe"]["failures"][0]["cells"] == ["single"]
    (system,) = found["systems"]
    assert system["scores"]["r_precision/exact"]["value"] is None
    assert found["waterfall"] == {"single": {}} and found["curves"]["single"]["exact"] == []


def test_systems_of_several_runs_are_named_by_their_run(tmp_path: Path) -> None:
    """And compared to each other; documents have the systems of both."""
    documents = corpus(4)
    first = a_run(tmp_path, documents, SINGLE, "first")
    second = a_run(tmp_path, documents, SINGLE.replace("ranking: frequency", "ranking: position"), "second")
    found = collect([first, second])
    names = ["first/single", "second/single"]
    assert [row["name"] for row in found["systems"]] == names
    assert [list(document["systems"]) for document in found["documents"]] == [names] * 5
    assert list(found["waterfall"]) == names
    assert [run["run"] for run in found["recipe"]["runs"]] == ["first", "second"]
    assert sum(row["scores"]["r_precision/exact"]["best"] for row in found["systems"]) == 1


def test_runs_that_were_evaluated_otherwise_are_refused(tmp_path: Path) -> None:
    """Under the same name of a column."""
    first = a_run(tmp_path, corpus(4), SINGLE, "first")
    other = SINGLE.replace("[exact, approximate]", "[{kind: exact, absent: keep}, approximate]")
    second = a_run(tmp_path, corpus(4), other, "second")
    with pytest.raises(DataError) as error:
        collect([first, second])
    assert str(error.value) == (
        "second: r_precision/exact: has absent:keep, and first has absent:drop; evaluate both runs alike"
    )
    with pytest.raises(DataError, match="there is no run; give the folder"):
        collect([])


def test_texts_that_are_cleaned_otherwise_are_shown_as_they_were_given(tmp_path: Path) -> None:
    """A page shows the given text, which the spans of all systems refer to."""
    document = Document("d", "<p>deep ranking of <b>graphs</b></p>", gold=(Gold(("ranking",)),))
    first = a_run(tmp_path, [document], SINGLE, "first")
    cleaned = SINGLE.replace("preprocessing: [simple]", "preprocessing: [html, simple]")
    second = a_run(tmp_path, [document], cleaned, "second")
    (shown,) = collect([first, second])["documents"]
    assert shown["text"] == document.text and shown["other_text"] == []
    phrases = phrases_of(shown, "second/single")
    assert phrases
    for phrase in phrases:
        for begin, end in phrase["spans"]:
            assert document.text[begin:end].replace("<b>", "") == phrase["text"]


def test_cutoffs_are_those_of_the_first_column(tmp_path: Path) -> None:
    """A number, all phrases, or as many as there is gold."""
    for metric, cutoff, says in (
        ("precision@3", 3, "the first 3 phrases"),
        ("f1@M", "all", "all phrases"),
        ("f1@O", "R", "the first R phrases, R = the number of gold keyphrases that the matching keeps"),
    ):
        spec = SINGLE.replace("metrics: [r_precision]", f'metrics: ["{metric}", r_precision]')
        run = a_run(tmp_path / str(cutoff), corpus(2), spec)
        matching = collect([run])["matchings"]["exact"]
        assert (matching["cutoff"], matching["cutoff_says"]) == (cutoff, says)


@pytest.mark.parametrize(
    ("text", "variants", "expected"),
    [
        ("Deep Networks, deep\nnetworks.", ["deep networks"], ["Deep Networks", "deep\nnetworks"]),
        ("Deep networks learn", ["deep network"], ["Deep networks"]),
        ("😀 party art 😀 Art", ["art"], ["art", "Art"]),
        ("STRASSE straße", ["straße"], ["STRASSE", "straße"]),
        ("nothing", ["", "something"], []),
        ("a b. c d", ["a b", "c d"], ["a b", "c d"]),
    ],
)
def test_gold_is_found_by_tokens_then_by_stems(text: str, variants: list[str], expected: list[str]) -> None:
    """Offsets are those of the text, though folding may change lengths."""
    assert [text[begin:end] for begin, end in occurrences(text, variants)] == expected


def test_sources_share_only_the_columns_of_all_runs(tmp_path: Path) -> None:
    """The others are named in a note."""
    first = a_run(tmp_path, corpus(3), SINGLE, "first")
    second = a_run(tmp_path, corpus(3), SINGLE.replace("[exact, approximate]", "[exact]"), "second")
    source = read_sources([first, second])
    assert source.columns == ("r_precision/exact",)
    assert "not in every run, and not shown: r_precision/approximate" in source.notes


def test_one_document_that_failed_is_in_no_average(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor in anything else; it is named with its error."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    kpframe.stage(Picky)
    spec = SINGLE.replace("preprocessing: [simple]", "preprocessing: [picky]")
    run = a_run(tmp_path, corpus(3), spec)
    found = collect([run])
    assert found["per_document"]["ids"] == ["d0", "d1", "d2"]
    assert [document["id"] for document in found["documents"]] == ["d0", "d1", "d2"]
    assert found["waterfall"]["single"]["exact"]["documents"] == 3
    assert found["recipe"]["failures"] == [
        {
            "run": "out",
            "id": HOSTILE.id,
            "stage": "preprocessing",
            "error": "RuntimeError: no mark-up",
            "cells": ["single"],
        }
    ]


def test_hits_of_one_keyphrase_by_several_phrases_are_found_once() -> None:
    """Precision counts both phrases, recall one keyphrase: at 2, P = 1, R = 1/2 and F1 = 2/3."""
    curve = Curve()
    curve.add([[1, 0, "soft"], [2, 0, "soft"]], 2, 2)
    curve.add([], 0, 5)
    assert curve.to_json() == [
        {"k": 1, "precision": 1.0, "recall": 0.5, "f1": 0.6667},
        {"k": 2, "precision": 1.0, "recall": 0.5, "f1": 0.6667},
    ]
    assert Curve().to_json() == []


def test_intervals_of_scores_are_those_of_student_or_of_resamples() -> None:
    """0, 0.5 and 1: the mean ± 4.303 · 0.5 / √3, cut at the bounds; a micro average by the bootstrap."""
    sample = Sample.of_scores({"a": {"1": 0.0, "2": 0.5, "3": 1.0}, "b": {"1": 0.5}})
    intervals = score_intervals(sample)
    assert intervals["a"] == pytest.approx((0.5 - 1.24207, 0.5 + 1.24207), abs=1e-4)
    assert intervals["b"] == (None, None)
    assert score_intervals(sample, bounds=(0.0, 1.0))["a"] == (0.0, 1.0)
    tallies = {"a": {str(i): Tally((i % 2, 1), 1, 1) for i in range(40)}}
    micro = Sample.of_tallies("p", lookup("metrics", "precision")(k=1, average="micro"), tallies)  # type: ignore[arg-type,call-arg]
    low, high = score_intervals(micro)["a"]
    assert low is not None and high is not None and 0.25 < low < 0.4 and 0.6 < high < 0.75
    assert score_intervals(micro)["a"] == (low, high)


def test_agreement_is_told_by_differences_and_ranks() -> None:
    """Three systems with published values, two of them in the other order: ρ = 1 - 6 · 2 / 24 = 0.5."""
    rows = [
        {"scores": {"p": {"value": value, "reference": reference}}}
        for value, reference in ((0.1, 0.2), (0.2, 0.1), (0.4, 0.4), (0.5, None), (None, 0.5))
    ]
    (found,) = agreement(["p"], rows)
    assert found["systems"] == 3
    assert found["mean_difference"] == pytest.approx(0.0)
    assert found["mean_absolute_difference"] == pytest.approx(0.2 / 3)
    assert found["spearman"] == pytest.approx(0.5)
