"""Files for trec_eval, and tables for pandas: what other tools make of them is what kpframe says."""

from __future__ import annotations

import csv
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import ir_measures
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, P, R, Rprec, SetF, SetP, SetR, nDCG

import kpframe
from kpframe import display
from kpframe.engine.experiment import Experiment, Run
from kpframe.errors import DataError, ResourceError, SpecError
from kpframe.evaluation.predictions import Pair, join, read_gold, read_predictions
from kpframe.evaluation.scoring import chosen_measures, score_measures
from kpframe.evaluation.trec import Subset, field_text, text_field, trec_documents, trec_matching
from kpframe.model import Gold, Score
from kpframe.runs.cell_writer import CellWriter
from kpframe.runs.finished import FinishedRun
from kpframe.runs.folder import RunFolder
from kpframe.runs.gold import DocumentGold
from kpframe.runs.tables import keyphrase_rows, run_frame, write_keyphrases_csv
from kpframe.runs.trec_files import run_pairs, write_trec

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets") / "../reference/oracles"

SPEC = """
name: birds
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [html, simple]
candidates: {kind: ngrams, min: 1, max: 2}
sweep:
  ranking: {often: frequency, early: position}
matching: [exact, {kind: exact, normalize: porter}]
metrics: [r_precision, precision@5]
save: 40
reports: [json]
"""
DOCUMENTS = [
    {"id": "a 1", "text": "red kites and a red kite hunt <i>herons</i>", "gold": ["red kite", "heron"]},
    {"id": "b_2", "text": "an owl, and owls at night", "gold": ["owls", "night", "barn owl"]},
    {"id": "c", "text": "nothing of note", "gold": ["stork"]},
    {"id": "d", "text": "", "gold": ["crane"]},
]
THEIRS = {
    "Rprec": Rprec,
    "map": AP,
    "ndcg": nDCG,
    "ndcg_cut_5": nDCG @ 5,
    "ndcg_cut_10": nDCG @ 10,
    "P_5": P @ 5,
    "P_10": P @ 10,
    "recall_5": R @ 5,
    "recall_10": R @ 10,
    "recall_50": R @ 50,
    "recip_rank": RR,
    "set_P": SetP,
    "set_recall": SetR,
    "set_F": SetF,
}
"""trec_eval's names of measures, and those of ir_measures."""
MEASURES = ("Rprec", "map", "ndcg", "P_5", "recip_rank", "set_F")


def pair(name: str, gold: Sequence[str | tuple[str, ...]], phrases: Sequence[str], text: str = "") -> Pair:
    """A document with gold keyphrases, some with variants."""
    keyphrases = tuple(Gold((g,) if isinstance(g, str) else g) for g in gold)
    return Pair(name, keyphrases, tuple(phrases), text or None)


def export(folder: Path, pairs: Sequence[Pair], subset: Subset = "all") -> tuple[list[str], list[str]]:
    """The lines of the qrels and of the run."""
    write_trec(folder, [("s", pairs)], subset=subset)
    return (folder / "qrels.txt").read_text().splitlines(), (folder / "runs/s.txt").read_text().splitlines()


def evaluated(folder: Path, system: str = "s") -> dict[str, dict[str, float]]:
    """What trec_eval says of each document."""
    with (folder / "qrels.txt").open() as qrels, (folder / "runs" / f"{system}.txt").open() as run:
        judged, ranked = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
    found: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(judged, set(MEASURES)).evaluate(
        ranked
    )
    return {field_text(name): values for name, values in found.items()}


def by_hand(hits: Sequence[bool], gold: int) -> dict[str, float]:
    """The measures of one document from their definitions."""
    ranks = [rank for rank, hit in enumerate(hits, start=1) if hit]
    ideal = math.fsum(1 / math.log2(rank + 1) for rank in range(1, gold + 1))
    return {
        "Rprec": sum(hits[:gold]) / gold,
        "map": math.fsum(number / rank for number, rank in enumerate(ranks, start=1)) / gold,
        "ndcg": math.fsum(1 / math.log2(rank + 1) for rank in ranks) / ideal,
        "P_5": sum(hits[:5]) / 5,
        "recip_rank": 1 / ranks[0] if ranks else 0.0,
        "set_F": 2 * len(ranks) / (gold + len(hits)),
    }


@given(st.text(), st.text())
def test_a_field_has_no_white_space_and_gives_its_text_back(one: str, other: str) -> None:
    """ASCII, and different for different texts."""
    field = text_field(one)
    assert field.isascii() and len(field.split()) == bool(one) and field_text(field) == one
    assert (field == text_field(other)) is (one == other)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("neural network", "neural_network"),
        ("snake_case 100%", "snake%5Fcase_100%25"),
        ("c++ | c#", "c++_%7C_c#"),
        ("naïve\u00a0bayes", "na%C3%AFve%C2%A0bayes"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_fields_stay_readable(text: str, field: str) -> None:
    """Blanks are underscores; only what is unusual is escaped."""
    assert text_field(text) == field and field_text(field) == text


def test_the_lines_by_hand(tmp_path: Path) -> None:
    """Porter stems; the second of two equal phrases is taken off, gold is united; scores fall by one."""
    phrases = ["Red Kites", "red kite", "owl_s", "storks"]
    qrels, run = export(tmp_path, [pair("a 1", ["red kite", "Red  kites", "stork"], phrases)])
    assert qrels == ["a_1 0 red_kite 1", "a_1 0 stork 1"]
    assert run == ["a_1 Q0 red_kite 1 3 s", "a_1 Q0 owl%5F 2 2 s", "a_1 Q0 stork 3 1 s"]


def test_a_variant_hits_once(tmp_path: Path) -> None:
    """A gold keyphrase has the names of all its variants; a later variant has its own and is a miss."""
    gold = [("quality of service", "service quality"), "router"]
    qrels, run = export(tmp_path, [pair("d", gold, ["service quality", "quality of service", "router"])])
    assert qrels == ["d 0 qualiti_of_servic|servic_qualiti 1", "d 0 router 1"]
    assert [line.split()[2] for line in run] == [
        "qualiti_of_servic|servic_qualiti",
        "qualiti_of_servic",
        "router",
    ]
    assert evaluated(tmp_path)["d"] == pytest.approx(by_hand([True, False, True], 2), abs=1e-12)


def test_subsets_are_parted_and_ranked_anew(tmp_path: Path) -> None:
    """Present and absent phrases of one list."""
    phrases = ["storks", "owl", "heron", "red kites"]
    one = pair("d", ["red kite", "heron", "crane"], phrases, text="A red kite and an owl.")
    assert export(tmp_path / "p", [one], "present") == (
        ["d 0 red_kite 1"],
        ["d Q0 owl 1 2 s", "d Q0 red_kite 2 1 s"],
    )
    assert export(tmp_path / "a", [one], "absent") == (
        ["d 0 heron 1", "d 0 crane 1"],
        ["d Q0 stork 1 2 s", "d Q0 heron 2 1 s"],
    )


def test_trec_eval_cannot_reorder_what_is_exported(tmp_path: Path) -> None:
    """It orders by score, held in 32 bits, and equal scores by name; here a hit stands last of 3,000."""
    phrases = [f"x{number}" for number in range(2999)]
    export(tmp_path, [pair("d", ["aa"], [*phrases, "aa"])])
    assert evaluated(tmp_path)["d"]["recip_rank"] == pytest.approx(1 / 3000, rel=1e-12)


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    """Documents without gold are not in the qrels, those without phrases not in the run."""
    pairs = [pair("a", ["x"], ["x", "y"]), pair("b", ["x"], []), pair("c", [], ["z"])]
    (made,) = write_trec(tmp_path, [("s", pairs)])
    assert (made.documents, made.phrases, made.without_phrases, made.without_gold) == (2, 3, ("b",), 1)
    record = json.loads((tmp_path / "export.json").read_text())
    assert record["matching"] == trec_matching().signature()
    assert record["systems"][0]["without_phrases"] == ["b"]


@pytest.mark.parametrize("subset", ["all", "present"])
def test_every_measure_is_as_its_definition_says(subset: Subset, tmp_path: Path) -> None:
    """Each document of the 60 abstracts of Inspec, by pytrec_eval and by hand."""
    path = ORACLES / "inspec60.freq.jsonl"
    if not path.is_file():
        pytest.skip(f"the predictions are not in {ORACLES}")
    pairs = join(read_gold(path), read_predictions(path)).pairs
    write_trec(tmp_path, [("s", pairs)], subset=subset)
    found, matching = evaluated(tmp_path), trec_matching("porter", subset)
    compared = 0
    for one in pairs:
        matches = matching.match(one.phrases, one.gold, one.text)
        if matches.gold and matches.predicted:
            expected = by_hand([hit >= 0 for hit in matches.hits], matches.gold)
            assert found[one.id] == pytest.approx(expected, abs=1e-12)
            compared += 1
    assert compared == len(found) > 55


@pytest.mark.parametrize("subset", ["all", "present", "absent"])
def test_the_files_give_trec_evals_published_figures(subset: Subset, tmp_path: Path) -> None:
    """trec_eval on files that others made of the same predictions, fourteen measures."""
    path = ORACLES / "inspec60.freq.jsonl"
    if not path.is_file():
        pytest.skip(f"the figures are not in {ORACLES}")
    rows = [(row["id"], row["tok"]) for row in map(json.loads, path.read_text().splitlines())]
    pairs = [pair(name, tok["gold"], tok["predicted"], tok["text"]) for name, tok in rows]
    write_trec(tmp_path, [("s", pairs)], subset=subset)
    prefix = f"trec_eval/inspec60.freq/{subset}/"
    figures = json.loads((ORACLES / "acceptance.json").read_text())
    expected = {f["name"].removeprefix(prefix): f["expected"] for f in figures if prefix in f["name"]}
    assert expected.keys() == THEIRS.keys()
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(tmp_path / "runs/s.txt")))
    found = ir_measures.calc_aggregate(THEIRS.values(), qrels, run)
    assert {name: found[measure] for name, measure in THEIRS.items()} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("subset", ["all", "present", "absent"])
def test_other_evaluators_average_to_kpframes_scores(subset: Subset, tmp_path: Path) -> None:
    """ir_measures on the files; documents without predictions count as 0 there and here."""
    pairs = [
        pair("a b", ["red kite", "heron", "owl"], ["owls", "tern", "Red Kites"], "owls and red kites"),
        pair(
            "c", ["stork", "storks", "crane"], ["gull", "crane", "auk", "ibis", "rail", "stork"], "crane rail"
        ),
        pair("ü", ["coot", "rook"], [], "a coot"),
        pair("e", [], ["swan"], "swan"),
    ]
    write_trec(tmp_path, [("s", pairs)], subset=subset)
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(tmp_path / "runs/s.txt")))
    theirs = ir_measures.calc_aggregate([Rprec, P @ 5, AP, nDCG, RR, SetF], qrels, run)
    matching = trec_matching("porter", subset)
    chosen = chosen_measures(["r_precision", "precision@5", "f1"], matching.to_spec(), texts=True)
    ours = [score.value for score in score_measures(pairs, chosen)]
    assert [theirs[Rprec], theirs[P @ 5], theirs[SetF]] == pytest.approx(ours, abs=1e-12)
    matched = [matching.match(p.phrases, p.gold, p.text) for p in pairs]
    counted = [by_hand([hit >= 0 for hit in m.hits], m.gold) for m in matched if m.gold]
    for measure, name in ((AP, "map"), (nDCG, "ndcg"), (RR, "recip_rank")):
        mean = math.fsum(values[name] for values in counted) / len(counted)
        assert theirs[measure] == pytest.approx(mean, abs=1e-12)


@given(
    st.lists(st.sampled_from(["kite", "kites", "red kite", "Red  Kites", "owl", "owl owl"]), max_size=6),
    st.lists(st.sampled_from(["kite", "owls", "red kite", "owl owl", "tern"]), min_size=1, max_size=5),
)
def test_a_name_is_in_the_qrels_exactly_if_it_hits(phrases: list[str], gold: list[str]) -> None:
    """And no name comes twice."""
    one, matching = pair("d", gold, phrases), trec_matching()
    (document,) = trec_documents([one], matching)
    matches = matching.match(one.phrases, one.gold, None)
    assert [name in document.gold for name in document.phrases] == [hit >= 0 for hit in matches.hits]
    assert len(set(document.phrases)) == len(document.phrases)
    assert len(set(document.gold)) == len(document.gold) == matches.gold


def test_systems_with_different_gold_are_not_mixed(tmp_path: Path) -> None:
    """One qrels file cannot serve both."""
    with pytest.raises(DataError) as caught:
        write_trec(tmp_path, [("s", [pair("a", ["x"], [])]), ("t", [pair("a", ["y"], [])])])
    assert str(caught.value) == (
        "the documents of 't': have other documents or other gold than those of 's'; "
        "export it to a folder of its own"
    )


def test_a_subset_needs_texts(tmp_path: Path) -> None:
    """They decide what is present."""
    with pytest.raises(DataError) as caught:
        write_trec(tmp_path, [("s", [pair("a", ["x"], ["x"])])], subset="present")
    assert str(caught.value) == (
        "subset present: needs the text of every document, and 'a' has none; "
        "give gold with texts, or use subset all"
    )
    with pytest.raises(SpecError) as wrong:
        write_trec(tmp_path, [], subset="some")  # type: ignore[arg-type]
    assert str(wrong.value) == "subset: unknown subset 'some'; use all, present or absent"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of two cells over four documents."""
    folder = tmp_path_factory.mktemp("birds")
    (folder / "corpus.jsonl").write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    (folder / "spec.yaml").write_text(SPEC)
    return Experiment.load(folder / "spec.yaml").run(out=folder / "out", cache=folder / "cache")


def test_a_run_is_exported_cell_by_cell(made: Run, tmp_path: Path) -> None:
    """With the gold and the cleaned texts of its own corpus; trec_eval finds its R-precision."""
    run = FinishedRun(made.folder)
    gold = DocumentGold.of_run(run)
    assert gold.of("a 1", "often")[1] == "red kites and a red kite hunt herons"
    systems = [(cell, run_pairs(run, cell, gold, run.failed())) for cell in run.cells]
    exported = write_trec(tmp_path, systems)
    assert [one.name for one in exported] == ["often", "early"]
    assert exported[0].without_phrases == ("d",)
    matching = {"kind": "exact", "normalize": "porter", "absent": "keep"}
    for cell in run.cells:
        keyphrases = made.folder / "cells" / cell / "keyphrases.jsonl"
        corpus = made.folder.parent / "corpus.jsonl"
        (score,) = kpframe.score(corpus, keyphrases, metrics="r_precision", matching=matching)
        values = [values["Rprec"] for values in evaluated(tmp_path, cell).values()]
        assert math.fsum(values) / 4 == score.value


def test_the_frame_of_scores_has_axes_columns_and_signatures(made: Run) -> None:
    """A row a cell, as the summary has them."""
    frame = run_frame(made.folder)
    columns = list(made.summary.columns)
    assert list(frame.columns) == ["cell", "ranking", "documents", "keyphrases", *columns]
    assert list(frame["cell"]) == ["often", "early"] and list(frame["ranking"]) == ["often", "early"]
    for cell in made.summary.cells:
        row = frame[frame["cell"] == cell.name].iloc[0]
        assert [row[column] for column in columns] == [score.value for score in cell.scores]
        assert (row["documents"], row["keyphrases"]) == (cell.documents, cell.keyphrases)
        for column in columns:
            score = cell.score(column)
            assert score is not None
            assert frame.attrs["signatures"][column][cell.name] == score.signature
    pd.testing.assert_frame_equal(display.frame(made.summary), frame)
    assert list(run_frame(made.folder, cells=["early"])["cell"]) == ["early"]


def test_the_frame_of_documents_averages_to_the_scores(made: Run) -> None:
    """A value is missing where a document is in no average."""
    frame = run_frame(made.folder, "documents")
    assert list(frame["id"]) == ["a 1", "b_2", "c", "d"] * 2
    column = "r_precision/exact"
    assert frame[column].isna().tolist() == [False, False, True, True] * 2
    means = frame.groupby("cell")[column].mean()
    for cell in made.summary.cells:
        assert means[cell.name] == pytest.approx(cell.value(column), abs=1e-15)


def test_the_frame_of_keyphrases_says_what_hits(made: Run) -> None:
    """By each matching; a phrase equal to an earlier one hits nothing."""
    frame = run_frame(made.folder, "keyphrases", cells=["often"])
    labels = [label for label in frame.columns if label.startswith("hit/")]
    assert labels[0] == "hit/exact" and len(labels) == 2
    exact = frame[frame["hit/exact"].fillna(False)]
    assert set(zip(exact["id"], exact["text"], strict=True)) == {
        ("a 1", "red kite"),
        ("b_2", "owls"),
        ("b_2", "night"),
    }
    assert list(frame[frame["id"] == "b_2"]["rank"]) == list(range(1, (frame["id"] == "b_2").sum() + 1))
    counts = run_frame(made.folder, "counts", cells=["often"])
    hits = counts[counts["matching"] == "exact"].set_index("id")["hits"]
    assert hits.to_dict() == {"a 1": 1, "b_2": 2, "c": 0, "d": 0}
    assert counts[counts["id"] == "b_2"]["gold"].tolist() == [2, 2]
    assert counts[counts["id"] == "b_2"]["dropped"].tolist() == [1, 1]


def handmade(folder: Path, keyphrases: Mapping[str, object], scores: Mapping[str, object]) -> Path:
    """The folder of a run with one document in its one cell."""
    run = RunFolder(folder, "x")
    (folder / "resolved.yaml").write_text("name: x\n")
    writer = CellWriter(run, "x", "key")
    writer.begin()
    lines = (keyphrases, scores, {"id": keyphrases["id"]})
    writer.write(str(keyphrases["id"]), [json.dumps(line, separators=(",", ":")) for line in lines])
    writer.finish()
    run.sweep()
    return folder


def test_phrases_that_do_not_count_move_the_hits(tmp_path: Path) -> None:
    """`positions` says which phrases the ranks of hits are among; without it nothing is claimed."""
    phrases = [
        {"text": text, "score": 1.0, "rank": rank, "key": text, "spans": []}
        for rank, text in enumerate(("owl", "owls", "kite"), start=1)
    ]
    keyphrases = {"id": "a", "keyphrases": phrases}
    matched: dict[str, object] = {"gold": 1, "dropped": 0, "predicted": 2, "hits": [[2, 0, "exact"]]}

    def hits(more: Mapping[str, object]) -> list[bool | None]:
        record = {"id": "a", "predicted": 3, "matches": {"exact": {**matched, **more}}, "counts": {}}
        return [row.hits[0] for row in keyphrase_rows(FinishedRun(handmade(tmp_path, keyphrases, record)))]

    assert hits({"positions": [0, 2]}) == [False, False, True]
    assert hits({}) == [None, None, None]
    assert hits({"hits": []}) == [False, False, False]
    assert hits({"predicted": 3}) == [False, True, False]
    hits({})
    assert run_frame(tmp_path, "keyphrases")["hit/exact"].isna().all()
    path = tmp_path / "k.csv"
    assert write_keyphrases_csv(path, FinishedRun(tmp_path)) == 3
    assert path.read_text().splitlines()[:2] == ["cell,id,rank,text,score,hit/exact", "x,a,1,owl,1.0,"]


def test_keyphrases_in_csv_are_those_of_the_frame(made: Run, tmp_path: Path) -> None:
    """Floats survive, hits are 1 and 0."""
    path = tmp_path / "keyphrases.csv"
    frame = run_frame(made.folder, "keyphrases")
    assert write_keyphrases_csv(path, FinishedRun(made.folder)) == len(frame)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == frame["text"].tolist()
    assert [float(row["score"]) for row in rows] == frame["score"].tolist()
    assert [row["hit/exact"] for row in rows] == [str(int(hit)) for hit in frame["hit/exact"]]


def test_scores_are_a_frame_too() -> None:
    """An undefined value is missing."""
    scores = [Score("f1@5", "exact", 0.5, 2, 1, "f1@5|…"), Score("f1@5", "morph", None, 0, 3, "f1@5|x")]
    shown = display.frame(scores)
    assert shown["value"].isna().tolist() == [False, True] and shown["value"][0] == 0.5
    assert shown["skipped"].tolist() == [1, 3] and shown["signature"][1] == "f1@5|x"


def test_without_pandas_the_remedy_is_told(made: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is imported by nobody else."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    for call in (
        lambda: run_frame(made.folder),
        lambda: display.frame([]),
        lambda: display.frame(made.summary),
    ):
        with pytest.raises(ResourceError) as caught:
            call()
        assert str(caught.value) == "pandas: is not installed; pip install pandas"


def test_what_is_no_run_is_told(made: Run, tmp_path: Path) -> None:
    """Place, problem, remedy."""
    cases = [
        ((tmp_path / "no",), {}, "there is no such folder; give the folder that `kpframe run` wrote to"),
        ((tmp_path,), {}, "is not the folder of a run; give the folder that `kpframe run` wrote to"),
        ((made.folder,), {"cells": ["oftn"]}, "has no cell 'oftn'; did you mean 'often'?"),
        ((made.folder,), {"cells": ["x"]}, "has no cell 'x'; it has: often, early"),
    ]
    for arguments, more, message in cases:
        with pytest.raises(DataError) as caught:
            run_frame(*arguments, **more)  # type: ignore[arg-type]
        assert str(caught.value) == f"{arguments[0]}: {message}"
    with pytest.raises(SpecError) as wrong:
        run_frame(made.folder, "all")  # type: ignore[arg-type]
    assert str(wrong.value) == ("what: unknown table 'all'; there are: scores, documents, keyphrases, counts")


def test_gold_that_lacks_a_document_is_told(made: Run) -> None:
    """A run cannot be exported with half its gold."""
    run = FinishedRun(made.folder)
    gold = DocumentGold.of_file([("a 1", (Gold(("kite",)),), None)], "gold.tsv")
    with pytest.raises(DataError) as caught:
        list(run_pairs(run, "often", gold, ()))
    assert str(caught.value) == (
        "gold: gold.tsv has no document 'b_2', which the run has; "
        "give the gold of the same documents by --gold FILE"
    )
