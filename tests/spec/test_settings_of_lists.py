"""`--set` into lists and boxes: what takes a stage out, what is not there, and where a value came from."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from spec_files import problems
from test_settings import changed, refused

from kpframe.errors import SpecError
from kpframe.spec import DataSets, load_specs


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Specs are written to an empty folder."""
    monkeypatch.chdir(tmp_path)


# --- what is taken out, and what a box has that is not written as a list -----------------------------

STEPS: list[Any] = [
    "nested",
    {"kind": "top", "number": 5},
    {"kind": "stopwords", "trim": "both"},
    "token_length",
]


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        (["postprocessing.nested=null"], STEPS[1:]),
        (["postprocessing.top="], [STEPS[0], *STEPS[2:]]),
        (["postprocessing.stopwords=null"], [*STEPS[:2], STEPS[3]]),
        (["postprocessing.3=null"], STEPS[:3]),
        (["postprocessing.0=null", "postprocessing.1=null"], STEPS[2:]),
        (["postprocessing.1=null", "postprocessing.0=null"], STEPS[2:]),
        (["postprocessing.0=null", "postprocessing.1.number=7"], [{"kind": "top", "number": 7}, *STEPS[2:]]),
        ([f"postprocessing.{number}=null" for number in range(4)], []),
    ],
)
def test_null_takes_a_stage_out_of_its_list(settings: list[str], left: list[Any]) -> None:
    """By kind in every form, or by number; numbers are those of the spec whatever else is taken out."""
    written = deepcopy(STEPS)
    written[2] = {"stopwords": {"trim": "both"}}
    assert changed({"postprocessing": written}, *settings) == {"postprocessing": left}


@pytest.mark.parametrize(
    ("tree", "setting", "left"),
    [
        ({"preprocessing": ["html", "simple"]}, "preprocessing.html=null", {"preprocessing": ["simple"]}),
        ({"metrics": ["f1@5", "f1@10"]}, "metrics.f1@5=null", {"metrics": ["f1@10"]}),
        ({"metrics": ["map", "f1@10"]}, "metrics.f1=null", {"metrics": ["map"]}),
        ({}, "reports.latex=null", {"reports": ["console", "csv", "json", "markdown"]}),
        ({}, "matching.exact=null", {"matching": ["approximate"]}),
        ({"matching": "exact"}, "matching.exact=null", {"matching": []}),
        ({"systems": {"a": {}, "b": {}}}, "systems.a=null", {"systems": {"b": {}}}),
        (
            {"sweep": {"ranking": {"a": "kea", "b": "rake"}}},
            "sweep.ranking.a=null",
            {"sweep": {"ranking": {"b": "rake"}}},
        ),
        ({"sweep": {"ranking": {"a": "kea"}}}, "sweep.ranking=null", {"sweep": {}}),
        (
            {"candidates": {"pos": ["noun", "verb"]}},
            "candidates.pos.verb=null",
            {"candidates": {"pos": ["noun"]}},
        ),
        ({"ranking": {"kind": "tfidf"}}, "ranking=null", {"ranking": None}),
        (
            {"systems": {"a": {"postprocessing": ["top", "nested"]}}},
            "systems.a.postprocessing.top=null",
            {"systems": {"a": {"postprocessing": ["nested"]}}},
        ),
    ],
)
def test_null_takes_away_in_every_list_and_by_every_name(
    tree: dict[str, Any], setting: str, left: dict[str, Any]
) -> None:
    """Also of what a box has without a word; a parameter, and a box that has one stage, is null then."""
    assert changed(tree, setting) == left


@pytest.mark.parametrize(
    ("tree", "setting", "message"),
    [
        (
            {"postprocessing": ["parts", "top"]},
            "postprocessing.partz=null",
            "postprocessing has no 'partz'; did you mean 'parts'?",
        ),
        (
            {"postprocessing": ["parts", "top"]},
            "postprocessing.2=null",
            "postprocessing has no '2'; it has: parts (0), top (1)",
        ),
        (
            {},
            "postprocessing.top=null",
            "postprocessing has no 'top'; it is empty; give all of it, as --set postprocessing=…",
        ),
        ({}, "metrics.f1@10=null", "metrics has no 'f1@10'; it has: r_precision (0)"),
        (
            {"preset": "kpeval"},
            "metrics.map=null",
            "metrics has no 'map'; it is empty; give all of it, as --set metrics=…",
        ),
        (
            {"metrics": ["f1@5", {"kind": "f1", "k": 10}]},
            "metrics.f1=null",
            "f1 stands 2 times; name it by its number: 0 or 1",
        ),
        (
            {"metrics": ["f1@5", "f1@10"]},
            "metrics.f1.average=micro",
            "f1 stands 2 times; name it by its number: 0 or 1",
        ),
        ({"systems": {"kea": {}}}, "systems.kae=null", "systems has no 'kae'; did you mean 'kea'?"),
        (
            {"sweep": {"ranking": {"kea": "kea"}}},
            "sweep.ranking.kae=null",
            "sweep.ranking has no 'kae'; did you mean 'kea'?",
        ),
        ({"matching": "exact"}, "matching.soft=null", "matching has no 'soft'; it has: exact (0)"),
    ],
)
def test_what_is_not_there_cannot_be_taken_out(tree: dict[str, Any], setting: str, message: str) -> None:
    """With what is there; of several of a kind nobody knows which is meant."""
    assert refused(tree, setting) == f"--set {setting}: {message}"


def test_what_is_taken_out_has_no_parameters() -> None:
    """One of the two was a mistake."""
    with pytest.raises(SpecError) as caught:
        changed({"postprocessing": ["top"]}, "postprocessing.top.number=3", "postprocessing.top=null")
    assert str(caught.value) == (
        "--set postprocessing.top.number=3: top is taken out by --set postprocessing.top=null; "
        "leave one of the two out"
    )


def test_a_box_with_one_stage_takes_its_parameters() -> None:
    """Written as a list or not, said or not."""
    for tree in ({"matching": "exact"}, {"matching": ["exact"]}, {"matching": {"exact": None}}):
        made = {"matching": [{"kind": "exact", "absent": "keep"}]}
        assert changed(dict(tree), "matching.exact.absent=keep") == made
    assert changed({"matching": "exact"}, "matching.absent=keep") == {
        "matching": [{"kind": "exact", "absent": "keep"}]
    }
    assert changed({}, "preprocessing.model=x") == {"preprocessing": [{"kind": "tokenize", "model": "x"}]}


def test_a_default_list_keeps_what_is_not_named() -> None:
    """`--set reports.latex.siunitx=true` is no run without a csv."""
    made = changed({}, "reports.latex.siunitx=true")["reports"]
    assert made == ["console", "csv", "json", "markdown", {"kind": "latex", "siunitx": True}]
    tree = {"postprocessing": ["top"], "systems": {"a": {"ranking": "kea"}}}
    assert changed(tree, "systems.a.postprocessing.top.number=3")["systems"]["a"] == {
        "ranking": "kea",
        "postprocessing": [{"kind": "top", "number": 3}],
    }


def test_places_follow_what_moves_up() -> None:
    """The line of a stage is its line, whatever is taken out before it."""
    text = "candidates: tokens\nranking: frequency\npostprocessing:\n- nested\n- {kind: top, number: 0}\n"
    (line,) = problems(text, settings=["postprocessing.nested=null"])
    assert line.startswith("grid.yaml:5: postprocessing.0.number: must be at least 1")


# --- names and numbers are those of the spec ---------------------------------------------------------


@pytest.mark.parametrize("number", ["00", "01", "-0", "+1", " 1", "１", "1_0", "0x1"])
@pytest.mark.parametrize("end", ["=nested", ".number=3", "=null"])
def test_a_number_is_written_in_one_way(number: str, end: str) -> None:
    """Whatever else Python would read as a number is none, in a box that is its default too."""
    tree = {"postprocessing": ["top", "stopwords"]}
    found = refused(tree, f"postprocessing.{number}{end}")
    assert found.endswith(f": postprocessing has no {number!r}; it has: top (0), stopwords (1)")
    found = refused({}, f"preprocessing.{number}{end}")
    assert found.endswith(f": preprocessing has no {number!r}; it has: tokenize (0)")


@pytest.mark.parametrize(
    ("tree", "settings", "made"),
    [
        (
            ["simple", "lemmatize", "chunk"],
            ["simple=tokenize", "lemmatize=simple"],
            ["tokenize", "simple", "chunk"],
        ),
        (["simple", "lemmatize"], ["simple=lemmatize", "lemmatize=simple"], ["lemmatize", "simple"]),
        (["simple", "lemmatize"], ["simple.kind=lemmatize", "1=simple"], [{"kind": "lemmatize"}, "simple"]),
        (["simple", "pos"], ["simple=null", "pos=simple"], ["simple"]),
        (
            ["simple", "pos"],
            ["simple=tokenize", "tokenize.model=x"],
            [{"kind": "tokenize", "model": "x"}, "pos"],
        ),
        (["simple", "pos"], ["simple=tokenize", "0.model=x"], [{"kind": "tokenize", "model": "x"}, "pos"]),
        ("simple", ["model=x", "simple=tokenize"], [{"kind": "tokenize", "model": "x"}]),
        (None, ["model=x", "0=lemmatize"], [{"kind": "lemmatize", "model": "x"}]),
    ],
)
def test_names_are_those_of_the_spec_in_either_order(tree: Any, settings: list[str], made: list[Any]) -> None:
    """Two settings that exchange stages do not get into each other's way."""
    for given in (settings, settings[::-1]):
        spec = {} if tree is None else {"preprocessing": deepcopy(tree)}
        assert changed(spec, *[f"preprocessing.{one}" for one in given]) == {"preprocessing": made}


def test_of_two_that_replace_one_element_the_last_wins() -> None:
    """As everywhere; a measure keeps the name under which it is written."""
    settings = ("preprocessing.simple=tokenize", "preprocessing.simple=lemmatize")
    assert changed({"preprocessing": ["simple"]}, *settings) == {"preprocessing": ["lemmatize"]}
    made = changed({"metrics": ["f1@5", "f1@10"]}, "metrics.f1@10.average=micro", "metrics.f1@10.k=3")
    assert made == {"metrics": ["f1@5", {"kind": "f1@10", "average": "micro", "k": 3}]}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            ["simple.model=x", "simple=tokenize"],
            "--set preprocessing.simple.model=x: simple is replaced by --set preprocessing.simple=tokenize; "
            "name what stands there then, tokenize, or leave one of the two out",
        ),
        (
            ["simple.model=x", "simple.kind=tokenize"],
            "--set preprocessing.simple.model=x: simple is replaced by --set "
            "preprocessing.simple.kind=tokenize; name what stands there then, tokenize, or leave one of "
            "the two out",
        ),
        (
            ["simple=tokenize", "lemmatize=simple", "simple.model=x"],
            "--set preprocessing.simple.model=x: simple stands 2 times; name it by its number: 0 or 1",
        ),
        (
            ["simple=tokenize", "tokenize=lemmatize"],
            "--set preprocessing.tokenize=lemmatize: preprocessing has no 'tokenize'; "
            "it has: simple (0), lemmatize (1)",
        ),
    ],
)
def test_a_name_that_could_be_another_then_is_refused(settings: list[str], message: str) -> None:
    """In whatever order they are said."""
    for given in (settings, settings[::-1]):
        with pytest.raises(SpecError) as caught:
            changed({"preprocessing": ["simple", "lemmatize"]}, *[f"preprocessing.{one}" for one in given])
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("postprocessing.top.number=3", "postprocessing=[nested, {kind: top, number: 5}]"),
        ("postprocessing.1.number=3", "postprocessing=[nested, {kind: top, number: 5}]"),
    ],
)
def test_a_list_that_is_said_later_must_not_hold_what_is_said_before(first: str, later: str) -> None:
    """Which of the two is meant, nobody knows; but what is taken out is, of any list."""
    with pytest.raises(SpecError) as caught:
        changed({"postprocessing": ["top"]}, first, later)
    path = first.partition("=")[0]
    assert str(caught.value) == (
        f"--set {first}: {path} stands in --set {later} too; leave it out of one of the two"
    )
    assert changed({}, first.replace(".number=3", "=null"), later) == {"postprocessing": ["nested"]}


def test_numbers_in_a_data_set_are_those_of_the_spec_too() -> None:
    """What is taken out for all does not move what is set for one."""
    text = "candidates: tokens\nranking: frequency\ndatasets: {a: {documents: {kind: text, path: .}}}\n"
    Path("own.yaml").write_text(text + "postprocessing: [nested, top]\n", encoding="utf-8")
    settings = ["postprocessing.0=null", "datasets.a.postprocessing.1.number=3"]
    found = load_specs("own.yaml", settings=settings, purpose="check")
    assert isinstance(found, DataSets)
    (top,) = found.specs["a"].configurations[0].postprocessing
    assert (top.kind, dict(top)["number"]) == ("top", 3)


# --- where a value came from -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "setting", "start"),
    [
        ("ranking: tfidf", "ranking.idf.from=x", "--set ranking.idf.from=x: ranking.idf.from: must be"),
        (
            "ranking: tfidf",
            "ranking.idf.from=file",
            "--set ranking.idf.from=file: ranking.idf: ",
        ),
        (
            "ranking: {tfidf: {idf: {from: none}}}",
            "ranking.idf.from=x",
            "--set ranking.idf.from=x: ranking.idf.from: ",
        ),
        (
            "ranking: {kind: by_length}",
            "ranking.above=nope",
            "--set ranking.above=nope: ranking.above: unknown",
        ),
        (
            "ranking: {kind: by_length, above: cooccurrence}",
            "ranking.above.window=1",
            "--set ranking.above.window=1: ranking.above.window: must be",
        ),
        (
            "ranking: {kind: by_length, above: tfidf}",
            "ranking.above.idf.form=x",
            "--set ranking.above.idf.form=x: ",
        ),
        (
            "ranking: rake\nmatching: exact",
            "matching.absent=x",
            "--set matching.absent=x: matching.0.absent: must be",
        ),
        ("ranking: rake\nmatching: exact", "matching.exact.absent=x", "--set matching.exact.absent=x: "),
        (
            "ranking: rake",
            "reports.latex.siunitx=x",
            "--set reports.latex.siunitx=x: reports.4.siunitx: must be",
        ),
        (
            "ranking: rake\npostprocessing: {kind: token_length, min: 3}",
            "postprocessing.max=2",
            "grid.yaml:3 and --set postprocessing.max=2: postprocessing.0: min 3 is greater than max 2",
        ),
    ],
)
def test_a_value_that_was_set_is_told_with_its_setting(text: str, setting: str, start: str) -> None:
    """At any depth; where several values do not go together, with both places."""
    (line,) = problems(f"candidates: tokens\n{text}\n", settings=[setting])
    assert line.startswith(start)


def test_a_mapping_that_a_setting_makes_came_from_the_setting() -> None:
    """What it lacks is told with the setting, and each setting once."""
    text = "candidates: tokens\nranking: frequency\n"
    found = problems(text, settings=["reference.path=x.csv"])
    assert [line.partition(": is missing")[0] for line in found] == [
        "--set reference.path=x.csv: reference.columns",
        "--set reference.path=x.csv: reference.source",
    ]
    (line,) = problems(text + "matching: exact\n", settings=["matching.exact=null"])
    assert line.startswith("grid.yaml:3 and --set matching.exact=null: matching: is empty")


def test_what_is_extended_cannot_be_set() -> None:
    """It is read before: nothing would come of it."""
    assert refused({"ranking": "kea"}, "extends=textrank") == (
        "--set extends=textrank: has no effect: what is extended is read before anything is set; "
        "name it in the file"
    )


def test_a_folder_that_nothing_refers_to_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """As of `kpframe run SPEC --data DIR`."""
    Path("own.yaml").write_text("candidates: tokens\nranking: frequency\n", encoding="utf-8")
    load_specs("own.yaml", data="nowhere", purpose="check")
    assert caplog.messages == [
        "the folder of the corpora has no effect: nothing in own.yaml refers to ${KPFRAME_DATA}"
    ]
