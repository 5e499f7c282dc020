"""The tokenizer without a model."""

import pytest

from kpframe.errors import DataError
from kpframe.model import Annotations, Document
from kpframe.preprocessing.simple import Simple


def tokens(text: str) -> list[str]:
    """The tokens as slices of the text."""
    made = Simple().annotate(Document("d", text), None)
    return [text[b:e] for b, e in zip(*made.offsets, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A state-of-the-art end-of-life policy.", ["A", "state-of-the-art", "end-of-life", "policy", "."]),
        ("COVID-19 and SARS-CoV-2", ["COVID-19", "and", "SARS-CoV-2"]),
        ("The S&P 500 index", ["The", "S&P", "500", "index"]),
        ("well -- known", ["well", "--", "known"]),
        ("User’s “smart” don’t", ["User", "’s", "“", "smart", "”", "do", "n’t"]),
        ("»Neue Regeln«", ["»", "Neue", "Regeln", "«"]),
        ("Un  modèle\n probabiliste", ["Un", "modèle", "probabiliste"]),
        ("See https://ex.org/a/b?c=d for", ["See", "https://ex.org/a/b?c=d", "for"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_tokens_are_slices_of_the_text(text: str, expected: list[str]) -> None:
    """Compounds and URLs whole, marks alone, white space never."""
    assert tokens(text) == expected


def test_words_are_numbered_in_order_of_first_occurrence() -> None:
    """The vocabulary holds each word once."""
    made = Simple().annotate(Document("d", "b a b"), None)
    assert made.vocabulary == ("b", "a")
    assert made.words.tolist() == [0, 1, 0]
    assert made.layers == {"tokens", "sentences"}


def test_given_tokens_stay_as_they_are() -> None:
    """A corpus that comes tokenised is not tokenised again."""
    given = Simple().annotate(Document("d", "a b"), None)
    assert Simple().annotate(Document("d", "a b"), given) is given
    assert len(Simple().annotate(Document("d", "a b"), Annotations.empty("a b"))) == 2


@pytest.mark.parametrize(
    ("language", "text", "named"),
    [
        ("ja", "機械学習", "as model: ja_core_news_sm"),
        ("auto", "これはペンです", "as model: ja_core_news_sm"),
        ("auto", "机器学习", "as model: zh_core_web_sm"),
        ("en", "机器学习", "as model: zh_core_web_sm"),
        ("th", "ประเทศไทย", "which spaCy itself has not: of your own, as model: PACKAGE"),
        ("auto", "ភាសាខ្មែរ", "which spaCy itself has not: of your own, as model: PACKAGE"),
    ],
)
def test_the_remedy_names_the_model_of_the_language(language: str, text: str, named: str) -> None:
    """By what the document says, else by its script; and none that does not exist."""
    with pytest.raises(DataError, match=f"a spaCy model of its language, {named}$"):
        Simple().annotate(Document("d", text, language), None)


def test_a_text_in_a_script_without_spaces_is_refused() -> None:
    """Never a whole sentence as one token."""
    with pytest.raises(DataError) as caught:
        tokens("机器学习是人工智能的一个分支。")
    assert str(caught.value) == (
        "document 'd': most of its text is in a script without spaces between words, which this "
        "tokenizer cannot split; use tokenize with a spaCy model of its language, as model: zh_core_web_sm"
    )
    assert tokens("The character 机 means machine.")
    for text in ("これはペンです", "ประเทศไทย", "ភាសាខ្មែរ"):
        with pytest.raises(DataError):
            tokens(text)


def test_languages_without_spaces_are_refused_when_the_spec_is_checked() -> None:
    """With the way out."""
    assert list(Simple().problems(["en", "zh"])) == [
        (
            "",
            "cannot split language 'zh', which is written without spaces between words",
            "use tokenize with a spaCy model of that language, as model: zh_core_web_sm",
        )
    ]
    assert list(Simple().problems(["en", "ru", "ar"])) == []
