"""The annotation layers of a CAS view."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from kpframe.files.uima import types
from kpframe.model import Annotations, IntArray
from kpframe.model.penn import universal

__all__ = ["annotations_of", "selected"]


def selected(view: Any, name: str) -> list[Any]:
    """The annotations of a type and its subtypes, in text order; none if the CAS does not know it."""
    if not view.typesystem.contains_type(name):
        return []
    found = list(view.select(name))
    if found and view.typesystem.is_instance_of(name, "uima.tcas.Annotation"):
        found.sort(key=lambda one: (one.begin, one.end))  # subtypes come one after the other
    return found


def annotations_of(view: Any, text: str, known: frozenset[str] | None) -> Annotations | None:
    """The layers of a view, or None if it has no tokens.

    `known` are the layers that kpframe wrote; of other files (None) those are taken of which there is
    anything, lemmas and tags also where tokens do not refer to them but have their place, and tokens of mere
    white space are left out. Tokens outside every sentence make sentences of
    their own; without sentences all are one. Noun phrases and entities end where their sentence ends.
    """
    tokens = selected(view, types.TOKEN)
    if known is None:
        tokens = [token for token in tokens if text[token.begin : token.end].strip()]
    if not tokens and "tokens" not in (known or ()):
        return None
    begins, ends = [token.begin for token in tokens], [token.end for token in tokens]
    places = _Places(begins, ends, _sentences(view, begins))
    strings: dict[str, int] = {}
    columns = {"words": [_word(token, text) for token in tokens], **_of_tokens(view, tokens, known)}
    layers: dict[str, Any] = {
        name: _numbers(strings, values) for name, values in columns.items() if values is not None
    }
    for name, kind in (("chunks", types.NOUN_PHRASE), ("entities", types.ENTITY)):
        found = selected(view, kind)
        if found if known is None else name in known:
            spans = [(span, one) for one in found for span in places.within(one.begin, one.end)]
            layers[name] = _pairs(span for span, _ in spans)
            if name == "entities":
                layers["entity_labels"] = _numbers(strings, (one.value or "" for _, one in spans))
    return Annotations(
        text,
        np.array(begins, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        vocabulary=tuple(strings),
        sentences=_pairs(places.sentences),
        **layers,
    )


def _word(token: Any, text: str) -> str:
    form = token.get("form") if token.type.get_feature("form") else None
    return str(text[token.begin : token.end] if form is None else form.value or "")


def _of_tokens(view: Any, tokens: list[Any], known: frozenset[str] | None) -> dict[str, list[str] | None]:
    """Lemmas, tags and parts of speech, each None if it is no layer."""
    lemmas = _linked(view, tokens, "lemma", types.LEMMA, known)
    parts = _linked(view, tokens, "pos", types.POS, known)
    values = {
        "lemmas": [None if lemma is None else lemma.value or "" for lemma in lemmas],
        "tags": [None if pos is None else pos.PosValue for pos in parts],
        "pos": [None if pos is None else _coarse(pos, known is not None) for pos in parts],
    }
    found: dict[str, list[str] | None] = {
        name: [value or "" for value in column]
        if (name in known if known is not None else any(column))
        else None
        for name, column in values.items()
    }
    if known is None and found["lemmas"]:  # a token without a lemma has its own word as lemma
        covered = [token.get_covered_text() for token in tokens]
        found["lemmas"] = [value or word for value, word in zip(found["lemmas"], covered, strict=True)]
    return found


def _linked(view: Any, tokens: list[Any], feature: str, name: str, known: frozenset[str] | None) -> list[Any]:
    """What tokens refer to by a feature; in files of others, else what stands at the same place."""
    found = [token.get(feature) if token.type.get_feature(feature) else None for token in tokens]
    if known is not None or all(one is not None for one in found):
        return found
    there = {(one.begin, one.end): one for one in reversed(selected(view, name))}
    return [
        there.get((token.begin, token.end)) if one is None else one
        for token, one in zip(tokens, found, strict=True)
    ]


def _coarse(pos: Any, own: bool) -> str | None:
    """The universal part of speech: as written, as DKPro's type says, or as the Penn tag says."""
    kind, by_type = pos.type, None
    while by_type is None and kind is not None:  # subtypes, as those for tweets, are what they derive from
        by_type = types.UNIVERSAL.get(kind.name)
        kind = kind.supertype
    given = pos.get("coarseValue") if pos.type.get_feature("coarseValue") else None
    if given == "CONJ" and (by_type == "CCONJ" or not own):
        return "CCONJ"
    return given or by_type or (universal(pos.PosValue) if pos.PosValue else None)


class _Places:
    """From offsets to the tokens between them."""

    def __init__(self, begins: list[int], ends: list[int], sentences: list[tuple[int, int]]) -> None:
        self.sentences = sentences
        self._begins, self._ends = begins, ends
        self._last = [end for begin, end in sentences for _ in range(begin, end)]

    def within(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """The tokens that lie in a span, up to the end of their sentence; nothing if there is none."""
        first, last = bisect_left(self._begins, begin), bisect_right(self._ends, end)
        if first < last:
            yield first, min(last, self._last[first])


def _sentences(view: Any, begins: list[int]) -> list[tuple[int, int]]:
    found = selected(view, types.SENTENCE)
    starts = [sentence.begin for sentence in found]
    owners = []
    for begin in begins:
        owner = bisect_right(starts, begin) - 1
        owners.append(owner if owner >= 0 and begin < found[owner].end else -1 - owner)
    cuts = [i for i, owner in enumerate(owners) if i == 0 or owner != owners[i - 1]]
    return list(zip(cuts, [*cuts[1:], len(begins)], strict=True)) if cuts else []


def _numbers(strings: dict[str, int], values: Iterable[str]) -> IntArray:
    return np.array([strings.setdefault(value, len(strings)) for value in values], dtype=np.int32)


def _pairs(spans: Iterable[tuple[int, int]]) -> IntArray:
    return np.array(list(spans), dtype=np.int32).reshape(-1, 2)
