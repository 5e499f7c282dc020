"""`--set path=value`: what the command line says wins over the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spec_files import loaded, problems

from kpframe.errors import SpecError
from kpframe.spec.settings import apply_settings
from kpframe.spec.strict_yaml import Positions


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Specs are written to an empty folder."""
    monkeypatch.chdir(tmp_path)


def changed(tree: dict[str, Any], *settings: str) -> dict[str, Any]:
    apply_settings(tree, Positions(), settings)
    return tree


def refused(tree: dict[str, Any], setting: str) -> str:
    with pytest.raises(SpecError) as caught:
        apply_settings(tree, Positions(), [setting])
    return str(caught.value)


def test_a_flag_wins_over_the_file() -> None:
    """And the resolved spec, which is saved with the results, says so."""
    spec = loaded(
        "candidates: tokens\nranking: frequency\npostprocessing: [{kind: top, number: 5}]\n",
        "postprocessing.top.number=10",
    )
    (top,) = spec.configurations[0].postprocessing
    assert (top.kind, dict(top)["number"]) == ("top", 10)
    assert spec.resolved["postprocessing"] == [top.to_spec()]
    assert "number: 10" in spec.to_yaml()


def test_of_two_flags_the_last_wins() -> None:
    """As everywhere on a command line."""
    assert changed({"save": 1}, "save=2", "save=3") == {"save": 3}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("a=3", 3),
        ("a=0.33", 0.33),
        ("a=true", True),
        ("a=no", "no"),
        ("a=", None),
        ("a=null", None),
        ("a=[noun, adjective]", ["noun", "adjective"]),
        ("a={kind: tfidf}", {"kind": "tfidf"}),
        ("a='3'", "3"),
        ("a=b=c", "b=c"),
        (" a =x", "x"),
    ],
)
def test_values_are_typed_as_in_yaml(setting: str, value: object) -> None:
    """Only the first equals sign parts path and value."""
    assert changed({}, setting) == {"a": value}


def test_a_path_leads_into_mappings_and_makes_them() -> None:
    """What is not there yet is added."""
    assert changed({"a": {"b": 1}}, "a.c.d=2") == {"a": {"b": 1, "c": {"d": 2}}}


def test_a_kind_alone_takes_parameters() -> None:
    """`ranking: cooccurrence` becomes a mapping."""
    assert changed({"ranking": "cooccurrence"}, "ranking.window=3") == {
        "ranking": {"kind": "cooccurrence", "window": 3}
    }


def test_an_element_of_a_list_is_named_by_its_kind_or_its_number() -> None:
    """Numbers count from 0, as places in errors do."""
    tree = {"postprocessing": [{"kind": "top", "number": 1}, "stopwords", "token_length"]}
    assert changed(
        tree,
        "postprocessing.0.number=2",
        "postprocessing.stopwords.trim=none",
        "postprocessing.2={kind: nested}",
    ) == {
        "postprocessing": [
            {"kind": "top", "number": 2},
            {"kind": "stopwords", "trim": "none"},
            {"kind": "nested"},
        ]
    }


def test_an_alternative_of_a_sweep_can_be_set() -> None:
    """By the names that the sweep gives."""
    spec = loaded(
        "candidates: tokens\nsweep: {ranking: {a: frequency, b: cooccurrence}}\n", "sweep.ranking.b.window=7"
    )
    assert [c.ranking.to_spec().get("window") for c in spec.configurations] == [None, 7]


@pytest.mark.parametrize("key", ["3", "-1", "²", "nested", "9" * 5000])
def test_an_element_that_is_not_there_is_told(key: str) -> None:
    """With those that are."""
    assert refused({"postprocessing": ["top", {"kind": "stopwords"}]}, f"postprocessing.{key}.x=1") == (
        f"--set postprocessing.{key}.x=1: postprocessing has no {key!r}; it has: top (0), stopwords (1)"
    )


@pytest.mark.parametrize("setting", ["ranking", "=3", " =3", ""])
def test_a_setting_has_a_path_and_a_value(setting: str) -> None:
    """Both are needed."""
    assert refused({}, setting) == (
        f"--set {setting}: is not of the form path=value; as in --set ranking.window=3"
    )


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("ranking..window", "behind ranking"),
        ("ranking.", "behind ranking"),
        (".ranking", "at its beginning"),
        (".", "at its beginning"),
        ("postprocessing.top. .number", "behind postprocessing.top"),
        ("datasets..ranking", "behind datasets"),
    ],
)
def test_a_path_has_no_empty_part(path: str, where: str) -> None:
    """It would be a key, a parameter or an element without a name."""
    assert refused({"ranking": "cooccurrence", "postprocessing": ["top"]}, f"{path}=3") == (
        f"--set {path}=3: the path has an empty part {where}; "
        "write one dot between two names, as in --set ranking.window=3"
    )


def test_a_number_has_no_parameters() -> None:
    """The path goes too deep."""
    assert (
        refused({"save": 3}, "save.x.y=1")
        == "--set save.x.y=1: save has no parameters below it; check the path"
    )


def test_a_mistake_is_told_with_the_option_as_its_place() -> None:
    """Not with the line of the file that it replaces."""
    text = "candidates: tokens\nranking: {kind: cooccurrence, window: 2}\n"
    (line,) = problems(text, settings=["ranking.window=1"])
    assert line.startswith("--set ranking.window=1: ranking.window: must be at least 2")
    assert problems(text, settings=["ranking.windw=3"]) == [
        "--set ranking.windw=3: ranking.windw: unknown parameter; did you mean 'window'?"
    ]
    assert problems(text, settings=["rankng=tfidf"]) == [
        "--set rankng=tfidf: rankng: unknown key; did you mean 'ranking'?"
    ]


def test_a_setting_may_use_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quoted from the shell it means the same as in a file."""
    monkeypatch.setenv("WHERE", "x")
    assert loaded("candidates: tokens\nranking: frequency\n", "description=${WHERE}").description == "x"


@pytest.mark.parametrize(
    "settings",
    [
        ("ranking.window=3", "ranking.kind=cooccurrence"),
        ("ranking.kind=cooccurrence", "ranking.window=3"),
        ("ranking.window=3", "ranking=cooccurrence"),
        ("ranking.window=3", "ranking={kind: cooccurrence}"),
    ],
)
def test_another_kind_never_loses_what_is_set_below_it(settings: tuple[str, ...]) -> None:
    """Whichever is said first."""
    made = changed({"ranking": {"kind": "tfidf", "idf": {"from": "file"}}}, *settings)
    assert made == {"ranking": {"kind": "cooccurrence", "window": 3}}


def test_of_two_kinds_the_last_wins() -> None:
    """Said as a box or as its kind."""
    for settings in (("ranking.kind=yake", "ranking=rake"), ("ranking=yake", "ranking.kind=rake")):
        (made,) = changed({"ranking": "tfidf"}, *settings).values()
        assert made in ("rake", {"kind": "rake"})


def test_what_is_said_twice_in_two_ways_is_refused() -> None:
    """The last may be meant, or the more precise one."""
    with pytest.raises(SpecError) as caught:
        changed({}, "ranking.window=3", "ranking={kind: cooccurrence, window: 5}")
    assert str(caught.value) == (
        "--set ranking.window=3: ranking.window stands in --set ranking={kind: cooccurrence, window: 5} too; "
        "leave it out of one of the two"
    )
    made = changed({}, "ranking={kind: cooccurrence, window: 5}", "ranking.window=3")
    assert made == {"ranking": {"kind": "cooccurrence", "window": 3}}


@pytest.mark.parametrize(
    ("spec", "name", "hint"),
    [
        ("ranking: cooccurrence", "ranking.windw", "did you mean 'window'?"),
        (
            "ranking: tfidf",
            "ranking.windw",
            "tfidf takes: over, combine, tf, idf, kind; "
            "'window' is a parameter of collabrank, cooccurrence, expandrank, word_graph, yake",
        ),
        ("ranking: tfidf", "ranking.form", "did you mean 'idf.form'?"),
        ("ranking: {kind: tfidf, idf: {from: collection}}", "ranking.idf.frm", "did you mean 'from'?"),
        (
            "ranking: {kind: by_length, bound: 9, below: length, above: cooccurrence}",
            "ranking.windw",
            "did you mean 'above.window'?",
        ),
        (
            "ranking: {kind: by_length, bound: 9, below: length, above: cooccurrence}",
            "ranking.above.windw",
            "did you mean 'window'?",
        ),
        ("ranking: tfidf", "ranking.qqq", "tfidf takes: over, combine, tf, idf, kind"),
    ],
)
def test_an_unknown_parameter_is_looked_for_where_it_may_be(spec: str, name: str, hint: str) -> None:
    """In the stage, in what it is given, in the other kinds of its box: a pipeline's ranking is not known
    to who uses it."""
    problem, *_ = problems(f"candidates: tokens\n{spec}\n", settings=[f"{name}=3"])
    assert problem == f"--set {name}=3: {name}: unknown parameter; {hint}"
