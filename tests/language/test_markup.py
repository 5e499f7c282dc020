"""Cleaners of markup."""

import pytest

from kpframe.preprocessing.html import Html
from kpframe.preprocessing.markdown import Markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "See the [user guide](https://docs.example.org/guide) for graph kernels.",
            "See the user guide for graph kernels.",
        ),
        ("An ![image of *trees*](a.png) and [ref][1].\n\n[1]: https://ex.org", "An image of trees and ref."),
        ("[![logo](l.png)](https://ex.org) text", "logo text"),
        ("# Graph kernels #\nare **fast** and _exact_.", "Graph kernels\n\nare fast and exact."),
        ("A wrapped\nline", "A wrapped\nline"),
        ("- [x] first\n- second\n1. third", "first\n\nsecond\n\nthird"),
        ("> quoted\n> text", "quoted\ntext"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("```python\ndf.groupby('x')\n```\nAfter", "After"),
        (
            "Call `df.groupby` on snake_case_names, 2 * 3 * 4",
            "Call df.groupby on snake_case_names, 2 * 3 * 4",
        ),
        ("| size | count |\n|---|--:|\n| large | 5 |", "size\n\ncount\n\nlarge\n\n5"),
        (r"an \*escaped\* star", "an *escaped* star"),
        ("see <https://ex.org/a> here", "see  here"),
        ("", ""),
    ],
)
def test_markdown_becomes_its_words(text: str, expected: str) -> None:
    """As a reader of the page sees them."""
    assert Markdown().clean(text) == expected


def test_code_can_be_kept() -> None:
    """Without its fence."""
    assert Markdown(code="keep").clean("```\nx = 1\n```") == "x = 1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>One</p><p>Two &amp; three</p>", "One\n\nTwo & three"),
        ('<a title="a > b" href=x>link</a> text', "link text"),
        ("a < b and c > d", "a < b and c > d"),
        ("<script>if (a < b) {}</SCRIPT>after", "after"),
        ("<style>p {}</style>after<!-- a <p> --> all", "after all"),
        ("before <!-- never closed", "before"),
        ("before <a href='x", "before"),
        ("<pre>a\n  b</pre>", "a\nb"),
        ("x<br>y<BR/>z", "x\ny\nz"),
        ("İ<script>x</script>after", "İafter"),
        ("<!DOCTYPE html><?xml version='1'?>text", "text"),
    ],
)
def test_html_becomes_its_words(text: str, expected: str) -> None:
    """As a browser shows them."""
    assert Html().clean(text) == expected


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        "<a '",
        '<a "',
        "<!--",
        "<script>",
        "</",
        "<",
        "&",
        "[",
        "![",
        "](",
        "*a ",
        "**",
        "`",
        "<a>",
        "[a](",
    ],
)
@pytest.mark.parametrize("cleaner", [Html(), Markdown()])
@pytest.mark.slow
def test_markup_that_never_ends_takes_linear_time(piece: str, cleaner: Html | Markdown) -> None:
    """A quadratic rule would need minutes for each."""
    cleaner.clean(piece * 50_000)
