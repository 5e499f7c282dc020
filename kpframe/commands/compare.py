"""`kpframe compare RUN…`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from kpframe.analysis.comparison import compare
from kpframe.analysis.comparison_tables import as_csv, as_latex, as_markdown, as_text
from kpframe.commands import tell
from kpframe.files.atomic import write_text

__all__ = ["execute"]

_FORMATS = {"text": as_text, "csv": as_csv, "markdown": as_markdown, "latex": as_latex}
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


def execute(options: Any) -> int:
    """Compare the systems of runs, and print what differs or write it to a file."""
    comparisons = compare(
        options.runs,
        columns=options.column or (),
        baselines=options.baseline or (),
        all_pairs=options.all_pairs,
        test=options.test,
        permutations=options.permutations,
        correction=options.correction,
        level=options.level,
        seed=options.seed,
    )
    wanted = options.format or _ENDINGS.get(Path(options.out or "").suffix, "text")
    if wanted == "json":
        found = [comparison.to_json() for comparison in comparisons]
        text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        text = _FORMATS[wanted](comparisons)
    if options.out is None:
        sys.stdout.write(text)
    else:
        write_text(Path(options.out), text)
        tell(f"wrote {options.out}")
    return 0
