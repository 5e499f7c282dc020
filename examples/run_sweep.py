"""Run a grid from Python and work with its numbers instead of its tables.

    python examples/run_sweep.py [FOLDER]

The spec is `sweep.yaml` beside this file. With a FOLDER the results stay there, and a second run takes
finished cells from it.
"""

import sys
import tempfile
from pathlib import Path

from kpframe import Experiment

COLUMN = "r_precision/approximate"


def main(out: Path) -> None:
    """Run all cells, print them best first, and name the recipe behind the best number."""
    experiment = Experiment.load(Path(__file__).with_name("sweep.yaml"))
    summary = experiment.run(out=out).summary
    cells = sorted(summary.cells, key=lambda cell: cell.value(COLUMN) or 0.0, reverse=True)
    for cell in cells:
        axes = ", ".join(f"{axis}: {name}" for axis, name in cell.axes.items())
        print(f"{cell.value(COLUMN) or 0.0:.3f}  {axes}")
    best = cells[0].score(COLUMN)
    if best is not None:
        print(f"The best number comes from {best.documents} documents by this recipe:\n  {best.signature}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder) / "sweep")
