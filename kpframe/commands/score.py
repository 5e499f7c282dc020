"""`kpframe score --gold F --predictions F`."""

from __future__ import annotations

import json
from typing import Any

from kpframe.commands import counted, tell
from kpframe.evaluation import evaluation_stages, score_pairs, with_policy
from kpframe.model import Score
from kpframe.predictions import join, read_gold, read_predictions

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Score a file of predictions and print every score with its signature."""
    gold = read_gold(options.gold) if options.gold else None
    joined = join(gold, read_predictions(options.predictions), missing=options.missing)
    for ids, where in (
        (joined.only_in_gold, "only in the gold"),
        (joined.only_in_predictions, "only in the predictions"),
    ):
        if ids:
            tell(f"{counted(len(ids), 'id')} {where}: {', '.join(ids[:5])}{', …' if len(ids) > 5 else ''}")
    texts = all(pair.text is not None for pair in joined.pairs)
    metrics = options.metric or ["r_precision"]
    matchings = [_matching(kind, options) for kind in options.matching or ["exact", "approximate"]]
    measures, rules = evaluation_stages(metrics, matchings, texts=texts)
    scores = with_policy(score_pairs(joined.pairs, measures, rules), options.missing)
    print(json.dumps([s.to_json() for s in scores], indent=2) if options.format == "json" else _text(scores))
    return 0


def _matching(kind: str, options: Any) -> dict[str, Any]:
    given = {"kind": kind, "normalize": options.normalize}
    return given if options.absent is None else {**given, "absent": options.absent}


def _text(scores: list[Score]) -> str:
    return "\n".join(
        f"{'–' if score.value is None else format(score.value, '.4f')}  {score.signature}" for score in scores
    )
