"""The base of rankings that compare a document with a background."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import (
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from kpframe.errors import KpframeError, StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._background import Counts, count, read_counts, union
from kpframe.ranking._document_frequencies import tell_all_alike
from kpframe.stages import Ranking, Selection
from kpframe.stages.checked import Checked

__all__ = ["Background", "BackgroundRanking", "Contrast", "Levels", "occurrences"]


class Background(Checked):
    """What a document is compared with."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    from_: Literal["collection", "training", "file"] = Field(
        default="collection",
        alias="from",
        description="Count over all documents or the training part, or read a file.",
    )
    path: Path | None = Field(
        default=None,
        description="With `from: file`: rows phrase<TAB>count after a first row #tokens<TAB>N, or JSON "
        '{"tokens": N, "phrases": {phrase: count}}; phrases case-folded.',
    )
    own: Literal["in", "out"] = Field(
        default="out",
        description="Whether a document that is itself a part of the background stays in it, or is taken "
        "out of the counts, known by its text.",
    )

    @model_validator(mode="after")
    def _one_file(self) -> Background:
        if (self.from_ == "file") != (self.path is not None):
            raise ValueError("from: file needs a path, and only from: file takes one")
        return self

    @model_serializer(mode="wrap")
    def _as_written(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {"from" if name == "from_" else name: value for name, value in dump(self).items()}


Levels = Mapping[int, Mapping[int, int]]
"""Words in a phrase → occurrences → how many phrases of so many words occur so often."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """A document (`own`) and what it is compared with (`other`), and how often phrases occur in each."""

    candidates: Candidates
    own: Counts
    other: Counts
    own_levels: Levels
    other_levels: Levels


def occurrences(levels: Levels, length: int | None = None) -> int:
    """Occurrences of all phrases, or of those of `length` words."""
    chosen = levels.values() if length is None else [levels.get(length, {})]
    return sum(times * phrases for level in chosen for times, phrases in level.items())


def _levels(phrases: Mapping[str, int]) -> dict[int, dict[int, int]]:
    levels: dict[int, dict[int, int]] = {}
    for phrase, times in phrases.items():
        level = levels.setdefault(phrase.count(" ") + 1, {})
        level[times] = level.get(times, 0) + 1
    return levels


def _less(
    levels: Levels, all_counts: Mapping[str, int], less: Mapping[str, int]
) -> dict[int, dict[int, int]]:
    """The levels after `less` is taken out of `all_counts`."""
    changed = {length: dict(level) for length, level in levels.items()}
    for phrase, times in less.items():
        before = all_counts.get(phrase, 0)
        if not before:
            continue
        level = changed[phrase.count(" ") + 1]
        level[before] -= 1
        if before > times:
            level[before - times] = level.get(before - times, 0) + 1
    return {
        length: {times: phrases for times, phrases in level.items() if phrases}
        for length, level in changed.items()
    }


class BackgroundRanking(Ranking):
    """Ranks by `score`, which compares the counts of a document with those of a background."""

    paths: ClassVar[tuple[str, ...]] = ("background.path",)

    background: Background = Field(Background(), description="What a document is compared with.")

    @abstractmethod
    def score(self, contrast: Contrast) -> list[float]:
        """The score of each candidate."""

    def fits_on(self) -> Literal["", "collection", "training"]:
        """The documents that are counted, if any are."""
        return "" if self.background.from_ == "file" else self.background.from_

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """Counts depend on the candidates alone, so that all rankings of this sort share a fit."""
        return {"kind": "background", "from": self.background.from_, "candidates": selection.identity()}

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A table of counts that is missing or malformed."""
        if self.background.path is None:
            return
        try:
            read_counts(self.background.path)
        except KpframeError as error:
            for found in error.problems:
                yield "background", f"{found.place}: {found.problem}", found.remedy

    def observe(self, candidates: Candidates) -> Counts:
        """What a document holds."""
        return count(candidates)

    def fit(self, observations: Iterable[Counts]) -> dict[str, Any]:
        """The sums over all documents."""
        numbers = itertools.count()
        found = union(one for one, _ in zip(observations, numbers, strict=False))
        if len(found.texts) == 1:
            tell_all_alike(next(numbers))  # as many as were drawn
        return found.to_state()

    def restore(self, state: Mapping[str, Any]) -> _Fitted:
        """The ranker with the background of `state`."""
        return _Fitted.of(self, Counts.from_state(state))

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Rank against a file; StageError if the background must be counted first."""
        if self.background.path is None:
            raise StageError.at(
                f"ranking: {self.kind}",
                "has no background yet",
                f"fit it on the {self.fits_on()}, or set background to {{from: file, path: …}}",
            )
        return _Fitted.of(self, read_counts(self.background.path)).rank(candidates)


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A ranking with its background."""

    settings: BackgroundRanking
    other: Counts
    levels: Levels

    @classmethod
    def of(cls, settings: BackgroundRanking, other: Counts) -> _Fitted:
        return cls(settings, other, _levels(other.phrases))

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates, by the score of the ranking."""
        own = count(candidates)
        other, levels = self.other, self.levels
        if self.settings.background.own == "out" and own.texts <= other.texts:
            levels = _less(levels, other.phrases, own.phrases)
            other = other.without(own)
        contrast = Contrast(candidates, own, other, _levels(own.phrases), levels)
        return Keyphrases.ranked(candidates, self.settings.score(contrast))
