"""The table of edge cases in resources/README.md."""

from __future__ import annotations

from edge_table import BEGIN, END, README, table


def test_the_table_says_what_scoring_does() -> None:
    """Field by field; `python tests/metrics/edge_table.py --write` makes it anew."""
    _, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    assert rest.partition(END)[0].strip() == table()
