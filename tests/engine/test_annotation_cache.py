"""The annotation cache: what goes in comes out, and what is damaged counts as missing."""

from __future__ import annotations

import logging
import multiprocessing
import pickle
from pathlib import Path

import numpy as np
import pytest
from engine_runs import demonstration
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe import Document
from kpframe.engine.annotating import Preprocessing
from kpframe.engine.cache import AnnotationCache, dump_annotations, parse_annotations
from kpframe.model import LAYERS, Annotations
from kpframe.stages.registry import lookup

pytestmark = pytest.mark.slow

ARRAYS = (
    "begins",
    "ends",
    "words",
    "lemmas",
    "tags",
    "pos",
    "entity_labels",
    "sentences",
    "chunks",
    "entities",
)
KEY = "ab" + "0" * 30
SIMPLE = lookup("preprocessing", "simple")()


def full(text: str = "Cats sleep. Berlin, too!") -> Annotations:
    """Every layer, made by hand."""
    ints = {
        "begins": [0, 5, 10, 12, 18, 20, 23],
        "ends": [4, 10, 11, 18, 19, 23, 24],
        "words": [0, 1, 2, 3, 4, 5, 6],
        "lemmas": [7, 1, 2, 3, 4, 5, 6],
        "tags": [8, 9, 2, 10, 4, 11, 2],
        "pos": [12, 13, 14, 15, 14, 16, 14],
        "sentences": [[0, 3], [3, 7]],
        "chunks": [[0, 1], [3, 4]],
        "entities": [[3, 4]],
        "entity_labels": [17],
    }
    words, rest = ["Cats", "sleep", ".", "Berlin", ",", "too", "!"], ["cat", "NNS", "VBP", "NNP", "RB"]
    names = [*words, *rest, "NOUN", "VERB", "PUNCT", "PROPN", "ADV", "GPE"]
    arrays = {name: np.array(values, dtype=np.int32) for name, values in ints.items()}
    return Annotations(text=text, vocabulary=tuple(names), **arrays)  # type: ignore[arg-type]


def assert_same(found: Annotations | None, made: Annotations) -> None:
    assert found is not None
    assert (found.text, found.vocabulary, found.layers) == (made.text, made.vocabulary, made.layers)
    for name in ARRAYS:
        one, other = getattr(found, name), getattr(made, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert one.dtype == np.int32
            assert one.shape == other.shape
            assert one.tolist() == other.tolist()
            assert not one.flags.writeable


def test_every_layer_comes_back(tmp_path: Path) -> None:
    """All eight layers with the labels of entities, and kinds and headings of sections."""
    made = full()
    one = np.array([[0, len(made)]], dtype=np.int32)
    kinds = np.zeros(1, dtype=np.int32)
    made = made.with_layers(sections=one, section_kinds=kinds, headings=one[:, :1].repeat(2, axis=1))
    cache = AnnotationCache(tmp_path)
    cache.save(KEY, made)
    assert made.layers == set(LAYERS)
    assert_same(cache.load(KEY, made.text), made)


@pytest.mark.parametrize("missing", ["lemmas", "tags", "pos", "chunks", "entities"])
def test_a_layer_that_was_not_made_is_none_again(tmp_path: Path, missing: str) -> None:
    """A missing layer is not taken for an empty one."""
    fields = {missing: None, **({"entity_labels": None} if missing == "entities" else {})}
    made = full().with_layers(**fields)
    assert_same(parse_annotations(dump_annotations(made), made.text), made)


def test_texts_without_tokens_and_layers_without_spans_come_back() -> None:
    """Empty is not missing."""
    none = np.zeros((0, 2), dtype=np.int32)
    for made in (
        Annotations.empty(""),
        Annotations.empty(" \n"),
        full().with_layers(chunks=none, entities=none, entity_labels=none[:, 0]),
    ):
        assert_same(parse_annotations(dump_annotations(made), made.text), made)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_that_simple_annotates_comes_back(text: str) -> None:
    """Whatever code points there are, lone surrogates too."""
    ((_, made),) = Preprocessing.of([SIMPLE], frozenset()).annotate([Document("x", text)])
    if not made.failed:
        assert_same(parse_annotations(dump_annotations(made.value), text), made.value)


def test_a_lone_surrogate_comes_back() -> None:
    """UTF-8 has no surrogates, the cache has."""
    text = "half \ud83d a pair"
    ((_, made),) = Preprocessing.of([SIMPLE], frozenset()).annotate([Document("x", text)])
    assert_same(parse_annotations(dump_annotations(made.value), text), made.value)


def test_no_damage_goes_unnoticed() -> None:
    """Every truncation and every changed byte is found."""
    data = dump_annotations(full())
    for place in range(len(data)):
        assert parse_annotations(data[:place], "") is None
        assert parse_annotations(data[:place] + bytes([data[place] ^ 0x20]) + data[place + 1 :], "") is None
    assert parse_annotations(data + b"\0", "") is None


def made_of(preprocessing: Preprocessing, cache: AnnotationCache, text: str) -> Annotations:
    ((_, made),) = preprocessing.annotate([Document("x", text)], cache)
    return made.value


def test_an_entry_of_another_text_is_told_once_and_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """All entries replaced by one that is whole: it is bound to its own key and text."""
    texts = ["Two words.", "Three other words.", "One."]
    preprocessing = Preprocessing.of([SIMPLE], frozenset())
    right = [made_of(preprocessing, AnnotationCache(tmp_path), text) for text in texts]
    good = {path: path.read_bytes() for path in tmp_path.rglob("*.bin")}
    for path in good:
        path.write_bytes(next(iter(good.values())))
    cache = AnnotationCache(tmp_path)
    caplog.set_level(logging.WARNING, logger="kpframe")
    for text, made in zip(texts, right, strict=True):
        assert_same(made_of(preprocessing, cache, text), made)
    assert {path: path.read_bytes() for path in good} == good
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.endswith("an entry is damaged or belongs to another text; such entries are made anew")


def test_the_same_text_under_another_key_is_another_entry(tmp_path: Path) -> None:
    """As annotations by other annotators of the same text."""
    cache, made = AnnotationCache(tmp_path), full()
    cache.save(KEY, made)
    other = "cd" + KEY[2:]
    (entry,) = tmp_path.rglob("*.bin")
    moved = tmp_path / "annotations" / other[:2] / other[2:] / entry.name
    moved.parent.mkdir(parents=True)
    entry.rename(moved)
    assert cache.load(other, made.text) is None
    assert cache.load(KEY, made.text) is None


CHAIN = ("tokenize", "pos", "lemmatize", "chunk", "ner")
NEEDS = [
    frozenset(needed)
    for needed in (
        [],
        ["pos"],
        ["lemmas"],
        ["chunks"],
        ["entities"],
        ["pos", "chunks"],
        ["lemmas", "entities"],
    )
]


def strings(made: Annotations) -> dict[str, object]:
    """All layers, whatever the numbering of the vocabulary."""
    found: dict[str, object] = {}
    for name in ARRAYS:
        array = getattr(made, name)
        named = name in ("words", "lemmas", "tags", "pos", "entity_labels")
        found[name] = array if array is None else made.strings(array) if named else array.tolist()
    return found


@pytest.mark.acceptance
def test_an_entry_with_more_layers_serves_those_who_need_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On real texts it gives what annotating anew gives; nothing is annotated, nothing is written."""
    chain = [lookup("preprocessing", kind)() for kind in CHAIN]
    everything = Preprocessing.of(chain, frozenset({"pos", "lemmas", "chunks", "entities"}))
    texts = demonstration()
    fresh = {needed: Preprocessing.of(chain, needed).annotate(texts) for needed in NEEDS}
    everything.annotate(texts, AnnotationCache(tmp_path))
    written = sorted(tmp_path.rglob("*.bin"))
    with monkeypatch.context() as patch:
        patch.setattr(type(chain[0]), "run", None)
        for needed, expected in fresh.items():
            found = Preprocessing.of(chain, needed).annotate(texts, AnnotationCache(tmp_path))
            for (_, one), (_, other) in zip(found, expected, strict=True):
                assert strings(one.value) == strings(other.value)
    assert sorted(tmp_path.rglob("*.bin")) == written


def test_an_entry_with_more_layers_does_not_serve_where_it_might_differ(tmp_path: Path) -> None:
    """Another model in the pass, other parameters, an annotator that does not stand alone."""
    tokenize, pos, ner = (lookup("preprocessing", kind) for kind in ("tokenize", "pos", "ner"))
    text = "The cats of Berlin sleep."

    def count(*stages: object, needed: str) -> int:
        made = Preprocessing.of(stages, frozenset({needed}))  # type: ignore[arg-type]
        made.annotate([Document("x", text)], AnnotationCache(tmp_path))
        return len(list(tmp_path.rglob("*.bin")))

    named = pos(model="en_core_web_sm")
    assert count(tokenize(), named, needed="pos") == 1
    assert count(tokenize(), needed="tokens") == 2
    assert count(tokenize(piece_characters=1000), pos(), needed="pos") == 3
    assert count(tokenize(piece_characters=1000), needed="tokens") == 3
    assert count(tokenize(), ner(), needed="entities") == 4
    assert count(tokenize(), ner(labels=["GPE"]), needed="entities") == 5


@pytest.mark.parametrize("content", [b"", b"garbage", b"kpframe-annotations-1\n", b"\0" * 1000])
def test_a_damaged_entry_is_made_again(tmp_path: Path, content: bytes) -> None:
    """It is a miss, and is overwritten by a good one."""
    cache = AnnotationCache(tmp_path)
    preprocessing = Preprocessing.of([SIMPLE], frozenset())
    document = Document("x", "two words")
    ((_, made),) = preprocessing.annotate([document], cache)
    (entry,) = tmp_path.rglob("*.bin")
    good = entry.read_bytes()
    entry.write_bytes(content)
    ((_, again),) = preprocessing.annotate([document], cache)
    assert_same(again.value, made.value)
    assert entry.read_bytes() == good
    assert [path for path in tmp_path.rglob("*") if path.suffix == ".tmp"] == []


def test_a_hit_is_not_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The annotators are not asked again."""
    cache = AnnotationCache(tmp_path)
    preprocessing = Preprocessing.of([SIMPLE], frozenset())
    preprocessing.annotate([Document("x", "two words")], cache)
    monkeypatch.setattr(type(SIMPLE), "annotate", None)
    ((_, made),) = preprocessing.annotate([Document("other id", "two words")], cache)
    assert made.value.strings(made.value.words) == ["two", "words"]


def entries(folder: Path, *stages: object, text: str = "Two words.", language: str = "en") -> set[str]:
    """The names of the cache's entries after a text went through stages."""
    made = Preprocessing.of(stages, frozenset({"lemmas"}))  # type: ignore[arg-type]
    made.annotate([Document("x", text, language)], AnnotationCache(folder))
    return {path.parent.name + path.stem for path in folder.rglob("*.bin")}


def test_other_texts_languages_and_parameters_have_other_entries(tmp_path: Path) -> None:
    """Whatever annotations depend on is in the key."""
    tokenize, lemmatize = lookup("preprocessing", "tokenize"), lookup("preprocessing", "lemmatize")
    ways = [
        lambda: entries(tmp_path, SIMPLE),
        lambda: entries(tmp_path, SIMPLE, text="Two words!"),
        lambda: entries(tmp_path, SIMPLE, language="de"),
        lambda: entries(tmp_path, tokenize()),
        lambda: entries(tmp_path, tokenize(piece_characters=1000)),
        lambda: entries(tmp_path, tokenize(), lemmatize()),
        lambda: entries(tmp_path, tokenize(model="en_core_web_sm"), lemmatize()),
    ]
    assert [len(way()) for way in ways] == [1, 2, 3, 4, 5, 6, 7]
    assert [len(way()) for way in ways] == [7] * 7


def test_annotations_that_a_corpus_brings_are_part_of_the_key(tmp_path: Path) -> None:
    """The same text with other given tokens is another document."""
    cache, preprocessing = AnnotationCache(tmp_path), Preprocessing.of([SIMPLE], frozenset())
    given = full()
    merged = given.with_layers(
        begins=given.begins[:1], ends=given.ends[:1], words=given.words[:1], sentences=given.sentences[:0]
    )
    for brought in (None, given, merged):
        preprocessing.annotate([Document("x", given.text, annotations=brought)], cache)
    assert len(list(tmp_path.rglob("*.bin"))) == 3


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    """As a read-only folder, or here a file in its place."""
    place = tmp_path / "cache"
    place.write_text("a file")
    preprocessing = Preprocessing.of([SIMPLE], frozenset())
    ((_, made),) = preprocessing.annotate([Document("x", "two words")], AnnotationCache(place))
    assert len(made.value) == 2
    assert place.read_text() == "a file"


def test_a_full_disk_is_no_reason_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing half-written stays."""

    def full_disk(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full_disk)
    AnnotationCache(tmp_path).save(KEY, full())
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def write_many(folder: str) -> None:
    for _ in range(300):
        AnnotationCache(Path(folder)).save(KEY, full())


@pytest.mark.acceptance
def test_two_processes_may_write_the_same_entry(tmp_path: Path) -> None:
    """A reader meanwhile sees a whole entry or none."""
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(str(tmp_path),)) for _ in range(2)]
    for writer in writers:
        writer.start()
    cache, seen = AnnotationCache(tmp_path), 0
    while any(writer.is_alive() for writer in writers):
        if list(tmp_path.rglob("*.bin")):
            assert cache.load(KEY, full().text) is not None
            seen += 1
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert seen
    assert [found.suffix for found in tmp_path.rglob("*") if found.is_file()] == [".bin"]


def test_what_is_asked_of_a_text_is_made_once_and_does_not_travel() -> None:
    """With other arguments it is another question; a copy has the layers alone."""
    made = full()
    calls: list[tuple[int, str]] = []

    def longest(annotations: Annotations, unit: str) -> int:
        calls.append((len(annotations), unit))
        return max(map(len, annotations.strings(annotations.words)))

    asked = [made.once(longest, unit) for unit in ("tokens", "tokens", "words")]
    assert asked == [6, 6, 6] and calls == [(7, "tokens"), (7, "words")]
    copy = pickle.loads(pickle.dumps(made))
    assert_same(copy, made)
    assert copy.once(longest, "tokens") == 6 and len(calls) == 3
