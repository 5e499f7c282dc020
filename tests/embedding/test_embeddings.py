"""Embeddings: what a vector is made of, and what is told where there is none."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kpframe.errors import DataError, ResourceError
from kpframe.stages import Embedding
from kpframe.stages.parts import part
from kpframe.stages.registry import kinds, lookup

FILE = "2 3\nharbour 1 0 0\nharbour 9 9 9\nStrike 0 1 0\nstrike 0 3 0\n"

TEXTS = ["", " \n", "harbour", "Harbour strike", "-", "北京 😀 e\u0301 \x00", "\ud800", "harbour " * 500]
"""Texts that broke some program, and those between them."""


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """A file with two words, one of them twice."""
    path = tmp_path / "vectors.txt"
    path.write_text(FILE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A spaCy model on disk that knows two words."""
    import spacy

    language = spacy.blank("en")
    language.vocab.set_vector("harbour", np.array([1, 0], dtype=np.float32))
    language.vocab.set_vector("strike", np.array([0, 1], dtype=np.float32))
    folder = tmp_path_factory.mktemp("model") / "blank"
    language.to_disk(folder)
    return str(folder)


@pytest.fixture
def made(vectors: Path, model: str) -> Callable[[str], Embedding]:
    """An embedding of each kind; one whose library or model is not there is skipped."""

    def make(kind: str) -> Embedding:
        given: dict[str, Any] = {
            "word_vectors": {"path": str(vectors)},
            "spacy_vectors": {"model": model},
            "sentence_transformers": {"path": os.environ.get("KPFRAME_MINILM", "nowhere")},
        }.get(kind, {})
        embedding = lookup("embedding", kind)(**given)
        if kind == "sentence_transformers" and list(embedding.problems([])):
            pytest.skip("no model, or the library is not there")
        assert isinstance(embedding, Embedding)
        return embedding

    return make


@pytest.mark.parametrize("kind", kinds("embedding"))
@pytest.mark.slow
def test_a_vector_depends_on_its_text_alone(kind: str, made: Callable[[str], Embedding]) -> None:
    """The same to the last bit whatever stands beside it, in whatever order; finite."""
    embedding = made(kind)
    texts = [text for text in TEXTS if kind == "trigrams" or "\ud800" not in text]
    together = embedding.encode(texts)
    assert together.dtype == np.float64 and len(together) == len(texts)
    assert np.isfinite(together).all()
    for text, row in zip(texts, together, strict=True):
        assert embedding.encode([text])[0].tobytes() == row.tobytes()
    assert embedding.encode(texts[::-1]).tobytes() == together[::-1].tobytes()


@pytest.mark.parametrize("kind", kinds("embedding"))
def test_an_embedding_says_what_it_is(kind: str) -> None:
    """A sentence first, a source, every parameter described."""
    cls = lookup("embedding", kind)
    assert (cls.__doc__ or "").partition("\n\n")[0].rstrip().endswith(".")
    assert cls.source
    assert (cls.folder, cls.kind) == ("embedding", kind)
    assert [name for name, field in cls.model_fields.items() if not field.description] == []


@pytest.mark.parametrize("kind", kinds("embedding"))
@pytest.mark.slow
def test_an_embedding_survives_a_spec(kind: str, made: Callable[[str], Embedding]) -> None:
    """Dumped and rebuilt it is the same, with the same identity."""
    embedding = made(kind)
    again = part("embedding", embedding.to_spec())
    assert (again, again.identity()) == (embedding, embedding.identity())


def test_directions_have_length_one_or_zero() -> None:
    """Nothing is divided by zero."""
    found = lookup("embedding", "word_vectors")
    assert issubclass(found, Embedding)
    rows = part("embedding", "trigrams").directions(["harbour", "strike"])  # type: ignore[attr-defined]
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0, 1.0])


def test_a_trigram_counts_where_its_checksum_says() -> None:
    """ "ab" has "  a", " ab" and "ab "."""
    row = part("embedding", "trigrams(dimensions=7)").encode(["AB"])[0]  # type: ignore[attr-defined]
    expected = [0] * 7
    for group in (b"  a", b" ab", b"ab "):
        expected[zlib.crc32(group) % 7] += 1
    assert row.tolist() == expected


def test_a_text_has_the_mean_of_its_known_words(vectors: Path) -> None:
    """The first of two equal words counts; a word is looked up as it is, then folded."""
    embedding = lookup("embedding", "word_vectors")(path=str(vectors))
    rows = embedding.encode(["harbour Strike", "HARBOUR", "unknown harbour strike", "ship"])  # type: ignore[attr-defined]
    assert rows.tolist() == [[0.5, 0.5, 0], [1, 0, 0], [0.5, 1.5, 0], [0, 0, 0]]


def test_a_file_may_be_compressed(vectors: Path, tmp_path: Path) -> None:
    """The same vectors come out of .gz."""
    packed = tmp_path / "vectors.txt.gz"
    packed.write_bytes(gzip.compress(vectors.read_bytes()))
    plain, unpacked = (lookup("embedding", "word_vectors")(path=str(p)) for p in (vectors, packed))
    assert plain.encode(["strike"]).tolist() == unpacked.encode(["strike"]).tolist()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "holds no vector"),
        (b"harbour 1 0\nstrike 1\n", ":2: has 1 numbers, those before it 2"),
        (b"harbour 1 x\n", ":1: is no word with its numbers"),
        (b"harbour 1 nan\n", ":1: is no word with its numbers"),
        (b"harbour\n", ":1: is no word with its numbers"),
        (b"harbour \xff\n", "is not UTF-8 text"),
    ],
)
def test_a_file_that_holds_something_else_is_told(content: bytes, problem: str, tmp_path: Path) -> None:
    """With its line."""
    path = tmp_path / "vectors.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=problem):
        lookup("embedding", "word_vectors")(path=str(path)).encode(["harbour"])  # type: ignore[attr-defined]


def test_a_changed_file_is_another_embedding(vectors: Path) -> None:
    """What lies there counts, not its name."""
    before = lookup("embedding", "word_vectors")(path=str(vectors)).identity()
    vectors.write_text(FILE + "ship 1 1 1\n", encoding="utf-8")
    assert lookup("embedding", "word_vectors")(path=str(vectors)).identity() != before


@pytest.mark.slow
def test_the_mean_over_tokens_is_spacys(model: str) -> None:
    """Unknown tokens count as zeros there."""
    rows = lookup("embedding", "spacy_vectors")(model=model).encode(["harbour strike", "harbour ships"])  # type: ignore[attr-defined]
    assert rows.tolist() == [[0.5, 0.5], [0.5, 0]]


def test_a_model_without_vectors_is_refused() -> None:
    """The models that kpframe itself needs have none."""
    with pytest.raises(ResourceError, match="has no word vectors; give a model that has"):
        lookup("embedding", "spacy_vectors")(model="en_core_web_sm").encode(["harbour"])  # type: ignore[attr-defined]


def test_a_folder_that_is_not_there_is_told_before_any_text_is_read() -> None:
    """By the path, or by the library that could not read it either."""
    found = list(lookup("embedding", "sentence_transformers")(path="nowhere").problems([]))
    assert [name for name, _, _ in found] == ["path"]
    assert "is not a folder" in found[0][1] or "sentence-transformers" in found[0][1]
