"""Files are edited while a run is under way: nothing made of them stands under the key from before."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from engine_runs import SINGLE, corpus, events, lines, outcome, run

import kpframe
from kpframe.engine import batches, checkpoint, running
from kpframe.errors import DataError
from kpframe.model import Annotations, Document, Keyphrases
from kpframe.preprocessing.simple import Simple
from kpframe.stages import Annotator, Postprocessor, registry

DOCUMENTS = corpus(9)
WORDS = sorted({word for document in DOCUMENTS for word in document.text.lower().split() if word.isalpha()})

AT: dict[str, Callable[[], object]] = {}
"""What happens, once, when a document comes by."""


def come_by(id: str) -> None:
    """Do what is to happen then."""
    AT.pop(id, lambda: None)()


class Meddler(Postprocessor):
    """Lets something happen; keyphrases stay as they are."""

    kind: ClassVar[str] = "meddler"

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """All of them."""
        come_by(keyphrases.document.id)
        return keyphrases


class Emptying(Annotator):
    """Finds the tokens of texts, or none if its file says so; something may happen before."""

    kind: ClassVar[str] = "emptying"
    paths: ClassVar[tuple[str, ...]] = ("path",)
    path: str

    def provides(self) -> frozenset[str]:
        """What the other annotator makes."""
        return frozenset({"tokens"})

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """The tokens of the text, or of none of it."""
        come_by(document.id)
        found = Simple().annotate(document, annotations)
        return found if Path(self.path).read_text() == "all" else Annotations.empty(document.text)


@pytest.fixture(autouse=True)
def stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stages are known, and every document is a batch that is sealed."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    kpframe.stage(Meddler)
    kpframe.stage(Emptying)
    monkeypatch.setattr(batches, "MAX_ITEMS", 1)
    monkeypatch.setattr(checkpoint, "SECONDS", 0)
    AT.clear()


def spec(folder: Path, line: str) -> str:
    """A spec with the stage that meddles, and a line of its own."""
    own = line.replace("FILE", str(folder / "file.txt"))
    rows = [*SINGLE.splitlines(), "postprocessing: [meddler]"]
    if own.startswith("postprocessing"):
        own = own.replace("[{", "[meddler, {")
    key = own.partition(":")[0]
    return "\n".join([*(row for row in rows if not row.startswith(key)), own])


def table(words: list[str], times: int) -> str:
    """Document frequencies."""
    return "#documents\t9\n" + "".join(f"{word}\t{times}\n" for word in words)


def vectors(sign: int) -> str:
    """A vector for each word."""
    return "".join(f"{word} {i % 7} {sign * (i % 5)}\n" for i, word in enumerate(WORDS))


STOPPED = "postprocessing: [{kind: stopwords, lists: [FILE]}]"
KINDS = {
    "stopwords": (STOPPED, "\n".join(WORDS[:9]), "\n".join(WORDS[9:40])),
    "vocabulary": (
        "candidates: {kind: vocabulary, path: FILE}",
        "\n".join(WORDS[:30]),
        "\n".join(WORDS[20:]),
    ),
    "idf": ("ranking: {kind: tfidf, idf: {from: file, path: FILE}}", table(WORDS, 1), table(WORDS[:30], 9)),
    "embedding": (
        "ranking: {kind: embedrank, embedding: {kind: word_vectors, path: FILE}}",
        vectors(1),
        vectors(-1),
    ),
    "annotator": ("preprocessing: [{kind: emptying, path: FILE}]", "all", "none"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_edited_file_ends_the_run_and_nothing_made_of_it_stays(tmp_path: Path, kind: str) -> None:
    """Put back, the run goes on with what was sealed before, and all is as in a fresh one."""
    line, before, after = KINDS[kind]
    path = tmp_path / "file.txt"
    path.write_text(before)
    AT["d4"] = lambda: path.write_text(after)
    with pytest.raises(DataError) as refused:
        run(tmp_path, spec(tmp_path, line), DOCUMENTS)
    (told,) = refused.value.problems
    assert told == (str(path), "has changed while the run was under way", "run it again")
    path.write_text(before)
    again = run(tmp_path, spec(tmp_path, line), DOCUMENTS).folder
    assert events(again, "evaluating")[-1]["done"] == 4
    fresh = run(tmp_path, spec(tmp_path, line), DOCUMENTS, out=tmp_path / "new", cache=tmp_path / "empty")
    assert outcome(again) == outcome(fresh.folder)


@pytest.mark.parametrize("kind", ["stopwords", "annotator"])
def test_a_file_that_was_another_for_a_moment_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It was read while a document was worked on, and put back before anybody looked."""
    line, before, after = KINDS[kind]
    path = tmp_path / "file.txt"
    path.write_text(before)

    class _Moment:
        """Writes the other content, and before the next document that comes by the old one."""

        def __call__(self) -> None:
            path.write_text(after)
            AT["d5"] = lambda: path.write_text(before)

    monkeypatch.setattr(batches, "MAX_ITEMS", 9)
    AT["d4"] = _Moment()
    made = run(tmp_path, spec(tmp_path, line), DOCUMENTS).folder
    assert not AT
    for cache in ("cache", "empty"):
        places = {"out": tmp_path / f"with-{cache}", "cache": tmp_path / cache}
        fresh = run(tmp_path, spec(tmp_path, line), DOCUMENTS, **places)
        assert outcome(made) == outcome(fresh.folder)


def test_a_file_that_is_only_touched_is_no_other(tmp_path: Path) -> None:
    """Written again as it was, or with another date."""
    line, before, _ = KINDS["stopwords"]
    path = tmp_path / "file.txt"
    path.write_text(before)
    AT["d2"] = lambda: os.utime(path)
    AT["d4"] = lambda: path.write_text(before)
    made = run(tmp_path, spec(tmp_path, line), DOCUMENTS).folder
    assert not AT
    fresh = run(tmp_path, spec(tmp_path, line), DOCUMENTS, out=tmp_path / "new").folder
    assert outcome(made) == outcome(fresh)


def test_what_is_learned_is_of_no_edited_file(tmp_path: Path) -> None:
    """A file that changes while a ranking sees documents."""
    line, before, after = KINDS["annotator"]
    path = tmp_path / "file.txt"
    path.write_text(before)
    AT["d3"] = lambda: path.write_text(after)
    ranking = "ranking: {kind: tfidf, idf: {from: collection}}"
    learning = spec(tmp_path, line).replace("ranking: frequency", ranking)
    with pytest.raises(DataError, match="has changed while the run was under way"):
        run(tmp_path, learning, DOCUMENTS)


@pytest.mark.parametrize("moment", ["learned", "saved"])
def test_a_model_is_of_no_edited_file(tmp_path: Path, moment: str) -> None:
    """Edited while it is trained, or before it is saved with what it was learned from."""
    line, before, after = KINDS["annotator"]
    path = tmp_path / "file.txt"
    path.write_text(before)
    ranking = "ranking: {kind: tfidf, idf: {from: collection}}"
    (tmp_path / "spec.yaml").write_text(spec(tmp_path, line).replace("ranking: frequency", ranking))
    AT["d3"] = lambda: moment == "learned" and path.write_text(after)

    def save() -> None:
        trained = kpframe.Pipeline.train(tmp_path / "spec.yaml", DOCUMENTS)
        assert moment == "saved"
        path.write_text(after)
        trained.save(tmp_path / "model.json")

    with pytest.raises(DataError, match="has changed while the run was under way; run it again"):
        save()
    assert not (tmp_path / "model.json").exists()


PREDICTED = """
name: predicted
documents: {{kind: jsonl, path: corpus.jsonl}}
systems:
  theirs: {{predictions: {{path: "{path}"}}}}
reports: [json]
"""


def predictions(of: str) -> str:
    """A phrase for each document."""
    return "".join(f'{{"id": "{one.id}", "keyphrases": ["{of}"]}}\n' for one in DOCUMENTS)


@pytest.mark.parametrize("moment", ["paired", "environment"])
@pytest.mark.parametrize("where", ["path", "file", "memory"])
def test_predictions_are_those_of_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, where: str
) -> None:
    """Replaced while they are read, or before the key is made: the run ends, and a new one has the new."""
    path = "memory://under-way/theirs.jsonl" if where == "memory" else str(tmp_path / "theirs.jsonl")
    given = Path(path).as_uri() if where == "file" else path
    wrapped = getattr(running, moment)

    def meddling(*given: Any, **named: Any) -> Any:
        made = wrapped(*given, **named)
        come_by(moment)
        return made

    monkeypatch.setattr(running, moment, meddling)
    written(path, predictions("old"))
    AT[moment] = lambda: written(path, predictions("new"))
    with pytest.raises(DataError, match="has changed while the run was under way; run it again"):
        run(tmp_path, PREDICTED.format(path=given), DOCUMENTS)
    made = run(tmp_path, PREDICTED.format(path=given), DOCUMENTS).folder
    assert "'new'" in str(lines(made, "theirs")["d1"])


def written(path: str, content: str) -> None:
    """Write a file, wherever it is."""
    with fsspec.open(path, "w") as file:
        file.write(content)


def test_predictions_that_were_others_for_a_moment_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And once they are read, they may be edited: nothing is made of the file any more."""
    path = tmp_path / "theirs.jsonl"
    wrapped = running.paired

    def meddling(*given: Any, **named: Any) -> Any:
        come_by("before")
        made = wrapped(*given, **named)
        come_by("after")
        return made

    monkeypatch.setattr(running, "paired", meddling)
    path.write_text(predictions("old"))
    AT["before"] = lambda: path.write_text(predictions("new"))
    AT["after"] = lambda: path.write_text(predictions("old"))
    AT["d4"] = lambda: path.write_text(predictions("newer"))
    spec = PREDICTED.format(path=path).replace('"}}', '"}, postprocessing: [meddler]}')
    made = run(tmp_path, spec, DOCUMENTS).folder
    assert not AT
    assert "'old'" in str(lines(made, "theirs")["d1"])
