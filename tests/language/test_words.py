"""What a word is, in every language, and that everybody who cuts texts cuts them alike."""

import unicodedata
from itertools import pairwise

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

from kpframe.candidates.ngrams import NGrams
from kpframe.candidates.noun_phrases import NounPhrases
from kpframe.candidates.vocabulary import Vocabulary
from kpframe.language.words import is_wordlike, phrase_tokens, token_spans
from kpframe.matching.exact import Exact
from kpframe.model import Annotations, Document, Gold
from kpframe.model.folding import fold, plain
from kpframe.preprocessing.pos import Pos
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.tokenize import Tokenize
from kpframe.ranking.frequency import Frequency

SCRIPTS = st.text(
    alphabet=st.one_of(
        st.sampled_from("aBé́̈ñçİßﬁ -'’./_,()#+가\u200c\u00ad1²"),
        st.characters(min_codepoint=0x20, max_codepoint=0x17F),
        st.characters(min_codepoint=0x370, max_codepoint=0x9FF),
        st.characters(min_codepoint=0xAC00, max_codepoint=0xAC80),
    ),
    max_size=40,
)


def words(text: str, language: str = "") -> list[str]:
    """The tokens as slices of the text."""
    return [text[begin:end] for begin, end in token_spans(text, language)]


def annotated(text: str, language: str = "en") -> Annotations:
    """The text as the simple tokenizer sees it."""
    return Simple().annotate(Document("d", text, language), None)


def candidates(text: str, language: str = "en", longest: int = 3) -> list[str]:
    """The n-grams of a text."""
    document = Document("d", text, language)
    return list(NGrams(max=longest).propose(document, annotated(text, language)).surfaces)


@every(
    ("text", "expected"),
    [
        ("TCP/IP over client/server, A/B or I/O", "TCP/IP|over|client/server|,|A/B|or|I/O"),
        ("and/or, und/oder", "and|/|or|,|und|/|oder"),
        ("left / right", "left|/|right"),
        ("50 km/h", "50|km/h"),
        ("C#, C++, F# and .NET", "C#|,|C++|,|F#|and|.NET"),
        ("C/C++ or c/c#", "C/C++|or|c/c#"),
        ("CD4+ T cells, CD4+CD25+ cells", "CD4+|T|cells|,|CD4+CD25+|cells"),
        ("PD-1+ cells, NK1.1+ cells, IL-2+/IL-4+", "PD-1+|cells|,|NK1.1+|cells|,|IL-2+/IL-4+"),
        ("50+ people, 10-20+ years, 1+2", "50|+|people|,|10-20|+|years|,|1+2"),
        ("Na+/K+-ATPase, (Ca2+) and H2O+.", "Na+/K+-ATPase|,|(|Ca2+|)|and|H2O+|."),
        ("B+-trees, B+ trees, LGBTQ+", "B+-trees|,|B+|trees|,|LGBTQ+"),
        ("Objective-C++, Notepad++ and C++17", "Objective-C++|,|Notepad++|and|C++17"),
        ("C++-based, C++/CLI, C#-like", "C++-based|,|C++/CLI|,|C#-like"),
        ("5'-UTR, 3’-end and the 5' end", "5'-UTR|,|3’-end|and|the|5|'|end"),
        ("50+, 2+ years, 100k+ users", "50|+|,|2|+|years|,|100k|+|users"),
        ("1 + 2, x+=1, a+(b), mean+/-SD", "1|+|2|,|x|+|=|1|,|a|+|(|b|)|,|mean|+|/|-|SD"),
        ("ASP.NET, Node.js, S&P, AT&T", "ASP.NET|,|Node.js|,|S&P|,|AT&T"),
        ("IEEE 802.11b, COVID-19, IL-6", "IEEE|802.11b|,|COVID-19|,|IL-6"),
        ("N,N-dimethylformamide", "N,N-dimethylformamide"),
        ("2,4,6-trinitrotoluene and 1,2-dichloroethane", "2,4,6-trinitrotoluene|and|1,2-dichloroethane"),
        ("price,quality and a,b", "price|,|quality|and|a|,|b"),
        ("Ca(OH)2 and Al2(SO4)3", "Ca(OH)2|and|Al2(SO4)3"),
        ("poly(ethylene glycol)", "poly|(|ethylene|glycol|)"),
        ("f(x) = y", "f|(|x|)|=|y"),
        ("Styles.____________15", "Styles|.|____________|15"),
        ("Size..............17", "Size|..............|17"),
        ("snake_case, _emphasis_, __init__", "snake_case|,|_|emphasis|_|,|__|init|__"),
        ("the end.Next one", "the|end|.|Next|one"),
        ("Dr. Who of St. Louis met Dr.", "Dr.|Who|of|St.|Louis|met|Dr|."),
        ("col·lecció", "col·lecció"),
        ("צה״ל", "צה״ל"),
        ("मशीन लर्निंग।", "मशीन|लर्निंग|।"),
        ("cafe\u0301 noir", "cafe\u0301|noir"),
        ("\u0301x", "\u0301|x"),
        ("داده\u200cها", "داده\u200cها"),
        ("hy\u00adphen", "hy\u00adphen"),
        ("no\u00a0break and zero\u200bwidth", "no|break|and|zero|width"),
        ("a\u0007b \u001b[31mred", "a|\u0007|b|\u001b[31m|red"),
        ("see doi 10.1000/xyz(1)2, a@b.org", "see|doi|10.1000/xyz(1)2|,|a@b.org"),
        ("[guide](https://ex.org/a)", "[|guide|]|(|https://ex.org/a|)"),
        ("p−value, T−cell and 10−20", "p−value|,|T−cell|and|10−20"),
        ("5 − 3, −5 and x = −y", "5|−|3|,|−|5|and|x|=|−|y"),
        ("Na+/Cl− and CD4+CD25− cells, e+e−.", "Na+/Cl−|and|CD4+CD25−|cells|,|e+e−|."),
        ("pre- and post-, mean+or-SD", "pre|-|and|post|-|,|mean+or-SD"),
        ("Ｃ＋＋ and ＴＣＰ／ＩＰ, ３．１４", "Ｃ＋＋|and|ＴＣＰ／ＩＰ|,|３．１４"),
        ("בית־ספר", "בית־ספר"),
        ("①Introduction, ⒈Methods (⑴)", "①|Introduction|,|⒈|Methods|(|⑴|)"),
        ("2½ inch, 1½-inch", "2|½|inch|,|1|½|-|inch"),
        (
            "at 2024-05-01T10:00:00Z, 2024-05-01T10:00+02:00.",
            "at|2024-05-01T10:00:00Z|,|2024-05-01T10:00+02:00|.",
        ),
    ],
)
def test_words_of_terms_are_whole_and_signs_are_alone(text: str, expected: str) -> None:
    """The cases of users, and their neighbours."""
    assert words(text, "en") == expected.split("|")


@every(
    "text",
    ["p−value", "T－cell", "Ｃ＋＋", "2½ inch", "①Introduction", "Na+/Cl−", "km⁄h", "בית־ספר", "５㎞ wide"],
)
def test_texts_and_phrases_are_parted_alike(text: str) -> None:
    """A phrase is folded first, a text is not."""
    assert tuple(fold(word) for word in words(text, "en")) == phrase_tokens(text)


@every("time", ["2024-05-01T10:00:00Z", "2024-05-01t10:00:00.123z", "2024-05-01T10:00+02:00"])
def test_times_of_programs_are_no_candidates(time: str) -> None:
    """Nor is a part of them."""
    assert candidates(f"Logs {time} here", longest=1) == ["Logs", "here"]


def test_a_mark_before_an_item_is_no_candidate() -> None:
    """It says no more than its place."""
    assert candidates("①Introduction ❷", longest=1) == ["Introduction"]
    assert candidates("¼ cup, ½ inch", longest=2) == ["cup", "inch"]


@every(
    ("language", "text", "expected"),
    [
        ("fr", "L'armée qu’il d'abord jusqu'à", "L'|armée|qu’|il|d'|abord|jusqu'|à"),
        ("fr", "aujourd'hui le prud'homme", "aujourd'hui|le|prud'homme"),
        ("it", "l'arte dell'acqua un'idea", "l'|arte|dell'|acqua|un'|idea"),
        ("ca", "l'aigua d'ahir", "l'|aigua|d'|ahir"),
        ("en", "D'Alembert don't O'Brien's", "D'Alembert|do|n't|O'Brien|'s"),
        ("uk", "м'яч п’ять", "м'яч|п’ять"),
        ("fi", "EU:n ja WHO:ssa, 10:n EU:n-jäsen", "EU:n|ja|WHO:ssa|,|10:n|EU:n-jäsen"),
        ("fi", "klo 10:30, http: ja Otsikko:alaotsikko", "klo|10:30|,|http|:|ja|Otsikko|:|alaotsikko"),
        ("sv", "EU:s tv:n S:t Erik input:output", "EU:s|tv:n|S:t|Erik|input|:|output"),
        ("de", "Lehrer:innen Bürger*innenrat jede:r", "Lehrer:innen|Bürger*innenrat|jede:r"),
        ("de", "Schüler/-innen Titel:Untertitel 1:1", "Schüler/-innen|Titel|:|Untertitel|1:1"),
        ("es", "niñ@s de @s", "niñ@s|de|@|s"),
        ("en", "Title:subtitle input:output a:b EU:n", "Title|:|subtitle|input|:|output|a|:|b|EU|:|n"),
        ("en", "10:30 3:1 http: Note:the", "10:30|3:1|http|:|Note|:|the"),
        ("he", 'צה"ל "צה”ל" מנכ"לית', 'צה"ל|"|צה”ל|"|מנכ"לית'),
        ("he", 'ב"הארץ" "שלום"', 'ב|"|הארץ|"|"|שלום|"'),
        ("nl", "'s avonds ’t 's-Gravenhage", "'s|avonds|’t|'s-Gravenhage"),
        ("nl", "'test' 't'", "'|test|'|'|t|'"),
        ("uz", "o‘zbek g`oya ‘so‘z’ va", "o‘zbek|g`oya|‘|so‘z|’|va"),
        ("fr", "l´armée l‘eau", "l´|armée|l‘|eau"),
        ("en", "don´t the user`s ‘word’ and ‘two words’", "do|n´t|the|user|`s|‘|word|’|and|‘|two|words|’"),
        (
            "en",
            "(‘word’), `code` ``quoted'' 5´8 a‘ ´x",
            "(|‘|word|’|)|,|`|code|`|`|`|quoted|'|'|5|´|8|a|‘|´|x",
        ),
    ],
)
def test_elisions_are_parted_where_a_language_has_them(language: str, text: str, expected: str) -> None:
    """Articles and pronouns are words; in English a name stays whole."""
    assert words(text, language) == expected.split("|")


def test_a_greek_iota_behind_a_sign_begins_its_word() -> None:
    """It is a letter, though case folding knows it as the mark below a vowel too."""
    assert words("(Ιστορία) :ισ", "el") == ["(", "Ιστορία", ")", ":", "ισ"]


@pytest.mark.parametrize("stage", [Simple(), Tokenize()])
def test_every_tokenizer_and_the_matching_part_alike(stage: Simple | Tokenize) -> None:
    """The simple tokenizer, spaCy's pass and phrases."""
    text = "The client/server model runs C# and N,N-dimethylformamide; don't (re)use and/or hy\u00adphens."
    made = stage.annotate(Document("d", text), None)
    assert [fold(word) for word in made.strings(made.words)] == list(phrase_tokens(text))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fi", "EU:n ja WHO:ssa", ["EU:n", "EU:n ja", "ja", "ja WHO:ssa", "WHO:ssa"]),
        ("he", 'צה"ל', ['צה"ל']),
        ("nl", "’s avonds in 't bos", ["avonds", "avonds in", "in", "bos"]),
    ],
)
def test_no_ending_or_short_article_is_a_keyphrase(language: str, text: str, expected: list[str]) -> None:
    """A lone n, s or ל says nothing."""
    assert candidates(text, language, longest=2) == expected


def test_the_marks_of_hebrew_acronyms_are_compared_alike() -> None:
    """As they are typed, and as they should be."""
    assert phrase_tokens('צה"ל') == phrase_tokens("צה״ל") == phrase_tokens("צה”ל") == ('צה"ל',)


@pytest.mark.parametrize("language", ["en", "fr", "it", "fi", "sv", "de", "nl", "es"])
@given(text=SCRIPTS)
def test_no_language_parts_more_than_matching_does(language: str, text: str) -> None:
    """So a candidate never begins or ends where matching sees no border."""
    own = {edge for span in token_spans(text, language) for edge in span}
    assert own <= {edge for span in token_spans(text) for edge in span}


@given(SCRIPTS)
def test_tokens_are_in_order_and_leave_out_only_what_cannot_be_seen(text: str) -> None:
    """White space, and characters of format."""
    spans = token_spans(text, "en")
    assert all(begin < end for begin, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    inside = {place for begin, end in spans for place in range(begin, end)}
    left = [sign for place, sign in enumerate(text) if place not in inside]
    assert all(sign.isspace() or unicodedata.category(sign) == "Cf" for sign in left)


@given(SCRIPTS)
@pytest.mark.slow
def test_composed_and_decomposed_texts_have_the_same_keyphrases_and_scores(text: str) -> None:
    """Tokens correspond one to one, and all that is compared is equal."""
    results = []
    for form in ("NFC", "NFD"):
        document = Document("d", unicodedata.normalize(form, text))
        made = Simple().annotate(document, None)
        ranked = Frequency().rank(NGrams(max=2).propose(document, made))
        results.append(
            ([fold(word) for word in made.strings(made.words)], [(fold(r.surface), r.score) for r in ranked])
        )
    assert results[0] == results[1]


@given(SCRIPTS)
def test_folding_twice_changes_nothing(text: str) -> None:
    """And forms of Unicode that are equivalent fold alike."""
    assert fold(fold(text)) == fold(text) == fold(unicodedata.normalize("NFD", text))


def test_soft_hyphens_do_not_matter() -> None:
    """They say where a line may break."""
    assert phrase_tokens("hy\u00adphen") == ("hyphen",)
    assert plain("\u200ehy\u00adphen") == "hyphen"


@pytest.mark.parametrize("unit", ["mg/kg", "km/h", "m/s", "kg/m3", "mol/L", "mg/kg/day", "l/min"])
def test_units_of_rates_are_no_candidates(unit: str) -> None:
    """A dose is."""
    assert not is_wordlike(unit)
    assert candidates(f"A dose 5 {unit}", longest=1) == ["A", "dose", "5"]


@pytest.mark.parametrize(
    "term", ["A/B", "I/O", "TCP/IP", "client/server", "N/A", "C/S", "on/off", "yes/no", "W/O", "IT/OT"]
)
def test_terms_with_a_slash_are_candidates(term: str) -> None:
    """Though their letters may be units."""
    assert candidates(f"{term} is") == [term, f"{term} is", "is"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("He/she is", "en"),
        ("his/her and HIS/HERS, he/she/they", "en"),
        ("either/or, is/are and a/an", "en"),
        ("s/he does it w/o them", "en"),
        ("er/sie und seine/ihre", "de"),
        ("il/elle et un/une", "fr"),
        ("él/ella y los/las", "es"),
    ],
)
def test_function_words_with_a_slash_are_no_keyphrases(text: str, language: str) -> None:
    """They are stop words each, or short for some."""
    document = Document("d", text, language)
    found = NGrams(max=3, stopwords=("auto",)).propose(document, annotated(text, language)).surfaces
    assert list(found) == []


@pytest.mark.parametrize("term", ["CD4+ T cells", "Na+/K+-ATPase", "Ca2+ channels", "5'-UTR", "Notepad++"])
def test_names_with_signs_are_found_and_compared_whole(term: str) -> None:
    """In texts, as terms of a vocabulary, and as gold."""
    text = f"The {term} here."
    assert term in candidates(text)
    assert list(Vocabulary(terms=(term,)).propose(Document("d", text), annotated(text)).surfaces) == [term]
    assert Exact().match([term], [Gold((term.lower(),))], text).hits == (0,)
    assert phrase_tokens(term) == tuple(fold(word) for word in words(term, "en"))


def test_a_word_of_more_than_100_characters_is_no_candidate() -> None:
    """It is data."""
    assert candidates(f"Key {'QUJD' * 3000} is") == ["Key", "is"]
    assert is_wordlike("a" * 100)


def test_control_characters_part_phrases() -> None:
    """And are in none."""
    found = candidates("alpha\u0007 machine learning\u001b[31m for graphs")
    assert "machine learning" in found
    assert not [phrase for phrase in found if "alpha " in phrase or not phrase.isprintable()]


@pytest.mark.parametrize(
    ("text", "chunk", "expected"),
    [
        ("poly(ethylene glycol chains", (0, 5), ["ethylene glycol chains"]),
        ("poly(ethylene glycol) chains", (0, 6), ["poly(ethylene glycol) chains"]),
        ("the user guide](https://ex.org/g", (0, 6), ["the user guide"]),
        ('the "open quote', (0, 4), ["open quote"]),
        ('the "closed" quote', (0, 5), ['the "closed" quote']),
        ("graph \u0007 kernels of trees", (0, 5), ["kernels of trees"]),
        ("deep | learning", (0, 3), ["learning"]),
    ],
)
def test_no_phrase_has_an_open_bracket_or_crosses_markup(
    text: str, chunk: tuple[int, int], expected: list[str]
) -> None:
    """Whole, or without; whatever a chunker says."""
    import numpy as np

    made = annotated(text).with_layers(chunks=np.array([chunk], dtype=np.int32))
    found = NounPhrases(determiners="keep").propose(Document("d", text), made)
    assert list(found.surfaces) == expected


@pytest.mark.parametrize("gold", ["assurance", "Assurance", "l'assurance"])
def test_gold_behind_an_article_stands_in_the_text(gold: str) -> None:
    """And is hit by the phrase without it."""
    matches = Exact().match(["assurance"], [Gold((gold,))], "L'assurance est chère: l'assurance.")
    assert (matches.gold, matches.dropped) == (1, 0)
    assert matches.hits == ((0,) if gold.lower() == "assurance" else (-1,))


def test_a_term_of_a_vocabulary_is_found_behind_an_article() -> None:
    """At its own place."""
    text = "L'assurance change."
    found = Vocabulary(terms=("assurance",)).propose(Document("d", text, "fr"), annotated(text, "fr"))
    assert [(*found.surfaces, *found.places)] == [("assurance", (1, 2))]


def test_decomposed_text_meets_composed_gold() -> None:
    """NFC is for comparing."""
    matches = Exact().match(["cafe\u0301"], [Gold(("café",))], "Un cafe\u0301 noir.")
    assert (matches.dropped, matches.hits) == (0, (0,))


@pytest.mark.slow
def test_names_with_signs_are_tagged_as_nouns() -> None:
    """By spaCy's pass, whose taggers never saw them whole."""
    made = Pos().annotate(Document("d", "The client/server model runs over TCP/IP."), None)
    tags = dict(zip(made.strings(made.words), made.strings(made.pos), strict=True))
    names = Pos().annotate(
        Document("d", "We use C# daily. C# is a language. The OR/MS tools use .NET."), None
    )
    of_word = dict(zip(names.strings(names.words), names.strings(names.pos), strict=True))
    assert {of_word[name] for name in ("C#", "OR/MS", ".NET")} <= {"NOUN", "PROPN"}
    assert tags["TCP/IP"] in ("NOUN", "PROPN") and tags["client/server"] in ("NOUN", "ADJ", "PROPN")


@pytest.mark.parametrize(
    "piece",
    [
        "_",
        "'",
        "a'",
        "<a ",
        "a..b",
        "-.",
        "n,",
        "a(",
        "www.!",
        "e.",
        "a+",
        "a++",
        "a1+-",
        "5'-a",
        "e\u0301",
        "a\u00ad",
        "1,",
        "\x1b[",
    ],
)
@pytest.mark.slow
def test_no_run_of_signs_takes_more_than_linear_time(piece: str) -> None:
    """A quadratic rule would need hours for this, where a linear one needs moments."""
    assert token_spans(piece * 15_000, "en")


@pytest.mark.parametrize("sign", ["(", "«", ":", "-", "“"])
def test_a_word_in_iota_begins_behind_a_sign(sign: str) -> None:
    """Iota is the capital of the mark U+0345, and no mark itself."""
    text = f"{sign}ιδέα {sign}Ιστορία"
    assert [text[begin:end] for begin, end in token_spans(text)] == [sign, "ιδέα", sign, "Ιστορία"]


@pytest.mark.parametrize("text", ["가#", "나.다.", "x/é#", "가,나-bcd", "é(OH)2", "Å.É.", "가(나)2"])
def test_names_of_one_letter_are_the_same_decomposed(text: str) -> None:
    """Also where a syllable of Hangul is decomposed into letters."""
    composed, decomposed = (
        [form[begin:end] for begin, end in token_spans(form)]
        for form in (unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text))
    )
    assert composed == [unicodedata.normalize("NFC", word) for word in decomposed]
