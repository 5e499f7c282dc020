"""The page over 5 data sets × 30 systems × 500 documents: its size, how fast it opens, what axe says of
it.

    python tests/benchmarks/large_page.py [--documents 500]

Predictions are runs of words of Inspec abstracts, more of them gold from system to system. One data set
is run, and stands five times in the folder: the page shares nothing between data sets, so that its size
is that of five. Opened by Chromium from disk; what counts is the time until the page says that it has
drawn itself, the median of the repetitions. Needs the corpora, chromium and chromedriver.
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from side_by_side import ROOT, arguments, corpora, table

from kpframe import Document, Experiment
from kpframe.htmlreport.study import write_study_page
from kpframe.runs.study_folder import StudyFolder
from kpframe.spec import build
from kpframe.stages.registry import lookup

sys.path.insert(0, str(ROOT / "tests" / "htmlreport"))
from browsing import browser, missing, open_page, resize

DATASETS, SYSTEMS, PHRASES = 5, 30, 10


def predicted(document: Document, chance: random.Random, share: float) -> list[str]:
    """Runs of words of the text, and a share of gold."""
    words, gold = document.text.split(), [one.text for one in document.gold]
    found = []
    for _ in range(PHRASES):
        begin = chance.randrange(max(1, len(words) - 3))
        run = " ".join(words[begin : begin + chance.randint(1, 3)])
        found.append(chance.choice(gold) if gold and chance.random() < share else run)
    return found


def a_run(folder: Path, count: int) -> Path:
    """Thirty systems over one corpus."""
    read = lookup("documents", "hulth2003")(path=str(corpora() / "Hulth2003.tar.gz")).read()  # type: ignore[attr-defined]
    documents = [document for document in read if isinstance(document, Document)][:count]
    chance = random.Random(2009)
    systems = {}
    for number in range(SYSTEMS):
        rows = ({"id": one.id, "keyphrases": predicted(one, chance, number / 60)} for one in documents)
        path = folder / f"system-{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        systems[f"system-{number}"] = {"predictions": str(path)}
    corpus = folder / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(one.to_json()) + "\n" for one in documents), encoding="utf-8")
    tree = {
        "name": "large",
        "documents": {"kind": "jsonl", "path": str(corpus)},
        "preprocessing": [],
        "systems": systems,
        "metrics": ["r_precision", "f1@10"],
    }
    return Experiment(build(tree)).run(out=folder / "run").folder


def opened(page: Path, repetitions: int) -> tuple[float, int, list[str]]:
    """Seconds until it has drawn itself; in dark its width at 400 pixels, and what axe finds serious."""
    from axe_core_python.selenium import Axe

    seconds = []
    with browser() as driver:
        for _ in range(repetitions):
            driver.get("about:blank")
            begin = time.perf_counter()
            open_page(driver, page)
            seconds.append(time.perf_counter() - begin)
        resize(driver, 400)
        open_page(driver, page, scheme="dark")
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        violations = Axe().run(driver)["violations"]
    serious = [rule["id"] for rule in violations if rule["impact"] in ("serious", "critical")]
    return statistics.median(seconds), wide, serious


def main() -> int:
    """Run, copy, render, open and print."""
    options = arguments(__doc__ or "", documents=500)
    if missing():
        sys.exit(f"not measured: {missing()}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run = a_run(folder, options.documents)
        names = [f"corpus-{number}" for number in range(DATASETS)]
        study = StudyFolder.begun(folder / "study", "large", names)
        for name in names:
            shutil.copytree(run, study.run_folder(name))
        begin = time.process_time()
        write_study_page(study, study.across())
        made = time.process_time() - begin
        page = folder / "study" / "report.html"
        size = page.stat().st_size / 1e6
        seconds, wide, serious = opened(page, options.repetitions)
    table(
        f"a page of {DATASETS} data sets × {SYSTEMS} systems × {options.documents} documents",
        [
            ("size", f"{size:.1f} MB", "target < 15 MB"),
            ("opens in", f"{seconds:.2f} s", "target < 2 s"),
            ("width on a screen of 400 pixels", f"{wide}", "400"),
            ("serious findings of axe, in dark", ", ".join(serious) or "none", "none"),
            ("CPU of making it", f"{made:.0f} s", ""),
        ],
    )
    return 1 if serious or size >= 15 or wide > 400 else 0


if __name__ == "__main__":
    sys.exit(main())
