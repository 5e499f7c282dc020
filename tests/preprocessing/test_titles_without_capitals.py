"""Titles in Chinese, Japanese and Korean end a sentence, as those in English do."""

from __future__ import annotations

import pytest
import spacy

from kpframe.documents._given_tokens import tokens_given
from kpframe.language import models
from kpframe.model import Document
from kpframe.preprocessing._sentences import sentence_begins
from kpframe.preprocessing.tokenize import Tokenize

TITLES = {
    "zh": ("关键词提取的方法", "我们研究关键词，并且比较许多不同的方法和数据集，结果表明这种方法是好的。"),
    "ja": (
        "キーワード抽出の方法",
        "私たちは異なる方法とデータを比較した結果、この方法が良いことを示す。",
    ),
    "ko": (
        "핵심어 BERT 추출 방법",
        "우리는 여러 방법과 자료를 비교하며 이 방법이 좋다는 것을 보인다.",
    ),
}


@pytest.mark.parametrize("language", sorted(TITLES))
@pytest.mark.parametrize("between", ["\n\n", "\n", "\r\n \r\n", "　\n　\n"])
def test_a_title_line_ends_a_sentence(language: str, between: str) -> None:
    """Before a blank line, and where it is clearly shorter than the lines below."""
    title, body = TITLES[language]
    assert sentence_begins(f"{title}{between}{body}", language) == [0, len(title) + len(between)]


@pytest.mark.parametrize("language", ["zh", "ja"])
def test_wrapped_lines_do_not(language: str) -> None:
    """Lines about as long as each other, a line that wants more, and the last line, whatever its length."""
    _, body = TITLES[language]
    assert sentence_begins(f"{body[:20]}\n{body[20:]}", language) == [0]
    assert sentence_begins(f"{body[:5]}、\n{body[5:]}", language) == [0]
    assert sentence_begins(f"{body[:30]}\n{body[30:]}", language) == [0]


def test_the_full_stop_of_japanese_papers_ends_a_sentence() -> None:
    """Not in numbers, nor behind the number of a heading."""
    assert sentence_begins("結果を示す．次に述べる．", "ja") == [0, 6]
    assert sentence_begins("値は３．１４である", "ja") == sentence_begins("１．序論", "ja") == [0]


def test_tokenizers_of_scripts_without_blanks_keep_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words are the model's, the sentences kpframe's."""
    chinese, load = spacy.blank("zh"), models.load
    monkeypatch.setattr(models, "load", lambda name: chinese if name == "zh" else load(name))
    title, body = TITLES["zh"]
    made = Tokenize(model="zh").annotate(Document("d", f"{title}\n\n{body}", language="zh"), None)
    assert [made.surface(*span) for span in made.sentences.tolist()] == [title, body]


@pytest.mark.parametrize("blank", [["\n\n"], ["\n", "\n"], ["\n", " ", "\n"]])
def test_given_tokens_end_a_sentence_at_a_blank_line(blank: list[str]) -> None:
    """In any language, if the line ends are among the tokens; a single one wraps."""
    for title, body in (
        (["关键词", "提取"], ["我们", "研究", "。"]),
        (["Red", "kites"], ["We", "fly", "."]),
    ):
        made = tokens_given([*title, *blank, *body])
        assert made is not None and made.sentences.tolist() == [[0, 2], [2, 5]]
        wrapped = tokens_given([*title, " \n ", *body])
        assert wrapped is not None and wrapped.sentences.tolist() == [[0, 5]]
