"""`kpframe recommend`: every pipeline on the same texts, or what is known of texts like these."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import run

import kpframe as kp
from kpframe.analysis.catalogue import known_corpora
from kpframe.analysis.known_results import known
from kpframe.analysis.recommendation import COLUMN, ENOUGH, Measured, Row, measured
from kpframe.commands._recommended import as_text
from kpframe.model import Document
from kpframe.runs.finished import FinishedRun

pytestmark = pytest.mark.slow


def demo(count: int) -> list[Document]:
    """The first documents of the demonstration corpus, which has none that is skipped."""
    (corpus,) = (corpus for corpus in known_corpora() if corpus.name == "demo")
    assert corpus.reader is not None
    documents = [item for item in corpus.reader.read() if isinstance(item, Document)]
    return documents[:count]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))


def texts(file: str, documents: list[Document], *, gold: bool) -> None:
    """A file with a document a line."""
    found = [[keyphrase.variants[0] for keyphrase in one.gold] for one in documents]
    lines = [
        {"text": one.text, **({"gold": own} if gold else {})}
        for one, own in zip(documents, found, strict=True)
    ]
    Path(file).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.mark.acceptance
def test_with_gold_all_pipelines_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """A table with the best first, the page of the run, and a spec that works as it is."""
    texts("mine.jsonl", demo(4), gold=True)
    done = run(capsys, "recommend", "mine.jsonl", "--quiet")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("mine.jsonl: 4 documents with gold, ")
    rows = [line.split() for line in lines[3 : lines.index(next(x for x in lines if x.startswith("*:")))]]
    names = [row[0] for row in rows]
    assert set(names) == {c.name for c in kp.Experiment.load("baselines").spec.configurations}  # type: ignore[union-attr]
    scores = [float(row[1].strip("*~")) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert "Undecided: 4 documents cannot tell " in done.out
    assert "Recommended: " not in done.out
    recommended = done.out.split("Recommended until there is more gold: ")[1].split(" ")[0]
    assert rows[names.index(recommended)][1][-1] in "*~"
    assert "Too few documents for the pipelines that learn from gold" in done.out
    folder = Path("runs/recommend/mine-jsonl")
    assert (folder / "report.html").is_file()
    spec = (folder / "recommended.yaml").read_text()
    assert f"extends: {recommended}\n" in spec
    assert "4 documents cannot tell" in spec.splitlines()[0]
    assert run(capsys, "check", str(folder / "recommended.yaml")).status == 0


@pytest.mark.acceptance
def test_what_learns_from_gold_never_saw_the_gold_of_a_document_that_it_is_tried_on(tmp_path: Path) -> None:
    """Each document is evaluated once, in the turn in which it is not for training."""
    documents = demo(ENOUGH)
    reader = {"kind": "jsonl", "resource": "corpora/demo"}
    found = measured("demo", documents, reader, tmp_path / "run", timed=False)
    assert found.learned and found.documents == ENOUGH
    folds = [FinishedRun(tmp_path / "run" / f"fold-{number}") for number in (1, 2, 3)]
    evaluated = [sorted(run.columns.tallies["f1@10/exact"]["classifier"]) for run in folds]
    assert sorted(id for fold in evaluated for id in fold) == sorted(one.id for one in documents)
    learning = {row.pipeline for row in found.rows if "texts with gold" in row.needs}
    assert learning >= {"kea", "classifier", "lake"}


def test_without_gold_it_is_told_how_little_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    """A pipeline that learns from no gold, with how sure that is, and a spec."""
    texts("mine.jsonl", demo(2), gold=False)
    done = run(capsys, "recommend", "mine.jsonl")
    assert done.status == 0
    assert "Nothing can be measured without gold keyphrases" in done.out
    assert "How sure: " in done.out
    recommended = done.out.split("Recommended: ")[1].split(".")[0]
    spec = Path("runs/recommend/mine-jsonl/recommended.yaml").read_text()
    assert f"extends: {recommended}\n" in spec


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl: is no corpus, no spec and no path"),
        (("bare.jsonl", "--format", "markdown"), "bare.jsonl: has no gold keyphrases to measure by"),
        (("bare.jsonl", "--column", "f1@5/exact"), "--column: has no effect on texts without gold"),
        (("empty.jsonl",), "empty.jsonl: holds no text"),
        (("gold.jsonl", "--column", "f1@7/exact"), "column 'f1@7/exact': is not measured"),
        (("absent.jsonl", "--format", "json"), "absent.jsonl: has no gold keyphrase that stands in its text"),
    ],
)
def test_what_cannot_be_recommended_for_is_told(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2 and what to do."""
    Path("bare.jsonl").write_text('{"text": "Dock workers strike."}\n')
    Path("empty.jsonl").write_text('{"text": ""}\n')
    Path("gold.jsonl").write_text('{"text": "Dock workers strike.", "gold": ["dock workers"]}\n')
    Path("absent.jsonl").write_text('{"text": "Dock workers strike.", "gold": ["ferry"]}\n')
    done = run(capsys, "recommend", *arguments)
    assert done.status == 2
    assert f"error: {message}" in done.err


def row(pipeline: str, score: float, *, tied: bool = False, needs: tuple[str, ...] = ()) -> dict[str, object]:
    """A pipeline as a record has it."""
    marked, scores = ["f1@10/exact"] if tied else [], {"f1@10/exact": score}
    return {"pipeline": pipeline, "scores": scores, "best": [], "tied": marked, "needs": needs}


def found_on(documents: int, scores: dict[str, float], alike: set[str], **more: Any) -> Measured:
    """What was measured, the first being the best."""
    best = max(scores.values())
    rows = [
        Row(
            name,
            {COLUMN: score},
            frozenset({COLUMN} if score == best else ()),
            frozenset({COLUMN} if name in alike and score != best else ()),
            (),
        )
        for name, score in scores.items()
    ]
    return Measured("mine", COLUMN, tuple(rows), documents, 120, 9.0, True, Path("out"), **more)


def test_few_documents_are_said_to_decide_nothing() -> None:
    """How many there are, how many pipelines they leave, how wide the intervals; and what else is known."""
    scores = {"kea": 0.41, "singlerank": 0.4, "topicrank": 0.4, "random": 0.1}
    found = found_on(6, scores, {"singlerank", "topicrank"}, interval=(0.301, 0.519), margin=0.12)
    assert found.undecided
    told = "\n".join(as_text(found))
    assert (
        "Undecided: 6 documents cannot tell 3 of the 4 pipelines apart. kea has .410 here, between .301 and "
        ".519; its lead over another is known to ± .120 (95 %)."
    ) in told
    assert (
        "Recommended until there is more gold: singlerank (needs nothing), of these the best on texts" in told
    )
    assert "Recommended: " not in told


def test_enough_documents_decide() -> None:
    """Those that are not significantly worse are told with a remark, not as equals."""
    scores = {"kea": 0.41, "singlerank": 0.4, "topicrank": 0.3, "random": 0.1}
    found = found_on(300, scores, {"singlerank"}, interval=(0.39, 0.43), margin=0.02)
    assert not found.undecided
    told = "\n".join(as_text(found))
    assert "Recommended: kea (f1@10/exact .410, between .390 and .430; its lead" in told
    assert "No significant difference on 300 documents, which makes none its equal: singlerank .400." in told
    assert "Undecided" not in told


def test_of_equal_pipelines_none_is_the_only_best() -> None:
    """All of them have the star, and the page says that they are as good."""
    found = found_on(300, {"a": 0.4, "b": 0.4, "c": 0.2, "d": 0.1, "e": 0.1}, set())
    rows = [line for line in as_text(found) if "*" in line]
    assert [line.split()[0] for line in rows] == ["a", "b", "*:"]
    assert [row.pipeline for row in found.alike] == ["b"]


def test_one_document_has_no_interval(tmp_path: Path) -> None:
    """It is told without one."""
    documents = demo(1)
    found = measured("demo", documents, {"kind": "jsonl", "resource": "corpora/demo"}, tmp_path, timed=False)
    assert (found.interval, found.margin) == (None, None)
    assert found.undecided
    assert "Undecided: 1 document cannot tell" in "\n".join(as_text(found))


RECORDS = [
    {
        "corpus": "abstracts",
        "column": "f1@10/exact",
        "words": 100,
        "gold": 9.0,
        "pipelines": [row("b", 0.4), row("a", 0.3, tied=True), row("kea", 0.5, needs=("texts with gold",))],
    },
    {
        "corpus": "notes",
        "column": "f1@10/exact",
        "words": 150,
        "gold": 5.0,
        "pipelines": [row("a", 0.4), row("b", 0.1)],
    },
    {
        "corpus": "papers",
        "column": "f1@10/exact",
        "words": 5000,
        "gold": 8.0,
        "pipelines": [row("c", 0.4), row("a", 0.1), row("b", 0.05)],
    },
]


def test_texts_are_known_by_corpora_of_their_length() -> None:
    """120 words are like 100 and 150; there a has the ranks 2 and 1, b 1 and 2; what needs gold is out."""
    found = known([110, 120, 130], RECORDS)
    assert (found.words, found.near, list(found.corpora)) == (120, True, ["abstracts", "notes"])
    assert [(one.pipeline, one.rank, one.good_on) for one in found.pipelines] == [
        ("a", 1.5, ("abstracts", "notes")),
        ("b", 1.5, ("abstracts",)),
    ]
    assert found.sure


def test_texts_unlike_all_corpora_have_the_nearest_and_no_sureness() -> None:
    """50,000 words are ten times the papers."""
    found = known([50_000], RECORDS)
    assert (found.near, list(found.corpora), found.pipelines[0].pipeline) == (False, ["papers"], "c")
    assert not found.sure
    assert not known([5000], RECORDS).sure  # one corpus is no evidence


POLISH = (
    "Systemy wyszukiwania informacji pozwalają użytkownikom znajdować dokumenty w dużych zbiorach tekstów. "
    "Słowa kluczowe opisują treść dokumentu i ułatwiają wyszukiwanie informacji w bibliotekach cyfrowych."
)
HINDI = (
    "सूचना पुनर्प्राप्ति प्रणाली उपयोगकर्ताओं को बड़े संग्रह में दस्तावेज़ खोजने देती है। मुख्य शब्द दस्तावेज़ की सामग्री का वर्णन करते हैं।"
)


def write_texts(text: str, gold: tuple[str, ...] = ()) -> None:
    """Three documents with the same text."""
    line = json.dumps({"text": text, **({"gold": gold} if gold else {})})
    Path("mine.jsonl").write_text(f"{line}\n" * 3, encoding="utf-8")


@pytest.mark.parametrize(("text", "gold"), [(POLISH, "słowa kluczowe"), (HINDI, "मुख्य शब्द")])
def test_where_a_language_has_no_model_those_are_measured_that_need_none(
    text: str, gold: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said, no row wants a model, and the spec that is written extracts from these texts."""
    write_texts(text, (gold,))
    done = run(capsys, "recommend", "mine.jsonl", "--quiet", "--no-times")
    assert done.status == 0, done.err
    assert "is installed" in done.out and "so that those that need none were tried" in done.out
    lines = done.out.splitlines()
    rows = {line.split()[0]: line for line in lines[3 : lines.index(next(x for x in lines if "*:" in x))]}
    assert rows.keys() >= {"any-language", "yake", "rake", "keybert"}
    assert not any("language model" in line for line in rows.values())
    spec = "runs/recommend/mine-jsonl/recommended.yaml"
    assert "preprocessing: [simple]\n" in Path(spec).read_text()
    found = run(capsys, "extract", "--pipeline", spec, "--input", "mine.jsonl", "--format", "json")
    assert found.status == 0 and json.loads(found.out)[0]["keyphrases"]


@pytest.mark.parametrize("text", [POLISH, HINDI])
def test_without_gold_and_model_the_pipeline_that_needs_none_is_recommended(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Others are better on English, and cannot even start here."""
    write_texts(text)
    done = run(capsys, "recommend", "mine.jsonl")
    assert done.status == 0
    assert "Recommended: any-language, which needs none." in done.out
    assert "extends: any-language\n" in Path("runs/recommend/mine-jsonl/recommended.yaml").read_text()


@pytest.mark.parametrize(
    ("text", "pipeline", "remedy"),
    [
        (
            POLISH,
            "yake",
            "or --set 'preprocessing=[simple]', which needs no model, or the pipeline any-language",
        ),
        (POLISH, "textrank", "or use the pipeline any-language, which needs no model"),
        (HINDI, "yake", "use a pipeline that needs none, as any-language, or preprocessing: [simple]"),
    ],
)
def test_a_pipeline_without_its_model_says_what_works(
    text: str, pipeline: str, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tokens by rules where nothing but tokens is read, else another pipeline."""
    done = run(capsys, "extract", "--text", text, "--pipeline", pipeline)
    assert done.status == 2
    assert remedy in done.err
    if pipeline == "yake":
        done = run(capsys, "extract", "--text", text, "--pipeline", "yake", "--set", "preprocessing=[simple]")
        assert done.status == 0 and done.out


NOUNS = [
    f"{first}{second}{third}" for first in "bdgklmnprst" for second in "aeiou" for third in "bdgklmnprst"
]
LONG = " ".join(f"The {one}{other} fell." for one in NOUNS[:80] for other in NOUNS[:65])
"""More candidates than rankings take whose time grows with the square of their number."""


def rows_of(out: str) -> dict[str, list[str]]:
    """The rows of the table, by pipeline."""
    lines = out.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("pipeline "))
    end = next(number for number, line in enumerate(lines) if line.startswith("*: "))
    return {line.split()[0]: line.split() for line in lines[begin + 1 : end]}


def csv_of(path: str) -> dict[str, dict[str, str]]:
    """The rows of a table of values, by what stands in their first column."""
    with open(path, encoding="utf-8", newline="") as file:
        return {next(iter(row.values())): row for row in csv.DictReader(file)}


def with_a_long_text(count: int) -> None:
    """So many documents in `mine.jsonl`, the last one too long for some pipelines."""
    texts("mine.jsonl", demo(count - 1), gold=True)
    with Path("mine.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "long", "text": LONG, "gold": ["babbab"]}) + "\n")


def test_a_document_that_fails_in_one_pipeline_is_in_the_mean_of_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All rows are over the same documents, as in the files beside; who failed is named, with status 1."""
    with_a_long_text(10)
    done = run(capsys, "recommend", "mine.jsonl", "--quiet", "--no-times")
    assert done.status == 1
    assert done.out.startswith("mine.jsonl: 9 documents with gold, ")
    assert "Failed, and left out for all pipelines: 1 document." in done.out
    assert "  long in multipartiterank, topicrank: document 'long'" in done.out
    folder = "runs/recommend/mine-jsonl"
    told, compared, summary = (
        rows_of(done.out),
        csv_of(f"{folder}/compared.csv"),
        csv_of(f"{folder}/summary.csv"),
    )
    assert told.keys() == compared.keys() == summary.keys()
    for name, row in told.items():
        assert compared[name]["documents"] == summary[name]["documents"] == "9"
        value = float(compared[name]["f1@10/exact"])
        assert value == pytest.approx(float(summary[name]["f1@10/exact"]))
        assert float(row[1].strip("*~")) == pytest.approx(value, abs=0.0006)
    assert Path(f"{folder}/compared.txt").read_text(encoding="utf-8") == done.out


def test_a_pipeline_that_fails_too_often_is_out_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """One of four documents is more than a tenth: the other pipelines keep it. As JSON it is told beside."""
    with_a_long_text(4)
    done = run(capsys, "recommend", "mine.jsonl", "--quiet", "--no-times", "--format", "json")
    assert done.status == 1
    (found,) = json.loads(done.out)
    assert found["documents"] == 4
    names = {row["pipeline"] for row in found["pipelines"]}
    assert "textrank" in names and not names & {"topicrank", "multipartiterank"}
    assert found["left_out"].keys() == {"topicrank", "multipartiterank"} and found["failed"] == {}
    assert "Left out, since more than 10% failed: topicrank, in 1 of 4 documents, as long: " in done.err
    folder = Path("runs/recommend/mine-jsonl")
    assert {path.name for path in folder.glob("recommended.yaml")} == {"recommended.yaml"}
    assert (folder / "report.html").is_file()


def test_gold_that_is_in_no_text_measures_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """That is said, with what is known of such texts; no row, no mark at a dash, no verdict."""
    texts("mine.jsonl", [replace(one, gold=()) for one in demo(2)], gold=False)
    lines = [
        {**json.loads(line), "gold": ["zyx wvu"]} for line in Path("mine.jsonl").read_text().splitlines()
    ]
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = run(capsys, "recommend", "mine.jsonl", "--quiet", "--no-times")
    assert done.status == 1
    assert "2 documents have no gold keyphrase that stands in the text: not counted." in done.out
    assert "Nothing was measured: only gold keyphrases that stand in the text count" in done.out
    assert "–" not in done.out and "Undecided" not in done.out
    assert "How sure: " in done.out
    spec = Path("runs/recommend/mine-jsonl/recommended.yaml").read_text()
    assert "nothing was measured on these texts" in spec


def test_documents_without_gold_that_counts_are_none_of_those_that_scores_are_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """They are told by themselves."""
    texts("mine.jsonl", demo(3), gold=True)
    with Path("mine.jsonl").open("a") as file:
        file.write(json.dumps({"text": "Dock workers strike.", "gold": ["ferry"]}) + "\n")
    done = run(capsys, "recommend", "mine.jsonl", "--quiet", "--no-times")
    assert done.status == 0
    assert done.out.startswith("mine.jsonl: 3 documents with gold, ")
    assert "1 document has no gold keyphrase that stands in the text: not counted." in done.out


def test_a_wrong_column_leaves_what_was_there(capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused before anything is computed."""
    texts("mine.jsonl", demo(1), gold=True)
    done = run(capsys, "recommend", "mine.jsonl", "--quiet", "--no-times", "--column", "f1@7/exact")
    assert done.status == 2
    assert not Path("runs").exists()


def test_all_rows_stand_in_the_files_that_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of pipelines that learn from gold too, which have folders of their own; six texts do here."""
    monkeypatch.setattr("kpframe.analysis.recommendation.ENOUGH", 6)
    texts("mine.jsonl", demo(6), gold=True)
    done = run(capsys, "recommend", "mine.jsonl", "--no-times")
    assert done.status == 0
    folder = Path("runs/recommend/mine-jsonl")
    rows = csv_of(str(folder / "compared.csv"))
    assert rows.keys() == rows_of(done.out).keys() >= {"nguyen-kan2007", "kea", "textrank"}
    assert (
        f"all that was compared: {folder / 'compared.txt'}, every figure: {folder / 'compared.csv'}"
        in done.err
    )
    assert (
        f"those that learn from no gold, over the documents that failed in none of these: {folder}"
        in done.err
    )
    assert f"the runs of those that learn from gold, without pages: {folder / 'fold-*'}" in done.err


def test_what_is_skipped_gives_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    """As in all commands that leave something out."""
    texts("mine.jsonl", demo(1), gold=False)
    with Path("mine.jsonl").open("a") as file:
        file.write("no json\n")
    done = run(capsys, "recommend", "mine.jsonl", "--quiet")
    assert done.status == 1
    assert "skipped: " in done.err and "mine.jsonl:2" in done.err
