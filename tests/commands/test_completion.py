"""`kpframe completion`: the scripts, run by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from kpframe.cli import main
from kpframe.files.resources import shipped_specs
from kpframe.spec.measures import preset_names
from kpframe.stages import FOLDERS
from kpframe.stages.registry import kinds

pytestmark = pytest.mark.slow

SHELLS = ("bash", "zsh", "fish", "tcsh")
ASK = """\
source script.bash
read -ra COMP_WORDS <<< "$1"; [[ "$1" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_shtab_kpframe kpframe "${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""What bash itself does when TAB is pressed at the end of a line."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts, a spec, a text and a folder."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        with (folder / f"script.{shell}").open("w", encoding="utf-8") as script, redirect_stdout(script):
            assert main(["completion", shell]) == 0
    (folder / "mine.yaml").write_text("name: mine\n")
    (folder / "notes.txt").write_text("notes")
    (folder / "texts").mkdir()
    return folder


def completed(line: str, folder: Path) -> list[str]:
    """The words that bash offers at the end of `line`."""
    done = subprocess.run(
        ["bash", "--norc", "-c", ASK, "bash", line], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return [word for word in done.stdout.split("\n") if word]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_accepts_its_script(shell: str, scripts: Path) -> None:
    """As far as it can tell without running it."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    checked = subprocess.run(
        [shell, "-n", f"script.{shell}"], cwd=scripts, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("kpframe ext", ["extract"]),
        ("kpframe extract --pip", ["--pipeline"]),
        ("kpframe run --workers 2 quick", ["quickstart"]),
        ("kpframe run --out ", ["texts"]),
        ("kpframe extract --input n", ["notes.txt"]),
        ("kpframe score --preset kp", ["kpeval", "kpg"]),
        ("kpframe score --matching ex", ["exact"]),
        ("kpframe data stats duc insp", ["inspec"]),
        ("kpframe stages ranking tfi", ["tfidf"]),
        ("kpframe extract --format j", ["json", "jsonl"]),
        ("kpframe help comp", ["compare", "completion"]),
        ("kpframe extract --top ", []),
    ],
)
def test_words_are_completed(line: str, words: list[str], scripts: Path) -> None:
    """Commands, options, choices, what is shipped or registered, files and folders."""
    assert completed(line, scripts) == words


def test_all_that_is_known_is_offered(scripts: Path) -> None:
    """Specs, presets and boxes; pipelines are the specs without a grid."""
    shipped = {name for name in shipped_specs() if not name.endswith("-base")}
    assert set(completed("kpframe check ", scripts)) == shipped
    assert completed("kpframe presets ", scripts) == preset_names()
    assert set(kinds("metrics")) <= set(completed("kpframe score --metric ", scripts))
    assert set(FOLDERS) <= set(completed("kpframe stages ", scripts))
    pipelines = completed("kpframe extract --pipeline ", scripts)
    assert {"textrank", "tfidf"} <= set(pipelines) <= shipped - {"quickstart"}
