"""From kpframe's values to a CAS."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from kpframe.files.uima import types
from kpframe.files.uima.content import CasContent
from kpframe.model import Annotations, Document, Gold, Keyphrase
from kpframe.model.blank import visible

__all__ = ["GOLD_VIEW", "cas_of"]

GOLD_VIEW = "gold"
"""The view with the gold keyphrases."""


@dataclass(frozen=True, slots=True)
class _View:
    """A view that is filled; `plain` makes of every string one that the file can hold."""

    view: Any
    plain: Callable[[str], str]

    def add(self, name: str, **features: Any) -> Any:
        """An annotation, or another feature structure, in the index of the view."""
        held = {key: self.plain(one) if isinstance(one, str) else one for key, one in features.items()}
        made = self.view.typesystem.get_type(name)(**held)
        self.view.add(made)
        return made

    def say(self, text: str) -> None:
        """Give the view its text."""
        self.view.sofa_string = self.plain(text)
        self.view.sofa_mime = "text/plain"


def cas_of(content: CasContent, *, places: bool, plain: Callable[[str], str]) -> Any:
    """The CAS of a document: text, annotations and keyphrases in the initial view.

    With `places` gold has a view of its own, with the text again, where each place of a gold keyphrase is
    marked; else it stands in the initial view, as a type that is no keyphrase. `plain` makes of every
    string one of the same length that the file can hold. Raises ValueError for gold of which nothing is left.
    """
    document = content.document
    cas = types.cassis().Cas(types.type_system())
    view = _View(cas, plain)
    view.say(document.text)
    _add_metadata(view, document)
    made = document.annotations
    view.add(
        types.INFO,
        metadata=json.dumps(dict(document.metadata), allow_nan=False),
        layers="" if made is None else " ".join(sorted(made.layers)),
        systems=json.dumps([plain(name) for name in content.keyphrases]),
    )
    if made is not None:
        _add_annotations(view, made)
    for system, keyphrases in content.keyphrases.items():
        _add_keyphrases(view, system, keyphrases)
    if document.gold and places:
        view = _View(cas.create_view(GOLD_VIEW), plain)
        view.say(document.text)
        _add_metadata(view, document)
    _add_gold(view, document, places)
    return cas


def _add_metadata(view: _View, document: Document) -> None:
    """DKPro's metadata; its writers need the id or the address, its readers the language of each view."""
    length = document.metadata.get("title_length")
    title = document.text[:length] if type(length) is int and length > 0 else document.id
    given = document.metadata.get("documentUri")
    address = given if isinstance(given, str) else quote(document.id, errors="replace")
    ends = {"begin": 0, "end": len(document.text), "language": document.language}
    view.add(types.META, documentId=document.id, documentTitle=title, documentUri=address, **ends)


def _add_annotations(view: _View, made: Annotations) -> None:
    begins, ends = made.offsets
    for token in range(len(made)):
        features: dict[str, Any] = {"begin": begins[token], "end": ends[token]}
        view.add(types.TOKEN, **features, **_of_token(view, made, token, features))
    for first, last in made.sentences.tolist():
        view.add(types.SENTENCE, begin=begins[first], end=ends[last - 1])
    for first, last in [] if made.chunks is None else made.chunks.tolist():
        view.add(types.NOUN_PHRASE, begin=begins[first], end=ends[last - 1], chunkValue="NP")
    if made.entities is not None and made.entity_labels is not None:
        labels = made.strings(made.entity_labels)
        for (first, last), label in zip(made.entities.tolist(), labels, strict=True):
            view.add(types.entity_type(label), begin=begins[first], end=ends[last - 1], value=label)


def _of_token(view: _View, made: Annotations, token: int, place: Mapping[str, int]) -> dict[str, Any]:
    """The lemma and part of speech of a token, and its form where that is not the covered text."""
    found: dict[str, Any] = {}
    vocabulary = made.vocabulary
    word = vocabulary[made.words[token]]
    if word != made.text[place["begin"] : place["end"]]:
        found["form"] = view.add(types.FORM, **place, value=word)
    if made.lemmas is not None:
        found["lemma"] = view.add(types.LEMMA, **place, value=vocabulary[made.lemmas[token]])
    if made.tags is not None or made.pos is not None:
        universal = None if made.pos is None else vocabulary[made.pos[token]]
        tag = None if made.tags is None else vocabulary[made.tags[token]]
        kind = types.pos_type(universal or "")
        coarse = None if universal is None else types.COARSE.get(universal, universal)
        found["pos"] = view.add(kind, **place, PosValue=tag, coarseValue=coarse)
    return found


def _add_keyphrases(view: _View, system: str, keyphrases: Sequence[Keyphrase]) -> None:
    for keyphrase in keyphrases:
        for place, (begin, end) in list(enumerate(keyphrase.spans)) or [(-1, (0, 0))]:
            view.add(
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


def _add_gold(view: _View, document: Document, places: bool) -> None:
    array = view.view.typesystem.get_type("uima.cas.StringArray")
    for number, gold in enumerate(document.gold):
        held = [view.plain(variant) for variant in gold.variants]
        if not all(map(visible, held)):
            raise ValueError(f"of the gold keyphrase {gold.text!r} nothing would be left")
        view.add(types.GOLD, number=number, source=gold.source, variants=array(elements=held))
        for begin, end in sorted(set(_places(document.text, gold))) if places else ():
            view.add(types.PHRASE, begin=begin, end=end, keyphrase=gold.text)


def _places(text: str, gold: Gold) -> Iterator[tuple[int, int]]:
    """Where a variant stands in the text as whole words, whatever its case and white space."""
    for variant in gold.variants:
        inner = r"\s+".join(map(re.escape, variant.split()))
        for found in re.finditer(rf"(?<!\w){inner}(?!\w)", text, re.IGNORECASE):
            yield found.span()
