"""Does the run bear out what was claimed?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from kpframe.files.escaping import in_markdown, one_line
from kpframe.model.summary import Summary
from kpframe.reports._claims import Claim, Verdict
from kpframe.reports._files import write_file
from kpframe.reports._table import Table, footnotes, signature_lines
from kpframe.reports._terminal import printable
from kpframe.stages import Report

__all__ = ["Conclusions"]


class Conclusions(Report):
    """Checks claims against the scores: ✓ it holds, ✗ it does not, ? it cannot be decided.

    A claim is `{kind: …, says: "…", …}`, naming cells and columns:

    - `above`: every cell of `higher` is at least `by` (0) above every cell of `lower` in `column`;
    - `best`: no cell (of `among`, if given) is better than `cell` in `column`;
    - `close`: the cells of each pair of `pairs` differ by at most `within` (0.03) in `column`;
    - `gap_narrows`: the lead of `leader` over the best of `followers` is smaller in the column `to`
      than in the column `from`, where there must be one;
    - `lowest`: the mean of `cells` in `column` is below the mean of the others (of `among`, if given).

    A claim about cells that were not run is `?`. Writes `conclusions.md` and `conclusions.json`.
    """

    source: ClassVar[str] = "kpframe"
    files: ClassVar[tuple[str, ...]] = ("conclusions.md", "conclusions.json")

    claims: tuple[Claim, ...] = Field(
        (), description="Claims to check: above, best, close, gap_narrows, lowest."
    )
    digits: int = Field(3, ge=0, le=15, description="Decimals that are printed.")

    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write both files (if there is a folder) and return the checklist."""
        verdicts = [claim.check(summary, self.digits) for claim in self.claims]
        if folder is not None:
            write_file(folder, "conclusions.md", self._markdown(summary, verdicts))
            write_file(folder, "conclusions.json", _json(summary, verdicts))
        lines = [*map(_line, verdicts), _count(verdicts), *signature_lines(Table.of(summary))]
        return printable("\n".join(lines))

    def _markdown(self, summary: Summary, verdicts: list[Verdict]) -> str:
        lines = [f"# {in_markdown(one_line(summary.name))}: conclusions", ""]
        for verdict in verdicts:
            lines.append(f"- {verdict.mark} {in_markdown(one_line(verdict.says))}")
            lines.append(f"  - {in_markdown(one_line(verdict.evidence))}")
        lines += ["" if verdicts else "No claims were made.", in_markdown(_count(verdicts)), ""]
        lines += [
            f"- {in_markdown(line.strip())}"
            for line in footnotes(summary, Table.of(summary), self.digits, "≈")
        ]
        return "\n".join(lines).rstrip("\n") + "\n"


def _line(verdict: Verdict) -> str:
    return f"{verdict.mark} {one_line(verdict.says)}\n    {one_line(verdict.evidence)}"


def _count(verdicts: list[Verdict]) -> str:
    holding = sum(verdict.holds is True for verdict in verdicts)
    failing = sum(verdict.holds is False for verdict in verdicts)
    return f"claims: {holding} ✓, {failing} ✗, {len(verdicts) - holding - failing} ?"


def _json(summary: Summary, verdicts: list[Verdict]) -> str:
    signatures = {
        column: {cell.name: score.signature for cell in summary.cells if (score := cell.score(column))}
        for column in summary.columns
    }
    content: dict[str, Any] = {
        "name": summary.name,
        "claims": [verdict.to_json() for verdict in verdicts],
        "signatures": signatures,
    }
    return json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False) + "\n"
