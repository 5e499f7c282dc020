"""Universal parts of speech out of Penn tags."""

from __future__ import annotations

from families import every

from kpframe.model.penn import UNIVERSAL, universal


@every(
    ("tag", "pos"),
    [
        ("NN", "NOUN"),
        ("NNS", "NOUN"),
        ("NNP", "PROPN"),
        ("JJR", "ADJ"),
        ("VBG", "VERB"),
        ("MD", "AUX"),
        ("PRP$", "PRON"),
        ("IN", "ADP"),
        ("CD", "NUM"),
        ("-LRB-", "PUNCT"),
        ("$", "SYM"),
        ("JJ|NN", "ADJ"),
        ("", "X"),
        ("XYZ", "X"),
    ],
)
def test_a_penn_tag_has_a_universal_class(tag: str, pos: str) -> None:
    """By the table of Universal Dependencies; a doubt is decided by its first tag."""
    assert universal(tag) == pos


def test_only_universal_classes_are_given() -> None:
    """Those of Universal Dependencies that a tag alone can tell: all but SCONJ."""
    content = {"ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"}
    function = {"ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON"}
    assert set(UNIVERSAL.values()) == content | function | {"PUNCT", "SYM", "X"}
