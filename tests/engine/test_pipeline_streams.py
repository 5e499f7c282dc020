"""Pipelines over single texts and over streams of any length."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import random
import resource
import sys
import threading
import tracemalloc
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine_stages
import pytest
from engine_runs import corpus, demonstration, endless

from kpframe import Document, Extraction, Pipeline, SpecError
from kpframe.engine.executors import DEATH
from kpframe.language import models as language_model
from kpframe.model import Keyphrase
from kpframe.preprocessing import _spacy_plan
from kpframe.stages import registry

pytestmark = pytest.mark.slow

FAST = """
preprocessing: [simple]
candidates: {kind: ngrams, min: 1, max: 3}
ranking: {kind: cooccurrence}
postprocessing: [{kind: merge_adjacent}, {kind: stopwords, lists: [en]}]
"""


@pytest.fixture(autouse=True)
def stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failing stages are known in these tests alone."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    engine_stages.register()


def pipeline(folder: Path, spec: str = FAST, **replaced: str) -> Pipeline:
    for old, new in replaced.items():
        assert old in spec
        spec = spec.replace(old, new)
    path = folder / "spec.yaml"
    path.write_text(spec, encoding="utf-8")
    return Pipeline.load(path)


def found(extraction: Extraction) -> list[dict[str, Any]]:
    return [keyphrase.to_json() for keyphrase in extraction]


TEXTS = [document.text for document in corpus(40)]


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_texts(tmp_path: Path, workers: int) -> None:
    """Each is what `extract` gives alone; ids count from 0."""
    made = pipeline(tmp_path)
    many = list(made.extract_many(TEXTS, workers=workers, top=5))
    assert [result.id for result in many] == [str(i) for i in range(40)]
    assert [found(result) for result in many] == [found(made.extract(text, top=5)) for text in TEXTS]
    assert {len(result) for result in many} == {5}
    assert [result.text for result in many] == TEXTS


@pytest.mark.acceptance
def test_a_long_text_gives_the_same_alone_and_in_a_stream(tmp_path: Path) -> None:
    """Though great matrices are solved for it, by however many threads."""
    chance = random.Random(4)
    words = ["".join(chance.choices("abcdefghijklmnop", k=6)) for _ in range(1500)]
    text = " ".join(chance.choices(words, k=8000))
    made = pipeline(tmp_path)
    alone = found(made.extract(text))
    assert [found(result) for result in made.extract_many([text])] == [alone]
    assert [found(result) for result in made.extract_many([text], workers=2)] == [alone]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.acceptance)])
def test_an_endless_stream_is_taken_as_needed(tmp_path: Path, workers: int) -> None:
    """A few hundred texts at most are read ahead."""
    taken = itertools.count()
    texts = (text for text, _ in zip(endless(TEXTS), taken, strict=False))
    results = pipeline(tmp_path).extract_many(texts, workers=workers)
    assert [result.id for result in itertools.islice(results, 70)] == [str(i) for i in range(70)]
    results.close()  # type: ignore[attr-defined]
    assert next(taken) < 70 + 32 * (4 * workers + 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_document_that_fails_yields_its_error(tmp_path: Path, workers: int) -> None:
    """In its place, and the others are as without it."""
    made = pipeline(tmp_path, **{"[simple]": "[poisoned-cleaner, simple]"})
    texts = [*TEXTS[:3], "this is poison", *TEXTS[3:6], None, float("nan")]
    results = list(made.extract_many(texts, workers=workers))
    missing = [(len(result), result.error, result.id) for result in results[7:]]
    assert missing == [(0, None, "7"), (0, None, "8")]
    results = results[:7]
    errors = [result.error for result in results]
    assert errors == [None] * 3 + ["RuntimeError: cannot stand this text"] + [None] * 3
    assert (len(results[3]), results[3].text, results[3].id) == (0, "this is poison", "3")
    assert results[3].to_json() == {
        "id": "3",
        "characters": 14,
        "keyphrases": [],
        "error": "RuntimeError: cannot stand this text",
    }
    assert [found(r) for r in results if not r.error] == [found(made.extract(text)) for text in TEXTS[:6]]


def test_a_single_text_that_fails_raises(tmp_path: Path) -> None:
    """Alone there is nobody to go on for."""
    made = pipeline(tmp_path, **{"[simple]": "[poisoned-cleaner, simple]"})
    with pytest.raises(RuntimeError, match="cannot stand this text"):
        made.extract("this is poison")


@pytest.mark.parametrize("way", ["exit", "kill"])
@pytest.mark.acceptance
def test_a_worker_that_dies_loses_one_text(tmp_path: Path, way: str) -> None:
    """The others of its batch are there."""
    selection = f"{{kind: poisoned-selection, way: {way}}}"
    made = pipeline(tmp_path, **{"{kind: ngrams, min: 1, max: 3}": selection})
    results = list(made.extract_many([*TEXTS[:2], "this is poison", *TEXTS[2:4]], workers=2))
    assert [result.error for result in results] == [None, None, DEATH, None, None]
    assert all(results[i] for i in (0, 1, 3, 4))


def test_documents_keep_their_ids_and_languages(tmp_path: Path) -> None:
    """And may stand among texts."""
    made = pipeline(tmp_path)
    stream = [Document("x/1", "graph theory"), "graph theory", Document("x/2", "Graphentheorie", "de")]
    assert [result.id for result in made.extract_many(stream)] == ["x/1", "1", "x/2"]


def test_a_language_that_cannot_be_split_is_an_error_of_its_document(tmp_path: Path) -> None:
    """Others in the stream go on."""
    results = list(
        pipeline(tmp_path).extract_many([Document("zh", "图论是数学的一个分支", "zh"), "graph theory"])
    )
    assert results[0].error
    assert results[1].error is None
    assert [k.text for k in results[1]]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("wrong", [b"bytes", 3, ["a list"]])
def test_what_is_no_text_is_refused(tmp_path: Path, wrong: Any, workers: int) -> None:
    """Bytes must be decoded by somebody who knows how."""
    made = pipeline(tmp_path)
    with pytest.raises(TypeError, match="text must be str, not"):
        made.extract(wrong)
    with pytest.raises(TypeError, match="text must be str, not"):
        list(made.extract_many(["good", wrong], workers=workers))


def test_a_missing_text_is_an_empty_result_of_a_stream(tmp_path: Path) -> None:
    """Columns have gaps; a single text that is none is a mistake."""
    made = pipeline(tmp_path)
    found = list(made.extract_many(["good", None, float("nan")]))
    assert [(len(result) > 0, result.error) for result in found] == [
        (True, None),
        (False, None),
        (False, None),
    ]
    with pytest.raises(TypeError, match="text must be str, not NoneType"):
        made.extract(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " \n\t", "...", "\0", "\ud800", "\udc80 graph \ud800", "a", "😀"])
def test_odd_texts_have_results(tmp_path: Path, text: str) -> None:
    """Perhaps empty ones."""
    result = pipeline(tmp_path).extract(text)
    assert result.error is None
    assert result.characters == len(text)
    for keyphrase in result:
        for begin, end in keyphrase.spans:
            assert 0 <= begin < end <= len(text)


def test_results_and_pipelines_can_be_pickled(tmp_path: Path) -> None:
    """To send them to processes."""
    made = pipeline(tmp_path)
    result = made.extract(TEXTS[0])
    again = pickle.loads(pickle.dumps(result))
    assert (list(again), again.id, again.text, again.error) == (list(result), "text", TEXTS[0], None)
    assert found(pickle.loads(pickle.dumps(made)).extract(TEXTS[0])) == found(result)


def test_top_is_a_choice_of_every_call(tmp_path: Path) -> None:
    """It cuts, and changes nothing above the cut."""
    made = pipeline(tmp_path)
    whole = found(made.extract(TEXTS[0]))
    assert found(made.extract(TEXTS[0], top=3)) == whole[:3]
    assert found(made.extract(TEXTS[0], top=10_000)) == whole


def test_a_grid_is_no_pipeline(tmp_path: Path) -> None:
    """Its configurations are named."""
    grid = FAST.replace("ranking: {kind: cooccurrence}\n", "sweep: {ranking: {a: frequency, b: position}}\n")
    with pytest.raises(SpecError) as error:
        pipeline(tmp_path, grid)
    assert str(error.value) == (
        f"{tmp_path / 'spec.yaml'}: is a grid of 2 configurations (a, b); give a spec with one"
    )


def short_texts(count: int, seed: int = 7) -> Iterator[str]:
    """Short sentences, full of words that never come again."""
    chance = random.Random(seed)
    for _ in range(count):
        new = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=9)) for _ in range(5)]
        yield "The {} {} of the {} is a {}-based {} model.".format(*new)


@pytest.mark.acceptance
def test_memory_does_not_grow_with_a_stream(tmp_path: Path) -> None:
    """20,000 short texts that are all different, of words that are not."""
    chance = random.Random(5)
    words = ["".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(300)]
    texts = (" ".join(chance.choices(words, k=8)) for _ in range(20_000))
    made = pipeline(tmp_path, FAST.replace("cooccurrence", "frequency"))
    results = made.extract_many(texts)
    deque(itertools.islice(results, 14_000), maxlen=0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    try:
        deque(itertools.islice(results, 500), maxlen=0)
        before, _ = tracemalloc.get_traced_memory()
        deque(itertools.islice(results, 1_500), maxlen=0)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 200_000
    assert sum(1 for _ in results) == 4_000
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak
    assert grown / (2**20 if sys.platform == "darwin" else 2**10) < 20


def test_a_language_model_does_not_keep_every_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it knows many, those of a batch are forgotten after it; results are the same."""
    settings = [
        "preprocessing=[tokenize, lemmatize, pos]",
        "candidates={kind: lemmas, pos: [noun, adjective]}",
    ]
    made = Pipeline.load("textrank", settings=settings)
    texts = [*short_texts(150), *(document.text[:500] for document in demonstration())]
    reference = [found(result) for result in made.extract_many(texts)]
    assert any(reference)
    strings = language_model.load("en").vocab.strings
    monkeypatch.setattr(_spacy_plan, "MAX_STRINGS", len(strings))
    other = list(made.extract_many(itertools.chain(texts, short_texts(150, seed=8))))
    assert [found(result) for result in other[: len(texts)]] == reference
    assert len(strings) <= _spacy_plan.MAX_STRINGS
    assert [result.error for result in other] == [None] * len(other)
    lemmas = language_model.load("en").get_pipe("lemmatizer").cache  # type: ignore[attr-defined]
    assert len(lemmas) < _spacy_plan.MAX_STRINGS


@pytest.mark.acceptance
def test_the_strings_of_a_language_model_stay_within_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """TextRank as it is shipped, over texts with thousands of new words; only one batch goes beyond."""
    made = Pipeline.load("textrank")
    made.extract("Warm up.")
    strings = language_model.load("en").vocab.strings
    bound = len(strings) + 2_000
    monkeypatch.setattr(_spacy_plan, "MAX_STRINGS", bound)
    per_batch = 32 * 5 * 6
    for result in made.extract_many(short_texts(800, seed=9)):
        assert result.error is None
    assert bound <= len(strings) < bound + per_batch


def test_threads_may_share_a_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of a web server do; also when the model forgets words."""
    made = Pipeline.load("textrank")
    texts = list(short_texts(20, seed=10))
    reference = [found(made.extract(text)) for text in texts]
    monkeypatch.setattr(_spacy_plan, "MAX_STRINGS", 0)
    results: dict[int, list[Any]] = {}

    def work(number: int) -> None:
        results[number] = [found(made.extract(text)) for text in texts]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results.get(number) == reference for number in range(4)] == [True] * 4


def test_a_keyphrase_is_sent_by_its_fields_alone() -> None:
    """All of them, in the order of the constructor: a field that were forgotten would be lost in workers."""
    sent = Keyphrase("dock workers", 0.5, 1, "dock worker", ((4, 16),))
    made, values = sent.__reduce__()
    assert made is Keyphrase
    assert values == tuple(getattr(sent, field.name) for field in dataclasses.fields(sent))
    assert pickle.loads(pickle.dumps(sent)) == sent
    assert copy.deepcopy(sent) == sent
