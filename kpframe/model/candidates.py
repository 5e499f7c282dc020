"""The phrases of one text that may become keyphrases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from kpframe.model.annotations import Annotations
from kpframe.model.document import Document

__all__ = ["Candidates", "Place"]

Place = tuple[int, int]
"""A half-open range of token indexes inside one sentence."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Distinct candidate keys and every place where each stands.

    `keys` identify candidates (folded words, lemmas or stems joined by a space), in order of first
    occurrence; `surfaces[i]` is the most frequent surface form of `keys[i]` (the first of them
    where several are equally frequent). `places` are all occurrences in text order, sorted by
    (begin, end), and `owners[j]` is the index of the key of `places[j]`. `level` names the layer
    that identifies tokens: `words` or `lemmas`.
    """

    document: Document
    annotations: Annotations
    keys: tuple[str, ...]
    surfaces: tuple[str, ...]
    places: tuple[Place, ...]
    owners: tuple[int, ...]
    level: str = "words"

    @classmethod
    def build(
        cls,
        document: Document,
        annotations: Annotations,
        places: Iterable[Place],
        *,
        level: str = "words",
        key: Callable[[Place], str] | None = None,
    ) -> Candidates:
        """Group `places` by their key; by default the key is the folded tokens at `level`."""
        ordered = list(dict.fromkeys(sorted(places)))
        if key is None:
            tokens = annotations.folded_words if level == "words" else annotations.folded_lemmas
            names = [tokens[b] if e == b + 1 else " ".join(tokens[b:e]) for b, e in ordered]
        else:
            names = [key(place) for place in ordered]
        keys = tuple(dict.fromkeys(names))
        number = dict(zip(keys, range(len(keys)), strict=True))
        owners = tuple(map(number.__getitem__, names))
        surfaces = _surfaces(annotations, ordered, owners, len(keys))
        return cls(document, annotations, keys, surfaces, tuple(ordered), owners, level)

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def places_of(self) -> list[tuple[Place, ...]]:
        """For each key its places, in text order."""
        if len(self.places) == len(self.keys) and self.owners == tuple(range(len(self.keys))):
            return [(place,) for place in self.places]
        grouped: list[list[Place]] = [[] for _ in self.keys]
        for owner, place in zip(self.owners, self.places, strict=True):
            grouped[owner].append(place)
        return [tuple(group) for group in grouped]

    @property
    def tokens(self) -> list[str]:
        """The strings that identify tokens at this level, one for each token of the text."""
        words = self.level == "words"
        return self.annotations.folded_words if words else self.annotations.folded_lemmas

    def keep(self, wanted: Callable[[str, Sequence[Place]], bool]) -> Candidates:
        """Only the candidates for which `wanted(key, places)` holds."""
        kept = [i for i, key in enumerate(self.keys) if wanted(key, self.places_of[i])]
        if len(kept) == len(self.keys):
            return self
        renumber = {old: new for new, old in enumerate(kept)}
        pairs = [(p, renumber[o]) for p, o in zip(self.places, self.owners, strict=True) if o in renumber]
        return Candidates(
            self.document,
            self.annotations,
            tuple(self.keys[i] for i in kept),
            tuple(self.surfaces[i] for i in kept),
            tuple(p for p, _ in pairs),
            tuple(o for _, o in pairs),
            self.level,
        )


def _surfaces(
    annotations: Annotations, places: Sequence[Place], owners: Sequence[int], count: int
) -> tuple[str, ...]:
    """The most frequent surface form of each of `count` owners, the first among equals."""
    forms = annotations.surfaces(places)
    if len(places) == count:  # no key stands twice
        return tuple(forms)
    first = [""] * count
    times = [0] * count
    others: dict[int, dict[str, int]] = {}
    for owner, form in zip(owners, forms, strict=True):
        if not times[owner]:
            first[owner] = form
        elif form != first[owner]:
            tally = others.setdefault(owner, {})
            tally[form] = tally.get(form, 0) + 1
            continue
        times[owner] += 1
    for owner, tally in others.items():
        most = max(tally, key=tally.__getitem__)
        if tally[most] > times[owner]:
            first[owner] = most
    return tuple(first)
