"""What judges accept, and how far they agree."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.analysis.acceptance import Judgements, acceptance, read_judgements
from kpframe.errors import DataError
from kpframe.statistics.agreement import fleiss_kappa, krippendorff_alpha, observed_agreement

WIKIPEDIA = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
"""How often 14 judges gave each of 5 labels to 10 items: the worked example of Wikipedia, "Fleiss' kappa"."""

FOUR_OBSERVERS = list(
    zip(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
        strict=True,
    )
)
"""Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C."""

complete = st.integers(2, 5).flatmap(
    lambda judges: st.lists(
        st.lists(st.integers(0, 3), min_size=judges, max_size=judges), min_size=1, max_size=12
    )
)
gapped = st.integers(2, 5).flatmap(
    lambda judges: st.lists(
        st.lists(st.none() | st.integers(0, 3), min_size=judges, max_size=judges), min_size=1, max_size=12
    )
)


def labels(counts: Sequence[int]) -> list[int]:
    """The labels of one item, given how often each occurs."""
    return [label for label, count in enumerate(counts) for _ in range(count)]


def everything(ratings: Sequence[Sequence[Any]]) -> list[Any]:
    """All coefficients."""
    alphas = [krippendorff_alpha(ratings), krippendorff_alpha(ratings, "interval")]
    return [observed_agreement(ratings), fleiss_kappa(ratings), *alphas]


def test_fleiss_kappa_of_the_textbook_example() -> None:
    """Mean P = 0.378 and Pe = 0.213 give 0.210."""
    ratings = [labels(counts) for counts in WIKIPEDIA]
    assert observed_agreement(ratings).value == pytest.approx(0.378, abs=5e-4)
    assert fleiss_kappa(ratings).value == pytest.approx(0.210, abs=5e-4)


def test_krippendorffs_alpha_of_his_own_examples() -> None:
    """Section A (two observers, binary): 0.095; section C (four, with gaps): 0.743 and 0.849."""
    meg, owen = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha(list(zip(meg, owen, strict=True))).value == pytest.approx(0.095, abs=5e-4)
    nominal = krippendorff_alpha(FOUR_OBSERVERS)
    assert (nominal.value, nominal.items) == (pytest.approx(0.743, abs=5e-4), 11)
    assert krippendorff_alpha(FOUR_OBSERVERS, "interval").value == pytest.approx(0.849, abs=5e-4)


def test_three_judges_by_hand() -> None:
    """yyy and ynn: P = (1 + 1/3) / 2, Pe = (16 + 4) / 36; alpha: Do = 4/2, De = 2·4·2 / 5."""
    ratings = [["y", "y", "y"], ["y", "n", "n"]]
    assert observed_agreement(ratings).value == pytest.approx(2 / 3)
    assert fleiss_kappa(ratings).value == pytest.approx((2 / 3 - 5 / 9) / (4 / 9))
    assert krippendorff_alpha(ratings).value == pytest.approx(1 - 2 / 3.2)


def test_a_blank_counts_for_alpha_and_leaves_the_item_out_of_kappa() -> None:
    """Observed agreement takes what pairs there are."""
    ratings = [[1, 1, None], [0, 0, 0], [1, 1, 0], [None, None, 1]]
    assert [found.items for found in everything(ratings)] == [3, 2, 3, 3]
    assert observed_agreement(ratings).value == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert fleiss_kappa(ratings) == fleiss_kappa(ratings[1:3])
    assert krippendorff_alpha(ratings) == krippendorff_alpha(ratings[:3])


@pytest.mark.parametrize("label", ["yes", 0])
def test_where_all_labels_are_the_same_chance_cannot_be_told(label: Any) -> None:
    """Neither 1 nor 0 nor not-a-number: None, with the reason."""
    ratings = [[label, label], [label, label]]
    assert observed_agreement(ratings).value == 1
    for found in (fleiss_kappa(ratings), krippendorff_alpha(ratings)):
        assert found.value is None and found.items == 2
        assert found.reason == "all labels are the same, so that agreement cannot be told from chance"


def test_without_pairs_there_is_no_agreement() -> None:
    """No items, or no item with two labels."""
    for ratings in ([], [[None, 1], [0, None]]):
        assert {found.value for found in everything(ratings)} == {None}
        assert krippendorff_alpha(ratings).reason == "no item was judged by two judges"
        assert fleiss_kappa(ratings).reason == "no item was judged by all judges"


def test_ratings_that_cannot_be_used() -> None:
    """Rows of different lengths, one judge, names at the interval level."""
    for function in (observed_agreement, fleiss_kappa, krippendorff_alpha):
        with pytest.raises(DataError) as error:
            function([[1, 2], [1]])
        assert str(error.value) == (
            "ratings: the items have between 1 and 2 judges; give a label or None for every judge"
        )
    with pytest.raises(DataError, match="ratings: are those of one judge"):
        fleiss_kappa([[1], [2]])
    for label in ("yes", float("nan"), float("inf")):
        with pytest.raises(DataError, match="is not a finite number; use the nominal level for names"):
            krippendorff_alpha([[1, label]], "interval")


@settings(deadline=None)
@given(gapped, st.randoms())
@pytest.mark.slow
def test_the_order_of_items_and_judges_changes_nothing(
    ratings: list[list[Any]], chance: random.Random
) -> None:
    """To the last digit."""
    order = list(range(len(ratings[0])))
    chance.shuffle(order)
    moved = [[row[j] for j in order] for row in ratings]
    chance.shuffle(moved)
    assert everything(moved) == everything(ratings)


@settings(deadline=None)
@given(gapped)
@pytest.mark.slow
def test_the_names_of_labels_change_nothing(ratings: list[list[Any]]) -> None:
    """At the nominal level any one-to-one renaming; at the interval level any scale."""
    renamed = [[None if label is None else f"label {3 - label}" for label in row] for row in ratings]
    for function in (observed_agreement, fleiss_kappa, krippendorff_alpha):
        assert function(renamed) == function(ratings)
    scaled = [[None if label is None else 10 - 4 * label for label in row] for row in ratings]
    assert krippendorff_alpha(scaled, "interval") == krippendorff_alpha(ratings, "interval")


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=10), st.integers(2, 5))
def test_perfect_agreement_is_one(given_labels: list[int], judges: int) -> None:
    """Where there are two labels at least."""
    if len(set(given_labels)) > 1:
        assert {found.value for found in everything([[label] * judges for label in given_labels])} == {1.0}


@settings(deadline=None)
@given(gapped)
@pytest.mark.slow
def test_no_coefficient_exceeds_one(ratings: list[list[Any]]) -> None:
    """And None comes with a reason, a value without."""
    for found in everything(ratings):
        assert found.value is None or found.value <= 1
        assert (found.value is None) == bool(found.reason)


@settings(deadline=None)
@given(complete)
@pytest.mark.slow
def test_kappa_agrees_with_statsmodels(ratings: list[list[int]]) -> None:
    """On complete ratings."""
    rater = pytest.importorskip("statsmodels.stats.inter_rater", reason="statsmodels is not installed")
    ours = fleiss_kappa(ratings).value
    if ours is not None:
        counts, _ = rater.aggregate_raters(ratings)
        assert ours == pytest.approx(rater.fleiss_kappa(counts), abs=1e-9)


@settings(deadline=None)
@given(gapped, st.sampled_from(["nominal", "interval"]))
@pytest.mark.slow
def test_alpha_agrees_with_the_krippendorff_package(ratings: list[list[Any]], level: Any) -> None:
    """With gaps, at both levels."""
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed")
    ours = krippendorff_alpha(ratings, level).value
    if ours is not None:
        by_judge = [[float("nan") if x is None else x for x in judge] for judge in zip(*ratings, strict=True)]
        theirs = krippendorff.alpha(reliability_data=by_judge, level_of_measurement=level)
        assert ours == pytest.approx(theirs, abs=1e-9)


@settings(deadline=None)
@given(complete)
def test_alpha_and_observed_agreement_agree_with_nltk(ratings: list[list[int]]) -> None:
    """On complete ratings, which is what nltk's averages are for."""
    from nltk.metrics.agreement import AnnotationTask

    task = AnnotationTask(
        [(f"judge {j}", f"item {i}", label) for i, row in enumerate(ratings) for j, label in enumerate(row)]
    )
    ours = krippendorff_alpha(ratings).value
    if ours is not None:
        assert observed_agreement(ratings).value == pytest.approx(task.avg_Ao())
        assert ours == pytest.approx(task.alpha())


def study() -> Judgements:
    """Judgements of four judges with the counts behind table 2 of Zesch and Gurevych (2009)."""
    numbers = {"Includes": (274, 160, 219), "PartOf": (239, 74, 105), "Morph": (53, 51, 51)}
    items, categories = {}, {}
    for category, (count, all_four, three) in numbers.items():
        for i in range(count):
            yes = 4 if i < all_four else 3 if i < three else i % 3
            items[f"{category} {i}"] = tuple(j < yes for j in range(4))
            categories[f"{category} {i}"] = category
    return Judgements(("a", "b", "c", "d"), items, categories)


def test_table_2_of_the_paper() -> None:
    """Its five columns, from counts that round to them."""
    rows = {
        row.category: (row.items, round(row.share(4) or 0, 2), round(row.share(3) or 0, 2))
        for row in acceptance(study())
    }
    assert rows == {
        "Includes": (274, 0.58, 0.80),
        "PartOf": (239, 0.31, 0.44),
        "Morph": (53, 0.96, 0.96),
        "Morph+Includes": (327, 0.65, 0.83),
        "all": (566, 0.50, 0.66),
    }


def test_shares_by_hand() -> None:
    """Three judges: a majority is two; an item with a blank is in no share, but in alpha."""
    items = {
        "a": (True, True, True),
        "b": (True, True, False),
        "c": (False, True, False),
        "d": (True, True, None),
    }
    (row,) = acceptance(Judgements(("x", "y", "z"), items, {}))
    assert (row.category, row.items, row.judged, row.accepted) == ("all", 4, 3, (0, 1, 1, 1))
    assert [row.share(k) for k in (3, 2, 1, 0)] == pytest.approx([1 / 3, 2 / 3, 1, 1])
    assert (row.observed.items, row.kappa.items, row.alpha.items) == (4, 3, 4)
    shares = row.to_json()["shares"]
    assert shares["all"] == {"judges": 3, "share": pytest.approx(1 / 3)}
    assert shares["all_but_one"] == shares["majority"] == {"judges": 2, "share": pytest.approx(2 / 3)}


def test_a_share_of_nothing_is_undefined() -> None:
    """Every item has a blank."""
    (row,) = acceptance(Judgements(("x", "y"), {"a": (True, None)}, {}))
    assert (row.judged, row.share(1)) == (0, None)


def test_the_table_does_not_depend_on_the_order_of_judges_and_items() -> None:
    """Judges renamed and moved, items moved."""
    made = study()
    moved = {item: row[::-1] for item, row in reversed(made.items.items())}
    other = Judgements(made.judges[::-1], moved, dict(reversed(made.categories.items())))
    assert acceptance(other) == acceptance(made)


def test_a_table_needs_judges_and_items() -> None:
    """Two of the former, one of the latter."""
    with pytest.raises(DataError) as error:
        acceptance(Judgements(("x",), {"a": (True,)}, {}))
    assert str(error.value) == "judges: there is only one; give the sheets of at least two judges"
    with pytest.raises(DataError, match="there is no item"):
        acceptance(Judgements(("x", "y"), {}, {}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a key of three items."""
    monkeypatch.chdir(tmp_path)
    Path("key.csv").write_text(
        "item,category,predicted,gold\nx,Morph,kites,kite\ny,PartOf,kite,red kite\nz,Morph,owls,owl\n"
    )
    return tmp_path


def sheet(name: str, *rows: str, header: str = "item,predicted,gold,judgement") -> str:
    """The file of one judge."""
    Path(name).write_text("\n".join([header, *rows]) + "\n")
    return name


def test_sheets_are_joined_by_item(folder: Path) -> None:
    """Whatever their delimiter, order and further columns; yes and no in any case, blanks counted."""
    ann = sheet("ann.csv", "x,kites,kite,yes", "y,kite,red kite,NO", "z,owls,owl,")
    bob = sheet("bob.csv", " No ;z;fine", "yes;x;", "no;y;", header="judgement;item;remark")
    made = read_judgements([ann, bob], "key.csv")
    assert made.judges == ("ann", "bob")
    assert made.items == {"x": (True, True), "y": (False, False), "z": (None, False)}
    assert made.categories == {"x": "Morph", "y": "PartOf", "z": "Morph"}
    assert made.blanks() == (1, 0)
    assert read_judgements([ann, bob]).categories == {}


def test_judges_with_equal_names_are_told_apart_by_their_paths(folder: Path) -> None:
    """The same file twice is an error, however it is written."""
    for name in ("one", "two"):
        Path(name).mkdir()
        sheet(f"{name}/sheet.csv", "x,,,yes")
    assert read_judgements(["one/sheet.csv", "two/sheet.csv"]).judges == ("one/sheet.csv", "two/sheet.csv")
    with pytest.raises(DataError) as error:
        read_judgements(["one/sheet.csv", "two/../one/sheet.csv"])
    assert str(error.value) == "judges: one file is given twice; give one file for each judge"


def test_everything_that_is_wrong_is_told_at_once(folder: Path) -> None:
    """Each with its file and line."""
    ann = sheet("ann.csv", "x,kites,kite,ja", "x,kites,kite,no", ",kite,red kite,no", "q,a,b,yes")
    bob = sheet("bob.csv", "x,kites,kite,yes", "y,owls,owl,1", "z,owls,owl,no")
    with pytest.raises(DataError) as error:
        read_judgements([ann, bob], "key.csv")
    assert str(error.value).splitlines() == [
        "ann.csv:3: the item 'x' comes twice; see line 2; keep one of the two",
        "ann.csv:4: has no item; restore the id, or remove the row",
        "ann.csv: lacks 2 items of key.csv (y, z); add the rows again",
        "ann.csv:5: the item 'q' is not in key.csv; give sheets of one sample",
        "ann.csv:2: the judgement 'ja' is not known; write yes or no, or leave it empty",
        "bob.csv:3: predicted is 'owls' and in key.csv 'kite'; restore the row: something else was judged",
        "bob.csv:3: gold is 'owl' and in key.csv 'red kite'; restore the row: something else was judged",
        "bob.csv:3: the judgement '1' is not known; write yes or no, or leave it empty",
    ]


def test_a_category_that_is_none_or_a_slip_is_told(folder: Path) -> None:
    """A name of one's own is one; the paper's names are written as the paper writes them."""
    ann = sheet("ann.csv", "x,,,yes", "y,,,no", "z,,,no", "w,,,no")
    key = sheet("own.csv", "x,morph", "y,", "z,Includs", "w,Synonym", header="item,category")
    with pytest.raises(DataError) as error:
        read_judgements([ann], key)
    assert str(error.value).splitlines() == [
        "own.csv:2: the category 'morph' is not known; did you mean 'Morph'?",
        "own.csv:3: has no category; restore it, or remove the row",
        "own.csv:4: the category 'Includs' is not known; did you mean 'Includes'?",
    ]


def test_without_a_key_the_sheets_are_checked_against_the_first(folder: Path) -> None:
    """Its own mistakes are told once."""
    ann = sheet("ann.csv", "x,kites,kite,yes", "x,kites,kite,yes", "y,kite,red kite,no")
    bob = sheet("bob.csv", "y,kite,red kite,no")
    with pytest.raises(DataError) as error:
        read_judgements([ann, bob])
    assert str(error.value).splitlines() == [
        "ann.csv:3: the item 'x' comes twice; see line 2; keep one of the two",
        "bob.csv: lacks 1 item of ann.csv (x); add the rows again",
    ]
