"""Where gold keyphrases are lost: every one is counted once, whatever the chain and the matching."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_runs import FIVE_MATCHINGS, GRID, HOSTILE, SINGLE, WORDS, a_run, corpus, document

import kpframe
from kpframe import DataError, Document, Gold
from kpframe.engine.losses import PARTS, Losses, first_hits, losses, numbered, whole_of
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.source import read_sources
from kpframe.model import Annotations, Matches, Phrase
from kpframe.preprocessing.simple import Simple
from kpframe.runs.codec import decode_cell, encode_cell
from kpframe.stages import registry

pytestmark = pytest.mark.slow

KEYPHRASES = tuple((Phrase((name,), name, name),) for name in "abcdef")


def matched(hits: list[int], kept: str = "abcdef") -> Matches:
    """Matches of a list whose phrases hit the kept gold keyphrases of these numbers, or none (-1)."""
    gold = tuple(keyphrase for keyphrase in KEYPHRASES if keyphrase[0].surface in kept)
    rules = tuple("exact" if hit >= 0 else "" for hit in hits)
    return Matches(tuple(hits), rules, len(gold), len(KEYPHRASES) - len(gold), keyphrases=gold)


def told(whole: Any, present: Any, lists: list[Matches], cut: int) -> Losses:
    """The losses along lists with these matches."""
    return losses(
        numbered(whole, present, lists[-1].keyphrases),
        lists[-1],
        [first_hits(matches) for matches in lists],
        cut,
    )


def test_each_gold_keyphrase_is_lost_where_it_was_last_seen() -> None:
    """a and c are found, c only by what a step made; b is pushed down, d ranked too low, e never
    seen, f not in the text."""
    ranked = matched([0, 1, 3])
    merged = matched([0, -1, 2, 1])
    final = matched([0, 2, 3, 1])
    found = told(KEYPHRASES, KEYPHRASES[:5], [ranked, merged, final], cut=2)
    assert found == Losses(
        documents=1,
        gold=6,
        not_in_text=1,
        left_out=0,
        never_proposed=1,
        ranked_too_low=1,
        lost_in_postprocessing=1,
        found=2,
        found_by_postprocessing=1,
    )


def test_what_a_step_removes_is_lost_there_if_it_would_have_counted() -> None:
    """b stood within the cut-off and is gone; d stood behind it, so that its ranking is to blame."""
    found = told(KEYPHRASES[:4], KEYPHRASES[:4], [matched([1, 0, 3], "abcd"), matched([0], "abcd")], cut=2)
    assert (found.found, found.lost_in_postprocessing, found.ranked_too_low) == (1, 1, 1)
    assert found.never_proposed == 1


def test_absent_gold_that_is_hit_counts_as_found() -> None:
    """As where all gold keyphrases count and a phrase has the right stems though the text has not."""
    found = told(KEYPHRASES, (), [matched([0])], cut=2)
    assert (found.found, found.not_in_text) == (1, 5)


def test_a_matching_for_absent_gold_leaves_out_what_is_in_the_text() -> None:
    """Only f is absent, and no phrase hits it."""
    found = told(KEYPHRASES, KEYPHRASES[:5], [matched([-1], "f")], cut=1)
    assert (found.left_out, found.not_in_text) == (5, 1)


def test_a_matching_that_does_not_tell_its_gold_is_counted_by_numbers() -> None:
    """Three count, of which one is hit, and two were dropped."""
    plain = Matches((2, -1), ("x", ""), gold=3, dropped=2)
    found = told((), (), [plain], cut=3)
    assert (found.gold, found.found, found.never_proposed, found.not_in_text) == (5, 1, 2, 2)


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, list[Matches], int]:
    """How many of the gold keyphrases are present, lists that hit some of the kept ones, a cut-off."""
    present = draw(st.integers(0, 6))
    kept = draw(st.sampled_from(["abcdef", "abcdef"[:present], "abcdef"[present:]]))
    numbers = st.integers(-1, max(-1, len(kept) - 1))
    hits = st.lists(numbers, max_size=8).map(_each_once)
    lists = draw(st.lists(hits, min_size=1, max_size=4))
    return present, [matched(one, kept) for one in lists], draw(st.integers(0, 8))


def _each_once(hits: list[int]) -> list[int]:
    return [hit if hit not in hits[:i] else -1 for i, hit in enumerate(hits)]


@given(cases())
def test_the_parts_add_up_to_all_gold(case: tuple[int, list[Matches], int]) -> None:
    """Whatever is kept, present, hit and cut; and what is found is what the last list says."""
    present, lists, cut = case
    found = told(KEYPHRASES, KEYPHRASES[:present], lists, cut)
    assert sum(getattr(found, part) for part in PARTS) == found.gold == len(KEYPHRASES)
    assert found.found == lists[-1].found_at(cut)
    assert 0 <= found.found_by_postprocessing <= found.found
    assert found.left_out == (0 if lists[-1].gold + present != 6 or lists[-1].gold == 6 else found.left_out)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid over odd texts; tests do not change it."""
    return a_run(tmp_path_factory.mktemp("waterfall"), corpus())


def assert_all_gold_is_told(run: Path, found: dict[str, Any]) -> None:
    """The parts of every cell add up to the gold that the run itself counted, kept and dropped."""
    labels = {column["label"] for column in found["columns"]}
    assert set(found["waterfall"]) == {row["name"] for row in found["systems"]}
    for name, cell in found["waterfall"].items():
        lines = (run / "cells" / name / "scores.jsonl").read_text(encoding="utf-8").splitlines()
        saved = [record for record in map(json.loads, lines) if "failure" not in record]
        assert set(cell) == labels
        for label in labels:
            matched = [record["matches"][label] for record in saved]
            everything = sum(one["gold"] + one["dropped"] for one in matched)
            assert sum(cell[label][part] for part in PARTS) == cell[label]["gold"] == everything
            assert cell[label]["documents"] == len(saved)


def test_in_every_cell_the_parts_add_up_to_all_gold(run: Path) -> None:
    """As the run counted it, whatever becomes of absent gold; and as it is in the documents."""
    assert_all_gold_is_told(run, collect([run]))


def test_gold_is_counted_as_the_documents_have_it(run: Path) -> None:
    """All gold keyphrases of the evaluated documents, counted by themselves, under every matching."""
    found = collect([run])
    source = read_sources([run])
    assert set(found["waterfall"]) == {row["name"] for row in found["systems"]}
    documents = source.runs[0].documents.values()
    for label, matching in source.matchings.items():
        everything = sum(len(whole_of(matching, document, document.text)) for document in documents)
        for cell in found["waterfall"].values():
            assert cell[label]["gold"] == everything > 0
            assert sum(cell[label][part] for part in PARTS) == everything
            assert cell[label]["documents"] == len(documents)


def test_what_is_found_is_what_the_run_has_counted(run: Path) -> None:
    """The counts of R-precision, cell by cell."""
    found = collect([run])
    labels = {column["name"]: column["label"] for column in found["columns"]}
    for name, cell in found["waterfall"].items():
        lines = (run / "cells" / name / "scores.jsonl").read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        for column, label in labels.items():
            if column.startswith("r_precision"):
                assert cell[label]["found"] == sum(record["counts"][column][0] for record in records)


def test_losses_are_told_over_all_documents(run: Path) -> None:
    """Not over a sample: the engine counts them while it evaluates."""
    found = collect([run])
    count = len(found["per_document"]["ids"])
    assert found["sampled"]["waterfall"] == {"shown": count, "of": count, "how": "all documents"}
    assert all(cell["exact"]["documents"] == count for cell in found["waterfall"].values())


def test_steps_say_what_they_removed_and_made(tmp_path: Path) -> None:
    """Five words; merging joins the two that are neighbours at each end, and makes the gold phrase."""
    text = "neural networks. ranking. deep learning"
    gold = (Gold(("neural networks",)), Gold(("deep",)), Gold(("ranking",)))
    run = a_run(tmp_path, [Document("d", text, gold=gold)], SINGLE)
    (step,) = collect([run])["steps"]["single"]
    assert step == {
        "kind": "merge_adjacent",
        "label": "merge_adjacent max_tokens=2 score=max places=first",
        "before": 5,
        "after": 3,
        "removed": 4,
        "made": 2,
        "removed_gold": 1,
        "made_gold": 1,
    }


def test_a_run_that_has_not_counted_says_so(tmp_path: Path) -> None:
    """As one of an earlier version, whose seals know of no losses; the page is there without them."""
    run = a_run(tmp_path, corpus())
    for path in run.glob("cells/*/losses.jsonl"):
        path.unlink()
        sealed = path.with_name("cell.json")
        record = decode_cell(sealed.read_text(encoding="utf-8"))
        files = {name: checksum for name, checksum in record.files.items() if name != path.name}
        sealed.write_text(encode_cell(replace(record, files=files)), encoding="utf-8")
    found = collect([run])
    assert found["waterfall"] == {} and found["steps"] == {} and found["sampled"]["waterfall"]["shown"] == 0
    assert (
        "out: where gold is lost was not counted when it was made; run the experiment again" in found["notes"]
    )


def test_losses_that_were_taken_away_are_damage_and_not_an_earlier_version(tmp_path: Path) -> None:
    """The seal of the cell says that they were there."""
    path = a_run(tmp_path, corpus(), SINGLE) / "cells" / "single" / "losses.jsonl"
    path.unlink()
    with pytest.raises(DataError) as error:
        collect([path.parents[2]])
    problem = "cannot be read (No such file or directory); run the experiment again"
    assert str(error.value) == f"{path}: {problem}"


def test_losses_at_another_cut_off_are_not_shown_as_those_at_this(tmp_path: Path) -> None:
    """The second run counted them at 5; beside the first, what is found counts at R."""
    first = a_run(tmp_path, corpus(), SINGLE, "first")
    other = SINGLE.replace("metrics: [r_precision]", "metrics: [precision@5, r_precision]")
    second = a_run(tmp_path, corpus(), other, "second")
    found = collect([first, second])
    assert set(found["waterfall"]["first/single"]) == {"exact", "approximate"}
    assert found["waterfall"]["second/single"] == {}
    assert "second: where gold is lost was counted at another cut-off (exact)" in found["notes"]


words = st.lists(st.sampled_from([*WORDS, "."]), min_size=0, max_size=12)
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
texts = st.tuples(words, st.lists(st.lists(phrases, min_size=1, max_size=2), max_size=4))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(texts, min_size=1, max_size=3))
def test_over_any_corpus_the_parts_add_up(drawn: list[tuple[list[str], list[list[str]]]]) -> None:
    """A run over drawn texts under five matchings, with a step that makes and one that removes much."""
    documents = [document(i, words, gold) for i, (words, gold) in enumerate(drawn)]
    spec = SINGLE.replace("matching: [exact, approximate]\n", FIVE_MATCHINGS).replace(
        "max_tokens: 2}", "max_tokens: 2}, {kind: top, number: 2}"
    )
    with tempfile.TemporaryDirectory() as folder:
        run = a_run(Path(folder), documents, spec)
        found = collect([run])
        assert_all_gold_is_told(run, found)


class Picky(Simple):
    """Fails for texts with mark-up."""

    kind = "picky"

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        if "<" in document.text:
            raise RuntimeError("no mark-up")
        return super().annotate(document, annotations)


def test_gold_of_documents_that_failed_is_in_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is in no average; that of all others is told."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    kpframe.stage(Picky)
    run = a_run(tmp_path, corpus(), GRID.replace("[simple]", "[picky]"))
    found = collect([run])
    assert [failure["id"] for failure in found["recipe"]["failures"]] == [HOSTILE.id]
    assert_all_gold_is_told(run, found)
