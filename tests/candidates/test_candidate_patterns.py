"""Patterns over parts of speech: the language, the matching, the presets."""

from __future__ import annotations

import itertools
import re

import pytest
from annotated_texts import annotated, parsed, select, surfaces
from families import every
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.candidates._tag_automaton import compiled
from kpframe.candidates.pos_pattern import PRESETS, PosPattern
from kpframe.errors import SpecError, StageError
from kpframe.model import Document

WEB = annotated(
    "distributed web-service discovery architecture improves the quality of service",
    tags="JJ NN NN NN VBZ DT NN IN NN",
)


def spans(pattern: str, tags: str) -> list[tuple[int, int]]:
    """All matches of a pattern over Penn tags."""
    listed = tags.split()
    automaton = compiled(pattern)
    return [(b, e) for b in range(len(listed)) for e in automaton.ends(listed, b, len(listed))]


def test_adjectives_and_nouns_by_default():
    """The longest runs that end in a noun, over universal classes."""
    assert surfaces(PosPattern(), WEB) == [
        "distributed web-service discovery architecture",
        "quality",
        "service",
    ]
    assert PosPattern().requires() == {"pos"}


def test_all_matches_on_demand():
    """Every run of words that matches, overlapping ones too."""
    text = annotated("new fast disks", tags="JJ JJ NNS")
    assert surfaces(PosPattern(overlap="all"), text) == ["new fast disks", "fast disks", "disks"]
    assert surfaces(PosPattern(), text) == ["new fast disks"]


def test_a_pattern_never_crosses_a_sentence():
    """Nor punctuation, nor a URL that a tagger took for a noun."""
    text = annotated("old cat. dog, www.ex.org mouse", tags="JJ NN . NN , NN NN")
    assert surfaces(PosPattern(), text) == ["old cat", "dog", "mouse"]


def test_a_possessive_can_stand_inside():
    """`particle` or POS name the clitic, which is never at an end of a candidate."""
    text = annotated("the user's guide", tags="DT NN POS NN")
    assert surfaces(PosPattern(patterns=["noun (particle noun)?"]), text) == ["user's guide"]
    assert surfaces(PosPattern(patterns=["NN POS NN"]), text) == ["user's guide"]
    assert surfaces(PosPattern(patterns=["NN POS", "POS NN"]), text) == []


@every(
    ("pattern", "tags", "expected"),
    [
        ("NN", "NN NN", [(0, 1), (1, 2)]),
        ("JJ* NN+", "JJ NN NN", [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ("JJ?NN", "JJ JJ NN", [(1, 3), (2, 3)]),
        ("(JJ|NN)* NN", "NN JJ NN", [(0, 1), (0, 3), (1, 3), (2, 3)]),
        ("NN{2}", "NN NN NN", [(0, 2), (1, 3)]),
        ("NN{2,}", "NN NN NN", [(0, 2), (0, 3), (1, 3)]),
        ("JJ{0,1} NN", "JJ JJ NN", [(1, 3), (2, 3)]),
        ("NN | JJ NN", "JJ NN", [(0, 2), (1, 2)]),
        ("NN IN (DT)? NN", "NN IN DT NN", [(0, 4)]),
        ("PRP$ NN", "PRP$ NN", [(0, 2)]),
        ("(NN JJ?)+", "NN JJ NN", [(0, 1), (0, 2), (0, 3), (2, 3)]),
        ("NN*", "JJ", []),
    ],
)
def test_the_pattern_language(pattern, tags, expected):
    """Names, alternatives, groups and repetitions; empty matches are none."""
    assert spans(pattern, tags) == expected


@every(
    ("pattern", "message"),
    [
        ("", "pattern '', character 1: a part of speech is missing here"),
        ("noun |", "pattern 'noun |', character 7: a part of speech is missing here"),
        ("(noun", "pattern '(noun', character 1: '(' is never closed"),
        ("noun) noun", "pattern 'noun) noun', character 5: ')' without '('"),
        ("()", "pattern '()', character 2: a part of speech is missing here"),
        ("* noun", "pattern '* noun', character 1: '*' has nothing to repeat"),
        ("{2} noun", "pattern '{2} noun', character 1: '{2}' has nothing to repeat"),
        (
            "adjectve noun",
            "pattern 'adjectve noun', character 1: unknown part of speech 'adjectve'; "
            "did you mean 'adjective'?",
        ),
        ("JJ NNX", "pattern 'JJ NNX', character 4: unknown part of speech 'NNX'; did you mean 'NN'?"),
        ("NN.*", "pattern 'NN.*', character 3: unexpected '.'; allowed are names, ( ) | ? * + and {m,n}"),
        ("NN{3,2}", "pattern 'NN{3,2}', character 3: '{3,2}' allows no repetition"),
        ("NN{0}", "pattern 'NN{0}', character 3: '{0}' allows no repetition"),
        (
            "NN{21}",
            "pattern 'NN{21}', character 3: '{21}' is too much; at most 20 repetitions can be counted",
        ),
        ("((NN{20}){20}){20}", "pattern '((NN{20}){20}){20}' is too long; write it as several patterns"),
        (
            "noun JJ",
            "pattern 'noun JJ': universal classes (lower case) and Penn tags (upper case) are mixed; "
            "use one of the two",
        ),
    ],
)
def test_malformed_patterns_are_refused(pattern, message):
    """With the place in the pattern."""
    with pytest.raises(SpecError) as caught:
        PosPattern(patterns=[pattern])
    (found,) = caught.value.problems
    problem, _, remedy = message.partition("; ")
    assert found.problem.partition(" (given: ")[0] == problem
    assert found.remedy.startswith(remedy or "it means: ")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"preset": "nbar", "patterns": ["NN"]}, "give either patterns or a preset ("),
        ({"preset": None}, "give either patterns or a preset ("),
        (
            {"patterns": ["noun", "NN"]},
            "some patterns use universal classes and some Penn tags; use one of the two",
        ),
    ],
)
def test_contradictory_parameters_are_refused(parameters, message):
    """Patterns or a preset, in one kind of tags."""
    with pytest.raises(SpecError) as caught:
        PosPattern(**parameters)
    assert str(caught.value).startswith(f"PosPattern: {message}")


def test_own_patterns_replace_the_preset():
    """Without having to take back the default; the spec tells both."""
    stage = PosPattern(patterns=["JJ NN"])
    spec = stage.to_spec()
    assert (spec["preset"], spec["patterns"]) == (None, ["JJ NN"])
    assert PosPattern(**{name: value for name, value in spec.items() if name != "kind"}) == stage


def test_a_missing_layer_is_told():
    """Penn patterns need tags."""
    with pytest.raises(StageError, match=r"^annotations: no layer tags; add the annotator to the spec$"):
        select(PosPattern(preset="nbar"), annotated("a cat", pos="DET NOUN"))


def test_the_rules_of_kim_and_others():
    """The examples of their table 2: NBAR, and NBAR IN NBAR with the inner noun phrases too."""
    assert surfaces(PosPattern(preset="nbar"), WEB) == [
        "distributed web-service discovery architecture",
        "quality",
        "service",
    ]
    assert surfaces(PosPattern(preset="nbar_in_nbar"), WEB) == ["quality of service"]
    grid = annotated("performance of grid computing", tags="NN IN NN NN")
    assert surfaces(PosPattern(preset="kim2010", min_frequency_single=1), grid) == [
        "performance", "performance of grid computing", "grid computing",
    ]  # fmt: skip


def test_single_words_twice_after_kim_and_others():
    """Simplex words at least twice, longer phrases once (section 4.2)."""
    text = annotated("query , query , disk , fast disk", tags="NN , NN , NN , JJ NN")
    assert PosPattern(preset="kim2010").min_frequency_single == 2
    assert surfaces(PosPattern(preset="kim2010"), text) == ["query", "fast disk"]
    assert surfaces(PosPattern(preset="nbar"), text) == ["query", "disk", "fast disk"]


def test_the_most_frequent_patterns_of_hulth():
    """Five sequences, each of which may overlap another."""
    text = annotated("fast data bases hold a node", tags="JJ NN NNS VBP DT NN")
    assert surfaces(PosPattern(preset="hulth2003"), text) == ["fast data", "data", "data bases", "node"]


def test_the_sequences_of_dkpro():
    """The documented 15, as N, A, V and P; checked against their list on all sequences up to four."""
    listed = "N N_N A_N V_N N_V N_N_N A_N_N A_A_N V_N_N V_V_N N_P_N N_N_N_N A_N_N_N A_A_N_N A_A_A_N"
    letters = {"N": "NOUN", "A": "ADJ", "V": "VERB", "P": "ADP"}
    accepted = set()
    for length in range(1, 5):
        for sequence in itertools.product("NAVP", repeat=length):
            tags = [letters[letter] for letter in sequence]
            if any(length in compiled(pattern).ends(tags, 0, length) for pattern in PRESETS["dkpro"]):
                accepted.add("_".join(sequence))
    assert accepted == set(listed.split())
    assert PosPattern(preset="dkpro").overlap == "all"


def test_dkpro_example():
    """The default sequences over "Mr Smith knows plug and play methodology.", from its unit test."""
    text = annotated("Mr Smith knows plug and play methodology .", tags="NNP NNP VBZ NN CC NN NN .")
    assert set(surfaces(PosPattern(preset="dkpro"), text)) == {
        "Mr", "Smith", "plug", "play", "methodology", "Mr Smith", "Smith knows", "knows plug",
        "play methodology",
    }  # fmt: skip


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.slow
def test_every_preset_works_on_parsed_text(preset):
    """Nothing is found outside the text, and something is found."""
    text = parsed("The complexity of neural networks grows.")
    assert "neural networks" in " ".join(surfaces(PosPattern(preset=preset), text))


def test_nested_repetitions_do_not_backtrack():
    """A pattern on which backtracking would take exponential time, before a table of nouns."""
    tags = ["NN"] * 2000
    assert list(compiled("((NN+)+)+ VB").ends(tags, 0, len(tags))) == []


ATOMS = st.sampled_from(["NN", "JJ", "IN"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' | '.join(parts)})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{2}", "{1,2}", "{2,}"])).map(
            lambda p: f"({p[0]}){p[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(PATTERNS, st.lists(ATOMS, max_size=6))
@pytest.mark.slow
def test_matching_agrees_with_regular_expressions(pattern, tags):
    """On all spans of short sequences, by the module `re` over one letter a token."""
    letters = {"NN": "n", "JJ": "j", "IN": "i"}
    expression = re.compile(re.sub(r"NN|JJ|IN", lambda found: letters[found[0]], pattern).replace(" ", ""))
    text = "".join(letters[tag] for tag in tags)
    expected = [
        (b, e)
        for b in range(len(text))
        for e in range(b + 1, len(text) + 1)
        if expression.fullmatch(text[b:e])
    ]
    assert spans(pattern, " ".join(tags)) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "(" * 600 + "noun" + ")" * 600,
        "noun" + "?" * 3000,
        "noun" + "{1}" * 3000,
        "(noun|" * 600 + "verb" + ")" * 600,
        "(" * 49 + "noun" + ("?" * 49 + ")") * 49,
        "(" * 3000,
    ],
)
def test_a_pattern_that_is_too_deep_is_refused(pattern: str) -> None:
    """By an error that is no longer than the pattern deserves, not by the end of Python's stack."""
    with pytest.raises(SpecError) as caught:
        PosPattern(patterns=(pattern,))
    message = caught.value.problems[0].problem.partition(" (given: ")[0]
    assert "nested too deeply" in message or "repetitions are repeated" in message
    assert len(message) < 200


def test_a_pattern_may_be_as_deep_as_anybody_needs() -> None:
    """Fifty groups, and repetitions of repetitions."""
    PosPattern(patterns=("(" * 50 + "noun" + ")" * 50, "noun" + "?*" * 10))


def test_adjectives_stand_where_the_language_has_them():
    """Before nouns in English; in Romance languages behind them as well."""
    text = annotated("grand parc éolien flottant", tags="JJ NN JJ JJ")
    for language, expected in (("fr", ["grand parc éolien flottant"]), ("en", ["grand parc"])):
        found = PosPattern().select(Document("d", text.text, language=language), text)
        assert list(found.surfaces) == expected
    own = PosPattern(preset=None, patterns=("noun",)).select(Document("d", text.text, language="fr"), text)
    assert list(own.surfaces) == ["parc"]


def test_that_patterns_are_english_is_told_where_adjectives_follow() -> None:
    """ "café noir" is no such phrase of English; own patterns are the user's."""
    assert list(PosPattern().limits("fr")) == []
    assert list(PosPattern(preset="nbar").limits("fr")) == [
        "its patterns are English, with adjectives before nouns"
    ]
    assert list(PosPattern(preset="nbar").limits("de")) == []
    assert list(PosPattern(preset=None, patterns=("noun+ adjective*",)).limits("fr")) == []
