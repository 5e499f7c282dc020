"""Distributional similarity over a corpus of one's own."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pair_measures import CORPUS, similarity

from kpframe.errors import DataError, SpecError


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """Four documents."""
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS, encoding="utf-8")
    return str(path)


def written(folder: Path, name: str, text: str) -> str:
    """A corpus with some text."""
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_the_cosine_of_two_words_by_hand(tmp_path: Path) -> None:
    """Four sentences; idf ln 4 for what stands in one of them, ln 2 for what stands in two.

    Around "kite": red, soar. Around "heron": grey, soar. The cosine is ln²2 / (ln²4 + ln²2) = 1/5.
    """
    path = written(tmp_path, "c.txt", "Red kite soar.\nGrey heron soar.\nBlue whale sing.\nOld cow rest.\n")
    measure = similarity("cosine", corpus=path)
    assert measure.compare("kite", "heron") == pytest.approx(1 / 5)
    assert measure.compare("kite", "whale") == 0.0
    assert measure.compare("grey heron", "red kite") == pytest.approx(1.0)


def test_frequencies_count_over_all_contexts(tmp_path: Path) -> None:
    """ "a" meets x twice and y once, "b" meets x once; idf by hand."""
    path = written(tmp_path, "c.txt", "a x\na x y\nb x\nz z\n")
    x, y = math.log(4 / 3), math.log(4)
    expected = 2 * x * x / (math.hypot(2 * x, y) * x)
    assert similarity("cosine", corpus=path).compare("a", "b") == pytest.approx(expected)


def test_a_phrase_is_found_as_a_whole_and_not_across_marks(tmp_path: Path) -> None:
    """ "grid computing" stands in the first line alone."""
    path = written(tmp_path, "c.txt", "Grid computing saves time.\nA grid, computing power.\nTime flies.\n")
    measure = similarity("cosine", corpus=path)
    assert measure.compare("grid computing", "flies") == pytest.approx(
        1 / math.hypot(1, math.log(3) / math.log(1.5))
    )
    assert measure.compare("grids computing", "grid computing") == 1.0


def test_the_context_is_a_sentence_a_document_or_a_window(corpus: str) -> None:
    """ "processors" and "scheduling" stand in one document, in different sentences."""
    pair = ("red kites", "river")
    sentence, document, window = (
        similarity("cosine", corpus=corpus, context=context).compare(*pair)
        for context in ("sentence", "document", 1)
    )
    assert document > sentence > window == 0.0


def test_sentences_end_before_a_capital_alone(tmp_path: Path) -> None:
    """ "e.g. the" stays together; "kites. Herons" does not."""
    path = written(tmp_path, "c.txt", "Birds, e.g. the kites, soar. Herons wade. „Rivers“ flow! 42 cows.\n")
    measure = similarity("cosine", corpus=path)
    assert measure.compare("birds", "kites") > 0.0
    assert measure.compare("kites", "herons") == 0.0


def test_an_unseen_phrase_has_the_mean_of_its_words(corpus: str) -> None:
    """A phrase of one known and one unknown word is where the known word is."""
    measure = similarity("cosine", corpus=corpus)
    seen = measure.compare("processors", "algorithm")
    assert measure.compare("unheard processors", "algorithm") == pytest.approx(seen) and seen > 0.0
    mixed = measure.compare("kites algorithm", "processors")
    assert 0.0 < mixed < seen


def test_an_unknown_phrase_is_like_nothing_but_itself(corpus: str) -> None:
    """0, and 1 for the same words."""
    measure = similarity("cosine", corpus=corpus)
    assert measure.compare("unheard melodies", "processors") == 0.0
    assert measure.compare("unheard melodies", "other sounds") == 0.0
    assert measure.compare("unheard melodies", "unheard melody") == 1.0


def test_related_phrases_are_nearer_than_unrelated_ones(corpus: str) -> None:
    """What the measure is for: "service quality" / "quality of service" have no order in common."""
    measure = similarity("cosine", corpus=corpus, context="document")
    assert measure.compare("grid computing", "cloud computing") > measure.compare(
        "grid computing", "red kites"
    )
    assert measure.compare("service quality", "quality of service") > 0.1


@pytest.mark.parametrize(
    "record",
    [
        {"text": "Red kite soar."},
        {"title": "Red", "abstract": "kite soar."},
        {"document": ["Red", "kite", "soar", "."], "id": "x"},
    ],
)
def test_json_lines_are_read_as_corpora_are(tmp_path: Path, record: dict[str, Any]) -> None:
    """kpframe's own layout, KP20k's and Hugging Face's give the same contexts."""
    rest = [{"text": "Grey heron soar."}, {"text": "Blue whale sing."}, {"text": "Old cow rest."}]
    path = written(tmp_path, "c.jsonl", "\n".join(json.dumps(line) for line in [record, *rest]) + "\n\n")
    found = similarity("cosine", corpus=path, context="document").compare("kite", "heron")
    assert found == pytest.approx(1 / 5)


def test_the_order_of_the_documents_does_not_matter(tmp_path: Path) -> None:
    """To the last digit but rounding."""
    lines = CORPUS.splitlines()
    values = Counter(
        round(similarity("cosine", corpus=path).compare("grid computing", "users"), 12)
        for path in (
            written(tmp_path, "a.txt", "\n".join(lines)),
            written(tmp_path, "b.txt", "\n".join(lines[::-1])),
        )
    )
    assert len(values) == 1


def test_a_changed_corpus_is_read_again(tmp_path: Path) -> None:
    """The checksum is part of the measure's identity, and of what is kept in the process."""
    path = written(tmp_path, "c.txt", "kite soar\nheron soar\ncow rest\n")
    measure = similarity("cosine", corpus=path)
    first = measure.identity()
    assert first["sha256"] == hashlib.sha256(Path(path).read_bytes()).hexdigest()
    assert measure.compare("kite", "heron") == pytest.approx(1.0)
    written(tmp_path, "c.txt", "kite soar\nheron wade\ncow rest\n")
    os.utime(path, ns=(1, 1))
    assert measure.compare("kite", "heron") == 0.0
    assert measure.identity() != first


@pytest.mark.parametrize("text", ["", "\n\n", "kite\n", "one single line with red kites\n", ". . .\n"])
def test_a_corpus_that_tells_nothing_gives_nothing(tmp_path: Path, text: str) -> None:
    """No sentence, no other word, or no other sentence: ln(1) is 0."""
    measure = similarity("cosine", corpus=written(tmp_path, "c.txt", text))
    assert measure.compare("red kites", "line") == 0.0


def test_a_missing_corpus_is_told(tmp_path: Path) -> None:
    """By a check, and by the first comparison."""
    path = str(tmp_path / "nowhere.txt")
    measure = similarity("cosine", corpus=path)
    assert list(measure.problems(["en"])) == [
        ("corpus", f"{path}: cannot be read (no such file or directory)", "correct the path")
    ]
    with pytest.raises(DataError) as caught:
        measure.compare("a", "b")
    assert str(caught.value) == f"{path}: cannot be read (no such file or directory); correct the path"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "is not valid JSON"),
        ("[1]", "has no text; give it a `text`, a `title` and `abstract`, or a `document`"),
        ('{"id": 1}', "has no text; give it a `text`, a `title` and `abstract`, or a `document`"),
    ],
)
def test_a_malformed_line_is_told_by_its_number(tmp_path: Path, line: str, problem: str) -> None:
    """Nothing is skipped silently."""
    path = written(tmp_path, "c.jsonl", '{"text": "fine"}\n' + line + "\n")
    with pytest.raises(DataError) as caught:
        similarity("cosine", corpus=path).compare("a", "b")
    assert str(caught.value).startswith(f"{path}:2: {problem}")


def test_a_corpus_in_another_encoding_is_told(tmp_path: Path) -> None:
    """With what to do."""
    path = tmp_path / "c.txt"
    path.write_bytes("naïve".encode("latin-1"))
    with pytest.raises(DataError) as caught:
        similarity("cosine", corpus=str(path)).compare("a", "b")
    assert str(caught.value) == f"{path}: is not UTF-8 text; convert it, for example with iconv"


def test_only_known_files_are_taken_for_corpora() -> None:
    """The suffix says how lines are read."""
    with pytest.raises(SpecError, match=r"must end in \.txt or \.jsonl"):
        similarity("cosine", corpus="corpus.csv")
    with pytest.raises(SpecError):
        similarity("cosine", corpus="corpus.txt", context=0)
