"""The contract of stages, tried on every registered stage, whatever it does.

A new kind is tried without any change here; one that cannot be made by its defaults and with paths gives an
`example` of its parameters.
"""

from __future__ import annotations

import importlib
import inspect
import json
import math
import pickle
from itertools import product
from pathlib import Path
from typing import Any
from unicodedata import category

import numpy as np
import pytest
from contract_cases import (
    GOLD,
    TEXTS,
    about,
    all_stages,
    annotated,
    candidates,
    forms,
    needed,
    preprocessed,
    ranked,
    stage,
    stages_of,
)
from families import every
from pydantic import BaseModel, ValidationError

from kpframe.errors import DataError
from kpframe.model import Annotations, Candidates, Gold, Keyphrases, Matches, Score
from kpframe.model.folding import plain
from kpframe.model.summary import Cell, Summary
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Positions
from kpframe.stages import FOLDERS, Annotator, Cleaner, Matching, Stage
from kpframe.stages.registry import kinds, lookup

pytestmark = pytest.mark.slow

every_stage = every(("folder", "kind"), all_stages())


# --- parameters -------------------------------------------------------------------------------------


@every_stage
def test_a_stage_can_be_made(folder: str, kind: str) -> None:
    """By its defaults, its example, and paths."""
    cls = lookup(folder, kind)
    try:
        cls.model_validate(needed(folder, kind))
    except ValidationError as error:
        pytest.fail(f"{folder}/{kind} needs parameters: say them in its `example`\n{error}")


@every_stage
def test_an_example_says_no_more_than_is_needed(folder: str, kind: str) -> None:
    """Without any one of its parameters the stage is refused."""
    cls = lookup(folder, kind)
    for name in cls.example:
        less = {key: value for key, value in needed(folder, kind).items() if key != name}
        with pytest.raises(ValidationError):
            cls.model_validate(less)


@every_stage
def test_a_stage_says_what_it_is(folder: str, kind: str) -> None:
    """A docstring with one sentence first, a source, and every parameter described."""
    cls = lookup(folder, kind)
    headline = (cls.__doc__ or "").partition("\n\n")[0].strip()
    assert headline.endswith((".", ":", ";"))
    assert cls.source
    assert (cls.folder, cls.kind) == (folder, kind)
    undescribed = [
        name for model in _models(cls) for name, f in model.model_fields.items() if not f.description
    ]
    assert undescribed == []


def _models(cls: type[BaseModel]) -> list[type[BaseModel]]:
    """A stage's class and the models of its module that are values of its parameters."""
    module = importlib.import_module(cls.__module__)
    nested = [
        made
        for _, made in inspect.getmembers(module, inspect.isclass)
        if issubclass(made, BaseModel) and made.__module__ == cls.__module__
    ]
    return list(dict.fromkeys([cls, *nested]))


@every_stage
def test_its_short_form_and_its_paths_are_parameters(folder: str, kind: str) -> None:
    """`kind@value` sets one of them, and paths are found relative to the spec."""
    cls = lookup(folder, kind)
    assert not cls.short or cls.short in cls.model_fields
    assert {path.split(".")[0] for path in cls.paths} <= set(cls.model_fields)
    texts = {name for name in cls.model_fields if name in ("path", "labels_path", "references", "texts")}
    assert texts <= set(cls.paths)


@every_stage
def test_an_unknown_parameter_is_refused(folder: str, kind: str) -> None:
    """A slip of the pen never falls back to a default."""
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        lookup(folder, kind).model_validate({**needed(folder, kind), "no_such_parameter": 1})


@every_stage
def test_a_stage_cannot_be_changed(folder: str, kind: str) -> None:
    """Two configurations may share it."""
    (made, *_) = forms(folder, kind).values()
    for name in [*type(made).model_fields, "no_such_parameter"]:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(made, name, None)


@every_stage
def test_a_stage_survives_pickling(folder: str, kind: str) -> None:
    """Workers are other processes."""
    for made in forms(folder, kind).values():
        assert pickle.loads(pickle.dumps(made)) == made


@every_stage
def test_a_stage_is_rebuilt_from_what_it_says_of_itself(folder: str, kind: str) -> None:
    """Equal, with an equal hash and key, through the same builder that reads specs."""
    for made in forms(folder, kind).values():
        spec = json.loads(json.dumps(made.to_spec(), allow_nan=False))
        builder = StageBuilder(Positions())
        again = builder.stage(folder, spec, (folder,), Stage)  # type: ignore[type-abstract]
        assert builder.problems == []
        assert again == made
        assert again is not None
        assert (hash(again), again.key, again.to_spec()) == (hash(made), made.key, made.to_spec())


@every_stage
def test_nothing_changes_when_a_stage_is_used_as_a_key(folder: str, kind: str) -> None:
    """Its names and its spec are the same before and after it was hashed."""
    for made in forms(folder, kind).values():
        parameters = {name: value for name, value in made.to_spec().items() if name != "kind"}
        fresh = type(made).model_validate(parameters)
        told = _told(fresh)
        hash(fresh)
        assert _told(fresh) == told
        assert fresh == made


def _told(stage: Stage) -> list[Any]:
    """All that a stage says of itself."""
    names = [getattr(stage, name)() for name in ("label", "signature") if hasattr(stage, name)]
    return [stage.to_spec(), dict(stage), repr(stage), *names]


@every_stage
def test_different_parameters_make_different_stages(folder: str, kind: str) -> None:
    """By equality and by key."""
    made = list(forms(folder, kind).values())
    assert len({one.key for one in made}) == len(made)


@every_stage
def test_problems_are_told_and_not_raised(folder: str, kind: str) -> None:
    """A reader of a file that does not exist has something to say, everything else has nothing."""
    (made, *_) = forms(folder, kind).values()
    found = list(made.problems(["en"]))
    assert bool(found) == (folder == "documents")
    for parameter, problem, remedy in found:
        assert parameter in type(made).model_fields or not parameter
        assert problem
        assert remedy


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_files_of_a_folder_are_its_kinds(folder: str) -> None:
    """One stage in each, named after the file; other files have an underscore."""
    package = importlib.import_module(f"kpframe.{folder}")
    files = {path.stem for path in Path(str(package.__file__)).parent.glob("*.py")}
    assert sorted(name for name in files if not name.startswith("_")) == kinds(folder)
    for kind in kinds(folder):
        module = importlib.import_module(f"kpframe.{folder}.{kind}")
        own = [
            cls for _, cls in inspect.getmembers(module, inspect.isclass) if cls.__module__ == module.__name__
        ]
        concrete = [cls for cls in own if issubclass(cls, Stage) and not inspect.isabstract(cls)]
        assert concrete == [lookup(folder, kind)]
        assert concrete[0].__name__ in module.__all__


# --- what flows -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", stages_of("preprocessing"))
def test_annotations_are_sound(name: str) -> None:
    """Tokens inside the text and apart, sentences that cover them, spans inside sentences; twice alike."""
    step = stage("preprocessing", name)
    for case, text in TEXTS.items():
        with about(case):
            if isinstance(step, Cleaner):
                cleaned = step.clean(text)
                assert isinstance(cleaned, str)
                assert step.clean(text) == cleaned
            else:
                _assert_annotations(step, text)


def _assert_annotations(step: Annotator, text: str) -> None:
    made = preprocessed(step, text)
    assert made.text == text
    assert step.provides() <= made.layers
    _assert_tokens(made)
    _assert_spans(made)
    again = preprocessed(step, text)
    assert made.offsets == again.offsets
    assert made.vocabulary == again.vocabulary


def _assert_tokens(made: Annotations) -> None:
    begins, ends = made.offsets
    assert all(0 <= b < e <= len(made.text) for b, e in zip(begins, ends, strict=True))
    assert all(e <= b for e, b in zip(ends, begins[1:], strict=False))
    words = [made.text[b:e] for b, e in zip(begins, ends, strict=True)]
    assert list(map(plain, words)) == made.strings(made.words)
    assert all(word.strip() == word for word in words)
    for name in ("words", "lemmas", "tags", "pos"):
        layer = getattr(made, name)
        if layer is not None:
            assert len(layer) == len(made)
            assert layer.dtype == np.int32
            assert not len(layer) or 0 <= layer.min() <= layer.max() < len(made.vocabulary)


def _assert_spans(made: Annotations) -> None:
    sentences = made.sentences.tolist()
    assert [b for b, _ in sentences] == [0, *(e for _, e in sentences)][: len(sentences)]
    assert sum(e - b for b, e in sentences) == len(made)
    for spans in (made.chunks, made.entities):
        for begin, end in [] if spans is None else spans.tolist():
            assert begin < end
            assert made.sentence_of[begin] == made.sentence_of[end - 1]
    if made.entities is not None:
        assert made.entity_labels is not None
        assert len(made.entity_labels) == len(made.entities)


@pytest.mark.parametrize("name", stages_of("candidates"))
def test_candidates_are_sound(name: str) -> None:
    """Distinct keys in text order, each at places inside one sentence where its surface stands."""
    for case, text in TEXTS.items():
        with about(case):
            found = candidates(name, text)
            _assert_candidates(found)
            if not name.endswith("tokens=any"):  # which asks for whatever was tagged as a noun
                assert all(any(character.isalnum() for character in surface) for surface in found.surfaces)
            if not name.startswith("vocabulary"):
                for surface, places in zip(found.surfaces, found.places_of, strict=True):
                    assert surface in {found.annotations.surface(*place) for place in places}
            again = stage("candidates", name).select(*annotated(text))
            assert (again.keys, again.surfaces, again.places) == (found.keys, found.surfaces, found.places)


def _assert_candidates(found: Candidates) -> None:
    assert len(set(found.keys)) == len(found.keys) == len(found.surfaces)
    assert list(found.places) == sorted(set(found.places))
    assert sorted(set(found.owners)) == list(range(len(found)))
    sentence_of = found.annotations.sentence_of
    assert all(b < e and sentence_of[b] == sentence_of[e - 1] for b, e in found.places)


@pytest.mark.parametrize("name", stages_of("ranking"))
def test_rankings_are_sound(name: str) -> None:
    """Finite scores, best first, the same twice, and nothing that was not a candidate."""
    for (case, text), selection in product(TEXTS.items(), ("tokens", "ngrams", "lemmas")):
        with about(f"{case}, {selection}"):
            made = ranked(name, selection, text)
            keys = set(candidates(selection, text).keys)
            _assert_keyphrases(made)
            assert {entry.key for entry in made} <= keys
            assert ranked(name, selection, text).entries == made.entries


@pytest.mark.parametrize("name", stages_of("postprocessing"))
def test_postprocessing_is_sound(name: str) -> None:
    """What comes out is ranked phrases of the text again, the same twice, and none out of none."""
    step = stage("postprocessing", name)
    given = (("frequency", "tokens"), ("cooccurrence", "ngrams"), ("random", "lemmas"))
    for (case, text), (ranking, selection) in product(TEXTS.items(), given):
        with about(f"{case}, {ranking}"):
            before = ranked(ranking, selection, text)
            made = step.process(before)
            _assert_keyphrases(made)
            assert step.process(before).entries == made.entries
            assert len(before) or not len(made)
            assert len({entry.key for entry in made}) == len(made)


def _assert_keyphrases(made: Keyphrases) -> None:
    assert all(type(entry.score) is float and math.isfinite(entry.score) for entry in made)
    order = [(-entry.score, entry.places[0], entry.surface) for entry in made]
    assert order == sorted(order)
    text = made.annotations.text
    for phrase in made.public():
        assert phrase.spans
        assert all(0 <= begin < end <= len(text) for begin, end in phrase.spans)
        assert phrase.text in {_to_be_seen(text[begin:end]) for begin, end in phrase.spans}
    assert [phrase.rank for phrase in made.public()] == list(range(1, len(made) + 1))
    json.dumps([phrase.to_json() for phrase in made.public()], allow_nan=False)


def _to_be_seen(text: str) -> str:
    """A piece of text without format characters, but soft hyphens and joiners; white space squeezed."""
    shown = text.replace("\u200b", " ")
    kept = [sign for sign in shown if category(sign) != "Cf" or sign in "\u00ad\u200c\u200d"]
    return " ".join("".join(kept).split())


# --- evaluation -------------------------------------------------------------------------------------

LISTS: dict[str, tuple[list[str], list[tuple[str, ...]], str | None]] = {
    "nothing": ([], [], ""),
    "no prediction": ([], [("red kite",)], "A red kite."),
    "no gold": (["red kite"], [], "A red kite."),
    "no text": (["red kite", "heron"], [("red kites",), ("birds", "bird")], None),
    "gold that is not in the text": (["red kite"], [("grey heron",)], "A red kite."),
    "the same phrase twice": (
        ["red kite", "Red Kite"],
        [("red kite",), ("RED KITE",)],
        "Red kite, red kite.",
    ),
    "odd phrases": (["", " ", "--", "𝐆", "a" * 500, "C++"], [("c++",), ("--",), ("İ",)], "C++ -- İ 𝐆"),
    "everything": (
        [g for _, _, gold in GOLD for g in gold],
        [(g,) for _, _, gold in GOLD for g in gold],
        None,
    ),
}


@every("name", stages_of("matching"))
def test_matches_are_sound(name: str) -> None:
    """A rule for each hit, each gold keyphrase hit at most once, kept and dropped adding up; twice alike."""
    for case, (predicted, variants, text) in LISTS.items():
        with about(case):
            _assert_matches(stage("matching", name), predicted, [Gold(v) for v in variants], text)


def _assert_matches(rule: Matching, predicted: list[str], gold: list[Gold], text: str | None) -> None:
    if text is None and rule.absent != "keep":
        with pytest.raises(DataError, match=f"absent: {rule.absent} needs the document's text"):
            rule.match(predicted, gold, text)
        return
    made = rule.match(predicted, gold, text)
    assert made.predicted == len(made.rules) <= len(predicted)
    assert made.predicted == len(made.phrases) == len(made.positions)
    assert len(made.keyphrases) == made.gold
    hit = [index for index in made.hits if index >= 0]
    assert made.related is not None or len(set(hit)) == len(hit)
    assert all(index < made.gold for index in hit)
    assert [bool(word) for word in made.rules] == [index >= 0 for index in made.hits]
    assert 0 <= made.gold + made.dropped <= len(gold)
    assert rule.match(predicted, gold, text) == made
    assert rule.signature()


COUNTS = [
    Matches((), (), 0),
    Matches((), (), 3),
    Matches((-1, -1), ("", ""), 0, 2),
    Matches((0,), ("exact",), 1),
    Matches((-1, 1, 0, -1, 2), ("", "exact", "morph", "", "exact"), 3),
    Matches((-1,) * 50 + (0,), ("",) * 50 + ("exact",), 200),
]


@every("name", stages_of("metrics"))
def test_measures_are_sound(name: str) -> None:
    """Counts that add up, values in 0 … 1 unless it says otherwise, a label with its recipe."""
    metric = stage("metrics", name)
    counts = [metric.count(matches) for matches in COUNTS]
    assert all(isinstance(number, int | float) and number >= 0 for row in counts for number in row)
    defined = [row for row in counts if row]
    assert len({len(row) for row in defined}) <= 1
    for row in (*defined, *([tuple(map(sum, zip(*defined, strict=True)))] if defined else [])):
        value = metric.value(row)
        assert value >= 0 and (value <= 1 or not metric.bounded)
        assert metric.join(metric.parts(row)) == pytest.approx(value)
    assert metric.label().startswith(metric.kind)


SUMMARIES: dict[str, Summary] = {
    "empty": Summary("empty", (), ()),
    "no value": Summary(
        "s", ("f1/exact",), (Cell("a", {}, (Score("f1", "exact", None, 0, 2, "sig"),)),), notes=("n",)
    ),
    "odd names": Summary(
        "<b>|&_%$#{}~^\\",
        ("f1/exact",),
        (Cell("a|b_<c>&%\n=1+1", {"x|y": "=cmd()"}, (Score("f1", "exact", 0.5, 2, 0, "s|i_g%"),)),),
        failures=({"id": "d|1", "stage": "ranking", "error": "x\ny|z"},),
    ),
}


@pytest.mark.parametrize("summary", SUMMARIES)
@pytest.mark.parametrize("name", stages_of("reports"))
def test_reports_are_sound(name: str, summary: str, tmp_path: Path) -> None:
    """Some text for the terminal, files in the folder alone, the same bytes twice."""
    report = stage("reports", name)
    assert isinstance(report.write(SUMMARIES[summary], None), str)
    written: list[dict[str, Any]] = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        assert isinstance(report.write(SUMMARIES[summary], folder), str)
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1]
    assert {path.name for path in tmp_path.iterdir()} == {"first", "second"}
