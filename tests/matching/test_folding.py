"""What is equal before tokens are made: kpframe's own folding, and that of programs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from unicodedata import normalize

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

import kpframe as kp
from kpframe.model.folding import fold, fold_with_dashes_apart, lower
from kpframe.spec.measures import Measure, load_preset, preset_names
from kpframe.stages.registry import kinds, lookup

ALIKE = [
    ("café culture", "cafe\u0301 culture"),
    ("Ångström scale", "A\u030angstro\u0308m scale"),
    ("\u212b unit", "å unit"),
    ("ỗ tone", "o\u0302\u0303 tone"),
    ("state-of-the-art", "state–of–the–art"),
    ("state-of-the-art", "state‐of‑the‒art"),
    ("state-of-the-art", "state—of―the−art"),
    ("−5 volt", "-5 volt"),
    ("newton's law", "newton’s law"),
    ("newton's law", "newton‘s law"),
    ("5' end", "5′ end"),
    ('"smart" cards', "“smart” cards"),
    ('"smart" cards', "„smart‟ cards"),
    ('"smart" cards', "«smart» cards"),
    ("net\u00adwork", "network"),
    ("straße", "strasse"),
    ("φk meson", "ϕk meson"),
    ("p-value", "p−value"),
    ("T-cell receptor", "T\u02d7cell receptor"),
    ("t-cell receptor", "Ｔ－ｃｅｌｌ receptor"),
    ("Na+/Cl- cotransporter", "Na+/Cl− cotransporter"),
    ("בית-ספר", "בית־ספר"),
    ("mg/ml of x", "mg⁄ml of x"),
    ("ABC123 test", "ＡＢＣ１２３ test"),
    ("c++ code", "Ｃ＋＋ code"),
    ("3.14 and 12:30", "３．１４ and １２：３０"),
    ("ガギ", "ｶﾞｷﾞ"),
    ("finite field", "ﬁnite ﬁeld"),
    ("A matrix over R", "𝐀 matrix over ℝ"),
    ("كتاب", "كـتاب"),
    ("كتاب", "كِتَاب"),
    ("كتاب", "ﻛﺘﺎﺏ"),
    ("کتاب", "كتاب"),
    ("שלום", "שָׁלוֹם"),
    ("счетчик", "счётчик"),
    ("Œuvre", "oeuvre"),
    ("cœur", "COEUR"),
    ("encyclopædia", "encyclopaedia"),
    ("1/2 inch", "½ inch"),
    ("2 1/2 inch", "2½ inch"),
    ("25°C", "25℃"),
    ("5 km wide", "5㎞ wide"),
    ("µm scale", "μm scale"),
    ("type IV", "type Ⅳ"),
    ("covid-19", "covid-١٩"),
    ("xn term", "xⁿ term"),
]
DIFFERENT = [
    ("1/2", "21⁄2"),
    ("type 1", "type ①"),
    ("windowstm", "Windows™"),
    ("tha", "tʰa"),
    ("smorgas", "smørgas"),
    ("angstrom", "ångström"),
    ("كتابى", "كتابي"),
    ("ποτέ", "πότε"),
    ("가", "ㄱㅏ"),
    ("10", "１．０"),
]
APART_FOR_PROGRAMS = [
    ("newton's law", "newton’s law"),
    ("straße", "strasse"),
    ("φk", "ϕk"),
    ("state-of-the-art", "state–of–the–art"),
    ("ﬁnite set", "finite set"),
    ("café", "cafe\u0301"),
    ("İzmir", "izmir"),
    ("ſet", "set"),
]
OF_PROGRAMS = [name for name in preset_names() if name != "zesch2009"]


@cache
def measures_of(name: str) -> Sequence[Measure]:
    """Those of a preset, read once."""
    return load_preset(name).measures


@every(("one", "other"), ALIKE)
@every("kind", kinds("matching"))
def test_equal_texts_in_other_characters_are_equal_under_every_matching(
    one: str, other: str, kind: str
) -> None:
    """Both ways round, as a phrase and as a part of the text; `morph` alone never takes equal phrases."""
    if kind in ("morph", "includes", "part_of"):
        return
    for gold, predicted in ((one, other), (other, one)):
        document = kp.Document("d", f"This is about {predicted} here.", gold=[kp.Gold((gold,))])
        for absent in ("keep", "drop", "split"):
            matching = {"kind": kind, "absent": absent}
            (score,) = kp.score([document], {"d": [predicted]}, metrics="f1", matching=matching)
            assert (score.value, score.documents) == (1.0, 1)


@every(("one", "other"), DIFFERENT)
def test_what_may_be_another_word_is_not_folded(one: str, other: str) -> None:
    """Where the reasons of `model/compatible.py` stand."""
    assert fold(one) != fold(other)


FORMS = [
    *range(0xA0, 0x700),
    *range(0x2000, 0x2C00),
    *range(0x3000, 0x3400),
    *range(0xFB00, 0xFE00, 3),
    *range(0xFE00, 0x10000),
]


@pytest.mark.slow
def test_forms_of_print_fold_once_and_in_every_form_of_unicode() -> None:
    """Alone, between letters and between digits."""
    for sign in map(chr, FORMS):
        for text in (sign, f"a{sign}b", f"1{sign}2"):
            folded = fold(text)
            assert fold(folded) == fold(normalize("NFD", text)) == fold(normalize("NFC", text)) == folded


@pytest.mark.parametrize("presence", ["tokens", "characters", "surface_characters", "stem_tokens"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_gold_stands_in_a_decomposed_text(presence: str, form: str) -> None:
    """And the other way round, by every test for presence."""
    text = normalize(form, "Une étude du café culturel.")
    other = normalize("NFD" if form == "NFC" else "NFC", "café culturel")
    matching = lookup("matching", "exact")(presence=presence)
    found = matching.match([text[-15:-1]], [kp.Gold((other,))], text)  # type: ignore[attr-defined]
    assert found.dropped == 0


@every("dash", ["—", "–", "―"])
@every("gold", ["neural networks", "networks-a survey", "a survey", "networks – a survey"])
def test_a_dash_in_a_text_joins_or_parts(dash: str, gold: str) -> None:
    """ "networks—a survey": print does not tell, so that gold of either reading is in the text."""
    matching = lookup("matching", "exact")()
    text = f"On neural networks{dash}a survey."
    assert matching.match([], [kp.Gold((gold,))], text).gold == 1  # type: ignore[attr-defined]
    assert matching.match([], [kp.Gold(("networks a survey",))], text).gold == 0  # type: ignore[attr-defined]


def test_texts_without_such_a_dash_have_one_reading() -> None:
    """A hyphen joins; a dash between blanks is a mark of its own already."""
    assert fold_with_dashes_apart("state-of-the-art – and more") is None
    assert fold_with_dashes_apart("a–b") == "a - b"


@pytest.mark.parametrize(("one", "other"), APART_FOR_PROGRAMS)
@pytest.mark.slow
def test_presets_of_programs_fold_no_more_than_lower_case(one: str, other: str) -> None:
    """What Python's and Java's lower() keeps apart stays apart; case and white space never count."""
    assert lower(one) != lower(other)
    for name in OF_PROGRAMS:
        for measure in measures_of(name):
            matching = measure.matching.model_copy(update={"absent": "keep"})
            gold = [kp.Gold((one,)), kp.Gold((other,))]
            found = matching.match([other], gold, f"{one} and {other}")
            assert found.gold == 2
            assert found.keyphrases[0][0].tokens != found.phrases[0].tokens
            assert matching.match(["big  NET"], [kp.Gold(("Big net",))], "big net").hits == (0,)


@pytest.mark.parametrize("name", OF_PROGRAMS)
def test_similarities_of_presets_fold_like_their_matching(name: str) -> None:
    """A similarity that folds more would find what the program does not."""
    for measure in load_preset(name).measures:
        parts = [value for stage in (measure.metric, measure.matching) for _, value in stage]
        folds = [part.fold for part in parts if hasattr(part, "fold") and part.kind != "cosine"]
        assert all(found == "lower" for found in folds)


def test_the_default_of_the_project_keeps_its_folding() -> None:
    """The preset of the paper has kpframe's own rules."""
    for measure in load_preset("zesch2009").measures:
        assert dict(measure.matching)["fold"] == "full"


@given(st.text(max_size=12))
def test_folding_is_canonical_and_done_once(text: str) -> None:
    """Property: canonically equal texts fold alike; what is folded, stays."""
    folded = fold(text)
    assert fold(folded) == folded
    assert {fold(normalize(form, text)) for form in ("NFC", "NFD")} == {folded}
    assert fold(text.swapcase().swapcase()) == fold(text.swapcase().swapcase().casefold())


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("İstanbul", "istanbul"),
        ("IŞIK", "ışık"),
        ("İNSAN HAKLARI", "insan hakları"),
        ("DİYARBAKIR", "Diyarbakır"),
        ("Istanbul", "İstanbul"),
    ],
)
def test_turkic_letters_fold_with_their_capitals(one: str, other: str, form: str) -> None:
    """Whatever the language of the text: their names stand in English ones too."""
    assert fold(normalize(form, one)) == fold(other)
    for language in ("tr", "en"):
        (score,) = kp.score({"d": [other]}, {"d": [one]}, metrics="f1@5", matching="exact", language=language)
        assert score.value and score.value > 0


@pytest.mark.parametrize("spelling", ["\u1fb4", "α\u0345\u0301", "α\u0301\u0345", "\u1fb3\u0301"])
def test_an_iota_subscript_becomes_a_letter_behind_all_marks(spelling: str) -> None:
    """Alpha with accent and iota below, in every order of its marks (Unicode 3.13, D145)."""
    assert fold(spelling) == "άι"
