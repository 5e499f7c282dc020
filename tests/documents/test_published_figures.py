"""The corpora themselves, against what is published about them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from corpus_files import CORPORA, needs_corpora, parted

from kpframe.analysis.gold_statistics import GoldStatistics
from kpframe.analysis.text_statistics import CorpusStatistics, statistics
from kpframe.documents.ake_json import AkeJson
from kpframe.documents.corenlp_xml import CorenlpXml
from kpframe.documents.duc2001 import Duc2001
from kpframe.documents.hulth2003 import Hulth2003
from kpframe.documents.text_and_keys import TextAndKeys

pytestmark = [needs_corpora, pytest.mark.slow, pytest.mark.acceptance]

INSPEC = str(CORPORA / "Hulth2003.tar.gz")


@cache
def inspec() -> CorpusStatistics:
    """All abstracts, presence by stems."""
    return statistics(Hulth2003(path=INSPEC).read())


def test_inspec_is_as_table_1_says() -> None:
    """Zesch and Gurevych (2009), table 1: 2000 documents, 9.64 keyphrases, r = .56; nothing skipped.

    The test part as Hulth (2003) and later papers have it: 500 documents, 4,913 uncontrolled terms.
    """
    made = inspec()
    assert (made.documents, made.skipped, made.empty, made.without_gold) == (2000, 0, 0, 0)
    assert made.mean_gold == pytest.approx(9.638)
    assert made.pearson_r == pytest.approx(0.56, abs=0.005)
    assert {name: part.documents for name, part in made.splits.items()} == {
        "training": 1000,
        "validation": 500,
        "test": 500,
    }
    test = made.splits["test"]
    assert (test.gold, test.present_gold, test.documents_with_present) == (4913, 3862, 497)


def test_inspec_is_as_table_8_says() -> None:
    """Yuan et al. (2020), table 8: 3,858 of the 4,913 present, in 497 documents, 1,055 absent, in 381.

    Their tokenizer is not ours: marks as tokens give 4 more, marks left out 63 more. Their table 1 gives
    the test part 78.5 % present, but as mean and variance of its number of gold keyphrases 9.6 and 22.4:
    these are the figures of the 1,500 other abstracts.
    """
    parts = {name: part.keyphrases for name, part in inspec().splits.items()}
    gold = parts["test"]
    assert (gold.total("all"), gold.documents_with("all")) == (4913, 500)
    assert (gold.total("present"), gold.documents_with("present")) == (3862, 497)
    assert (gold.total("absent"), gold.documents_with("absent")) == (1051, 373)
    assert gold.share("present") == pytest.approx(0.785, abs=0.0015)
    assert (gold.mean("all"), gold.variance("all")) == (9.826, pytest.approx(24.892, abs=0.0005))
    rest = GoldStatistics(sizes=Counter(parts["training"].sizes) + Counter(parts["validation"].sizes))
    assert rest.mean("all") == pytest.approx(9.6, abs=0.05)
    assert rest.variance("all") == pytest.approx(22.4, abs=0.05)


def test_inspec_without_marks_has_more_present_gold() -> None:
    """Yuan et al. (2020), table 8: the same 497 documents; runs of word characters give 3,921."""
    made = statistics(Hulth2003(path=INSPEC, split="test").read(), present="alphanumeric")
    assert (made.present_gold, made.documents_with_present) == (3921, 497)


def test_inspec_by_characters_is_near_table_1() -> None:
    """Zesch and Gurevych (2009), table 1: 23.8 % of the gold not in the texts; characters give 22.6 %."""
    made = statistics(Hulth2003(path=INSPEC).read(), present="characters")
    assert made.absent_share == pytest.approx(0.226, abs=0.0005)
    assert made.mean_gold == 9.638


def test_the_bounds_of_inspec() -> None:
    """The 500 test abstracts: nobody surpasses F1@5 = .7058 and F1@10 = .7926."""
    made = inspec().splits["test"].keyphrases
    five, ten = made.bound("all", 5), made.bound("all", 10)
    assert five is not None and ten is not None
    assert (five.f1, ten.f1) == (pytest.approx(0.7058, abs=5e-5), pytest.approx(0.7926, abs=5e-5))


def test_inspec_has_controlled_terms_too() -> None:
    """Both kinds together are what each has alone, abstract 1930 as it stands in the archive."""
    uncontrolled, controlled, both = (
        parted(Hulth2003.model_validate({"path": INSPEC, "gold": gold, "split": "test"}))[0]
        for gold in ("uncontrolled", "controlled", "both")
    )
    for one, other, joined in zip(uncontrolled, controlled, both, strict=True):
        assert one.gold + other.gold == joined.gold
    (document,) = (d for d in both if d.id == "1930")
    title = (
        "A new method of systemological analysis coordinated with the procedure of object-oriented design. II"
    )
    assert document.text.startswith(
        f"{title}\n\nFor pt.I. see Vestn. KhGPU, no.81, p.15-18 (2000). The paper"
    )
    assert document.metadata == {"title_length": len(title), "split": "test"}
    assert "complex systems design" in [g.text for g in document.gold]
    assert document.gold[-1].text == "object-oriented programming"


def test_duc_is_as_published() -> None:
    """Wan and Xiao (2008): 308 articles, 8.08 keyphrases each; one text is empty in this edition."""
    reader = Duc2001(
        path=str(CORPORA / "DUC2001-txt.zip"), labels=str(CORPORA / "DUC2001LabeledKeyphrase.txt")
    )
    made = statistics(reader.read())
    assert (made.documents, made.skipped, made.empty) == (308, 0, 1)
    assert made.mean_gold == pytest.approx(8.08, abs=0.005)


@pytest.mark.parametrize(("name", "documents"), [("Nguyen2007.zip", 209), ("SemEval2010.zip", 243)])
def test_papers_and_their_keys_are_complete(name: str, documents: int) -> None:
    """Every text has keys and every key file a text; `language.txt` is no document."""
    found, skipped = parted(TextAndKeys(path=str(CORPORA / name)))
    assert len(found) == documents and skipped == []
    assert all(d.gold and d.text for d in found)


def test_semeval_meets_its_reference_file() -> None:
    """The training part: 144 papers, some keyphrases with two forms."""
    reader = AkeJson(
        texts=str(CORPORA / "SemEval2010.zip"),
        references=str(CORPORA / "semeval-2010-references" / "train.combined.json"),
    )
    documents, skipped = parted(reader)
    assert len(documents) == 144
    assert all("has no id" in s.reason for s in skipped)
    assert any(len(g.variants) == 2 for d in documents for g in d.gold)


def test_corenlp_texts_are_the_abstracts_word_for_word() -> None:
    """Put together from tokens, they are the texts of the original corpus; all offsets are valid."""
    folder = CORPORA / "hulth-2003-corenlp"
    abstracts = {d.id: d.text for d in parted(Hulth2003(path=INSPEC, split="test"))[0]}
    reader = CorenlpXml(path=str(folder), references=str(folder / "test.uncontr.json"))
    documents, skipped = parted(reader)
    assert len(documents) == 10 and len(skipped) == 490
    for document in documents:
        made = document.annotations
        assert made is not None and document.gold
        assert document.text.split() == abstracts[document.id].split()
        begins, ends = made.offsets
        assert [made.text[b:e] for b, e in zip(begins, ends, strict=True)] == made.strings(made.words)
