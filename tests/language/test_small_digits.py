"""Superscript and subscript digits: in words they are digits, behind and before words marks of footnotes."""

import pytest
from families import every

from kpframe.candidates.ngrams import NGrams
from kpframe.language.words import is_wordlike, phrase_tokens, token_spans
from kpframe.matching.exact import Exact
from kpframe.model import Document, Gold
from kpframe.model.folding import fold, lower
from kpframe.preprocessing.simple import Simple


def words(text: str) -> list[str]:
    """The tokens as slices of an English text."""
    return [text[begin:end] for begin, end in token_spans(text, "en")]


@every(
    ("written", "folded"),
    [
        *(("H₂O", "h2o"), ("CO₂", "co2"), ("TiO₂", "tio2"), ("Al₂O₃", "al2o3"), ("CaCl₂", "cacl2")),
        *(("Al₂(SO₄)₃", "al2(so4)3"), ("IC₅₀", "ic50"), ("α₁-antitrypsin", "α1-antitrypsin")),
        *(("x²", "x2"), ("R²", "r2"), ("χ²", "χ2"), ("m³", "m3"), ("kg/m³", "kg/m3"), ("E₀²", "e02")),
        *(("¹³C", "13c"), ("¹⁸F-FDG", "18f-fdg"), ("¹⁵N/¹³C", "15n/13c"), ("U-¹³C", "u-13c")),
        *(("Na⁺", "na+"), ("Ca²⁺", "ca2+"), ("s⁻¹", "s-1"), ("year⁻¹", "year-1"), ("SO₄²⁻", "so42⁻")),
        *(("(CH₃)₂CO", "(ch3)2co"), ("(NH4)2SO4", "(nh4)2so4"), ("Fe(NO₃)₃·9H₂O", "fe(no3)3·9h2o")),
        *(("(NH₄)₂Fe(SO₄)₂·6H₂O", "(nh4)2fe(so4)2·6h2o"), ("Ca(OH)2-based", "ca(oh)2-based")),
        *(
            ("F-18", "f-18"),
            ("10⁻³", "10⁻³"),
            ("10³", "10³"),
            ("CO₂-neutral", "co2-neutral"),
            ("map²", "map2"),
        ),
    ],
)
def test_small_digits_inside_words_are_digits(written: str, folded: str) -> None:
    """The word is whole, in texts and phrases; a power of a number is not another number."""
    assert words(f"the {written}, and") == ["the", written, ",", "and"]
    assert phrase_tokens(written) == (folded,)
    assert fold(folded) == folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The method² and results¹,²", "The|method|²|and|results|¹|,|²"),
        ("of graphs.³ Next", "of|graphs|.|³|Next"),
        ("the authors’² end", "the|authors|’|²|end"),
        ("¹Department of ²³Physics", "¹|Department|of|²³|Physics"),
        ("METHOD² année² me\u0301thode²", "METHOD|²|année|²|me\u0301thode|²"),
        ("연구² 研究²", "연구|²|研究|²"),
        ("findings³⁻⁵ findings¹,², Jones²⁻⁴ said", "findings|³⁻⁵|findings|¹|,|²|,|Jones|²⁻⁴|said"),
        ("Covid-19⁴ IL-6² Win32⁴⁻⁶ TGF-β1¹²", "Covid-19|⁴|IL-6|²|Win32|⁴⁻⁶|TGF-β1|¹²"),
        ("Ann¹,² and p53¹,²", "Ann|¹|,|²|and|p53|¹|,|²"),
        ("state-of-the-art² 1990s³ findings³-⁵", "state-of-the-art|²|1990s|³|findings|³-⁵"),
        ("¹⁻³Department ¹,²Physics", "¹⁻³|Department|¹|,|²|Physics"),
        ("(Smith)₂ f(x)² (see)2", "(|Smith|)|₂|f|(|x|)|²|(|see|)|2"),
        ("the end ² of", "the|end|²|of"),
    ],
)
def test_marks_of_footnotes_are_no_part_of_a_word(text: str, expected: str) -> None:
    """Nor are they words; and what is compared is cut alike."""
    assert words(text) == expected.split("|")
    assert phrase_tokens(text) == tuple(map(fold, expected.split("|")))
    assert not [word for word in words(text) if word[0] in "¹²³" and is_wordlike(word)]


def test_water_is_found_however_it_is_written() -> None:
    """In full folding; the programs of others compare what is written."""
    matches = Exact().match(["CO2 capture"], [Gold(("CO₂ capture",))], "We study CO₂ capture.")
    assert (matches.dropped, matches.hits) == (0, (0,))
    assert lower("CO₂") == "co₂"


def test_no_footnote_is_in_a_candidate() -> None:
    """It parts what stands before and behind it; units are none either."""
    text = "method² of graphs in m³ and s⁻¹"
    document = Document("d", text)
    found = NGrams(max=2).propose(document, Simple().annotate(document, None)).surfaces
    assert list(found) == ["method", "of", "of graphs", "graphs", "graphs in", "in", "and"]


@pytest.mark.parametrize(
    "piece", ["²", "a²", "abcd²", "²\u0301", "ab\u0301\u0301", "¹abcd", "x₂⁺", "⁻¹", "H₂(O₂)₂"]
)
@pytest.mark.slow
def test_no_run_of_small_digits_takes_more_than_linear_time(piece: str) -> None:
    """A quadratic rule would need hours for this, where a linear one needs moments."""
    text = piece * 15_000
    assert token_spans(text, "en") and fold(text)


def test_gold_is_hit_behind_which_a_footnote_stands() -> None:
    """Also behind a number, and where there are several."""
    text = "Of Covid-19⁴ and IL-6¹,² we have findings³⁻⁵."
    gold = [Gold(("Covid-19",)), Gold(("IL-6",)), Gold(("findings",))]
    matches = Exact().match(["covid-19", "IL-6", "findings"], gold, text)
    assert (matches.dropped, matches.hits) == (0, (0, 1, 2))
    document = Document("d", text)
    found = NGrams(max=1).propose(document, Simple().annotate(document, None))
    assert {"Covid-19", "IL-6", "findings"} <= set(found.surfaces) and not set(found.surfaces) & {"⁴", "³⁻⁵"}
