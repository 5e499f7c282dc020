"""The keyphrases of a Doc: how they are stored, and what is seen of them on Docs and Spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kpframe.model import Keyphrase

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

__all__ = ["SPAN_ATTRIBUTES", "keyphrases_of", "owner", "store"]

_DATA = "kpframe"
"""The key of the results in `doc.user_data`: the name of the component, the number of characters of the text,
and score, key and places of each keyphrase. Places count characters, as tokens may be merged later.
"""


def store(doc: Doc, component: str, found: Iterable[Keyphrase]) -> None:
    """Keep the keyphrases that a component has found, best first, as plain values."""
    doc.user_data[_DATA] = {
        "component": component,
        "length": _length(doc),
        "found": [[one.score, one.key, [list(place) for place in one.spans]] for one in found],
    }


def owner(doc: Doc) -> str | None:
    """The name of the component whose keyphrases a Doc has; None if there are none."""
    return str(doc.user_data[_DATA]["component"]) if _results(doc) else None


def keyphrases_of(doc: Doc) -> list[Span]:
    """The keyphrases of a Doc, best first, each at its first place; [] before the component has run."""
    return [_span(doc, places[0]) for _, _, places in _results(doc)]


def _results(doc: Doc) -> list[Any]:
    """Score, key and places of the keyphrases of a Doc; none if they are those of a larger one."""
    data = doc.user_data.get(_DATA)
    return data["found"] if data and data["length"] == _length(doc) else []


def _length(doc: Doc) -> int:
    """The number of characters."""
    return doc[-1].idx + len(doc[-1].text_with_ws) if len(doc) else 0


def _span(doc: Doc, place: list[int]) -> Span:
    """The tokens at a place, whole ones if some were merged since."""
    begin, end = place
    found = doc.char_span(begin, end, alignment_mode="expand")
    assert found is not None  # the text is the one that the places are of
    return found


def _found(span: Span) -> tuple[int, Any]:
    """The rank of the keyphrase that stands at a span, with its values; (0, None) if there is none."""
    if not len(span):
        return 0, None
    first, last = span[0], span[-1]
    begins, ends = range(first.idx, first.idx + len(first)), range(last.idx + 1, last.idx + len(last) + 1)
    for rank, values in enumerate(_results(span.doc), start=1):
        if any(begin in begins and end in ends for begin, end in values[2]):
            return rank, values
    return 0, None


def _score(span: Span) -> float | None:
    _, values = _found(span)
    return None if values is None else float(values[0])


def _rank(span: Span) -> int | None:
    return _found(span)[0] or None


def _key(span: Span) -> str | None:
    _, values = _found(span)
    return None if values is None else str(values[1])


def _spans(span: Span) -> list[Span] | None:
    _, values = _found(span)
    return None if values is None else [_span(span.doc, place) for place in values[2]]


SPAN_ATTRIBUTES: Mapping[str, Callable[[Span], Any]] = {
    "score": _score,
    "rank": _rank,
    "key": _key,
    "spans": _spans,
}
"""What a Span has, as `span._.kp_score`; None where no keyphrase stands."""
