"""Every ranking with settings worth trying, and what those that learn are taught."""

from __future__ import annotations

import importlib.util
from typing import Any

from ranking_texts import candidates

from kpframe.stages import Ranking
from kpframe.stages.registry import kinds, lookup

SETTINGS: dict[str, dict[str, Any]] = {
    "tfidf": {"kind": "tfidf"},
    "tfidf-mean": {
        "kind": "tfidf",
        "combine": "mean",
        "tf": "log",
        "idf": {"from": "training", "form": "smooth"},
    },
    "tfidf-sum": {"kind": "tfidf", "combine": "sum", "tf": "binary", "idf": {"from": "none"}},
    "pagerank": {"kind": "cooccurrence"},
    "text-window": {"kind": "cooccurrence", "units": "text", "window": 5, "cross_sentences": True},
    "degree": {"kind": "cooccurrence", "measure": "degree", "weighted": False},
    "betweenness": {"kind": "cooccurrence", "measure": "betweenness"},
    "closeness": {"kind": "cooccurrence", "measure": "closeness"},
    "eigenvector": {"kind": "cooccurrence", "measure": "eigenvector"},
    "hits": {"kind": "cooccurrence", "measure": "hits"},
    "position": {"kind": "position"},
    "position-tokens": {"kind": "position", "unit": "tokens"},
    "frequency": {"kind": "frequency"},
    "frequency-share": {"kind": "frequency", "normalize": True},
    "random": {"kind": "random", "seed": 7},
    "kea": {"kind": "kea", "subphrases": "keep"},
    "classifier": {"kind": "classifier", "features": ["tfidf", "spread", "keyphraseness", "n_chars"]},
}
if importlib.util.find_spec("skops"):  # saves the models of scikit-learn; comes with kpframe[models]
    SETTINGS["scikit-learn"] = {
        "kind": "classifier",
        "model": {"sklearn": "DecisionTreeClassifier", "parameters": {"max_depth": 2}},
    }
SETTINGS |= {kind: {"kind": kind} for kind in kinds("ranking") if kind not in SETTINGS}
SETTINGS |= {
    "tfidf-candidates": {"kind": "tfidf", "over": "candidates", "idf": {"form": "log2"}},
    "kpminer-all": {"kind": "kpminer", "least_frequency": 1, "cutoff": None, "phrase_df": "counted"},
    "yake-marks": {"kind": "yake", "window": 2, "punctuation": "word", "stop_inside": "reversed"},
    "kl-mixture": {"kind": "kl_divergence", "mixture": 0.2, "background": {"own": "in"}},
    "likey-in": {"kind": "rank_ratio", "background": {"from": "training", "own": "in"}},
    "chi-square-clusters": {"kind": "chi_square", "clusters": "similar"},
    "coherence": {"kind": "classifier", "features": ["tfidf", "length", "coherence_1", "coherence_2"]},
    "genex": {"kind": "genex", "trials": 20, "population": 5},
    "genex-given": {"kind": "genex", "parameters": {"stem_length": 4}},
    "topical": {"kind": "word_graph", "restart": "topics", "topics": {"number": 3}},
}
TRAINING = [
    candidates("red kites soar", "weather", longest=2, gold=["red kites"], id="1"),
    candidates("grey herons wade", "weather", longest=2, gold=["grey herons", "bird"], id="2"),
]


def made(name: str) -> Ranking:
    """The ranking of one entry of SETTINGS."""
    settings = dict(SETTINGS[name])
    stage = lookup("ranking", settings.pop("kind")).model_validate(settings)
    assert isinstance(stage, Ranking)
    return stage
