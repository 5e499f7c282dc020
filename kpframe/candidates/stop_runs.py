"""What stands between stop words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from kpframe.candidates._runs import run_ends
from kpframe.candidates._token_classes import (
    TOKEN_CLASS,
    TokenClass,
    among,
    has_letter,
    of_words,
    token_class,
)
from kpframe.language.stop_lists import file_checksums, list_limits, list_problems, stop_words
from kpframe.model import AUTO, Annotations, Candidates, Document
from kpframe.stages import Selection

__all__ = ["StopRuns"]


class StopRuns(Selection):
    """The longest runs of words of a sentence without a stop word in them, as RAKE cuts its texts.

    Stop words, punctuation and all that `tokens` leaves out end a run. Runs of more than `max`
    tokens are no candidates, and their parts are none either; in texts from PDF a long run is as
    a rule a row of a table.
    """

    source: ClassVar[str] = "Rose, Engel, Cramer & Cowley 2010 (RAKE), section 1.2"

    stopwords: tuple[str, ...] = Field(
        (AUTO,),
        min_length=1,
        description="Stop lists, combined: language codes (en, de, hi, …), paths of files with an entry a "
        "line, or auto, the list of the document's language.",
    )
    min: int = Field(1, ge=1, description="Fewest tokens of a run.")
    max: int | None = Field(None, ge=1, description="Most tokens of a run; null: no limit, as published.")
    numbers: Literal["keep", "boundary"] = Field(
        "keep",
        description="Tokens without a letter: kept, as published, so that a date is a run, or they end a run "
        "like punctuation.",
    )
    tokens: TokenClass = Field("words", description=TOKEN_CLASS)
    blank_lines: Literal["boundary", "ignore"] = Field(
        "boundary", description="Whether a blank line inside a sentence parts words."
    )

    @model_validator(mode="after")
    def _consistent(self) -> StopRuns:
        if self.max is not None and self.max < self.min:
            raise ValueError(f"max is {self.max}, but min is {self.min}; max must not be less than min")
        return self

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Stop lists that do not exist."""
        for problem, remedy in list_problems(self.stopwords):
            yield "stopwords", problem, remedy

    def limits(self, language: str) -> Iterator[str]:
        """Stop lists that are those of other languages."""
        yield from list_limits(self.stopwords, language)

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.stopwords)
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """All runs of an allowed length."""
        stop = stop_words(self.stopwords, document.language)
        allowed = token_class(annotations, self.tokens) & ~of_words(annotations, among(stop))
        if self.numbers == "boundary":
            allowed = allowed & of_words(annotations, has_letter)
        ends = run_ends(annotations, allowed, blank_lines=self.blank_lines == "boundary")
        last = np.flatnonzero(allowed & (ends == np.arange(1, len(ends) + 1)))
        # A run begins where the token before it has another end.
        first = np.flatnonzero(allowed & np.concatenate(([True], ends[1:] != ends[:-1]))[: len(ends)])
        places = zip(first.tolist(), (last + 1).tolist(), strict=True)
        most = self.max or len(annotations)
        return Candidates.build(document, annotations, [p for p in places if self.min <= p[1] - p[0] <= most])
