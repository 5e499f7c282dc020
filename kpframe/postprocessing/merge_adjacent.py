"""Join phrases that stand side by side in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

from pydantic import Field

from kpframe.model import Annotations, Keyphrases, Place, Ranked
from kpframe.postprocessing._entries import commonest_form, united, with_places
from kpframe.stages import Postprocessor

__all__ = ["MergeAdjacent"]


class _Occurrence(NamedTuple):
    """One place of one entry; `first` if it is the entry's first."""

    begin: int
    end: int
    owner: int
    first: bool


# What `_Occurrence._make` does, without a call of Python for each of very many.
_occurrence = partial(tuple.__new__, _Occurrence)


class MergeAdjacent(Postprocessor):
    """Joins phrases that follow one another in the text into longer phrases.

    One rule serves every configuration ("we apply merging to all configurations"): merging rebuilds
    the longer phrases that a selection of short candidates could not offer. Where candidates overlap
    (n-grams, Kea) the selection has offered the longer phrases itself, each with a score of its own,
    and joining could only flood the top of the list with chance neighbours of its best phrases; so
    in a document in which any two occurrences share a token, nothing is joined.

    From left to right, a growing phrase takes the next occurrence if that begins with the very token
    at which the phrase ends, only white space (or nothing) stands between, both lie in one sentence,
    and all tokens together are at most `max_tokens`.

    A joined phrase has the keys of its parts, joined by a space, as key, and its most frequent
    form in the text as surface. Its score is made of its parts' by `score`; where its places
    consist of different parts, the best place counts. With `sum`, a phrase grows better the longer
    it is, so sums are comparable only among rankings of positive scores. The parts lose the places
    that went into a joined phrase (`keep_parts` leaves them). A joined phrase whose key exists already
    is united with that entry: all places, the higher score.

    A frequent candidate has dozens of neighbours, and phrases that shared its score would fill the top
    of the list. So an entry lends its score only to the phrase at its own first place, a phrase without
    the first place of any part is no entry, and an entry whose first place was joined is gone. `places`
    says what can be joined: with `first` only first places (the original framework makes one keyphrase
    of a graph node, where the node first stands), with `all` every place, which gives fuller phrases.

    The original framework joins neighbours pairwise and repeats until nothing changes, with exactly
    one character of any kind between them and 6 tokens at most: units a b c d e of one token each
    become "a b" and "c d e" under a maximum of 3, where this stage finds the maximal runs "a b c"
    and "d e"; under 4 both find "a b c d" and "e". It also joins across sentence ends.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4; Mihalcea and Tarau 2004, section 3.1"
    short: ClassVar[str] = "max_tokens"

    max_tokens: int = Field(4, ge=1, description="Longest phrase that joining may make, in tokens.")
    score: Literal["max", "sum", "mean"] = Field(
        "max", description="How the scores of the parts become the score of the joined phrase."
    )
    places: Literal["all", "first"] = Field(
        "first", description="The occurrences of an entry that can be joined: only the first, or all."
    )
    keep_parts: bool = Field(False, description="Whether the parts stay beside the joined phrase.")

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases with adjacent ones joined."""
        annotations, entries = keyphrases.annotations, keyphrases.entries
        places = [place for _, _, _, places in entries for place in places]
        # With more tokens than the text has, some must share a token; and as a rule nothing touches.
        if sum([end - begin for begin, end in places]) > len(annotations) or not _touch(places):
            return keyphrases
        occurrences = _occurrences(keyphrases)
        if any(left[1] > right[0] for left, right in pairwise(occurrences)):
            return keyphrases
        runs = [run for run in self._runs(occurrences, annotations) if len(run) > 1]
        if not runs:
            return keyphrases
        left = entries if self.keep_parts else self._left(runs, entries, annotations)
        by_key: dict[str, list[Ranked]] = {entry.key: [entry] for entry in left}
        for joined in self._joined(runs, entries, annotations):
            by_key.setdefault(joined.key, []).append(joined)
        return keyphrases.replaced(
            same[0] if len(same) == 1 else united(same, annotations) for same in by_key.values()
        )

    def _runs(
        self, occurrences: Sequence[_Occurrence], annotations: Annotations
    ) -> Iterator[list[_Occurrence]]:
        """The occurrences in text order, in groups that are to be joined."""
        run: list[_Occurrence] = []
        for occurrence in occurrences:
            # Most stand alone, which is seen without a call.
            if run and not (occurrence[0] == run[-1][1] and self._fits(run, occurrence, annotations)):
                yield run
                run = []
            run.append(occurrence)
        if run:
            yield run

    def _fits(self, run: Sequence[_Occurrence], following: _Occurrence, annotations: Annotations) -> bool:
        end = run[-1].end
        return (
            (self.places == "all" or (run[-1].first and following.first))
            and following.end - run[0].begin <= self.max_tokens
            and annotations.sentence_of[end - 1] == annotations.sentence_of[end]
            and annotations.adjacent(end - 1, end)
        )

    def _joined(
        self, runs: Sequence[Sequence[_Occurrence]], entries: Sequence[Ranked], annotations: Annotations
    ) -> Iterator[Ranked]:
        """One entry for each key of joined phrases that have a score lent to them."""
        places: dict[str, list[Place]] = {}
        scores: dict[str, float] = {}
        for run in runs:
            key = " ".join([entries[owner].key for _, _, owner, _ in run])
            places.setdefault(key, []).append((run[0].begin, run[-1].end))
            lent = [entries[owner].score for _, _, owner, first in run if first]
            if lent:
                score = self._score(lent)
                scores[key] = max(score, scores.get(key, score))
        for key, score in scores.items():
            yield Ranked(key, commonest_form(annotations, places[key]), score, tuple(places[key]))

    def _left(
        self, runs: Sequence[Sequence[_Occurrence]], entries: Sequence[Ranked], annotations: Annotations
    ) -> list[Ranked]:
        """The entries whose first place was not joined, without the places that were."""
        taken: dict[int, set[Place]] = {}
        for run in runs:
            for begin, end, owner, _ in run:
                taken.setdefault(owner, set()).add((begin, end))
        left = []
        for number, entry in enumerate(entries):
            joined = taken.get(number, ())
            if not joined:
                left.append(entry)
            elif entry.places[0] not in joined:
                places = tuple(place for place in entry.places if place not in joined)
                left.append(with_places(entry, places, annotations))
        return left

    def _score(self, parts: Sequence[float]) -> float:
        if self.score == "max":
            return max(parts)
        return sum(parts) if self.score == "sum" else sum(parts) / len(parts)


def _touch(places: Sequence[Place]) -> bool:
    """Whether any occurrence begins where another ends."""
    begins, ends = zip(*places, strict=True) if places else ((), ())
    return not set(begins).isdisjoint(ends)


def _occurrences(keyphrases: Keyphrases) -> list[_Occurrence]:
    """All places of all entries in text order."""
    found = [
        (*place, owner, number == 0)
        for owner, (_, _, _, places) in enumerate(keyphrases.entries)
        for number, place in enumerate(places)
    ]
    return list(map(_occurrence, sorted(found)))
