"""Claims that are checked against the scores."""

from __future__ import annotations

import io
import json
import sys

import pytest

from kpframe.errors import SpecError
from kpframe.model import Score
from kpframe.model.summary import Cell, Summary
from kpframe.stages.registry import lookup

E, A = "r_precision/exact", "r_precision/approximate"
VALUES = {"kea": (0.30, 0.35), "graph": (0.20, 0.32), "tfidf": (0.10, 0.20), "names": (0.01, 0.02)}
CONCLUSIONS = lookup("reports", "conclusions")


def summary(values: dict[str, tuple[float | None, float | None]] = VALUES) -> Summary:
    cells = tuple(
        Cell(
            name,
            {},
            tuple(
                Score("r_precision", matching, value, 9, 0, f"sig|{matching}")
                for matching, value in zip(("exact", "approximate"), pair, strict=True)
            ),
        )
        for name, pair in values.items()
    )
    return Summary("s", (E, A), cells)


def checked(of: Summary | None = None, **claim) -> tuple[str, str]:
    """Mark and evidence of a claim."""
    text = CONCLUSIONS(claims=[{"says": "So it is", **claim}]).write(of or summary(), None)
    says, evidence, *_ = text.split("\n")
    assert says[1:] == " So it is"
    return says[0], evidence.strip()


def test_above_compares_the_worst_with_the_best():
    """Every cell above every other."""
    claim = {"kind": "above", "higher": ["kea", "graph"], "lower": ["tfidf", "names"], "column": E}
    evidence = f"{E}: worst graph 0.200, best below tfidf 0.100; difference 0.100, needed "
    assert checked(**claim) == ("✓", evidence + "0.000")
    assert checked(**claim, by=0.1) == ("✓", evidence + "0.100")
    assert checked(**claim, by=0.11) == ("✗", evidence + "0.110")


def test_above_counts_equal_values_and_forgives_float_noise():
    """0.3 is at least 0.2 + 0.1."""
    values = {"a": (0.3, None), "b": (0.2, None)}
    claim = {"kind": "above", "column": E}
    assert checked(summary(values), higher=["a"], lower=["b"], by=0.1, **claim)[0] == "✓"
    assert checked(summary(values), higher=["a"], lower=["a"], **claim)[0] == "✓"


def test_best_is_never_beaten():
    """Among all cells, or among some."""
    assert checked(kind="best", cell="kea", column=A) == (
        "✓",
        f"{A}: kea 0.350, best of the others graph 0.320 (of 3)",
    )
    assert checked(kind="best", cell="graph", column=A)[0] == "✗"
    assert checked(kind="best", cell="graph", column=A, among=["graph", "tfidf"]) == (
        "✓",
        f"{A}: graph 0.320, best of the others tfidf 0.200 (of 1)",
    )


def test_close_looks_at_the_pair_that_is_farthest_apart():
    """All pairs must be close."""
    pairs = [["kea", "graph"], ["graph", "tfidf"]]
    evidence = f"{A}: farthest apart graph 0.320 and tfidf 0.200; difference 0.120, allowed "
    assert checked(kind="close", pairs=pairs, column=A) == ("✗", evidence + "0.030")
    assert checked(kind="close", pairs=pairs, column=A, within=0.12) == ("✓", evidence + "0.120")
    assert checked(kind="close", pairs=pairs[:1], column=A)[0] == "✓"


def test_a_gap_narrows_towards_the_best_follower():
    """0.30 - 0.20 against 0.35 - 0.32."""
    claim = {"kind": "gap_narrows", "leader": "kea", "followers": ["tfidf", "graph"]}
    there, back = f"{E}: kea 0.300 - graph 0.200 = 0.100", f"{A}: kea 0.350 - graph 0.320 = 0.030"
    assert checked(**claim, **{"from": E, "to": A}) == ("✓", f"{there}; {back}")
    assert checked(**claim, **{"from": A, "to": E}) == ("✗", f"{back}; {there}")
    assert checked(**claim, **{"from": A, "to": A})[0] == "✗"


def test_a_growing_lag_is_no_narrowing_gap():
    """-0.10 to -0.12 is smaller but not narrower: who leads nowhere has no lead to lose."""
    found = checked(kind="gap_narrows", leader="tfidf", followers=["graph"], **{"from": E, "to": A})
    assert found == ("✗", f"{E}: tfidf 0.100 - graph 0.200 = -0.100; {A}: tfidf 0.200 - graph 0.320 = -0.120")


def test_the_lowest_have_a_mean_below_that_of_the_others():
    """(0.10 + 0.01) / 2 against (0.30 + 0.20) / 2."""
    assert checked(kind="lowest", cells=["tfidf", "names"], column=E) == (
        "✓",
        f"{E}: mean 0.055 (of 2), mean of the others 0.250 (of 2)",
    )
    assert checked(kind="lowest", cells=["kea"], column=E)[0] == "✗"
    assert checked(kind="lowest", cells=["tfidf"], column=E, among=["tfidf", "names"])[0] == "✗"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (
            {"kind": "above", "higher": ["kea", "x"], "lower": ["tfidf", "y"], "column": E},
            "not run: x",
        ),
        ({"kind": "above", "higher": ["kea"], "lower": ["x", "y"], "column": E}, "not run: x, y"),
        ({"kind": "best", "cell": "x", "column": E}, "not run: x"),
        ({"kind": "best", "cell": "kea", "column": E, "among": ["x"]}, "not run: x"),
        (
            {"kind": "best", "cell": "kea", "column": E, "among": ["kea"]},
            "there is no other cell to compare with",
        ),
        ({"kind": "close", "pairs": [["kea", "x"]], "column": E}, "not run: x"),
        ({"kind": "gap_narrows", "leader": "x", "followers": ["kea"], "from": E, "to": A}, "not run: x"),
        ({"kind": "lowest", "cells": ["x"], "column": E}, "not run: x"),
        (
            {"kind": "lowest", "cells": list(VALUES), "column": E},
            "there is no other cell to compare with",
        ),
        ({"kind": "best", "cell": "kea", "column": "f1@5/exact"}, "there is no column f1@5/exact"),
    ],
)
def test_a_claim_about_what_was_not_run_is_left_open(claim, reason):
    """A run may be limited to some cells."""
    assert checked(**claim) == ("?", reason)


def test_a_cell_without_a_value_leaves_a_claim_open():
    """No value is not 0; among all cells such a one does not compete."""
    values = {"a": (0.3, None), "b": (None, None), "c": (0.1, None)}
    close = {"kind": "close", "pairs": [["a", "b"]], "column": E}
    assert checked(summary(values), **close) == ("?", f"no value of {E} for: b")
    assert checked(summary(values), kind="best", cell="a", column=E) == (
        "✓",
        f"{E}: a 0.300, best of the others c 0.100 (of 1)",
    )


def test_the_only_cell_that_was_run_is_not_the_best():
    """Without a rival there is no answer."""
    found = checked(summary({"a": (0.3, None)}), kind="best", cell="a", column=E)
    assert found == ("?", "there is no other cell to compare with")


CLAIMS = [
    {"kind": "best", "says": "Kea <b>wins</b>", "cell": "kea", "column": E},
    {
        "kind": "gap_narrows",
        "says": "It | narrows",
        "leader": "kea",
        "followers": ["graph"],
        "from": A,
        "to": E,
    },
    {"kind": "lowest", "says": "Unknown", "cells": ["x"], "column": E},
]


def test_the_checklist_is_counted_and_carries_signatures():
    """What the terminal shows."""
    text = CONCLUSIONS(claims=CLAIMS, digits=2).write(summary(), None)
    assert text.split("\n") == [
        "✓ Kea <b>wins</b>",
        f"    {E}: kea 0.30, best of the others graph 0.20 (of 3)",
        "✗ It | narrows",
        f"    {A}: kea 0.35 - graph 0.32 = 0.03; {E}: kea 0.30 - graph 0.20 = 0.10",
        "? Unknown",
        "    not run: x",
        "claims: 1 ✓, 1 ✗, 1 ?",
        f"{E}: sig|exact",
        f"{A}: sig|approximate",
    ]


def test_both_files_are_written(tmp_path):
    """Markdown for people, JSON with unrounded figures for programs."""
    CONCLUSIONS(claims=CLAIMS).write(summary(), tmp_path)
    markdown = (tmp_path / "conclusions.md").read_text(encoding="utf-8")
    assert markdown.startswith(
        "# s: conclusions\n\n- ✓ Kea &lt;b&gt;wins&lt;/b&gt;\n"
        f"  - {E}: kea 0.300, best of the others graph 0.200 (of 3)\n- ✗ It \\| narrows\n"
    )
    assert r"sig\|exact" in markdown
    content = json.loads((tmp_path / "conclusions.json").read_text(encoding="utf-8"))
    assert [claim["holds"] for claim in content["claims"]] == [True, False, None]
    assert content["claims"][0]["figures"] == {f"{name} {E}": pair[0] for name, pair in VALUES.items()}
    assert content["signatures"][E] == dict.fromkeys(VALUES, "sig|exact")


def test_no_claims_make_an_empty_checklist(tmp_path):
    """And no crash without cells."""
    text = CONCLUSIONS().write(Summary("s", (E,), ()), tmp_path)
    assert text == "claims: 0 ✓, 0 ✗, 0 ?"
    assert "No claims were made." in (tmp_path / "conclusions.md").read_text(encoding="utf-8")


def test_an_ascii_terminal_gets_ascii_marks(monkeypatch):
    """+ for ✓ and x for ✗."""
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    text = CONCLUSIONS(claims=CLAIMS).write(summary(), None)
    assert [line[0] for line in text.split("\n")[:6:2]] == ["+", "x", "?"]


def test_claims_survive_being_saved_with_the_spec():
    """Dumped and rebuilt they are the same, in the words of specs."""
    report = CONCLUSIONS(claims=CLAIMS)
    spec = json.loads(json.dumps(report.to_spec()))
    assert spec.pop("kind") == "conclusions"
    assert spec["claims"][1]["from"] == A
    assert CONCLUSIONS(**spec) == report


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "above", "says": "x", "higher": [], "lower": ["a"], "column": E},
        {"kind": "above", "says": "x", "higher": ["a"], "lower": ["b"], "column": E, "by": "0.1"},
        {"kind": "above", "says": "x", "higher": ["a"], "lower": ["b"], "column": E, "with": 1},
        {"kind": "best", "says": "", "cell": "a", "column": E},
        {"kind": "best", "cell": "a", "column": E},
        {"kind": "close", "says": "x", "pairs": [["a", "b", "c"]], "column": E},
        {"kind": "close", "says": "x", "pairs": [["a", "b"]], "column": E, "within": -1},
        {"kind": "worst", "says": "x", "cell": "a", "column": E},
        {"says": "x", "cell": "a", "column": E},
    ],
)
def test_malformed_claims_are_refused(claim):
    """Unknown kinds and keys, empty lists, wrong types and ranges."""
    with pytest.raises(SpecError):
        CONCLUSIONS(claims=[claim])
