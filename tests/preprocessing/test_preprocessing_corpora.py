"""Tokens, sentences, chunks and entities of real texts."""

from __future__ import annotations

import io
import os
import tarfile
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kpframe.model import Annotations, Document
from kpframe.model.folding import plain
from kpframe.preprocessing.chunk import Chunk
from kpframe.preprocessing.lemmatize import Lemmatize
from kpframe.preprocessing.ner import Ner
from kpframe.preprocessing.pos import Pos
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.tokenize import Tokenize
from kpframe.stages.registry import lookup

ROOT = Path(__file__).resolve().parents[2]
DATA = (ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets")).resolve()

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"no corpora in {DATA} (set KPFRAME_DATA)"),
    pytest.mark.slow,
]


def archived(archive: zipfile.ZipFile, suffix: str, step: int) -> Iterator[Document]:
    """Every so manieth text of an archive."""
    names = sorted(name for name in archive.namelist() if name.endswith(suffix) and name[-1] != "/")
    for name in names[::step]:
        yield Document(name, archive.read(name).decode("utf-8", "replace"))


def inspec(count: int) -> list[Document]:
    """The first abstracts of the training part."""
    with tarfile.open(DATA / "Hulth2003.tar.gz") as tar:
        name = next(name for name in tar.getnames() if "Training" in name and name.endswith(".zip"))
        member = tar.extractfile(name)
        assert member is not None
        return list(archived(zipfile.ZipFile(io.BytesIO(member.read())), ".abstr", 1))[:count]


def corpus(name: str) -> list[Document]:
    """Some texts of a corpus."""
    if name == "Hulth2003":
        return inspec(300)
    suffix, step = ("", 6) if name == "DUC2001-txt" else (".txt", 25)
    with zipfile.ZipFile(DATA / f"{name}.zip") as archive:
        return list(archived(archive, suffix, step))


def check_invariants(made: Annotations) -> None:
    """What must hold for every text."""
    text = made.text
    begins, ends = made.offsets
    words = [text[b:e] for b, e in zip(begins, ends, strict=True)]
    assert all(words) and not any(any(map(str.isspace, word)) for word in words)
    assert all(end <= begin for end, begin in zip(ends, begins[1:], strict=False))
    gaps = [text[e:b] for e, b in zip([0, *ends], [*begins, len(text)], strict=True)]
    # What cannot be seen is in no token: white space, soft hyphens, marks of direction.
    assert not [sign for sign in "".join("".join(gaps).split()) if unicodedata.category(sign) != "Cf"]
    assert list(map(plain, words)) == made.strings(made.words)
    edges = made.sentences.ravel().tolist()
    assert (edges[0], edges[-1]) == (0, len(made)) and edges[1:-1:2] == edges[2::2]
    assert all(b < e for b, e in made.sentences.tolist())
    for spans in (made.chunks, made.entities):
        if spans is not None:
            owner = made.sentence_of
            assert all(b < e and owner[b] == owner[e - 1] for b, e in spans.tolist())


@pytest.mark.parametrize("name", ["Hulth2003", "DUC2001-txt", "Nguyen2007", "SemEval2010"])
def test_tokens_cover_every_text(name: str) -> None:
    """In order, apart, without white space, and nothing is left out, by both tokenizers."""
    documents = corpus(name)
    for stage in (Tokenize(), Simple()):
        for made in stage.run([stage], documents, [None] * len(documents)):
            assert isinstance(made, Annotations), made
            check_invariants(made)


def test_all_layers_of_real_texts_keep_the_invariants() -> None:
    """Abstracts and news."""
    documents = inspec(20) + corpus("DUC2001-txt")[:4]
    annotators = [Tokenize(), Lemmatize(), Pos(), Chunk(), Ner()]
    for made in Tokenize.run(annotators, documents, [None] * len(documents)):
        assert isinstance(made, Annotations), made
        check_invariants(made)
        assert made.strings(made.words) and made.lemmas is not None and made.tags is not None


def test_the_grammar_agrees_broadly_with_the_parser() -> None:
    """F1 of the phrases without determiners and pronouns, on 200 abstracts."""
    documents = inspec(200)
    parsed = list(Tokenize.run([Tokenize(), Pos(), Chunk()], documents, [None] * len(documents)))
    common = total = 0
    for document, made in zip(documents, parsed, strict=True):
        assert isinstance(made, Annotations)
        other = Chunk(method="grammar").annotate(document, made)
        left, right = stripped(made), stripped(other)
        common, total = common + len(left & right), total + len(left) + len(right)
    f1 = 2 * common / total
    print(f"parser and grammar: F1 {f1:.3f} of {total} phrases")
    assert f1 > 0.85


def stripped(made: Annotations) -> set[tuple[int, int]]:
    """The chunks without leading determiners and pronouns."""
    assert made.pos is not None and made.chunks is not None
    pos = made.strings(made.pos)
    spans = set()
    for begin, end in made.chunks.tolist():
        while begin < end and pos[begin] in ("DET", "PRON"):
            begin += 1
        if begin < end:
            spans.add((begin, end))
    return spans


def test_a_corpus_that_comes_tagged_keeps_its_tokens() -> None:
    """CoreNLP's tokens, lemmas and tags stay; chunks and entities are added."""
    reader = lookup("documents", "corenlp_xml")(path=str(DATA / "hulth-2003-corenlp"))
    documents = [document for document in reader.read() if isinstance(document, Document)]  # type: ignore[attr-defined]
    assert len(documents) == 10
    annotators = [Tokenize(), Lemmatize(), Pos(), Chunk(), Ner()]
    given = [document.annotations for document in documents]
    for before, after in zip(given, Tokenize.run(annotators, documents, given), strict=True):
        assert isinstance(after, Annotations), after
        assert before is not None and before.lemmas is not None and after.lemmas is not None
        assert after.begins is before.begins and after.words is before.words
        assert after.strings(after.lemmas) == before.strings(before.lemmas)
        assert after.chunks is not None and len(after.chunks) > 5 and after.entities is not None
        owner = after.sentence_of
        assert all(owner[b] == owner[e - 1] for b, e in after.chunks.tolist())
