"""The folder of a run over many data sets: an ordinary run for each, and what is said of all of them.

datasets.json  datasets/<name>/…  summary.json|csv|md|tex  signatures.txt  report.html
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from textwrap import wrap
from typing import Any

from kpframe.display.latex_sheets import latex
from kpframe.display.sheets import Sheet
from kpframe.errors import DataError
from kpframe.files.atomic import write_text
from kpframe.files.escaping import in_markdown, one_line
from kpframe.files.leftovers import remove_leftovers
from kpframe.runs.across import across
from kpframe.runs.across_sheets import claim_lines, long_csv, shown_sheets
from kpframe.runs.across_values import Across
from kpframe.runs.finished import FinishedRun
from kpframe.runs.seals import AGAIN, PAGE, changed_beside, seal_beside, unseal_beside
from kpframe.runs.strict_json import decode_json, of

__all__ = ["StudyFolder", "is_study", "study_text"]

_log = logging.getLogger("kpframe.runs")

_MARKER = "datasets.json"
_TABLES = ("summary.json", "summary.csv", "summary.md", "signatures.txt", "summary.tex")
_OF_LATEX = ("digits", "deltas", "siunitx")
"""Parameters of the report that hold for the tables over all data sets too."""


def is_study(folder: str | PathLike[str]) -> bool:
    """Whether a folder is that of a run over many data sets."""
    return (Path(folder) / _MARKER).is_file()


class StudyFolder:
    """Where a run over many data sets keeps its runs and what is said of them together."""

    def __init__(self, path: Path, name: str, datasets: Sequence[str]) -> None:
        self.path = path
        self.name = name
        self.datasets = tuple(datasets)

    @classmethod
    def begun(cls, path: Path, name: str, datasets: Sequence[str]) -> StudyFolder:
        """The folder for a run that begins; DataError if it is another's."""
        if is_study(path):
            known = cls.read(path)
            if known.name != name:
                problem = f"holds the results of another run, {known.name!r}"
                raise DataError.at(str(path), problem, "choose another --out folder")
        elif path.is_dir() and any(path.iterdir()):
            problem = "is not empty and not the folder of a run over many data sets"
            raise DataError.at(str(path), problem, "choose another --out folder")
        remove_leftovers([path])  # in the folders of its runs, `RunFolder.sweep` does it
        try:
            write_text(path / _MARKER, json.dumps({"name": name, "datasets": list(datasets)}) + "\n")
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise DataError.at(str(path), problem, "choose another --out folder") from None
        return cls(path, name, datasets)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> StudyFolder:
        """The folder of a run that has begun; DataError if it is none."""
        marker = Path(path) / _MARKER
        try:
            found: dict[str, Any] = decode_json(marker.read_text(encoding="utf-8"))
            return cls(
                Path(path), of(str, found["name"]), [of(str, one) for one in of(list, found["datasets"])]
            )
        except OSError:
            raise DataError.at(fspath(path), "is no run over many data sets", "give its folder") from None
        except (ValueError, LookupError):
            raise DataError.at(str(marker), "is damaged", AGAIN) from None

    def run_folder(self, dataset: str) -> Path:
        """The folder of the run over one data set."""
        return self.path / "datasets" / dataset

    def begun_ones(self) -> list[str]:
        """The data sets whose runs have begun, in the order of the spec."""
        return [name for name in self.datasets if (self.run_folder(name) / "resolved.yaml").is_file()]

    def others(self) -> list[str]:
        """The folders beside those of the data sets: of ones that were called otherwise, or taken out."""
        there = (path.name for path in (self.path / "datasets").glob("*") if path.is_dir())
        return sorted(name for name in there if name not in self.datasets)

    def finished(self) -> dict[str, FinishedRun]:
        """The runs over data sets that have results, in the order of the spec."""
        return {name: FinishedRun(self.run_folder(name), name=name) for name in self.begun_ones()}

    def across(self) -> Across:
        """All data sets side by side; those without results are told."""
        runs = self.finished()
        lacking = [name for name in self.datasets if name not in runs]
        notes = [f"Not run yet: {', '.join(lacking)}."] if lacking else []
        notes += [run.notice() for run in runs.values() if run.unfinished]
        return across(self.name, {name: [run] for name, run in runs.items()}, notes)

    def write(self, found: Across) -> None:
        """The tables over all data sets, as JSON, CSV, Markdown and LaTeX, and all signatures."""
        sheets = shown_sheets(found)
        changed = [name for name in changed_beside(self.path) if name != PAGE]
        if changed:
            _log.warning(
                "%s: changed since the last run, and written anew: %s", self.path, ", ".join(changed)
            )
        unseal_beside(self.path)
        text = json.dumps(found.to_json(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        write_text(self.path / "summary.json", text)
        write_text(self.path / "summary.csv", long_csv(found))
        write_text(self.path / "summary.md", _markdown(found, sheets))
        write_text(self.path / "signatures.txt", self._signatures())
        write_text(self.path / "summary.tex", _latex(found, sheets, self._latex_report()))
        seal_beside(self.path, _TABLES)

    def _latex_report(self) -> Mapping[str, Any]:
        """How the spec wants tables in LaTeX, as the first data set that wants one has it."""
        for run in self.finished().values():
            for report in run.spec.reports:
                if report.kind == "latex":
                    return {name: value for name, value in report if name in _OF_LATEX}
        return {}

    def _signatures(self) -> str:
        """By data set and column the recipes of the scores."""
        lines: dict[str, None] = {}
        for name, run in self.finished().items():
            if run.summary is None:
                lines[f"{name}: the summary.json of its run is not there; {AGAIN}"] = None
            for cell in run.summary.cells if run.summary else ():
                for score in cell.scores:
                    lines[f"{name} {cell.name} {score.metric}/{score.matching}: {score.signature}"] = None
        return "".join(f"{one_line(line)}\n" for line in lines)


def study_text(found: Across, width: int = 80) -> str:
    """What a terminal shows of a run over many data sets."""
    sheets = shown_sheets(found)
    parts = [replace(sheet, notes=(), legend=()).text(width) for sheet in sheets]
    claims = claim_lines(found)
    if claims:
        parts.append("\n".join(["Conclusions, and on how many data sets they hold:", *claims]))
    notes = dict.fromkeys(line for sheet in sheets for line in sheet.said("~", "'"))
    parts.append("\n".join(line for note in notes for line in wrap(one_line(note), width)))
    return "\n\n".join(parts)


def _markdown(found: Across, sheets: Sequence[Sheet]) -> str:
    parts = [f"# {in_markdown(found.name)}\n"]
    parts += [f"## {in_markdown(sheet.title)}\n\n{sheet.markdown()}" for sheet in sheets]
    claims = claim_lines(found)
    if claims:
        items = "\n".join(f"- {in_markdown(line)}" for line in claims)
        parts.append(f"## Conclusions, and on how many data sets they hold\n\n{items}\n")
    return "\n".join(parts)


def _latex(found: Across, sheets: Sequence[Sheet], options: Mapping[str, Any]) -> str:
    """`options` are parameters of the report `latex`."""
    slug = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in found.name.lower())
    return "\n".join(
        latex(sheet, label=f"tab:{slug}-{n}", **options) for n, sheet in enumerate(sheets, start=1)
    )
