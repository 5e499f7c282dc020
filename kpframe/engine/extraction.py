"""The keyphrases of one document, as callers get them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kpframe import arguments
from kpframe.errors import counted
from kpframe.language.codes import DEFAULT
from kpframe.model import AUTO, Keyphrase

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Extraction"]

_SHOWN = 5
"""Keyphrases that stand in the short form of a result."""


class Extraction(list[Keyphrase]):
    """The keyphrases of one document, best first: a list with a little more.

    `id` identifies the document, `characters` is the number of characters that were used (all of
    them), `text` the text as it was given, which spans refer to, `language` the code of the language that
    it was taken to be in, and `error` says why a document has no result (None: it has).
    """

    def __init__(
        self,
        id: str,
        text: str,
        keyphrases: Iterable[Keyphrase] = (),
        error: str | None = None,
        language: str = AUTO,
    ) -> None:
        remedy = "give a list of kpframe.Keyphrase"
        super().__init__(
            arguments.items("Extraction", "keyphrases", keyphrases, of="keyphrases", remedy=remedy)
        )
        arguments.word("Extraction", "text", text, example="Dock workers strike.")
        self.id = id
        self.text = text
        self.language = language
        self.characters = len(text)
        self.error = error

    def __repr__(self) -> str:
        shown = ", ".join(repr(one.text) for one in self[:_SHOWN])
        more = ", …" if len(self) > _SHOWN else ""
        found = counted(len(self), "keyphrase")
        result = f"{found}: {shown}{more}" if self else found
        return f"<Extraction {self.id!r}: {result if self.error is None else f'failed: {self.error}'}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values: id, language unless it is English, number of characters, keyphrases, and an error."""
        found = {
            "id": self.id,
            **({} if self.language in (AUTO, DEFAULT) else {"language": self.language}),
            "characters": self.characters,
            "keyphrases": [keyphrase.to_json() for keyphrase in self],
        }
        return found if self.error is None else {**found, "error": self.error}

    def to_pandas(self) -> pd.DataFrame:
        """A row a keyphrase; see `kpframe.display.frames`. ResourceError if pandas is not installed."""
        from kpframe.display.frames import keyphrases_frame

        return keyphrases_frame(self.id, self)

    def _repr_html_(self) -> str:
        from kpframe.display.notebook import keyphrases_html

        return keyphrases_html(self.text, self, self.id, self.error)
