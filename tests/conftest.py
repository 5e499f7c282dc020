"""What holds for all tests: none depends on how fast a machine is."""

from __future__ import annotations

import gc
import logging
import re
from pathlib import Path

import families
import pytest
from hypothesis import settings

# What is wrong is mostly wrong for one of the first examples, and each run draws others: `make test` looks at
# fewer than continuous integration, `make check` at few.
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.register_profile("kpframe", deadline=None, max_examples=30)
settings.register_profile("quick", deadline=None, max_examples=15)
settings.load_profile("kpframe")

MARKS_OF_A_FILE = re.compile(r"^pytestmark = (pytest\.mark\.\w+$|\[.*?\]$)", re.MULTILINE | re.DOTALL)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that are left out as a whole by `-m "not slow"` are not even imported, nor their libraries."""
    said = [part.split() for part in config.option.markexpr.split(" and ")]
    left_out = [words[1] for words in said if len(words) == 2 and words[0] == "not"]
    if not left_out or collection_path.suffix != ".py":
        return None
    marks = MARKS_OF_A_FILE.search(collection_path.read_text(encoding="utf-8"))
    return True if marks and any(f"pytest.mark.{name}" in marks[1] for name in left_out) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    """One of many cases can be tried alone."""
    parser.addoption(
        "--case", default="", metavar="WORD", help="of families, try cases whose names have WORD"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collecting makes objects that all stay: looking for garbage among them finds none."""
    gc.disable()
    families.only = config.getoption("--case")


def pytest_collection_finish() -> None:
    """Nor is there garbage among them later, however often it is looked for; looking once more takes long."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _logger_as_a_program_finds_it() -> None:
    """Whatever commands have done to it, also one in a fixture of a whole module, which is made before."""
    log = logging.getLogger("kpframe")
    log.setLevel(logging.NOTSET)
    log.handlers.clear()
    log.propagate = True
