"""Cleaners of markup."""

import re

import pytest
from families import every

from kpframe.model import Traced
from kpframe.preprocessing.html import Html
from kpframe.preprocessing.markdown import Markdown


@every(
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
        # HTML (6.6, 4.6), entities (2.5)
        (
            "<details>\n<summary>Heat pumps</summary>\n\nThey warm.\n\n</details>\nAfter",
            "Heat pumps\n\nThey warm.\n\nAfter",
        ),
        ('<p align=center><img src="a.png" alt=x></p>\n\n# <b>Heat</b> pumps', "Heat pumps"),
        ('An <img\n  src="a.png"\n/>image', "An image"),
        ("one<br/>two<BR>three", "one\ntwo\nthree"),
        ("a <!-- todo\n\n```\nx\n```\n--> b", "a  b"),
        ("<!DOCTYPE html>\n<?xml v?>\n<![CDATA[ x > y ]]>a", "a"),
        ("<style>p {}\n\na {}</STYLE>\ntext<script>if (a < b) {}</script>", "text"),
        (
            "Heat&nbsp;pumps &amp; cells &eacute;&#233;&#xE9; AT&T &nosuch; &copy",
            "Heat\u00a0pumps & cells ééé AT&T &nosuch; &copy",
        ),
        ("&lt;b&gt; &#42;a&#42; &#91;x&#93;(y) &amp;lt;", "<b> *a* [x](y) &lt;"),
        ("`<br> &amp;` and ``<b>`` and \\<i> and \\&amp;", "<br> &amp; and <b> and <i> and &amp;"),
        ("| a<br>b | <td>c |\n|---|---|\n| d |", "a\n\nb\n\nc\n\nd"),
        ("a < b, c <d and x <!-- never, <script> stay", "a < b, c <d and x <!-- never,  stay"),
        ("never <a href='x\n\n closed > here", "never <a href='x\n\nclosed > here"),
        ("<b>```\nHeat</b> ```x``` pumps\n```y```\nend", "Heat x pumps\ny\nend"),
        # Front matter
        ("---\ntitle: Heat\ntags: [a]\n---\nText.", "Text."),
        ("\ufeff---\r\n# c\r\ntitle: Heat\r\n...\r\nText.", "Text."),
        ('+++\ntitle = "Heat"\n+++\nText.', "Text."),
        ("---\n\nHeat pumps\n\n---\nText.", "Heat pumps\n\nText."),
        ("---\ntitle: never closed\n\nText.", "title: never closed\n\nText."),
        ("Text.\n\n---\na: b\n---\nMore.", "Text.\n\na: b\n\nMore."),
        ("", ""),
    ],
)
def test_markdown_becomes_its_words(text: str, expected: str) -> None:
    """As a reader of the page sees them."""
    assert Markdown().clean(text) == expected


def test_html_in_fenced_code_is_code() -> None:
    """It is no markup, and goes or stays with the code."""
    text = "```html\n<p>a &amp; b</p>\n<!-- c\n```\nText --> <b>d</b>"
    assert Markdown().clean(text) == "Text --> d"
    assert Markdown(code="keep").clean(text) == "<p>a &amp; b</p>\n<!-- c\n\nText --> d"


def test_offsets_lead_back_over_html_and_front_matter() -> None:
    """Every word of the cleaned text stands where its span says."""
    page = "---\na: b\n---\n"
    page += "<details>\n<summary>**Heat** pumps</summary>\n<!-- no -->\nwarm&nbsp;houses<br/>\n- all\n"
    made = Markdown().edit(Traced.of(page))
    assert made.text.split() == ["Heat", "pumps", "warm", "houses", "all"]
    for found in re.finditer(r"[a-zA-Z]+", made.text):
        begin, end = made.span(*found.span())
        assert page[begin:end] == found.group()


def test_private_characters_of_a_text_stay() -> None:
    """Escaped signs wait among characters that a text does not use itself."""
    text = "a \U0010ff41\U0010ff7f \\*b\\* \U0010fe81"
    assert Markdown().clean(text) == "a \U0010ff41\U0010ff7f *b* \U0010fe81"


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


CONTENT = "<h1>Dock strike</h1><p>Ships wait.</p>"


@pytest.mark.parametrize("name", ["nav", "header", "footer", "aside", "form", "NAV"])
def test_what_stands_around_the_content_of_a_page_is_no_text(name: str) -> None:
    """Links and forms would be keyphrases of every page of a site."""
    around = f"<{name} class=top><p>Home &amp; About</p><p>Sign in</p></{name}>"
    for content in ("main", "article"):
        page = f"<body>{around}<{content}>{CONTENT}</{content}>{around}</body>"
        assert Html().clean(page) == "Dock strike\n\nShips wait."
        whole = Html(whole=True).clean(page)  # type: ignore[call-arg]
        assert whole.count("Home & About\n\nSign in") == 2
    assert Html().clean(f"{around}<div>{CONTENT}</div>").startswith("Home & About")


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<form><nav>n</nav><main>text</main></form>after", "text\n\nafter"),
        ("<main><header>title</header>text<footer>f</footer></main>", "title\n\ntext"),
        ("<main>text<aside>a<nav>n</nav></aside></main><nav>n</nav>", "text"),
        ("<main><article>one</article><aside><article>two</article></aside></main>", "one"),
        ("<header>h<nav>n</nav></header><article>text</article>", "text"),
        ("<nav>never closed <main>text</main> after", "never closed\n\ntext\n\nafter"),
        ("</nav></form><main>text</main></nav>", "text"),
        ("<nav><aside>a</nav><main>text</main>b", "text\n\nb"),
        ("<!-- <main> --><nav>links</nav>text", "links\n\ntext"),
        ("<script>'<main>'</script><nav>links</nav>text", "links\n\ntext"),
        ("before<nav>n</nav>after<article>x</article>", "before\n\nafter\n\nx"),
    ],
)
def test_content_is_never_taken_for_what_stands_around_it(page: str, text: str) -> None:
    """Also in broken pages: what is not surely around it stays."""
    assert Html().clean(page) == text


def test_offsets_lead_back_over_what_was_left_out() -> None:
    """Every word of the cleaned text stands where its span says."""
    main = f"<main><h1>Dock &amp; strike</h1>{CONTENT}<aside>Ads</aside>end</main>"
    page = f"<nav>Home</nav>{main}<footer>f</footer>"
    made = Html().edit(Traced.of(page))
    for found in re.finditer(r"[a-zA-Z]+", made.text):
        begin, end = made.span(*found.span())
        assert page[begin:end] == found.group()
    assert "Ads" not in made.text


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        "<a '",
        '<a "',
        "<!--",
        "<script>",
        "</",
        "<nav><main>",
        "</nav>",
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
        "<br>",
        "|<br>",
        "&amp;",
        "\\<",
        "`<",
        "<!",
        "<?",
        "<![CDATA[",
        "---\na: b\n",
        "<!-- ```\n",
    ],
)
@pytest.mark.parametrize("cleaner", [Html(), Markdown()])
@pytest.mark.slow
def test_markup_that_never_ends_takes_linear_time(piece: str, cleaner: Html | Markdown) -> None:
    """A quadratic rule would need a hundred times as long."""
    cleaner.clean(piece * 8_000)


def test_a_quote_that_is_never_closed_takes_no_text() -> None:
    """Also by Python 3.11.2, whose `re` went on behind a group that gives nothing back."""
    assert Html().clean("<a href='>kites<p class='a b'>") == "kites"
    assert Markdown().clean("red <a href='> kites") == "red <a href='> kites"
