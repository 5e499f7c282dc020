"""What becomes of documents without a prediction: one vocabulary for specs, commands and Python."""

from __future__ import annotations

from typing import Any, Literal, get_args

from kpframe.errors import SpecError, suggestion

__all__ = ["BECOME", "OLDER", "Missing", "missing_policy"]

Missing = Literal["empty", "skip", "refuse"]
"""They count as documents for which nothing was predicted, are left out, or are an error."""

OLDER: dict[str, Missing] = {"zero": "empty", "error": "refuse"}
"""What `score` called two of them in 0.1.0."""

BECOME = {"empty": "nothing was predicted for them", "skip": "left out", "refuse": "refused"}
"""How it is told what becomes of documents."""


def missing_policy(word: Any) -> Missing:
    """The policy of that name, or of its older name; SpecError for any other word."""
    for policy in get_args(Missing):
        if word == policy:
            return policy  # type: ignore[no-any-return]
    if isinstance(word, str) and word in OLDER:
        return OLDER[word]
    raise SpecError.at(
        "missing", f"is unknown: {word!r}", suggestion(str(word), get_args(Missing), "use one of")
    )
