"""The list of deliberate faults fits the code: one that cannot be put in is one that nobody tries."""

from __future__ import annotations

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent


def test_every_fault_can_be_put_in() -> None:
    """What is replaced stands exactly once in its file, and the tests that must notice exist."""
    faults = yaml.safe_load((ROOT / "tests" / "faults.yaml").read_text(encoding="utf-8"))
    wrong = []
    for fault in faults:
        file = ROOT / fault["file"]
        found = file.read_text(encoding="utf-8").count(fault["old"]) if file.is_file() else 0
        suites = [ROOT / test.partition("::")[0] for test in fault["tests"].split()]
        missing = [str(suite.relative_to(ROOT)) for suite in suites if not suite.exists()]
        if found != 1 or missing:
            wrong.append(f"{fault['file']}: {fault['name']}: stands {found} times; missing: {missing}")
    assert len(faults) > 100 and not wrong, "\n".join(wrong)
