"""GenEx: what Extractor puts out under given parameters, and what evolution finds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from ranking_texts import candidates, keys, scores

from kpframe.errors import ResourceError, SpecError, StageError
from kpframe.model import Candidates
from kpframe.ranking._extractor import Parameters
from kpframe.ranking._genitor import Genes, evolve
from kpframe.ranking.genex import GenEx

TEXT = ("storm surge floods harbour town", "storm surge warning", "harbour wall")
PLAIN: dict[str, Any] = {
    "working": 50, "two_words": 2.0, "three_words": 3.0, "short": 0.3, "short_until": 20, "early": 1,
    "early_factor": 1.0, "late": 4000, "late_factor": 1.0, "stem_length": 10,
}  # fmt: skip


def extracted(*sentences: str, longest: int = 2, **parameters: Any) -> dict[str, float]:
    """What is put out, with scores, best first."""
    ranking = GenEx(parameters={**PLAIN, **parameters})
    return scores(ranking.rank(candidates(*(sentences or TEXT), longest=longest)))


def test_a_stem_stands_for_the_best_phrase_with_it() -> None:
    """Storm, surge and harbour occur twice; "storm surge" counts 2 · 2, and of equal ones the first does."""
    assert extracted() == {
        "storm surge": 2.0, "floods harbour": 2.0, "surge floods": 1.0, "harbour town": 1.0,
        "surge warning": 1.0, "harbour wall": 1.0,
    }  # fmt: skip
    assert list(extracted())[:2] == ["storm surge", "floods harbour"]


def test_what_is_early_counts_more() -> None:
    """The first three tokens: storm, surge and floods."""
    found = extracted(early=3, early_factor=3.0)
    assert found["storm surge"] == 6.0
    assert found["surge floods"] == 3.0
    assert found["floods harbour"] == 2.0


def test_what_is_late_counts_less() -> None:
    """Warning (token 7) and wall (token 9) lose a half, harbour (token 3) nothing."""
    found = extracted(late=6, late_factor=0.5)
    assert found["surge warning"] == found["harbour wall"] == 0.5
    assert found["floods harbour"] == 2.0


def test_only_the_best_stems_are_taken_on() -> None:
    """Ten of twelve words that stand once; the last two are not reached."""
    words = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima"
    assert list(extracted(words, longest=1, working=10)) == words.split()[:10]


def test_short_phrases_stay_in_the_first_ranks_alone() -> None:
    """The mean is 12.3 characters: of six phrases only those of 14 and 13 reach it, and the first stays."""
    assert list(extracted(short=1.0, short_until=1)) == ["storm surge", "floods harbour", "surge warning"]


def test_words_with_the_same_beginning_are_one() -> None:
    """Cut to five characters, harbour and harbours are one stem of three occurrences; the commoner shows."""
    text = ("harbours open", "harbour walls", "harbour walls")
    assert extracted(*text, longest=1, stem_length=5)["harbour"] == 3.0
    assert "harbours" not in extracted(*text, longest=1, stem_length=5)
    assert extracted(*text, longest=1)["harbours"] == 1.0


def test_names_can_be_left_out() -> None:
    """What is capitalised wherever it stands."""
    text = ("Paris hosts games", "games in Paris", "Games end")
    assert "paris" in extracted(*text, longest=1)
    left = extracted(*text, longest=1, suppress_names=True)
    assert "paris" not in left
    assert "games" in left


def test_words_of_two_characters_and_phrases_of_four_words_are_none() -> None:
    """Neither is a stem or a phrase of Extractor."""
    assert set(extracted("go up slowly", longest=3)) == {"slowly"}
    assert extracted("one two three four", longest=4).keys() & {"one two three four"} == set()


@pytest.mark.parametrize("text", ["", "a b", "…"])
def test_nothing_comes_of_nothing(text: str) -> None:
    """No candidate, or none that is a phrase."""
    assert extracted(text) == {}


# --- the search -------------------------------------------------------------------------------------


def peak(genes: Genes) -> float:
    """Greatest where all genes are 0.7."""
    return -float(((genes - 0.7) ** 2).sum())


def test_evolution_finds_the_peak() -> None:
    """Six genes, by less than a tenth each, in a thousand trials; random ones do not."""
    genes, fitness = evolve(peak, 6, trials=1000, population=50, seed=3)
    assert np.abs(genes - 0.7).max() < 0.1
    assert fitness == peak(genes)
    assert fitness > evolve(peak, 6, trials=1000, population=1000, seed=3)[1]


def test_as_many_settings_are_tried_as_is_said_and_the_best_is_kept() -> None:
    """Whatever comes after it."""
    tried: list[float] = []

    def watched(genes: Genes) -> float:
        assert genes.shape == (6,)
        assert ((genes >= 0.0) & (genes <= 1.0)).all()
        tried.append(peak(genes))
        return tried[-1]

    assert evolve(watched, 6, trials=137, population=20, seed=0)[1] == max(tried)
    assert len(tried) == 137


@pytest.mark.parametrize(("gene", "working", "stem_length"), [(0.0, 10, 1), (0.5, 55, 6), (1.0, 100, 10)])
def test_genes_reach_the_ends_of_the_ranges(gene: float, working: int, stem_length: int) -> None:
    """0 is the least, 1 the greatest value."""
    found = Parameters.of_genes(np.full(len(Parameters.model_fields), gene))
    assert (found.working, found.stem_length) == (working, stem_length)
    assert found.suppress_names == (gene >= 0.5)


# --- learning ---------------------------------------------------------------------------------------


def document(number: int) -> Candidates:
    """Twelve words open the text; two that come twice, behind the first forty tokens, are its keyphrase."""
    opening = " ".join(f"{letter * 3}{number}" for letter in "abcdefghijkl")
    end = "final topic . final topic"
    return candidates(opening, ". " * 40 + end, longest=2, gold=["final topic"], id=f"d{number}")


DOCUMENTS = [document(number) for number in range(6)]


def learned(documents: Sequence[Candidates] = DOCUMENTS, **settings: Any) -> dict[str, Any]:
    """The state, as it is read back from JSON."""
    ranking = GenEx(**{"phrases": 3, "trials": 200, **settings})
    return dict(json.loads(json.dumps(ranking.fit(ranking.observe(one) for one in documents))))


@pytest.mark.slow
def test_the_search_finds_parameters_that_find_the_keyphrases() -> None:
    """Each text has one, among the first three: a third of them is gold, where the defaults find none."""
    state = learned()
    new = document(77)
    assert state["precision"] == pytest.approx(1 / 3)
    assert "final topic" in keys(GenEx().restore(state).rank(new))[:3]
    assert "final topic" not in keys(GenEx(parameters={}).rank(new))[:3]


@pytest.mark.slow
def test_the_same_documents_and_seed_give_the_same_parameters() -> None:
    """In any order; another seed may find others."""
    assert learned(DOCUMENTS[::-1], learn_from=3) == learned(learn_from=3)
    assert learned(learn_from=3)["documents"] == 3
    assert learned(seed=2)["parameters"] != learned(seed=1)["parameters"]


def test_documents_without_gold_are_not_learned_from() -> None:
    """Of such alone nothing can be learned, and the error says so."""
    without = candidates("storm surge", id="w")
    assert learned([*DOCUMENTS, without], trials=2)["documents"] == len(DOCUMENTS)
    with pytest.raises(StageError, match="none of the 1 training documents has gold keyphrases"):
        learned([without], trials=2)


def test_it_must_be_trained_unless_parameters_are_given() -> None:
    """The error says both."""
    with pytest.raises(StageError) as caught:
        GenEx().rank(DOCUMENTS[0])
    assert str(caught.value) == (
        "ranking: genex: has learned no parameters; train it on documents with gold, or give "
        "ranking.parameters ({} for the defaults)"
    )
    assert GenEx(parameters={}).fits_on() == ""
    assert GenEx().fits_on() == "training"


@pytest.mark.parametrize(("name", "value"), [("working", 9), ("stem_length", 11), ("early", 2.5), ("x", 1)])
def test_parameters_outside_their_range_are_refused(name: str, value: float) -> None:
    """In a spec and in a model that was changed by hand."""
    with pytest.raises(SpecError):
        GenEx(parameters={name: value})
    state = learned(trials=2)
    state["parameters"][name] = value
    with pytest.raises(ResourceError, match="ranking: genex: the model is damaged"):
        GenEx().restore(state)
