"""Porter's stemmer gives nltk's stems, word by word."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.language.porter import porter_stem
from kpframe.language.stems import stem

ENDINGS = [
    "ational",
    "tional",
    "enci",
    "anci",
    "izer",
    "bli",
    "alli",
    "entli",
    "eli",
    "ousli",
    "ization",
    "ation",
    "ator",
    "alism",
    "iveness",
    "fulness",
    "ousness",
    "aliti",
    "iviti",
    "biliti",
    "fulli",
    "logi",
    "icate",
    "ative",
    "alize",
    "iciti",
    "ical",
    "ful",
    "ness",
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ion",
    "sion",
    "tion",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "e",
    "ll",
    "y",
    "ies",
    "ied",
    "eed",
    "ed",
    "ing",
    "s",
    "ss",
    "sses",
    "yy",
    "ying",
]
WORDS = st.builds(
    lambda begin, ends: begin + "".join(ends),
    st.text(st.sampled_from("abcdesyoiltuwxzYé’-"), max_size=6),
    st.lists(st.sampled_from(ENDINGS), max_size=3),
)


@settings(max_examples=400)
@given(WORDS | st.text(max_size=8))
@pytest.mark.slow
def test_every_stem_is_nltks(word: str) -> None:
    """Property: the default mode, whose stems the published figures were made with."""
    from nltk.stem import PorterStemmer

    assert porter_stem(word) == PorterStemmer().stem(word)


def test_the_examples_of_the_paper_and_of_the_extensions() -> None:
    """Porter 1980, section 2, and what nltk adds."""
    words = "caresses ponies dies agreed hopping failing happy enjoy relational radically geology roll skies"
    stems = "caress poni die agre hop fail happi enjoy relat radic geolog roll sky"
    assert " ".join(map(porter_stem, words.split())) == stems


def test_porter_stems_need_no_nltk() -> None:
    """Its import takes longer than scoring a small file."""
    code = "import sys; from kpframe.language.stems import stem; stem('nets')"
    code += "; sys.exit('nltk' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert stem("networks") == "network"
