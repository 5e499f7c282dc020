"""The JSON schema of specs: made when it is asked for, and how specs refer to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from families import every

from kpframe.files.resources import shipped_specs, specs_folder
from kpframe.stages import FOLDERS
from kpframe.stages.registry import kinds

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


@pytest.mark.slow
def test_the_schema_knows_every_kind() -> None:
    """What `kpframe schema` prints is made from the stages that there are, whichever those are."""
    made = subprocess.run(
        [sys.executable, "-m", "kpframe", "schema"],  # a process of its own, as tests register stages
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    definitions = json.loads(made.stdout)["$defs"]
    for folder in FOLDERS:
        titles = {branch.get("title") for branch in definitions[folder]["anyOf"]}
        there = {path.stem for path in (ROOT / "kpframe" / folder).glob("[a-z]*.py")}
        assert there <= titles
        assert titles - {None} <= set(kinds(folder))


@every("path", [*shipped_specs().values(), *EXAMPLES], ids=lambda path: path.stem)
def test_every_spec_names_the_schema_by_a_relative_path(path: Path) -> None:
    """On its first line, where editors look: the file that `make schema` writes, without any network."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    before, _, where = first.partition("$schema=")
    assert before == "# yaml-language-server: "
    assert not Path(where).is_absolute() and "://" not in where
    assert (path.parent / where).resolve() == specs_folder().resolve() / "schema.json"
