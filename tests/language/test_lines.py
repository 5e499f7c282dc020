"""Which line breaks end a sentence."""

from itertools import pairwise

import pytest

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
        ("size\tcount\nlarge\t5\nsmall\t7", ["size count", "large 5", "small 7"]),
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
