"""Published figures beside ours: the table in `pipelines/README.md`.

    python tests/benchmarks/published_figures.py [--data DIR] [--out DIR]

Runs `published_figures.yaml` and sets F1@5 and F1@10, in per cent, beside those of `published_figures.csv`.
What differs by more than two points is marked.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

SPEC = Path(__file__).with_suffix(".yaml")
FIGURES = Path(__file__).with_suffix(".csv")
COLUMNS = {
    "toolkit_inspec_5": ("toolkit-inspec", "f1@5", "pke, Inspec, F1@5"),
    "toolkit_inspec_10": ("toolkit-inspec", "f1@10", "F1@10"),
    "comparison_inspec_10": ("comparison-inspec", "f1@10", "Gallina et al., Inspec, F1@10"),
    "comparison_duc_10": ("comparison-duc", "f1@10", "DUC, F1@10"),
    "comparison_semeval2010_10": ("comparison-semeval2010", "f1@10", "SemEval-2010, F1@10"),
}
"""Columns of the figures: data set, metric, and the head in the table."""
FAR = 2.0


def ours(folder: Path) -> Mapping[tuple[str, str, str], float]:
    """Our figures, by data set, metric and row."""
    found = {}
    for path in sorted(folder.glob("datasets/*/summary.json")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for score in cell["scores"]:
                metric = re.sub(r"\(.*?\)", "", score["metric"])
                found[path.parent.name, metric, cell["name"]] = 100.0 * float(score["value"])
    return found


def table(found: Mapping[tuple[str, str, str], float]) -> Iterator[str]:
    """A row for each system: published / ours."""
    yield f"| | {' | '.join(head for _, _, head in COLUMNS.values())} |\n|{'---|' * (1 + len(COLUMNS))}"
    with FIGURES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            cells = []
            for column, (data_set, metric, _) in COLUMNS.items():
                value = found.get((data_set, metric, row["cell"]))
                if not row[column] or value is None:
                    cells.append("")
                    continue
                published = 100.0 * float(row[column])
                mark = " (!)" if abs(published - value) > FAR else ""
                cells.append(f"{published:.1f} / {value:.1f}{mark}")
            yield f"| {row['cell']} | {' | '.join(cells)} |"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("KPFRAME_DATA", "../shared/datasets"))
    parser.add_argument("--out", default="runs/published-figures")
    options = parser.parse_args()
    command = [
        sys.executable,
        "-m",
        "kpframe",
        "run",
        str(SPEC),
        "--data",
        options.data,
        "--out",
        options.out,
    ]
    subprocess.run([*command, "--quiet"], stdout=sys.stderr, check=False)
    for line in table(ours(Path(options.out))):
        print(line)


if __name__ == "__main__":
    main()
