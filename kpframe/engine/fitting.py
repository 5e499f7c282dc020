"""Learning from documents: what a ranking must have seen before it can rank."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.identity import fit_key, model_identity
from kpframe.errors import KpframeError, StageError
from kpframe.files.atomic import open_named
from kpframe.spec import Configuration
from kpframe.stages import Ranking, Selection

__all__ = ["Fit", "learned_from"]


@dataclass(frozen=True)
class Fit:
    """One thing to be learned; configurations that would learn the same share it."""

    id: str
    ranking: Ranking
    selection: Selection
    preprocessing: Preprocessing

    @classmethod
    def of(cls, configuration: Configuration, preprocessing: Preprocessing) -> Fit | None:
        """What `configuration` must learn, or None if its ranking learns nothing."""
        ranking, selection = configuration.ranking, configuration.selection
        if not ranking.fits_on():
            return None
        identity = fit_key(ranking, selection, configuration.preprocessing)
        return cls(identity, ranking, selection, preprocessing)

    def wants(self, part: str) -> bool:
        """Whether to learn from the documents of a part (`train` or `test`)."""
        return part == "train" or self.ranking.fits_on() == "collection"

    def learn(self, observations: Iterable[Any]) -> Mapping[str, Any]:
        """The fitted state; StageError that names the ranking if nothing can be learned."""
        try:
            return self.ranking.fit(observations)
        except KpframeError as error:
            raise StageError(error.under(f"ranking {self.ranking.kind}").problems) from None


def learned_from(configuration: Configuration) -> dict[str, Any]:
    """What the state of a ranking depends on besides its documents; plain JSON values.

    Of preprocessing only what makes tokens is part of it: a model may well be applied to texts that need
    other cleaning, or with candidates that need more layers.
    """
    tokenizers = Preprocessing.of(configuration.preprocessing, frozenset()).annotators
    return model_identity(configuration.ranking, configuration.selection, tokenizers)


class ObservationFile:
    """Observations waiting on disk for their fit, so that memory does not grow with the corpus.

    The file is the run's own, written and read by one process, and removed with its work folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] = open_named(path, "wb")

    def add(self, observation: Any) -> None:
        """Append one observation."""
        pickle.dump(observation, self._file)

    def read(self) -> Iterator[Any]:
        """All observations, in the order in which they were added."""
        self._file.close()
        with self.path.open("rb") as file:
            while True:
                try:
                    yield pickle.load(file)
                except EOFError:
                    return
