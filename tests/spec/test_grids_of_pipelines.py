"""`baselines` and `supervised` hold the pipelines that are shipped by themselves, as they are."""

from __future__ import annotations

from functools import cache

import pytest

from kpframe.engine.pipeline import Pipeline
from kpframe.files.resources import shipped_specs
from kpframe.spec import Configuration, Spec, load_spec

GRIDS = ("baselines", "supervised")
BESIDES = {
    "any-language": "what to take where there is no language model, not a competitor",
    "noun-phrases": "other noun phrases than those of all other rows, in the same order as first-phrases",
    "random": "no pipeline by itself: nobody wants its keyphrases",
}
"""Pipelines that are in one place only, and why."""


@cache
def spec(name: str) -> Spec:
    """A shipped spec."""
    return load_spec(name, purpose="extract")


def singles() -> list[str]:
    """The shipped pipelines: one configuration each."""
    names = [name for name in shipped_specs() if not name.endswith("-base") and not name.startswith("zesch")]
    return [name for name in names if name not in (*GRIDS, "quickstart", "languages-grid")]


def chain(configuration: Configuration) -> dict[str, object]:
    """The chain; of preprocessing only what runs, which is what the rest needs."""
    cleaned = configuration.to_spec()
    needed = configuration.required()
    steps = configuration.preprocessing
    cleaned["preprocessing"] = [
        step.to_spec() for step in steps if not step.provides() or step.provides() & needed
    ]
    return cleaned


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.slow
def test_each_system_of_a_grid_is_the_pipeline_of_its_name(grid: str) -> None:
    """The same stages with the same parameters."""
    for configuration in spec(grid).configurations:
        if configuration.name in BESIDES:
            continue
        (alone,) = spec(configuration.name).configurations
        assert chain(configuration) == chain(alone), configuration.name


@pytest.mark.slow
def test_every_pipeline_is_in_a_grid() -> None:
    """What learns from gold in `supervised`, all others in `baselines`."""
    for name in singles():
        if name in BESIDES:
            continue
        (alone,) = spec(name).configurations
        grid = "supervised" if alone.ranking.fits_on() == "training" else "baselines"
        assert name in [configuration.name for configuration in spec(grid).configurations], name


def test_baselines_say_which_pipelines_are_not_among_them() -> None:
    """Shipped pipelines that need no gold, less those that its description names."""
    said = " ".join(str(spec("baselines").resolved["description"]).split())
    able = [name for name in singles() if spec(name).configurations[0].ranking.fits_on() != "training"]
    missing = sorted(set(able) - {configuration.name for configuration in spec("baselines").configurations})
    assert f"All shipped pipelines that need no gold, but for {' and '.join(missing)}, side by side" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rake", "kpminer", "keybert", "yake"])
def test_no_number_is_a_keyphrase_of_its_own(name: str) -> None:
    """Dates and telephone numbers of a mail stood first with rake."""
    text = "On 3 Mar 2025 09:12:44 the harbour office wrote. Call 49 30 1234567 for the ferry schedule."
    settings = ["ranking.idf.from=none", "ranking.least_frequency=1"] if name == "kpminer" else []
    found = Pipeline.load(name, settings=settings).extract(text)
    ends = [end for one in found for end in (one.text.split()[0], one.text.split()[-1])]
    assert ends and all(any(map(str.isalpha, end)) for end in ends)
