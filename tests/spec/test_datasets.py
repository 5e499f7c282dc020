"""One spec over many data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from kpframe.errors import SpecError
from kpframe.spec import DataSets, Spec, load_spec, load_specs

SHARED = """
name: many
preprocessing: [simple]
candidates: tokens
ranking: frequency
documents: {kind: jsonl, path: a.jsonl}
"""

TWO = (
    SHARED
    + """
datasets:
  first: {documents: {language: de}}
  second:
    {documents: {kind: text, path: texts}, split: {train: 1/2}, metrics: [f1@5], ranking: {kind: length}}
"""
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of each kind where the specs stand."""
    (tmp_path / "a.jsonl").write_text('{"text": "a b"}\n', encoding="utf-8")
    (tmp_path / "texts").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def many(text: str, *settings: str, only: tuple[str, ...] = ()) -> DataSets:
    """The spec with this text."""
    Path("many.yaml").write_text(text, encoding="utf-8")
    found = load_specs("many.yaml", settings=settings, only=only)
    assert isinstance(found, DataSets)
    return found


def test_a_data_set_is_laid_over_the_rest() -> None:
    """Mappings merge, another kind starts afresh, and what is not said is shared."""
    found = many(TWO)
    first, second = found.specs.values()
    assert found.names == ("first", "second") and (found.name, first.name) == ("many", "first")
    assert first.resolved["documents"]["language"] == "de"
    assert first.resolved["documents"]["path"].endswith("a.jsonl")
    assert second.resolved["documents"]["kind"] == "text" and second.split is not None and first.split is None
    assert [c.ranking.kind for s in (first, second) for c in s.configurations] == ["frequency", "length"]
    assert second.columns == ("f1@5/exact", "f1@5/approximate")


def test_a_data_set_may_be_the_name_of_a_spec() -> None:
    """Wherever the spec that names it is loaded from; its relative paths stay its own."""
    Path("sub").mkdir()
    Path("sub/one.yaml").write_text(
        "documents: {kind: jsonl, path: ../a.jsonl}\nmetrics: [f1@5]\n", encoding="utf-8"
    )
    found = many(SHARED + "datasets: {one: sub/one.yaml}\n")
    assert found.specs["one"].resolved["documents"]["path"].endswith("a.jsonl")
    assert found.specs["one"].columns == ("f1@5/exact", "f1@5/approximate")


def test_settings_are_for_all_data_sets_unless_they_name_one() -> None:
    """They win over what a data set says."""
    found = many(TWO, "ranking.kind=position", "datasets.second.save=3")
    assert [s.configurations[0].ranking.kind for s in found.specs.values()] == ["position", "position"]
    assert [s.save for s in found.specs.values()] == [1000, 3]


def test_some_of_the_data_sets_can_be_chosen() -> None:
    """And one that is not there is an error with those that are."""
    assert list(many(TWO, only=("second",)).specs) == ["second"]
    with pytest.raises(SpecError, match="--only third: is no data set; there are: first, second"):
        many(TWO, only=("third",))


@pytest.mark.parametrize(
    ("datasets", "told"),
    [
        ("datasets: {}", "must map names to data sets"),
        ("datasets: [a]", "must map names to data sets"),
        ("datasets: {a/b: {}}", "cannot name a folder"),
        ("datasets: {a: {}, A: {}}", "cannot name a folder"),
        ("datasets: {a: 3}", "must say what the data set has"),
        ("datasets: {a: nowhere.yaml}", "datasets.a"),
        ("datasets: {a: {extends: textrank}}", "extends: has no effect in a data set"),
        ("datasets: {a: {datasets: {}}}", "datasets: has no effect in a data set"),
        ("datasets: {a: {name: b}}", "name: has no effect in a data set"),
        ("datasets: {a: {rankng: tfidf}}", "did you mean 'ranking'"),
    ],
)
def test_mistakes_are_told_with_their_line(datasets: str, told: str) -> None:
    """That of the file in which the data set is written."""
    with pytest.raises(SpecError) as error:
        many(SHARED + datasets + "\n")
    assert told in str(error.value) and "many.yaml:7" in str(error.value)


def test_what_is_wrong_in_several_data_sets_is_told_of_all() -> None:
    """Each with the name of the data set."""
    with pytest.raises(SpecError) as error:
        many(SHARED + "datasets:\n  a: {ranking: {kind: nope}}\n  b: {metrics: [nope]}\n")
    assert "(data set a)" in str(error.value) and "(data set b)" in str(error.value)


def test_who_wants_one_spec_says_so() -> None:
    """`train` and the like know one corpus; `extract` needs none of them."""
    Path("many.yaml").write_text(TWO, encoding="utf-8")
    with pytest.raises(SpecError, match="several specs in one"):
        load_spec("many.yaml")
    assert load_spec("many.yaml", purpose="extract").configurations[0].ranking.kind == "frequency"
    Path("one.yaml").write_text(SHARED, encoding="utf-8")
    assert isinstance(load_specs("one.yaml"), Spec)
    with pytest.raises(SpecError, match="no data sets to choose from"):
        load_specs("one.yaml", only=("a",))


def test_what_is_set_for_one_data_set_is_laid_over_all_that_it_has() -> None:
    """Also over what is set for all, over what it shares with others, and over what a named spec says."""
    own = ("datasets.first.metrics.map=null", "datasets.first.metrics=[mrr, map]")
    found = many(TWO, *own, "metrics=[map]")
    assert [spec.columns for spec in found.specs.values()] == [
        ("mrr@M/exact", "mrr@M/approximate"),
        ("map@M/exact", "map@M/approximate"),
    ]
    Path("own.yaml").write_text("documents: {kind: text, path: texts}\n", encoding="utf-8")
    named = SHARED + "datasets: {first: own.yaml}\n"
    (spec,) = many(named, "datasets.first.documents.language=fr").specs.values()
    assert spec.resolved["documents"]["language"] == "fr"
    assert many(TWO, "datasets.second=null").names == ("first",)


@pytest.mark.parametrize(
    ("setting", "only", "told"),
    [
        ("datasets.frst.save=3", (), "frst is no data set; did you mean 'first'?"),
        ("datasets.frst=null", (), "datasets has no 'frst'; did you mean 'first'?"),
        ("datasets.first.save=3", ("second",), "has no effect: --only leaves first out; leave it out"),
        ("datasets.first.save=0", (), "(data set first): must be a whole number of at least 1"),
    ],
)
def test_a_setting_for_a_data_set_is_told(setting: str, only: tuple[str, ...], told: str) -> None:
    """A name that is none, one that is not wanted, a value that is wrong."""
    with pytest.raises(SpecError) as caught:
        many(TWO, setting, only=only)
    assert str(caught.value).startswith(f"--set {setting}: ")
    assert told in str(caught.value)
