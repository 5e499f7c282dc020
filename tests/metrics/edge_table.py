"""What every measure makes of empty lists and duplicates, as a table: `python tests/metrics/edge_table.py`.

Nothing of it is written by hand: each field is what scoring gives for a small pair of documents. `--write`
puts the table into resources/README.md, between its marks.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

import kpframe as kp
from kpframe.stages.registry import kinds, lookup

README = Path(__file__).resolve().parents[2] / "resources" / "README.md"
BEGIN, END = "<!-- edge cases: begin -->", "<!-- edge cases: end -->"

HEAD = (
    "| measure | no gold | no predictions | neither | a phrase predicted twice | a gold keyphrase twice "
    "| averages |\n|---|---|---|---|---|---|---|"
)


def table() -> str:
    """The table in Markdown, a row a measure in alphabetical order, with its defaults."""
    return "\n".join([HEAD, *(f"| {' | '.join(row(kind))} |" for kind in sorted(kinds("metrics")))])


def row(kind: str) -> list[str]:
    """The fields of one measure."""
    metric: Any = lookup("metrics", kind)()
    averages = get_args(type(metric).model_fields["average"].annotation)
    return [
        f"`{metric.label()}`",
        _alone(kind, [], ["net"]),
        _alone(kind, ["net"], []),
        _alone(kind, [], []),
        _told(kind, ["net", "owl"], ["net", "Net", "owl"]),
        _told(kind, ["net", "net", "elk"], ["net", "owl"]),
        ", ".join(averages),
    ]


def _score(kind: str, *lists: tuple[list[str], list[str]]) -> Any:
    gold = {str(number): one for number, (one, _) in enumerate(lists)}
    found = {str(number): one for number, (_, one) in enumerate(lists)}
    (score,) = kp.score(gold, found, metrics=kind, matching="exact")
    return score


def _alone(kind: str, gold: list[str], predicted: list[str]) -> str:
    """The value of a document, or that it is in no average."""
    score = _score(kind, (gold, predicted))
    return f"{score.value:g}" if score.documents else "left out"


def _told(kind: str, gold: list[str], predicted: list[str]) -> str:
    """Whether a list with a duplicate is worth what it is without."""
    single = (list(dict.fromkeys(gold)), list(dict.fromkeys(one.casefold() for one in predicted)))
    score = _score(kind, (gold, predicted))
    if not score.documents:
        return "left out"
    return "counts once" if score.value == _score(kind, single).value else "counts twice"


def main() -> None:
    """Print the table, or write it."""
    if "--write" not in sys.argv:
        print(table())
        return
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
