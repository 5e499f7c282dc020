"""Evaluations that went wrong in other tools, from end to end: each with the behaviour that is right.

Every test is named after its case, or stands behind the one that it is a neighbour of.
"""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest

import kpframe as kp
from kpframe.analysis.comparison import compare
from kpframe.cli import main
from kpframe.stages.registry import kinds

SET_MEASURES = ("precision", "recall", "f1", "max_recall", "precision@9", "recall@9")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written where the test runs."""
    monkeypatch.chdir(tmp_path)


def values(gold: Any, predicted: Any, **options: Any) -> dict[str, float | None]:
    """Values by metric."""
    return {score.metric: score.value for score in kp.score(gold, predicted, **options)}


def test_ev_order() -> None:
    """The right phrases in another order: set measures are the same for all of them."""
    gold = {"d": ["red kite", "heron", "stork"]}
    found = {
        tuple(values(gold, {"d": list(order)}, metrics=SET_MEASURES).values())
        for order in itertools.permutations(["heron", "owl", "red kite", "stork"])
    }
    assert len(found) == 1


def test_ranking_measures_see_the_order() -> None:
    """A neighbour: they would be of no use otherwise."""
    gold = {"d": ["heron"]}
    for metric in ("map", "mrr", "ndcg", "precision@1", "sadr", "pr_auc"):
        first, last = (
            values(gold, {"d": order}, metrics=[metric]) for order in (["heron", "owl"], ["owl", "heron"])
        )
        assert sum(map(float, first.values())) > sum(map(float, last.values()))  # type: ignore[arg-type]


@pytest.mark.parametrize("tokens", ["words", "blanks", "alphanumeric"])
@pytest.mark.parametrize("normalize", ["casefold", "porter", "snowball", "lancaster"])
def test_ev_one_normalizer(normalize: str, tokens: str) -> None:
    """Hyphens and digits: gold, prediction and text meet under every normalisation."""
    document = kp.Document(
        "d", "Every 2-Degenerate  graph has 3.5 colours.", gold=[kp.Gold(("2-degenerate graph",))]
    )
    matching = {"kind": "exact", "normalize": normalize, "tokens": tokens}
    for absent in ("drop", "split", "keep"):
        scores = kp.score([document], {"d": ["2‐degenerate Graph"]}, matching={**matching, "absent": absent})
        assert [score.value for score in scores] == [1.0]


def test_ev_empty_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    """No documents: a clear error and a status that is not 0, from files and from Python."""
    Path("gold.jsonl").write_text("")
    Path("predicted.jsonl").write_text("\n")
    arguments = ["score", "--gold", "gold.jsonl", "--predictions", "predicted.jsonl"]
    for more in ([], ["--preset", "kpeval"]):
        assert main([*arguments, *more]) == 2
        assert capsys.readouterr().err.startswith("error: ids: no document is in both")
    with pytest.raises(kp.DataError, match="no document is in both"):
        kp.score({}, {})


def test_ev_systems_order() -> None:
    """Two files in different order of documents: joined by id, and equal systems compare as equal."""
    gold = {"a": ["heron"], "b": ["stork", "owl"], "c": ["red kite"]}
    lists = {"a": ["heron"], "b": ["owl", "crane"], "c": ["kite"]}
    turned = dict(reversed(lists.items()))
    assert kp.score(gold, lists) == kp.score(gold, turned)
    (found,) = compare(
        scores={
            "one": {"a": 1.0, "b": 0.5, "c": 0.0},
            "other": {"c": 0.0, "a": 1.0, "b": 0.5},
        }
    )
    assert [row.p for row in found.contrasts] == [1.0]


def test_ev_ids_differ(capsys: pytest.CaptureFixture[str]) -> None:
    """An id that one side lacks: both are listed, and the policy is in the signature.

    The status is 1 where nobody said by --missing that it is known.
    """
    Path("gold.tsv").write_text("a\theron\nb\tstork\n")
    Path("predicted.tsv").write_text("b\tstork\nc\towl\n")
    arguments = ["score", "--gold", "gold.tsv", "--predictions", "predicted.tsv", "--metric", "recall"]
    wanted = {"empty": "0.5000", "skip": "1.0000"}
    for policy, value in wanted.items():
        assert main([*arguments, "--matching", "exact", "--missing", policy]) == 0
        out, err = capsys.readouterr()
        assert out.startswith(value) and f"|missing:{policy}|" in out
        assert "1 id only in the gold: a" in err and "1 id only in the predictions: c" in err
    assert main(arguments) == 1
    assert main([*arguments, "--missing", "refuse"]) == 2


def test_ev_macro_micro() -> None:
    """Documents with 1 and 10 gold keyphrases: .55 and 2/11, told apart by name and by signature."""
    gold = {"one": ["heron"], "ten": [f"bird {i}" for i in range(10)]}
    predicted = {"one": ["heron"], "ten": ["bird 0"]}
    scores = kp.score(
        gold, predicted, metrics=["recall", {"kind": "recall", "average": "micro"}], matching="exact"
    )
    assert [score.value for score in scores] == [pytest.approx(0.55), pytest.approx(2 / 11)]
    assert [score.metric for score in scores] == ["recall@M", "recall(average=micro)@M"]
    assert ["avg:macro" in score.signature for score in scores] == [True, False]


def test_ev_baseline_row() -> None:
    """The baseline is no hypothesis: it is left out of the correction, and nothing is NaN."""
    ids = [f"d{i}" for i in range(40)]
    base = {id: (i % 4) / 4 for i, id in enumerate(ids)}
    scores = {
        "base": base,
        "same": dict(base),
        "better": {id: min(1.0, value + 0.1) for id, value in base.items()},
        "gaps": {id: None if i < 5 else base[id] + 0.05 for i, id in enumerate(ids)},
    }
    (found,) = compare(scores=scores, baselines=["base"], correction="bonferroni")
    assert sorted(row.system for row in found.contrasts) == ["better", "gaps", "same"]
    for row in found.contrasts:
        assert math.isfinite(row.p)
        assert row.corrected_p == pytest.approx(min(1.0, 3 * row.p))
    assert "NaN" not in json.dumps(found.to_json())


@pytest.mark.parametrize("separator", [";", ",", "|", "/", "\t"])
def test_ev_separator(separator: str) -> None:
    """A gold keyphrase that contains what parts phrases elsewhere is kept whole in JSON."""
    phrase = f"heron{separator}stork"
    Path("gold.jsonl").write_text(json.dumps({"id": "a", "gold": [phrase]}) + "\n")
    Path("predicted.jsonl").write_text(json.dumps({"id": "a", "predicted": [phrase, "heron"]}) + "\n")
    assert values("gold.jsonl", "predicted.jsonl", metrics=["precision", "recall"]) == {
        "precision@M": 0.5,
        "recall@M": 1.0,
    }


@pytest.mark.parametrize("metric", kinds("metrics"))
def test_no_metric_is_ever_nan(metric: str) -> None:
    """A neighbour: nothing predicted, nothing to find, both, and a perfect list."""
    gold = {"a": ["heron"], "b": [], "c": [], "d": ["stork", "owl"]}
    predicted = {"a": [], "b": ["owl"], "c": [], "d": ["stork", "owl"]}
    for ids in ("a", "b", "c", "d", "abcd"):
        scores = kp.score({i: gold[i] for i in ids}, {i: predicted[i] for i in ids}, metrics=metric)
        assert all(score.value is None or math.isfinite(score.value) for score in scores)
