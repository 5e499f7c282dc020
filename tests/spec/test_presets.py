"""Single measures and families of conventions in a spec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kpframe.cli import main
from kpframe.errors import SpecError
from kpframe.evaluation.scoring import chosen_measures
from kpframe.model import Gold
from kpframe.spec import build
from kpframe.spec.measures import SUBSETS, load_preset, preset_names

CHAIN: dict[str, Any] = {
    "name": "m",
    "preprocessing": ["simple"],
    "candidates": "ngrams",
    "ranking": "frequency",
}


def columns(**more: Any) -> tuple[str, ...]:
    """The columns of a spec."""
    return build({**CHAIN, **more}, purpose="check").columns


def problems(**more: Any) -> list[str]:
    """All complaints about a spec."""
    with pytest.raises(SpecError) as caught:
        build({**CHAIN, **more}, purpose="check")
    return [str(problem) for problem in caught.value.problems]


def test_a_preset_takes_the_place_of_metrics() -> None:
    """One word, all columns of the family; what is written beside it is measured as well."""
    assert columns(preset="pke") == ("F@5/all", "F@10/all")
    assert columns(preset=["pke"], metrics=["recall"], matching=["exact"])[0] == "recall@M/exact"
    assert len(columns(preset=["zesch2009", "pke"])) == 6


def test_a_measure_has_a_name_a_metric_and_a_matching() -> None:
    """Named by itself, or by its metric and matching."""
    own = {"name": "F", "group": "soft", "metric": "f1@5", "matching": {"kind": "soft", "similarity": "kmr"}}
    assert columns(measures=[own, {"metric": "map", "matching": "exact"}]) == ("F/soft", "map@M/exact")


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.slow
def test_a_resolved_spec_needs_no_preset(name: str) -> None:
    """What a run writes down says every parameter, and builds the same measures."""
    spec = build({**CHAIN, "preset": name}, purpose="check")
    again = build(yaml.safe_load(spec.to_yaml()), purpose="check")
    assert "preset" not in spec.resolved
    assert again.measures == spec.measures


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"preset": "kpevall"}, "preset: preset 'kpevall' is not shipped; did you mean 'kpeval'?"),
        ({"measures": "f1"}, "measures: must be a list; of {name: …, metric: …, matching: …}"),
        (
            {"measures": [{"metric": "f1"}]},
            "measures.0: needs a metric and a matching; write {metric: f1@5, matching: exact}",
        ),
        (
            {"measures": [{"metric": "f1@5", "matching": "exact", "nam": "F"}]},
            "measures.0.nam: unknown key; did you mean 'name'?",
        ),
        (
            {"measures": [{"metric": "f1@5", "matching": "exact", "name": "a/b"}]},
            "measures.0: name and group must be words without a slash; as `name: f1@5`",
        ),
        (
            {"preset": ["pke", "pke"]},
            "preset: pke stands twice; name it once",
        ),
        (
            {"matching": {"kind": "soft", "similarity": "kmrr"}},
            "similarity: unknown kind 'kmrr'; did you mean 'kmr'?",
        ),
        (
            {"matching": {"kind": "soft", "similarity": {"kind": "kmr", "pads": "left"}}},
            "pads: unknown parameter; did you mean 'pad'?",
        ),
    ],
)
def test_a_mistake_is_told(more: dict[str, Any], message: str) -> None:
    """Place, problem, remedy."""
    assert any(message in problem for problem in problems(**more))


def test_the_default_preset_is_what_a_spec_measures_by_default() -> None:
    """R-precision under both matchings of the paper, with all their defaults."""
    preset = {m.column: m for m in load_preset("zesch2009").measures}
    spec = build({**CHAIN, "matching": ["exact", "approximate"], "metrics": ["r_precision"]}, purpose="check")
    for column, measure in spec.measures.items():
        assert (measure.metric, measure.matching) == (preset[column].metric, preset[column].matching)


def test_subsets_of_a_preset_can_be_chosen() -> None:
    """The others are left out; one that it does not have is told."""
    chosen = load_preset("kpeval").chosen(["present"])
    assert {measure.group for measure in chosen} == {"present"}
    with pytest.raises(SpecError, match="preset pke: has no measure for absent; leave the subset out"):
        load_preset("pke").chosen(["absent"])
    assert set(SUBSETS) == {"all", "present", "absent"}


@pytest.mark.parametrize("name", preset_names())
def test_without_texts_a_preset_has_what_needs_none(name: str) -> None:
    """Whatever is left can be scored; where nothing is, that is told."""
    preset = load_preset(name)
    if all(measure.matching.needs_text() for measure in preset.measures):
        with pytest.raises(SpecError, match="that needs no text; give documents with their text"):
            preset.chosen(texts=False)
        return
    for measure in preset.chosen(texts=False):
        measure.matching.match(["red kite"], [Gold(("red kite",))], None)


def test_presets_that_share_names_stand_side_by_side() -> None:
    """Each under its own name; a spec and `score` call them alike, and what was resolved is read again."""
    spec = build({**CHAIN, "preset": ["pke", "semeval2010"]}, purpose="check")
    assert list(spec.measures)[:2] == ["F@5/all (pke)", "F@10/all (pke)"]
    assert {"F@5/all (semeval2010)", "P@5/all", "F@15/all"} < spec.measures.keys()
    averages = {name: spec.measures[f"F@5/all ({name})"].metric.average for name in ("pke", "semeval2010")}
    assert averages == {"pke": "macro", "semeval2010": "micro"}
    chosen = chosen_measures(None, None, ["pke", "semeval2010"], texts=True)
    assert [measure.column for measure in chosen] == list(spec.measures)
    assert list(build(spec.resolved, purpose="check").measures) == list(spec.measures)


def test_a_measure_that_a_preset_has_too_stands_once() -> None:
    """Nothing is measured twice under two names; a preset that is named twice is told."""
    own = {
        "name": "F@5",
        "group": "all",
        **{k: load_preset("pke").measures[0].to_spec()[k] for k in ("metric", "matching")},
    }
    spec = build({**CHAIN, "measures": [own], "preset": "pke"}, purpose="check")
    assert list(spec.measures) == ["F@5/all", "F@10/all"]
    with pytest.raises(SpecError, match="preset: pke comes twice; name it once"):
        chosen_measures(None, None, ["pke", "pke"], texts=True)


def test_columns_of_one_kind_say_what_differs() -> None:
    """Whichever comes first: no name stands for one of two."""
    only, split = {"kind": "exact", "absent": "only"}, {"kind": "exact", "absent": "split"}
    for matching in ([only, split], [split, only]):
        spec = build({**CHAIN, "metrics": ["f1@5"], "matching": matching}, purpose="check")
        assert set(spec.measures) == {"f1@5/exact(absent=only)", "f1@5/exact(absent=split)"}


def test_a_preset_is_not_bent_by_options(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What would have no effect on it is refused."""
    file = tmp_path / "p.tsv"
    file.write_text("a\theron\n")
    arguments = ["score", "--gold", str(file), "--predictions", str(file), "--preset", "pke"]
    for option, value in (("matching", "exact"), ("normalize", "porter"), ("absent", "keep")):
        assert main([*arguments, f"--{option}", value]) == 2
        assert capsys.readouterr().err == (
            f"error: --{option}: has no effect on a preset, which sets all conventions; "
            "leave it out, or name a --metric that it is for\n"
        )


def test_a_check_asks_similarities_as_well(tmp_path: Path) -> None:
    """What a part of a stage lacks is told before any text is read."""
    lost = {"kind": "cosine", "corpus": str(tmp_path / "nowhere.txt")}
    found = problems(metrics=[{"kind": "soft_key_score", "similarity": lost}])
    assert any("nowhere.txt" in problem for problem in found)
