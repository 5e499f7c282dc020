"""scikit-learn's classifiers by name, kept as bytes that cannot run code when they are loaded."""

from __future__ import annotations

import base64
import importlib
import importlib.util
import inspect
import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpframe.errors import KpframeError, ResourceError, SpecError, StageError, suggestion
from kpframe.ranking._features import Column

__all__ = ["build", "fit", "load", "probabilities", "require_skops", "saved"]

_TRUSTED = ("sklearn", "numpy")
_PLACE = "saved classifier"


def build(name: str, parameters: Mapping[str, Any]) -> Any:
    """An untrained classifier; its random state is 0 unless given.

    Raises SpecError for a name that is not one of scikit-learn's classifiers, or parameters that
    it does not take.
    """
    known = _classifiers()
    if name not in known:
        problem = f"{name!r} is no classifier of scikit-learn"
        raise SpecError.at("model.sklearn", problem, suggestion(name, known))
    given = dict(parameters)
    if "random_state" in inspect.signature(known[name]).parameters:
        given.setdefault("random_state", 0)
    try:
        return known[name](**given)
    except TypeError as error:
        raise SpecError.at("model.parameters", str(error), f"see scikit-learn's {name}") from None


@cache
def _classifiers() -> dict[str, type[Any]]:
    from sklearn.utils import all_estimators

    return dict(all_estimators(type_filter="classifier"))


def fit(classifier: Any, examples: Column, labels: NDArray[np.int8]) -> Any:
    """The classifier, trained; StageError if it refuses its parameters or the examples."""
    try:
        return classifier.fit(examples, labels)
    except (TypeError, ValueError) as error:
        raise StageError.at(
            "training",
            f"{type(classifier).__name__} cannot be trained: {error}",
            "change its parameters or choose another model",
        ) from error


def probabilities(classifier: Any, examples: Column) -> list[float]:
    """The probability of class 1, or what stands for it.

    Without `predict_proba` it is the logistic function of the decision function, and without that
    the predicted class.
    """
    if hasattr(classifier, "predict_proba"):
        classes = list(classifier.classes_)
        predicted = classifier.predict_proba(examples)[:, classes.index(1)]
    elif hasattr(classifier, "decision_function"):
        predicted = [0.5 + 0.5 * math.tanh(d / 2.0) for d in classifier.decision_function(examples)]
    else:
        predicted = classifier.predict(examples)
    return [float(value) for value in predicted]


def require_skops() -> None:
    """Raise ResourceError, saying how to install it, if skops is missing."""
    if importlib.util.find_spec("skops") is None:
        raise ResourceError.at(
            "ranking: classifier",
            "models of scikit-learn are saved by skops, which is not installed",
            'install it with: pip install "kpframe[models]"',
        )


def saved(classifier: Any) -> str:
    """The trained classifier as skops bytes in base64; equal classifiers give equal text."""
    require_skops()
    import skops.io

    from kpframe.ranking._skops_archive import canonical

    return base64.b64encode(canonical(skops.io.dumps(classifier))).decode("ascii")


def load(text: str, name: str, width: int) -> Any:
    """The classifier `name` over `width` columns that `saved` wrote.

    Raises ResourceError if it is damaged, another one, or holds anything but library classes.
    """
    require_skops()
    from sklearn.utils.validation import check_is_fitted

    try:
        classifier = _opened(base64.b64decode(text, validate=True))
        check_is_fitted(classifier)
        fits = type(classifier) is _classifiers().get(name) and classifier.n_features_in_ == width
        probabilities(classifier, np.zeros((1, width)))
    except KpframeError:
        raise
    except Exception as error:  # whatever a reader of damaged bytes may stumble over
        raise _damaged(f"cannot be read ({type(error).__name__}: {error})") from None
    if not fits:
        raise _damaged(f"is no {name} over {width} columns")
    return classifier


def _opened(data: bytes) -> Any:
    import skops.io

    unknown = skops.io.get_untrusted_types(data=data)
    refused = [name for name in unknown if not _is_library_class(name)]
    if refused:
        raise ResourceError.at(
            _PLACE,
            f"holds types that are neither scikit-learn's nor numpy's: {', '.join(sorted(refused))}",
            "do not load it; train the model again",
        )
    return skops.io.loads(data, trusted=unknown)


def _damaged(problem: str) -> KpframeError:
    return ResourceError.at(_PLACE, problem, "train it anew with `kpframe train`")


def _is_library_class(name: str) -> bool:
    """Whether `name` is a class (no function) that scikit-learn or numpy define themselves."""
    module, _, attribute = name.rpartition(".")
    if module.partition(".")[0] not in _TRUSTED:
        return False
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except ImportError:
        return False
    return inspect.isclass(found) and found.__module__.partition(".")[0] in _TRUSTED
