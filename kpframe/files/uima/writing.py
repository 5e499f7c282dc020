"""From kpframe's values to a CAS."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kpframe.files.uima import types
from kpframe.files.uima.content import CasContent
from kpframe.model import Annotations, Document, Gold, Keyphrase

__all__ = ["GOLD_VIEW", "cas_of"]

GOLD_VIEW = "gold"
"""The view with the gold keyphrases."""


def cas_of(content: CasContent, *, places: bool) -> Any:
    """The CAS of a document: text, annotations and keyphrases in the initial view, gold in its own.

    With `places` the gold view has the text again, where each place of a gold keyphrase is marked.
    """
    document = content.document
    cas = types.cassis().Cas(types.type_system())
    cas.sofa_string = document.text
    cas.sofa_mime = "text/plain"
    _add_metadata(cas, content)
    if document.annotations is not None:
        _add_annotations(cas, document.annotations)
    for system, keyphrases in content.keyphrases.items():
        _add_keyphrases(cas, system, keyphrases)
    if document.gold:
        view = cas.create_view(GOLD_VIEW)
        if places:
            view.sofa_string = document.text
            view.sofa_mime = "text/plain"
        _add_gold(view, document, places)
    return cas


def _add(view: Any, name: str, **features: Any) -> Any:
    made = view.typesystem.get_type(name)(**features)
    view.add(made)
    return made


def _add_metadata(cas: Any, content: CasContent) -> None:
    document = content.document
    length = document.metadata.get("title_length")
    title = document.text[:length] if type(length) is int and length > 0 else document.id
    ends = {"begin": 0, "end": len(document.text), "language": document.language}
    _add(cas, types.META, documentId=document.id, documentTitle=title, **ends)
    made = document.annotations
    _add(
        cas,
        types.INFO,
        metadata=json.dumps(dict(document.metadata), allow_nan=False),
        layers="" if made is None else " ".join(sorted(made.layers)),
        systems=json.dumps(list(content.keyphrases)),
    )


def _add_annotations(cas: Any, made: Annotations) -> None:
    begins, ends = made.offsets
    for token in range(len(made)):
        features: dict[str, Any] = {"begin": begins[token], "end": ends[token]}
        _add(cas, types.TOKEN, **features, **_of_token(cas, made, token, features))
    for first, last in made.sentences.tolist():
        _add(cas, types.SENTENCE, begin=begins[first], end=ends[last - 1])
    for first, last in [] if made.chunks is None else made.chunks.tolist():
        _add(cas, types.NOUN_PHRASE, begin=begins[first], end=ends[last - 1], chunkValue="NP")
    if made.entities is not None and made.entity_labels is not None:
        labels = made.strings(made.entity_labels)
        for (first, last), label in zip(made.entities.tolist(), labels, strict=True):
            _add(cas, types.ENTITY, begin=begins[first], end=ends[last - 1], value=label)


def _of_token(cas: Any, made: Annotations, token: int, place: Mapping[str, int]) -> dict[str, Any]:
    """The lemma and part of speech of a token, and its form where that is not the covered text."""
    found: dict[str, Any] = {}
    vocabulary = made.vocabulary
    word = vocabulary[made.words[token]]
    if word != made.text[place["begin"] : place["end"]]:
        found["form"] = _add(cas, types.FORM, **place, value=word)
    if made.lemmas is not None:
        found["lemma"] = _add(cas, types.LEMMA, **place, value=vocabulary[made.lemmas[token]])
    if made.tags is not None or made.pos is not None:
        universal = None if made.pos is None else vocabulary[made.pos[token]]
        tag = None if made.tags is None else vocabulary[made.tags[token]]
        kind = types.pos_type(universal or "")
        found["pos"] = _add(cas, kind, **place, PosValue=tag, coarseValue=universal)
    return found


def _add_keyphrases(cas: Any, system: str, keyphrases: Sequence[Keyphrase]) -> None:
    for keyphrase in keyphrases:
        for place, (begin, end) in list(enumerate(keyphrase.spans)) or [(-1, (0, 0))]:
            _add(
                cas,
                types.KEYPHRASE,
                begin=begin,
                end=end,
                keyphrase=keyphrase.text,
                score=float(keyphrase.score),
                system=system,
                rank=keyphrase.rank,
                key=keyphrase.key,
                place=place,
            )


def _add_gold(view: Any, document: Document, places: bool) -> None:
    array = view.typesystem.get_type("uima.cas.StringArray")
    for number, gold in enumerate(document.gold):
        variants = array(elements=list(gold.variants))
        _add(view, types.GOLD, number=number, source=gold.source, variants=variants)
        for begin, end in sorted(set(_places(document.text, gold))) if places else ():
            _add(view, types.PHRASE, begin=begin, end=end, keyphrase=gold.text)


def _places(text: str, gold: Gold) -> Iterator[tuple[int, int]]:
    """Where a variant stands in the text as whole words, whatever its case and white space."""
    for variant in gold.variants:
        inner = r"\s+".join(map(re.escape, variant.split()))
        for found in re.finditer(rf"(?<!\w){inner}(?!\w)", text, re.IGNORECASE):
            yield found.span()
