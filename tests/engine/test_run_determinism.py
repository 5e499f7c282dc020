"""The bytes of a run depend on the spec, the documents and the code, and on nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from engine_runs import GRID, begin, corpus, demonstration, end, experiment, jsonl, outcome, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpframe import Document, Gold
from kpframe.engine import batches

pytestmark = pytest.mark.slow

KEA = GRID[GRID.index("systems:") : GRID.index("sweep:")]

SPACY = """
name: annotated
documents: {kind: jsonl, path: corpus.jsonl}
split: {train: 1/2, seed: 3}
preprocessing: [tokenize, lemmatize, pos, chunk, ner]
sweep:
  candidates: {lemmas: lemmas, phrases: noun_phrases, entities: named_entities}
  ranking: {tfidf: {kind: tfidf, idf: {from: collection}}, cooccurrence: {kind: cooccurrence}}
postprocessing: [{kind: merge_adjacent}, {kind: stopwords, lists: [en]}]
matching: [exact, approximate]
reports: [json]
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bytes of the grid over the demonstration corpus: one worker, in order, nothing cached."""
    return outcome(run(tmp_path_factory.mktemp("plain"), GRID, demonstration()).folder)


def shuffled(seed: int) -> list[Document]:
    documents = list(demonstration())
    random.Random(seed).shuffle(documents)
    return documents


def test_the_grid_has_all_cells_and_every_document(plain: dict[str, bytes]) -> None:
    """Seven cells of 8 evaluated documents each, what was learned, and the summary."""
    cells = [name for name in plain if name.endswith("keyphrases.jsonl")]
    assert len(cells) == 7
    assert {plain[name].count(b"\n") for name in cells} == {8}
    assert len([name for name in plain if name.startswith("fitted/")]) == 2


@pytest.mark.acceptance
def test_two_workers_write_what_one_writes(
    plain: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of processes leaves no trace."""
    monkeypatch.setattr(batches, "MAX_ITEMS", 2)
    assert outcome(run(tmp_path, GRID, demonstration(), workers=2).folder) == plain


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.acceptance)])
def test_the_order_of_a_corpus_leaves_no_trace(plain: dict[str, bytes], tmp_path: Path, seed: int) -> None:
    """A shuffled file and shuffled documents both give the same bytes."""
    assert outcome(run(tmp_path / "file", GRID, shuffled(seed)).folder) == plain
    given = run(tmp_path / "given", GRID, documents=iter(shuffled(seed + 10)))
    assert outcome(given.folder) == plain


@pytest.mark.parametrize(
    ("items", "characters"),
    [
        (1, 60_000),
        pytest.param(1000, 10**9, marks=pytest.mark.acceptance),
        pytest.param(3, 60_000, marks=pytest.mark.acceptance),
        (32, 1),
    ],
)
def test_the_size_of_batches_leaves_no_trace(
    plain: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, items: int, characters: int
) -> None:
    """One document at a time, a few, or all at once."""
    monkeypatch.setattr(batches, "MAX_ITEMS", items)
    monkeypatch.setattr(batches, "MAX_CHARACTERS", characters)
    assert outcome(run(tmp_path, GRID, demonstration()).folder) == plain


def test_a_warm_cache_gives_what_a_cold_one_gives(plain: dict[str, bytes], tmp_path: Path) -> None:
    """Annotations from the cache are those that were made."""
    first = run(tmp_path, GRID, demonstration(), out=tmp_path / "first")
    entries = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.bin")}
    second = run(tmp_path, GRID, demonstration(), out=tmp_path / "second")
    assert outcome(first.folder) == outcome(second.folder) == plain
    assert len(entries) == 12
    assert {path: path.stat().st_mtime_ns for path in entries} == entries


def test_a_corpus_in_several_files_is_the_corpus(plain: dict[str, bytes], tmp_path: Path) -> None:
    """A folder of files, whatever is in which, gives the same bytes as one file."""
    parts = tmp_path / "parts"
    parts.mkdir()
    documents = shuffled(5)
    jsonl(parts / "z.jsonl", documents[:7])
    jsonl(parts / "a.jsonl", documents[7:])
    spec = GRID.replace("path: corpus.jsonl", "path: parts")
    assert outcome(run(tmp_path, spec).folder) == plain


@pytest.mark.acceptance
def test_hash_seeds_leave_no_trace(plain: dict[str, bytes], tmp_path: Path) -> None:
    """Three processes with other hash seeds, over shuffled files, give the bytes of this one."""
    running = []
    for seed in ("0", "1", "2"):
        folder = tmp_path / seed
        experiment(folder, GRID, shuffled(int(seed)))
        options = ["run", folder / "spec.yaml", "--out", folder / "out", "--quiet"]
        running.append(begin(options, folder / "cache", PYTHONHASHSEED=seed))
    for process in running:
        end(process)
    assert [outcome(tmp_path / seed / "out") == plain for seed in ("0", "1", "2")] == [True] * 3


@pytest.mark.acceptance
def test_a_run_with_a_language_model_leaves_no_trace_of_how_it_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All spaCy layers: hash seed, batches of one, order and a warm cache change no byte."""
    # The other process has a corpus of its own: `run` below writes that of `here` again.
    there = tmp_path / "there"
    experiment(there, SPACY, demonstration())
    command = ["run", there / "spec.yaml", "--out", there / "out", "--workers", "2", "-q"]
    other = begin(command, there / "cache", PYTHONHASHSEED="7")
    here = tmp_path / "here"
    reference = outcome(run(here, SPACY, demonstration()).folder)
    monkeypatch.setattr(batches, "MAX_ITEMS", 1)
    single = run(here, SPACY, documents=shuffled(4), out=tmp_path / "single", cache=tmp_path / "c2")
    warm = run(here, SPACY, documents=shuffled(6), out=tmp_path / "warm")
    end(other)
    assert outcome(single.folder) == reference
    assert outcome(warm.folder) == reference
    assert outcome(there / "out") == reference


_WORDS = st.sampled_from(
    ["graph", "Graphs", "theory", "the", "of", "naïve", "χ²", "x-ray", "U.S.", "3.14", "😀", ","]
)
_TEXTS = st.lists(_WORDS, max_size=12).map(" ".join)
_CORPORA = st.lists(st.tuples(_TEXTS, st.lists(_WORDS, max_size=3)), min_size=3, max_size=8)


@pytest.mark.acceptance
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(_CORPORA, st.randoms(use_true_random=False), st.integers(1, 5), st.integers(1, 40))
def test_any_small_corpus_in_any_order_and_batching_gives_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[tuple[str, list[str]]],
    chance: random.Random,
    items: int,
    characters: int,
) -> None:
    """Random corpora with empty texts, symbols and missing gold, permuted and batched at random."""
    folder = tmp_path_factory.mktemp("any")
    spec = GRID.replace("split: {train: 1/3, seed: 1}\n", "").replace(KEA, "")
    documents = [
        Document(f"d{i}", text, gold=tuple(Gold((phrase,)) for phrase in gold))
        for i, (text, gold) in enumerate(texts)
    ]
    reference = outcome(run(folder, spec, documents=documents, out=folder / "a").folder)
    chance.shuffle(documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "MAX_ITEMS", items)
        patch.setattr(batches, "MAX_CHARACTERS", characters)
        again = run(folder, spec, documents=documents, out=folder / "b", cache=folder / "cold")
    assert outcome(again.folder) == reference


def test_a_synthetic_corpus_has_something_to_find(tmp_path: Path) -> None:
    """The other tests of this folder would be worth little over scores that are all 0."""
    summary = run(tmp_path, GRID, corpus(30)).summary
    assert all((cell.value("r_precision/approximate") or 0) > 0.01 for cell in summary.cells)
