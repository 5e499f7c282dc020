"""What the READMEs and the examples show works: every block, every example, every shipped spec.

A block is left out only where its README says why, in a comment on the line before it:
`<!-- needs: data -->` for those that need the corpora, `<!-- not run: the reason -->` for others. What a
block of shell commands prints may follow it, after `<!-- prints: -->`, and is compared.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from kpframe.files.resources import shipped_specs
from kpframe.spec import load_specs
from kpframe.spec.build import TOP_LEVEL

pytestmark = [pytest.mark.slow, pytest.mark.acceptance]

ROOT = Path(__file__).resolve().parent.parent
READMES = [path for path in (ROOT / "README.md", *sorted(ROOT.glob("[a-z]*/README.md"))) if path.is_file()]
LONGEST = 260
"""Lines that a newcomer may be asked to read."""
DATA = Path(os.environ.get("KPFRAME_DATA", ROOT.parent / "shared" / "datasets")).resolve()
TIMEOUT = 600
"""Seconds; the whole grid on the demonstration corpus is the longest."""

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the corpora are not in {DATA}; set KPFRAME_DATA")


class Block(NamedTuple):
    """A fenced block: its language, its text, where it begins, and the comment on the line before."""

    language: str
    text: str
    line: int
    comment: str
    prints: str | None = None
    file: str = ""

    @property
    def name(self) -> str:
        """As `README.md:42-bash`."""
        return f"{self.file}:{self.line}-{self.language}"


def blocks(markdown: str, file: str = "") -> list[Block]:
    """All fenced blocks of a text, which stands in `file`."""
    found: list[Block] = []
    lines = markdown.splitlines()
    number = 0
    while number < len(lines):
        opening = re.fullmatch(r"```(\w*)", lines[number])
        if opening:
            end = lines.index("```", number + 1)
            before = lines[number - 1].strip() if number else ""
            comment = before[4:-3].strip() if before.startswith("<!--") else ""
            block = Block(opening[1], "\n".join(lines[number + 1 : end]), number + 1, comment, None, file)
            if comment == "prints:":
                found[-1] = found[-1]._replace(prints=block.text)
            found.append(block)
            number = end
        number += 1
    return found


def all_blocks() -> list[Block]:
    """The blocks of all READMEs."""
    return [
        block
        for path in READMES
        for block in blocks(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    ]


def parameters(*languages: str) -> list[object]:
    """The blocks in some languages, with the marks that their comments ask for."""
    made = []
    for block in all_blocks():
        if block.language in languages:
            marks = [needs_data] if block.comment == "needs: data" else []
            if block.comment.startswith("not run: "):
                marks.append(pytest.mark.skip(reason=block.comment.removeprefix("not run: ")))
            made.append(pytest.param(block, id=block.name, marks=marks))
    return made


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a reader: the command in PATH, the data found, one cache for all blocks."""
    folder = tmp_path_factory.mktemp("documentation")
    command = folder / "kpframe"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kpframe "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {
        **os.environ,
        "PATH": path,
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "KPFRAME_CACHE": str(folder / "cache"),
        "KPFRAME_DATA": str(DATA),
    }


def run(arguments: list[str], folder: Path, environment: dict[str, str]) -> str:
    """The output of a process that must succeed."""
    done = subprocess.run(
        arguments,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout


def test_blocks_are_found_with_their_comments() -> None:
    """Language, text, line, and the comment right before."""
    text = "a\n<!-- needs: data -->\n```bash\nls\n```\n\n<!-- x -->\n\n```\nplain\n```\n"
    assert blocks(text) == [Block("bash", "ls", 3, "needs: data"), Block("", "plain", 9, "")]
    text = "```bash\nls\n```\n<!-- prints: -->\n```text\na b\n```\n"
    assert blocks(text)[0] == Block("bash", "ls", 1, "", "a b")


def test_every_block_says_what_it_is() -> None:
    """A block in a language that no test knows would go unnoticed, and so would an unknown comment."""
    for block in all_blocks():
        assert block.language in {"bash", "python", "yaml", "text"}, block.name
        assert not block.comment or re.fullmatch(r"needs: data|prints:|not run: .+", block.comment), (
            block.name
        )


def test_a_newcomer_can_read_the_first_readme() -> None:
    """What is told at length stands in the folders."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("block", parameters("bash"))
def test_the_shell_commands_of_the_readme_work(
    block: Block, tmp_path: Path, environment: dict[str, str]
) -> None:
    """In an empty folder, one after the other."""
    printed = run(["bash", "-euo", "pipefail", "-c", block.text], tmp_path, environment)
    assert block.prints is None or printed.rstrip("\n") == block.prints


@pytest.mark.parametrize("block", parameters("python"))
def test_the_python_code_of_the_readme_works(
    block: Block, tmp_path: Path, environment: dict[str, str]
) -> None:
    """As a script of its own."""
    (tmp_path / "block.py").write_text(block.text, encoding="utf-8")
    run([sys.executable, "block.py"], tmp_path, environment)


@pytest.mark.parametrize("block", parameters("yaml"))
def test_the_specs_of_the_readme_are_right(block: Block, tmp_path: Path, environment: dict[str, str]) -> None:
    """A whole spec passes `kpframe check`; a part of one has keys that exist."""
    tree = yaml.safe_load(block.text)
    if isinstance(tree, dict) and {"extends", "candidates"} & set(tree):
        (tmp_path / "block.yaml").write_text(block.text, encoding="utf-8")
        run(["kpframe", "check", "block.yaml"], tmp_path, environment)
    else:
        assert set(tree) <= set(TOP_LEVEL)


@pytest.mark.parametrize("example", sorted((ROOT / "examples").rglob("*.py")), ids=lambda path: path.name)
def test_the_examples_work(example: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """Each alone, in an empty folder; one that reads the corpora says so by its first use of their folder."""
    if "KPFRAME_DATA" in example.read_text(encoding="utf-8") and not DATA.is_dir():
        pytest.skip(f"the corpora are not in {DATA}; set KPFRAME_DATA")
    run([sys.executable, str(example)], tmp_path, environment)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_the_example_specs_are_right(path: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """From any working directory."""
    if "KPFRAME_DATA" in path.read_text(encoding="utf-8") and not DATA.is_dir():
        pytest.skip(f"the corpora are not in {DATA}; set KPFRAME_DATA")
    run(["kpframe", "check", str(path)], tmp_path, environment)


@pytest.mark.parametrize("name", shipped_specs())
def test_the_shipped_specs_are_right(name: str) -> None:
    """`kpframe check` finds nothing, and each says what it is for."""
    text = shipped_specs()[name].read_text(encoding="utf-8")
    if ("${KPFRAME_DATA}" in text or "datasets:" in text) and not DATA.is_dir():
        pytest.skip(f"the corpora are not in {DATA}; set KPFRAME_DATA")
    spec = load_specs(name, data=DATA, purpose="check")
    assert spec.name == name
    assert spec.description


def shipped_rows() -> list[str]:
    """A row of a table for each shipped spec that is no mere base: its name, and its first sentence."""
    rows = []
    for name, path in shipped_specs().items():
        described = " ".join(yaml.safe_load(path.read_text(encoding="utf-8"))["description"].split())
        sentence = re.split(r"(?<=\.) (?=[A-Z])", described)[0]
        if not name.endswith("-base"):
            rows.append(f"| `{name}` | {sentence} |")
    return rows


def test_the_table_of_shipped_specs_is_that_of_their_descriptions() -> None:
    """A new spec brings its own row; where one is missing here, this prints it."""
    lines = (ROOT / "pipelines" / "README.md").read_text(encoding="utf-8").splitlines()
    begin = lines.index("| shipped | what it is |") + 2
    end = next(number for number in range(begin, len(lines)) if not lines[number].startswith("|"))
    assert lines[begin:end] == shipped_rows()


def test_the_readmes_name_every_public_name() -> None:
    """And every command and every key of a spec; kinds of stages are listed by `kpframe stages`."""
    import kpframe

    words = {word for path in READMES for word in re.findall(r"[\w@-]+", path.read_text(encoding="utf-8"))}
    public = {name for name in kpframe.__all__ if not name.startswith("__")}
    commands = {path.stem for path in (ROOT / "kpframe" / "commands").glob("*.py") if path.stem[0] != "_"}
    assert (public | commands | set(TOP_LEVEL)) - words == set()


def anchors(markdown: str) -> set[str]:
    """The names by which headings are linked to: small letters, hyphens for blanks, no other signs."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", markdown)
    headings = re.findall(r"(?m)^#+ (.+)$", prose)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_links_of_a_readme_lead_somewhere(readme: Path) -> None:
    """To a heading, or to a file or folder of the project; pictures say what they show."""
    text = readme.read_text(encoding="utf-8")
    wrong = [
        target
        for picture, says, target in re.findall(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", text)
        if not _leads_somewhere(readme, target) or (picture and not says)
    ]
    assert wrong == []


def _leads_somewhere(readme: Path, target: str) -> bool:
    place, _, anchor = target.partition("#")
    path = (readme.parent / place).resolve() if place else readme
    if path.is_dir() and anchor:
        path /= "README.md"
    return path.exists() and (not anchor or anchor in anchors(path.read_text(encoding="utf-8")))
