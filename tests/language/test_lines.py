"""Which line breaks end a sentence."""

import re
import textwrap
from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kpframe as kp
from kpframe.preprocessing._headings import heading
from kpframe.preprocessing._sentences import sentence_begins

WRAPPED = (
    "Graph kernels compare the graphs of chemistry by what they have in common, and the\n"
    "Weisfeiler Lehman kernel is the one that most people use. It is fast, and in the\n"
    "year 2009 Shervashidze\nand Borgwardt made it known."
)


def sentences(text: str) -> list[str]:
    """The sentences, white space squeezed."""
    begins = [*sentence_begins(text), len(text)]
    return [" ".join(text[b:e].split()) for b, e in pairwise(begins)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Council approves spending caps\nNew Orla's council met. New Orla voted.",
            ["Council approves spending caps", "New Orla's council met.", "New Orla voted."],
        ),
        (
            "Council approves spending caps\r\nNew Orla's council met again in May.",
            ["Council approves spending caps", "New Orla's council met again in May."],
        ),
        (
            "Dopamine Neurons and Reward\nAda N. Rill, Bo Quist, et al.\nWe show that neurons count rewards.",
            [
                "Dopamine Neurons and Reward",
                "Ada N. Rill, Bo Quist, et al.",
                "We show that neurons count rewards.",
            ],
        ),
        # Headings, though they are the longest lines of their paragraphs.
        ("I. INTRODUCTION\nWalks are old.", ["I. INTRODUCTION", "Walks are old."]),
        ("2.1 Graph Kernels\nThey compare.", ["2.1 Graph Kernels", "They compare."]),
        ("1. Method\nThey compare.", ["1. Method", "They compare."]),
        ("Chapter 1: Graphs\nWalks are old.", ["Chapter 1: Graphs", "Walks are old."]),
        ("Kapitel 2 – Graphen\nWege sind alt.", ["Kapitel 2 – Graphen", "Wege sind alt."]),
        ("Einleitung\nWege sind alt.", ["Einleitung", "Wege sind alt."]),
        ("Methods:\nThey compare.", ["Methods:", "They compare."]),
        ("RESULTS\nSix of ten walk.", ["RESULTS", "Six of ten walk."]),
        ("It ends.\nResults\nSix of ten walk.", ["It ends.", "Results", "Six of ten walk."]),
        ("THE SENATE VOTED\nON SPENDING CAPS", None),
        ("1. Introduction to\nGraph Kernels", None),
        ("6. Ryan, C. and Rossi, P. Performance and Resource\nUtilisation Metrics", None),
        ("Chapter 1: graphs\nWalks are old.", None),
        ("Needs:\n- graph kernels\n- tree kernels", ["Needs:", "- graph kernels", "- tree kernels"]),
        ("1. graph kernels\n2. tree kernels", ["1. graph kernels", "2. tree kernels"]),
        ("size\tcount\nlarge\t5\nsmall\t7", ["size", "count", "large", "5", "small", "7"]),
        ("| size | count |\n| large | 5 |", ["| size | count |", "| large | 5 |"]),
        (
            "Leadership styles.____________15\nTeam size..............17",
            ["Leadership styles.____________15", "Team size..............17"],
        ),
        ("Well... the first line goes\n5 steps on... and on", None),
        ("A note on the kernel of\nMercer and of those who came later on", None),
        ("A note on kernels,\nMercer and of those who came later on", None),
        ("A note on kernels\nand on those who came later on", None),
        ("Saturday evening\nThe man", None),
        ("single line", None),
    ],
)
def test_titles_items_and_rows_end_and_wrapped_lines_go_on(text: str, expected: list[str] | None) -> None:
    """None stands for the whole text as one sentence."""
    assert sentences(text) == (expected or [" ".join(text.split())])


def test_a_wrapped_paragraph_has_its_own_sentences_only() -> None:
    """Though a line begins with a capital."""
    assert len(sentences(WRAPPED)) == 2


@pytest.mark.slow
def test_lines_are_found_in_linear_time() -> None:
    """A quadratic rule would need hours."""
    assert len(sentence_begins("Aa\nBbb cc\n" * 100_000)) > 100_000


VIETNAMESE = (
    "Chính phủ Việt Nam và Thành phố Hồ Chí Minh hợp tác với Đại học Quốc gia Hà Nội về trí tuệ nhân tạo. "
    "Bộ Khoa học và Công nghệ cùng Viện Hàn lâm Việt Nam tài trợ dự án học máy ở Đà Nẵng và Huế."
)
KOREAN = "서울대학교 연구팀은 그래프 커널 2 개를 비교하였다. 2009 년에 Shervashidze 는 커널을 알렸다."
HINDI = "दिल्ली विश्वविद्यालय के 2 वैज्ञानिक IIT के साथ ऊष्मा पम्प बनाते हैं। 2009 में उन्होंने सौर सेल बनाये।"


@given(
    width=st.integers(12, 110),
    text=st.sampled_from([VIETNAMESE, KOREAN, HINDI]),
    titles=st.lists(st.sampled_from(["Kết quả", "Résumé", "2.1 Phương pháp", "à", "한국"]), max_size=2),
)
def test_decomposed_lines_are_parted_as_composed_ones(width: int, text: str, titles: list[str]) -> None:
    """The borders are the same words, however wide the lines are and whatever signs nobody sees."""
    wrapped = "\n".join([*titles, *textwrap.wrap(text, width)])
    expected = sentences(wrapped)
    assert [normalize("NFC", one) for one in sentences(normalize("NFD", wrapped))] == expected
    hidden = wrapped.replace("n", "\u2060n\u200e").replace("nh", "n\u00adh")
    assert [re.sub("[\u2060\u200e\u00ad]", "", one) for one in sentences(hidden)] == expected


def test_a_text_has_the_same_keyphrases_in_both_forms() -> None:
    """At each width of its lines."""
    pipeline = kp.Pipeline.load("any-language")
    for width in range(20, 80, 6):
        composed, decomposed = (
            [
                normalize("NFC", one.text)
                for one in pipeline.extract(normalize(form, textwrap.fill(VIETNAMESE, width)))
            ]
            for form in ("NFC", "NFD")
        )
        assert composed == decomposed


@pytest.mark.parametrize(
    ("line", "characters"),
    [
        ("Résumé: các đồ thị", 8),
        ("Résumé", 6),
        ("2 Đồ thị và Cây", 15),
        ("KẾT QUẢ CHÍNH", 13),
        ("2 Δ" + "ά" * 77, 80),
    ],
)
def test_a_decomposed_heading_is_one(line: str, characters: int) -> None:
    """And takes the same characters of the line."""
    found, same = heading(line), heading(normalize("NFD", line))
    assert found is not None
    assert same is not None
    assert found.characters == characters
    assert same._replace(characters=0) == found._replace(characters=0)
    assert normalize("NFC", normalize("NFD", line)[: same.characters]) == line[:characters]
