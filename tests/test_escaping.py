"""Any text as text of a table."""

from __future__ import annotations

import pytest

from kpframe.files.escaping import in_csv, in_latex, in_markdown, one_line, out_of_csv


def test_a_line_has_no_breaks_and_nothing_unseen() -> None:
    """Control and format characters are written out."""
    assert one_line(" a\tb\n\u202ec ") == "a b \\u202ec"


def test_latex_shows_any_text_as_it_is() -> None:
    """Signs that mean something there, and those that rows would take for arguments."""
    assert in_latex("50 % of {a}_b\\c *[d]") == r"50 \% of \{a\}\_b\textbackslash{}c {*}{[}d]"
    assert in_latex("≈ 1–2 †") == r"$\approx$ 1--2 $^\dagger$"


def test_markdown_shows_any_text_as_it_is() -> None:
    """In tables too; names with underscores stay readable."""
    assert in_markdown("a|b* <i> r_precision _x_") == r"a\|b\* &lt;i&gt; r_precision \_x\_"


def test_numbers_are_no_formulas() -> None:
    """An id or a difference below zero stays what it is; what computes does not."""
    for number in ("-5", "+3", "-0.5", "-1e-3", "007"):
        assert in_csv(number) == number
    for formula in ("-5+1", "=1", "-A1", "+", "-5\n"):
        assert in_csv(formula) == f"'{formula}"


@pytest.mark.parametrize(
    "text", ["+49 30", "=1+1", "-1", "'t Hooft", "'quoted'", "@x", "'=1", "''@x", "'-5", "wind", ""]
)
def test_what_is_guarded_in_csv_is_read_as_it_was(text: str) -> None:
    """Ids that begin as formulas come back; an apostrophe of a name stays."""
    assert out_of_csv(in_csv(text)) == text
