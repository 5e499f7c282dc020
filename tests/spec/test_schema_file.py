"""The shipped JSON schema, and how specs refer to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kpframe.files.resources import shipped_specs, specs_folder

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


def test_the_shipped_schema_is_up_to_date() -> None:
    """Byte for byte what `kpframe schema` prints; renew it by: kpframe schema > pipelines/schema.json."""
    made = subprocess.run(
        [sys.executable, "-m", "kpframe", "schema"],  # a process of its own, as tests register stages
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert made.stdout == (specs_folder() / "schema.json").read_bytes()


@pytest.mark.parametrize("path", [*shipped_specs().values(), *EXAMPLES], ids=lambda path: path.stem)
def test_every_spec_names_the_schema_by_a_relative_path(path: Path) -> None:
    """On its first line, where editors look; the path leads to the file, without any network."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    before, _, where = first.partition("$schema=")
    assert before == "# yaml-language-server: "
    assert not Path(where).is_absolute() and "://" not in where
    schema = json.loads((path.parent / where).read_text(encoding="utf-8"))
    assert schema["title"] == "kpframe spec"
