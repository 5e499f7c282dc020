"""Predictions of other programs, which stand in a chain where candidates and ranking stand otherwise.

They are no kinds of a box: a spec says `predictions:` in place of both, and only the engine makes these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from kpframe.errors import KpframeError, StageError
from kpframe.files.urls import is_file
from kpframe.model import Annotations, Candidates, Document, Keyphrases
from kpframe.stages.base import Stage
from kpframe.stages.extracting import Ranking, Selection

__all__ = ["UNSELECTED", "Given", "Predictions", "Unselected"]


class Predictions(Stage):
    """A file with what another program predicted, paired with the documents by their ids.

    The formats are those of `kpframe score`. Scores in 0 … 1 are read as confidences by metrics of
    calibration; phrases without scores get minus their rank.
    """

    folder: ClassVar[str] = "systems"
    short: ClassVar[str] = "path"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(
        description="The file: JSON lines, tab-separated lines, .pred, a trec_eval run, .gz, or .xmi; or a "
        "folder with UIMA's files (.xmi, .json)."
    )
    missing: Literal["refuse", "empty", "skip"] = Field(
        "refuse",
        description="Evaluated documents that are not in the file: refuse to run; empty: nothing was "
        "predicted for them; skip: they are evaluated for no system.",
    )
    better: Literal["higher", "lower"] | None = Field(
        None,
        description="Which scores are better; null: higher ones, and lists that all rise are refused, as "
        "they look as if lower were meant (YAKE).",
    )
    under: str | None = Field(
        None,
        description="The key of a line's object that has the phrases, where they stand deeper; of UIMA's "
        "files that have several systems, the system.",
    )

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing file, or a folder without UIMA's files."""
        path = Path(self.path)
        if path.is_dir():
            if not any(file.suffix in (".xmi", ".json") for file in path.iterdir()):
                yield "path", f"{self.path} is a folder without .xmi or .json files", "name a file in it"
        elif not is_file(self.path):
            yield "path", f"there is no file {self.path}", "check the path"

    def to_spec(self) -> dict[str, Any]:
        """All parameters, as plain values."""
        return self.model_dump(mode="json", exclude_none=True)


class Unselected(Selection):
    """Selects nothing: the phrases are given."""

    kind: ClassVar[str] = "predictions"

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """StageError: there is nothing to select."""
        raise _nothing_to("select candidates")


UNSELECTED = Unselected.model_validate({})


class Given(Ranking):
    """Ranks nothing: the order is given. Scores may be confidences."""

    kind: ClassVar[str] = "predictions"
    probability: ClassVar[bool] = True

    def rank(self, candidates: Candidates) -> Keyphrases:
        """StageError: there is nothing to rank."""
        raise _nothing_to("rank")


def _nothing_to(do: str) -> KpframeError:
    return StageError.at("predictions", f"are given, there is nothing to {do}", "name a chain of stages")
