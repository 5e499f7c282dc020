"""Documents and gold that callers build: what looks right and is not is told when it is built."""

from __future__ import annotations

import pytest

from kpframe import DataError, Document, Gold
from kpframe.cli import main


def test_a_string_is_no_list_of_variants() -> None:
    """It would be one of letters."""
    with pytest.raises(DataError, match=r"'ferry' is one string"):
        Gold("ferry")  # type: ignore[arg-type]


@pytest.mark.parametrize("gold", [["ferry"], "ferry", [("ferry",)]])
def test_gold_keyphrases_are_gold(gold: object) -> None:
    """A string among them would be found out only where it is counted."""
    with pytest.raises(TypeError, match=r"must be (of )?Gold"):
        Document("a", "text", gold=gold)  # type: ignore[arg-type]


def test_no_half_written_option_is_taken_for_another(capsys: pytest.CaptureFixture[str]) -> None:
    """`run` has no --metric, and --metrics-file is something else."""
    with pytest.raises(SystemExit) as ended:
        main(["run", "textrank", "--metric", "f1@5"])
    assert ended.value.code == 2
    assert "--metric" in capsys.readouterr().err
