"""The whole summary as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from kpframe.model.summary import Summary
from kpframe.reports._files import write_file
from kpframe.reports._table import Table
from kpframe.stages import Report

__all__ = ["Json"]


class Json(Report):
    """Writes `summary.json`: everything that is known, unrounded, with sorted keys.

    Every run leaves this file, as its page and the tables over several runs are made of it; asked for, the
    report also says where it is.

    Holds what `Summary.to_json` gives, and under `agreement` for each column with published values
    the number of compared cells, the mean absolute difference and the Spearman correlation.
    """

    source: ClassVar[str] = "kpframe"
    files: ClassVar[tuple[str, ...]] = ("summary.json",)

    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write the file and return its path; without a folder return its content."""
        agreement = {found.column: found.to_json() for found in Table.of(summary).agreements}
        text = json.dumps(
            {**summary.to_json(), "agreement": agreement},
            ensure_ascii=False,
            indent=2,
            sort_keys=True,
            allow_nan=False,
        )
        if folder is None:
            return text + "\n"
        return f"wrote {write_file(folder, 'summary.json', text + chr(10))}"
