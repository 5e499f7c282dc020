"""Charts and tables for papers."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_values import COLUMNS, example

from kpframe.errors import DataError
from kpframe.htmlreport.charts import charts
from kpframe.htmlreport.figures import write_figures
from kpframe.htmlreport.latex_tables import tables
from kpframe.htmlreport.size_groups import groups, known_mean


@pytest.mark.slow
def test_every_chart_is_an_svg_and_a_pdf_as_wide_as_a_column(tmp_path: Path) -> None:
    """In points; nothing is loaded for it."""
    pytest.importorskip("vl_convert", reason="needs vl-convert-python (pip install 'kpframe[figures]')")
    made = write_figures(example(12), tmp_path, width=219)
    drawings = [path for path in made if path.suffix == ".svg"]
    assert len(drawings) > 8
    for path in drawings:
        assert re.search(r'<svg [^>]*width="219pt"', path.read_text(encoding="utf-8")), path.name
        document = path.with_suffix(".pdf").read_bytes()
        assert document.startswith(b"%PDF-") and re.search(rb"MediaBox \[0 0 219 \d+\]", document), path.name


@pytest.mark.slow
def test_the_same_values_give_the_same_drawings(tmp_path: Path) -> None:
    """And the same tables."""
    pytest.importorskip("vl_convert", reason="needs vl-convert-python (pip install 'kpframe[figures]')")
    one, other = (
        {
            path.name: path.read_bytes()
            for path in write_figures(example(), tmp_path / name)
            if path.suffix != ".pdf"
        }
        for name in ("one", "other")
    )
    assert one == other


def test_charts_without_data_are_not_made() -> None:
    """The scores are all that every run has."""
    data = example() | {name: {} for name in ("positions", "waterfall", "reliability", "curves", "axes")}
    data["per_document"] = {"ids": [], "length": [], "gold": [], "values": {}}
    for system in data["systems"]:
        system["scores"][COLUMNS[0]]["reference"] = None
    assert sorted(charts(data, 240)) == ["scores-r-precision-approximate", "scores-r-precision-exact"]


def test_names_that_would_share_a_file_do_not() -> None:
    """Two systems whose names differ in signs alone."""
    data = example()
    data["reliability"] = dict.fromkeys(("a+b", "a*b"), data["reliability"].popitem()[1])
    assert {"reliability-a-b", "reliability-a-b~2"} <= set(charts(data, 240))


def test_without_the_package_that_draws_its_name_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no part of a plain installation."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(DataError) as told:
        write_figures(example(), tmp_path)
    assert str(told.value) == (
        "--figures: needs the package vl-convert-python; install it: pip install 'kpframe[figures]'"
    )


def test_tables_mark_the_best_and_what_is_not_worse() -> None:
    """Bold and a dagger; intervals small, published scores in brackets."""
    rows = [line.strip() for line in tables(example())["scores"].splitlines() if line.endswith("\\\\")]
    assert rows[1:] == [
        r"best \& \textless{}b\textgreater{}bold\textless{}/b\textgreater{} & "
        r"\textbf{0.500} {\tiny .400--.600} (0.45) & \textbf{0.500} {\tiny .400--.600} \\",
        r"grid.one & 0.450$^\dagger$ {\tiny .350--.550} (0.45) & 0.450$^\dagger$ {\tiny .350--.550} \\",
        r"grid.two & 0.400 {\tiny .300--.500} & -- \\",
    ]


def test_tables_of_losses_are_shares_of_all_gold() -> None:
    """Of 13: 4 found, 1 lost, 3 ranked too low, 2 no candidates, 3 not in the text."""
    line = next(line for line in tables(example())["losses"].splitlines() if line.startswith("  grid.one"))
    assert line == r"  grid.one & 30.8 & 7.7 & 23.1 & 15.4 & 23.1 \\"


def test_many_measures_make_several_tables() -> None:
    """Three in each."""
    data = example()
    data["columns"] = data["columns"] * 2
    assert [name for name in tables(data) if name.startswith("scores")] == ["scores-1", "scores-2"]


@given(st.lists(st.none() | st.integers(0, 12), max_size=60), st.integers(1, 7))
def test_groups_hold_every_known_document_once_and_in_order(sizes: list[int | None], wanted: int) -> None:
    """At most as many as wanted, and no size is in two of them."""
    made = groups(sizes, wanted)
    members = [index for group in made for index in group.members]
    assert sorted(members) == [index for index, size in enumerate(sizes) if size is not None]
    assert len(made) <= wanted
    assert all(one.high < other.low for one, other in pairwise(made))


def test_groups_are_of_about_equal_size() -> None:
    """Twelve documents in three groups."""
    assert [group.label for group in groups(range(10, 22), 3)] == ["10–13", "14–17", "18–21"]


def test_a_mean_leaves_out_what_does_not_count() -> None:
    """Nothing known gives None."""
    assert known_mean([0.5, None, 1.0], [0, 1, 2]) == 0.75
    assert known_mean([None], [0]) is None
