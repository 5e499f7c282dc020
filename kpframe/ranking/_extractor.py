"""Extractor: phrases found by way of the stems that are frequent and early, under eleven parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from kpframe.model import Candidates
from kpframe.ranking._genitor import Genes
from kpframe.ranking._graph import Indexes, Weights
from kpframe.ranking._words import words_of

__all__ = ["Parameters", "Phrases", "extract", "phrases_of"]

LONGEST = 3
"""Most words of a phrase."""
_SHORTEST = 3
"""Fewest characters of a word."""


class Parameters(BaseModel):
    """What the search looks for; beside each the name that it has in the paper."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    working: int = Field(default=50, ge=10, le=100, description="How many stems are taken on (NUM_WORKING).")
    two_words: float = Field(
        default=2.3, ge=1.0, le=3.0, description="Factor for phrases of two words (FACTOR_TWO_ONE)."
    )
    three_words: float = Field(
        default=5.0, ge=1.0, le=5.0, description="Factor for phrases of three words (FACTOR_THREE_ONE)."
    )
    short: float = Field(
        default=0.9,
        ge=0.3,
        le=3.0,
        description="A phrase of fewer characters than so many means is short (MIN_LENGTH_LOW_RANK).",
    )
    short_until: int = Field(
        default=5,
        ge=1,
        le=20,
        description="Rank after which short phrases are left out (MIN_RANK_LOW_LENGTH).",
    )
    early: int = Field(
        default=40, ge=1, le=1000, description="What begins before this token is early (FIRST_LOW_THRESH)."
    )
    late: int = Field(
        default=400, ge=1, le=4000, description="What begins after this token is late (FIRST_HIGH_THRESH)."
    )
    early_factor: float = Field(
        default=2.0, ge=1.0, le=15.0, description="Factor for what is early (FIRST_LOW_FACTOR)."
    )
    late_factor: float = Field(
        default=0.65, ge=0.01, le=1.0, description="Factor for what is late (FIRST_HIGH_FACTOR)."
    )
    stem_length: int = Field(
        default=5, ge=1, le=10, description="Characters of a word that are its stem (STEM_LENGTH)."
    )
    suppress_names: bool = Field(
        default=False, description="Whether what is always capitalised is left out (SUPPRESS_PROPER)."
    )

    @classmethod
    def of_genes(cls, genes: Genes) -> Self:
        """Parameters from a number in 0 … 1 for each, in their order."""
        made = {}
        for gene, (name, (low, high)) in zip(genes.tolist(), _RANGES.items(), strict=True):
            value = low + gene * (high - low)
            made[name] = round(value, 4) if isinstance(low, float) else min(int(value + gene), high)
        return cls(**{**made, "suppress_names": bool(genes[-1] >= 0.5)})


def _ranges() -> Iterator[tuple[str, tuple[Any, Any]]]:
    for name, found in Parameters.model_fields.items():
        bounds = {type(bound).__name__: bound for bound in found.metadata}
        yield name, ((bounds["Ge"].ge, bounds["Le"].le) if bounds else (0, 1))


_RANGES = dict(_ranges())


@dataclass(frozen=True)
class _Stemmed:
    """Phrases and words under one length of stems: words by stem, and phrases by the stems of their words.

    `counts` and `firsts` of stems and of groups of phrases are occurrences and first tokens; `member` is the
    phrase that stands for a group; `of_stem` and `group` (shape (pairs,)) say which stem is part of which
    group.
    """

    stem_counts: Weights
    stem_firsts: Indexes
    counts: Weights
    firsts: Indexes
    lengths: Indexes
    member: Indexes
    of_stem: Indexes
    group: Indexes


@dataclass(frozen=True, eq=False)
class Phrases:
    """The phrases of a document, up to three words of three characters or more; arrays have shape (phrases,).

    `index` is the number of each among the candidates, `words` (shape (phrases, 3), -1 beyond the last) the
    numbers of its words among `names`; a name is one for `always` capitalised phrases.
    """

    names: tuple[str, ...]
    word_counts: Weights
    word_firsts: Indexes
    index: Indexes
    words: Indexes
    counts: Weights
    firsts: Indexes
    characters: Weights
    names_only: NDArray[np.bool_]
    _by_length: dict[int, _Stemmed] = field(default_factory=dict, repr=False)

    def stemmed(self, length: int) -> _Stemmed:
        """All of it under stems of so many characters; kept, since a search asks again and again."""
        if length not in self._by_length:
            self._by_length[length] = _stemmed(self, length)
        return self._by_length[length]


def phrases_of(candidates: Candidates) -> Phrases:
    """The phrases among the candidates of a document."""
    found = words_of(candidates, None, None, "alphanumeric")
    number = {name: place for place, name in enumerate(found.names) if len(name) >= _SHORTEST}
    places_of, tokens = candidates.places_of, candidates.tokens
    chosen, rows = [], []
    for index, places in enumerate(places_of):
        own = tokens[slice(*places[0])]
        if len(own) <= LONGEST and all(word in number for word in own):
            chosen.append(index)
            rows.append([number[word] for word in own] + [-1] * (LONGEST - len(own)))
    firsts = np.full(len(found.names), np.iinfo(np.int64).max)
    np.minimum.at(firsts, found.owners, found.positions)
    surface = candidates.annotations.surface
    return Phrases(
        found.names,
        found.counts(),
        firsts,
        np.array(chosen, dtype=np.int64),
        np.array(rows, dtype=np.int64).reshape(-1, LONGEST),
        np.array([len(places_of[index]) for index in chosen], dtype=np.float64),
        np.array([places_of[index][0][0] for index in chosen], dtype=np.int64),
        np.array([len(candidates.surfaces[index]) for index in chosen], dtype=np.float64),
        np.array(
            [all(surface(*place)[:1].isupper() for place in places_of[index]) for index in chosen],
            dtype=np.bool_,
        ),
    )


def _stemmed(phrases: Phrases, length: int) -> _Stemmed:
    number: dict[str, int] = {}
    stem_of = np.array(
        [number.setdefault(name[:length], len(number)) for name in phrases.names], dtype=np.int64
    )
    counts = np.bincount(stem_of, phrases.word_counts, len(number)).astype(np.float64)
    firsts = np.full(len(number), np.iinfo(np.int64).max)
    np.minimum.at(firsts, stem_of, phrases.word_firsts)
    rows = np.where(phrases.words >= 0, np.append(stem_of, -1)[phrases.words], -1)
    groups, first_row, of_phrase = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    of_phrase = of_phrase.reshape(-1)
    group_firsts = np.full(len(groups), np.iinfo(np.int64).max)
    np.minimum.at(group_firsts, of_phrase, phrases.firsts)
    # The phrase that stands for its group is the most frequent one, of equally frequent ones the first.
    order = np.lexsort((phrases.firsts, -phrases.counts, of_phrase))
    _, best = np.unique(of_phrase[order], return_index=True)
    pairs = [np.column_stack((groups[:, column], np.arange(len(groups)))) for column in range(LONGEST)]
    joined = np.unique(np.concatenate(pairs), axis=0)
    joined = joined[joined[:, 0] >= 0]
    return _Stemmed(
        counts,
        firsts,
        np.bincount(of_phrase, phrases.counts, len(groups)).astype(np.float64),
        group_firsts,
        (groups >= 0).sum(axis=1),
        order[best] if len(order) else first_row,
        joined[:, 0],
        joined[:, 1],
    )


def extract(phrases: Phrases, chosen: Parameters) -> tuple[Indexes, Weights]:
    """The candidates that Extractor puts out, by their numbers, best first, and their scores.

    A stem's score is its occurrences, times a factor where it is early or late. The best stems are taken on;
    each stands for the best phrase with it, whose score is that of the stem, so that no phrase gains by its
    length alone. A phrase that comes twice is taken once; short ones stay only in the first places.
    """
    table = phrases.stemmed(chosen.stem_length)
    if not len(table.counts):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    stems = _scored(table.stem_counts, table.stem_firsts, chosen)
    factors = np.array([1.0, chosen.two_words, chosen.three_words])
    groups = _scored(table.counts, table.firsts, chosen) * factors[table.lengths - 1]
    best = np.full(len(stems), -1)
    order = np.lexsort((table.firsts[table.group], -groups[table.group], table.of_stem))
    with_phrase, first = np.unique(table.of_stem[order], return_index=True)
    best[with_phrase] = table.group[order][first]
    taken = np.lexsort((table.stem_firsts, -stems))[: chosen.working]
    taken = taken[best[taken] >= 0]
    if not len(taken):
        return taken, np.zeros(0)
    _, once = np.unique(best[taken], return_index=True)
    taken = taken[np.sort(once)]
    members = table.member[best[taken]]
    length = phrases.characters[members]
    stays = (length >= chosen.short * length.mean()) | (np.arange(len(taken)) < chosen.short_until)
    if chosen.suppress_names:
        stays &= ~phrases.names_only[members]
    members, scores = members[stays], stems[taken][stays]
    # Among equal scores the text decides, as everywhere.
    order = np.lexsort((phrases.firsts[members], -scores))
    return phrases.index[members[order]], scores[order]


def _scored(counts: Weights, firsts: Indexes, chosen: Parameters) -> Weights:
    factors = np.where(firsts > chosen.late, chosen.late_factor, 1.0)
    scored: Weights = counts * np.where(firsts < chosen.early, chosen.early_factor, factors)
    return scored
