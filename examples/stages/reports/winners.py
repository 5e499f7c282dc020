"""A report of one's own: the best cell of every column, one a line.

python examples/stages/reports/winners.py
"""

import tempfile
from pathlib import Path
from typing import ClassVar

import kpframe
from kpframe.model.summary import Summary
from kpframe.stages import Report

__all__ = ["Winners"]


@kpframe.stage
class Winners(Report):
    """Writes `winners.txt`: column, best cell, value."""

    kind: ClassVar[str] = "winners"
    source: ClassVar[str] = "kpframe"
    files: ClassVar[tuple[str, ...]] = ("winners.txt",)

    def write(self, summary: Summary, folder: Path | None) -> str:
        """The file's path, or without a folder its content."""
        lines = []
        for column in summary.columns:
            valued = [(cell.value(column), cell.name) for cell in summary.cells]
            known = [(value, name) for value, name in valued if value is not None]
            if known:
                value, name = max(known, key=lambda pair: pair[0])
                lines.append(f"{column}\t{name}\t{value:.4f}\n")
        if folder is None:
            return "".join(lines)
        (folder / "winners.txt").write_text("".join(lines), encoding="utf-8")
        return f"wrote {folder / 'winners.txt'}"


def main() -> None:
    """Run the shipped experiment with this report alone."""
    with tempfile.TemporaryDirectory() as folder:
        run = kpframe.Experiment.load("quickstart", settings=["reports=[winners]"]).run(out=folder + "/run")
        print((run.folder / "winners.txt").read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
