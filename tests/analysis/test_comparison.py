"""Systems compared by document: pairing, baselines, corrections, runs read back, tables."""

from __future__ import annotations

import csv
import io
import json
import logging
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import yaml

from kpframe.analysis.comparison import Comparison, Sample, Verdict, compare
from kpframe.analysis.comparison_tables import as_csv, as_latex, as_markdown, as_text
from kpframe.errors import DataError, SpecError
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_column import Column, Procedure
from kpframe.evaluation.tallies import Tally
from kpframe.runs.cell_writer import CellWriter
from kpframe.runs.folder import RunFolder
from kpframe.stages import Metric
from kpframe.stages.registry import lookup
from kpframe.statistics.significance import Interval, randomisation, t_test

pytestmark = pytest.mark.slow

Scores = dict[str, dict[str, float | None]]

EXACT = {"kind": "exact", "normalize": "casefold"}
R_PRECISION = {"kind": "r_precision"}
MICRO = {"kind": "f1", "k": 5, "average": "micro"}


def simulated(documents: int = 40, **means: float) -> Scores:
    """Systems with R-precisions around a mean, from one seed."""
    chance = np.random.default_rng(2009)
    gold = chance.integers(3, 10, size=documents)
    return {
        name: {f"d{i}": hits / gold[i] for i, hits in enumerate(chance.binomial(gold, mean).tolist())}
        for name, mean in means.items()
    }


def one(scores: Scores, **options: Any) -> Comparison:
    """The comparison of one column of scores."""
    (found,) = compare(scores=scores, **options)
    return found


def bounded(scores: Scores, choice: Literal["best", "all pairs"]) -> Comparison:
    """The same of a measure that lies in 0 … 1."""
    return Column(replace(Sample.of_scores(scores), bounded=True), Procedure()).comparison(choice, (), ())


def metric(**parameters: Any) -> Metric:
    """A metric by its parameters."""
    kind = parameters.pop("kind")
    made = lookup("metrics", kind)(**parameters)
    assert isinstance(made, Metric)
    return made


def write_run(
    folder: Path,
    cells: Mapping[str, Mapping[str, tuple[int, int, int] | None]],
    *,
    metrics: list[dict[str, Any]] | None = None,
    matching: list[dict[str, Any]] | None = None,
) -> Path:
    """A run folder whose documents have (hits, predicted, gold); None: the document failed."""
    metrics, matching = metrics or [R_PRECISION], matching or [EXACT]
    tree: dict[str, Any] = {"name": folder.name, "systems": {cell: {} for cell in cells}}
    run = RunFolder(folder, folder.name)
    (folder / "resolved.yaml").write_text(
        yaml.safe_dump({**tree, "matching": matching, "metrics": metrics}, sort_keys=False)
    )
    for cell, documents in cells.items():
        writer = CellWriter(run, cell, "key")
        writer.begin()
        for id, given in documents.items():
            keyphrases = json.dumps({"id": id, "keyphrases": []}, separators=(",", ":"))
            scores = json.dumps(_record(id, given, metrics, matching))
            writer.write(id, [keyphrases, scores, json.dumps({"id": id})])
        writer.finish()
    run.sweep()
    return folder


def _record(
    id: str, given: tuple[int, int, int] | None, metrics: list[dict[str, Any]], matching: list[dict[str, Any]]
) -> dict[str, Any]:
    if given is None:
        return {"id": id, "failure": {"id": id, "stage": "ranking", "error": "no"}}
    hits, predicted, gold = given
    counts: dict[str, list[int]] = {}
    for described in metrics:
        counted = [hits, gold] if described["kind"] == "r_precision" else [hits, predicted, hits, gold]
        for rule in matching:
            counts[f"{metric(**described).label()}/{rule['kind']}"] = counted
    matched = {"gold": gold, "dropped": 0, "predicted": predicted, "hits": []}
    matches = {rule["kind"]: matched for rule in matching}
    return {"id": id, "predicted": predicted, "matches": matches, "counts": counts}


def drawn(documents: int, *means: float, seed: int = 1) -> list[dict[str, tuple[int, int, int] | None]]:
    """For each mean the counts of a system on the same documents."""
    chance = random.Random(seed)
    gold = [chance.randint(4, 9) for _ in range(documents)]
    return [
        {f"d{i}": (sum(chance.random() < mean for _ in range(5)), 5, gold[i]) for i in range(documents)}
        for mean in means
    ]


def test_every_system_is_compared_to_the_best_one() -> None:
    """Without baselines; all numbers are those of the tests themselves."""
    scores = simulated(low=0.2, high=0.5, middle=0.35)
    found = one(scores)
    assert (found.choice, found.baselines) == ("best", ("high",))
    assert [system for system, _ in found.systems] == ["high", "middle", "low"]
    assert [(c.system, c.baseline, c.documents) for c in found.contrasts] == [
        ("middle", "high", 40),
        ("low", "high", 40),
    ]
    ids = sorted(scores["high"])
    values = np.array([[scores[system][id] for system in ("middle", "high", "low")] for id in ids])
    middle, low = randomisation(values, [(0, 1), (2, 1)])
    first, second = found.contrasts
    assert (first.p, second.p) == (middle.p, low.p)
    assert second.corrected_p == min(1.0, 2 * low.p)
    assert second.significant
    assert first.difference == pytest.approx(values[:, 0].mean() - values[:, 1].mean())
    assert first.wins + first.ties + first.losses == 40


def test_several_baselines_are_corrected_together_and_no_pair_counts_twice() -> None:
    """Three systems, two baselines: three contrasts."""
    found = one(simulated(a=0.2, b=0.3, c=0.4), baselines=["a", "b"], correction="bonferroni", test="t")
    assert [(c.system, c.baseline) for c in found.contrasts] == [("c", "a"), ("b", "a"), ("c", "b")]
    assert [c.corrected_p for c in found.contrasts] == [min(1.0, 3 * c.p) for c in found.contrasts]


def test_all_pairs_put_the_worse_against_the_better() -> None:
    """So that differences are losses."""
    found = one(simulated(a=0.2, b=0.3, c=0.5, d=0.4), all_pairs=True)
    assert len(found.contrasts) == 6
    assert all(contrast.difference <= 0 for contrast in found.contrasts)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
def test_the_order_of_documents_changes_nothing(test: Any) -> None:
    """Nor that of a system's mapping."""
    scores = simulated(a=0.2, b=0.3)
    shuffled = {
        system: dict(random.Random(1).sample(sorted(documents.items()), len(documents)))
        for system, documents in scores.items()
    }
    assert one(shuffled, test=test) == one(scores, test=test)


def test_names_change_nothing() -> None:
    """Renamed systems have the same p, and so have systems in another order."""
    scores = simulated(a=0.2, b=0.3, c=0.25)
    renamed = one({"zz": scores["a"], "y": scores["c"], "x": scores["b"]})
    assert [c.p for c in renamed.contrasts] == [c.p for c in one(scores).contrasts]


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
def test_equal_systems_do_not_differ(test: Any) -> None:
    """p is 1, the effect 0, and no difference is called detectable."""
    scores = simulated(a=0.3)
    found = one({"a": scores["a"], "b": dict(scores["a"])}, test=test)
    (contrast,) = found.contrasts
    assert (contrast.p, contrast.corrected_p, contrast.significant) == (1.0, 1.0, False)
    assert (contrast.difference, contrast.d_z, contrast.superiority, contrast.detectable) == (0, 0, 0.5, None)
    assert "would detect" not in as_text([found])


def test_one_document_is_compared_and_shows_nothing() -> None:
    """There is no interval and nothing detectable."""
    found = one({"a": {"d": 1.0}, "b": {"d": 0.0}})
    (contrast,) = found.contrasts
    assert (contrast.p, contrast.interval, contrast.detectable, contrast.d_z) == (1.0, None, None, None)
    assert "1 of 1 document compared" in as_text([found])


def test_a_document_that_one_system_lacks_is_missing_from_its_pairs_alone() -> None:
    """None, NaN and a missing id alike; how many were used is reported."""
    scores = simulated(a=0.2, b=0.3, c=0.5)
    whole = one(scores)
    scores["a"]["d0"], scores["a"]["d1"] = None, math.nan
    del scores["a"]["d2"]
    found = {c.system: c for c in one(scores).contrasts}
    assert (found["a"].documents, found["a"].only_baseline, found["a"].only_system) == (37, 3, 0)
    before = next(c for c in whole.contrasts if c.system == "b")
    assert (found["b"].p, found["b"].documents) == (before.p, 40)
    assert one(scores).omissions.missing == 1
    assert one(scores).omissions.uncounted == 2


def test_the_best_is_the_best_on_documents_that_all_systems_have() -> None:
    """A system must not win by having only easy documents."""
    scores: Scores = {
        "whole": {"hard": 0.1, "easy": 0.9, "easier": 1.0},
        "easy": {"easy": 0.8, "easier": 0.9},
    }
    assert one(scores).baselines == ("whole",)


def test_systems_on_other_documents_cannot_be_compared() -> None:
    """No id in common, or none that counts in both."""
    with pytest.raises(DataError) as error:
        one({"a": {"x": 0.5}, "b": {"y": 0.4}})
    assert str(error.value) == "score: b: shares no document id with a; compare systems on the same documents"
    with pytest.raises(DataError) as error:
        one({"a": {"x": 0.5, "y": None}, "b": {"x": None, "y": 0.4}})
    assert "b: shares no document that counts for both with a" in str(error.value)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"test": "z"}, "test: is unknown: 'z'; use one of: randomisation, t, wilcoxon, bootstrap"),
        ({"zeros": "split"}, "zeros: is unknown: 'split'; use one of: pratt, drop"),
        ({"level": 1.5}, "level: must lie between 0 and 1, not 1.5; 0.05 is usual"),
        ({"permutations": 0}, "permutations: must be at least 1, not 0; 10000 is usual"),
        ({"seed": -1}, "seed: must not be negative, as -1 is; 2009 is the default"),
        ({"correction": "x"}, "correction: is unknown: 'x'; use none, bonferroni, holm or bh"),
        ({"baselines": ["hihg"]}, "baseline 'hihg': is no system of score; did you mean 'high'?"),
        (
            {"baselines": ["high"], "all_pairs": True},
            "baselines: have no effect where all pairs are compared; leave one of both out",
        ),
        ({"columns": ["a", "b"]}, "columns: name more than the one that scores have; give one name or none"),
    ],
)
def test_a_request_without_sense_is_refused(options: dict[str, Any], problem: str) -> None:
    """Each with what to do about it."""
    with pytest.raises(SpecError) as error:
        one(simulated(low=0.2, high=0.4), **options)
    assert str(error.value) == problem


def test_scores_that_cannot_be_used_are_refused() -> None:
    """Nothing, a single system, text, infinity."""
    with pytest.raises(DataError, match=r"^compare: there is nothing to compare; give runs or scores$"):
        compare()
    with pytest.raises(DataError, match=r"^score: there are not two systems with a score"):
        one(simulated(a=0.2))
    with pytest.raises(DataError) as error:
        one({"a": {"d": "0.5"}, "b": {"d": 0.5}})  # type: ignore[dict-item]
    assert str(error.value) == (
        "a: document 'd': '0.5' is no number; give a number, or None if it does not count"
    )
    with pytest.raises(DataError, match=r"^b: document 'd': the value is infinite; give a finite number$"):
        one({"a": {"d": 0.5}, "b": {"d": math.inf}})


def test_no_nan_gets_out() -> None:
    """The JSON of odd comparisons is strict JSON."""
    odd: list[Scores] = [
        {"a": {"d": 0.0}, "b": {"d": 0.0}},
        {"a": {"d": 0.0, "e": 1.0}, "b": {"d": 0.0, "e": 1.0}, "c": {"d": None, "e": None}},
        {"a": {"d": 0.5, "e": 0.5}, "b": {"d": 0.0, "e": 0.0}},
    ]
    for scores in odd:
        for test in ("randomisation", "bootstrap", "t", "wilcoxon"):
            found = one(scores, test=test)
            assert json.loads(json.dumps(found.to_json(), allow_nan=False))["test"] == test


def test_a_system_without_a_score_is_left_out_and_named() -> None:
    """It stops nothing."""
    found = one({**simulated(a=0.2, b=0.3), "c": {"d0": None}})
    assert found.systems[-1] == ("c", None)
    assert [c.system for c in found.contrasts] == ["a"]
    assert "Without a score, and not compared: c" in as_text([found])
    with pytest.raises(DataError, match=r"^baseline 'c': has no score; choose another$"):
        one({**simulated(a=0.2, b=0.3), "c": {"d0": None}}, baselines=["c"])


def test_runs_are_compared_by_their_counts(tmp_path: Path) -> None:
    """Every column, with the scores of the run and the t-test of its documents."""
    low, high = drawn(30, 0.2, 0.5)
    run = write_run(tmp_path / "run", {"low": low, "high": high}, metrics=[R_PRECISION, MICRO])
    macro, micro = compare([run])
    assert [c.column for c in (macro, micro)] == ["r_precision/exact", "f1(average=micro)@5/exact"]
    (by_t,) = compare([run], columns=["r_precision/exact"], test="t")
    values = {
        name: np.array([c[0] / c[2] for c in cell.values() if c]) for name, cell in (("l", low), ("h", high))
    }
    assert by_t.contrasts[0].p == pytest.approx(t_test(values["l"], values["h"]).p)
    hits, predicted, gold = (sum(c[i] for c in high.values() if c) for i in range(3))
    assert micro.systems[0] == ("high", pytest.approx(2 * hits / (predicted + gold)))
    assert micro.contrasts[0].interval is not None
    assert micro.contrasts[0].interval.method == "bootstrap"
    assert micro.contrasts[0].interval.low < micro.contrasts[0].difference < micro.contrasts[0].interval.high


@pytest.mark.parametrize(("test", "name"), [("t", "the t-test"), ("wilcoxon", "Wilcoxon's test")])
def test_a_micro_average_has_no_values_for_a_t_test(test: Any, name: str, tmp_path: Path) -> None:
    """There is one value of all documents together."""
    low, high = drawn(10, 0.2, 0.5)
    run = write_run(tmp_path / "run", {"low": low, "high": high}, metrics=[MICRO])
    with pytest.raises(SpecError) as error:
        compare([run], test=test)
    assert str(error.value) == (
        "f1(average=micro)@5/exact: is one value of all documents together, not a mean over documents, so "
        f"{name} cannot test it; use the test randomisation or bootstrap, or leave this column out"
    )


def test_means_of_parts_are_tested_as_well() -> None:
    """The harmonic mean of mean precision and mean recall, against brute force over all swaps."""
    by_means = metric(kind="f1", k=5, average="means")
    low, high = drawn(7, 0.2, 0.6)
    tallies = {
        name: {id: Tally((c[0], c[1], c[0], c[2]), c[2], c[1]) for id, c in cell.items() if c}
        for name, cell in (("low", low), ("high", high))
    }
    sample = Sample.of_tallies("f1", by_means, tallies)
    pairs = [(tallies["low"][id], tallies["high"][id]) for id in sorted(low)]

    def difference(swaps: int) -> float:
        sides: tuple[list[Tally], list[Tally]] = ([], [])
        for i, pair in enumerate(pairs):
            for side, tally in zip(sides, pair[::-1] if swaps >> i & 1 else pair, strict=True):
                side.append(tally)
        scores = []
        for side in sides:
            parts = zip(*(by_means.parts(tally.counts) for tally in side), strict=True)
            scores.append(by_means.join([sum(part) / len(side) for part in parts]))
        return abs(scores[0] - scores[1])

    hits = sum(difference(swaps) >= difference(0) - 1e-12 for swaps in range(2**7))
    assert against_best(sample)["low"].p == hits / 2**7


def test_documents_without_gold_and_failures_are_reported(tmp_path: Path) -> None:
    """Each kind by itself; a failure in one cell leaves the other cells' pairs whole."""
    a, b, c = drawn(20, 0.2, 0.3, 0.6)
    for cell in (a, b, c):
        cell["d3"] = (0, 5, 0)
    a["d5"] = None
    b["d7"] = (1, 5, 12)
    run = write_run(tmp_path / "run", {"a": a, "b": b, "c": c})
    (found,) = compare([run])
    documents = {contrast.system: contrast.documents for contrast in found.contrasts}
    assert documents == {"a": 18, "b": 19}
    omitted = found.omissions
    assert (omitted.failed, omitted.uncounted, omitted.unequal_gold, omitted.missing) == (1, 1, 1, 0)
    text = as_text([found])
    assert "1 document failed in some system\n" in text
    assert "1 document in no average of some system (as without gold keyphrases)\n" in text
    assert "1 document with other gold keyphrases in some system, compared all the same\n" in text
    assert "Each line is of its own documents" in text


def test_a_measure_that_counts_documents_without_gold_counts_them_as_0(tmp_path: Path) -> None:
    """`empty: zero` is in the average, and so in the test."""
    a, b = drawn(20, 0.2, 0.5)
    a["d3"] = b["d3"] = (0, 5, 0)
    run = write_run(tmp_path / "run", {"a": a, "b": b}, metrics=[{"kind": "r_precision", "empty": "zero"}])
    assert compare([run])[0].contrasts[0].documents == 20


def test_systems_of_several_runs_are_named_by_their_run(tmp_path: Path) -> None:
    """By the folder's name, or by the path where folders have the same name."""
    a, b = drawn(12, 0.2, 0.5)
    runs = [write_run(tmp_path / "x", {"cell": a}), write_run(tmp_path / "y", {"cell": b})]
    assert compare(runs)[0].baselines == ("y/cell",)
    twin = write_run(tmp_path / "other" / "x", {"cell": b})
    assert compare([runs[0], twin])[0].baselines == (f"{twin}/cell",)
    with pytest.raises(DataError, match=r"is given twice; leave one out$"):
        compare([runs[0], tmp_path / "y" / ".." / "x"])


def test_runs_with_other_parameters_under_one_name_are_refused(tmp_path: Path) -> None:
    """The message says which parameters differ."""
    a, b = drawn(12, 0.2, 0.5)
    first = write_run(tmp_path / "x", {"cell": a})
    second = write_run(tmp_path / "y", {"cell": b}, matching=[{"kind": "exact", "normalize": "porter"}])
    with pytest.raises(DataError) as error:
        compare([first, second])
    assert str(error.value) == (
        "y: r_precision/exact: has norm:porter, and x has norm:casefold; evaluate both runs alike"
    )


@pytest.fixture
def notices(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What the package logs, whether or not a command has taken its logger over."""
    logger = logging.getLogger("kpframe")
    before = logger.level
    logger.addHandler(caplog.handler)
    logger.setLevel(logging.INFO)
    yield caplog
    logger.removeHandler(caplog.handler)
    logger.setLevel(before)


def test_only_columns_that_all_runs_have_are_compared(
    tmp_path: Path, notices: pytest.LogCaptureFixture
) -> None:
    """The others are named; asked for by name they are an error."""
    a, b = drawn(12, 0.2, 0.5)
    first = write_run(tmp_path / "x", {"cell": a}, metrics=[R_PRECISION, MICRO])
    second = write_run(tmp_path / "y", {"cell": b})
    assert [c.column for c in compare([first, second])] == ["r_precision/exact"]
    assert notices.messages[0] == "not in every run, and not compared: f1(average=micro)@5/exact"
    with pytest.raises(SpecError) as error:
        compare([first, second], columns=["f1(average=micro)@5/exact"])
    assert str(error.value) == (
        "column 'f1(average=micro)@5/exact': y has none of this name; there are: r_precision/exact"
    )
    other = write_run(tmp_path / "z", {"cell": b}, metrics=[MICRO])
    with pytest.raises(DataError) as nothing:
        compare([second, other])
    assert str(nothing.value) == "y, z: share no column; evaluate them by the same metrics and matchings"


def test_own_scores_stand_beside_a_run(tmp_path: Path) -> None:
    """In the one column that they belong to."""
    (a,) = drawn(12, 0.2)
    run = write_run(tmp_path / "x", {"cell": a}, metrics=[R_PRECISION, MICRO])
    scores: Scores = {"mine": dict.fromkeys(a, 0.9)}
    (found,) = compare([run], scores=scores, columns=["r_precision/exact"])
    assert found.systems[0] == ("mine", pytest.approx(0.9))
    assert found.contrasts[0].documents == 12
    with pytest.raises(SpecError, match=r"^columns: must name the one that the scores belong to, of: "):
        compare([run], scores=scores)
    with pytest.raises(SpecError, match=r"cannot stand beside it; choose another column$"):
        compare([run], scores=scores, columns=["f1(average=micro)@5/exact"])
    with pytest.raises(
        SpecError, match=r"^scores: cell: is the name of a system of the runs, too; rename it$"
    ):
        compare([run], scores={"cell": scores["mine"]}, columns=["r_precision/exact"])


def test_folders_that_are_no_finished_runs_are_refused(tmp_path: Path) -> None:
    """Also where all documents failed, or a line does not fit its spec."""
    with pytest.raises(DataError, match=r"there is no such folder"):
        compare([tmp_path / "nowhere"])
    with pytest.raises(DataError, match=r"is not the folder of a run"):
        compare([tmp_path])
    failed = write_run(tmp_path / "failed", {"a": {"d": None}, "b": {"d": None}})
    with pytest.raises(DataError, match=r"^failed: has no document with a result; look at its failures$"):
        compare([failed])
    (a,) = drawn(3, 0.5)
    damaged = write_run(tmp_path / "damaged", {"a": a, "b": a})
    (damaged / "cells" / "b" / "scores.jsonl").write_text("")
    with pytest.raises(DataError) as error:
        compare([damaged])
    assert str(error.value) == (
        f"{damaged / 'cells' / 'b' / 'scores.jsonl'}: is damaged or was changed after the run; "
        "run the experiment again"
    )
    damaged = write_run(tmp_path / "unlike", {"b": a}, metrics=[R_PRECISION, MICRO])
    resolved = damaged / "resolved.yaml"
    resolved.write_text(yaml.safe_dump({**yaml.safe_load(resolved.read_text()), "metrics": [R_PRECISION]}))
    with pytest.raises(DataError) as error:
        compare([damaged])
    assert str(error.value) == (
        f"{damaged / 'cells' / 'b'}: document 'd0': is not as the spec of the run says; "
        "run the experiment again"
    )


def test_cells_that_are_not_finished_are_named(tmp_path: Path) -> None:
    """The others are compared."""
    a, b, c = drawn(12, 0.2, 0.5, 0.3)
    run = write_run(tmp_path / "x", {"a": a, "b": b, "c": c})
    (run / "cells" / "c" / "cell.json").unlink()
    (found,) = compare([run])
    assert found.omissions.unfinished == ("c",)
    assert "Not finished, and not compared: c" in as_text([found])


def test_the_verdicts_of_a_sweep_are_those_of_a_comparison() -> None:
    """Holm's correction over all cells, the best first."""
    scores = simulated(a=0.2, b=0.3, c=0.5)
    verdicts = against_best(Sample.of_scores(scores))
    assert list(verdicts) == ["a", "b", "c"]
    assert verdicts["c"] == Verdict(best=True)
    for contrast in one(scores).contrasts:
        expected = Verdict(False, contrast.p, contrast.corrected_p, contrast.significant)
        assert verdicts[contrast.system] == expected


def test_a_sweep_that_cannot_be_judged_has_no_verdicts() -> None:
    """One cell, no scores, or no document in common: never an error."""
    assert against_best(Sample.of_scores({"a": {"d": 0.5}})) == {"a": Verdict(best=True)}
    nothing = Sample.of_scores({"a": {"d": None}, "b": {}})
    assert against_best(nothing) == {"a": Verdict(best=False), "b": Verdict(best=False)}
    apart = against_best(Sample.of_scores({"a": {"d": 0.5}, "b": {"e": 0.4}}))
    assert apart == {"a": Verdict(best=True), "b": Verdict(best=False)}


TABLES: Scores = {
    "plain": {f"d{i}": 0.1 for i in range(12)},
    "a_b&c|[x]": {f"d{i}": 0.5 + i / 100 for i in range(12)},
    "=1+1": {f"d{i}": 0.5 + (i + (-1) ** i) / 100 for i in range(12)},
}


def test_the_text_table_marks_what_differs() -> None:
    """The best first, a star at the difference, and what was done below."""
    assert as_text([one(TABLES, columns=["mine"])]) == (
        "mine: 3 systems, against the best of them, a_b&c|[x]\n"
        "\n"
        "system      score     diff.        95 % interval       p  corrected  won/tied/lost\n"
        "---------  ------  ---------  ------------------  ------  ---------  -------------\n"
        "a_b&c|[x]  0.5550  baseline\n"
        "=1+1       0.5550   +0.0000   [-0.0066, +0.0066]  1.0000     1.0000          6/0/6\n"
        "plain      0.1000   -0.4550*  [-0.4779, -0.4321]  0.0005     0.0010         0/0/12\n"
        "\n"
        "* significantly different from the baseline (corrected p at most 0.05)\n"
        "Test: randomisation test, 10,000 draws, seed 2009\n"
        "Correction of p for 2 comparisons: Holm\n"
        "The baseline was chosen as the best by the same scores, which flatters it.\n"
        "Intervals are of the difference, by Student's t, and not corrected.\n"
        "Intervals over fewer than 30 documents are not to be trusted.\n"
        "12 of 12 documents compared\n"
        "A single test would detect a difference of 0.0093 to 0.0320 (power 0.8)\n"
    )


def test_an_interval_ends_where_differences_do() -> None:
    """Two documents, lost by 1 and by 0: Student's t alone would reach from -6.85 to 5.85."""
    sample = Sample.of_tallies(
        "p",
        metric(kind="r_precision"),
        {
            "a": {"x": Tally((1, 1), 1, 1), "y": Tally((0, 1), 1, 1)},
            "b": dict.fromkeys("xy", Tally((0, 1), 1, 1)),
        },
    )
    (found,) = Column(sample, Procedure()).contrasts([("a", "b")])
    assert found.interval == Interval(-1.0, 1.0, "t")
    (free,) = one({"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.0, "y": 0.0}}).contrasts
    assert free.interval is not None and round(free.interval.high, 2) == 5.85


def test_many_documents_need_no_warning() -> None:
    """The textbooks' 30 is enough."""
    assert "not to be trusted" in as_text([one(simulated(29, a=0.5, b=0.4))])
    assert "not to be trusted" not in as_text([one(simulated(30, a=0.5, b=0.4))])


def test_markdown_marks_significance_and_escapes_names() -> None:
    """The best is bold, a dagger stands at the difference."""
    text = as_markdown([one(TABLES)])
    assert "| **a_b&amp;c\\|\\[x\\]** | **0.5550** | baseline |" in text
    assert "| plain | 0.1000 | -0.4550† |" in text
    assert "- † significantly different from the baseline" in text


def test_latex_marks_significance_and_escapes_names() -> None:
    """Minus signs are set as such; headings name baselines where there are several."""
    text = as_latex([one(TABLES, all_pairs=True)])
    assert "plain & 0.1000 & $-$0.4550$^\\dagger$ & {[}$-$0.4779, $-$0.4321] &" in text
    assert "\\multicolumn{7}{l}{\\emph{against a\\_b\\&c\\textbar{}{[}x] (0.5550)}} \\\\" in text
    assert "95 \\% interval" in text
    best = as_latex([one(TABLES)])
    assert "\\textbf{a\\_b\\&c\\textbar{}{[}x]} & \\textbf{0.5550} & baseline &" in best


def test_csv_has_all_numbers_and_guards_names() -> None:
    """A row for each contrast, unrounded."""
    found = one(TABLES)
    rows = list(csv.DictReader(io.StringIO(as_csv([found]))))
    assert [row["system"] for row in rows] == ["'=1+1", "plain"]
    assert float(rows[1]["difference"]) == found.contrasts[1].difference
    assert rows[1]["interval_method"] == "t"
    assert rows[0]["significant"] == "False"


def test_json_has_everything() -> None:
    """Plain values; fields are those of the classes."""
    found = one(TABLES).to_json()
    assert found["systems"][0] == {"system": "a_b&c|[x]", "score": pytest.approx(0.555)}
    assert found["contrasts"][1]["interval"]["method"] == "t"
    assert found["omissions"]["unfinished"] == []
    assert json.loads(json.dumps(found)) == found


def test_a_whole_grid_is_judged_in_one_go() -> None:
    """16 cells of 500 documents: one best, and a verdict for every other."""
    chance = np.random.default_rng(1)
    scores: Scores = {
        f"c{c}": {f"d{i}": v for i, v in enumerate(chance.random(500).tolist())} for c in range(16)
    }
    verdicts = against_best(Sample.of_scores(scores))
    assert all(verdict.best or verdict.corrected_p is not None for verdict in verdicts.values())
    assert sum(verdict.best for verdict in verdicts.values()) == 1


def test_so_few_documents_that_no_difference_would_be_found_are_said_to_be_too_few() -> None:
    """Two values of 0 and 1 would need a difference of 5, which no measure in 0 … 1 can have."""
    found = bounded(
        {"a": {"d": 1.0, "e": 0.0}, "b": {"d": 0.0, "e": 0.25}, "c": {"d": 1.0, "e": 0.0}}, "all pairs"
    )
    assert {c.detectable for c in found.contrasts} == {None}
    told = as_text([found])
    assert (
        "In 2 of the comparisons a single test would detect no difference, however great: "
        "2 documents are too few (power 0.8)"
    ) in told
    assert "would detect a difference" not in told


def test_the_detectable_difference_of_a_bounded_measure_is_one_that_can_be() -> None:
    """From enough documents on it is told as a number."""
    for count in (2, 3, 5, 20, 200):
        values = {f"d{n}": float(n % 2) for n in range(count)}
        found = bounded({"a": values, "b": {id: 1.0 - value for id, value in values.items()}}, "best")
        (contrast,) = found.contrasts
        assert contrast.detectable is None or 0 < contrast.detectable <= 1
        assert (contrast.detectable is None) == ("however great" in as_text([found]))
