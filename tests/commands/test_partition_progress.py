"""What is seen of an extraction over partitions: how many of them are done, and each notice once."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from command_line import FAST, Outcome, run
from rich.console import Console, Group

from kpframe.commands import _partitions
from kpframe.commands._extracting import Options
from kpframe.commands._partition_tally import Tally
from kpframe.commands._partition_task import Task
from kpframe.engine import progress
from kpframe.engine.named_files import NamedFiles
from kpframe.engine.operating import Operation, Parts, under_way
from kpframe.engine.pipeline import Pipeline
from kpframe.files import partitions
from kpframe.files.partitions import Partition, made_since
from kpframe.files.urls import version


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a quick pipeline and three partitions, where commands are typed."""
    monkeypatch.chdir(tmp_path)
    Path("fast.yaml").write_text(FAST)
    Path("in").mkdir()
    for i in range(3):
        Path(f"in/{i}.csv").write_text(f"id,text\n{i},red kites\n{i}b,green trees\n")


def extract(capsys: pytest.CaptureFixture[str], *more: str) -> Outcome:
    """The command."""
    return run(capsys, "extract", "in", "--out", "out/", "--pipeline", "fast.yaml", *more)


def test_partitions_have_a_total(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In lines, values and metrics; those that were there already count."""
    lines: list[str] = []
    seen = Tally.advance

    def told(self: Tally, documents: int) -> None:
        seen(self, documents)
        operation = progress.current()
        assert operation is not None and operation.values()["partitions_total"] == 3
        lines.append(operation.line())

    monkeypatch.setattr(Tally, "advance", told)
    assert extract(capsys, "--metrics-file", "m.prom").status == 0
    shown = [re.findall(r"extracting: (\d) documents?, (\d of \d) partitions, ", line)[0] for line in lines]
    assert shown == [(str(i + 1), f"{i // 2} of 3") for i in range(6)]
    metrics = Path("m.prom").read_text()
    assert "\nkpframe_partitions_done 3\n" in metrics and "\nkpframe_partitions_expected 3\n" in metrics
    Path("in/1.csv").write_text("id,text\n1,blue\n")
    del lines[:]
    assert extract(capsys).status == 0
    assert len(lines) == 1 and "extracting: 1 document, 2 of 3 partitions, " in lines[0]


def test_the_time_left_is_that_of_partitions() -> None:
    """Those that were there took none; nothing is known before one is made."""
    parts = Parts(12, there=2)
    assert parts.left(60) is None
    parts.done += 5
    assert parts.left(60) == 60
    with under_way() as operation:
        operation.begin("extracting", None, parts)
        operation.advance(10)
        assert isinstance(operation.values()["left"], float)
        assert Operation().values().keys() == operation.values().keys() - {"partitions", "partitions_total"}


def test_bars_are_those_of_partitions() -> None:
    """On a terminal, with the documents beside them."""
    parts = Parts(12, there=2)
    bar = progress._RichBar(None, "extracting", parts)
    bar.close()
    parts.done += 1
    bar.update(1234)
    screen = Console(file=io.StringIO(), width=120, record=True)
    screen.print(Group(*bar._bars.get_renderables()))
    assert "3/12 partitions, 1,234 documents, " in " ".join(screen.export_text().split())


@pytest.mark.parametrize("bad", [1, 2, 25])
def test_what_is_left_out_is_told_once(bad: int, capsys: pytest.CaptureFixture[str]) -> None:
    """One thing, or some, by name; many are counted."""
    Path("in/1.csv").write_text("id,text\n" + "".join(f"{i},too,many\n" for i in range(bad)))
    err = extract(capsys).err
    named = [f"skipped: in/1.csv:{i + 2}: has 3 fields, the header 2" for i in range(bad)]
    many = "skipped: 25 things, the first: in/1.csv:2: has 3 fields, the header 2"
    assert [line for line in err.splitlines() if "fields" in line] == (named if bad < 25 else [many])


def test_what_is_left_out_is_told_where_all_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """As of a single file: the exit status alone says nothing."""
    Path("in/1.csv").write_text("id,text\n1,too,many\n")
    told = "error: skipped: in/1.csv:2: has 3 fields, the header 2\n"
    assert extract(capsys, "--quiet") == extract(capsys, "--quiet") == (1, "", told)


def test_what_was_made_meanwhile_counts_and_no_input_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By manifests that were written since; one from before, or of another command, does not count."""
    assert extract(capsys).status == 0
    found = [Partition(f"in/{i}.csv", "out", f"{i}.csv") for i in range(3)]
    identity = json.loads(Path("out/_manifest/0.csv.json").read_text())["identity"]
    task = Task(Pipeline.load("fast.yaml"), Options(), identity, NamedFiles())
    before = {found[0]: None, found[1]: version(found[1].manifest), found[2]: version(found[2].manifest)}
    assert partitions.outdate(found[2])

    def unread(path: str) -> str:
        raise AssertionError(path)

    monkeypatch.setattr(partitions, "fingerprint", unread)
    tally = Tally(found, {}, [], [])
    with pytest.raises(KeyboardInterrupt), _partitions._made_meanwhile(task, before, tally):
        raise KeyboardInterrupt
    assert tally.state().made == 1 and [one.name for one in tally.unknown(found)] == ["1.csv", "2.csv"]
    assert made_since(found[0], "of another pipeline", None) is None
    Path("out/0.csv").unlink()
    assert made_since(found[0], identity, None) is None
