"""Which candidates of a training document are keyphrases, by comparing stems."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from kpframe.errors import StageError, counted
from kpframe.language.codes import DEFAULT
from kpframe.language.stems import stemmer_of
from kpframe.language.words import phrase_tokens
from kpframe.model import Gold

__all__ = ["Labels", "label", "reach", "stemmed"]

_log = logging.getLogger("kpframe.ranking")


@dataclass(frozen=True, slots=True)
class Labels:
    """For each candidate whether it is a keyphrase, and the number of `gold` keyphrases.

    Gold keyphrases that are equal after stemming count once. `forms` are the stemmed forms of all
    variants, sorted.
    """

    positive: tuple[bool, ...]
    gold: int
    forms: tuple[str, ...]

    @property
    def reached(self) -> int:
        """How many gold keyphrases some candidate equals."""
        return sum(self.positive)


def stemmed(phrase: str, method: str, language: str = DEFAULT) -> str:
    """The stems of the folded tokens of a phrase in a language (`method` is English), joined by a space."""
    return " ".join(map(stemmer_of(language, method), phrase_tokens(phrase)))


def label(forms: Iterable[str], gold: Sequence[Gold], method: str, language: str = DEFAULT) -> Labels:
    """Label candidates, given by their stemmed forms in text order.

    A candidate is positive if it equals a variant of a gold keyphrase; each gold keyphrase is
    claimed once, by the first such candidate, and a second one is negative.
    """
    gold_of: dict[str, int] = {}
    for number, keyphrase in enumerate(gold):
        for variant in keyphrase.variants:
            gold_of.setdefault(stemmed(variant, method, language), number)
    claimed: set[int] = set()
    positive = []
    for form in forms:
        found = gold_of.get(form)
        positive.append(found is not None and found not in claimed)
        if found is not None:
            claimed.add(found)
    return Labels(tuple(positive), len(set(gold_of.values())), tuple(sorted(gold_of)))


class Labelled(Protocol):
    """What training keeps of a document: which candidates are keyphrases, of how many."""

    @property
    def positive(self) -> Sequence[bool]: ...

    @property
    def gold(self) -> int: ...


def reach(kept: Sequence[Labelled], seen: int) -> dict[str, int]:
    """How many gold keyphrases are candidates: logged, kept in the state, StageError for none."""
    if not kept:
        raise StageError.at(
            "training",
            f"none of the {seen} training documents has gold keyphrases",
            "train on documents with gold keyphrases",
        )
    gold = sum(observation.gold for observation in kept)
    reached = sum(sum(observation.positive) for observation in kept)
    if reached == 0:
        raise StageError.at(
            "training",
            f"no candidate equals any of the {counted(gold, 'gold keyphrase')} in "
            f"{counted(len(kept), 'training document')}",
            "check that the gold belongs to these texts, allow longer candidates, or lower the selection's "
            "min_frequency",
        )
    _log.info(
        "training: candidates reach %s of %s (%.1f %%) in %s",
        *(f"{reached:,}", counted(gold, "gold keyphrase"), 100.0 * reached / gold),
        counted(len(kept), "document"),
    )
    return {"reached": reached, "gold": gold, "documents": len(kept), "without_gold": seen - len(kept)}
