"""Sections of papers, with their kinds and titles."""

from __future__ import annotations

import pytest
from families import every
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.engine.cache import dump_annotations, parse_annotations
from kpframe.model import Annotations, Document
from kpframe.preprocessing._headings import heading
from kpframe.preprocessing.sections import Sections
from kpframe.preprocessing.simple import Simple

PAPER = """Joins in Large Graphs
Ada Rill and Bo Quist
ABSTRACT
Joins are slow. We make them fast.
Categories and Subject Descriptors
H.2 Databases
1. INTRODUCTION
Graphs are large, and they
grow.
Figure 1: Growth of graphs
over ten years.
They grow fast.
2 The Join Tree
A tree is built.
2.1 Splitting Nodes
Nodes are split.
3 Experimental Results
It is fast.
Table 2. Times

Conclusions and Future Work
It works.
REFERENCES
[1] Rill, A. Joins. 2001.
"""


def annotated(text: str, **metadata: object) -> Annotations:
    document = Document("d", text, metadata=metadata)
    return Sections().annotate(document, Simple().annotate(document, None))


def shown(made: Annotations) -> list[tuple[str, str, str]]:
    """Kind, title and first word behind the title of each section."""
    assert made.sections is not None and made.section_kinds is not None and made.headings is not None
    kinds = made.strings(made.section_kinds)
    rows = zip(kinds, made.sections.tolist(), made.headings.tolist(), strict=True)
    return [
        (
            kind,
            made.surface(*title) if title[0] < title[1] else "",
            made.surface(title[1], title[1] + 1) if title[1] < end else "",
        )
        for kind, (_, end), title in rows
    ]


def test_a_paper_has_its_sections() -> None:
    """By names, numbers and capitals; subsections are of their section's kind; captions interrupt."""
    assert shown(annotated(PAPER)) == [
        ("title", "Joins in Large Graphs", ""),
        ("other", "", "Ada"),
        ("abstract", "ABSTRACT", "Joins"),
        ("keywords", "Categories and Subject Descriptors", "H.2"),
        ("introduction", "1. INTRODUCTION", "Graphs"),
        ("caption", "", "Figure"),
        ("introduction", "", "They"),
        ("other", "2 The Join Tree", "A"),
        ("other", "2.1 Splitting Nodes", "Nodes"),
        ("experiments", "3 Experimental Results", "It"),
        ("caption", "", "Table"),
        ("conclusion", "Conclusions and Future Work", "It"),
        ("references", "REFERENCES", "["),
    ]


@every(
    ("line", "kind"),
    [
        ("Introduction", "introduction"),
        ("IV. Results", "experiments"),
        ("5.2 Related work", "related_work"),
        ("Einleitung", "introduction"),
        ("Referências", "references"),
        ("Appendix B", "appendix"),
        ("THE INDEX STRUCTURE", "other"),
        ("3.1 Join Order", "other"),
        ("Abstract. We show that graphs grow", "abstract"),
        ("Keywords: graphs, joins", "keywords"),
        ("introduction", None),
        ("We give results.", None),
        ("35 users were asked", None),
        ("12 Monkeys came, and they saw it.", None),
        ("IEEE", "other"),
        ("A B C", None),
        ("", None),
    ],
)
def test_headings_are_told_from_lines_of_text(line: str, kind: str | None) -> None:
    """What ends in a mark, or goes on in small letters, is none."""
    found = heading(line)
    assert (None if found is None else found.kind) == kind


def test_the_title_is_what_the_corpus_says() -> None:
    """Where it says how long it is."""
    made = annotated("Red kites. They soar.", title_length=10)
    assert [row[:2] for row in shown(made)] == [("title", "Red kites."), ("other", "")]


def test_a_text_without_lines_is_one_section() -> None:
    """And an empty one has none."""
    assert shown(annotated("Red kites soar.")) == [("other", "", "Red")]
    assert shown(annotated("")) == []


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([*PAPER.splitlines(), "", "\n", "Fig. 3: x", "x."]), max_size=15).map("\n".join)
)
@pytest.mark.slow
def test_sections_cover_all_tokens_once_and_survive_the_cache(text: str) -> None:
    """They follow each other without a gap; headings lie inside."""
    made = annotated(text)
    assert made.sections is not None and made.headings is not None
    covered = [token for begin, end in made.sections.tolist() for token in range(begin, end)]
    assert covered == list(range(len(made)))
    for (begin, end), (first, last) in zip(made.sections.tolist(), made.headings.tolist(), strict=True):
        assert begin == first <= last <= end
    again = parse_annotations(dump_annotations(made), text)
    assert again is not None and shown(again) == shown(made)
