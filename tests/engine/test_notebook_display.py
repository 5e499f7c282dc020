"""How results show themselves in notebooks, and as pandas frames."""

from __future__ import annotations

import re
import sys
import types
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kpframe
from kpframe import Document, Extraction, Keyphrase, Pipeline, ResourceError
from kpframe.display import frame, html
from kpframe.display.marks import excerpts, harmless, stretches
from kpframe.display.notebook import CHARACTERS, keyphrases_html
from kpframe.engine.experiment import Run
from kpframe.engine.operating import Parts
from kpframe.engine.progress import NotebookBar
from kpframe.evaluation.scores import Scores
from kpframe.model import Annotations, Keyphrases, Score
from kpframe.model.summary import Cell, Summary

FAST = """\
name: fast
preprocessing: [simple]
candidates: {kind: ngrams, max: 2, stopwords: [en]}
ranking: frequency
"""
TEXT = "Red kites soar. Red kites and grey herons."


class Page(HTMLParser):
    """Elements, the text, and what is marked; void and unclosed elements are errors."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.marked: list[str] = []
        self.attributes: set[str] = set()
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "mark":
            self.marked.append("")
        if tag != "br":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "mark" in self._open:
            self.marked[-1] += data


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    path = tmp_path_factory.mktemp("pipeline") / "fast.yaml"
    path.write_text(FAST)
    return Pipeline.load(path)


def phrase(rank: int, text: str, *spans: tuple[int, int]) -> Keyphrase:
    return Keyphrase(text, 1 / rank, rank, text.casefold(), spans)


def test_stretches_are_where_the_covering_keyphrases_change() -> None:
    """Red kites: 0-9 by rank 1, of which 4-9 also by rank 2."""
    found = stretches("Red kites soar", [phrase(2, "kites", (4, 9)), phrase(1, "Red kites", (0, 9))])
    assert [(run.begin, run.end, run.ranks) for run in found] == [(0, 4, (1,)), (4, 9, (1, 2)), (9, 14, ())]


SPANS = st.lists(st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=4), max_size=6)


@given(text=st.text(max_size=30), spans=SPANS)
@pytest.mark.slow
def test_stretches_joined_are_the_text(text: str, spans: list[list[tuple[int, int]]]) -> None:
    """Each character in one run, with exactly the ranks whose spans hold it."""
    keyphrases = [phrase(rank, "x", *each) for rank, each in enumerate(spans, start=1)]
    found = stretches(text, keyphrases)
    assert "".join(text[run.begin : run.end] for run in found) == text
    for run in found:
        for place in range(run.begin, run.end):
            covering = {k.rank for k in keyphrases if any(b <= place < e for b, e in k.spans)}
            assert set(run.ranks) == covering


@given(text=st.text(st.sampled_from("ab \n"), max_size=400), size=st.integers(1, 200), spans=SPANS)
def test_excerpts_are_ordered_parts_of_the_text(
    text: str, size: int, spans: list[list[tuple[int, int]]]
) -> None:
    """They do not overlap, and a short text is one."""
    keyphrases = [phrase(rank, "x", *each) for rank, each in enumerate(spans, start=1)]
    parts = excerpts(text, keyphrases, size)
    flat = [place for part in parts for place in part]
    assert flat == sorted(flat)
    assert all(0 <= begin <= end <= len(text) for begin, end in parts)
    if len(text) <= size:
        assert "".join(text[begin:end] for begin, end in parts) == text


def test_excerpts_of_a_long_text_show_the_best_keyphrases() -> None:
    """Each with words around it."""
    text = "begin " + "filler " * 1000 + "red kites soar " + "filler " * 1000
    place = text.index("red kites")
    parts = excerpts(text, [phrase(1, "red kites", (place, place + 9))], 500)
    shown = [text[begin:end] for begin, end in parts]
    assert shown[0].startswith("begin filler")
    assert "filler red kites soar filler" in shown[1]
    assert sum(map(len, shown)) <= 500


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb\x07", "a\\u001b[31mb\\u0007"),
        ("\u009b31m", "\\u009b31m"),
        ("a\u202eb\u2066", "a\\u202eb\\u2066"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("line\nbreak\ttab", "line\nbreak\ttab"),
        ("👩\u200d🔬 مرحبا 日本", "👩\u200d🔬 مرحبا 日本"),
    ],
)
def test_characters_that_could_do_harm_are_escaped(text: str, shown: str) -> None:
    """And no others."""
    assert harmless(text) == shown


def test_a_result_marks_its_keyphrases_in_the_text(pipeline: Pipeline) -> None:
    """As often as they stand there; the table has rank, phrase, score and number of places."""
    page = Page(pipeline.extract(TEXT, top=3)._repr_html_())
    assert page.marked == ["Red", " ", "kites", "Red", " ", "kites"]
    assert TEXT in page.text
    assert "text · 42 characters · 3 keyphrases" in page.text
    assert "2Red kites2.00002" in page.text
    assert page.attributes <= {"style", "title", "dir", "class", "scope"}


HOSTILE = "<script>alert(1)</script> \"quotes\" & 'more' </div><img src=x onerror=alert(1)> שלום 👩\u200d🔬"


def test_hostile_texts_are_shown_as_text(pipeline: Pipeline) -> None:
    """In the text, the phrases, the title, the error."""
    keyphrases = [phrase(1, HOSTILE, (0, len(HOSTILE)))]
    page = Page(keyphrases_html(HOSTILE, keyphrases, HOSTILE, error=HOSTILE))
    assert not {"script", "img"} & set(page.tags)
    assert page.marked == [HOSTILE]
    assert page.text.count(HOSTILE) == 4
    assert "alert(1)" in Page(pipeline.extract(HOSTILE)._repr_html_()).text


@given(text=st.text(max_size=40), spans=SPANS)
@pytest.mark.slow
def test_any_text_gives_a_whole_page_without_script(text: str, spans: list[list[tuple[int, int]]]) -> None:
    """Elements are closed in order, and only known ones appear."""
    keyphrases = [phrase(rank, text or "x", *each) for rank, each in enumerate(spans, start=1)]
    page = Page(keyphrases_html(text, keyphrases, text))
    assert set(page.tags) <= {
        "div",
        "p",
        "b",
        "mark",
        "span",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "bdi",
    }


def test_colours_suit_light_and_dark() -> None:
    """Translucent behind letters that keep their colour; none is set without the other."""
    made = keyphrases_html(TEXT, [phrase(1, "Red", (0, 3))], "x")
    assert re.findall(r"background:([^;]*);color:(\w+)", made)
    assert all(
        background.startswith("rgba(") and colour == "inherit"
        for background, colour in re.findall(r"background:([^;]*);color:(\w+)", made)
    )
    assert len(re.findall("background:", made)) == len(re.findall("color:inherit", made))


@pytest.mark.slow
def test_a_long_text_is_shown_in_excerpts() -> None:
    """A notebook with hundreds of results stays usable."""
    text = "word " * 20_000
    made = keyphrases_html(text, [phrase(1, "word", *[(i, i + 4) for i in range(0, 100_000, 5)])], "long")
    assert "[…]" in made
    assert len(Page(made).text) < 2 * CHARACTERS


def test_a_failed_document_says_why() -> None:
    """Where its keyphrases would be."""
    page = Page(Extraction("a", "", error="document 'a': too <odd>")._repr_html_())
    assert "failed: document 'a': too <odd>" in page.text


def test_keyphrases_and_annotations_show_themselves(pipeline: Pipeline) -> None:
    """As the inside of the chain sees them."""
    document = Document("d1", TEXT)
    ((_, annotated),) = pipeline.preprocessing.annotate([document])
    annotations = annotated.value
    keyphrases = pipeline.keyphrases(document, annotations)
    assert isinstance(keyphrases, Keyphrases)
    assert "d1 · 42 characters" in Page(html(keyphrases)).text
    page = Page(html(annotations))
    assert "10 tokens in 2 sentences · layers: sentences, tokens" in page.text
    assert "begin" in page.text and "herons" in page.text
    assert Page(html(Annotations.empty(""))).text.startswith("annotations · 0 tokens")


def summary() -> Summary:
    """Two cells, one published value, one failure."""
    score = Score("f1@10", "exact", 0.25, 4, 1, "f1@10|match:exact|docs:4")
    better = Score("f1@10", "exact", 0.5, 4, 1, "f1@10|match:exact|docs:4")
    return Summary(
        "<b>run</b>",
        ("f1@10/exact",),
        (
            Cell("a", {"ranking": "a"}, (score,), 4, 40, {"f1@10/exact": 0.3}),
            Cell("b", {"ranking": "b"}, (better,), 4, 40),
        ),
        reference_source="Somebody & Co",
        failures=({"id": "x", "stage": "pos", "error": "no"},),
        notes=("1 document without gold",),
    )


def test_a_summary_is_a_table(tmp_path: Path) -> None:
    """Published values in brackets, the best bold, with notes, failures and recipes."""
    made = html(summary())
    page = Page(made)
    assert "<b>0.500</b>" in made
    assert "0.250 (0.300)" in page.text
    for said in (
        "<b>run</b>",
        "Somebody & Co",
        "1 document without gold",
        "1 document has failed",
        "|docs:4",
    ):
        assert said in page.text
    run = Run(tmp_path, summary(), "")
    assert run._repr_html_() == made


def test_what_does_not_differ_from_the_best_is_marked() -> None:
    """As in the terminal: a ~ behind the value, and what it means; columns without a best have neither."""
    base = summary()
    tested = replace(
        base,
        cells=(replace(base.cells[0], p_values={"f1@10/exact": 0.2}), base.cells[1]),
        test="randomisation <test>",
    )
    page = Page(html(tested))
    assert "0.250~ (0.300)" in page.text
    assert "~: not significantly different from the best of the column (randomisation <test>)." in page.text
    significant = replace(
        tested, cells=(replace(base.cells[0], p_values={"f1@10/exact": 0.01}), base.cells[1])
    )
    page = Page(html(significant))
    assert "~" not in page.text
    assert "All others differ significantly from the best of the column" in page.text
    assert "<b>0.500</b>" not in html(replace(base, unranked=("f1@10/exact",)))


def test_dollars_are_no_formula(pipeline: Pipeline) -> None:
    """MathJax passes over elements of these classes; each result is one such element."""
    for shown in (pipeline.extract("It costs $5 and $10."), kpframe.score({"a": ["x"]}, {"a": ["x"]})):
        assert shown._repr_html_().startswith('<div class="kpframe tex2jax_ignore mathjax_ignore">')


def test_line_ends_of_other_systems_are_line_ends(pipeline: Pipeline) -> None:
    """In the text nothing is seen of a carriage return."""
    page = Page(pipeline.extract("Red kites soar.\r\nGrey herons\rwade.\r\n")._repr_html_())
    assert "Red kites soar.\nGrey herons\nwade.\n" in page.text
    assert "000d" not in page.text
    assert harmless("a\r\n", keep="") == "a\\u000d\\u000a"


def test_values_are_short_in_a_list(pipeline: Pipeline) -> None:
    """What a value is, and the best of it."""
    found = pipeline.extract(TEXT)
    assert repr(found[:0]) == "[]"
    assert repr(found).startswith("<Extraction 'text': ") and repr(found).endswith(", …>")
    assert repr(Extraction("a", "")) == "<Extraction 'a': 0 keyphrases>"
    assert repr(Extraction("a", "", [phrase(1, "Red", (0, 3))])) == "<Extraction 'a': 1 keyphrase: 'Red'>"
    assert repr(Extraction("a", "", error="too odd")) == "<Extraction 'a': failed: too odd>"
    assert repr(pipeline) == "<Pipeline 'fast': simple → ngrams → frequency>"
    assert repr(summary().cells[0].scores[0]) == "<Score f1@10/exact 0.2500, 4 documents>"
    assert repr(Score("f1", "exact", None, 0, 0, "")) == "<Score f1/exact –, 0 documents>"


class Output:
    """A stand-in for the output of a notebook's cell: what IPython was asked to show, as HTML."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, value: Any, display_id: bool) -> Output:
        """IPython's function, whose handle this is too."""
        assert display_id
        self.update(value)
        return self

    def update(self, value: Any) -> None:
        """The output is shown anew."""
        self.shown.append(value._repr_html_())


def test_a_notebook_gets_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """HTML with what is done of all, everything escaped; no more looks than two a second; nothing is left."""
    output = Output()
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", types.ModuleType("IPython.display"))
    monkeypatch.setattr(sys.modules["IPython.display"], "display", output.display, raising=False)
    bar = NotebookBar(1234, "<run>")
    for done in range(1000):
        bar.update(done)
    assert output.shown[0].startswith('&lt;run&gt;: <progress max="1234" value="0"></progress> 0 of 1,234')
    assert len(output.shown) < 10
    bar.close()
    assert output.shown[-1] == "<span></span>"
    assert NotebookBar(None, "x")._repr_html_().startswith("x: 0 documents, 0.0 a second")
    parted = NotebookBar(None, "x", Parts(12, there=3))._repr_html_()
    assert '<progress max="12" value="3">' in parted and "0 documents, 3 of 12 partitions, " in parted


def test_scores_are_a_list_that_shows_itself() -> None:
    """With the recipe beside each number."""
    found = kpframe.score({"a": ["red kite"]}, {"a": ["red kite"]})
    assert isinstance(found, Scores)
    assert "1.000" in Page(found._repr_html_()).text
    assert [one.matching for one in found] == ["exact(absent=keep)", "approximate(absent=keep)"]
    assert found.to_pandas()["value"].tolist() == [1.0, 1.0]
    assert repr(found) == "<Scores " + ", ".join(f"{s.metric}/{s.matching} 1.0000" for s in found) + ">"


def test_values_show_themselves_by_their_type(pipeline: Pipeline) -> None:
    """Ranked phrases, a summary, a list of scores; nothing else."""
    document = Document("d1", TEXT)
    ((_, annotated),) = pipeline.preprocessing.annotate([document])
    annotations = annotated.value
    assert isinstance(annotations, Annotations)
    ranked = pipeline.keyphrases(document, annotations)
    assert isinstance(ranked, Keyphrases)
    assert frame(ranked)["text"].tolist() == ranked.surfaces
    assert frame(summary())["f1@10/exact"].tolist() == [0.25, 0.5]
    scores = list(summary().cells[0].scores)
    assert frame(scores)["value"].tolist() == [0.25] and "0.250" in html(scores)
    with pytest.raises(TypeError, match="str is no value that is shown"):
        html("x")  # type: ignore[arg-type]


def test_a_run_prints_its_table_and_is_short_in_a_list(tmp_path: Path) -> None:
    """`print` shows the table of the terminal, whichever reports were asked for."""
    run = Run(tmp_path, summary(), "wrote summary.json")
    assert "f1@10" in str(run) and "0.250" in str(run) and "wrote" not in str(run)
    assert repr(run) == f"<Run '<b>run</b>' in {tmp_path}: 2 cells, f1@10/exact, 1 failed>"


def test_results_are_frames(pipeline: Pipeline, tmp_path: Path) -> None:
    """A row a keyphrase, a token, a cell."""
    phrases = pipeline.extract(TEXT, top=2).to_pandas()
    assert list(phrases.columns) == ["id", "rank", "text", "score", "key", "places", "spans"]
    assert phrases["text"].tolist() == ["Red", "Red kites"]
    assert phrases["places"].tolist() == [2, 2]
    ((_, annotated),) = pipeline.preprocessing.annotate([Document("d", TEXT)])
    tokens = frame(annotated.value)
    assert list(tokens.columns) == ["begin", "end", "sentence", "word"]
    assert tokens["word"].tolist()[:3] == ["Red", "kites", "soar"]
    assert tokens["sentence"].tolist() == [0] * 4 + [1] * 6
    assert len(frame(Annotations.empty(""))) == 0
    run = Run(tmp_path, summary(), "")
    assert run.to_pandas()["f1@10/exact"].tolist() == [0.25, 0.5]


def test_without_pandas_the_remedy_is_told(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is optional."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ResourceError, match=r"^pandas: is not installed; pip install pandas$"):
        pipeline.extract(TEXT).to_pandas()
