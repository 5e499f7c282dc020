"""A run over many data sets that is killed in each of them ends with the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("KPFRAME_DATA", ROOT.parent / "shared" / "datasets")).resolve()

pytestmark = [pytest.mark.slow, pytest.mark.acceptance]


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the corpora; set KPFRAME_DATA to their folder")
def test_table_3_whole_is_killed_in_each_of_its_corpora_and_ends_with_the_same_bytes() -> None:
    """Three kill -9, each in the middle of another corpus; all files but the log and the page are equal."""
    script = ROOT / "tests" / "benchmarks" / "killed_study.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KPFRAME_DATA": str(DATA)}
    command = [sys.executable, str(script), "--documents", "60"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 times" in done.stdout and "files that then differ" in done.stdout
