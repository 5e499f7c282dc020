"""The gold keyphrases of documents as a matching counts them, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kpframe.model import Document, Phrase
from kpframe.normalize import fold, stemmer, token_spans
from kpframe.stages import Matching

__all__ = ["Keyphrases", "Span", "kept_of", "occurrences", "present_of", "whole_of"]

Keyphrases = tuple[tuple[Phrase, ...], ...]
"""The variants of each gold keyphrase."""

Span = tuple[int, int]


def kept_of(matching: Matching, document: Document, text: str) -> Keyphrases:
    """The gold keyphrases that count; empty also where a matching does not tell."""
    return matching.match((), document.gold, text).keyphrases


def whole_of(matching: Matching, document: Document, text: str) -> Keyphrases:
    """All gold keyphrases of a document as the matching unites them, in the text or not."""
    return kept_of(_with_absent(matching, "keep"), document, text)


def present_of(matching: Matching, document: Document, text: str) -> Keyphrases:
    """Those of them that stand in the text by the matching's own test."""
    return kept_of(_with_absent(matching, "drop"), document, text)


def _with_absent(matching: Matching, absent: str) -> Matching:
    if "absent" not in type(matching).model_fields:
        return matching
    return matching.model_copy(update={"absent": absent})


def occurrences(text: str, variants: Sequence[str]) -> list[Span]:
    """Where any of the variants stands in a text: code-point offsets, half open, in order.

    Whole tokens, compared case-folded; where none is found so, by their Porter stems. A token is folded
    by itself, so that offsets are those of the text as it is.
    """
    spans = token_spans(text)
    folded = [fold(text[begin:end]) for begin, end in spans]
    phrases = [[fold(variant[b:e]) for b, e in token_spans(variant)] for variant in variants]
    stem = stemmer("porter")
    found = set(_runs(folded, phrases))
    if not found:
        stemmed = [list(map(stem, phrase)) for phrase in phrases]
        found = set(_runs(list(map(stem, folded)), stemmed))
    return sorted((spans[begin][0], spans[end - 1][1]) for begin, end in found)


def _runs(tokens: Sequence[str], phrases: Sequence[Sequence[str]]) -> Iterator[Span]:
    """Ranges of tokens that are one of the phrases."""
    for phrase in phrases:
        wanted = list(phrase)
        if not wanted:
            continue
        for begin, token in enumerate(tokens):
            if token == wanted[0] and list(tokens[begin : begin + len(wanted)]) == wanted:
                yield begin, begin + len(wanted)
