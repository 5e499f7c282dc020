"""What became of each gold keyphrase: found, or lost, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kpframe.model import Document, Matches, Phrase
from kpframe.stages import Matching, Metric

__all__ = [
    "PARTS",
    "Keyphrases",
    "Losses",
    "Numbered",
    "cut",
    "cutoff",
    "first_hits",
    "kept_of",
    "losses",
    "numbered",
    "present_of",
    "whole_of",
]

Keyphrases = tuple[tuple[Phrase, ...], ...]
"""The variants of each gold keyphrase."""

Numbered = Sequence[tuple[int | None, bool]]
"""For each gold keyphrase its number among the kept ones, or None, and whether it is in the text."""

PARTS = ("not_in_text", "left_out", "never_proposed", "ranked_too_low", "lost_in_postprocessing", "found")
"""What can become of a gold keyphrase; each is counted in exactly one of these."""


@dataclass(frozen=True, slots=True)
class Losses:
    """What became of the `gold` keyphrases of `documents`; the parts add up to all of them.

    - `found`: among the phrases up to the cut-off; `found_by_postprocessing` of these are hit by no
      candidate: a step (as `merge_adjacent`) made the phrase that hits them.
    - `not_in_text`: not found, and in no variant in the text, by the matching's own test.
    - `left_out`: in the text, where the matching counts only those that are not (`absent: only`).
    - `never_proposed`: hit by no phrase, however far down: no candidate was one, nor did any step (as
      `merge_adjacent`) build one.
    - `lost_in_postprocessing`: hit up to the cut-off after the ranking or after a step, but not at the end.
    - `ranked_too_low`: hit, but only by phrases behind the cut-off.
    """

    documents: int = 0
    gold: int = 0
    not_in_text: int = 0
    left_out: int = 0
    never_proposed: int = 0
    ranked_too_low: int = 0
    lost_in_postprocessing: int = 0
    found: int = 0
    found_by_postprocessing: int = 0

    def __add__(self, other: Losses) -> Losses:
        """The counts of both."""
        return Losses(*(getattr(self, name) + getattr(other, name) for name in Losses.__slots__))

    def to_json(self) -> dict[str, int]:
        """All counts."""
        return {name: getattr(self, name) for name in Losses.__slots__}

    def counts(self) -> list[int]:
        """All counts but the number of documents, in the order of the fields; as a run keeps them."""
        return [getattr(self, name) for name in Losses.__slots__[1:]]


def numbered(whole: Keyphrases, present: Keyphrases, kept: Keyphrases) -> Numbered:
    """For each of all keyphrases (`whole`) its number among the `kept` ones, if it is one, and whether it is
    among those in the text (`present`); all in the same order.
    """
    in_text = [place is not None for place in _subsequence(whole, present)]
    return list(zip(_subsequence(whole, kept), in_text, strict=True))


def losses(gold: Numbered, final: Matches, hits: Sequence[Mapping[int, int]], cut: int) -> Losses:
    """What became of the gold keyphrases of one document.

    `hits` are the first hits (see `first_hits`) in the lists after the ranking and after each step. The last
    of these lists has the matches `final`, and counts up to rank `cut`.
    """
    counts = dict.fromkeys(PARTS, 0)
    made = 0
    # A matching that does not tell which keyphrases it compared tells their number alone.
    untold = final.gold if len(final.keyphrases) < final.gold else 0
    for number, is_present in (*gold, *((number, True) for number in range(untold))):
        part = _part(number, is_present, hits, cut)
        counts[part] += 1
        made += part == "found" and number not in hits[0]
    # Nor does every matching tell what it dropped as absent.
    counts["not_in_text"] += max(0, final.gold + final.dropped - sum(counts.values()))
    return Losses(1, sum(counts.values()), **counts, found_by_postprocessing=made)


def _part(number: int | None, present: bool, hits: Sequence[Mapping[int, int]], cut: int) -> str:
    if number is None:
        return "left_out" if present else "not_in_text"
    if number in hits[-1] and hits[-1][number] <= cut:
        return "found"
    if not present:
        return "not_in_text"
    ranks = [found[number] for found in hits if number in found]
    if not ranks:
        return "never_proposed"
    return "lost_in_postprocessing" if min(ranks) <= cut else "ranked_too_low"


def first_hits(matches: Matches) -> dict[int, int]:
    """For each gold keyphrase that is hit the rank of the first phrase that hits it."""
    hits = matches.hits
    if matches.related is None:
        # From behind, so that of several hits the first is written last.
        found = dict(zip(reversed(hits), range(len(hits), 0, -1), strict=True))
        found.pop(-1, None)
        return found
    found = {}
    for rank, number in enumerate(matches.hits, start=1):
        if number >= 0 and number not in found:
            found[number] = rank
        for related in matches.related[rank - 1]:
            found.setdefault(related, rank)
    return found


def _subsequence(whole: Keyphrases, part: Keyphrases) -> Sequence[int | None]:
    """For each of `whole` its number in `part`, which has some of them in the same order."""
    if part is whole:
        return range(len(whole))
    numbers: list[int | None] = []
    place = 0
    for keyphrase in whole:
        here = place < len(part) and part[place] == keyphrase
        numbers.append(place if here else None)
        place += here
    return numbers


def kept_of(matching: Matching, document: Document, text: str) -> Keyphrases:
    """The gold keyphrases that count; empty also where a matching does not tell."""
    return matching.match((), document.gold, text).keyphrases


def whole_of(matching: Matching, document: Document, text: str) -> Keyphrases:
    """All gold keyphrases of a document as the matching unites them, in the text or not."""
    return kept_of(_with_absent(matching, "keep"), document, text)


def present_of(matching: Matching, document: Document, text: str) -> Keyphrases:
    """Those of them that stand in the text by the matching's own test."""
    return kept_of(_with_absent(matching, "drop"), document, text)


@lru_cache(maxsize=64)
def _with_absent(matching: Matching, absent: str) -> Matching:
    if "absent" not in type(matching).model_fields:
        return matching
    return matching.model_copy(update={"absent": absent})


def cutoff(metric: Metric) -> int | str:
    """How many phrases a metric looks at: a number, `R` (as many as gold is kept), or `all`."""
    k: int | str | None = getattr(metric, "k", None)
    return {"M": "all", "O": "R", "None": "R"}.get(str(k), k or "R")


def cut(cutoff: int | str, gold: int, predicted: int) -> int:
    """The cut-off for a document with so many gold keyphrases and phrases."""
    return {"R": gold, "all": predicted}[cutoff] if isinstance(cutoff, str) else cutoff
