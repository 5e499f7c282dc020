"""One document through all cells: everything once, and each cell as if it were alone."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import engine_stages
import pytest
from engine_runs import SINGLE, corpus, outcome, run
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe import Document, Gold, Pipeline
from kpframe.engine.annotating import Preprocessing
from kpframe.engine.clock import StageClock
from kpframe.engine.outcome import Outcome
from kpframe.engine.tree import CellPlan, grown
from kpframe.engine.walk import walk
from kpframe.errors import DataError, ResourceError
from kpframe.matching._gold_index import gold_index
from kpframe.model import Keyphrases, Matches
from kpframe.runs.records import FailedDocument
from kpframe.stages import Postprocessor, registry

pytestmark = pytest.mark.slow

STEPS = {
    "merge": ["[merge_adjacent]", "[{kind: merge_adjacent, max_tokens: 2}]", "[]"],
    "rest": [
        "[{kind: stopwords, trim: both}, {kind: top, number: 3}]",
        "[{kind: top, number: 3}]",
        "[{kind: token_length, max: 2}]",
        "[]",
    ],
}


def chain(*steps: str) -> str:
    """Several lists of steps as one."""
    return "[" + ", ".join(inner for inner in (step[1:-1] for step in steps) if inner) + "]"


CHAINS = {f"p{i}": chain(*steps) for i, steps in enumerate(itertools.product(*STEPS.values()))}
GRID = (
    SINGLE.replace("ranking: frequency\n", "").replace("name: single", "name: grid")
    + "sweep:\n  ranking:\n    frequency: frequency\n    position: position\n  postprocessing:\n"
    + "".join(f"    {name}: {steps}\n" for name, steps in CHAINS.items())
)
"""24 cells, many of which end in the same lists."""


def cells_of(out: Path) -> dict[str, dict[str, bytes]]:
    """The files of every cell."""
    return {
        folder.name: {path.name: path.read_bytes() for path in folder.glob("*.jsonl")}
        for folder in (out / "cells").iterdir()
    }


def test_every_cell_of_a_grid_is_what_it_is_alone(tmp_path: Path) -> None:
    """Whatever it shares with others: lists, matches, losses."""
    documents = corpus(5)
    together = cells_of(run(tmp_path, GRID, documents).folder)
    assert len(together) == 24
    for ranking, (name, steps) in itertools.product(["frequency", "position"], CHAINS.items()):
        spec = SINGLE.replace("ranking: frequency", f"ranking: {ranking}\npostprocessing: {steps}")
        alone = cells_of(run(tmp_path / ranking / name, spec, documents).folder)
        (cell,) = [files for full, files in together.items() if set(full.split(".")) == {ranking, name}]
        assert alone["single"] == cell


PLAIN = ["preprocessing=[simple]", "candidates=tokens", "postprocessing=[merge_adjacent, stopwords]"]
"""Settings with which TextRank needs no language model."""


@pytest.mark.acceptance
@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["fast", "grid", "nets", "of", "the", "."]), max_size=20))
def test_a_pipeline_walks_as_an_experiment_does(words: list[str]) -> None:
    """Property: the same stages, whoever walks; and `extract` shows the last list."""
    pipeline = Pipeline.load("textrank", settings=PLAIN)
    document = Document("text", " ".join(words))
    ((_, annotated),) = pipeline.preprocessing.annotate([document])
    candidates = pipeline.configuration.selection.select(document, annotated.value)
    made = pipeline.ranker.rank(candidates)
    for step in pipeline.configuration.postprocessing:
        made = step.process(made)
    assert pipeline.extract(document.text) == made.public()
    assert pipeline.keyphrases(document, annotated.value).entries == made.entries


class Counting(Postprocessor):
    """Counts how often it is asked; adds `add` to all scores."""

    kind = "counting"
    add: float = 0.0
    calls: Any = None

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        CALLS[self.add] += 1
        return keyphrases.replaced(e._replace(score=e.score + self.add) for e in keyphrases)


CALLS: Counter[float] = Counter()


def walked(chains: list[list[Postprocessor]]) -> list[Outcome[Any]]:
    """A text walked through cells that differ in post-processing alone."""
    whole = Pipeline.load("textrank", settings=[*PLAIN, "ranking=frequency"])
    chosen, preprocessing = (
        whole.configuration,
        Preprocessing.of(whole.configuration.preprocessing, frozenset()),
    )
    cells = [
        CellPlan(str(n), preprocessing, chosen.selection, chosen.ranking, "", tuple(steps))
        for n, steps in enumerate(chains)
    ]
    document = Document("d", "fast grids and faster nets")
    ((document, annotated),) = preprocessing.annotate([document])
    tree = grown(cells, lambda cell: cell.ranking)
    found = dict(walk(document, annotated, tree[preprocessing]))
    return [found[str(n)] for n in range(len(chains))]


def test_a_step_meets_the_same_list_once() -> None:
    """Where another step changed nothing, too: `zero` hands on the same list in other objects."""
    zero, one, two = Counting(add=0), Counting(add=1), Counting(add=2)
    CALLS.clear()
    trails = [
        outcome.value for outcome in walked([[one], [zero, one], [zero, zero, one], [two, one], [one, two]])
    ]
    assert CALLS == {0: 1, 1: 2, 2: 2}
    assert trails[0][-1] is trails[1][-1] is trails[2][-1]
    assert trails[3][-1] is trails[4][-1]  # 1 + 2 = 2 + 1, and both are exact
    assert len({id(trail[0]) for trail in trails}) == 1


class Zero(Postprocessor):
    """Makes all scores zero, of one sign or the other."""

    kind = "zero"
    sign: float = 1.0

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        return keyphrases.replaced(e._replace(score=0.0 * self.sign) for e in keyphrases)


def test_lists_that_are_written_differently_are_different() -> None:
    """-0.0 equals 0.0, and is not written so: no cell may show the score of another."""
    plus, minus = walked([[Zero(sign=1.0)], [Zero(sign=-1.0)]])
    assert [str(e.score) for e in plus.value[-1]] == ["0.0"] * 5
    assert [str(e.score) for e in minus.value[-1]] == ["-0.0"] * 5


def test_a_stage_that_fails_is_asked_once_and_named_in_all_cells_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The cells beside it are whole."""
    one = Counting(add=1)

    class Failing(Postprocessor):
        kind = "failing"

        def process(self, keyphrases: Keyphrases) -> Keyphrases:
            CALLS[-1] += 1
            raise ValueError("no")

    CALLS.clear()
    outcomes = walked([[Failing()], [Failing(), one], [one, one], [one]])
    assert [outcome.failed for outcome in outcomes] == [True, True, False, False]
    assert [outcome.stage for outcome in outcomes[:2]] == ["postprocessing failing"] * 2
    assert CALLS[-1] == 1
    with pytest.raises(ValueError, match="no"):
        _ = outcomes[1].value


def test_lists_equal_in_content_are_matched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """24 cells, and all their lists on the way: the matching is asked once for each distinct list."""
    from kpframe.matching.exact import Exact

    asked: Counter[tuple[Any, ...]] = Counter()
    match = Exact.match

    def counted(self: Exact, predicted: Any, gold: Any, text: Any) -> Matches:
        asked[(tuple(predicted), gold, text)] += bool(predicted)
        return match(self, predicted, gold, text)

    monkeypatch.setattr(Exact, "match", counted)
    run(tmp_path, GRID, corpus(4))
    assert max(asked.values()) == 1
    assert len(asked) < 4 * 24


@pytest.mark.acceptance
def test_gold_is_made_ready_once_for_all_cells(tmp_path: Path) -> None:
    """However many documents there are: all cells meet the gold of one before that of the next."""
    gold_index.cache_clear()
    count = gold_index.cache_info().maxsize
    assert count is not None
    count += 20
    run(tmp_path, GRID, corpus(count, words=20))
    info = gold_index.cache_info()
    assert info.misses <= 2 * count  # what counts (also what is present), and all gold
    assert info.hits > 10 * info.misses / 2


def test_a_cleaned_text_is_matched_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells that clean texts and cells that do not share no match: what stands in the text differs."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    engine_stages.register()
    spec = """
name: cleaned
documents: {kind: jsonl, path: corpus.jsonl}
candidates: tokens
ranking: frequency
sweep:
  preprocessing:
    plain: [simple]
    clean: [{kind: dehyphenate}, simple]
reports: [json]
"""
    text = "Great net-\nworks learn. Networks learn."
    documents = [Document("d", text, gold=(Gold(("networks",)), Gold(("learn",)))), *corpus(2)]
    together = cells_of(run(tmp_path, spec, documents).folder)
    for name, steps in (("plain", "[simple]"), ("clean", "[{kind: dehyphenate}, simple]")):
        alone = run(tmp_path / name, SINGLE.replace("[simple]", steps), documents)
        assert cells_of(alone.folder)["single"] == together[name]
    assert outcome(tmp_path / "out")


def test_the_time_of_a_stage_counts_also_where_it_fails() -> None:
    """A stage that takes minutes to fail would else be in no log."""

    def fails(value: int) -> int:
        raise KeyError(value)

    clock = StageClock()
    assert clock.timed("ranking", str, 1) == "1"
    with pytest.raises(KeyError):
        clock.timed("candidates", fails, 2)
    assert clock.seconds.keys() == {"ranking", "candidates"}
    assert min(clock.seconds.values()) > 0.0


def test_an_outcome_tells_the_first_stage_that_failed() -> None:
    """Later ones are not asked."""
    asked: list[int] = []

    def fails(value: int) -> int:
        raise KeyError(value)

    made = Outcome(1).then("double", lambda value: 2 * value)
    assert made.value == 2 and not made.failed
    lost = made.then("second", fails).then("third", asked.append)
    assert (lost.failed, lost.stage, asked) == (True, "second", [])
    assert lost.failure("d") == FailedDocument("d", "second", "KeyError: 2")
    assert not lost.undecided
    assert Outcome.attempt("x", lambda: None).value is None


@pytest.mark.parametrize(
    ("error", "undecided"),
    [
        (MemoryError(), True),
        (OSError(2, "No such file"), True),
        (ResourceError.at("resource", "is missing"), True),
        (ValueError("odd"), False),
        (DataError.at("document", "is odd"), False),
    ],
)
def test_what_the_surroundings_lacked_is_no_result(error: Exception, undecided: bool) -> None:
    """Another run may have it; what a stage says of a document stays."""

    def failing() -> None:
        raise error

    assert Outcome.attempt("stage", failing).undecided is undecided
