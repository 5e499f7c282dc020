"""What the lists of all documents tell, read once: curves, places, reliability, misses and false phrases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kpframe.analysis.overview import VARIANTS
from kpframe.analysis.positions import FIFTHS, Occurrence, first_occurrences
from kpframe.engine.losses import Keyphrases, kept_of
from kpframe.errors import counted
from kpframe.htmlreport.curves import Curve
from kpframe.htmlreport.finished import Reported, ReportRun
from kpframe.htmlreport.source import Source
from kpframe.model import Keyphrase
from kpframe.model.folding import fold
from kpframe.runs.records import SavedMatches
from kpframe.runs.saved_keyphrases import SavedKeyphrases
from kpframe.statistics.calibration import Reliability

__all__ = ["Lists", "read_lists"]

NAMED = 50
"""So many missed gold keyphrases and false phrases of a system are named."""


@dataclass
class _System:
    """What is counted of one system; `found` by matching and document what was found up to the cut-off."""

    documents: int = 0
    keyphrases: int = 0
    found: dict[str, dict[str, int]] = field(default_factory=dict)
    curves: dict[str, Curve] = field(default_factory=dict)
    positions: dict[str, list[list[int]]] = field(default_factory=dict)
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)
    spurious: Counter[str] = field(default_factory=Counter)


@dataclass
class Lists:
    """By system what its lists tell, the lines of the chosen documents, and notes.

    `shown` has for each chosen document and system its lines in both files.
    """

    systems: dict[str, _System] = field(default_factory=dict)
    shown: dict[str, dict[str, Reported]] = field(default_factory=dict)
    absent: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    probabilistic: list[str] = field(default_factory=list)
    forms: dict[str, str] = field(default_factory=dict)

    def counts(self) -> dict[str, tuple[int, int]]:
        """The numbers of documents and of keyphrases by system."""
        return {name: (found.documents, found.keyphrases) for name, found in self.systems.items()}

    def curves(self) -> dict[str, Any]:
        """Points by system and matching."""
        return {
            name: {label: curve.to_json() for label, curve in found.curves.items()}
            for name, found in self.systems.items()
        }

    def positions(self) -> dict[str, Any]:
        """Gold, found and missed by fifths, by system and variant."""
        return {
            name: {
                variant: [{"gold": g, "found": f, "missed": g - f} for g, f in rows]
                for variant, rows in found.positions.items()
            }
            for name, found in self.systems.items()
            if found.positions
        }

    def reliability(self) -> dict[str, Any]:
        """The reliability of the systems whose scores are probabilities."""
        made = {}
        for name in self.probabilistic:
            confidences = self.systems[name].confidences
            if confidences and all(0 <= sure <= 1 for sure, _ in confidences):
                made[name] = Reliability.of(confidences).to_json()
        return made

    def missed(self) -> dict[str, list[dict[str, Any]]]:
        """The gold keyphrases that most documents miss."""
        return {
            name: [{"text": self.forms[key], "count": count} for key, count in _most(found.missed)]
            for name, found in self.systems.items()
        }

    def spurious(self) -> dict[str, list[dict[str, Any]]]:
        """The phrases that are wrong in most documents, with the number of systems that have them."""
        common = Counter(key for found in self.systems.values() for key in found.spurious)
        return {
            name: [
                {"text": self.forms[key], "count": count, "systems": common[key]}
                for key, count in _most(found.spurious)
            ]
            for name, found in self.systems.items()
        }


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:NAMED]


def read_lists(source: Source, chosen: Collection[str]) -> Lists:
    """Read the files of all cells once; `chosen` are the ids of the documents whose lines are kept."""
    found = Lists()
    default = next(iter(source.matchings))
    places = {run.name: _Places(run, source.own_label(run, default)) for run in source.runs}
    strange: set[str] = set()
    for run, cell, name in source.cells():
        labels = {label: source.own_label(run, label) for label in source.matchings}
        system = found.systems[name] = _System(curves={label: Curve() for label in labels})
        trained = run.configurations[cell].ranking.probability
        if trained:
            found.probabilistic.append(name)
        for lines, scored in run.lines(cell):
            if scored.id in chosen:
                found.shown.setdefault(scored.id, {})[name] = (lines, scored)
            system.documents += 1
            system.keyphrases += scored.predicted
            for label, own in labels.items():
                matched = scored.matches[own]
                system.curves[label].add(matched.hits, matched.gold, matched.predicted)
                cut = source.cut(label, matched.gold, matched.predicted)
                system.found.setdefault(label, {})[scored.id] = len(matched.found(cut))
            matched = scored.matches[labels[default]]
            cut = source.cut(default, matched.gold, matched.predicted)
            _add_spurious(system, found.forms, lines, matched, cut)
            if trained:
                system.confidences += _confidences(lines.whole(), matched)
            known = places[run.name].of(cell, scored.id)
            if known is None:
                continue
            if len(known.keyphrases) != matched.gold:
                strange.add(f"{run.name}: document {scored.id}")
                continue
            _add_gold(system, found.forms, known, matched.found(cut))
    if strange:
        have = f"{counted(len(strange), 'document')} {'has' if len(strange) == 1 else 'have'}"
        found.notes.append(
            f"{have} other gold keyphrases than in the run, as {min(strange)}: the "
            "corpus has changed, and none of these is in the places of gold and among the missed"
        )
    found.absent = {variant: sum(p.absent(variant) for p in places.values()) for variant in VARIANTS}
    return found


def _add_spurious(
    system: _System, forms: dict[str, str], lines: SavedKeyphrases, matched: SavedMatches, cut: int
) -> None:
    """Count the phrases up to the cut-off that hit nothing."""
    hits = {hit.rank for hit in matched.hits}
    positions = matched.positions
    counted: Sequence[int] = range(cut) if positions is None else positions[: max(cut, 0)]
    phrases = lines.first(max(counted, default=-1) + 1)
    wrong = {}
    for rank, position in enumerate(counted, start=1):
        if rank not in hits and position < len(phrases):
            text = lines.text(phrases[position])
            wrong[_folded(text)] = text
    _count(system.spurious, forms, wrong)


@lru_cache(maxsize=200_000)
def _folded(phrase: str) -> str:
    return fold(phrase)


def _count(counts: Counter[str], forms: dict[str, str], found: Mapping[str, str]) -> None:
    """One more document for each; the first form in the order of letters is the one that is shown."""
    for key, form in found.items():
        counts[key] += 1
        known = forms.get(key)
        if known is None or form < known:
            forms[key] = form


def _confidences(keyphrases: Sequence[Keyphrase], matched: SavedMatches) -> Iterator[tuple[float, bool]]:
    """For each phrase that counts, and was saved, its score and whether it hits."""
    hits = {hit.rank for hit in matched.hits}
    positions: Sequence[int] = matched.positions or range(matched.predicted)
    for rank, position in enumerate(positions, start=1):
        if position < len(keyphrases):
            yield keyphrases[position].score, rank in hits


@dataclass(frozen=True, slots=True)
class _Placed:
    """The gold keyphrases of a document, and for each variant of telling places the fifth of each."""

    keyphrases: Keyphrases
    fifths: Mapping[str, Sequence[int | None]]


class _Places:
    """The gold keyphrases of the documents of a run with their places; each text is searched once."""

    def __init__(self, run: ReportRun, label: str) -> None:
        self.run = run
        self.matching = run.spec.matchings[label]
        self._known: dict[tuple[object, str], _Placed] = {}

    def of(self, cell: str, id: str) -> _Placed | None:
        """None where the document cannot be read."""
        where = (self.run.cleaners(cell), id)
        if where not in self._known:
            document = self.run.cleaned(cell, id)
            if document is None:
                return None
            keyphrases = kept_of(self.matching, document, document.text)
            forms = [[variant.surface for variant in variants] for variants in keyphrases]
            fifths: dict[str, Sequence[int | None]] = {
                variant: [_fifth(place) for place in first_occurrences(document.text, forms, variant)]
                for variant in VARIANTS
            }
            self._known[where] = _Placed(keyphrases, fifths)
        return self._known[where]

    def absent(self, variant: str) -> int:
        """The gold keyphrases that stand nowhere; of texts cleaned in several ways, by the first."""
        seen: set[str] = set()
        total = 0
        for (_, id), placed in self._known.items():
            if id not in seen:
                seen.add(id)
                total += sum(fifth is None for fifth in placed.fifths[variant])
        return total


def _fifth(place: Occurrence | None) -> int | None:
    return None if place is None else place.part(FIFTHS)


def _add_gold(system: _System, forms: dict[str, str], known: _Placed, hit: Collection[int]) -> None:
    """Count the gold keyphrases of a document by their places, and name the missed ones."""
    for variant, fifths in known.fifths.items():
        rows = system.positions.setdefault(variant, [[0, 0] for _ in range(FIFTHS)])
        for number, fifth in enumerate(fifths):
            if fifth is not None:
                rows[fifth][0] += 1
                rows[fifth][1] += number in hit
    missed = {
        _folded(variants[0].surface): variants[0].surface
        for number, variants in enumerate(known.keyphrases)
        if number not in hit
    }
    _count(system.missed, forms, missed)
