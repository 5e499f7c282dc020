"""From a CAS to kpframe's values: of files that kpframe wrote all, of others what DKPro's types tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kpframe.files.json_text import json_value
from kpframe.files.uima import types
from kpframe.files.uima.content import CasContent
from kpframe.files.uima.layers import annotations_of, selected
from kpframe.model import Document, Gold, Keyphrase
from kpframe.model.blank import visible
from kpframe.model.folding import fold

__all__ = ["content_of"]


def content_of(cas: Any, *, name: str, language: str, gold_view: str, layers: bool) -> CasContent:
    """The document and keyphrases of a CAS; `name` and `language` where it does not say.

    Raises ValueError, with the reason, for a CAS without a text and for damaged values.
    """
    view = _text_view(cas, gold_view)
    text = view.sofa_string
    info = next(iter(selected(view, types.INFO)), None)
    metadata = _addresses(view) if info is None else _json(info.metadata, dict, "metadata")
    known = None if info is None else frozenset((info.layers or "").split())
    id, written = _id(view, info is not None), _language(view, info is not None)
    document = Document(
        name if id is None else id,
        text,
        language if written is None else written,
        _gold(cas, gold_view),
        metadata,
        annotations_of(view, text, known) if layers else None,
    )
    found = _keyphrases(view, info, len(text))
    if not found and info is None and view.get_sofa().sofaID != gold_view:
        found = _of_others(view, text)
    return CasContent(document, found, info is not None)


def _text_view(cas: Any, gold_view: str) -> Any:
    """The initial view, or the only other one with a text, but for that of gold; ValueError for no such."""
    first = cas.get_view("_InitialView")
    if first.sofa_string is not None:
        return first
    names = [sofa.sofaID for sofa in cas.sofas if sofa.sofaString is not None and sofa.sofaID != gold_view]
    if len(names) == 1:
        return cas.get_view(names[0])
    others = f", and {len(names)} others have one: {', '.join(map(repr, names))}" if names else ""
    raise ValueError(f"has no text in its initial view{others}")


def _addresses(view: Any) -> dict[str, Any]:
    """Where a document of others comes from, as DKPro's metadata tell."""
    names = ("documentTitle", "documentUri", "documentBaseUri", "collectionId")
    metas = selected(view, types.META)[:1]
    return {name: str(one.get(name)) for one in metas for name in names if one.get(name)}


def _json(value: Any, kind: type, name: str) -> Any:
    try:
        found = json_value(value or "null")
    except ValueError:
        found = None
    if not isinstance(found, kind):
        raise ValueError(f"has damaged {name}")
    return found


def _id(view: Any, own: bool) -> str | None:
    """The id in a document's metadata; an empty one counts only where kpframe wrote it."""
    given = [found.documentId or "" for found in selected(view, types.META)]
    return next((id for id in given if id or own), None)


def _language(view: Any, own: bool) -> str | None:
    """The language of a document; what others write as `en-US` is `en`, and `x-unspecified` is None."""
    for found in selected(view, types.DOCUMENT):
        given = found.language or ""
        if own:
            return str(given)
        part = re.fullmatch(r"([a-z]{2,3})(?:[-_].*)?", given)
        if part:
            return part[1]
    return None


def _gold(cas: Any, name: str) -> tuple[Gold, ...]:
    """kpframe's gold, in the view `name` or the initial one; else the phrases that others mark in `name`."""
    names = [sofa.sofaID for sofa in cas.sofas]
    views = [cas.get_view(one) for one in dict.fromkeys((name, "_InitialView")) if one in names]
    for view in views:
        own = {place.number: place for place in selected(view, types.GOLD)}
        if own:
            golds = (own[number] for number in sorted(own))
            return tuple(Gold(tuple(gold.variants.elements), gold.source or "") for gold in golds)
    if name not in names:
        return ()
    marked = (_phrase(place) for place in _marked(cas.get_view(name)))
    return tuple(Gold((phrase,)) for phrase in dict.fromkeys(marked) if visible(phrase))


def _marked(view: Any) -> list[Any]:
    """What other programs mark as keyphrases, in text order."""
    return [place for place in selected(view, types.PHRASE) if place.type.name != types.KEYPHRASE]


def _phrase(place: Any) -> str:
    return str(place.keyphrase or " ".join(place.get_covered_text().split())).strip()


def _of_others(view: Any, text: str) -> Mapping[str, Sequence[Keyphrase]]:
    """Keyphrases that other programs mark, as one system without a name: best score first, then in the text.

    Places of one phrase are one keyphrase, with the best of their scores.
    """
    spans: dict[str, list[tuple[int, int]]] = {}
    scores: dict[str, float] = {}
    for place in _marked(view):
        phrase, score = _phrase(place), float(place.get("score") or 0.0)
        if visible(phrase) and 0 <= place.begin <= place.end <= len(text):
            spans.setdefault(phrase, []).append((place.begin, place.end))
            scores[phrase] = max(score, scores.get(phrase, score))
    order = sorted(spans, key=lambda phrase: (-scores[phrase], spans[phrase][0], phrase))
    made = tuple(
        Keyphrase(phrase, scores[phrase], rank, fold(phrase), tuple(sorted(set(spans[phrase]))))
        for rank, phrase in enumerate(order, start=1)
    )
    return {"": made} if made else {}


def _keyphrases(view: Any, info: Any, length: int) -> Mapping[str, Sequence[Keyphrase]]:
    names = [] if info is None else _json(info.systems, list, "systems")
    places: dict[str, dict[int, list[Any]]] = {name: {} for name in names}
    for place in selected(view, types.KEYPHRASE):
        places.setdefault(place.system or "", {}).setdefault(place.rank, []).append(place)
    return {
        system: tuple(_keyphrase(ranks[rank], length) for rank in sorted(ranks))
        for system, ranks in places.items()
    }


def _keyphrase(places: list[Any], length: int) -> Keyphrase:
    ordered = sorted(places, key=lambda place: place.place)
    first = ordered[0]
    spans = tuple((place.begin, place.end) for place in ordered if place.place >= 0)
    if not all(0 <= begin <= end <= length for begin, end in spans):
        raise ValueError("has a keyphrase outside its text")
    return Keyphrase(first.keyphrase or "", float(first.score), int(first.rank), first.key or "", spans)
