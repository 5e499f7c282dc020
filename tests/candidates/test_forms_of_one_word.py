"""Forms that matching takes for one word are one candidate: CO₂ and CO2, a hyphen of Unicode and of ASCII."""

from __future__ import annotations

import pytest

from kpframe.candidates.ngrams import NGrams
from kpframe.candidates.tokens import Tokens
from kpframe.model import Candidates, Document
from kpframe.preprocessing.simple import Simple
from kpframe.ranking._background import Counts, count, union
from kpframe.ranking._document_frequencies import DocumentFrequencies
from kpframe.ranking.tfidf import TfIdf
from kpframe.stages import Selection


def proposed(text: str, selection: Selection) -> Candidates:
    """The candidates of an English text."""
    document = Document("d", text)
    return selection.propose(document, Simple().annotate(document, None))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("CO₂", "CO2"), ("İstanbul", "istanbul"), ("IŞIK", "ışık"), ("end‐to‐end", "end-to-end")),
        *(("non‑linear", "non-linear"), ("R²", "R2"), ("l’œuvre", "l'œuvre"), ("Ca²⁺", "Ca2+")),
    ],
)
@pytest.mark.parametrize("selection", [NGrams(max=1), NGrams(max=1, stem="porter"), Tokens()])
def test_two_forms_are_one_candidate(one: str, other: str, selection: Selection) -> None:
    """Called as the first in the text, shown as the most frequent; its places are those of both."""
    found = proposed(f"{one} kites, {other} foxes, {other} owls", selection)
    first = found.places_of[0]
    assert (len(first), found.surfaces[0]) == (3, other)
    assert found.keys[0] == proposed(one, selection).keys[0]


def test_a_text_counts_the_forms_of_another() -> None:
    """Document frequencies and backgrounds are by folded words, also those that were saved before."""
    texts = [proposed(text, NGrams(max=2)) for text in ("CO₂ capture", "CO2 capture", "kites")]
    learned = DocumentFrequencies.counted(map(TfIdf().observe, texts))
    assert learned.to_state()["df"] == {"capture": 2, "co2": 2, "kites": 1}
    assert learned.idf("co₂") == learned.idf("co2") > 0
    saved = DocumentFrequencies.from_state({"documents": 9, "df": {"co₂": 4, "co2": 2}})
    assert saved.idf("co₂") == DocumentFrequencies(9, {"co2": 4}).idf("co2")
    background = union(map(count, texts))
    assert Counts.from_state(background.to_state()).phrases.get("co₂ capture") == 2
    less = background.without(count(texts[0]))
    assert (less.words.get("co₂"), less.words.get("co2")) == (1, 1)
