"""From a CAS to kpframe's values: of files that kpframe wrote all, of others what DKPro's types tell."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from kpframe.files.uima import types
from kpframe.files.uima.content import CasContent
from kpframe.files.uima.layers import annotations_of, selected
from kpframe.model import Document, Gold, Keyphrase

__all__ = ["content_of"]


def content_of(cas: Any, *, name: str, language: str, gold_view: str, layers: bool) -> CasContent:
    """The document and keyphrases of a CAS; `name` and `language` where it does not say.

    Raises ValueError, with the reason, for a CAS without a text and for damaged values.
    """
    view = cas.get_view("_InitialView")
    text = view.sofa_string
    if text is None:
        raise ValueError("has no text in its initial view")
    info = next(iter(selected(view, types.INFO)), None)
    metadata = {} if info is None else _json(info.metadata, dict, "metadata")
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
    return CasContent(document, _keyphrases(view, info, len(text)))


def _json(value: Any, kind: type, name: str) -> Any:
    try:
        found = json.loads(value or "null")
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
    """The gold keyphrases in the view `name`; in files of others, the distinct phrases marked there."""
    names = [sofa.sofaID for sofa in cas.sofas]
    if name not in names:
        return ()
    view = cas.get_view(name)
    own = {place.number: place for place in selected(view, types.GOLD)}
    if own:
        golds = (own[number] for number in sorted(own))
        return tuple(Gold(tuple(gold.variants.elements), gold.source or "") for gold in golds)
    marked = [place for place in selected(view, types.PHRASE) if place.type.name == types.PHRASE]
    phrases = [place.keyphrase or " ".join(place.get_covered_text().split()) for place in marked]
    return tuple(Gold((phrase,)) for phrase in dict.fromkeys(phrases) if phrase.strip())


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
