"""What it costs to start: CPU time of `kpframe --help`, `import kpframe` and `score`, and what they import.

python tests/benchmarks/startup.py [--repetitions 3]
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys

from side_by_side import ROOT, arguments, table

HELP = "import sys; from kpframe.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
IMPORT = "import sys; import kpframe\n"
SCORE = (
    "import sys, tempfile, pathlib; from kpframe.cli import main\n"
    "file = pathlib.Path(tempfile.mkdtemp(), 'p.jsonl')\n"
    'file.write_text(\'{"id": "a", "predicted": ["port"], "gold": ["port"]}\')\n'
    "main(['score', '--predictions', str(file)])\n"
)
HEAVY = ("numpy", "spacy", "sklearn", "scipy", "networkx", "nltk", "pydantic")


def run(code: str) -> str:
    """What a fresh interpreter prints when it runs some code."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def cpu_seconds(code: str, turns: int) -> float:
    """The median of the CPU time (user and system) of fresh interpreters that run some code."""
    times = []
    for _ in range(turns):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(code)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def heavy_imports(code: str) -> str:
    """The heavy packages that some code imports."""
    last = run(f"{code}print(*(name for name in {HEAVY!r} if name in sys.modules))").splitlines()[-1]
    return last.strip() or "none"


def main() -> None:
    """Measure and print."""
    turns = 3 * arguments(__doc__ or "", documents=0).repetitions
    run(HELP)
    run(SCORE)  # fills the file cache and writes the bytecode
    table(
        f"startup: CPU time, median of {turns}",
        [
            ("python alone", f"{cpu_seconds('pass', turns):.3f} s", ""),
            ("import kpframe", f"{cpu_seconds(IMPORT, turns):.3f} s", ""),
            ("kpframe --help", f"{cpu_seconds(HELP, turns):.3f} s", "target ≤ 0.4 s"),
            ("kpframe score, one document", f"{cpu_seconds(SCORE, turns):.3f} s", "target ≤ 0.6 s"),
            ("imported by kpframe score", heavy_imports(SCORE), "target: no numpy"),
            ("imported by import kpframe", heavy_imports(IMPORT), "target: neither spacy nor sklearn"),
            ("imported by kpframe --help", heavy_imports(HELP), "target: neither spacy nor sklearn"),
        ],
    )


if __name__ == "__main__":
    main()
