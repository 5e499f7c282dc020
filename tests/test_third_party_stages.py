"""Stages that come from elsewhere: usable from a spec, with nothing of kpframe edited."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import ClassVar

import pytest
from pydantic import Field

import kpframe
from kpframe.model import Candidates, Document, Gold, Keyphrases, Matches
from kpframe.spec import build, json_schema
from kpframe.stages import Counts, Metric, Postprocessor, Ranking, registry
from kpframe.stages.registry import kinds, lookup

pytestmark = pytest.mark.slow


class Loudness(Ranking):
    """Ranks candidates by the number of their capital letters."""

    kind: ClassVar[str] = "loudness"

    times: int = Field(1, ge=1, description="What the count is multiplied by.")

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The loudest first."""
        capitals = [sum(letter.isupper() for letter in surface) for surface in candidates.surfaces]
        return Keyphrases.ranked(candidates, [self.times * count for count in capitals])


class Shortest(Postprocessor):
    """Keeps the shortest phrase alone."""

    kind: ClassVar[str] = "shortest"

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The first of the shortest."""
        return keyphrases.kept(sorted(keyphrases, key=lambda entry: len(entry.surface))[:1])


class Any1(Metric):
    """1 if anything was hit."""

    kind: ClassVar[str] = "any"

    def label(self) -> str:
        """The kind."""
        return "any"

    def count(self, matches: Matches) -> Counts:
        """Whether there is a hit, and 1."""
        return (int(any(hit >= 0 for hit in matches.hits)), 1)

    def value(self, counts: Counts) -> float:
        """The share of documents with a hit."""
        return counts[0] / counts[1]


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What these tests register is forgotten after each."""
    caches = (registry._declared, registry._entry_points, registry._load_entry_point)
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_a_decorated_class_is_a_kind() -> None:
    """Listed, found, and the decorator gives the class back."""
    assert kpframe.stage(Loudness) is Loudness
    assert "loudness" in kinds("ranking")
    assert lookup("ranking", "loudness") is Loudness
    assert "loudness" not in kinds("candidates")


def test_a_decorated_ranking_ranks_from_a_spec() -> None:
    """With its parameters checked as those of any other."""
    kpframe.stage(Loudness)
    kpframe.stage(Shortest)
    tree = {
        "name": "g",
        "preprocessing": ["simple"],
        "candidates": "tokens",
        "ranking": {"kind": "loudness", "times": 2},
    }
    pipeline = kpframe.Pipeline.of(build(tree, purpose="extract").configurations[0], None, {})
    assert [(k.text, k.score) for k in pipeline.extract("we saw NASA and Rome")][:2] == [
        ("NASA", 8.0),
        ("Rome", 2.0),
    ]
    with pytest.raises(kpframe.SpecError, match=r"ranking\.tims: unknown parameter; did you mean 'times'\?"):
        build({**tree, "ranking": {"kind": "loudness", "tims": 2}}, purpose="extract")
    shortest = build({**tree, "postprocessing": ["shortest"]}, purpose="extract").configurations[0]
    assert [k.text for k in kpframe.Pipeline.of(shortest, None, {}).extract("we saw NASA")] == ["we"]


def test_decorated_stages_take_part_in_an_experiment(tmp_path: Path) -> None:
    """Sweep, metric, cells and reports."""
    kpframe.stage(Loudness)
    kpframe.stage(Any1)
    spec = build(
        {
            "name": "g",
            "documents": {"kind": "jsonl", "resource": "corpora/demo"},
            "preprocessing": ["simple"],
            "candidates": "tokens",
            "sweep": {"ranking": {"loud": "loudness", "often": "frequency"}},
            "metrics": ["any"],
            "reports": ["json"],
        }
    )
    documents = [
        Document("1", "We saw NASA", gold=(Gold(("nasa",)),)),
        Document("2", "x", gold=(Gold(("x",)),)),
    ]
    run = kpframe.Experiment(spec).run(out=tmp_path / "run", cache=tmp_path / "cache", documents=documents)
    assert run.summary.value("loud", "any/exact") == 1.0
    assert [cell.name for cell in run.summary.cells] == ["loud", "often"]


def test_the_schema_knows_decorated_stages() -> None:
    """Editors complete them too."""
    kpframe.stage(Loudness)
    titles = [branch.get("title") for branch in json_schema()["$defs"]["ranking"]["anyOf"]]
    assert "loudness" in titles


def test_what_is_no_stage_is_refused() -> None:
    """With the remedy."""
    with pytest.raises(kpframe.SpecError) as caught:
        kpframe.stage(dict)  # type: ignore[type-var]
    assert (
        str(caught.value) == "dict: is not a stage; derive it from a base class in kpframe.stages, as Ranking"
    )


def test_a_kind_that_exists_cannot_be_taken() -> None:
    """Nobody's results change because a package was imported."""

    class Impostor(Ranking):
        kind: ClassVar[str] = "tfidf"

        def rank(self, candidates: Candidates) -> Keyphrases:
            return Keyphrases.ranked(candidates, [0.0] * len(candidates))

    with pytest.raises(kpframe.SpecError) as caught:
        kpframe.stage(Impostor)
    assert str(caught.value) == "Impostor: the kind 'tfidf' exists in ranking; choose another"


def test_the_same_class_can_be_registered_again() -> None:
    """As happens where a module is reloaded."""
    assert kpframe.stage(Loudness) is kpframe.stage(Loudness)


MODULE = '''
from typing import ClassVar
from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking
from pydantic import Field

class Length(Ranking):
    """Ranks by length."""

    kind: ClassVar[str] = "letters"

    weight: float = Field(1.0, gt=0, description="What the length is multiplied by.")

    def rank(self, candidates: Candidates) -> Keyphrases:
        return Keyphrases.ranked(candidates, [self.weight * len(s) for s in candidates.surfaces])

class NoStage:
    pass
'''


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *entries: str, module: str = MODULE) -> None:
    """A distribution as pip would leave it, with entry points in kpframe's group."""
    (folder / "kp_length_ranking.py").write_text(module)
    information = folder / "kp_length_ranking-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: kp-length-ranking\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("\n".join(["[kpframe.stages]", *entries, ""]))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "kp_length_ranking", raising=False)
    importlib.invalidate_caches()


def test_an_installed_package_brings_a_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its entry point; its module is imported only when the kind is used."""
    install(tmp_path, monkeypatch, "ranking.letters = kp_length_ranking:Length")
    assert "letters" in kinds("ranking")
    assert "kp_length_ranking" not in sys.modules
    spec = tmp_path / "own.yaml"
    spec.write_text(
        dedent(
            """\
            preprocessing: [simple]
            candidates: tokens
            ranking: {kind: letters, weight: 0.5}
            """
        )
    )
    pipeline = kpframe.Pipeline.load(spec)
    assert [(k.text, k.score) for k in pipeline.extract("a rather short text", top=1)] == [("rather", 3.0)]
    spec.write_text(spec.read_text().replace("0.5", "-1"))
    with pytest.raises(kpframe.SpecError, match=r"ranking\.weight: must be greater than 0"):
        kpframe.Pipeline.load(spec)


def test_a_package_that_cannot_be_imported_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And hurts only those who use its kind."""
    install(
        tmp_path,
        monkeypatch,
        "ranking.letters = kp_length_ranking:Length",
        module="import no_such_module_at_all\n",
    )
    assert lookup("ranking", "tfidf").kind == "tfidf"
    with pytest.raises(kpframe.SpecError) as caught:
        lookup("ranking", "letters")
    assert str(caught.value) == (
        "ranking: letters: the package that provides it cannot be imported (No module named "
        "'no_such_module_at_all'); repair or remove the package behind the entry point "
        "'kp_length_ranking:Length'"
    )


@pytest.mark.parametrize(
    "entry", ["ranking.letters = kp_length_ranking:NoStage", "metrics.letters = kp_length_ranking:Length"]
)
def test_an_entry_point_that_is_no_stage_of_its_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    """Whatever it is."""
    install(tmp_path, monkeypatch, entry)
    folder, _, target = entry.partition(".letters = ")
    with pytest.raises(kpframe.SpecError) as caught:
        lookup(folder, "letters")
    assert str(caught.value) == f"{folder}: letters: {target} is not a stage of this folder"


def test_a_kind_with_two_names_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The resolved spec would name one that nobody finds."""
    install(tmp_path, monkeypatch, "ranking.longest = kp_length_ranking:Length")
    with pytest.raises(kpframe.SpecError) as caught:
        lookup("ranking", "longest")
    assert str(caught.value) == (
        "ranking: longest: kp_length_ranking:Length calls itself 'letters'; "
        "set `kind: ClassVar[str] = 'longest'` in the class"
    )


def test_a_package_cannot_replace_a_kind_of_kpframe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped one is found first."""
    install(tmp_path, monkeypatch, "ranking.tfidf = kp_length_ranking:Length")
    assert lookup("ranking", "tfidf").__module__ == "kpframe.ranking.tfidf"


def test_a_package_cannot_take_the_name_of_a_shipped_kind_unnoticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The shipped one is used, and whoever asks for it is told that there is another."""
    install(tmp_path, monkeypatch, "ranking.tfidf = kp_length_ranking:Length")
    assert lookup("ranking", "tfidf").__module__ == "kpframe.ranking.tfidf"
    assert caplog.messages == [
        "the kind 'tfidf' of ranking is kpframe's own; kp_length_ranking:Length, which has the same name, "
        "is not used: it needs another"
    ]
