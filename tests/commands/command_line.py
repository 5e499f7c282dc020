"""Running the command line, in this process and in another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from kpframe.cli import main

ROOT = Path(__file__).resolve().parents[2]
FAST = """\
name: fast
preprocessing: [simple]
candidates: {kind: ngrams, max: 2, stopwords: [en]}
ranking: frequency
"""
"""A pipeline that needs no language model."""


class Outcome(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """One command in this process."""
    try:
        status = main(arguments)
    except SystemExit as end:  # the parser's own way to end
        status = int(end.code or 0)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return Outcome(status, captured.out, captured.err)


def spawn(
    *arguments: str,
    folder: Path,
    stdin: str | bytes | None = None,
    python: tuple[str, ...] = (),
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """One command in a process of its own."""
    return subprocess.run(
        [sys.executable, *python, "-m", "kpframe", *arguments],
        cwd=folder,
        env=variables(folder, **environment),
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


def variables(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a process: this one's, with kpframe importable, its own cache and temporary files.

    What a process leaves that a test kills, the next command would tell of.
    """
    temporary = folder.parent / f"{folder.name}-tmp"
    temporary.mkdir(exist_ok=True)
    kept = {
        k: v for k, v in os.environ.items() if k not in ("KPFRAME_DATA", "NO_COLOR", "FORCE_COLOR", "COLUMNS")
    }
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "KPFRAME_CACHE": str(folder / ".cache"),
        "PYTHONUTF8": "1",
        "TMPDIR": str(temporary),
        **more,
    }
