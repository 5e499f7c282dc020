"""The readable text of Markdown."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.language.markdown_text import traced_markdown
from kpframe.model import Traced
from kpframe.stages import Cleaner

__all__ = ["Markdown"]


class Markdown(Cleaner):
    """Takes the text out of Markdown: links and emphasis become their words, addresses and code fences go.

    Headings, list items and rows of tables become paragraphs of their own, so that no sentence and no
    phrase crosses them; a wrapped line stays one. Inline code becomes its text. HTML goes as in `html`: tags,
    comments, scripts and styles; entities are decoded, blocks are paragraphs. So does the front matter of a
    page (YAML, TOML), between two lines `---` or `+++` at the very beginning. Not in the paper.
    """

    source: ClassVar[str] = "CommonMark 0.31, sections 2 and 4 to 6; GitHub Flavored Markdown, tables"
    short: ClassVar[str] = "code"

    code: Literal["drop", "keep"] = Field(
        "drop", description="Fenced blocks of code: left out, or kept as text. Inline code is text."
    )

    def clean(self, text: str) -> str:
        """The text, in which every heading, item and row is parted by a blank line from the next."""
        return self.edit(Traced.of(text)).text

    def edit(self, text: Traced) -> Traced:
        """The same, with the way back."""
        return traced_markdown(text, code=self.code == "keep")
