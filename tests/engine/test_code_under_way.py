"""The module of a stage is edited while a run with workers is under way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from engine_runs import ROOT, SINGLE, corpus, jsonl, outcome

pytestmark = pytest.mark.slow

STAGES = """
import os, signal
from pathlib import Path
from kpframe.model import Keyphrases
from kpframe.ranking.frequency import Frequency
from kpframe.stages import Ranking

VALUE = 1
HERE = Path(__file__)


class Edited(Ranking):
    kind = "edited"

    def fits_on(self):
        return "collection"

    def observe(self, candidates):
        edit(f"observe {candidates.document.id}")
        return 1

    def fit(self, observations):
        return {"all": sum(observations)}

    def restore(self, state):
        return self

    def rank(self, candidates):
        edit(f"rank {candidates.document.id}")
        return Keyphrases.ranked(candidates, [VALUE * len(name) for name in candidates.surfaces])


def edit(moment):
    told = HERE.with_name("moment")
    if not told.is_file() or not told.read_text().startswith(moment):
        return
    what = told.read_text().split()[2:]
    told.unlink()
    value = "VALUE =" if "broken" in what else "VALUE = -1"
    HERE.write_text(HERE.read_text().replace("VALUE = 1", value))
    if "kill" in what:
        os.kill(os.getpid(), signal.SIGKILL)
"""

SCRIPT = """
import sys
import kpframe
from kpframe.cli import main
from kpframe.engine import batches, checkpoint

if __name__ == "__main__":
    import edited_stages

    kpframe.stage(edited_stages.Edited)
    batches.MAX_ITEMS, checkpoint.SECONDS = int(sys.argv[2]), 0
    sys.exit(main(["run", "spec.yaml", "--out", sys.argv[1], "--workers", "2", "--quiet"]))
"""


def script(folder: Path, out: str, items: int) -> subprocess.CompletedProcess[str]:
    """A run in a process of its own, with so many documents in a batch."""
    return subprocess.run(
        [sys.executable, "script.py", out, str(items)],
        cwd=folder,
        env={"PATH": "", "PYTHONPATH": f"{ROOT}:{folder}", "KPFRAME_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A script with stages of its own, and a run of it in `fresh`."""
    (tmp_path / "edited_stages.py").write_text(STAGES)
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "spec.yaml").write_text(SINGLE.replace("ranking: frequency", "ranking: edited"))
    jsonl(tmp_path / "corpus.jsonl", corpus(8))
    made = script(tmp_path, "fresh", 8)
    assert made.returncode == 0, made.stderr
    return tmp_path


@pytest.mark.parametrize("moment", ["observe d4 kill", "rank d4 kill", "rank d4 kill broken"])
def test_a_worker_that_is_begun_later_does_not_work_with_other_code(place: Path, moment: str) -> None:
    """The run ends and names the module; put back, it goes on, and all is as if nothing had happened."""
    (place / "moment").write_text(moment)
    ended = script(place, "out", 1)
    assert ended.returncode == 2
    assert "module edited_stages" in ended.stderr and "run it again; put back as it was" in ended.stderr
    assert "Traceback" not in ended.stderr
    (place / "edited_stages.py").write_text(STAGES)
    again = script(place, "out", 1)
    assert again.returncode == 0, again.stderr
    assert outcome(place / "out") == outcome(place / "fresh")


@pytest.mark.parametrize("moment", ["observe d4", "rank d4"])
def test_code_that_workers_have_may_be_edited(place: Path, moment: str) -> None:
    """All that is computed is of what they have, also where they are handed something else later."""
    (place / "moment").write_text(moment)
    made = script(place, "out", 8)
    assert made.returncode == 0, made.stderr
    assert "VALUE = -1" in (place / "edited_stages.py").read_text()
    assert outcome(place / "out") == outcome(place / "fresh")
