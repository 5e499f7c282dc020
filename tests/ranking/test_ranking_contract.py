"""What every ranking must do, whatever the text."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Iterable

import pytest
from contract_cases import about
from families import every
from pydantic import ValidationError
from ranking_settings import SETTINGS, TRAINING, made
from ranking_texts import candidates

from kpframe.errors import StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranker, Ranking
from kpframe.stages.registry import kinds, lookup

pytestmark = pytest.mark.slow

TEXTS: dict[str, Candidates] = {
    "empty text": candidates(),
    "no candidate": candidates("the of and to", places=[]),
    "one word": candidates("Nepal"),
    "no repeats": candidates("Quiet rivers carry bright leaves toward distant harbours ."),
    "one word again and again": candidates("a a a a", "a"),
    "two groups that never meet": candidates("a b a b", "x y", "alone"),
    "edges without neighbours": candidates("Of mice and men is a novella"),
    "a dash": candidates("- not yet", without="-"),
    "n-grams": candidates("a b c a b", "c d", longest=3),
    "same start and overlap": candidates("a b c d e", places=[(0, 2), (1, 4), (0, 3)]),
}


def ranker(ranking: Ranking, documents: Iterable[Candidates] = TRAINING) -> Ranker:
    """The ranking itself, or what it becomes after learning from `documents`."""
    if not ranking.fits_on():
        return ranking
    state = ranking.fit([pickle.loads(pickle.dumps(ranking.observe(c))) for c in documents])
    return ranking.restore(json.loads(json.dumps(state)))


def test_every_ranking_is_tried_here() -> None:
    """By its defaults, where SETTINGS does not say otherwise."""
    assert sorted({settings["kind"] for settings in SETTINGS.values()}) == kinds("ranking")


@pytest.mark.parametrize("name", SETTINGS)
def test_no_text_breaks_a_ranking(name: str) -> None:
    """Every candidate once unless it says that it leaves some out, finite scores, best first, twice alike."""
    for case, target in TEXTS.items():
        with about(case):
            _assert_ranked(name, target)


def _assert_ranked(name: str, target: Candidates) -> None:
    ranking = made(name)
    ranked = ranker(ranking).rank(target)
    assert len({entry.key for entry in ranked}) == len(ranked)
    if ranking.leaves_out:
        assert {entry.key for entry in ranked} <= set(target.keys)
    else:
        assert sorted(entry.key for entry in ranked) == sorted(target.keys)
    assert all(type(entry.score) is float and math.isfinite(entry.score) for entry in ranked)
    assert [e.score for e in ranked] == sorted((e.score for e in ranked), reverse=True)
    assert ranker(made(name)).rank(target).entries == ranked.entries


@every("name", SETTINGS)
def test_a_ranking_is_rebuilt_from_its_spec(name: str) -> None:
    """All parameters, as plain values, and back."""
    ranking = made(name)
    spec = json.loads(json.dumps(ranking.to_spec()))
    assert lookup("ranking", spec.pop("kind")).model_validate(spec) == ranking


@every("name", SETTINGS)
def test_equal_rankings_have_equal_hashes(name: str) -> None:
    """A result may be kept under the ranking that made it."""
    assert hash(made(name)) == hash(made(name))


@every("name", SETTINGS)
def test_rankings_and_rankers_can_be_sent_to_other_processes(name: str) -> None:
    """Pickled and unpickled they rank alike."""
    ranking = made(name)
    ready = ranker(ranking)
    assert pickle.loads(pickle.dumps(ranking)) == ranking
    target = TEXTS["n-grams"]
    assert pickle.loads(pickle.dumps(ready)).rank(target).entries == ready.rank(target).entries


@every("kind", kinds("ranking"))
def test_an_unknown_parameter_is_refused(kind: str) -> None:
    """A slip of the pen must not fall back to a default."""
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        lookup("ranking", kind).model_validate({"windw": 3})


@every("kind", kinds("ranking"))
def test_every_parameter_is_described(kind: str) -> None:
    """And the technique has a docstring and a source."""
    stage = lookup("ranking", kind)
    assert all(field.description for field in stage.model_fields.values())
    assert stage.__doc__
    assert stage.source
    assert stage.model_json_schema()["properties"]


class Broken(Ranking):
    """A ranking that yields what is not a number."""

    def rank(self, candidates: Candidates) -> Keyphrases:
        return Keyphrases.ranked(candidates, [math.nan] * len(candidates))


def test_a_score_that_is_no_number_is_refused_where_it_arises() -> None:
    """Document and candidate are named."""
    with pytest.raises(StageError) as caught:
        Broken().rank(candidates("Nepal", id="himalaya"))
    assert str(caught.value) == (
        "document 'himalaya', candidate 'Nepal': the ranking gave the score nan; "
        "scores must be finite numbers"
    )


@every("name", SETTINGS)
def test_a_collection_of_one_document_is_fine(name: str) -> None:
    """tf.idf is 0 for all, or the smoothed value; nothing is infinite."""
    only = candidates("red kites soar", gold=["kites"])
    assert all(math.isfinite(entry.score) for entry in ranker(made(name), [only]).rank(only))
