"""`kpframe correlate`: measures in files against the judgements beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import scipy

import kpframe.commands.correlate as correlate
from kpframe.commands import prepare
from kpframe.errors import DataError, KpframeError, SpecError

PAIRS = """\
predicted;gold;ann;bob;cle;overlap;note
grid computing;effective grid computing algorithm;2;3;2;0.5;good
computing algorithm;effective grid computing algorithm;3;3;2;0.25;
effective grid;effective grid computing algorithm;1;1;2;0.5;
service quality;quality of service;4;4;;0.75;
performance;performance evaluation;2;1;2;0.5;
performance metrics;performance metric;4;4;4;1;
"""
OVERLAP, ANN, BOB = [0.5, 0.25, 0.5, 0.75, 0.5, 1], [2, 3, 1, 4, 2, 4], [3, 3, 1, 4, 1, 4]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a file of judged pairs and one of scores per document."""
    monkeypatch.chdir(tmp_path)
    Path("pairs.csv").write_text(PAIRS)
    rows = ["cell,id,predicted,f1@5,recall", *(f"a,{i},9,0.{i},{i}" for i in range(1, 8)), "a,8,9,,3"]
    Path("per_document.csv").write_text("\n".join([*rows, "b,1,9,0.5,0.5"]) + "\n")
    Path("human.csv").write_text("id,ann\n" + "".join(f"{i},{i % 5}\n" for i in range(1, 10)))


def run(file: str = "pairs.csv", **options: Any) -> int:
    """The command with the defaults of the command line."""
    defaults = {"judges": "ann,bob"}
    prepare(quiet=False)
    return correlate.execute(correlate.Options(file=file, **{**defaults, **options}))


def problem(**options: Any) -> str:
    """What is wrong."""
    with pytest.raises(KpframeError) as error:
        run(**options)
    return str(error.value)


def figures(capsys: pytest.CaptureFixture[str], **options: Any) -> Any:
    """The JSON that is printed."""
    capsys.readouterr()
    assert run(format="json", **options) == 0
    return json.loads(capsys.readouterr().out)


def test_columns_of_numbers_are_measures(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a file with semicolons; texts are not, and that is said."""
    made = figures(capsys, method="all")
    average = [(a + b) / 2 for a, b in zip(ANN, BOB, strict=True)]
    found = {
        (c["method"], c["combination"]): c["value"] for c in made["correlations"] if c["name"] == "overlap"
    }
    assert found["spearman", "average"] == pytest.approx(scipy.stats.spearmanr(OVERLAP, average).statistic)
    assert found["pearson", "average"] == pytest.approx(scipy.stats.pearsonr(OVERLAP, average).statistic)
    assert found["kendall", "average"] == pytest.approx(scipy.stats.kendalltau(OVERLAP, average).statistic)
    assert {c["name"] for c in made["correlations"]} == {"overlap", "cle"}
    run()
    assert capsys.readouterr().err == "not correlated, since they hold other things than numbers: note\n"


def test_the_text_has_judges_measures_and_notes(capsys: pytest.CaptureFixture[str]) -> None:
    """The judges' own reach comes first; what is missing is counted."""
    assert run(judges="ann, bob, cle", measures="overlap") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Spearman's rho"
    assert lines[1].split() == ["items", "average", "95", "%", "CI", "majority", "95", "%", "CI"]
    assert lines[2].startswith("judges, leave one out      6   0.")
    assert lines[3].startswith("overlap                    6   0.")
    assert lines[5].startswith("Krippendorff's alpha of the 3 judges (interval): 0.")
    assert lines[6:] == ["cle: 1 of 6 items not judged"]


def test_markdown_and_latex_escape_names(capsys: pytest.CaptureFixture[str]) -> None:
    """As everything that comes from files."""
    Path("odd.csv").write_text("ann,a|b*,50%_x\n" + "".join(f"{i},{i % 3},{i % 4}\n" for i in range(6)))
    run("odd.csv", judges="ann", format="markdown")
    out = capsys.readouterr().out
    assert "| a\\|b\\* | 6 | 0." in out and "| 50%\\_x | 6 |" in out
    assert out.startswith(
        "**Spearman's rho**\n\n|  | items | average | 95 % CI |\n| --- | ---: | ---: | ---: |\n"
    )
    run("odd.csv", judges="ann", format="latex", method="all")
    out = capsys.readouterr().out
    assert out.count("\\begin{tabular}{lrrr}") == 3
    assert "  50\\%\\_x & 6 & 0." in out and "95 \\% CI \\\\" in out
    assert "% one judge: nothing says how far judges agree" in out


def test_measures_may_be_similarities(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the phrases in each row, with parameters in brackets; a column of the same name comes first."""
    asked: list[str] = []

    def scores(measure: str, pairs: list[tuple[str, str]]) -> list[float]:
        asked.append(measure)
        return [float(len(predicted)) for predicted, _ in pairs]

    monkeypatch.setattr("kpframe.stages.registry.kinds", lambda folder: ["kmr", "overlap"])
    monkeypatch.setattr("kpframe.analysis.meta_evaluation.similarity_scores", scores)
    made = figures(capsys, measures="kmr, kmr(a=1,b=2),overlap")
    assert asked == ["kmr", "kmr(a=1,b=2)"]
    assert list(dict.fromkeys(c["name"] for c in made["correlations"])) == ["kmr", "kmr(a=1,b=2)", "overlap"]


def test_yes_and_no_are_judgements(capsys: pytest.CaptureFixture[str]) -> None:
    """As sheets of `annotate` have them: 1 and 0."""
    Path("words.csv").write_text("ann,m\nyes,3\nNo,1\nyes,2\n,9\n")
    (found,) = figures(capsys, file="words.csv", judges="ann")["correlations"]
    assert (found["items"], found["missing"]) == (3, 1)
    assert found["value"] == pytest.approx(scipy.stats.spearmanr([1, 0, 1], [3, 1, 2]).statistic)


def test_scores_of_a_run_are_joined_by_document(capsys: pytest.CaptureFixture[str]) -> None:
    """A document without a score or unknown to the run is left out and counted."""
    made = figures(capsys, file="human.csv", judges="ann", per_document="per_document.csv", cell="a")
    f1, recall = made["correlations"]
    assert (f1["name"], f1["items"], f1["missing"]) == ("f1@5", 7, 2)
    assert (recall["name"], recall["items"], recall["missing"]) == ("recall", 8, 1)
    human = [i % 5 for i in range(1, 8)]
    assert f1["value"] == pytest.approx(scipy.stats.spearmanr(range(7), human).statistic)
    run("human.csv", judges="ann", per_document="per_document.csv", cell="a")
    out, err = capsys.readouterr()
    assert err == "1 row of human.csv not in per_document.csv\n"
    assert "f1@5: 2 items left out, without a score or a judgement" in out


def test_judgements_may_name_their_cells(capsys: pytest.CaptureFixture[str]) -> None:
    """Then each row is joined by both."""
    Path("cells.csv").write_text("cell,id,ann\na,1,1\na,2,2\nb,1,3\nb,7,4\n")
    made = figures(capsys, file="cells.csv", judges="ann", per_document="per_document.csv", measures="f1@5")
    (found,) = made["correlations"]
    assert (found["items"], found["missing"]) == (3, 1)
    assert found["value"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judges": "ann,ann"}, "--judges: must name columns, each once; as in --judges a,b,c"),
        ({"judges": " , "}, "--judges: must name columns, each once; as in --judges a,b,c"),
        (
            {"judges": "ann,eve"},
            "pairs.csv:1: no column 'eve'; the columns are: 'predicted', 'gold', 'ann', 'bob', 'cle', "
            "'overlap', 'note'",
        ),
        (
            {"judges": "note"},
            "pairs.csv:2: note: 'good' is not a number; write numbers with a point, or yes and no; leave it "
            "empty if it is missing",
        ),
        (
            {"file": "human.csv", "judges": "ann", "measures": "kmr(threshold=0.4)"},
            "--measures kmr(threshold=0.4): needs the columns predicted and gold; add them to human.csv",
        ),
        (
            {"per_document": "per_document.csv"},
            "pairs.csv:1: has no column 'id'; name the documents in it",
        ),
        (
            {"file": "human.csv", "judges": "ann", "per_document": "per_document.csv"},
            "per_document.csv: has 2 cells; choose by --cell one of: a, b",
        ),
        (
            {"file": "human.csv", "judges": "ann", "per_document": "per_document.csv", "cell": "c"},
            "--cell c: is not in per_document.csv; there are: a, b",
        ),
        (
            {"file": "human.csv", "judges": "ann"},
            "human.csv: has no column of numbers to correlate; name measures by --measures",
        ),
    ],
)
def test_what_is_wrong_is_told(
    options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Place, problem, remedy."""
    monkeypatch.setattr("kpframe.stages.registry.kinds", lambda folder: ["kmr"])
    assert problem(**options) == message


def test_an_unknown_measure_is_told_with_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns and similarities."""
    monkeypatch.setattr("kpframe.stages.registry.kinds", lambda folder: ["bleu", "kmr"])
    assert problem(measures="overlop", judges="ann") == (
        "--measures overlop: is no column of pairs.csv and no similarity; columns: predicted, gold, ann, "
        "bob, cle, overlap, note; similarities: bleu, kmr"
    )


def test_a_decimal_comma_is_told_and_never_guessed() -> None:
    """It could as well part thousands."""
    Path("comma.csv").write_text("ann;m\n0,5;1\n1;2\n")
    assert problem(file="comma.csv", judges="ann") == (
        "comma.csv:2: ann: '0,5' is not a number; write numbers with a point, or yes and no; leave it "
        "empty if it is missing"
    )


def test_files_of_other_documents_are_told() -> None:
    """No id in common is a mistake, not a result."""
    Path("human.csv").write_text("id,ann\nx,1\ny,2\n")
    with pytest.raises(DataError) as error:
        run("human.csv", judges="ann", per_document="per_document.csv", cell="a")
    assert str(error.value) == (
        "per_document.csv: has no document of human.csv; give both files the same ids"
    )


def test_wrong_parameters_of_a_similarity_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of the similarity."""

    def scores(measure: str, pairs: list[tuple[str, str]]) -> list[float]:
        raise ValueError("kmr: threshold: must be at most 1")

    monkeypatch.setattr("kpframe.stages.registry.kinds", lambda folder: ["kmr"])
    monkeypatch.setattr("kpframe.analysis.meta_evaluation.similarity_scores", scores)
    with pytest.raises(SpecError) as error:
        run(measures="kmr(threshold=7)")
    assert str(error.value) == (
        "--measures kmr(threshold=7): kmr: threshold: must be at most 1; see `kpframe stages similarity`"
    )
