"""Forms of print as they are typed."""

from __future__ import annotations

import pytest
from families import every

import kpframe as kp
from kpframe.engine.annotating import Preprocessing
from kpframe.model import Annotations, Document, Traced
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.typography import Typography


@every(
    ("printed", "typed"),
    [
        ("of\ufb01cial \ufb02ow, e\ufb03cient", "official flow, efficient"),
        ("ＡＰＩ Ｃ＋＋ ﾊﾞｽ", "API C++ バス"),
        ("\U0001d400 Ⅳ 20℃ ℝ 5㎞", "A IV 20°C R 5 km "),
        ("a 10‑year ‐ field", "a 10-year - field"),
        ("compu-\nter science", "computer science"),
        ("palavras-\n-chave e", "palavras-chave e"),
        ("Cl− and HCO3− and SO42−, O2−.", "Cl⁻ and HCO3⁻ and SO42⁻, O2⁻."),
    ],
)
def test_print_becomes_what_is_typed(printed: str, typed: str) -> None:
    """Ligatures, widths, fonts, hyphens, ends of lines and the charge of an ion."""
    assert Typography().clean(printed) == typed


@pytest.mark.parametrize(
    "text",
    [
        "CO₂, x² and ¹³C; 2½ ™ ①first",
        "µm ϕ ϑ ℵ; “curly” ‘quotes’, and… a – b — c",
        "٢٠٢٣ १२ 東京（首都）、Straße, Ærø",
        "A − B, 5−3, p−value, pre- and postprocessing, Pb−Free, 10−",
        "semi\u00adarid",
        "plain ASCII text - with a dash",
    ],
)
def test_what_is_no_matter_of_print_stays(text: str) -> None:
    """Small digits, symbols, other scripts, punctuation, and a minus that is no charge."""
    assert Typography(dashes="join").clean(text) == text


@every(
    ("text", "joined"),
    [
        ("SARS–CoV–2 and COVID–19", "SARS-CoV-2 and COVID-19"),
        ("host–pathogen, 5–HT, Müller–Lyer", "host-pathogen, 5-HT, Müller-Lyer"),
        ("10–20, 2008–2018, a – b, (x)–y", "10–20, 2008–2018, a – b, (x)–y"),
    ],
)
def test_an_en_dash_inside_a_compound_is_a_hyphen_if_wanted(text: str, joined: str) -> None:
    """Not between digits, and not beside a blank or a mark."""
    assert Typography(dashes="join").clean(text) == joined
    assert Typography().clean(text) == text


def test_words_are_looked_up_in_english_texts_alone() -> None:
    """Real compounds keep their hyphen in English; elsewhere what no text tells is joined."""
    english = "This is what the price-\ndetermining rules are about, and that is from the book."
    assert "price-determining" in Typography().clean(english)
    assert "pricedetermining" in Typography(english=False).clean(english)
    german = "Der Begriff der Text-\nform ist für die Arbeit von Bedeutung und wird hier nicht erklärt."
    assert "Textform" in Typography().clean(german)


def test_spans_lead_back_to_the_printed_text() -> None:
    """The phrase is shown as it is typed, its place is that of the given text."""
    text = "The con\ufb01dence inter-\nval of SARS–CoV–2 tests."
    made = Typography(dashes="join").edit(Traced.of(text))
    begin = made.text.index("confidence interval")
    first, last = made.span(begin, begin + len("confidence interval"))
    assert text[first:last] == "con\ufb01dence inter-\nval"


def test_texts_with_tokens_are_left_as_they_are() -> None:
    """A corpus that brings its tokens keeps them; one without is cleaned."""
    text = "The of\ufb01ce"
    given = Simple().annotate(Document("a", text, "en"), None)
    chain = Preprocessing.of([Typography(), Simple()], frozenset())
    kept = chain.clean(Document("a", text, "en", annotations=given))
    assert kept.text == text and isinstance(kept.annotations, Annotations)
    assert chain.clean(Document("a", text, "en")).text == "The office"


@pytest.mark.parametrize("name", ["by-length", "textrank", "noun-phrases", "any-language"])
def test_shipped_pipelines_read_pasted_text(name: str) -> None:
    """Out of a PDF, with broken words, ligatures and dashes."""
    text = (
        "The con\ufb01dence inter-\nval is wide. We report the con\ufb01dence interval of SARS–CoV–2 tests, "
        "and the confidence interval of the SARS–CoV–2 antibody is one of the results."
    )
    found = [one.text for one in kp.Pipeline.load(name).extract(text, language="en", top=10)]
    assert "confidence interval" in found
    assert any("SARS-CoV-2" in one for one in found)
    assert not any(one in ("inter", "val", "SARS", "CoV") for one in found)
