"""Stages that fail, or kill their process, for the documents whose text has a certain word."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

import kpframe
from kpframe.candidates.tokens import Tokens
from kpframe.errors import DataError
from kpframe.model import Annotations, Candidates, Document, Gold, Keyphrases, Skipped
from kpframe.ranking.frequency import Frequency
from kpframe.stages import Annotator, Cleaner, Postprocessor, Ranking, Reader, Selection

BAD = "poison"


def fail(text: str, way: str = "raise") -> None:
    """Nothing, unless the text has the word."""
    if BAD not in text:
        return
    if way == "exit":
        os._exit(3)
    if way == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise RuntimeError("cannot stand this text")


class PoisonedReader(Reader):
    """Skips one thing and, if asked, breaks down after it."""

    kind = "poisoned-reader"
    breaks: bool = Field(False, description="Whether to break down.")

    def read(self) -> Iterator[Document | Skipped]:
        yield Document("a", "alpha beta", gold=(Gold(("alpha",)),))
        yield Skipped("corpus:2", "is unreadable")
        if self.breaks:
            raise DataError.at("corpus:3", "is no document", "repair it")
        yield Document("b", "gamma delta", gold=(Gold(("gamma",)),))


class PoisonedCleaner(Cleaner):
    """Fails while cleaning."""

    kind = "poisoned-cleaner"

    def clean(self, text: str) -> str:
        fail(text)
        return text


class PoisonedAnnotator(Annotator):
    """Fails while annotating."""

    kind = "poisoned-annotator"
    whole: bool = Field(False, description="Whether the pass over a batch fails, not one document of it.")

    def requires(self) -> frozenset[str]:
        return frozenset({"tokens"})

    def provides(self) -> frozenset[str]:
        return frozenset({"tokens"})

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        fail(document.text)
        assert annotations is not None
        return annotations

    @classmethod
    def run(cls, together: Any, documents: Any, annotations: Any) -> Iterator[Annotations | Exception]:
        if together[0].whole:
            fail(" ".join(document.text for document in documents))
        yield from super().run(together, documents, annotations)


class PoisonedSelection(Selection):
    """Fails, or ends its process, while selecting."""

    kind = "poisoned-selection"
    way: Literal["raise", "exit", "kill"] = Field("raise", description="How it fails.")

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        fail(document.text, self.way)
        return Tokens().propose(document, annotations)


class PoisonedRanking(Ranking):
    """Fails while learning, or while ranking."""

    kind = "poisoned-ranking"
    learns: bool = Field(False, description="Whether it fails while learning.")

    def fits_on(self) -> Literal["", "collection"]:
        return "collection" if self.learns else ""

    def observe(self, candidates: Candidates) -> int:
        fail(candidates.document.text)
        return len(candidates)

    def fit(self, observations: Any) -> dict[str, Any]:
        return {"candidates": sum(observations)}

    def restore(self, state: Any) -> Frequency:
        return Frequency()

    def rank(self, candidates: Candidates) -> Keyphrases:
        fail(candidates.document.text)
        return Frequency().rank(candidates)


class Struck(Ranking):
    """Is struck from outside, as often as a file says, while it learns from or ranks the bad text.

    It keeps a diary of the documents that it has ranked.
    """

    kind = "struck"
    folder_of_files: str = Field("", description="Where the files are.")
    learns: bool = Field(False, description="Whether it is struck while learning.")
    way: Literal["kill", "memory"] = Field("kill", description="What happens.")

    def fits_on(self) -> Literal["", "collection"]:
        return "collection" if self.learns else ""

    def observe(self, candidates: Candidates) -> int:
        self.strike(candidates)
        return len(candidates)

    def fit(self, observations: Any) -> dict[str, Any]:
        return {"candidates": sum(observations)}

    def restore(self, state: Any) -> Struck:
        return self.model_copy(update={"learns": False})

    def rank(self, candidates: Candidates) -> Keyphrases:
        with (Path(self.folder_of_files) / "diary").open("a") as diary:
            diary.write(f"{candidates.document.id}\n")
        self.strike(candidates)
        return Frequency().rank(candidates)

    def strike(self, candidates: Candidates) -> None:
        strikes = Path(self.folder_of_files) / "strikes"
        left = int(strikes.read_text()) if strikes.exists() else 0
        if BAD not in candidates.document.text or left == 0:
            return
        strikes.write_text(str(left - 1))
        if self.way == "memory":
            raise MemoryError
        os.kill(os.getpid(), signal.SIGKILL)


class PoisonedPostprocessor(Postprocessor):
    """Fails after ranking."""

    kind = "poisoned-postprocessor"

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        fail(keyphrases.document.text)
        return keyphrases


STAGES = (
    PoisonedReader,
    PoisonedCleaner,
    PoisonedAnnotator,
    PoisonedSelection,
    PoisonedRanking,
    Struck,
    PoisonedPostprocessor,
)


def register() -> None:
    """Make the stages known in this process."""
    for cls in STAGES:
        kpframe.stage(cls)
