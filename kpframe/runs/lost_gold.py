"""Where gold was lost, as lines of `losses.jsonl`: encoded here once and decoded here once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kpframe.runs.strict_json import decode_json, natural, of, strict

__all__ = ["SavedLosses", "decode_losses", "losses_line"]


@dataclass(frozen=True, slots=True)
class SavedLosses:
    """A line of `losses.jsonl`.

    `losses` has for each matching, by its label, what became of the gold (see `kpframe.engine.losses`) and
    `steps` what each post-processing step did. Both are empty where it is not told: of a document that
    failed, or that a matching could not match on its way.
    """

    id: str
    losses: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    steps: tuple[tuple[int, ...], ...] = ()


def losses_line(
    id: str, losses: Mapping[str, Sequence[int]] | None = None, steps: Sequence[Sequence[int]] = ()
) -> str:
    """The line of a document, without a line end; without `losses` it tells nothing."""
    record = {"id": id} if losses is None else {"id": id, "losses": losses, "steps": steps}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


@strict
def decode_losses(line: str) -> SavedLosses:
    """A line of `losses.jsonl`; ValueError for whatever has another shape."""
    record = decode_json(line)
    id = of(str, record["id"])
    if record.keys() == {"id"}:
        return SavedLosses(id)
    losses = {label: _counts(found) for label, found in of(dict, record["losses"]).items()}
    return SavedLosses(id, losses, tuple(map(_counts, of(list, record["steps"]))))


def _counts(found: object) -> tuple[int, ...]:
    return tuple(map(natural, of(list, found)))
