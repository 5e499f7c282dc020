"""`kpframe run zesch2009` whole, in one go, and killed three times: time, memory, and whether the bytes
are equal.

    python tests/benchmarks/killed_study.py [--documents 3000]

Three corpora, 16 systems, from raw text, one worker. Each kill (-9) comes when another data set is in the
middle of its documents. What tells how a run went (`log.jsonl`, and the page, which has the times of all
stages) is not compared. Needs the corpora.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from side_by_side import ROOT, arguments, corpora, table

SPEC = "zesch2009"
DATASETS = ("inspec", "duc", "sp")
HOW_IT_WENT = ("log.jsonl", "report.html")


def begun(out: Path, cache: Path, documents: int) -> subprocess.Popen[bytes]:
    """The run, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KPFRAME_CACHE": str(cache)}
    words = ["run", SPEC, "--quiet", "--data", str(corpora()), "--out", str(out), "--limit", str(documents)]
    return subprocess.Popen(
        [sys.executable, "-m", "kpframe", *words], env=environment, stdout=subprocess.DEVNULL
    )


def killed(out: Path, cache: Path, documents: int) -> int:
    """Kill the run in the middle of each data set; how often it was caught there. Then let it end."""
    caught = 0
    for name in DATASETS:
        process = begun(out, cache, documents)
        # A few documents are on disk, and no cell of the data set is finished.
        while process.poll() is None and not any(
            map(_long, out.glob(f"datasets/{name}/.work/cells/*/scores.jsonl"))
        ):
            time.sleep(0.01)
        caught += process.poll() is None and not any(out.glob(f"datasets/{name}/cells/*/cell.json"))
        process.kill()
        process.wait()
    finished(begun(out, cache, documents))
    return caught


def _long(path: Path) -> bool:
    try:
        return path.stat().st_size > 1000
    except OSError:
        return False


def finished(process: subprocess.Popen[bytes]) -> None:
    """Wait for a run that must succeed (1: a reader left something out)."""
    if process.wait() not in (0, 1):
        sys.exit(f"a run failed with status {process.returncode}")


def contents(out: Path) -> dict[str, bytes]:
    """All files by their names, but for what tells how a run went."""
    files = (path for path in out.rglob("*") if path.is_file() and path.name not in HOW_IT_WENT)
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


def main() -> int:
    """Run, kill, compare and print."""
    documents = arguments(__doc__ or "", documents=3000).documents
    with tempfile.TemporaryDirectory() as scratch:
        whole, struck = Path(scratch, "whole"), Path(scratch, "struck")
        begin = time.monotonic()
        finished(begun(whole, Path(scratch, "cache"), documents))
        wall = time.monotonic() - begin
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        caught = killed(struck, Path(scratch, "cache-of-struck"), documents)
        one, other = contents(whole), contents(struck)
    differing = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    table(
        f"{SPEC}: {len(DATASETS)} corpora of at most {documents:,} documents, 16 systems, one worker",
        [
            (
                "from raw text, CPU (and by the clock)",
                f"{used.ru_utime + used.ru_stime:.0f} s ({wall:.0f} s)",
                "",
            ),
            ("peak memory", f"{used.ru_maxrss / 1024:.0f} MB", ""),
            ("killed in the middle of a data set", f"{caught} times", "3"),
            ("files that then differ", f"{len(differing)} of {len(one)}", "0"),
        ],
    )
    print("\n".join(differing))
    return 1 if differing or caught < len(DATASETS) else 0


if __name__ == "__main__":
    sys.exit(main())
