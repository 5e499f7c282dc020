"""The general supervised ranking: features, classifiers, saved models."""

from __future__ import annotations

import base64
import importlib.util
import json
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from ranking_texts import candidates, keys, scores

from kpframe.errors import ResourceError, SpecError, StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.model.annotations import SECTION_KINDS
from kpframe.ranking import _scikit_learn
from kpframe.ranking._encoding import encoded
from kpframe.ranking._features import TrainingCounts, describe, feature_matrix
from kpframe.ranking.classifier import Classifier
from kpframe.stages.registry import lookup

ALL = (
    "tfidf",
    "first_position",
    "last_position",
    "spread",
    "length",
    "tf",
    "keyphraseness",
    "head_pos",
    "in_title",
    "n_chars",
)
needs_skops = pytest.mark.skipif(
    importlib.util.find_spec("skops") is None, reason='skops is not installed (pip install "kpframe[models]")'
)


def training(count: int = 12) -> list[Candidates]:
    """Documents that begin with their keyphrase and end with common words."""
    names = ["red kite", "grey heron", "white stork", "black swan", "sea eagle", "barn owl"]
    return [
        candidates(
            f"{names[i % 6]} {i} soars",
            f"the {names[i % 6]} likes good weather now",
            longest=2,
            gold=[names[i % 6]],
            id=str(i),
            metadata={"title_length": 10},
            pos="ADJ NOUN NUM VERB DET ADJ NOUN VERB ADJ NOUN ADV",
        )
        for i in range(count)
    ]


NEW = candidates(
    "snow goose 99 soars",
    "the snow goose likes good weather now",
    longest=2,
    pos="ADJ NOUN NUM VERB DET ADJ NOUN VERB ADJ NOUN ADV",
    metadata={"title_length": 10},
)


def trained(made: list[Candidates] | None = None, **settings: Any) -> dict[str, Any]:
    """The state after training, read back from JSON."""
    ranking = Classifier(**settings)
    observations = pickle.loads(pickle.dumps([ranking.observe(c) for c in made or training()]))
    state: dict[str, Any] = json.loads(json.dumps(ranking.fit(observations)))
    return state


def rank(target: Candidates = NEW, made: list[Candidates] | None = None, **settings: Any) -> Keyphrases:
    """Train and rank."""
    return Classifier(**settings).restore(trained(made, **settings)).rank(target)


def column(made: Candidates, feature: str, **counts: Any) -> dict[str, float]:
    """One feature of all candidates, by key."""
    known = TrainingCounts(counts.get("documents", 3), counts.get("df", {}), counts.get("gold", {}))
    described = describe(made, (feature,), "porter")  # type: ignore[arg-type]
    matrix = feature_matrix(described, (feature,), known, counts.get("own_gold"))  # type: ignore[arg-type]
    return dict(zip(described.keys, matrix[:, 0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        ("first_position", {"a": 0.0, "bb": 0.2, "c": 0.4}),
        ("last_position", {"a": 0.8, "bb": 0.6, "c": 0.4}),
        ("spread", {"a": 0.8, "bb": 0.4, "c": 0.0}),
        ("length", {"a": 1.0, "bb": 1.0, "c": 1.0}),
        ("tf", {"a": 2.0, "bb": 2.0, "c": 1.0}),
        ("n_chars", {"a": 1.0, "bb": 2.0, "c": 1.0}),
        ("in_title", {"a": 1.0, "bb": 1.0, "c": 0.0}),
    ],
)
def test_features_by_hand(feature: str, expected: dict[str, float]) -> None:
    """Five tokens a bb c bb a, the first four characters a title."""
    made = candidates("a bb", "c bb a", metadata={"title_length": 4})
    assert column(made, feature) == pytest.approx(expected)


def test_without_a_title_nothing_is_in_it() -> None:
    """Documents need no title_length."""
    assert column(candidates("a b"), "in_title") == {"a": 0.0, "b": 0.0}


def test_sections_are_those_of_first_places_and_headings_of_any() -> None:
    """Abstract a bb | heading c | introduction bb a, and a kind for each of three features' values."""
    made = candidates("a bb", "c bb a")
    kinds = ("abstract", "introduction")
    known = made.annotations.vocabulary
    layers = made.annotations.with_layers(
        vocabulary=(*known, *kinds),
        sections=np.array([[0, 2], [2, 5]], dtype=np.int32),
        section_kinds=np.array([len(known), len(known) + 1], dtype=np.int32),
        headings=np.array([[0, 0], [2, 4]], dtype=np.int32),
    )
    made = replace(made, annotations=layers)
    assert column(made, "section") == {
        kind: SECTION_KINDS.index(name)
        for kind, name in zip(("a", "bb", "c"), ("abstract", "abstract", "introduction"), strict=True)
    }
    assert column(made, "in_heading") == {"a": 0.0, "bb": 1.0, "c": 1.0}
    assert Classifier(features=["section"]).requires() == {"sections"}


def test_keyphraseness_counts_other_training_documents() -> None:
    """Kites were gold thrice; in training, this document's own gold is not counted."""
    made = candidates("kites soar")
    gold = {"kite": 3, "soar": 1}
    assert column(made, "keyphraseness", gold=gold) == {"kites": 3.0, "soar": 1.0}
    assert column(made, "keyphraseness", gold=gold, own_gold=["kite"]) == {"kites": 2.0, "soar": 1.0}


def test_the_part_of_speech_is_that_of_the_last_token() -> None:
    """The head of an English noun phrase; unknown tags are one class."""
    made = candidates("red kite soars", longest=2, pos="ADJ NOUN VERB")
    found = column(made, "head_pos")
    assert found["red kite"] == found["kite"] != found["red"]
    assert found["kite soars"] == found["soars"] != found["kite"]
    odd = candidates("red kite", pos="SPACE X")
    assert column(odd, "head_pos")["red"] == column(odd, "head_pos")["kite"]


def test_only_head_pos_needs_parts_of_speech() -> None:
    """The engine tags only if somebody asks."""
    assert Classifier().requires() == frozenset()
    assert Classifier(features=["head_pos"]).requires() == {"pos"}


def test_head_pos_without_tags_says_what_is_missing() -> None:
    """The layer is named."""
    with pytest.raises(StageError, match="no layer pos"):
        rank(candidates("a b"), [candidates("a b", gold=["a"])], features=["head_pos"])


@pytest.mark.parametrize("feature", ALL)
def test_every_feature_can_stand_alone(feature: str) -> None:
    """Also one that does not tell anything apart."""
    ranked = rank(features=[feature])
    assert len(ranked) == len(NEW)
    assert all(0 <= entry.score <= 1 for entry in ranked)


def test_all_features_together_find_the_phrase() -> None:
    """An early, repeated adjective and noun in the title."""
    assert keys(rank(features=ALL))[0] == "snow goose"


MODELS: list[dict[str, Any]] = [
    {"sklearn": "LogisticRegression", "parameters": {"class_weight": "balanced"}},
    {"sklearn": "RandomForestClassifier", "parameters": {"n_estimators": 10}},
    {"sklearn": "DecisionTreeClassifier"},
    {"sklearn": "GaussianNB"},
    {"sklearn": "KNeighborsClassifier"},
    {"sklearn": "LinearSVC"},
    {"sklearn": "NearestCentroid"},
    {"sklearn": "HistGradientBoostingClassifier", "parameters": {"max_iter": 5}},
    {"sklearn": "MLPClassifier", "parameters": {"max_iter": 5, "hidden_layer_sizes": [4]}},
]


@needs_skops
@pytest.mark.filterwarnings("ignore::UserWarning")  # few examples: zero deviations, no convergence
@pytest.mark.parametrize("discretisation", ["mdl", "none"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(model["sklearn"]))
@pytest.mark.acceptance
def test_any_classifier_of_scikit_learn_will_do(model: dict[str, Any], discretisation: str) -> None:
    """Trained, saved, read back, finite probabilities for all candidates, twice the same."""
    settings: dict[str, Any] = {"features": ALL, "model": model, "discretisation": discretisation}
    ranked = rank(**settings)
    assert len(ranked) == len(NEW)
    assert all(0 <= entry.score <= 1 for entry in ranked)
    assert scores(rank(**settings)) == scores(ranked)


@needs_skops
@pytest.mark.slow
def test_a_classifier_sees_what_it_was_trained_on() -> None:
    """The probabilities are those of the same regression on the same standard scores, by hand."""
    from sklearn.linear_model import LogisticRegression

    settings: dict[str, Any] = {"features": ["first_position", "length"], "discretisation": "none"}
    model = {"sklearn": "LogisticRegression", "parameters": {"C": 0.5}}
    found = scores(rank(model=model, **settings))
    rows, labels = [], []
    for made in training():
        rows += [[p[0][0] / 11, p[0][1] - p[0][0]] for p in made.places_of]
        labels += [key == made.document.gold[0].text for key in made.keys]
    examples = np.array(rows)
    mean, deviation = examples.mean(axis=0), examples.std(axis=0)
    fitted = LogisticRegression(C=0.5, random_state=0).fit((examples - mean) / deviation, labels)
    new = np.array([[p[0][0] / 11, p[0][1] - p[0][0]] for p in NEW.places_of])
    expected = fitted.predict_proba((new - mean) / deviation)[:, 1]
    assert [found[key] for key in NEW.keys] == pytest.approx(expected.tolist(), abs=1e-8)


def test_parts_of_speech_become_one_column_each() -> None:
    """One-hot; numbers are standardised, or replaced by their bins."""
    matrix = np.array([[3.0, 4.0], [0.0, 8.0]])
    features = ("head_pos", "length")
    standard = encoded(matrix, features, None, {"length": [6.0, 2.0]})
    assert standard.shape == (2, 18)
    assert standard[:, 3].tolist() == [1.0, 0.0]
    assert standard[:, -1].tolist() == [-1.0, 1.0]
    assert encoded(matrix, features, {"length": [5.0]}, {})[:, -1].tolist() == [0.0, 1.0]


@needs_skops
@pytest.mark.parametrize("model", ["naive_bayes", {"sklearn": "LogisticRegression"}])
def test_a_single_class_is_enough(model: Any) -> None:
    """If all candidates are gold, new ones are ranked by tf.idf and place."""
    made = [candidates("kite", gold=["kite"]), candidates("owl", gold=["owl"])]
    ranked = rank(candidates("a b"), made, model=model)
    assert keys(ranked) == ["a", "b"]
    assert all(0.5 < entry.score <= 1 for entry in ranked)


def test_equal_features_leave_the_order_to_the_text() -> None:
    """Nothing tells the words apart."""
    made = [candidates("x y z", gold=["y"]), candidates("u v w", gold=["v"])]
    assert keys(rank(candidates("c a b"), made, features=["length"])) == ["c", "a", "b"]


def test_subphrases_may_be_dropped() -> None:
    """As in Kea, but off by default."""
    assert "snow" in keys(rank(features=ALL))
    assert "snow" not in keys(rank(features=ALL, drop_subphrases=True))


def test_how_to_rank_is_no_part_of_what_was_learned() -> None:
    """drop_subphrases shares the fit; everything else has its own."""
    selection = lookup("candidates", "ngrams")()
    base = Classifier().fit_identity(selection)
    assert Classifier(drop_subphrases=True).fit_identity(selection) == base
    assert Classifier(features=["tf"]).fit_identity(selection) != base
    assert json.loads(json.dumps(base)) == base


def test_a_state_for_other_features_is_refused() -> None:
    """Instead of reading one column for another."""
    with pytest.raises(StageError) as caught:
        Classifier(features=["tf"]).restore(trained(features=["length", "tfidf"]))
    assert str(caught.value) == (
        "ranking: classifier: the model was trained with the features length, tfidf; "
        "train it again, or do not ask for tf"
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"features": []}, "features: must not be empty"),
        ({"features": ["tf", "tf"]}, "features must differ"),
        ({"features": ["tfdif"]}, r"features\.0: must be .*did you mean 'tfidf'\?"),
        ({"discretisation": "none"}, "naive_bayes needs discretisation: mdl"),
        ({"model": {"parameters": {}}}, r"model\.sklearn: is missing"),
        ({"model": "bayes"}, r"must be naive_bayes or \{sklearn: class name, parameters: \{…\}\}"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    """On construction."""
    with pytest.raises(SpecError, match=message):
        Classifier(**settings)


def test_an_unknown_classifier_is_found_by_the_check() -> None:
    """Only scikit-learn's own classifiers can be named; nothing else is imported."""
    ((parameter, problem, remedy),) = Classifier(model={"sklearn": "os.system"}).problems(["en"])
    assert (parameter, problem) == ("model", "'os.system' is no classifier of scikit-learn")
    assert remedy.startswith("there are: AdaBoostClassifier, BaggingClassifier")


def test_a_misspelt_classifier_is_corrected() -> None:
    """The nearest name is offered."""
    ((_, _, remedy),) = Classifier(model={"sklearn": "LogisticRegresion"}).problems(["en"])
    assert remedy == "did you mean 'LogisticRegression'?"


@pytest.mark.slow
def test_an_unknown_parameter_is_found_by_the_check() -> None:
    """With the message of the class."""
    model = {"sklearn": "GaussianNB", "parameters": {"smoothing": 1}}
    ((parameter, problem, remedy),) = Classifier(model=model).problems(["en"])
    assert parameter == "model"
    assert "unexpected keyword argument 'smoothing'" in problem
    assert remedy == "see scikit-learn's GaussianNB"


@needs_skops
@pytest.mark.slow
def test_a_parameter_out_of_range_stops_the_training() -> None:
    """scikit-learn's message, told as ours."""
    with pytest.raises(StageError, match=r"^training: LogisticRegression cannot be trained: .*'C' parameter"):
        trained(model={"sklearn": "LogisticRegression", "parameters": {"C": -1}})


def test_missing_skops_is_told_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the check and by the training, which must not end without a model to save."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    ((_, problem, remedy),) = Classifier(model={"sklearn": "GaussianNB"}).problems(["en"])
    assert problem == "models of scikit-learn are saved by skops, which is not installed"
    assert remedy == 'install it with: pip install "kpframe[models]"'
    with pytest.raises(ResourceError, match="skops, which is not installed"):
        trained(model={"sklearn": "GaussianNB"})


class Foreign:
    """A class that no model of scikit-learn contains."""


@needs_skops
@pytest.mark.slow
def test_a_saved_model_with_foreign_types_is_refused() -> None:
    """It is not even loaded."""
    import skops.io

    state = trained(model={"sklearn": "GaussianNB"})
    state["sklearn"] = base64.b64encode(skops.io.dumps(Foreign())).decode("ascii")
    with pytest.raises(ResourceError) as caught:
        Classifier(model={"sklearn": "GaussianNB"}).restore(state)
    assert str(caught.value) == (
        "saved classifier: holds types that are neither scikit-learn's nor numpy's: test_classifier.Foreign; "
        "do not load it; train the model again"
    )


@pytest.mark.parametrize(
    ("name", "trusted"),
    [
        ("sklearn.tree._tree.Tree", True),
        ("sklearn.neighbors._kd_tree.KDTree", True),
        ("numpy.ndarray", True),
        ("sklearn.utils.all_estimators", False),  # a function
        ("numpy.load", False),
        ("sklearn.utils.parallel.Thread", False),
        ("sklearn.no_such_module.Tree", False),
        ("sklearnish.Tree", False),
        ("subprocess.Popen", False),
        ("builtins.eval", False),
        ("Tree", False),
    ],
)
def test_only_classes_of_the_libraries_are_trusted(name: str, trusted: bool) -> None:
    """No function, nothing they merely import, nothing of others."""
    assert _scikit_learn._is_library_class(name) is trusted


def test_ranking_before_training_is_refused() -> None:
    """A classifier knows nothing by itself."""
    with pytest.raises(StageError) as caught:
        Classifier().rank(NEW)
    assert str(caught.value) == (
        "ranking: classifier: has not been trained; train it on documents with gold keyphrases"
    )
