"""Wrong arguments of the public functions: each is told with its place, what is wrong and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from families import every

import kpframe as kp
from kpframe.arguments import ArgumentError, choice, flag, whole, words

TEXT = "The dock workers of the port are on strike."
GOLD = {"a": ["strike"]}
NAN = float("nan")

EXTRACT = """
P.extract(None); P.extract(3); P.extract(b"x")
P.extract(TEXT, top="3"); P.extract(TEXT, top=0); P.extract(TEXT, top=2.5); P.extract(TEXT, top=NAN)
P.extract(TEXT, top=True); P.extract(TEXT, language=None); P.extract(TEXT, language=3)
P.extract(TEXT, language="klingon")
P.extract_many(None); P.extract_many(3); P.extract_many(TEXT); P.extract_many({"a": TEXT})
list(P.extract_many([3])); list(P.extract_many([TEXT, b"x"]))
P.extract_many([TEXT], workers=None); P.extract_many([TEXT], workers="2"); P.extract_many([TEXT], workers=0)
P.extract_many([TEXT], workers=1.5); P.extract_many([TEXT], workers=True); P.extract_many([TEXT], top="3")
P.extract_many([TEXT], top=-1); P.extract_many([TEXT], language=None); P.extract_many([TEXT], languages=3)
list(P.extract_many([TEXT], pool=3)); list(P.extract_many([TEXT], cluster=3))
P.keyphrases(1, 2); P.keyphrases(kp.Document("a", TEXT), None)
kp.Extraction("a", 3); kp.Extraction("a", TEXT, 3)
"""
LOAD = """
kp.Pipeline.load(None); kp.Pipeline.load(3); kp.Pipeline.load(""); kp.Pipeline.load("nope")
kp.Pipeline.load("nope.json"); kp.Pipeline.load("nope.yaml"); kp.Pipeline.load(Path("."))
kp.Pipeline.load("yake", settings=[None]); kp.Pipeline.load("yake", settings=None)
kp.Pipeline.load("yake", settings="a.b=3"); kp.Pipeline.load("yake", settings={"a.b": 3})
kp.Pipeline.load("yake", settings=3); kp.Pipeline.load("yake", settings=["ranking"])
P.save("."); P.save(None); P.save(3); P.save("model.txt"); P.save("folder.json")
kp.Pipeline.train("kea", None); kp.Pipeline.train("kea", []); kp.Pipeline.train("kea", ["x"])
kp.Pipeline.train("kea", "x"); kp.Pipeline.train(None, []); kp.Pipeline.train("yake", [])
kp.Pipeline.train("kea", [], settings=[None]); kp.Pipeline.train("kea", {"a": TEXT})
"""
RUN = """
kp.Experiment.load(None); kp.Experiment.load(3); kp.Experiment.load("quickstart", settings=[None])
kp.Experiment.load("quickstart", settings=None); kp.Experiment.load("quickstart", data=3)
E.run(out=3); E.run(out="taken.txt"); E.run(data=3); E.run(cache=3); E.run(quiet="no"); E.run(page="no")
E.run(workers=None); E.run(workers="2"); E.run(workers=0); E.run(workers=1.5); E.run(workers=NAN)
E.run(limit=NAN); E.run(limit="3"); E.run(limit=0); E.run(limit=-1); E.run(limit=2.0); E.run(limit=True)
E.run(documents=["x"]); E.run(documents="x"); E.run(documents=3); E.run(documents=[])
E.run(documents={"a": 1}); E.run(documents=[None]); E.run(pool=3); E.run(cluster=3)
R.to_pandas("nope"); R.to_pandas(3); R.to_pandas(None)
R.summary.value("nope", "nope"); R.summary.value("mine", "nope"); R.summary.value("nope", "r_precision/exact")
R.summary.value(None, None); R.summary.cell("nope"); R.summary.cell(3)
kp.Study.load(None); kp.Study.load("quickstart"); kp.Study.load("zesch2009", only="inspec")
kp.Study.load("zesch2009", only=[3]); kp.Study.load("zesch2009", only=["nope"])
kp.Study.load("zesch2009", settings=[None]); kp.Study.load("zesch2009", data=3)
"""
VALUES = """
kp.Document(None, TEXT); kp.Document(3, TEXT); kp.Document("a", None); kp.Document("a", b"x")
kp.Document("a", TEXT, language=3); kp.Document("a", TEXT, language=None)
kp.Document("a", TEXT, gold=3); kp.Document("a", TEXT, gold=["x"]); kp.Document("a", TEXT, gold=None)
kp.Document("a", TEXT, gold="x"); kp.Document("a", TEXT, metadata=3); kp.Document("a", TEXT, metadata=None)
kp.Document("a", TEXT, annotations=3)
kp.Gold(None); kp.Gold(3); kp.Gold("x"); kp.Gold(()); kp.Gold((3,)); kp.Gold(("",)); kp.Gold({"x"})
kp.stage(3); kp.stage(int)
"""
SCORE = """
kp.score(None, None); kp.score(3, GOLD); kp.score(GOLD, 3); kp.score(GOLD, GOLD, metrics=3)
kp.score(GOLD, GOLD, metrics=[]); kp.score(GOLD, GOLD, matching=[None]); kp.score(GOLD, GOLD, preset=3)
kp.score(GOLD, GOLD, preset="nope"); kp.score(GOLD, GOLD, subset="nope"); kp.score(GOLD, GOLD, subset=None)
kp.score(GOLD, GOLD, missing=3); kp.score(GOLD, GOLD, missing="nope"); kp.score(GOLD, GOLD, language=3)
kp.score("nope.jsonl", GOLD); kp.score(GOLD, "nope.jsonl"); kp.score(GOLD, {"a": "strike"})
"""
FRAME = """
kp.extract_frame(3, "text"); kp.extract_frame(None, "text"); kp.extract_frame(F, "nope")
kp.extract_frame(F, "number"); kp.extract_frame(F, 3); kp.extract_frame(F, None); kp.extract_frame(F, [])
kp.extract_frame(F, "text", id=3); kp.extract_frame(F, "text", id="nope"); kp.extract_frame(F, "text", keep=3)
kp.extract_frame(F, "text", keep=[None]); kp.extract_frame(F, "text", keep="nope")
kp.extract_frame(F, "text", top="3"); kp.extract_frame(F, "text", top=0)
kp.extract_frame(F, "text", wide="no"); kp.extract_frame(F, "text", pipeline=3)
kp.extract_frame(F, "text", pipeline="nope")
kp.extract_frame(F, "text", language=3); kp.extract_frame(F, "text", workers=None)
"""


def calls(table: str) -> list[str]:
    """The calls of a table, parted by semicolons and lines."""
    return [call for line in table.strip().splitlines() for call in line.split("; ") if call]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the calls speak of: a pipeline, an experiment with a run, a frame, a file in a folder's place."""
    folder = tmp_path_factory.mktemp("arguments")
    (folder / "corpus.jsonl").write_text('{"id": "a", "text": "dock strike", "gold": ["strike"]}\n')
    (folder / "mine.yaml").write_text(
        "documents: {kind: jsonl, path: corpus.jsonl}\npreprocessing: [simple]\ncandidates: tokens\n"
        "ranking: frequency\nmatching: [exact]\nreports: [json]\n"
    )
    experiment = kp.Experiment.load(folder / "mine.yaml")
    run = experiment.run(out=folder / "run", cache=folder / "cache")
    pipeline = kp.Pipeline.load("any-language")
    return {
        "kp": kp,
        "P": pipeline,
        "E": experiment,
        "R": run,
        "TEXT": TEXT,
        "GOLD": GOLD,
        "NAN": NAN,
        "Path": Path,
    }


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be written by mistake is written here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    Path("taken.txt").write_text("")
    Path("folder.json").mkdir()


def refused(call: str, names: dict[str, Any]) -> None:
    """The call ends in an error of kpframe's own that has all three parts."""
    with pytest.raises(kp.KpframeError) as caught:
        eval(call, names)
    for problem in caught.value.problems:
        assert problem.place and problem.problem and problem.remedy, problem


@every("call", calls(EXTRACT + LOAD + VALUES + SCORE))
def test_wrong_arguments_are_told(call: str, names: dict[str, Any]) -> None:
    """Place, problem, remedy; no error of Python's own from deep inside."""
    refused(call, names)


@every("call", calls(RUN))
def test_wrong_arguments_of_runs_are_told(call: str, names: dict[str, Any]) -> None:
    """Before anything is computed."""
    if "to_pandas" in call:
        pytest.importorskip("pandas")
    refused(call, names)


@pytest.mark.parametrize("call", calls(FRAME))
def test_wrong_arguments_for_frames_are_told(call: str, names: dict[str, Any]) -> None:
    """Before a text is read."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    refused(call, {**names, "F": pandas.DataFrame({"text": [TEXT], "number": [3]})})


def test_an_argument_of_the_wrong_type_is_a_type_error_and_a_value_error_too() -> None:
    """Who catches what Python functions raise is not surprised."""
    for kind in (TypeError, ValueError, kp.SpecError):
        with pytest.raises(kind):
            whole("run", "workers", None)


def test_what_is_right_is_taken_as_it_is() -> None:
    """Numbers of numpy are numbers, None is none where it may be left out."""
    numpy = pytest.importorskip("numpy")
    assert whole("run", "workers", numpy.int64(3)) == 3
    assert whole("run", "limit", None, optional=True) is None
    assert words("load", "settings", ["a=1"], example="a=1") == ("a=1",)
    assert flag("run", "quiet", numpy.bool_(True)) is True
    assert choice("to_pandas", "what", "scores", ["scores"]) == "scores"


def test_the_errors_name_what_is_wrong() -> None:
    """And what to write."""
    with pytest.raises(ArgumentError) as caught:
        whole("Experiment.run", "workers", "2")
    told = "Experiment.run: workers must be a whole number, not '2' (str); write a number, as workers=2"
    assert str(caught.value) == told
    with pytest.raises(ArgumentError) as caught:
        choice("to_pandas", "what", "score", ["scores", "documents"])
    assert str(caught.value) == "to_pandas: what is 'score', which there is not; did you mean 'scores'?"
