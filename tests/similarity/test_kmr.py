"""The keyphrase match rate."""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pair_measures import similarity

from kpframe.language.stems import stemmer
from kpframe.similarity._edit_rate import MAX_SHIFTED, edit_distance, edits
from kpframe.similarity.kmr import Kmr

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets") / "../reference/oracles"
needs_oracles = pytest.mark.skipif(
    not (ORACLES / "acceptance.json").is_file(), reason=f"the peers' figures are not in {ORACLES}"
)

words = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=7)


def kmr(**parameters: Any) -> Kmr:
    """The measure."""
    made = similarity("kmr", **parameters)
    assert isinstance(made, Kmr)
    return made


def filled(phrase: Sequence[str], length: int) -> list[str]:
    """The words of a phrase and dummy words after them."""
    return [*phrase, *["_"] * (length - len(phrase))]


def sacrebleu_edits(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """The edits that sacrebleu's TER counts, with all of its normalisation off."""
    ter = pytest.importorskip("sacrebleu.metrics.ter", reason="sacrebleu is not installed").TER
    found = ter(normalized=False, no_punct=False, asian_support=False, case_sensitive=True)
    return int(found.sentence_score(" ".join(hypothesis), [" ".join(reference)]).num_edits)


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("service quality", "quality of service", Fraction(1, 3)),
        ("pwarx identification", "identification", Fraction(0)),
        ("identification", "pwarx identification", Fraction(0)),
        ("performance evaluation", "performance", Fraction(1, 2)),
        ("performance", "performance evaluation", Fraction(1, 2)),
        ("web search engine", "search engine", Fraction(1, 3)),
        ("Neural  Networks", "neural network", Fraction(1)),
        ("a b x y z", "a b c d e", Fraction(2, 5)),
    ],
)
def test_the_rate_of_a_pair(predicted: str, gold: str, expected: Fraction) -> None:
    """By hand: edits over the length of the longer phrase, filled up on the right (section 2.3)."""
    assert kmr().compare(predicted, gold) == float(expected)


def test_two_of_five_words_are_not_below_the_threshold_of_the_paper() -> None:
    """Exactly .4, with nothing lost in floating point; what is below .4 would count nothing."""
    assert kmr().compare("a b x y z", "a b c d e") >= 0.4


def test_a_shifted_word_costs_one_edit() -> None:
    """Without shifts "service quality" / "quality of service" would have nothing in common."""
    assert kmr(pad="left").compare("c a b", "a b c") == pytest.approx(2 / 3)


def test_filling_up_on_the_left_aligns_the_heads() -> None:
    """What Kundu et al. do on the right decides which half of a phrase counts."""
    assert kmr(pad="left").compare("identification", "pwarx identification") == 0.5
    assert kmr(pad="left").compare("performance", "performance evaluation") == 0.0


def test_without_filling_up_the_gold_keyphrase_is_the_measure() -> None:
    """One insertion into a gold keyphrase of one word; two would make TER exceed 1."""
    plain = kmr(pad="neither")
    assert plain.compare("x a", "a") == 0.0
    assert plain.compare("x y a", "a") == 0.0
    assert plain.compare("a", "a b") == 0.5
    assert plain.compare("a x", "a b c d") == 0.25


def test_stems_are_compared_unless_words_are_wanted() -> None:
    """Porter stems of lower-cased words."""
    assert kmr().compare("clustering", "Clusters") == 1.0
    assert kmr(stem=False).compare("clustering", "Clusters") == 0.0


def test_blanks_alone_part_words() -> None:
    """Whatever stands between blanks is one word: "chiu's" is not "chiu 's" (Table 2, row 3)."""
    assert kmr().compare("chiu's clustering", "chiu 's clustering") == 0.0
    assert kmr(pad="left").compare("chiu's clustering", "chiu 's clustering") == pytest.approx(1 / 3)
    assert kmr(pad="left").compare("on-line learning", "on line learning") == pytest.approx(1 / 3)


@pytest.mark.parametrize("odd", ["&amp;", "<skipped>", ".", "U.S.", "pad", "_", "北京", "-", "0", "1"])
def test_no_tokeniser_touches_the_words(odd: str) -> None:
    """A word that a translation tokeniser would split, drop or take for a dummy is one word like others."""
    assert kmr(stem=False).compare(f"{odd} b", f"{odd} c") == 0.5
    assert kmr(stem=False).compare("a", f"a {odd}") == 0.5
    assert kmr(stem=False).compare(f"{odd} a", f"a b {odd}") == kmr().compare("x a", "a b x")


@given(words, words)
@settings(max_examples=200, deadline=None)
@pytest.mark.slow
def test_the_shortcuts_give_what_the_edits_give(predicted: list[str], gold: list[str]) -> None:
    """Of equal phrases no word is edited, of disjoint ones every word, by both programs."""
    longest = max(len(predicted), len(gold))
    rows = filled(predicted, longest), filled(gold, longest)
    numbers = [[ord(word) for word in row] for row in rows]
    found = kmr(stem=False).compare(" ".join(predicted), " ".join(gold))
    assert found == pytest.approx(1 - edits(*numbers) / longest, abs=1e-12)
    if predicted == gold:
        assert edits(*numbers) == sacrebleu_edits(*rows) == 0
    if not set(predicted) & set(gold):
        assert edits(*numbers) == sacrebleu_edits(*rows) == longest


@given(words, words)
@settings(max_examples=200, deadline=None)
@pytest.mark.slow
def test_edits_lie_between_the_missing_words_and_the_edit_distance(
    predicted: list[str], gold: list[str]
) -> None:
    """A word that the other row lacks needs an edit, and shifts are made only if they save some."""
    left, right = ([ord(word) for word in row] for row in (predicted, gold))
    missing = max((Counter(left) - Counter(right)).total(), (Counter(right) - Counter(left)).total())
    assert missing <= edits(left, right) <= edit_distance(left, right)


@pytest.mark.slow
def test_nearly_all_pairs_of_short_phrases_need_as_many_edits_as_sacrebleu_counts() -> None:
    """Of 2,640 pairs of up to four words out of three (one renaming of each), 6 differ, by one edit."""
    phrases = [p for n in range(1, 5) for p in itertools.product("abc", repeat=n)]
    differences: Counter[int] = Counter()
    for predicted, gold in itertools.product(filter(is_canonical, phrases), phrases):
        ours = edits([ord(word) for word in predicted], [ord(word) for word in gold])
        differences[ours - sacrebleu_edits(predicted, gold)] += 1
    assert differences == {0: 2634, 1: 4, -1: 2}


def is_canonical(phrase: tuple[str, ...]) -> bool:
    """Whether new words appear in alphabetical order, so that one of all renamings is taken."""
    return "abc".startswith("".join(dict.fromkeys(phrase)))


@pytest.mark.parametrize(
    ("predicted", "gold", "ours", "theirs"),
    [
        ("lot size models", "deterministic inventory lot size models", 3, 4),
        ("sub infinity control", "robust H sub infinity control", 3, 4),
        ("contrast enhanced imaging", "time resolved contrast enhanced imaging", 3, 4),
        ("near infrared tomographic", "nonlinearly reconstructed near infrared tomographic images", 4, 5),
    ],
)
def test_a_run_that_the_edit_distance_matches_is_shifted_too(
    predicted: str, gold: str, ours: int, theirs: int
) -> None:
    """Pairs of 60 Inspec documents in which the authors' program (pyter) and sacrebleu disagree."""
    left, right = (phrase.split() for phrase in (predicted, gold))
    rows = filled(left, len(right)), right
    assert kmr().compare(predicted, gold) == pytest.approx(1 - ours / len(right))
    assert sacrebleu_edits(*rows) == theirs


@given(words, words, st.permutations("abcdef"))
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_the_rate_depends_on_which_words_are_equal_alone(
    predicted: list[str], gold: list[str], names: list[str]
) -> None:
    """Renaming all words changes nothing, which is why pairs of one pattern share a computation."""
    rename = dict(zip("abcdef", names, strict=True))
    renamed = [" ".join(rename[word] for word in phrase) for phrase in (predicted, gold)]
    assert kmr(stem=False).compare(*renamed) == kmr(stem=False).compare(" ".join(predicted), " ".join(gold))


def test_the_greedy_search_for_shifts_is_not_symmetric() -> None:
    """Two shifts one way; the other way the first shift that saves most leads to three edits."""
    assert kmr(stem=False).compare("a a a b b", "b a b a a") == 0.6
    assert kmr(stem=False).compare("b a b a a", "a a a b b") == 0.4


def test_long_phrases_are_compared_without_shifts() -> None:
    """Shifts of 21 words are not searched; those of 20 are."""
    for length, needed in ((MAX_SHIFTED, 1), (MAX_SHIFTED + 1, 2)):
        names = [f"w{number}" for number in range(length)]
        moved = [*names[1:], names[0]]
        assert kmr().compare(" ".join(moved), " ".join(names)) == pytest.approx(1 - needed / length)


def f_scores(predicted: Sequence[str], gold: Sequence[str]) -> tuple[float, float]:
    """F_KMR by equations 4 to 6, and as the authors' older program has it, which gives Table 2.

    The latter puts both sums over the size of the longer list and takes their arithmetic mean.
    """
    table = kmr().matrix(predicted, gold)
    best = [max(row) for row in table], [max(column) for column in zip(*table, strict=True)]
    sums = [sum(value for value in side if value >= 0.4) for side in best]
    by_equations = harmonic(sums[0] / len(predicted), sums[1] / len(gold))
    return by_equations, sum(sums) / 2 / max(len(predicted), len(gold))


def harmonic(p: float, r: float) -> float:
    """The harmonic mean, 0 if both are 0."""
    return 2 * p * r / (p + r) if p + r else 0.0


@needs_oracles
@pytest.mark.parametrize("row", [1, 2, 3])
def test_the_rates_give_table_2_of_kundu_et_al(row: int) -> None:
    """.375 .500 .083 as printed, .4286 .5714 .1000 by the equations (paper/kundu2023/table2 …)."""
    figures = {f["name"]: f for f in json.loads((ORACLES / "acceptance.json").read_text(encoding="utf-8"))}
    by_equations = figures[f"paper/kundu2023/table2 row {row} eq. 4-6"]
    printed = figures[f"paper/kundu2023/table2 row {row} F_KMR@M"]
    found = f_scores(printed["dataset"]["pred"], printed["dataset"]["gold"])
    assert found[0] == pytest.approx(by_equations["expected"], abs=by_equations["tol"])
    assert found[1] == pytest.approx(printed["expected"], abs=printed["tol"])


@needs_oracles
def test_the_rates_give_the_authors_figures_on_60_documents() -> None:
    """kundu/inspec60.freq/all, computed by the authors' program with pyter."""
    figures = {f["name"]: f for f in json.loads((ORACLES / "acceptance.json").read_text(encoding="utf-8"))}
    found = []
    for line in (ORACLES / "inspec60.freq.jsonl").read_text(encoding="utf-8").splitlines():
        document = json.loads(line)["tok"]
        found.append(f_scores(*(distinct_stems(document[side]) for side in ("predicted", "gold"))))
    for number, name in enumerate(("eq4-6", "table2")):
        figure = figures[f"kundu/inspec60.freq/all/F_KMR@M {name}"]
        mean = sum(pair[number] for pair in found) / len(found)
        assert mean == pytest.approx(figure["expected"], abs=figure["tol"])


def distinct_stems(phrases: Sequence[str]) -> list[str]:
    """Each phrase once, told apart by its stems."""
    by_stems = {tuple(map(stemmer("porter"), phrase.lower().split())): phrase for phrase in reversed(phrases)}
    return list(by_stems.values())


def test_that_stems_are_english_is_told() -> None:
    """Of every measure that stems, for texts in another language; not where words are compared."""
    assert list(Kmr().limits("fr")) == ["kmr compares by Porter's stems, which are English"]
    assert list(Kmr().limits("en")) == list(Kmr(stem=False).limits("fr")) == []
