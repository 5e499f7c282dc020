"""What a ranking has learned, changed by hand: each change works or is told, none ends in a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from ranking_settings import SETTINGS, TRAINING, made
from ranking_texts import candidates

from kpframe.errors import KpframeError

pytestmark = [pytest.mark.slow, pytest.mark.acceptance]

LEARNING = [name for name in SETTINGS if made(name).fits_on()]
TARGETS = [
    TRAINING[0],
    candidates("red kites and grey herons soar", "kites wade in the weather", longest=2, id="new"),
]
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 7, 2**53, 10**400, 0.5, -1e308, float("nan"), "", "changed", [], [[]], [0, 0, 0],
    {}, {"a": None}, {"red": -1},
)  # fmt: skip
FEW = 4
"""Of longer objects and lists this many members are changed, one after the other."""

Place = tuple[Any, ...]


def places(value: Any, before: Place = ()) -> Iterator[Place]:
    """The nodes of a JSON tree but the root."""
    inner = list(value.items()) if isinstance(value, dict) else []
    inner = list(enumerate(value)) if isinstance(value, list) else inner
    for key, item in inner[:FEW] if len(inner) > 12 else inner:
        yield (*before, key)
        yield from places(item, (*before, key))


def changes(state: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The state with one node deleted, doubled, given a surplus member, or replaced by a value."""
    for place in places(state):
        for value in ("delete", "double", "surplus", *VALUES):
            changed = copy.deepcopy(state)
            target: Any = changed
            for key in place[:-1]:
                target = target[key]
            node = target[place[-1]]
            if value == "delete":
                del target[place[-1]]
            elif value == "double" and isinstance(node, list):
                node += copy.deepcopy(node[-1:])
            elif value == "surplus" and isinstance(node, dict):
                node["surplus"] = 1
            elif value not in ("double", "surplus"):
                target[place[-1]] = value
            else:
                continue
            yield f"{'/'.join(map(str, place))}: {value!r}", changed


@pytest.mark.parametrize("name", LEARNING)
def test_no_change_of_what_was_learned_ends_in_a_traceback(name: str) -> None:
    """Whatever is changed, it is ranked, in finite numbers, or a KpframeError names a place and a remedy."""
    ranking = made(name)
    state = json.loads(json.dumps(ranking.fit([ranking.observe(c) for c in TRAINING])))
    untold, refused, tried = [], 0, 0
    for what, changed in changes(state):
        tried += 1
        try:
            ranker = ranking.restore(changed)
            for target in TARGETS:
                ranker.rank(target)
        except KpframeError as error:
            refused += 1
            if not all(found.place and found.problem and found.remedy for found in error.problems):
                untold.append(f"{what}: {error}")
        except Exception as error:
            untold.append(f"{what}: {type(error).__name__}: {error}")
    assert untold == []
    assert refused > tried / 3


def test_all_rankings_that_learn_are_tried() -> None:
    """A ranking that learns and is not tried would be a hole in the fence."""
    assert {SETTINGS[name]["kind"] for name in LEARNING} >= {
        "classifier", "collabrank", "expandrank", "glossex", "kea", "kl_divergence", "kpminer",
        "log_likelihood", "rank_ratio", "tfidf",
    }  # fmt: skip
