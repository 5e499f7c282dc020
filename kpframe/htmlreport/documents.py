"""Documents to look at: their texts, their gold keyphrases, and every system's phrases with what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kpframe.analysis.comparison import Sample
from kpframe.analysis.near_misses import near_miss
from kpframe.engine.losses import Keyphrases, kept_of, present_of, whole_of
from kpframe.htmlreport.finished import ReportRun
from kpframe.htmlreport.lists import Lists
from kpframe.htmlreport.source import Source, evenly
from kpframe.language.stems import stemmer
from kpframe.language.text_places import Tokens
from kpframe.language.words import phrase_tokens
from kpframe.model import Document
from kpframe.model.natural_order import natural_key
from kpframe.runs.records import ScoredDocument
from kpframe.runs.saved_keyphrases import SavedKeyphrases, Written

__all__ = ["choose", "documents"]

_Hit = list[Any]
"""By which rule a phrase hits, and the number of the gold keyphrase or None: a pair, as JSON has it."""


def choose(source: Source, sample: Sample, limit: int) -> list[str]:
    """At most `limit` documents that can be shown: half of them those on which systems differ most.

    The others lie at even distances in the natural order of the ids, which all of them are returned in.
    """
    known = {id for run in source.runs for id in run.documents}
    rows = {id: row for row, id in enumerate(sample.ids) if id in known}
    if len(rows) <= limit:
        return sorted(rows, key=natural_key)
    spread = {id: _spread(sample.values[row].tolist()) for id, row in rows.items()}
    differing = sorted(rows, key=lambda id: (-spread[id], natural_key(id)))[: limit // 2]
    others = evenly(set(rows) - set(differing), limit - len(differing))
    return sorted({*differing, *others}, key=natural_key)


def _spread(values: Sequence[float]) -> float:
    counted = [value for value in values if value == value]
    return max(counted) - min(counted) if counted else 0.0


def documents(source: Source, found: Lists, ids: Iterable[str], phrases_limit: int) -> list[dict[str, Any]]:
    """The chosen documents as the page shows them."""
    names = {name: (run, cell) for run, cell, name in source.cells()}
    made = []
    for id in ids:
        lines = found.shown.get(id)
        if not lines:
            continue
        first_run, first_cell = names[next(iter(lines))]
        document = next(
            (d for r, c in [(first_run, first_cell), *names.values()] if (d := r.cleaned(c, id))), None
        )
        if document is None:
            continue
        page = _Page(source, document, phrases_limit)
        systems = {}
        counted = {}
        other = []
        for name, line in lines.items():
            run, cell = names[name]
            own = run.cleaned(cell, id)
            same = own is not None and own.given == document.given
            if not same:
                other.append(name)
            systems[name] = page.listed(run, own or document, *line, same)
            counted[name] = page.counted(run, line[1])
        made.append(
            {
                "id": id,
                "text": document.given,
                "gold": page.gold,
                "phrases": page.phrases,
                "systems": systems,
                "counted": counted,
                "other_text": other,
            }
        )
    return made


_NO_HITS: Mapping[str, _Hit] = {}


class _Page:
    """One document: its gold keyphrases, united as the first matching does, and what phrases are to them.

    `phrases` has each phrase once that systems list: `mark`, `rule` and `gold` are those under the first
    matching; `hits` has rule and gold keyphrase by the label of every matching under which it hits.
    """

    def __init__(self, source: Source, document: Document, limit: int) -> None:
        self.source = source
        self.limit = limit
        self.default, matching = next(iter(source.matchings.items()))
        text = document.text
        whole = whole_of(matching, document, text)
        present = set(present_of(matching, document, text))
        tokens = Tokens(text)
        forms = [[variant.surface for variant in variants] for variants in whole]
        self.number = {
            phrase_tokens(form): i for i, names in reversed(list(enumerate(forms))) for form in names
        }
        self.gold = [
            {
                "text": names[0],
                "variants": names,
                "present": variants in present,
                "spans": [list(document.given_span(*one)) for one in tokens.occurrences(names)]
                if variants in present
                else [],
            }
            for names, variants in zip(forms, whole, strict=True)
        ]
        self.stems = [(form, i, _content(form)) for i, names in enumerate(forms) for form in names]
        self.near: dict[str, tuple[str, int | None]] = {}
        self.phrases: list[dict[str, Any]] = []
        self._numbers: dict[tuple[str, str, str], int] = {}
        self.kept: dict[tuple[str, str], Keyphrases] = {}

    def listed(
        self,
        run: ReportRun,
        document: Document,
        lines: SavedKeyphrases,
        scored: ScoredDocument,
        same_text: bool,
    ) -> list[list[Any]]:
        """A system's best phrases, and those further down that hit: rank, score, and number in `phrases`."""
        every = self._hits(run, document, scored)
        rows: list[list[Any]] = []
        # No line is read further down than it has hits.
        for position, phrase in enumerate(lines.first(max(self.limit, max(every, default=-1) + 1))):
            hits = every.get(position, _NO_HITS)
            if position < self.limit or hits:
                score = float(f"{lines.score(phrase):.4g}")
                rows.append([position + 1, score, self._numbered(lines, phrase, same_text, hits)])
        return rows

    def _numbered(
        self, lines: SavedKeyphrases, phrase: Written, same_text: bool, hits: Mapping[str, _Hit]
    ) -> int:
        """The number of a phrase in `phrases`: most are in the lists of several systems."""
        text, _, _, spans = phrase
        where = (text, spans if same_text else "", str(hits) if hits else "")
        number = self._numbers.get(where)
        if number is None:
            number = self._numbers[where] = len(self.phrases)
            self.phrases.append(self._told(lines, phrase, same_text, hits))
        return number

    def _told(
        self, lines: SavedKeyphrases, phrase: Written, same_text: bool, hits: Mapping[str, _Hit]
    ) -> dict[str, Any]:
        text = lines.text(phrase)
        mark, rule, gold = self._mark(text, hits)
        spans = [*map(list, lines.spans(phrase))] if same_text else []
        told = {"text": text, "spans": spans, "mark": mark, "rule": rule, "gold": gold}
        return {**told, "hits": hits} if hits else told

    def counted(self, run: ReportRun, scored: ScoredDocument) -> dict[str, int]:
        """By matching how far down the list, as it was saved, phrases count: up to which rank."""
        ranks = {}
        for label in self.source.matchings:
            matched = scored.matches[self.source.own_label(run, label)]
            cut = min(self.source.cut(label, matched.gold, matched.predicted), matched.predicted)
            ranks[label] = matched.position(cut) + 1 if cut else cut
        return ranks

    def _mark(self, phrase: str, hits: Mapping[str, _Hit]) -> tuple[str, str, int | None]:
        """What a phrase is under the first matching; near where it hits under another, or shares words."""
        if not hits:
            return self._near(phrase)
        rule, gold = hits.get(self.default) or next(iter(hits.values()))
        return ("hit" if self.default in hits else "near"), rule, gold

    def _hits(self, run: ReportRun, document: Document, scored: ScoredDocument) -> dict[int, dict[str, _Hit]]:
        """By the place of a phrase in the list, and by matching, how it hits."""
        found: dict[int, dict[str, _Hit]] = {}
        for label in self.source.matchings:
            own = self.source.own_label(run, label)
            matched = scored.matches[own]
            kept = self._kept(run, own, document)
            for rank, number, rule in matched.hits:
                position = matched.position(rank)
                gold = self._number(kept, number) if len(kept) == matched.gold else None
                found.setdefault(position, {}).setdefault(label, [rule, gold])
        return found

    def _kept(self, run: ReportRun, label: str, document: Document) -> Keyphrases:
        where = (f"{run.name}/{label}", document.text)
        if where not in self.kept:
            self.kept[where] = kept_of(run.spec.matchings[label], document, document.text)
        return self.kept[where]

    def _number(self, kept: Keyphrases, number: int) -> int | None:
        forms = (self.number.get(phrase_tokens(variant.surface)) for variant in kept[number])
        return next((found for found in forms if found is not None), None)

    def _near(self, phrase: str) -> tuple[str, str, int | None]:
        """What a phrase is that hits nothing: near to the first gold keyphrase that it shares words with."""
        if phrase not in self.near:
            self.near[phrase] = self._nearest(phrase)
        rule, gold = self.near[phrase]
        return ("near" if rule else "false"), rule, gold

    def _nearest(self, phrase: str) -> tuple[str, int | None]:
        stems = _content(phrase)
        for form, number, other in self.stems:
            if stems & other and (miss := near_miss(phrase, form)) is not None:
                return f"overlap: {miss.place}", number
        return "", None


def _content(phrase: str) -> frozenset[str]:
    return frozenset(map(stemmer("porter"), phrase_tokens(phrase)))
