"""A new stage is one new file: those of `examples/stages`, added to a copy of the tree, pass its tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.acceptance]

ROOT = Path(__file__).resolve().parent.parent
STAGES = sorted((ROOT / "examples" / "stages").glob("*/*.py"))
SUITES = ("tests/test_contract.py", "tests/test_floors.py", "tests/ranking/test_ranking_contract.py")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package and its tests with a file more for each base, and nothing else changed."""
    copy = tmp_path_factory.mktemp("tree")
    for name in ("kpframe", "tests", "examples", "pipelines", "resources", "pyproject.toml"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    for path in STAGES:
        shutil.copy(path, copy / "kpframe" / path.parent.name / path.name)
    return copy


def run(arguments: list[str], tree: Path) -> subprocess.CompletedProcess[str]:
    """A process that sees the copy instead of this tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


def test_there_is_an_example_for_every_base() -> None:
    """One for each box of the chain, and one for a part."""
    from kpframe.stages import FOLDERS, PARTS

    assert {path.parent.name for path in STAGES} == {*FOLDERS, *PARTS}


def test_the_contract_suites_take_new_files_as_they_are(tree: Path) -> None:
    """Nothing is edited: no list, no schema, no README."""
    names = " or ".join([*(path.stem for path in STAGES), "files", "floor", "kinds"])
    done = run(["-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-k", names, *SUITES], tree)
    assert done.returncode == 0, done.stdout[-4000:]
    assert f"{tree}" not in done.stderr


def test_a_new_file_is_a_kind_like_any_other(tree: Path) -> None:
    """It is listed, described, checked and completed by the schema."""
    from kpframe.stages import PARTS

    for path in STAGES:
        listed = run(["-m", "kpframe", "stages", path.parent.name, path.stem], tree)
        assert listed.returncode == 0, listed.stderr
        assert path.stem in listed.stdout
    schema = run(["-m", "kpframe", "schema"], tree)
    assert all(f'"{path.stem}"' in schema.stdout for path in STAGES if path.parent.name not in PARTS)
