"""Ids of gold and predictions that the other side lacks: told, and in the exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kpframe.commands import LeftOut, counted

if TYPE_CHECKING:
    from kpframe.evaluation.missing import Missing

__all__ = ["tell_unpaired"]


class Paired(Protocol):
    """What was paired by ids, in memory or beside it."""

    @property
    def only_in_gold(self) -> tuple[str, ...]:
        """Ids without predictions."""

    @property
    def only_in_predictions(self) -> tuple[str, ...]:
        """Ids without gold."""


def tell_unpaired(joined: Paired, missing: Missing, left_out: LeftOut, whose: str = "") -> None:
    """Tell the ids of one side alone, what became of them, and those that nearly have a counterpart.

    `whose` predictions they are, as ` of yake`, where there are several.
    """
    from kpframe.evaluation.alike_ids import alike
    from kpframe.evaluation.missing import BECOME

    not_in = f", not in the predictions{whose}" if whose else ""
    for ids, where, become in (
        (joined.only_in_gold, f"only in the gold{not_in}", BECOME[missing]),
        (joined.only_in_predictions, f"only in the predictions{whose}", "not scored"),
    ):
        if ids:
            named = f"{', '.join(ids[:5])}{', …' if len(ids) > 5 else ''}"
            left_out.tell(f"{counted(len(ids), 'id')} {where}: {named} ({become})")
    if told := alike(joined.only_in_predictions, joined.only_in_gold):
        left_out.tell(f"of these ids, {told}")
