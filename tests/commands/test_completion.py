"""`kpframe completion`: the scripts, run by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import run, spawn

from kpframe.files.resources import shipped_specs
from kpframe.spec.measures import preset_names
from kpframe.stages import FOLDERS
from kpframe.stages.registry import kinds

SHELLS = ("bash", "zsh", "fish")
ASK = """\
source script.bash
COMP_LINE=$1 COMP_POINT=${#1}
_kpframe
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""What bash itself does when TAB is pressed at the end of a line."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts, a spec, a text and a folder."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        done = spawn("completion", shell, folder=folder)
        assert (done.returncode, done.stderr) == (0, b"")
        (folder / f"script.{shell}").write_bytes(done.stdout)
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


def test_bash_calls_the_function_for_the_command(scripts: Path) -> None:
    """Once the script was read."""
    done = subprocess.run(
        ["bash", "--norc", "-c", "source script.bash; complete -p kpframe"],
        cwd=scripts,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "complete -o default -F _kpframe kpframe\n"


def test_commands_are_completed(scripts: Path) -> None:
    """All of them, and those that begin as the word does."""
    assert {"run", "extract", "completion"} <= set(completed("kpframe ", scripts))
    assert completed("kpframe ext", scripts) == ["extract"]


def test_options_are_completed_where_a_word_begins_with_a_dash(scripts: Path) -> None:
    """Those of the command."""
    assert completed("kpframe extract --pip", scripts) == ["--pipeline"]
    assert "--predictions" in completed("kpframe score --", scripts)
    assert "--pipeline" not in completed("kpframe score --", scripts)


def test_specs_are_completed_with_files_and_shipped_names(scripts: Path) -> None:
    """For each command that takes one."""
    shipped = {name for name in shipped_specs() if not name.endswith("-base")}
    for command in ("run", "check", "train"):
        assert set(completed(f"kpframe {command} ", scripts)) == {*shipped, "mine.yaml"}
    assert completed("kpframe run --workers 2 quick", scripts) == ["quickstart"]


def test_pipelines_are_the_shipped_specs_that_extract_can_use(scripts: Path) -> None:
    """Not those with a grid."""
    assert set(completed("kpframe extract --pipeline ", scripts)) == {
        "textrank", "tfidf", "kea", "noun-phrases", "mine.yaml",
    }  # fmt: skip


def test_presets_are_completed(scripts: Path) -> None:
    """As an option and as an argument."""
    assert completed("kpframe presets ", scripts) == preset_names()
    assert completed("kpframe score --preset kp", scripts) == ["kpeval", "kpg"]


def test_metrics_and_matchings_are_completed(scripts: Path) -> None:
    """Kinds; those with a cut-off also with the usual ones, although bash ends words at `@`."""
    assert set(kinds("metrics")) <= set(completed("kpframe score --metric ", scripts))
    assert completed("kpframe score --metric precision@", scripts) == ["5", "10"]
    assert completed("kpframe score --metric precision@5 --matching ex", scripts) == ["exact"]
    assert completed("kpframe score --metric=r_pr", scripts) == ["r_precision"]


def test_boxes_and_their_kinds_are_completed(scripts: Path) -> None:
    """The kinds of the box that was named."""
    assert completed("kpframe stages ", scripts) == list(FOLDERS)
    for folder in FOLDERS:
        assert completed(f"kpframe stages {folder} ", scripts) == kinds(folder)


def test_choices_are_completed_also_after_an_equals_sign(scripts: Path) -> None:
    """Whatever the parser knows them for."""
    assert completed("kpframe extract --format j", scripts) == ["json", "jsonl"]
    assert completed("kpframe extract --format=j", scripts) == ["json", "jsonl"]
    assert completed("kpframe completion ", scripts) == list(SHELLS)


def test_a_list_of_names_goes_on(scripts: Path) -> None:
    """After the action of `data`, as many corpora as one likes."""
    assert completed("kpframe data sta", scripts) == ["stats"]
    for before in ("", "duc ", "duc sp "):
        assert "inspec" in completed(f"kpframe data stats {before}", scripts)


def test_a_text_in_quotes_is_one_word(scripts: Path) -> None:
    """Whatever stands in it."""
    assert completed('kpframe extract --text "one --format \'two" --form', scripts) == ["--format"]
    assert completed('kpframe extract --text "a b" --pipeline text', scripts) == ["textrank"]


def test_folders_are_completed_where_a_folder_is_meant(scripts: Path) -> None:
    """No file."""
    assert completed("kpframe run --out ", scripts) == ["texts"]
    assert "notes.txt" in completed("kpframe extract --input ", scripts)


def test_nothing_is_offered_where_nothing_is_known(scripts: Path) -> None:
    """A number, a text, an unknown command."""
    for line in ("kpframe extract --top ", "kpframe extract --text ", "kpframe nothing "):
        assert completed(line, scripts) == []


def test_fish_completes_the_same_words(scripts: Path, tmp_path: Path) -> None:
    """Asked as a user asks it."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    for line, expected in (
        ("kpframe ext", {"extract"}),
        ("kpframe stages ranking te", set()),
        ("kpframe stages ranking coocc", {"cooccurrence"}),
        ("kpframe extract --text 'a b' --pipeline textr", {"textrank"}),
        ("kpframe score --preset kp", {"kpeval", "kpg"}),
        ("kpframe data stats duc insp", {"inspec"}),
        ("kpframe run qui", {"quickstart"}),
    ):
        done = subprocess.run(
            ["fish", "--no-config", "-c", "source script.fish; complete -C $argv[1]", line],
            cwd=scripts,
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TERM": "dumb"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert {row.split("\t")[0] for row in done.stdout.splitlines()} == expected, line


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With those that there are."""
    done = run(capsys, "completion", "tcsh")
    assert done.status == 2
    assert "invalid choice: 'tcsh'" in done.err
