"""Ranked phrases of a text, built by hand: what the tests of this folder start from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kpframe.language.words import token_spans
from kpframe.model import Annotations, Candidates, Document, Keyphrases
from kpframe.model.folding import fold


def annotated(text: str) -> Annotations:
    """The tokens of `text`; a sentence ends with each full stop."""
    spans = token_spans(text)
    words = [text[begin:end] for begin, end in spans]
    ends = [i + 1 for i, word in enumerate(words) if word == "."]
    if words and (not ends or ends[-1] != len(words)):
        ends.append(len(words))
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return Annotations(
        text,
        np.array([begin for begin, _ in spans], dtype=np.int32),
        np.array([end for _, end in spans], dtype=np.int32),
        np.array([vocabulary[word] for word in words], dtype=np.int32),
        tuple(vocabulary),
        np.array(list(zip([0, *ends], ends, strict=False)), dtype=np.int32).reshape(-1, 2),
    )


def ranked(text: str, scores: Mapping[str, float]) -> Keyphrases:
    """The phrases in `scores` at every place where they stand in `text`."""
    annotations = annotated(text)
    folded = [fold(word) for word in annotations.folded_words]
    places = []
    for phrase in scores:
        tokens = [fold(phrase)[b:e] for b, e in token_spans(fold(phrase))]
        size = len(tokens)
        places += [(i, i + size) for i in range(len(folded)) if folded[i : i + size] == tokens]
    candidates = Candidates.build(Document("d", text), annotations, places)
    by_key = {" ".join(fold(p)[b:e] for b, e in token_spans(fold(p))): s for p, s in scores.items()}
    return Keyphrases.ranked(candidates, [by_key[key] for key in candidates.keys])


def scored(keyphrases: Keyphrases) -> dict[str, float]:
    """Surface forms with their scores, best first."""
    return {entry.surface: entry.score for entry in keyphrases}


def spans(keyphrases: Keyphrases) -> dict[str, list[str]]:
    """For each surface form the slices of the text at its places."""
    text = keyphrases.document.text
    return {k.text: [text[b:e] for b, e in k.spans] for k in keyphrases.public()}
