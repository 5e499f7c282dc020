"""Which line breaks end a sentence."""

import re
import textwrap
from itertools import pairwise
from unicodedata import normalize

import pytest
from families import every
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


@every(
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
        ("Chapter 1: graphs\nWalks are old.", ["Chapter 1: graphs", "Walks are old."]),
        # Lines that cannot be wrapped text: a title that is longer than the rest,
        (
            "Council approves spending caps\nNew Orla's council met.",
            ["Council approves spending caps", "New Orla's council met."],
        ),
        (
            "Council approves spending caps in May\nNew Orla's council met\nagain on Monday.",
            ["Council approves spending caps in May", "New Orla's council met again on Monday."],
        ),
        ("Council approves spending caps\nNew Orla's council met all of\nthe mayors.", None),
        ("The caps are approved by Ada\nLovelace.", None),
        ("Today, caps are approved by Ada\nLovelace.", None),
        ("Caps are approved by all of\n25 people.", None),
        ("Council approves spending caps\nNew Orla", None),
        # header fields,
        (
            "Title: Heat pumps\nAuthor: Ada Lovelace\nDate: May 2019\nHeat pumps warm houses.",
            ["Title: Heat pumps", "Author: Ada Lovelace", "Date: May 2019", "Heat pumps warm houses."],
        ),
        ("제목: 열 펌프\n저자: 김 아다\n", ["제목: 열 펌프", "저자: 김 아다"]),
        ("Author: Ada\nLovelace of London", None),
        ("Date: May 2019\nKeywords: pumps of\nHouses", ["Date: May 2019", "Keywords: pumps of Houses"]),
        # lists of short lines,
        ("Heat pumps\nSolar cells\nWind mills", ["Heat pumps", "Solar cells", "Wind mills"]),
        ("ऊष्मा पम्प\nसौर सेल\nपवन चक्की", ["ऊष्मा पम्प", "सौर सेल", "पवन चक्की"]),
        ("Heat pumps\nSolar cells\nand mills", None),
        ("Heat pumps\nSolar cells", None),
        ("Heat pumps of\nSolar cells\nWind mills", None),
        # and Roman numbers that follow each other.
        ("III. heat pumps\nIV. solar cells", ["III. heat pumps", "IV. solar cells"]),
        (
            "It has\n(ii) heat pumps and\n(iii) solar cells",
            ["It has", "(ii) heat pumps and", "(iii) solar cells"],
        ),
        ("by Ada and\nV. Rossi and by\nX. Chen and Bo", None),
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


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("ऊष्मा पम्प", "दिल्ली के वैज्ञानिक घरों के लिए पम्प बनाते हैं।"),
        ("ऊर्जा की दुनिया", "दिल्ली के वैज्ञानिक पुराने शहर के सब घरों के लिए पम्प बनाते हैं।"),
        ("مضخات الحرارة", "يبني العلماء مضخات للبيوت في المدينة القديمة."),
        ("پمپ گرما", "دانشمندان برای خانه‌های شهر قدیمی پمپ می‌سازند."),
        ("משאבות חום", "מדענים בונים משאבות לבתים בעיר העתיקה הזאת."),
        ("열 펌프", "연구팀은 오래된 도시의 집을 위한 펌프를 만든다."),
        ("სითბოს ტუმბო", "მეცნიერები ქმნიან ტუმბოებს ძველი ქალაქისთვის."),
    ],
)
def test_titles_end_in_scripts_without_capitals(title: str, text: str) -> None:
    """A line that is clearly shorter than what follows."""
    assert sentences(f"{title}\n{text}") == [title, text]


def test_a_wrapped_paragraph_has_its_own_sentences_only() -> None:
    """Though a line begins with a capital."""
    assert len(sentences(WRAPPED)) == 2


@pytest.mark.slow
def test_lines_are_found_in_linear_time() -> None:
    """A quadratic rule would need hours."""
    assert len(sentence_begins("Aa\nBbb cc\n" * 25_000)) > 25_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["Aa bb\nBb.\n\n", "Aa: b\n", "II. a\n", "Aa\n", "e\u0301 \n", "A" * 40 + "\nbb\n", "x" * 100 + " "],
)
def test_blocks_are_found_in_linear_time(piece: str) -> None:
    """Many short paragraphs, and one of many lines of each kind."""
    sentence_begins(piece * (120_000 // len(piece)))


VIETNAMESE = (
    "Chính phủ Việt Nam và Thành phố Hồ Chí Minh hợp tác với Đại học Quốc gia Hà Nội về trí tuệ nhân tạo. "
    "Bộ Khoa học và Công nghệ cùng Viện Hàn lâm Việt Nam tài trợ dự án học máy ở Đà Nẵng và Huế."
)
KOREAN = "서울대학교 연구팀은 그래프 커널 2 개를 비교하였다. 2009 년에 Shervashidze 는 커널을 알렸다."
HINDI = "दिल्ली विश्वविद्यालय के 2 वैज्ञानिक IIT के साथ ऊष्मा पम्प बनाते हैं। 2009 में उन्होंने सौर सेल बनाये।"

ABSTRACTS = [
    "Weisfeiler Lehman kernels compare the graphs of Chemistry, and Ada Lovelace knew Charles Babbage: "
    "Mercer and Hilbert proved that they are Kernels. In the year 2009 Shervashidze and Borgwardt made them "
    "known to people of Europe. II. Part of the Project began in May 2011 with 25 Students of Tübingen.",
    "Wärmepumpen und Solarzellen heizen die Häuser der Stadt Köln, wie ein Bericht der Behörden zeigt. "
    "Anlagen der Firma Müller liefern Strom für 300 Haushalte. Forscher messen Temperaturen im Winter und "
    "im Sommer: Ergebnisse stehen in Tabelle 2 und Anhang B des Berichts von Frau Professor Schmidt.",
]


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


@given(
    width=st.integers(30, 100),
    text=st.sampled_from(
        [f"{VIETNAMESE} {VIETNAMESE}", f"{KOREAN} {KOREAN}", f"{HINDI} {HINDI}", *ABSTRACTS]
    ),
    indent=st.sampled_from(["", "   "]),
    form=st.sampled_from(["NFC", "NFD"]),
)
def test_wrapped_text_has_the_sentences_of_the_text(width: int, text: str, indent: str, form: str) -> None:
    """No line of a paragraph that is merely wrapped ends anything, whatever the wrapping counted."""
    text = normalize(form, text)  # type: ignore[arg-type]
    lines = textwrap.wrap(text, width, break_on_hyphens=False)
    assert sentences("\n".join(indent + line for line in lines)) == sentences(text)
