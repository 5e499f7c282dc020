"""What every measure of phrase pairs must do, whatever the phrases."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pair_measures import CORPUS, NO_MODEL, similarity, tiny_bert
from pydantic import ValidationError

from kpframe.stages import Similarity
from kpframe.stages.parts import part, part_text
from kpframe.stages.registry import kinds, lookup

pytestmark = pytest.mark.slow

FORMS: dict[str, dict[str, Any]] = {
    "kmr": {"kind": "kmr"},
    "kmr-left": {"kind": "kmr", "pad": "left"},
    "kmr-unpadded": {"kind": "kmr", "pad": "neither", "stem": False},
    "r_precision_overlap": {"kind": "r_precision_overlap"},
    "modified_r_precision": {"kind": "modified_r_precision"},
    "modified_r_precision-reference": {"kind": "modified_r_precision", "weights": "reference"},
    "bleu": {"kind": "bleu"},
    "bleu-4": {"kind": "bleu", "n": 4},
    "bleu-4-add-one": {"kind": "bleu", "n": 4, "smoothing": "add_one", "longer_as_reference": False},
    "bleu-2-lenient": {"kind": "bleu", "n": 2, "brevity_penalty": False},
    "nist": {"kind": "nist"},
    "nist-gold": {"kind": "nist", "n": 2, "longer_as_reference": False},
    "meteor": {"kind": "meteor"},
    "meteor-unstemmed": {"kind": "meteor", "stem": False, "alpha": 0.5},
    "rouge": {"kind": "rouge"},
    "rouge-2": {"kind": "rouge", "n": 2},
    "rouge-L": {"kind": "rouge", "n": "L"},
    "jaccard": {"kind": "jaccard"},
    "jaccard-2": {"kind": "jaccard", "n": 2},
    "cosine": {"kind": "cosine"},
    "cosine-document": {"kind": "cosine", "context": "document"},
    "cosine-window": {"kind": "cosine", "context": 2, "stem": False},
    "bertscore": {"kind": "bertscore", "layer": 2},
    "bertscore-rescaled": {"kind": "bertscore", "layer": 1, "baseline": 0.5},
}
"""Every kind, in forms that differ."""

PHRASES = {
    "empty": "",
    "blank": " \n\t\u00a0",
    "one word": "kites",
    "one letter": "a",
    "two words": "grid computing",
    "a phrase": "effective grid computing algorithms",
    "another order": "algorithm computing",
    "with a preposition": "the quality of service",
    "a dash": "-",
    "punctuation": "?! ( ) … “” ##",
    "markup": "<b>grid</b> &amp; [SEP]",
    "repeated": "grid grid grid computing grid",
    "typographic": "chiu’s clustering‐algorithm",
    "other scripts": "Ελλάδα 北京 İstanbul Straße naïve 𝐆𝐫𝐢𝐝 😀",
    "combining": "e\u0301nergie \u200bzero\u00adwidth\x00",
    "number": "3.14 1,000 42%",
    "long": " ".join(f"word{number % 37} grid" for number in range(100)),
}
"""Phrases that broke some program, and those between them."""


def claims(form: str, property: str) -> bool:
    """Whether the class of a form says that it is `symmetric` or `bounded`."""
    return bool(getattr(lookup("similarity", FORMS[form]["kind"]), property, False))


every_form = pytest.mark.parametrize("form", FORMS)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Files that kinds need: a corpus and, if it can be made, a model."""
    folder = tmp_path_factory.mktemp("similarity")
    (folder / "corpus.txt").write_text(CORPUS, encoding="utf-8")
    model = {} if NO_MODEL else {"model": tiny_bert(folder)}
    return {"cosine": {"corpus": str(folder / "corpus.txt")}, "bertscore": model}


@pytest.fixture
def measure(form: str, paths: dict[str, dict[str, str]]) -> Similarity:
    """The measure of one entry of FORMS."""
    parameters = dict(FORMS[form])
    kind = parameters.pop("kind")
    if kind == "bertscore" and NO_MODEL:
        pytest.skip(NO_MODEL)
    return similarity(kind, **paths.get(kind, {}), **parameters)


def tolerance(measure: Similarity) -> float:
    """Models compute in single precision, and in batches; everything else is exact."""
    return 1e-5 if measure.kind == "bertscore" else 0.0


def test_every_measure_is_tried_here() -> None:
    """A new kind gets an entry in FORMS."""
    assert sorted({parameters["kind"] for parameters in FORMS.values()}) == kinds("similarity")


@pytest.mark.parametrize("kind", kinds("similarity"))
def test_a_measure_says_what_it_is(kind: str) -> None:
    """A sentence first, a source, and every parameter described; an unknown parameter is refused."""
    cls = lookup("similarity", kind)
    assert (cls.__doc__ or "").partition("\n\n")[0].rstrip().endswith(".")
    assert cls.source
    assert (cls.folder, cls.kind) == ("similarity", kind)
    assert [name for name, field in cls.model_fields.items() if not field.description] == []
    assert not cls.short or cls.short in cls.model_fields
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        cls.model_validate({"no_such_parameter": 1})


@every_form
def test_no_pair_breaks_a_measure(form: str, measure: Similarity) -> None:
    """Finite plain floats, never negative, at most 1 where the measure is bounded."""
    for row in measure.matrix(list(PHRASES.values()), list(PHRASES.values())):
        for value in row:
            assert type(value) is float and math.isfinite(value) and value >= 0.0
            assert value <= 1.0 or not measure.bounded


@every_form
def test_a_phrase_without_words_is_like_nothing(form: str, measure: Similarity) -> None:
    """Not even like another one."""
    for empty in ("", " \n"):
        assert [measure.compare(empty, phrase) for phrase in ("", "grid", " ")] == [0.0, 0.0, 0.0]
        assert measure.compare("grid", empty) == 0.0


@every_form
def test_pairs_and_matrices_agree(form: str, measure: Similarity) -> None:
    """A row for each prediction, whatever its neighbours are, and in whatever order."""
    rows, columns = list(PHRASES.values()), list(PHRASES.values())[::2]
    table = measure.matrix(rows, columns)
    backwards = measure.matrix(rows[::-1], columns[::-1])
    for r, phrase in enumerate(rows):
        assert table[r] == pytest.approx(backwards[len(rows) - 1 - r][::-1], abs=tolerance(measure))
        compared = [measure.compare(phrase, keyphrase) for keyphrase in columns]
        assert table[r] == pytest.approx(compared, abs=tolerance(measure))
    assert measure.matrix([], columns) == []
    assert measure.matrix(rows[:2], []) == [[], []]


@pytest.mark.parametrize("form", [form for form in FORMS if claims(form, "bounded")])
def test_equal_phrases_are_wholly_alike(form: str, measure: Similarity) -> None:
    """1, where the measure is bounded; METEOR says in its documentation that it has less."""
    one_word_has_no_unit = form == "rouge-2"
    for name, phrase in PHRASES.items():
        if not phrase.strip() or (one_word_has_no_unit and len(phrase.split()) == 1):
            continue
        value = measure.compare(phrase, phrase)
        if measure.kind == "meteor":
            assert 0.5 <= value < 1.0, name
            assert ".9375" in (type(measure).__doc__ or "")
        else:
            assert value == pytest.approx(1.0, abs=max(tolerance(measure), 1e-12)), name


@pytest.mark.parametrize("form", [form for form in FORMS if claims(form, "symmetric")])
def test_a_symmetric_measure_is_symmetric(form: str, measure: Similarity) -> None:
    """Where its class says so."""
    for left in PHRASES.values():
        for right in PHRASES.values():
            assert measure.compare(left, right) == measure.compare(right, left)


@every_form
def test_case_and_blanks_do_not_matter(form: str, measure: Similarity) -> None:
    """For measures that compare words (a model may tell upper from lower case)."""
    written = measure.compare("Grid \u00a0 COMPUTING ", "effective  grid computing\n")
    assert written == pytest.approx(measure.compare("grid computing", "effective grid computing"), abs=1e-5)


@every_form
def test_a_measure_survives_pickling_and_its_spec(form: str, measure: Similarity) -> None:
    """Sent to another process, built from plain values, or from its one-line form, it is the same."""
    assert pickle.loads(pickle.dumps(measure)) == measure
    spec = json.loads(json.dumps(measure.to_spec()))
    assert part("similarity", spec) == measure
    assert part("similarity", part_text(measure)) == measure
    assert hash(part("similarity", spec)) == hash(measure)
    json.dumps(measure.identity(["en"]))
    assert list(measure.problems(["en"])) == []


@every_form
def test_a_measure_cannot_be_changed(form: str, measure: Similarity) -> None:
    """Two configurations may share it."""
    for name in [*type(measure).model_fields, "no_such_parameter"]:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(measure, name, None)


SCRIPT = """
import json, sys
from kpframe.stages.parts import part
specs, phrases = json.load(sys.stdin)
print(json.dumps([part("similarity", spec).matrix(phrases, phrases) for spec in specs]))
"""


@pytest.mark.acceptance
def test_values_do_not_depend_on_the_hash_seed(paths: dict[str, dict[str, str]]) -> None:
    """The same bytes from two interpreters whose sets have other orders."""
    specs = [{**p, **paths.get(p["kind"], {})} for p in FORMS.values() if p["kind"] != "bertscore"]
    short = [phrase for name, phrase in PHRASES.items() if name != "long"]
    given = json.dumps([specs, short])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=given,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
