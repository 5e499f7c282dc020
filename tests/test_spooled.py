"""Files are scored a batch at a time, and nobody can tell."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kpframe as kp
from kpframe.evaluation import _counted
from kpframe.evaluation._sums import ExactSum
from kpframe.evaluation.predictions import Prediction, join
from kpframe.evaluation.spooled import join_spooled
from kpframe.evaluation.tallies import Tally, average
from kpframe.metrics.map import MeanAveragePrecision
from kpframe.metrics.soft_key_score import SoftKeyScore
from kpframe.model import Gold

pytestmark = pytest.mark.slow

IDS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)
SCORES = st.none() | st.just((0.5, 0.25))


@given(gold=IDS, predicted=IDS, texts=st.booleans(), missing=st.sampled_from(["zero", "skip", "error"]))
def test_a_join_on_disk_is_a_join(gold: list[str], predicted: list[str], texts: bool, missing: Any) -> None:
    """Property: whatever the order of the two sides; the same documents, ids and errors."""
    text = "a text" if texts else None
    records = [(id, (Gold((f"gold {id}", "x"), "author"),), text) for id in gold]
    found = [Prediction(id, (id, "é"), None, "its own", (0.5, 0.25)) for id in predicted]
    try:
        expected = join(records, found, missing=missing)
    except kp.DataError as error:
        problem = str(error)
        with pytest.raises(kp.DataError) as raised:
            join_spooled(records, found, missing=missing)
        assert str(raised.value) == problem
        return
    joined = join_spooled(records, found, missing=missing)
    for _ in range(2):  # they may be read again
        assert tuple(joined.pairs) == expected.pairs
    assert len(joined.pairs) == len(expected.pairs)
    assert joined.pairs.texts is all(pair.text is not None for pair in expected.pairs)
    assert joined.only_in_gold == expected.only_in_gold
    assert sorted(joined.only_in_predictions) == sorted(expected.only_in_predictions)


@given(st.lists(st.lists(st.floats(-1e9, 1e9) | st.integers(-9, 9), max_size=5), max_size=5))
def test_a_sum_by_parts_is_the_exact_sum(parts: list[list[float]]) -> None:
    """Property: as rounded once, however the numbers are parted."""
    total = ExactSum()
    for part in parts:
        total.add(part)
    assert total.value == math.fsum(number for part in parts for number in part)


def test_micro_sums_of_weights_do_not_depend_on_the_order() -> None:
    """.1 + .2 + .3 is not .3 + .2 + .1 unless it is summed exactly; and macro means are exact too."""
    tallies = [Tally((weight, 1.0, weight, 1.0), 1, 1) for weight in (0.1, 0.2, 0.3, 0.7, 1e-9)]
    metric = SoftKeyScore(average="micro")
    exact = math.fsum(one.counts[0] for one in tallies) / 5
    orders = [random.Random(seed).sample(tallies, 5) for seed in range(50)]
    assert {average(metric, order) for order in orders} == {average(metric, tallies)}
    assert average(SoftKeyScore(average="micro", of="precision"), tallies) == exact
    sums = [Tally((weight, 1), 1, 1) for weight in (0.1, 0.2, 0.3, 0.7, 1e-9)]
    assert average(MeanAveragePrecision(), sums) == math.fsum((0.1, 0.2, 0.3, 0.7, 1e-9)) / 5


def test_batches_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same scores with 1, 2 and all documents at a time, however many of them are counted together."""
    gold = {str(i): [f"net {i % 3}", "graph", "grid"] for i in range(7)}
    found = {str(i): ["grid", f"net {i % 2}", "owl"] for i in range(7)}
    options: dict[str, Any] = {"preset": "kpeval", "subset": "all"}
    whole = kp.score(gold, found, **options)
    for size, together in ((1, 1), (2, 100), (1000, 1), (1000, 2), (1000, 7)):
        monkeypatch.setattr(_counted, "_BATCH", size)
        monkeypatch.setattr(_counted, "_TOGETHER", together)
        assert kp.score(gold, found, **options) == whole


@pytest.mark.acceptance
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's figures of memory")
def test_memory_does_not_grow_with_what_documents_hold(tmp_path: Path) -> None:
    """30,000 documents of 40 MB, in the order of the gold and against it, in less than half of that more."""
    text = "Graphs and grids. " * 70
    file = tmp_path / "all.jsonl"
    with file.open("w") as out:
        for number in range(30_000):
            row = {"id": str(number), "gold": ["graphs"], "predicted": ["graphs", "grids"], "text": text}
            out.write(json.dumps(row) + "\n")
    turned = tmp_path / "turned.tsv"
    turned.write_text("".join(f"{number}\tgraphs;grids\n" for number in reversed(range(30_000))))
    for predictions in (file, turned):
        code = f"""
import re
from pathlib import Path
from kpframe.cli import main
def size(name):
    return int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
arguments = ["score", "--gold", {str(file)!r}, "--metric", "f1", "--predictions"]
small = Path({str(tmp_path / "small.jsonl")!r})
small.write_text(Path({str(file)!r}).open().readline())
main(["score", "--metric", "f1", "--predictions", str(small)])
before = size("VmHWM")
assert main([*arguments, {str(predictions)!r}]) == 0
print("grown", size("VmHWM") - before)
"""
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert int(done.stdout.rsplit(maxsplit=1)[-1]) < 20_000
