"""Keyphrases as features for scikit-learn: texts in, a sparse matrix out.

`KeyphraseVectorizer` is made when it is first asked for, since its base class is scikit-learn's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from kpframe.errors import DataError, SpecError
from kpframe.integrations._feature_columns import Columns, Row, fixed_columns, learned_columns
from kpframe.integrations._pipelines import PipelineLike, pipeline_of

if TYPE_CHECKING:
    from kpframe.engine.extraction import Extraction

__all__ = ["KeyphraseVectorizer", "Weighting"]

Weighting = Literal["binary", "score", "count"]

_MISSING = ("NoneType", "float", "NAType", "NaTType", "MaskedConstant")
_FILL = "; fill missing ones, as data['abstract'].fillna('')"


class _KeyphraseFeatures:
    """Turns texts into a sparse matrix with a column for each keyphrase.

    `pipeline` is the name of a shipped pipeline, a path to a spec (.yaml) or model (.json), a spec as a
    mapping, or a `kpframe.Pipeline`; `settings` change it (`["ranking.window=4"]`). Of every text the best
    `top` keyphrases count (None: all). `weighting` says what stands in the matrix: `binary` 1, `count` the
    number of places in the text, `score` the score, which is comparable only within one text. `min_df`
    drops keyphrases found in fewer texts than this (a number from 1, or a share of the texts as a float
    in 0 … 1). `vocabulary` fixes the columns: phrases, or a mapping from phrases to column numbers.
    `language` is that of all texts (a code or an English name), or `auto`, a guess for each; `workers` the
    number of processes (1 inside a process of joblib, as with `n_jobs`, which cannot have others).
    `sparse_output=False` gives a dense array, as `set_output(transform="pandas")` needs it.

    Forms that the pipeline joins in a text (by its keys: folded words, lemmas or stems) are one column
    over all texts, named by the form that most texts have; of forms that are equally frequent the
    alphabetically first one counts. Columns are in alphabetical order, and depend on the set of texts
    alone, not on their order. A fixed phrase stands for keyphrases whose key or text equals it, whatever
    their case; `fit` is needed all the same, to make the pipeline ready.

    After `fit`: `vocabulary_` (phrase → column), `pipeline_` and `n_texts_`. Raises SpecError for wrong
    parameters, TypeError or ValueError for what are no texts, and DataError for a text that cannot be
    processed, naming it.
    """

    vocabulary_: dict[str, int]

    def __init__(
        self,
        pipeline: PipelineLike = "textrank",
        *,
        settings: Sequence[str] = (),
        top: int | None = 10,
        weighting: Weighting = "binary",
        vocabulary: Iterable[str] | Mapping[str, int] | None = None,
        min_df: int | float = 1,
        language: str = "auto",
        workers: int = 1,
        sparse_output: bool = True,
    ) -> None:
        self.pipeline = pipeline
        self.settings = settings
        self.top = top
        self.weighting = weighting
        self.vocabulary = vocabulary
        self.min_df = min_df
        self.language = language
        self.workers = workers
        self.sparse_output = sparse_output

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn the columns from texts: a list, a Series, a one-column DataFrame or array; `y` is ignored."""
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """As `fit` and then `transform`, with the keyphrases extracted once."""
        return self._matrix(self._learn(X))

    def transform(self, X: Any) -> Any:
        """The weights of the keyphrases of texts: a scipy CSR matrix of floats, a row a text.

        A dense array with `sparse_output=False`; then also a DataFrame, if `set_output` asks for one.
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "vocabulary_")
        self._check()
        return self._matrix(self._rows(texts_of(X)))

    def inverse_transform(self, X: Any) -> list[Any]:
        """For each row of a matrix, the phrases whose weight is not zero: an array of strings."""
        from scipy.sparse import csr_matrix

        names = self.get_feature_names_out()
        matrix = csr_matrix(X, copy=True)
        if matrix.shape[1] != len(names):
            raise ValueError(f"the matrix has {matrix.shape[1]} columns, and there are {len(names)} phrases")
        matrix.eliminate_zeros()
        matrix.sort_indices()
        rows = zip(matrix.indptr, matrix.indptr[1:], strict=False)
        return [names[matrix.indices[begin:end]] for begin, end in rows]

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The phrases that name the columns: an array of strings; `input_features` is ignored."""
        import numpy as np
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "vocabulary_")
        return np.asarray(sorted(self.vocabulary_, key=self.vocabulary_.__getitem__), dtype=object)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn should know: texts in, nothing else."""
        from sklearn.utils import TransformerTags

        base: Any = super()
        tags = base.__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=[])
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        return tags

    def _learn(self, X: Any) -> list[Row]:
        self._check()
        fixed = None if self.vocabulary is None else fixed_columns(self.vocabulary)
        texts = texts_of(X)
        if fixed is None and not texts:
            raise ValueError("there is no text (0 samples), and so no keyphrase to learn")
        self.pipeline_ = pipeline_of(self.pipeline, self.settings)
        rows = self._rows(texts)
        self._columns = learned_columns(rows, self.min_df) if fixed is None else fixed
        self.vocabulary_ = dict(self._columns.names)
        self.n_texts_ = len(texts)
        return rows

    def _check(self) -> None:
        place = "KeyphraseVectorizer"
        if self.weighting not in get_args(Weighting):
            raise SpecError.at(place, f"weighting is {self.weighting!r}", "use binary, score or count")
        for name in ("top", "workers"):
            value = getattr(self, name)
            if value is None and name == "top":
                continue
            if type(value) is bool or not hasattr(value, "__index__") or value < 1:
                raise SpecError.at(place, f"{name} is {value!r}", "give a whole number from 1")
        if isinstance(self.settings, str):
            remedy = "give a list, as ['ranking.window=4']"
            raise SpecError.at(place, f"settings is the string {self.settings!r}", remedy)
        if not isinstance(self.language, str):
            raise SpecError.at(place, f"language is {self.language!r}", "give a code, as 'en', or 'auto'")
        share = isinstance(self.min_df, float) and 0 <= self.min_df <= 1
        number = hasattr(self.min_df, "__index__") and type(self.min_df) is not bool and self.min_df >= 1
        if not share and not number:
            remedy = "give a whole number from 1, or a share in 0.0 … 1.0"
            raise SpecError.at(place, f"min_df is {self.min_df!r}", remedy)

    def _rows(self, texts: Sequence[str]) -> list[Row]:
        top = None if self.top is None else int(self.top)
        workers = int(self.workers) if _may_spawn() else 1
        results = self.pipeline_.extract_many(texts, language=self.language, top=top, workers=workers)
        return [_row(number, result) for number, result in enumerate(results)]

    def _matrix(self, rows: Sequence[Row]) -> Any:
        from scipy.sparse import csr_matrix

        columns: Columns = self._columns
        begins = [0]
        places: list[int] = []
        values: list[float] = []
        for row in rows:
            cells = columns.cells(row, self.weighting)
            places.extend(cells)
            values.extend(cells.values())
            begins.append(len(places))
        shape = (len(rows), len(columns.names))
        made = csr_matrix((values, places, begins), shape=shape, dtype=float)
        return made if self.sparse_output else made.toarray()


def _may_spawn() -> bool:
    """Whether this process can have others: those of a pool (of joblib or multiprocessing) cannot."""
    import multiprocessing

    method = multiprocessing.get_start_method(allow_none=True)
    foreign = method is not None and method not in multiprocessing.get_all_start_methods()
    return not foreign and not multiprocessing.current_process().daemon


def texts_of(X: Any) -> list[str]:
    """The texts in a list, a Series, or an array or DataFrame of one column.

    Raises ValueError for a lone string, a set (it has no order) and several columns, and TypeError for
    what is no string.
    """
    lone = isinstance(X, str | bytes | Mapping | set | frozenset) or not hasattr(X, "__iter__")
    if lone or getattr(X, "shape", None) == ():
        raise ValueError(f"texts must be a list or a column of strings, not one {type(X).__name__}")
    if len(getattr(X, "shape", (0,))) > 1:
        if len(X.shape) > 2 or X.shape[1] != 1:
            shape = " by ".join(map(str, X.shape))
            raise ValueError(f"texts must be one column, not {shape}; choose one, as data['abstract']")
        X = X.iloc[:, 0] if hasattr(X, "iloc") else X[:, 0]
    texts = []
    for number, text in enumerate(X):
        if not isinstance(text, str):
            kind = type(text).__name__
            raise TypeError(f"text {number} must be str, not {kind}{_FILL if kind in _MISSING else ''}")
        texts.append(str(text))
    return texts


def _row(number: int, result: Extraction) -> Row:
    if result.error is not None:
        place = "" if result.error.startswith("document ") else f"text {number}"
        raise DataError.at(place, result.error)
    return tuple((k.key, k.text, k.score, len(k.spans)) for k in result)


if TYPE_CHECKING:

    class KeyphraseVectorizer(_KeyphraseFeatures):
        """See `_KeyphraseFeatures`; at run time also a scikit-learn BaseEstimator."""


def __getattr__(name: str) -> Any:
    if name != "KeyphraseVectorizer":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sklearn.base import BaseEstimator, TransformerMixin

    body = {"__doc__": _KeyphraseFeatures.__doc__, "__module__": __name__}
    # Of its own, since scikit-learn lets `set_output` change only what a class does not inherit.
    body |= {method: vars(_KeyphraseFeatures)[method] for method in ("fit_transform", "transform")}
    made = type(name, (_KeyphraseFeatures, TransformerMixin, BaseEstimator), body)
    globals()[name] = made
    return made
