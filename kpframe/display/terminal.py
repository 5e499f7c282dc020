"""Keyphrases marked in their text, for terminals that have colours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from kpframe.display.marks import TIERS, excerpts, harmless, stretches, tier
from kpframe.model import Keyphrase

__all__ = ["marked"]

_STYLES = ("bold black on yellow", "black on yellow", "black on cyan", "underline")
"""By tier of rank. Both colours are named, so that any theme of the terminal is readable."""

_LINES = 14
"""Of a longer text excerpts are shown that fill about as many lines."""

_PARAGRAPH = re.compile(r"[^\S\n]*\n[^\S\n]*\n\s*")


def marked(text: str, keyphrases: Sequence[Keyphrase], screen: Console, heading: str = "") -> str:
    """What a terminal shows of a document: its text with the keyphrases marked, and their list.

    The text is wrapped anew to the width of the screen, and shortened to excerpts if it is long. No
    control character of the text or of a keyphrase reaches the screen.
    """
    with screen.capture() as captured:
        if heading:
            screen.print(Text(harmless(f"# {heading}", keep=""), style="bold"))
        if text.strip():
            screen.print(_flowing(text, keyphrases, screen.width))
            screen.print()
        for line in _listed(keyphrases, screen.width):
            screen.print(line)
    return captured.get()


def _flowing(text: str, keyphrases: Sequence[Keyphrase], width: int) -> Text:
    """The shown parts of the text, white space squeezed, stretches in the style of their best rank."""
    shown = Text()
    whole = stretches(text, keyphrases)
    parts = excerpts(text, keyphrases, max(_LINES * width, 400))
    last = 0
    for begin, end in parts:
        if begin > last:
            shown.append(" […] ", style="dim")
        for run in whole:
            piece = text[max(run.begin, begin) : min(run.end, end)]
            if run.begin < end and run.end > begin:
                style = _STYLES[tier(run.ranks[0])] if run.ranks else ""
                shown.append(_squeezed(piece, shown.plain[-1:]), style=style)
        last = end
    shown.rstrip()
    if last < len(text):
        shown.append(" […]", style="dim")
    if parts != [(0, len(text))]:
        shown.append(f" ({len(text):,} characters in all)", style="dim")
    return shown


def _squeezed(piece: str, before: str) -> str:
    """Paragraphs stay, all other white space is one space; `before` is the character that goes before."""
    paragraphs = (" ".join(re.split(r"\s+", part)) for part in _PARAGRAPH.split(piece))
    squeezed = harmless("\n".join(paragraphs))
    return squeezed.lstrip() if before in ("", " ", "\n") else squeezed


def _listed(keyphrases: Sequence[Keyphrase], width: int) -> Iterator[Text]:
    """A keyphrase a line: rank in its colour, score, phrase, and in how many places it stands."""
    for keyphrase in keyphrases:
        style = _STYLES[tier(keyphrase.rank)]
        line = Text(overflow="fold")
        line.append(f"{keyphrase.rank:>3} ", style=style)
        line.append(f" {keyphrase.score:.4f}  {harmless(keyphrase.text, keep='')}")
        if len(keyphrase.spans) > 1:
            line.append(f" ×{len(keyphrase.spans)}", style="dim")
        yield line
    there = sorted({tier(keyphrase.rank) for keyphrase in keyphrases})
    if there:
        legend = Text("marked by rank:", style="dim")
        for i in there:
            legend.append(" ")
            legend.append(f" {TIERS[i]} ", style=f"not dim {_STYLES[i]}")
        yield legend if cell_len(legend.plain) <= width else Text()
