"""Many data sets on one page: tables over all of them, and behind these the page of each."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe.display.sheets import Sheet
from kpframe.files.atomic import write_text
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.page import render_study
from kpframe.runs.across_sheets import claim_lines, standing_sheet, system_sheet, whole_sheet
from kpframe.runs.across_values import Across
from kpframe.runs.seals import PAGE, is_changed_page, sealed_page
from kpframe.runs.study_folder import StudyFolder
from kpframe.version import __version__

__all__ = ["collect_study", "write_study_page"]

_log = logging.getLogger("kpframe.htmlreport")

_DOCUMENTS = 150
"""So many texts are in a page at most, those of all data sets together."""


def collect_study(
    found: Across,
    folders: Mapping[str, Sequence[str | Path]],
    *,
    description: str = "",
    documents_limit: int = _DOCUMENTS,
    left_out: list[str] | None = None,
) -> dict[str, Any]:
    """What a page over many data sets shows, as plain JSON values.

    `folders` are the runs of each data set, and `documents_limit` the number of texts of all together.
    Errors and `left_out` are as with `kpframe.htmlreport.data.collect`.
    """
    room = -(-documents_limit // max(1, len(folders)))
    return {
        "title": found.name,
        "description": description,
        "generated": {"kpframe": __version__},
        "claims": claim_lines(found),
        "sheets": _sheets(found),
        "pages": {
            name: collect(runs, documents_limit=room, left_out=left_out) for name, runs in folders.items()
        },
    }


def write_study_page(folder: StudyFolder, found: Across, *, description: str = "") -> Path:
    """`report.html` over all data sets of a run that are finished."""
    runs: dict[str, Sequence[str | Path]] = {name: [folder.run_folder(name)] for name in found.datasets}
    path = folder.path / PAGE
    changed = is_changed_page(path)
    write_text(path, sealed_page(render_study(collect_study(found, runs, description=description))))
    if changed:
        _log.warning("%s: was changed since it was written, and is replaced", path)
    return path


def _sheets(found: Across) -> dict[str, Any]:
    """All tables by the name that they have in the address, and the names in groups."""
    whole = {"all": (whole_sheet(found), "all measures and data sets")}
    columns = {f"measure:{c}": (standing_sheet(found, c), c) for c in found.compared}
    systems = {f"system:{s}": (system_sheet(found, s), s) for s in found.systems}
    groups = [
        ("One measure over all data sets", columns),
        ("All", whole),
        ("One system in all measures", systems),
    ]
    return {
        "systems": list(found.systems),
        "groups": [{"caption": caption, "views": list(views)} for caption, views in groups if views],
        "sheets": {
            name: {"says": says, **_plain(sheet)}
            for _, views in groups
            for name, (sheet, says) in views.items()
        },
    }


def _plain(sheet: Sheet) -> dict[str, Any]:
    grouped = any(head.group for head in sheet.heads)
    return {
        "title": sheet.title,
        "heading": sheet.heading,
        "heads": [head.name for head in sheet.heads],
        "groups": [[name, end - begin] for name, begin, end in sheet.groups()] if grouped else [],
        "rows": [
            {
                "label": row.label,
                "printed": row.printed,
                "entries": [
                    {"text": e.text(3, printed="{}†"), "best": e.best, "close": e.close} for e in row.entries
                ],
            }
            for row in sheet.rows
        ],
        "notes": sheet.said(),
    }
