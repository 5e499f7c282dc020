"""Keyphrases as features for scikit-learn."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from inspec_texts import RULES, inspec, needs_corpora
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils.validation import validate_data

from kpframe import DataError, Pipeline, SpecError
from kpframe.integrations import KeyphraseVectorizer
from kpframe.integrations._feature_columns import learned_columns

pytestmark = pytest.mark.slow

TEXTS = ["Red kites soar. Red kites!", "A grey heron and red kites.", "The grey heron, the Grey Heron."]


def rules(**parameters: Any) -> Any:
    """A vectorizer that needs no language model."""
    return KeyphraseVectorizer(RULES, **{"top": None, **parameters})


# --- scikit-learn's own checks ------------------------------------------------------------------------


class NumbersAsWords(KeyphraseVectorizer):
    """Takes numbers, as scikit-learn's checks give them: each row becomes a text of three words.

    This is how the checks that need numbers are run on an estimator for texts.
    """

    def __init__(self, pipeline: Any = RULES, *, top: int | None = 10, min_df: int = 1) -> None:
        super().__init__(pipeline, top=top, min_df=min_df)

    def fit(self, X: Any, y: Any = None) -> Any:
        """Fit on numbers."""
        return super().fit(self._texts(X, True), y)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit on numbers and transform them."""
        return super().fit_transform(self._texts(X, True), y)

    def transform(self, X: Any) -> Any:
        """Transform numbers."""
        estimator_checks.check_is_fitted(self, "vocabulary_")
        return super().transform(self._texts(X, False))

    def __sklearn_tags__(self) -> Any:
        """Numbers in."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = False, True
        return tags

    def _texts(self, X: Any, reset: bool) -> list[str]:
        table = validate_data(self, X, reset=reset)
        return [" ".join(f"word{chr(97 + int(abs(n)) % 20)}" for n in row[:3]) for row in table]


NOT_APPLICABLE = {
    "check_parameters_default_constructible": "runs above on the class itself; a mapping is no default",
    "check_readonly_memmap_input": "texts are no arrays that could lie in a memory map",
    "check_n_features_in_after_fitting": "texts have no number of features",
    "check_n_features_in": "texts have no number of features",
    "check_dtype_object": "an array of objects is how texts come",
    "check_complex_data": "texts are no numbers",
    "check_estimators_nan_inf": "texts are no numbers; a missing one is refused (tested below)",
    "check_estimator_sparse_tag": "texts do not come in sparse matrices",
    "check_estimator_sparse_array": "texts do not come in sparse matrices",
    "check_estimator_sparse_matrix": "texts do not come in sparse matrices",
    "check_estimators_dtypes": "texts have no type of number",
    "check_f_contiguous_array_estimator": "texts have no order in memory",
    "check_fit2d_1feature": "texts are one column in any case",
    "check_fit1d": "one dimension is how texts come",
    "check_fit2d_predict1d": "one dimension is how texts come",
}
"""What is about tables of numbers, and so tells nothing of an estimator for texts, with the reason."""


def test_scikit_learn_skips_what_it_cannot_feed() -> None:
    """Its checker has no texts: it clones, and says that it tests no more."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", estimator_checks.SkipTestWarning)
        estimator_checks.check_estimator(KeyphraseVectorizer())


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_estimator_cloneable,
        estimator_checks.check_estimator_repr,
        estimator_checks.check_estimator_tags_renamed,
        estimator_checks.check_valid_tag_types,
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_do_not_raise_errors_in_init_or_set_params,
        estimator_checks.check_mixin_order,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_set_params,
        estimator_checks.check_estimators_unfitted,
        estimator_checks.check_transformers_unfitted,
    ],
    ids=lambda check: check.__name__,
)
def test_checks_without_data_pass(check: Any) -> None:
    """On the class itself."""
    check("KeyphraseVectorizer", KeyphraseVectorizer())


def test_default_parameters_pass() -> None:
    """Also this check, which takes a class with parameters that have defaults."""
    estimator_checks.check_parameters_default_constructible("KeyphraseVectorizer", KeyphraseVectorizer())


def checks_with_numbers() -> Iterator[Any]:
    """All checks that scikit-learn has for a transformer of numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, check in estimator_checks.estimator_checks_generator(NumbersAsWords()):
            name = check.func.__name__
            reason = NOT_APPLICABLE.get(name)
            marks = [pytest.mark.skip(reason=reason)] if reason else []
            yield pytest.param(check, marks=marks, id=name)


def test_every_reason_is_that_of_a_check() -> None:
    """The table has no leftovers."""
    assert set(NOT_APPLICABLE) <= {found.id for found in checks_with_numbers()}


@pytest.mark.parametrize("check", list(checks_with_numbers()))
def test_checks_with_data_pass(check: Any) -> None:
    """On rows of numbers that are written as words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(NumbersAsWords())


@pytest.mark.acceptance
def test_a_fitted_one_works_in_another_process(tmp_path: Any) -> None:
    """Only asking for the class, as unpickling does, imports scikit-learn and makes the class."""
    made = rules().fit(TEXTS)
    (tmp_path / "fitted.pkl").write_bytes(pickle.dumps(made))
    code = (
        "import pickle, sys, kpframe, kpframe.integrations.vectorizer; assert 'sklearn' not in sys.modules;"
        f"made = pickle.load(open({str(tmp_path / 'fitted.pkl')!r}, 'rb')); assert 'sklearn' in sys.modules;"
        f"print(made.transform({TEXTS!r}).toarray().tolist())"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == str(made.transform(TEXTS).toarray().tolist())


# --- features -------------------------------------------------------------------------------------------


def test_weights_are_presence_places_or_scores() -> None:
    """Worked by hand: "red kites" twice in the first text, "grey heron" twice in the last."""
    columns = ["grey heron", "red kites"]
    table = [[0, 2], [1, 1], [2, 0]]
    for weighting, expected in (("count", table), ("score", table), ("binary", np.minimum(table, 1))):
        made = rules(vocabulary=columns, weighting=weighting).fit_transform(TEXTS)
        assert isinstance(made, sparse.csr_matrix) and made.dtype == float
        assert made.toarray().tolist() == np.array(expected, float).tolist(), weighting


def test_columns_join_forms_and_are_named_by_the_most_frequent() -> None:
    """Of "Grey Heron" and "grey heron" in two texts the latter wins; order is alphabetical; min_df drops."""
    made = rules(min_df=2).fit(TEXTS)
    assert made.get_feature_names_out().tolist() == [
        "grey",
        "grey heron",
        "heron",
        "kites",
        "Red",
        "Red kites",
    ]
    assert list(made.vocabulary_.values()) == [0, 1, 2, 3, 4, 5]
    assert rules(min_df=0.6).fit(TEXTS[::-1]).vocabulary_ == made.vocabulary_
    assert rules(min_df=1.0).fit(TEXTS[:2]).get_feature_names_out().tolist() == ["kites", "Red", "Red kites"]


def test_unknown_keyphrases_and_empty_texts_are_zero() -> None:
    """As with scikit-learn's own vectorizers."""
    made = rules().fit(TEXTS)
    assert made.transform(["Blue whales", "", " \n"]).nnz == 0
    assert made.transform([]).shape == (0, len(made.vocabulary_))


def test_all_shapes_of_one_column_are_taken() -> None:
    """List, tuple, generator, Series, one-column frame, arrays of one and two dimensions."""
    frame = pd.DataFrame({"text": TEXTS, "year": [1, 2, 3]}, index=[7, 7, 9])
    expected = rules().fit_transform(TEXTS).toarray().tolist()
    for X in (
        tuple(TEXTS),
        iter(TEXTS),
        frame["text"],
        frame[["text"]],
        np.array(TEXTS),
        np.array(TEXTS, dtype=object).reshape(-1, 1),
        pd.array(TEXTS, dtype="string"),
    ):
        assert rules().fit_transform(X).toarray().tolist() == expected
    for column in ("text", ["text"]):
        made = ColumnTransformer([("k", rules(), column)]).fit(frame)
        assert made.transform(frame).shape[0] == 3
        assert made.get_feature_names_out()[0].startswith("k__")


def test_a_pipeline_may_come_in_any_form(tmp_path: Any) -> None:
    """Name, path, mapping, Pipeline; settings change it; clones and copies give the same numbers."""
    path = tmp_path / "rules.yaml"
    path.write_text("preprocessing: [simple]\ncandidates: tokens\nranking: frequency\n")
    expected = KeyphraseVectorizer(path).fit(TEXTS).vocabulary_
    for given in (str(path), Pipeline.load(path)):
        assert KeyphraseVectorizer(given).fit(TEXTS).vocabulary_ == expected
    assert "Red kites" in KeyphraseVectorizer("textrank").fit(TEXTS).vocabulary_
    made = rules(settings=["candidates.max=1"]).fit(TEXTS)
    assert all(" " not in name for name in made.vocabulary_)
    again = pickle.loads(pickle.dumps(made))
    assert (again.transform(TEXTS) != made.transform(TEXTS)).nnz == 0
    assert clone(made).get_params() == made.get_params()
    with pytest.raises(NotFittedError):
        clone(made).transform(TEXTS)


def test_a_set_of_phrases_gives_alphabetical_columns() -> None:
    """Sets have no order that another process would have too."""
    phrases = {"red kites", "Grey heron", "a", "b", "c", "d"}
    made = rules(vocabulary=phrases).fit(TEXTS).get_feature_names_out()
    assert made.tolist() == ["a", "b", "c", "d", "Grey heron", "red kites"]


def test_a_share_of_texts_is_exact() -> None:
    """0.07 × 100 is a little more than 7 in floating point, but 7 texts of 100 are 7 %."""
    rows = [(("a", "a", 1.0, 1),)] * 7 + [(("b", "b", 1.0, 1),)] * 6 + [()] * 87
    assert 0.07 * 100 > 7
    assert learned_columns(rows, 0.07).names == {"a": 0}


def test_columns_never_share_a_name() -> None:
    """Two keys of one form have the key beside it, also where a third form looks like that."""
    row = (("k1", "saw", 1.0, 1), ("k2", "saw", 1.0, 1), ("k3", "saw [k1]", 1.0, 1))
    assert list(learned_columns([row], 1).names) == ["saw [k1]", "saw [k1]'", "saw [k2]"]


def test_rows_are_turned_back_into_phrases() -> None:
    """Those with a weight, as scikit-learn's own vectorizers do it; the matrix stays as it was."""
    made = rules(vocabulary=["grey heron", "red kites"])
    matrix = made.fit_transform(TEXTS)
    for given in (matrix, matrix.toarray()):
        found = [row.tolist() for row in made.inverse_transform(given)]
        assert found == [["red kites"], ["grey heron", "red kites"], ["grey heron"]]
    with pytest.raises(ValueError, match="the matrix has 1 columns, and there are 2 phrases"):
        made.inverse_transform(matrix[:, :1])


def test_frames_come_out_with_phrases_as_columns() -> None:
    """Of a dense array; scikit-learn says what to do with a sparse one."""
    series = pd.Series(TEXTS, index=[5, 5, 9])
    made = rules(vocabulary=["grey heron", "red kites"], sparse_output=False)
    assert isinstance(made.fit_transform(TEXTS), np.ndarray)
    for estimator in (made, make_pipeline(made), ColumnTransformer([("k", made, "text")])):
        X = pd.DataFrame({"text": series}) if isinstance(estimator, ColumnTransformer) else series
        frame = clone(estimator).set_output(transform="pandas").fit(X).transform(X)
        assert frame.to_numpy().tolist() == [[0, 1], [1, 1], [1, 0]]
        assert frame.index.tolist() == [5, 5, 9]
        assert [name.removeprefix("k__") for name in frame.columns] == ["grey heron", "red kites"]
    with pytest.raises(ValueError, match="The transformer outputs a scipy sparse matrix"):
        rules().set_output(transform="pandas").fit_transform(TEXTS)


def test_it_shows_itself_in_notebooks() -> None:
    """scikit-learn's diagram, fitted or not, and a help text of its own."""
    for made in (rules(), rules().fit(TEXTS)):
        assert "KeyphraseVectorizer" in made._repr_html_()
    assert "`weighting` says what stands in the matrix" in KeyphraseVectorizer.__doc__


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"weighting": "tf"}, "KeyphraseVectorizer: weighting is 'tf'; use binary, score or count"),
        ({"top": 0}, "KeyphraseVectorizer: top is 0; give a whole number from 1"),
        (
            {"min_df": 1.5},
            "KeyphraseVectorizer: min_df is 1.5; give a whole number from 1, or a share in 0.0 … 1.0",
        ),
        (
            {"vocabulary": ["red kites", "Red  Kites"]},
            "KeyphraseVectorizer: vocabulary: 'Red  Kites' is there twice (case does not count); "
            "leave one out",
        ),
        (
            {"vocabulary": {"a": 1}},
            "KeyphraseVectorizer: vocabulary: does not number its columns 0, 1, 2, …; give a list of phrases",
        ),
        ({"vocabulary": "red"}, "KeyphraseVectorizer: vocabulary: is one string; give a list of phrases"),
        ({"vocabulary": 5}, "KeyphraseVectorizer: vocabulary: is one int; give a list of phrases"),
        (
            {"vocabulary": (phrase for phrase in ["red kites"])},
            "KeyphraseVectorizer: vocabulary: is one generator; give a list of phrases",
        ),
        (
            {"settings": "ranking.window=4"},
            "KeyphraseVectorizer: settings is the string 'ranking.window=4'; "
            "give a list, as ['ranking.window=4']",
        ),
        ({"language": None}, "KeyphraseVectorizer: language is None; give a code, as 'en', or 'auto'"),
        (
            {"pipeline": {"extends": "textrank"}},
            "pipeline: extends has no effect in a mapping; "
            "give the name or path of a spec, and what differs as settings",
        ),
        (
            {"pipeline": 3},
            "pipeline: must be a name, a path, a mapping or a Pipeline, not int; as pipeline='textrank'",
        ),
    ],
)
def test_wrong_parameters_are_told_when_fitting(parameters: dict[str, Any], message: str) -> None:
    """With a remedy, and not before `fit`, as scikit-learn wants it."""
    made = KeyphraseVectorizer(**parameters)
    with pytest.raises(SpecError) as caught:
        made.fit(TEXTS)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("X", "kind", "message"),
    [
        ("one text", ValueError, "texts must be a list or a column of strings, not one str"),
        (["a", None], TypeError, "text 1 must be str, not NoneType; fill missing ones"),
        (
            pd.Series(["a", np.nan], dtype=object),
            TypeError,
            "text 1 must be str, not float; fill missing ones",
        ),
        ([b"a"], TypeError, "text 0 must be str, not bytes"),
        (set(TEXTS), ValueError, "texts must be a list or a column of strings, not one set"),
        (np.array("a"), ValueError, "texts must be a list or a column of strings, not one ndarray"),
        (
            np.ma.array(["a", "b"], mask=[0, 1]),
            TypeError,
            "text 1 must be str, not MaskedConstant; fill missing ones",
        ),
        (pd.DataFrame({"a": TEXTS, "b": TEXTS}), ValueError, "texts must be one column, not 3 by 2; choose"),
        (["of", "the"], ValueError, "no keyphrase was found: lower min_df"),
        ([], ValueError, "there is no text"),
        (["half \ud800 pair"], DataError, "half of a surrogate pair"),
    ],
)
def test_what_are_no_texts_is_refused(X: Any, kind: type[Exception], message: str) -> None:
    """With what is wrong and where."""
    with pytest.raises(kind, match=message):
        KeyphraseVectorizer().fit(X)


@pytest.mark.acceptance
@needs_corpora
def test_a_grid_search_over_inspec_finds_the_pipeline_that_helps() -> None:
    """Fifty abstracts: whether a gold keyphrase has to do with systems; pipelines and weights compete."""
    documents = inspec()
    texts = pd.Series([document.text for document in documents])
    labels = [any("system" in gold.text for gold in document.gold) for document in documents]
    assert 5 < sum(labels) < 45
    model = make_pipeline(KeyphraseVectorizer(RULES, top=20), LogisticRegression())
    grid = {
        "keyphrasevectorizer__pipeline": [RULES, "textrank"],
        "keyphrasevectorizer__weighting": ["binary", "count"],
    }
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(texts, labels)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_score_ > 0.5
    assert len(search.predict(texts)) == 50


@needs_corpora
def test_workers_change_nothing() -> None:
    """Two processes give the matrix of one, also where a process of joblib is asked to have others."""
    texts = [document.text for document in inspec()][:20]
    one, two = (rules(top=5, weighting="score", workers=n).fit_transform(texts) for n in (1, 2))
    assert (one != two).nnz == 0
    job = rules(top=5, weighting="score", workers=2)
    (inner,) = Parallel(n_jobs=2)([delayed(job.fit_transform)(texts)])
    assert (inner != one).nnz == 0


def test_a_search_varies_settings_of_the_pipeline() -> None:
    """As lists of `path=value`."""
    model = make_pipeline(rules(), LogisticRegression())
    grid = {
        "keyphrasevectorizer__settings": [(), ["candidates.max=1"]],
        "keyphrasevectorizer__top": [1, None],
    }
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(TEXTS * 2, [0, 1, 1] * 2)
    assert len(search.cv_results_["params"]) == 4
