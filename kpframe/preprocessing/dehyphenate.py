"""Words that a line end has broken, whole again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import Field

from kpframe.language import models as language_model
from kpframe.language.hyphenation import whole_words
from kpframe.model import Traced
from kpframe.stages import Cleaner

__all__ = ["Dehyphenate"]


class Dehyphenate(Cleaner):
    """Joins words broken at line ends ("capabili-⏎ties"), keeps real compounds ("price-⏎determining").

    The line break goes in both cases, all other line breaks stay. For each break the first of these
    rules that applies decides:

    1. a digit, a name, an acronym or a lone letter at the hyphen ("COVID-⏎19", "Smith-⏎Jones",
       "LGPL-⏎licensed", "e-⏎commerce"): the hyphen stays;
    2. one form, joined or hyphenated, is more frequent in the rest of the text: that form;
    3. the joined form is an English word: joined;
    4. both halves are words of the rest of the text, or English words: the hyphen stays;
    5. otherwise: joined.

    A hyphen that is written again on the next line ("palavras-⏎-chave", as in Portuguese) stays once.
    Before "and", "or" and the like nothing is changed ("pre-⏎and postprocessing"). Not in the paper.
    """

    source: ClassVar[str] = "Grefenstette and Tapanainen 1994, What is a word, what is a sentence?"

    english: bool = Field(
        True,
        description="Whether to look words up in the word list of the English model (rules 3 and 4); "
        "false: decide by the text alone.",
    )

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """Parameters, and the model whose word list is read."""
        return {**self.to_spec(), **({"model": language_model.identity("en")} if self.english else {})}

    def clean(self, text: str) -> str:
        """`text` with its broken words made whole."""
        return self.edit(Traced.of(text)).text

    def edit(self, text: Traced) -> Traced:
        """The same, with the way back."""
        return whole_words(text, english=self.english)
