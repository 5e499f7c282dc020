"""What the predictions of one system look like behind their scores: all analyses over all documents."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kpframe.analysis.near_misses import NearMisses, Neighbours
from kpframe.analysis.positions import PositionCounts, Variant, first_occurrences
from kpframe.errors import counted
from kpframe.language.words import phrase_tokens
from kpframe.model import Gold, Matches, Phrase
from kpframe.stages import Matching
from kpframe.statistics.calibration import Distribution, Reliability, token_positions
from kpframe.statistics.diversity import Diversity

__all__ = ["Analysed", "Overview", "Phrases", "overview", "overviews"]

DIVERSITY = (
    "unique_phrases",
    "unique_phrase_ratio",
    "unique_token_ratio",
    "dup_token_ratio",
    "self_bleu",
    "self_edit_distance",
)
VARIANTS: tuple[Variant, ...] = ("proper", "paper")


@dataclass(frozen=True, slots=True)
class Analysed:
    """A document: its gold, its predictions best first, and how sure the system was of each of them.

    `confidences` (in the order of `phrases`) are to be read as probabilities, None where there are none.
    `probabilities` has, where known, those of the model tokens of each phrase.
    """

    id: str
    gold: tuple[Gold, ...]
    phrases: tuple[str, ...]
    text: str | None = None
    confidences: tuple[float, ...] | None = None
    probabilities: tuple[tuple[float, ...], ...] | None = None

    def best(self, top: int | None) -> Analysed:
        """The same with the first `top` predictions; None leaves all."""
        return replace(
            self,
            phrases=self.phrases[:top],
            confidences=self.confidences and self.confidences[:top],
            probabilities=self.probabilities and self.probabilities[:top],
        )


@dataclass(frozen=True, slots=True)
class Phrases:
    """How many phrases were given, what became of them, and what gold there was.

    `compared` are those that matching looks at, `empty` those without a token; the rest of the `given`
    ones repeat an earlier one or are not of the subset that matching looks at. `gold` counts gold
    keyphrases kept by the matching, `left_out` those that it dropped, `hits` the compared that hit.
    """

    documents: int = 0
    without_predictions: int = 0
    given: int = 0
    compared: int = 0
    empty: int = 0
    hits: int = 0
    gold: int = 0
    left_out: int = 0

    @property
    def repeated(self) -> int:
        """Phrases that matching took off the lists although they have tokens."""
        return self.given - self.compared - self.empty

    def to_json(self) -> dict[str, int]:
        """All numbers."""
        names = ("documents", "without_predictions", "given", "compared", "repeated", "empty", "hits", "gold")
        return {name: getattr(self, name) for name in (*names, "left_out")}


@dataclass(frozen=True)
class Overview:
    """All analyses of one system. What cannot be told is None, and `notes` say why.

    `positions` has both variants of where gold stands and is missed, `diversity` means over documents,
    `tokens` the probabilities of tokens by their place in present and absent phrases. `near` counts the
    pairs of a phrase that hits nothing and a gold keyphrase of its document, how many of them share words,
    and these by the classes of `near_misses`.
    """

    matching: str
    phrases: Phrases
    positions: tuple[PositionCounts, ...] | None
    reliability: Reliability | None
    diversity: dict[str, float | None]
    tokens: dict[Any, tuple[Distribution, ...]] | None
    near: dict[str, dict[str, int]] | None
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        positions = self.positions
        tokens = self.tokens
        return {
            "matching": self.matching,
            "phrases": self.phrases.to_json(),
            "positions": None if positions is None else {c.variant: c.to_json() for c in positions},
            "reliability": None if self.reliability is None else self.reliability.to_json(),
            "token_probabilities": None
            if tokens is None
            else {kind: [place.to_json() for place in places] for kind, places in tokens.items()},
            "diversity": dict(self.diversity),
            "near_misses": self.near,
            "notes": list(self.notes),
        }


@dataclass
class _Collected:
    """What is gathered from document to document."""

    counts: list[tuple[int, ...]] = field(default_factory=list)
    positions: list[PositionCounts] = field(
        default_factory=lambda: [PositionCounts.none(variant) for variant in VARIANTS]
    )
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    without_confidence: int = 0
    unplaced: bool = False
    diversity: list[Diversity] = field(default_factory=list)
    tokens: list[tuple[Sequence[float], bool]] = field(default_factory=list)
    without_text: int = 0
    near: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, document: Analysed, matches: Matches, near: NearMisses | None) -> None:
        """One more document."""
        empty = sum([not phrase_tokens(phrase) for phrase in document.phrases])
        given = len(document.phrases)
        hits = sum(hit >= 0 for hit in matches.hits)
        self.counts.append(
            (1, not given, given, matches.predicted, empty, hits, matches.gold, matches.dropped)
        )
        self.diversity.append(Diversity.of(document.phrases))
        if document.confidences is None:
            self.without_confidence += given
        elif len(matches.positions) < matches.predicted:
            self.unplaced = True
        else:
            sure = (document.confidences[position] for position in matches.positions)
            self.confidences += zip(sure, (hit >= 0 for hit in matches.hits), strict=True)
        if near is not None:
            self._add_near(near)
        if document.text is None:
            self.without_text += 1
            return
        keyphrases = [[form.surface for form in forms] for forms in matches.keyphrases]
        found = {*matches.hits, *(i for related in matches.related or () for i in related)}
        self.positions = [
            counts + PositionCounts.of(document.text, keyphrases, found, variant=counts.variant)
            for counts in self.positions
        ]
        if document.probabilities is not None:
            places = first_occurrences(document.text, [[phrase] for phrase in document.phrases])
            present = (place is not None for place in places)
            self.tokens += zip(document.probabilities, present, strict=True)

    def _add_near(self, found: NearMisses) -> None:
        counts: dict[str, dict[str, int]] = {
            "pairs": {"all": found.pairs, "near": len(found.found)},
            "places": found.places,
            "forms": found.forms,
            "longer": dict(Counter(miss.longer for miss in found.found)),
        }
        for name, numbers in counts.items():
            self.near.setdefault(name, Counter()).update(numbers)


def overview(documents: Iterable[Analysed], matching: Matching, *, unsure: str = "") -> Overview:
    """All analyses of the predictions for `documents`, in any order.

    `unsure` says why confidences are not known, for the notes. A confidence outside 0 … 1 shows that
    they are no probabilities; then there is no reliability at all. Raises what `matching.match` raises.
    """
    return overviews(({"": document} for document in documents), [""], matching, unsure=unsure)[""]


def overviews(
    rows: Iterable[Mapping[str, Analysed]], names: Sequence[str], matching: Matching, *, unsure: str = ""
) -> dict[str, Overview]:
    """As `overview`, for several systems by their names; a row has what they predicted for one document.

    What all of them share of a document, as its stemmed text, is then made once.
    """
    collected = {name: _Collected() for name in names}
    for row in rows:
        seen = _Seen(matching)
        for name, document in row.items():
            collected[name].add(document, *seen.of(document))
    return {name: _overview(found, matching, unsure) for name, found in collected.items()}


class _Seen:
    """What was found out about one document: systems often agree, on lists and still more on phrases."""

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._matched: dict[tuple[Any, ...], tuple[Matches, NearMisses | None]] = {}
        self._neighbours: dict[tuple[tuple[Phrase, ...], ...], Neighbours] = {}

    def of(self, document: Analysed) -> tuple[Matches, NearMisses | None]:
        """The matches of a list, and its near misses where the matching tells what it compared."""
        where = document.phrases, document.gold, document.text
        if where not in self._matched:
            matches = self._matching.match(document.phrases, document.gold, document.text)
            told = len(matches.keyphrases) == matches.gold
            self._matched[where] = matches, self._near(matches) if told else None
        return self._matched[where]

    def _near(self, matches: Matches) -> NearMisses:
        gold = matches.keyphrases
        if gold not in self._neighbours:
            self._neighbours[gold] = Neighbours(gold)
        return self._neighbours[gold].of(matches)


def _overview(found: _Collected, matching: Matching, unsure: str) -> Overview:
    phrases = Phrases(*map(sum, zip(*found.counts, strict=True))) if found.counts else Phrases()
    notes: list[str] = []
    return Overview(
        matching=matching.signature(),
        phrases=phrases,
        positions=_positions(found, phrases, notes),
        reliability=_reliability(found, unsure, notes),
        diversity={name: _mean(found.diversity, name) for name in DIVERSITY},
        tokens=token_positions(found.tokens) if found.tokens else None,
        near={name: dict(sorted(counts.items())) for name, counts in found.near.items()} or None,
        notes=tuple(notes),
    )


def _positions(found: _Collected, phrases: Phrases, notes: list[str]) -> tuple[PositionCounts, ...] | None:
    if found.without_text:
        notes.append(
            f"no places of gold keyphrases: {counted(found.without_text, 'document')} without a text"
        )
        return None
    placed = sum(found.positions[0].gold) + found.positions[0].absent
    if placed != phrases.gold:
        notes.append("no places of gold keyphrases: the matching does not say which ones it compared")
        return None
    return tuple(found.positions)


def _reliability(found: _Collected, unsure: str, notes: list[str]) -> Reliability | None:
    outside = [sure for sure, _ in found.confidences if not 0 <= sure <= 1]
    if found.unplaced:
        notes.append("no reliability: the matching does not say which phrases it compared")
    elif outside:
        notes.append(
            f"no reliability: {len(outside)} of {len(found.confidences)} scores are outside 0 … 1, as "
            f"{max(outside, key=abs):.6g}; they are no probabilities"
        )
    elif not found.confidences:
        notes.append(f"no reliability: {unsure or 'the predictions have neither scores nor probabilities'}")
    else:
        if found.without_confidence:
            notes.append(
                f"not in the reliability: {counted(found.without_confidence, 'phrase')} without score"
            )
        return Reliability.of(found.confidences)
    return None


def _mean(found: Sequence[Diversity], name: str) -> float | None:
    if not found:
        return None
    return math.fsum(getattr(diversity, name) for diversity in found) / len(found)
