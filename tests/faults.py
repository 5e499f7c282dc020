"""Deliberate faults, put in one at a time: which tests notice them?

    python tests/faults.py                  # all; minutes
    python tests/faults.py --only matching  # those whose file or name has the word

Each entry of `faults.yaml` names a file, a line of it (`old`, which must stand there exactly once), what
replaces it (`new`), and the tests that must fail then. The tree is copied; nothing here is changed. The exit
status is 1 if a fault is not noticed, or no longer fits the code, and 2 if tests fail without any.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 1800
"""Seconds after which tests that have not ended count as failed."""

COPIED = ("kpframe", "tests", "examples", "pipelines", "resources", "pyproject.toml", "README.md")


def main() -> int:
    """Try the faults and print a line for each."""
    parser = argparse.ArgumentParser(description="Put faults in one at a time and see which tests notice.")
    parser.add_argument("--only", default="", metavar="WORD", help="faults whose file or name has the word")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args()
    faults = yaml.safe_load((ROOT / "tests" / "faults.yaml").read_text(encoding="utf-8"))
    chosen = [fault for fault in faults if options.only in f"{fault['file']} {fault['name']}"]
    with _trees(options.processes) as trees, ThreadPoolExecutor(options.processes) as pool:
        suites = sorted({suite for fault in chosen for suite in fault["tests"].split()})
        if not _pass_unchanged(_outermost(suites), trees, options.processes):
            print("error: tests fail without any fault; mend that first", file=sys.stderr)
            return 2
        missed = 0
        for fault, outcome in zip(chosen, pool.map(lambda one: _tried(one, trees), chosen), strict=True):
            missed += not outcome.startswith("caught")
            print(f"{outcome:>9}  {fault['file']}: {fault['name']}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} faults are caught")
    return 1 if missed or not chosen else 0


@contextmanager
def _trees(number: int) -> Iterator[Queue[Path]]:
    """Copies of the project, one for each process."""
    trees: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        for i in range(number):
            copy = Path(folder) / str(i)
            copy.mkdir()
            for name in COPIED:
                source = ROOT / name
                if source.is_dir():
                    shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(source, copy / name)
            trees.put(copy)
        yield trees


def _tried(fault: dict[str, Any], trees: Queue[Path]) -> str:
    """`caught`, `MISSED`, or why the fault could not be put in."""
    tree = trees.get()
    path = tree / fault["file"]
    sound = path.read_text(encoding="utf-8") if path.is_file() else ""
    try:
        if sound.count(fault["old"]) != 1:
            return "NOT THERE" if fault["old"] not in sound else "AMBIGUOUS"
        path.write_text(sound.replace(fault["old"], fault["new"]), encoding="utf-8")
        return "MISSED" if _pass(fault["tests"].split(), tree) else "caught"
    finally:
        if sound:
            path.write_text(sound, encoding="utf-8")
        trees.put(tree)


def _outermost(suites: list[str]) -> list[str]:
    """Without the files of folders that are there themselves: pytest would run them twice."""
    return [one for one in suites if not any(one.startswith(f"{other}/") for other in suites)]


def _pass_unchanged(suites: list[str], trees: Queue[Path], processes: int) -> bool:
    """Whether all tests pass without a fault; a test that fails anyway would catch everything."""
    tree = trees.get()
    try:
        return not suites or _pass(
            [*suites, f"--numprocesses={processes}", "--dist=worksteal"], tree, told=True
        )
    finally:
        trees.put(tree)


def _pass(tests: Sequence[str], tree: Path, *, told: bool = False) -> bool:
    data = os.environ.get("KPFRAME_DATA", str(ROOT.parent / "shared" / "datasets"))
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        # A fault is as long as what it replaces, now and then, and written in the same second.
        "PYTHONDONTWRITEBYTECODE": "1",
        "KPFRAME_DATA": str(Path(data).resolve()),
        "KPFRAME_CACHE": str(tree / "cache"),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return False  # a test that waits for what never comes notices too
    # With several processes `-x` ends with 2, as what cannot be collected does.
    if done.returncode not in (0, 1) and "stopping after 1 failures" not in done.stdout:
        raise SystemExit(f"{' '.join(tests)}: cannot be run\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    if done.returncode and told:
        print(done.stdout[-3000:], file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
