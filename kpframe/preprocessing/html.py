"""The readable text of HTML."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.language.html_text import traced_html
from kpframe.model import Traced
from kpframe.stages import Cleaner

__all__ = ["Html"]


class Html(Cleaner):
    """Takes the text out of HTML: no tags, comments, scripts and styles; entities decoded.

    The white space of the source is one space, as in a browser (but for `pre`). `br` becomes a line
    break; other block elements, list items and table cells become blank lines, so that no sentence
    and no phrase crosses them. Broken HTML is read as browsers read it. Where a page says by `main` or
    `article` what its content is, navigation, headers, footers, asides and forms around it are no text. Not
    in the paper.
    """

    source: ClassVar[str] = "HTML Living Standard, sections 4 and 13.2"

    whole: bool = Field(
        False, description="true: with the navigation, headers, footers, asides and forms of a page."
    )

    def clean(self, text: str) -> str:
        """The text of an HTML fragment or page, without white space at its ends."""
        return self.edit(Traced.of(text)).text

    def edit(self, text: Traced) -> Traced:
        """The same, with the way back."""
        return traced_html(text, whole=self.whole)
