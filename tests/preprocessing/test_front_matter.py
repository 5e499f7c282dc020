"""Authors and addresses of papers, told from titles and from running text."""

from __future__ import annotations

import pytest
from families import every

from kpframe.model import Document
from kpframe.preprocessing.sections import Sections
from kpframe.preprocessing.simple import Simple


def front(before: str, heading: str = "Abstract") -> str:
    """What is front matter of a paper that begins so, each run of white space as a blank."""
    text = f"{before}\n{heading}\nWe compute distances quickly. They are short."
    document = Document("d", text)
    made = Sections().annotate(document, Simple().annotate(document, None))
    assert made.sections is not None and made.section_kinds is not None
    kinds = made.strings(made.section_kinds)
    found = [
        made.surface(*span)
        for kind, span in zip(kinds, made.sections.tolist(), strict=True)
        if kind == "front_matter"
    ]
    assert len(found) <= 1
    return found[0] if found else ""


@every(
    ("title", "authors"),
    [
        ("Hub Labeling", "Jane Doe\nUniversity of Oxford"),
        (
            "Hub Labeling",
            "Jane Doe, John Roe and Ann Poe\nDepartment of Physics, 12 Main Street\njane@ox.org",
        ),
        ("Hub Labeling\nfor Continental Road Networks", "Jane Doe\nUniversity of Oxford"),
        ("Hub Labeling\nA Survey of Distance Oracles\n", "Jane Doe\nInstitut für Informatik"),
        ("Hub Labeling in\nRoad Networks", "Jane Doe\nUniversité de Lille"),
        (
            "Journal of Graphs, Vol. 12, 2010\n\nDistance Oracles in Practice\n",
            "Jane Doe, University of Oxford",
        ),
        ("Hub Labeling", "J. W. Doe\nK. van den Berg\n12 Main Street, Springfield\nj@doe.org"),
        ("Hub Labeling", "Jane Doe\n1 University of Oxford\n2 University of York"),
        ("Hub Labeling", "JANE DOE AND JOHN ROE\nDEPARTMENT OF COMPUTER SCIENCE\nSPRINGFIELD UNIVERSITY"),
        ("Hub Labeling", "Dejan Kosti´c, Ann Poe\n{dk, ap}@cs.edu"),
    ],
)
@every("heading", ["Abstract", "ABSTRACT", "1. INTRODUCTION", "Résumé"])
def test_authors_and_addresses_are_front_matter(title: str, authors: str, heading: str) -> None:
    """All of them, and no word of the title."""
    assert front(f"{title}\n{authors}\n", heading) == " ".join(authors.split())


@pytest.mark.parametrize(
    "text",
    [
        "The Great Flood\n\nDock workers repaired the sluice gates. Insurance companies paid.\n",
        "The Great Flood\n\nThe University of York will repair its sluice gates and all river gauges.\n",
        "Title: Solar Cells\nPerovskite Solar Cells\nStability\nEfficiency\n",
        "Université et ville\nLes dockers ont réparé les écluses de la ville avec leurs assurances.\n",
        "University Courses\nfor University Teachers\n",
        "Solar Cells\n\nHeat Pumps\nGreen Roofs\n",
        "Solar Cells\nJane Doe\n",
        "University of Oxford\n" * 100,
        "",
    ],
)
def test_running_text_and_titles_are_none(text: str) -> None:
    """Where no line is an address, where a line is running text, or where there is too much of it."""
    assert front(text) == ""


def test_no_abstract_no_front_matter() -> None:
    """What follows must be an abstract or an introduction."""
    assert front("Hub Labeling\nJane Doe\nUniversity of Oxford\n", "Methods") == ""
