"""The language of most texts decides whether anything can be done; texts in others fail by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands.command_line import FAST, run

CHINESE = "机器学习是人工智能的一个分支。深度学习使用神经网络来处理数据，语言模型可以生成文本。"
GERMAN = (
    "Die Energiewende in Deutschland verlangt neue Netze. Windkraft und Sonnenenergie liefern immer mehr "
    "Strom, doch die Speicher fehlen noch in vielen Regionen des Landes."
)
ENGLISH = "The neural networks of the study are trained on large corpora of text and the results are good."


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a pipeline that needs no model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    Path("fast.yaml").write_text(FAST)


def table(name: str, *texts: str) -> str:
    """A csv with these texts, whose ids count from 0."""
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text("id,text\n" + "".join(f'{i},"{text}"\n' for i, text in enumerate(texts)))
    return name


@pytest.mark.parametrize("place", [0, 2, 3])
@pytest.mark.parametrize("other", [CHINESE, GERMAN])
def test_one_text_fails_wherever_it_stands(
    capsys: pytest.CaptureFixture[str], other: str, place: int
) -> None:
    """As the first it stopped all; the others are extracted, and the exit status says that one was not."""
    texts = [ENGLISH] * 3
    texts.insert(place, other)
    done = run(capsys, "extract", table("t.csv", *texts), "--top", "1", "--format", "jsonl")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert (done.status, len(found)) == (1, 4)
    assert [one["id"] for one in found if not one["keyphrases"]] == [str(place)]


def test_what_a_text_says_of_itself_counts_like_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    """A stated language of the first document is that document's."""
    lines = [{"text": CHINESE, "language": "zh"}, {"text": ENGLISH}, {"text": ENGLISH, "language": "en"}]
    Path("t.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = run(capsys, "extract", "--pipeline", "fast.yaml", "t.jsonl", "--format", "jsonl")
    assert (done.status, done.out.count("\n")) == (1, 3)


def test_most_texts_without_a_model_are_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where the first one could be worked on; half of them are not most."""
    fast = ("extract", "--pipeline", "fast.yaml")
    done = run(capsys, *fast, table("most.csv", ENGLISH, CHINESE, CHINESE))
    assert (done.status, done.out) == (2, "")
    assert "error: most texts seem to be in 'zh': " in done.err
    assert "or --language, if that is not the language" in done.err
    assert run(capsys, *fast, table("half.csv", ENGLISH, CHINESE)).status == 1


def test_a_run_goes_on_where_half_can_be_worked_on(capsys: pytest.CaptureFixture[str]) -> None:
    """The same rule as for extraction, whichever language is the first in the alphabet."""
    Path("half.yaml").write_text(FAST + "documents: {kind: jsonl, path: half.jsonl}\n")
    lines = [{"text": ENGLISH}, {"text": CHINESE, "language": "bo"}, {"text": CHINESE, "language": "bo"}]
    for count, status in ((2, 1), (3, 2)):
        Path("half.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines[:count]))
        assert run(capsys, "run", "half.yaml", "--out", str(count)).status == status


def test_a_partition_in_another_language_is_lost_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Partitions are often parted by language: one ended the command before the others were made."""
    table("in/a.csv", CHINESE)
    table("in/b.csv", ENGLISH)
    done = run(capsys, "extract", "--pipeline", "fast.yaml", "in", "--out", "out/", "--format", "csv")
    assert done.status == 1 and "a.csv" in done.err and "'zh'" in done.err
    assert [path.name for path in Path("out").glob("*.csv")] == ["b.csv"]


def test_one_text_without_spaces_hinders_no_look(capsys: pytest.CaptureFixture[str]) -> None:
    """`new` and `data stats` refused a file for one of six; a file that is mostly so is still refused."""
    mixed = table("mixed.csv", CHINESE, *[ENGLISH] * 5)
    made = run(capsys, "new", mixed)
    assert made.status == 0 and "1 document in 'zh', which puts no spaces between words" in made.out
    assert "preprocessing: [tokenize, pos]" in Path("mixed.yaml").read_text()
    assert run(capsys, "data", "stats", mixed).status == 0
    assert run(capsys, "new", table("most.csv", ENGLISH, CHINESE, CHINESE)).status == 2
