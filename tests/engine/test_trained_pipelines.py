"""Pipelines that learn: trained, saved, loaded, and refused where they do not fit."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import engine_stages
import pytest
from engine_runs import ROOT, corpus, experiment, run

from kpframe import DataError, Document, Gold, Pipeline, SpecError
from kpframe.cli import main
from kpframe.files.sealing import sealed
from kpframe.stages import registry

pytestmark = pytest.mark.slow

KEA = """
name: learned
documents: {kind: jsonl, path: corpus.jsonl}
split: {train: 2/3, seed: 1}
preprocessing: [simple]
candidates: {kind: ngrams, min: 1, max: 3, stopwords: [en], stem: porter}
ranking: kea
postprocessing: [{kind: top, number: 20}]
reports: [json]
"""
TFIDF = KEA.replace("ranking: kea", "ranking: {kind: tfidf, idf: {from: training}}")
SPECS = {"kea": KEA, "tfidf": TFIDF}


def trained(folder: Path, spec: str, documents: list[Document], name: str = "model.json") -> Path:
    experiment(folder, spec, documents)
    Pipeline.train(folder / "spec.yaml", documents).save(folder / name)
    return folder / name


def phrases(pipeline: Pipeline, **options: Any) -> list[Any]:
    return [k.to_json() for k in pipeline.extract(corpus(1, seed=77)[0].text, **options)]


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_training_again_gives_the_same_bytes(tmp_path: Path, kind: str) -> None:
    """Whatever the order of the documents."""
    documents = corpus(20)
    first = trained(tmp_path, SPECS[kind], documents).read_bytes()
    random.Random(1).shuffle(documents)
    assert trained(tmp_path, SPECS[kind], documents, "again.json").read_bytes() == first
    assert trained(tmp_path, SPECS[kind], corpus(21), "other.json").read_bytes() != first


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_the_command_and_the_run_learn_the_same(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`kpframe train` and the training of a run see the same documents in the same order."""
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    made = run(tmp_path, SPECS[kind], corpus(20))
    model = tmp_path / "model.json"
    assert main(["train", str(tmp_path / "spec.yaml"), "--out", str(model), "-q"]) == 0
    (fitted,) = (made.folder / "fitted").iterdir()
    assert json.loads(fitted.read_text()) == json.loads(model.read_text())["state"]
    assert not (tmp_path / "cache" / "training").exists()


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_a_saved_pipeline_is_the_pipeline(tmp_path: Path, kind: str) -> None:
    """Loading needs neither the spec nor the documents, and changes no score."""
    experiment(tmp_path, SPECS[kind], corpus(20))
    made = Pipeline.train(tmp_path / "spec.yaml", corpus(20))
    made.save(tmp_path / "model.json")
    (tmp_path / "spec.yaml").unlink()
    loaded = Pipeline.load(tmp_path / "model.json")
    assert phrases(loaded) == phrases(made) != []
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


def test_a_model_is_plain_json(tmp_path: Path) -> None:
    """One line of UTF-8 JSON; nothing in it could run, and no place of this machine is told."""
    content = trained(tmp_path, KEA, corpus(20)).read_text(encoding="utf-8")
    assert content.count("\n") == 1
    assert set(json.loads(content)) == {"format", "kpframe", "identity", "spec", "state", "checksum"}
    assert str(tmp_path) not in content
    assert not any(word in content for word in ("pickle", "__reduce__", "builtins"))


def test_words_that_utf8_does_not_have_survive_saving(tmp_path: Path) -> None:
    """A lone surrogate in a training text does not spoil the file."""
    documents = [*corpus(8), Document("odd", "half \ud83d a pair \udc80", gold=(Gold(("half",)),))]
    path = tmp_path / "model.json"
    experiment(tmp_path, TFIDF, corpus(1))
    made = Pipeline.train(tmp_path / "spec.yaml", documents)
    made.save(path)
    assert phrases(Pipeline.load(path)) == phrases(made)
    assert Pipeline.load(path).state == made.state


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "is not JSON; give a file written by `kpframe train`"),
        ("{", "is not JSON; give a file written by `kpframe train`"),
        ("[" * 100_000, "is not JSON; give a file written by `kpframe train`"),
        ("[]", "is not a kpframe model; give a file written by `kpframe train`"),
        ("null", "is not a kpframe model; give a file written by `kpframe train`"),
        ('{"a": 1}', "is not a kpframe model; give a file written by `kpframe train`"),
        (
            '{"format": "kpframe-model-9", "spec": {}, "state": {}, "identity": {}}',
            "is not a kpframe model; give a file written by `kpframe train`",
        ),
        (
            '{"format": "kpframe-model-1", "spec": {}, "state": {}, "identity": {}}',
            "was changed after it was written; train it anew with `kpframe train`",
        ),
    ],
)
def test_other_files_are_no_models(tmp_path: Path, content: str, problem: str) -> None:
    """Each is told by its name."""
    path = tmp_path / "model.json"
    path.write_text(content)
    with pytest.raises(SpecError) as error:
        Pipeline.load(path)
    assert str(error.value) == f"{path}: {problem}"


def test_bytes_that_are_no_text_and_missing_files_are_no_models(tmp_path: Path) -> None:
    """A pickle under the name of a model is not opened."""
    path = tmp_path / "model.json"
    with pytest.raises(SpecError, match="cannot be read: No such file or directory; check the path"):
        Pipeline.load(path)
    path.write_bytes(b"\x80\x04cos\nsystem\n")
    with pytest.raises(SpecError, match="is not JSON"):
        Pipeline.load(path)


@pytest.mark.parametrize("key", ["kpframe", "identity", "spec", "state"])
def test_a_changed_model_is_refused(tmp_path: Path, key: str) -> None:
    """Whatever was changed in it."""
    path = trained(tmp_path, KEA, corpus(20))
    model = json.loads(path.read_text())
    if key == "kpframe":
        model[key] = "99"
    else:
        model[key][sorted(model[key])[0]] = "changed"
    path.write_text(json.dumps(model))
    with pytest.raises(SpecError) as error:
        Pipeline.load(path)
    told = "was changed after it was written; train it anew with `kpframe train`"
    assert str(error.value) == f"{path}: {told}"


def test_no_cut_model_is_loaded(tmp_path: Path) -> None:
    """A copy that broke off anywhere is told."""
    path = trained(tmp_path, KEA, corpus(6))
    content = path.read_bytes()
    for place in range(0, len(content) - 1, 97):
        path.write_bytes(content[:place])
        with pytest.raises(SpecError):
            Pipeline.load(path)


@pytest.mark.parametrize(
    "setting",
    [
        "ranking.stem=casefold",
        "candidates.max=2",
        "candidates.min_frequency=2",
        "candidates.stopwords=null",
        "preprocessing=[tokenize]",
    ],
)
def test_settings_that_change_what_was_learned_are_refused(tmp_path: Path, setting: str) -> None:
    """The model would be another."""
    path = trained(tmp_path, KEA, corpus(20))
    with pytest.raises(SpecError) as error:
        Pipeline.load(path, settings=[setting])
    assert str(error.value) == (
        f"{path}: these settings change what was learned; train a model with them instead"
    )


@pytest.mark.parametrize(
    "setting",
    [
        "ranking.subphrases=keep",
        "postprocessing=[]",
        "postprocessing.top.number=2",
        "preprocessing=[dehyphenate, simple]",
        "save=5",
        "name=other",
    ],
)
def test_what_matters_only_when_ranking_is_not_frozen(tmp_path: Path, setting: str) -> None:
    """Cleaning, how to rank, post-processing."""
    path = trained(tmp_path, KEA, corpus(20))
    loaded = Pipeline.load(path, settings=[setting])
    assert phrases(loaded)
    if setting == "postprocessing.top.number=2":
        assert phrases(loaded) == phrases(Pipeline.load(path), top=2)


def test_document_frequencies_serve_any_candidates(tmp_path: Path) -> None:
    """They were counted over tokens, not over candidates."""
    path = trained(tmp_path, TFIDF, corpus(20))
    assert phrases(Pipeline.load(path, settings=["candidates=tokens", "ranking.combine=sum"]))


def test_a_spec_may_name_its_model(tmp_path: Path) -> None:
    """If it is one of that spec."""
    trained(tmp_path, KEA, corpus(20))
    spec = tmp_path / "spec.yaml"
    spec.write_text(f"{KEA}model: model.json\n")
    assert phrases(Pipeline.load(spec)) == phrases(Pipeline.load(tmp_path / "model.json"))
    with pytest.raises(
        SpecError,
        match=r"was trained with other parameters; train it anew: kpframe train \S+spec.yaml --set "
        "candidates.min_frequency=3 --out MODEL.json",
    ):
        Pipeline.load(spec, settings=["candidates.min_frequency=3"])


def test_a_ranking_that_has_learned_nothing_is_refused(tmp_path: Path) -> None:
    """With the way to train it, by the path that was given: there is no spec by its name."""
    experiment(tmp_path, KEA)
    spec = tmp_path / "spec.yaml"
    with pytest.raises(SpecError) as error:
        Pipeline.load(spec)
    assert str(error.value) == (
        f"ranking kea: must learn from documents before it can rank; run `kpframe train {spec} --out "
        "MODEL.json` on texts like yours and use MODEL.json as the pipeline"
    )
    with pytest.raises(SpecError, match=f"run `kpframe train {spec} --set save=5 --out MODEL.json`"):
        Pipeline.load(spec, settings=["save=5"])


def test_what_cannot_be_trained_is_told(tmp_path: Path) -> None:
    """No documents, nothing to learn, no name for a model."""
    experiment(tmp_path, KEA)
    with pytest.raises(DataError, match="training documents: there are none; check the reader and the split"):
        Pipeline.train(tmp_path / "spec.yaml", [])
    experiment(tmp_path, KEA.replace("ranking: kea", "ranking: frequency"))
    with pytest.raises(SpecError, match="ranking frequency: has nothing to learn"):
        Pipeline.train(tmp_path / "spec.yaml", corpus(3))


def test_a_document_that_fails_is_left_out_of_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are learned from."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    engine_stages.register()
    selection = "{kind: ngrams, min: 1, max: 3, stopwords: [en], stem: porter}"
    spec = TFIDF.replace(selection, "poisoned-selection")
    experiment(tmp_path, spec)
    made = Pipeline.train(tmp_path / "spec.yaml", [*corpus(5), Document("bad", "this is poison")])
    assert made.state is not None
    assert made.state["documents"] == 5


LISTED = """
name: listed
documents: {kind: jsonl, path: corpus.jsonl}
split: {train: 2/3, seed: 1}
preprocessing: [simple]
candidates: {kind: vocabulary, path: lists/terms.txt}
ranking: kea
"""


def listed(folder: Path, documents: list[Document]) -> Path:
    """A model of candidates out of a file of terms."""
    words = sorted({w for document in documents for w in document.text.lower().split() if w.isalpha()})
    (folder / "lists").mkdir(parents=True)
    (folder / "lists" / "terms.txt").write_text("\n".join(words))
    return trained(folder, LISTED, documents)


def test_a_model_carries_the_files_that_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken to another folder, and its list gone or changed, it gives the same, and saves the same bytes."""
    path = listed(tmp_path / "here", corpus(20))
    content = path.read_bytes()
    expected = phrases(Pipeline.load(path))
    assert expected
    shutil.rmtree(tmp_path / "here")
    (tmp_path / "there" / "lists").mkdir(parents=True)
    (tmp_path / "there" / "lists" / "terms.txt").write_text("zebra\n")
    monkeypatch.chdir(tmp_path / "there")
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    Path("model.json").write_bytes(content)
    loaded = Pipeline.load("model.json")
    assert phrases(loaded) == expected
    loaded.save("again.json")
    assert Path("again.json").read_bytes() == content
    assert str(tmp_path) not in content.decode()


def test_a_model_needs_no_cache_that_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files then lie in a temporary folder."""
    path = listed(tmp_path / "here", corpus(20))
    expected = phrases(Pipeline.load(path))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "file"))
    assert phrases(Pipeline.load(path)) == expected


def test_a_carried_file_that_was_damaged_in_the_cache_is_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What counts is what stands in the model."""
    path = listed(tmp_path / "here", corpus(20))
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    expected = phrases(Pipeline.load(path))
    (unpacked,) = (tmp_path / "cache").rglob("terms.txt")
    unpacked.write_text("zebra\n")
    assert phrases(Pipeline.load(path)) == expected


@pytest.mark.parametrize("name", ["../terms.txt", "terms.txt", "", "..", "a\\b"])
def test_a_model_writes_no_file_elsewhere(tmp_path: Path, name: str) -> None:
    """Names that lead out of their folder, and contents that are not what their name says, are refused."""
    path = listed(tmp_path / "here", corpus(20))
    model = json.loads(path.read_text())
    ((old, content),) = model["files"].items()
    checksum = old.partition("/")[0]
    own = f"{checksum}/{name}" if name != "terms.txt" else f"{'0' * 64}/{name}"
    model["files"] = {own: content}
    model.pop("checksum")
    path.write_text(json.dumps(sealed(model)))
    with pytest.raises(SpecError, match="the model is damaged: this file is not what its name says"):
        Pipeline.load(path)


@pytest.mark.acceptance
def test_a_classifier_of_scikit_learn_is_saved_with_the_same_bytes_again(tmp_path: Path) -> None:
    """By other processes, whose objects lie at other addresses and hash otherwise."""
    pytest.importorskip("skops")
    names = ("LogisticRegression", "RandomForestClassifier")
    for name in names:
        ranking = f"kind: classifier, model: {{sklearn: {name}}}"
        experiment(tmp_path / name, KEA.replace("kind: kea", ranking), corpus(20))
    for seed in ("1", "2"):
        code = (
            "import sys\n"
            f"held = [bytearray(n) for n in range({seed}000)]\n"
            "from kpframe.cli import main\n"
            f"for name in {names}:\n"
            f"    assert main(['train', name + '/spec.yaml', '--out', name + '/{seed}.json', '-q']) == 0\n"
        )
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    for name in names:
        assert (tmp_path / name / "1.json").read_bytes() == (tmp_path / name / "2.json").read_bytes()
        assert phrases(Pipeline.load(tmp_path / name / "1.json"))
