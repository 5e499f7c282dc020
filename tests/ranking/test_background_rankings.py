"""A document against a background: log-likelihood, KL divergence, ratios of ranks, GlossEx."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from ranking_texts import candidates, keys, scores

from kpframe.errors import ResourceError, StageError
from kpframe.model import Candidates
from kpframe.ranking._background import read_counts
from kpframe.ranking._foreground import BackgroundRanking
from kpframe.ranking.glossex import GlossEx
from kpframe.ranking.kl_divergence import KlDivergence
from kpframe.ranking.log_likelihood import LogLikelihood
from kpframe.ranking.rank_ratio import RankRatio

HERE = candidates("a b a b c", longest=2)
"""a, b twice, c once; "a b" twice, "b a", "b c" once."""
OTHERS = [candidates("a c c d", longest=2, id="o1"), candidates("c a", longest=2, id="o2")]
KINDS = (GlossEx, KlDivergence, LogLikelihood, RankRatio)


def against(ranking: BackgroundRanking, target: Candidates = HERE, *more: Candidates) -> dict[str, float]:
    """Scores of `target` against a collection of itself, the others and `more`."""
    seen = [target, *OTHERS, *more]
    state = json.loads(json.dumps(ranking.fit(map(ranking.observe, seen))))
    return scores(ranking.restore(state).rank(target))


def test_log_likelihood_tells_more_frequent_from_rarer() -> None:
    """b: 2 of 9 here, 0 of 10 there; c: 1 of 9 here and 3 of 10 there."""
    found = against(LogLikelihood())
    assert found["b"] == pytest.approx(2 * 2 * math.log(2 / (9 * 2 / 19)))
    expected = 2 * (1 * math.log(1 / (9 * 4 / 19)) + 3 * math.log(3 / (10 * 4 / 19)))
    assert found["c"] == pytest.approx(-expected)


def test_the_document_is_taken_out_of_its_own_background_or_left_in() -> None:
    """By its text: a copy of it under another id stays."""
    out, inside = LogLikelihood(), LogLikelihood.model_validate({"background": {"own": "in"}})
    assert against(out)["b"] > against(inside)["b"] > 0
    copy = candidates("a b a b c", longest=2, id="copy")
    assert against(out, HERE, copy) != against(out)


def test_a_background_without_the_document_is_left_alone() -> None:
    """Nothing is subtracted for a text that was not counted."""
    ranking = LogLikelihood()
    fitted = ranking.restore(ranking.fit(map(ranking.observe, OTHERS)))
    assert scores(fitted.rank(HERE)) == pytest.approx(against(ranking))


def test_ranks_are_dense_and_among_phrases_of_equal_length() -> None:
    """Here a, b 1st, c 2nd; there c (3) 1st, a (2) 2nd, d (1) 3rd; what is not there comes after."""
    found = against(RankRatio())
    assert (found["a"], found["b"], found["c"]) == (-1 / 2, -1 / 4, -2 / 1)
    assert found["a b"] == -1 / 2  # all phrases of two words stand there once, so it comes second
    assert keys(RankRatio().restore({**RankRatio().fit([]), "tokens": 0}).rank(HERE))[0] == "a"


def test_phraseness_compares_a_phrase_with_its_words() -> None:
    """p = 2/4 of the bigrams, 2/5 · 2/5 of the words."""
    found = against(KlDivergence(part="phraseness"))
    assert found["a b"] == pytest.approx(0.5 * math.log(0.5 / (0.4 * 0.4)))
    assert found["a"] == 0.0


def test_informativeness_compares_document_and_background() -> None:
    """a: 2/5 here, 2/6 there; "a b" is not there and counts once of 4."""
    found = against(KlDivergence(part="informativeness"))
    assert found["a"] == pytest.approx(0.4 * math.log(0.4 / (2 / 6)))
    assert found["a b"] == pytest.approx(0.5 * math.log(0.5 / (1 / 4)))


def test_both_parts_are_summed_or_mixed() -> None:
    """γ · phraseness + (1 - γ) · informativeness."""
    phrase, news = (
        against(KlDivergence.model_validate({"part": part})) for part in ("phraseness", "informativeness")
    )
    assert against(KlDivergence())["a b"] == pytest.approx(phrase["a b"] + news["a b"])
    assert against(KlDivergence(mixture=0.2))["a b"] == pytest.approx(0.2 * phrase["a b"] + 0.8 * news["a b"])


def test_glossex_weighs_specificity_and_cohesion() -> None:
    """ "a b" twice: 2 · 2 · log10 2 / 4; a 2/5 against 2/6, b 2/5 against 1/6 as it is missing there."""
    specific = (math.log(0.4 / (2 / 6)) + math.log(0.4 / (1 / 6))) / 2
    assert against(GlossEx())["a b"] == pytest.approx(0.2 * specific + 0.8 * math.log10(2))


@pytest.mark.parametrize("kind", KINDS)
def test_all_share_one_count_of_the_collection(kind: type[BackgroundRanking]) -> None:
    """Their fits have one identity, so that a grid counts once."""
    from kpframe.stages.registry import lookup

    selection = lookup("candidates", "ngrams")()
    assert kind().fit_identity(selection) == LogLikelihood().fit_identity(selection)


def table(folder: Path, text: str) -> dict[str, Any]:
    """The parameters of a ranking against a file."""
    path = folder / "counts.tsv"
    path.write_text(text, encoding="utf-8")
    return {"background": {"from": "file", "path": str(path)}}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_counts_is_a_background(kind: type[BackgroundRanking], tmp_path: Path) -> None:
    """Rows or JSON; case does not matter, and nothing must be counted first."""
    ranking = kind.model_validate(table(tmp_path, "#tokens\t100\nA\t20\na b\t3\nc\t9\n"))
    assert ranking.fits_on() == ""
    assert list(ranking.problems(["en"])) == []
    rows = scores(ranking.rank(HERE))
    assert set(rows) == set(HERE.keys)
    as_json = json.dumps({"tokens": 100, "phrases": {"a": 20, "a b": 3, "c": 9}})
    assert scores(kind.model_validate(table(tmp_path, as_json)).rank(HERE)) == rows


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\t3\n", "1: does not say the number of tokens"),
        ("#tokens\t9\na 3\n", "2: is no row of a table of counts"),
        ("#tokens\t9\na\t0\n", "2: 0 occurrences of 'a'"),
        ("#tokens\t9\na\t20\n", "9 tokens, but 20 occurrences of single words"),
        ('{"tokens": 9}', "is no table of counts"),
        ("", "1: does not say the number of tokens"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(text: str, problem: str, tmp_path: Path) -> None:
    """Before any text is read."""
    ranking = LogLikelihood.model_validate(table(tmp_path, text))
    ((parameter, found, remedy),) = ranking.problems(["en"])
    assert parameter == "background"
    assert problem in found
    assert remedy
    assert ranking.background.path is not None
    with pytest.raises(ResourceError):
        read_counts(ranking.background.path)


def test_a_path_and_its_source_go_together() -> None:
    """One without the other is refused."""
    for background in ({"from": "file"}, {"path": "counts.tsv"}):
        with pytest.raises(ValidationError, match="from: file needs a path"):
            LogLikelihood.model_validate({"background": background})


def test_ranking_without_a_background_is_refused() -> None:
    """With the ways out."""
    with pytest.raises(StageError) as caught:
        LogLikelihood().rank(HERE)
    assert str(caught.value) == (
        "ranking: log_likelihood: has no background yet; "
        "fit it on the collection, or set background to {from: file, path: …}"
    )
