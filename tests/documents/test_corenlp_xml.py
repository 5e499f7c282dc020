"""CoreNLP's XML: text and layers out of tokens, and what must never be resolved."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_files import folder_with, parted, phrases, written

from kpframe.documents.corenlp_xml import CorenlpXml
from kpframe.model import Annotations, Document


def token(word: str, begin: int, end: int, tag: str = "NN", lemma: str = "", more: str = "") -> str:
    """One token element."""
    return (
        f'<token id="1"><word>{word}</word>{more}<lemma>{lemma or word}</lemma>'
        f"<CharacterOffsetBegin>{begin}</CharacterOffsetBegin><CharacterOffsetEnd>{end}</CharacterOffsetEnd>"
        f"<POS>{tag}</POS></token>"
    )


def xml(*sentences: str, head: str = "") -> str:
    """A file with these sentences."""
    inner = "".join(f"<sentence><tokens>{tokens}</tokens></sentence>" for tokens in sentences)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<root><document><sentences>{inner}</sentences>'
        "<coreference><coreference><mention><sentence>1</sentence></mention></coreference></coreference>"
        "</document></root>"
    )


def read_one(tmp_path: Path, content: str) -> tuple[Document, Annotations]:
    """The one document of a folder with this file."""
    (document,), skipped = parted(CorenlpXml(path=folder_with(tmp_path, {"d.xml": content})))
    assert skipped == [] and document.annotations is not None
    return document, document.annotations


def test_text_and_layers_come_out_of_the_tokens(tmp_path: Path) -> None:
    """Gaps are spaces, offsets stay valid, sentences are token ranges, tags get universal classes."""
    first = token("Old", 2, 5, "JJ", "old") + token("mice", 6, 10, "NNS", "mouse") + token(".", 10, 11, ".")
    document, made = read_one(tmp_path, xml(first, token("Run", 13, 16, "VB", "run")))
    assert document.id == "d" and document.text == made.text == "  Old mice.  Run"
    begins, ends = made.offsets
    assert [made.text[b:e] for b, e in zip(begins, ends, strict=True)] == ["Old", "mice", ".", "Run"]
    assert made.lemmas is not None and made.tags is not None and made.pos is not None
    assert made.strings(made.words) == ["Old", "mice", ".", "Run"]
    assert made.strings(made.lemmas) == ["old", "mouse", ".", "run"]
    assert made.strings(made.tags) == ["JJ", "NNS", ".", "VB"]
    assert made.strings(made.pos) == ["ADJ", "NOUN", "PUNCT", "VERB"]
    assert made.sentences.tolist() == [[0, 3], [3, 4]]
    assert made.layers == CorenlpXml(path="x").provides()


def test_documents_do_not_share_what_they_are_built_of(tmp_path: Path) -> None:
    """Each file has its own columns and vocabulary."""
    files = {"1.xml": xml(token("a", 0, 1)), "2.xml": xml(token("b", 0, 1))}
    documents, _ = parted(CorenlpXml(path=folder_with(tmp_path, files)))
    words = [d.annotations.strings(d.annotations.words) for d in documents if d.annotations]
    assert words == [["a"], ["b"]]


@pytest.mark.parametrize(
    ("word", "length", "surface"),
    [
        ("-LRB-", 1, "("),
        ("-RSB-", 1, "]"),
        ("-LRB-", 5, "-LRB-"),
        ("``", 1, '"'),
        ("``", 2, "``"),
        ("...", 1, "…"),
        ("1\\/2", 1, "½"),
        ("word", 4, "word"),
        ("caf&#233;", 4, "café"),
    ],
)
def test_rewritten_tokens_get_their_character_back(
    tmp_path: Path, word: str, length: int, surface: str
) -> None:
    """The length in the text tells whether CoreNLP rewrote a token."""
    document, made = read_one(tmp_path, xml(token(word, 0, length) + token("x", length, length + 1)))
    assert document.text == f"{surface}x"
    assert made.offsets == ([0, length], [length, length + 1])


def test_a_rewritten_token_has_no_rewritten_lemma(tmp_path: Path) -> None:
    """The lemma of ( is not -lrb-."""
    _, made = read_one(tmp_path, xml(token("-LRB-", 0, 1, "-LRB-", "-lrb-")))
    assert made.lemmas is not None
    assert made.strings(made.lemmas) == ["("]


def test_the_original_text_is_preferred_where_it_is_given(tmp_path: Path) -> None:
    """Newer versions of CoreNLP write it."""
    document, _ = read_one(tmp_path, xml(token("''", 0, 1, more="<originalText>”</originalText>")))
    assert document.text == "”"


def test_utf16_offsets_become_code_points(tmp_path: Path) -> None:
    """Java counts an emoji as two; what follows moves by one."""
    document, made = read_one(tmp_path, xml(token("😀", 0, 2) + token("mice", 3, 7)))
    assert document.text == "😀 mice"
    assert made.offsets == ([0, 2], [1, 6])


def test_a_word_shorter_than_its_span_is_followed_by_spaces(tmp_path: Path) -> None:
    """So that what follows stays where it was ("colour" rewritten as "color")."""
    document, made = read_one(tmp_path, xml(token("color", 0, 6) + token("x", 7, 8)))
    assert document.text == "color  x"
    assert made.offsets == ([0, 7], [5, 8])


def test_a_file_without_tokens_is_an_empty_document(tmp_path: Path) -> None:
    """Empty documents are kept and counted."""
    document, made = read_one(tmp_path, xml())
    assert document.text == "" and len(made) == 0 and made.sentences.shape == (0, 2)


def test_references_are_the_gold(tmp_path: Path) -> None:
    """A document without an entry has no gold; an entry without a document is skipped."""
    files = {"1.xml": xml(token("a", 0, 1)), "2.xml": xml(token("b", 0, 1))}
    references = written(tmp_path / "r.json", '{"1": [["a"]], "9": [["z"]]}')
    reader = CorenlpXml(path=folder_with(tmp_path / "x", files), references=references)
    documents, (skipped,) = parted(reader)
    assert [(d.id, phrases(d)) for d in documents] == [("1", ["a"]), ("2", [])]
    assert (skipped.place, skipped.reason) == (f"{references} (id '9')", "there is no text")


LAUGHS = (
    '<!DOCTYPE root [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>'
)


@pytest.mark.parametrize(
    ("content", "place", "reason"),
    [
        (xml(token("a", 0, 1))[:-20], ":1", "is not XML"),
        ("", ":1", "is not XML"),
        ("<html/>", "", "the outermost element is <html>, not <root>"),
        (xml(token("a", 0, 0)), "", "token 1 ('a') ends where it begins"),
        (xml(token(" ", 0, 1)), "", "token 1 has no word"),
        (xml("<token><word>a</word></token>"), "", "token ? ('a') has no character offsets"),
        (xml(token("ab", 0, 2) + token("b", 1, 2)), "", "the token 'b' at 1 overlaps the one before it"),
        (xml(token("a", 10**12, 10**12 + 1)), "", "the token 'a' at 1000000000000 lies beyond any text of"),
        (xml(token("&c;", 0, 1), head=LAUGHS), "", "is XML that cannot be used (DTDForbidden"),
        (
            xml(token("&x;", 0, 1), head='<!DOCTYPE root [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
            "",
            "is XML that cannot be used (DTDForbidden",
        ),
        ('<?xml version="1.0" encoding="nonsense"?><root/>', "", "is XML that cannot be used"),
    ],
    ids=["cut", "empty", "html", "zero", "blank", "bare", "overlap", "far", "laughs", "external", "encoding"],
)
def test_a_file_that_cannot_be_used_is_skipped_and_the_others_read(
    tmp_path: Path, content: str, place: str, reason: str
) -> None:
    """Neither billion laughs nor external entities nor a far offset do any harm."""
    path = folder_with(tmp_path, {"1.xml": content, "2.xml": xml(token("fine", 0, 4))})
    documents, (skipped,) = parted(CorenlpXml(path=path))
    assert [d.text for d in documents] == ["fine"]
    assert skipped.place == f"{path}/1.xml{place}"
    assert skipped.reason.startswith(reason)
