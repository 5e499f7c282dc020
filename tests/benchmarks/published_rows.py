"""Every row with the scores of its original beside ours: the table in `pipelines/README.md`.

    python tests/benchmarks/published_rows.py

The specs in `tests/ranking/published` run over the annotations of the originals. For each set of texts: how
many keyphrases have a score on both sides, the greatest difference of a score as a share of it, and on how
many documents the order is the same but for ties. A dash: the scores of the original are not at hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ranking"))

from published_rows import ROWS, SETS, originals, ranked

SIGNS = {"pke.yake.words": -1.0}
"""Originals whose best score is the lowest."""


def compared(row: str, texts: str) -> tuple[int, int, float, int] | None:
    """Documents, keyphrases, greatest relative difference, documents in the same order."""
    expected = originals(row, texts)
    if not expected:
        return None
    found, sign = ranked(row, texts), SIGNS.get(row, 1.0)
    keyphrases, worst, ordered = 0, 0.0, 0
    for name, record in expected.items():
        ours = {entry.key: entry.score for entry in found[name]}
        theirs = {entry["key"]: sign * float(entry["score"]) for entry in record["ranked"]}
        shared = [key for key in theirs if key in ours]
        keyphrases += len(shared)
        worst = max([worst, *(abs(ours[k] - theirs[k]) / max(abs(theirs[k]), 1e-300) for k in shared)])
        ordered += _descending([ours[key] for key in shared])
    return len(expected), keyphrases, worst, ordered


def _descending(scores: list[float]) -> bool:
    """Whether our scores, in the order of the original, never rise by more than a tie's last digits."""
    return all(b <= a + 1e-9 * max(abs(a), abs(b)) for a, b in pairwise(scores))


def rows() -> Iterator[str]:
    """The table: for each set of texts documents, keyphrases and the greatest difference."""
    heads = [f"{texts}: keyphrases | greatest difference | same order" for texts in SETS]
    yield f"| original | {' | '.join(heads)} |\n|{'---|' * (1 + 3 * len(SETS))}"
    for row in ROWS:
        if "features" in row:  # its features are compared by a test; there is no list
            continue
        cells = []
        for texts in SETS:
            made = compared(row, texts)
            if made is None:
                cells.append("– | – | –")
                continue
            documents, keyphrases, worst, ordered = made
            shown = "0" if worst == 0 else f"{worst:.0e}"
            cells.append(f"{keyphrases:,} | {shown} | {ordered} of {documents}")
        yield f"| `{row}` | {' | '.join(cells)} |"


if __name__ == "__main__":
    for line in rows():
        print(line, flush=True)
