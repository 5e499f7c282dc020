"""Ranked entries whose places change: the form that is shown, and several entries made one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kpframe.model import Annotations, Place, Ranked

__all__ = ["commonest_form", "part_key", "united", "with_places"]


def commonest_form(annotations: Annotations, places: Iterable[Place]) -> str:
    """The most frequent surface form at `places`, the first in the text among equals."""
    ordered = list(places)
    if len(ordered) == 1:
        return annotations.surface(*ordered[0])
    forms = annotations.surfaces(sorted(ordered))
    first = forms[0]
    if forms.count(first) == len(forms):
        return first
    return Counter(forms).most_common(1)[0][0]


def with_places(entry: Ranked, places: tuple[Place, ...], annotations: Annotations) -> Ranked:
    """`entry` at some of its places only, in the form that is most frequent there.

    A form that is no slice of the text (the preferred label of a vocabulary) stays as it is.
    """
    if places == entry.places:
        return entry
    surface = entry.surface
    if not _is_label(entry, annotations):
        surface = commonest_form(annotations, places)
    return entry._replace(surface=surface, places=places)


def united(entries: Sequence[Ranked], annotations: Annotations) -> Ranked:
    """Entries of one key as one: all their places in text order, and the highest score."""
    first = entries[0]
    if len(entries) == 1:
        return first
    places = tuple(sorted({place for entry in entries for place in entry.places}))
    labels = [entry.surface for entry in entries if _is_label(entry, annotations)]
    surface = labels[0] if labels else commonest_form(annotations, places)
    return Ranked(first.key, surface, max(entry.score for entry in entries), places)


def _is_label(entry: Ranked, annotations: Annotations) -> bool:
    """Whether the entry is shown in a form that stands at none of its places."""
    return all(annotations.surface(begin, end) != entry.surface for begin, end in entry.places)


def part_key(key: str, whole: Place, kept: Place, annotations: Annotations) -> str:
    """The key of what is kept: the same parts dropped from it as from the place, if they agree."""
    if whole == kept:
        return key
    begin, end = kept
    parts = key.split(" ")
    if len(parts) != whole[1] - whole[0]:
        parts, offset = annotations.folded_words, 0
    else:
        offset = whole[0]
    return " ".join(parts[begin - offset : end - offset])
