"""The measures that Kim, Baldwin and Kan (2010) try, beside the programs that define them."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pair_measures import similarity

from kpframe.errors import ResourceError, SpecError

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets") / "../reference/oracles"

WHOLE = "effective grid computing algorithm"
words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=7)


def compare(kind: str, predicted: str, gold: str, **parameters: Any) -> float:
    """The similarity of one pair."""
    return similarity(kind, **parameters).compare(predicted, gold)


# --- R-precision ------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["effective grid", "grid computing", "computing algorithm"])
def test_all_parts_of_two_words_have_the_same_r_precision(part: str) -> None:
    """Section 3.3: "the original R-precision assigns the same score to all candidates"; 2/4."""
    assert compare("r_precision_overlap", part, WHOLE) == 0.5
    assert compare("r_precision_overlap", WHOLE, part) == 0.5


def test_r_precision_counts_stems_in_any_order() -> None:
    """Two of three words; a word that one phrase has twice overlaps once."""
    assert compare("r_precision_overlap", "service quality", "qualities of services") == pytest.approx(2 / 3)
    assert compare("r_precision_overlap", "service", "services", stem=False) == 0.0
    assert compare("r_precision_overlap", "data data", "data base data") == pytest.approx(2 / 3)
    assert compare("r_precision_overlap", "data", "data data") == 0.5


@pytest.mark.skipif(
    not (ORACLES / "acceptance.json").is_file(), reason=f"the paper's figures are not in {ORACLES}"
)
@pytest.mark.parametrize(("part", "name"), [("a b", "AB of ABC"), ("b c", "BC of ABC")])
def test_the_worked_examples_of_modified_r_precision(part: str, name: str) -> None:
    """paper/kim2010/modified R-precision: 5/11 and 9/11, section 3.3."""
    figures = {f["name"]: f for f in json.loads((ORACLES / "acceptance.json").read_text(encoding="utf-8"))}
    figure = figures[f"paper/kim2010/modified R-precision {name}"]
    assert compare("modified_r_precision", part, "a b c") == pytest.approx(
        figure["expected"], abs=figure["tol"]
    )


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("a b", Fraction(5, 11)),
        ("b c", Fraction(9, 11)),
        ("a b c", Fraction(1)),
        ("c", Fraction(6, 11)),
    ],
)
def test_words_weigh_more_the_nearer_they_are_to_the_head(part: str, expected: Fraction) -> None:
    """Section 3.3, by hand: 1/3, 1/2 and 1 for A, B and C."""
    assert compare("modified_r_precision", part, "a b c") == pytest.approx(float(expected), abs=1e-12)


def test_parts_of_two_words_are_told_apart_by_modified_r_precision() -> None:
    """Section 3.3: computing algorithm (18/25) > grid computing (2/5) > effective grid (7/25)."""
    found = [
        compare("modified_r_precision", part, WHOLE)
        for part in ("computing algorithm", "grid computing", "effective grid")
    ]
    assert found == pytest.approx([18 / 25, 2 / 5, 7 / 25], abs=1e-12)


def test_whose_words_weigh_matters_if_the_prediction_is_longer() -> None:
    """Gold "performance", predicted "performance evaluation": 1/3 or 1."""
    pair = ("performance evaluation", "performance")
    assert compare("modified_r_precision", *pair) == pytest.approx(1 / 3)
    assert compare("modified_r_precision", *pair, weights="reference") == 1.0
    assert compare("modified_r_precision", *reversed(pair), weights="reference") == pytest.approx(1 / 3)


def test_of_a_repeated_word_the_occurrence_next_to_the_head_counts() -> None:
    """A B A against A: the last one, 1 of 1/3 + 1/2 + 1."""
    assert compare("modified_r_precision", "a", "a b a") == pytest.approx(6 / 11)


# --- BLEU -------------------------------------------------------------------------------------------


def test_taking_the_longer_phrase_as_the_reference_turns_the_brevity_penalty_on() -> None:
    """Two words of four: e^−1, where the paper wants to avoid a penalty."""
    for pair in (("grid computing", WHOLE), (WHOLE, "grid computing")):
        assert compare("bleu", *pair) == pytest.approx(math.exp(-1), abs=1e-12)
    assert compare("bleu", "grid computing", WHOLE, brevity_penalty=False) == 1.0
    assert compare("bleu", WHOLE, "grid computing", longer_as_reference=False) == 0.5


@pytest.mark.parametrize(("kind", "parameters"), [("bleu", {}), ("rouge", {}), ("r_precision_overlap", {})])
def test_for_parts_of_a_phrase_measures_know_its_length_alone(kind: str, parameters: dict[str, Any]) -> None:
    """Which is why their columns in Tables 3 to 5 are nearly equal."""
    parts = {2: ["effective grid", "grid computing", "computing algorithm"], 1: WHOLE.split()}
    values = {
        length: {compare(kind, part, WHOLE, **parameters) for part in some} for length, some in parts.items()
    }
    assert [len(found) for found in values.values()] == [1, 1]
    assert max(values[1]) < min(values[2])


def test_equal_phrases_of_two_words_under_bleu_4() -> None:
    """1 with the effective order; without it 0, or .3162 smoothed (nltk: 1.5e-154 and .3162)."""
    pair = ("grid computing", "grid computing")
    assert compare("bleu", *pair, n=4) == 1.0
    assert compare("bleu", *pair, n=4, effective_order=False) == 0.0
    smoothed = compare("bleu", *pair, n=4, effective_order=False, smoothing="epsilon")
    assert smoothed == pytest.approx(math.sqrt(0.1), abs=1e-12)


@given(words, words, st.integers(1, 4), st.sampled_from(["zero", "epsilon", "add_one"]))
@settings(max_examples=200, deadline=None)
@pytest.mark.slow
def test_bleu_is_that_of_nltk(predicted: list[str], gold: list[str], n: int, smoothing: str) -> None:
    """All orders counted, the gold keyphrase as the reference; what nltk makes 1e-154 is 0 here."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    methods = SmoothingFunction()
    method = {"zero": methods.method0, "epsilon": methods.method1, "add_one": methods.method2}[smoothing]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sentence_bleu([gold], predicted, weights=[1 / n] * n, smoothing_function=method)
    ours = compare(
        "bleu",
        " ".join(predicted),
        " ".join(gold),
        stem=False,
        longer_as_reference=False,
        n=n,
        effective_order=False,
        smoothing=smoothing,
    )
    assert ours == pytest.approx(theirs, abs=1e-9) or (ours == 0.0 and theirs < 1e-50)


@given(words, words, st.integers(1, 4))
@settings(max_examples=200, deadline=None)
@pytest.mark.slow
def test_bleu_of_the_effective_order_is_that_of_sacrebleu(
    predicted: list[str], gold: list[str], n: int
) -> None:
    """Unsmoothed, in per cent there."""
    library = pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    bleu = library.BLEU(max_ngram_order=n, effective_order=True, smooth_method="none", tokenize="none")
    theirs = bleu.sentence_score(" ".join(predicted), [" ".join(gold)]).score / 100
    ours = compare("bleu", " ".join(predicted), " ".join(gold), stem=False, longer_as_reference=False, n=n)
    assert ours == pytest.approx(theirs, abs=1e-9)


# --- NIST -------------------------------------------------------------------------------------------


def test_nist_counts_bits() -> None:
    """By hand: of four words two match, each log2 4 = 2 bits; half the length costs e^(β ln² ½) = .1319."""
    penalty = 0.5 ** ((math.log(2) / math.log(1.5)) ** 2)
    assert compare("nist", "grid computing", WHOLE) == pytest.approx(2.0 * penalty)
    assert penalty == pytest.approx(0.1319, abs=5e-5)


def test_nist_of_a_single_word_is_nothing() -> None:
    """A word that is all there is carries no information."""
    assert compare("nist", "grid", "grid") == 0.0
    assert compare("nist", "grid computing", "grid computing") == 1.0


@given(words, words, st.integers(1, 5))
@settings(max_examples=200, deadline=None)
@pytest.mark.slow
def test_nist_is_that_of_nltk_where_nltk_has_one(predicted: list[str], gold: list[str], n: int) -> None:
    """nltk divides by zero if n exceeds the length of a phrase, so that n is cut for it."""
    from nltk.translate.nist_score import sentence_nist

    theirs = sentence_nist([gold], predicted, n=min(n, len(predicted), len(gold)))
    ours = compare("nist", " ".join(predicted), " ".join(gold), stem=False, longer_as_reference=False, n=n)
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_nltk_fails_where_n_is_cut() -> None:
    """The reason for cutting it."""
    from nltk.translate.nist_score import sentence_nist

    with pytest.raises(ZeroDivisionError):
        sentence_nist([["a", "b", "c"]], ["a", "b"], n=5)


# --- METEOR -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("grid", "grid", 0.5),
        ("grid computing", "grid computing", 0.9375),
        ("grids computed", "grid computing", 0.9375),
        ("a b c d e f", "a b c d e f", 1 - 0.5 / 6**3),
        ("fast car", "fast auto", 0.25),
        ("car", "automobile", 0.0),
        ("grid", "grid computing", 0.5 * 0.5 / (0.9 * 1.0 + 0.1 * 0.5)),
    ],
)
def test_meteor_of_short_phrases(predicted: str, gold: str, expected: float) -> None:
    """By hand, with nltk's defaults .9, 3 and .5: equal phrases never reach 1."""
    assert compare("meteor", predicted, gold) == pytest.approx(expected, abs=1e-12)


def test_the_weights_of_meteor_are_parameters() -> None:
    """Without a penalty, and with precision and recall weighing alike, it is the F-measure."""
    found = compare("meteor", "grid", WHOLE, gamma=0.0, alpha=0.5)
    assert found == pytest.approx(compare("rouge", "grid", WHOLE))


class Synonyms:
    """A WordNet in which auto and car share a synset, as in the real one."""

    class Lemma:
        """A word of a synset."""

        def __init__(self, name: str) -> None:
            self._name = name

        def name(self) -> str:
            """The word."""
            return self._name

    class Synset:
        """The cars."""

        def lemmas(self) -> list[Synonyms.Lemma]:
            """All its words."""
            return [Synonyms.Lemma(name) for name in ("car", "auto", "automobile")]

    def ensure_loaded(self) -> None:
        """Nothing has to be read."""

    def synsets(self, word: str) -> list[Synonyms.Synset]:
        """What a form has."""
        return [self.Synset()] if word in ("car", "auto", "automobile") else []


@pytest.fixture
def _fresh_wordnet() -> Any:
    from kpframe.similarity import meteor

    meteor._wordnet.cache_clear()
    meteor._meteor.cache_clear()
    yield
    meteor._wordnet.cache_clear()
    meteor._meteor.cache_clear()


@pytest.mark.usefixtures("_fresh_wordnet")
def test_meteor_looks_stems_up_in_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "auto" is its own stem and matches "car"; "automobile" becomes "automobil", which nobody knows.

    The same values come out with the files of WordNet 3.0.
    """
    import nltk.corpus

    monkeypatch.setattr(nltk.corpus, "wordnet", Synonyms())
    assert compare("meteor", "fast car", "fast auto", wordnet=True) == pytest.approx(0.9375)
    assert compare("meteor", "car", "automobile", wordnet=True) == 0.0
    assert compare("meteor", "car", "automobile", wordnet=True, stem=False) == 0.5


@pytest.mark.usefixtures("_fresh_wordnet")
def test_a_missing_wordnet_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is compared with, and before, by a check."""
    import nltk.corpus

    class Missing:
        """What nltk has where nothing was downloaded."""

        def ensure_loaded(self) -> None:
            """As nltk does."""
            raise LookupError("Resource wordnet not found")

    monkeypatch.setattr(nltk.corpus, "wordnet", Missing())
    remedy = "get it with: python -m nltk.downloader wordnet"
    with pytest.raises(ResourceError) as caught:
        compare("meteor", "car", "auto", wordnet=True)
    assert str(caught.value) == f"WordNet: is not among the data of nltk; {remedy}"
    found = list(similarity("meteor", wordnet=True).problems(["en"]))
    assert found == [("wordnet", "WordNet: is not among the data of nltk", remedy)]
    assert list(similarity("meteor").problems(["en"])) == []


@given(words, words)
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_meteor_is_at_most_one_and_the_longer_phrase_is_its_reference(
    predicted: list[str], gold: list[str]
) -> None:
    """Exchanging phrases of different lengths changes nothing."""
    pair = " ".join(predicted), " ".join(gold)
    assert 0.0 <= compare("meteor", *pair) <= 1.0
    if len(predicted) != len(gold):
        assert compare("meteor", *pair) == compare("meteor", *reversed(pair))


# --- ROUGE and Jaccard ------------------------------------------------------------------------------


@given(words, words, st.sampled_from([1, 2, "L"]))
@settings(max_examples=200, deadline=None)
@pytest.mark.slow
def test_rouge_is_that_of_rouge_score(predicted: list[str], gold: list[str], n: Any) -> None:
    """F-measures, unstemmed on both sides."""
    library = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is not installed")
    name = f"rouge{n}"
    pair = " ".join(predicted), " ".join(gold)
    theirs = library.RougeScorer([name], use_stemmer=False).score(pair[1], pair[0])[name].fmeasure
    assert compare("rouge", *pair, n=n, stem=False) == pytest.approx(theirs, abs=1e-9)


def test_rouge_of_a_pair_by_hand() -> None:
    """Shared over the mean length: one of two and four words, one run of one and three, two in order."""
    assert compare("rouge", "grid computing", WHOLE) == pytest.approx(2 / 3)
    assert compare("rouge", "grid computing", WHOLE, n=2) == 0.5
    assert compare("rouge", "effective algorithm", WHOLE, n=2) == 0.0
    assert compare("rouge", "effective algorithm", WHOLE, n="L") == pytest.approx(2 / 3)
    assert compare("rouge", "algorithm effective", WHOLE, n="L") == pytest.approx(1 / 3)
    assert compare("rouge", "grid", "grid", n=2) == 0.0


@pytest.mark.parametrize("wrong", [0, -1, "l", "W", 1.5])
def test_rouge_has_no_other_forms(wrong: Any) -> None:
    """Whole numbers from 1, or L."""
    with pytest.raises(SpecError):
        similarity("rouge", n=wrong)


def test_jaccard_of_words_and_of_words_with_pairs() -> None:
    """2 of 4 words; with the pairs of words 2 + 1 of 4 + 3 (the partial scores of OpenNMT-kpg)."""
    assert compare("jaccard", "grid computing", WHOLE) == 0.5
    assert compare("jaccard", "grid computing", WHOLE, n=2) == pytest.approx(3 / 7)
    assert compare("jaccard", "computing grids", WHOLE) == 0.5
    assert compare("jaccard", "computing grids", WHOLE, n=2) == pytest.approx(2 / 8)
    assert compare("jaccard", "data data", "data") == 1.0


@given(words, words)
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_bounded_measures_agree_on_the_extremes(predicted: Sequence[str], gold: Sequence[str]) -> None:
    """Disjoint phrases have nothing, equal ones all, and nothing lies outside."""
    pair = " ".join(predicted), " ".join(gold)
    for kind in ("r_precision_overlap", "modified_r_precision", "bleu", "rouge", "jaccard", "kmr"):
        value = compare(kind, *pair, stem=False)
        assert 0.0 <= value <= 1.0
        if not set(predicted) & set(gold):
            assert value == 0.0
        if list(predicted) == list(gold):
            assert value == pytest.approx(1.0, abs=1e-12)
