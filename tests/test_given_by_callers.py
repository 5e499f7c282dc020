"""Documents and gold that callers build: what looks right and is not is told when it is built."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kpframe import DataError, Document, Experiment, Gold, Pipeline, SpecError
from kpframe.cli import main
from kpframe.engine.settling import Languages
from kpframe.spec import Spec, load_spec


def fast_spec() -> Spec:
    """One that needs no model, for documents that a caller gives."""
    settings = ["documents={kind: jsonl, resource: corpora/demo}"]
    return load_spec("any-language", settings=settings)


def test_a_string_is_no_list_of_variants() -> None:
    """It would be one of letters."""
    with pytest.raises(DataError, match=r"'ferry' is one string"):
        Gold("ferry")  # type: ignore[arg-type]


@pytest.mark.parametrize("gold", [["ferry"], "ferry", [("ferry",)]])
def test_gold_keyphrases_are_gold(gold: object) -> None:
    """A string among them would be found out only where it is counted."""
    with pytest.raises(TypeError, match=r"must be (of )?Gold"):
        Document("a", "text", gold=gold)  # type: ignore[arg-type]


@pytest.mark.parametrize("said", ["DE", "de-AT", "German", "deu"])
def test_the_language_of_a_document_is_said_in_any_way(tmp_path: Path, said: str) -> None:
    """As readers and `score` take it; a stop list that is not found is lost without a word."""
    document = Document("a", "Der Wind und die Sonne", said, (Gold(("Wind",)),))
    (found,) = Pipeline.load("any-language").extract_many([document], languages=(met := Languages()))
    assert found.language == "de" and met.codes == ("de",)
    assert {"der", "und", "die"}.isdisjoint(keyphrase.text.casefold() for keyphrase in found)
    made = Experiment(fast_spec()).run(out=tmp_path / "run", documents=[document])
    assert json.loads((made.folder / "environment.json").read_text())["data"]["languages"] == {
        "de": {"said": 1}
    }


def test_what_is_said_not_to_be_known_is_guessed() -> None:
    """`und` is what catalogues write; what the caller says of all texts then counts."""
    document = Document("a", "Wind", "und")
    (found,) = Pipeline.load("any-language").extract_many([document], language="German")
    assert found.language == "de"


def test_a_language_that_is_none_is_refused(tmp_path: Path) -> None:
    """With the document and what to write, wherever documents are taken."""
    document = Document("a", "Wind and sun", "klingonic", (Gold(("wind",)),))
    pipeline = Pipeline.load("any-language")
    refused = "document 'a': 'klingonic' is no language that is known; write a code of ISO 639-1"
    with pytest.raises(SpecError, match=refused):
        list(pipeline.extract_many([document]))
    with pytest.raises(SpecError, match=refused):
        Experiment(fast_spec()).run(out=tmp_path / "run", documents=[document])
    with pytest.raises(SpecError, match=refused):
        Pipeline.train("kea", [document])


def test_a_missing_model_is_no_death(tmp_path: Path) -> None:
    """The run told of a worker that died, or of memory."""
    english = [Document(f"e{i}", "Neural networks", "en", (Gold(("networks",)),)) for i in range(2)]
    documents = [*english, Document("f", "Vihreä energia", "fi", (Gold(("energia",)),))]
    settings = ["documents={kind: jsonl, resource: corpora/demo}"]
    made = Experiment(load_spec("textrank", settings=settings)).run(out=tmp_path / "run", documents=documents)
    assert made.failed == 1
    assert made.summary.notes[-1] == (
        "1 of them for want of what is not theirs (a language model, or a file that could not be read): the "
        "same command tries them again when it is there"
    )


def test_a_region_leads_to_the_model_of_the_language() -> None:
    """`en-US` was told to download a model of that name."""
    document = Document("a", "The neural networks of the study are trained on large corpora.", "en-US")
    (found,) = Pipeline.load("textrank").extract_many([document])
    assert found.error is None and len(found)


def test_no_half_written_option_is_taken_for_another(capsys: pytest.CaptureFixture[str]) -> None:
    """`run` has no --metric, and --metrics-file is something else."""
    with pytest.raises(SystemExit) as ended:
        main(["run", "textrank", "--metric", "f1@5"])
    assert ended.value.code == 2
    assert "--metric" in capsys.readouterr().err
