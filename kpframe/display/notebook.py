"""How results show themselves in notebooks: HTML without script or style sheet, everything escaped.

Its classes keep MathJax from making a formula of "$5 and $10".

Colours are translucent over whatever is behind them and letters keep their own colour, so that light and
dark notebooks are both readable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from kpframe.display.marks import TIERS, excerpts, harmless, stretches, tier
from kpframe.display.sheets import IN_BRACKETS
from kpframe.errors import counted
from kpframe.model.keyphrases import Keyphrase

if TYPE_CHECKING:
    from kpframe.model.annotations import Annotations
    from kpframe.model.scores import Score
    from kpframe.model.summary import Cell, Summary

__all__ = ["annotations_html", "keyphrases_html", "scores_html", "summary_html"]

CHARACTERS = 4000
"""Of a longer text excerpts are shown."""

ROWS = 30
"""Of a longer list of keyphrases or tokens the first are shown."""

_COLOURS = ("255,170,0,.60", "255,200,0,.42", "60,170,255,.38", "130,130,130,.30")
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;max-width:60em;line-height:1.6;margin:.4em 0"
_CELL = "text-align:{};padding:.1em .7em;vertical-align:top"


def keyphrases_html(text: str, keyphrases: Sequence[Keyphrase], title: str, error: str | None = None) -> str:
    """The text with its keyphrases marked, a legend, and the keyphrases as a table, best first."""
    count = counted(len(keyphrases), "keyphrase")
    parts = [f"<p><b>{_shown(title)}</b> · {counted(len(text), 'character')} · {count}</p>"]
    if error is not None:
        parts.append(f"<p><b>failed:</b> {_shown(error)}</p>")
    if text:
        parts.append(f'<div dir="auto" style="{_TEXT}">{"".join(_marked(text, keyphrases))}</div>')
    if keyphrases:
        parts.append(f"<p>marked by rank: {_legend(keyphrases)}</p>")
        rows = [[str(k.rank), _phrase(k), f"{k.score:.4f}", str(len(k.spans))] for k in keyphrases[:ROWS]]
        parts.append(_table(["rank", "keyphrase", "score", "places"], rows, "rlrr"))
        parts += _rest(len(keyphrases), "keyphrases")
    return _framed(parts)


def annotations_html(annotations: Annotations) -> str:
    """How much there is of each layer, and the first tokens with all that is known of them."""
    layers = ", ".join(sorted(annotations.layers))
    counts = f"{counted(len(annotations), 'token')} in {counted(len(annotations.sentences), 'sentence')}"
    spans = [
        f"{len(found):,} {name}"
        for name, found in (("chunks", annotations.chunks), ("entities", annotations.entities))
        if found is not None
    ]
    parts = [f"<p><b>annotations</b> · {', '.join([counts, *spans])} · layers: {_shown(layers)}</p>"]
    columns = annotations.columns()
    rows = [
        list(map(_shown, map(str, row))) for row in zip(*(c[:ROWS] for c in columns.values()), strict=True)
    ]
    if rows:
        alignment = "".join("r" if name in ("begin", "end", "sentence") else "l" for name in columns)
        parts.append(_table(list(columns), rows, alignment))
        parts += _rest(len(annotations), "tokens")
    return _framed(parts)


def summary_html(summary: Summary) -> str:
    """The scores of all cells, published values in brackets, the best of a column bold; notes below it.

    Values that do not differ significantly from the best one have a ~ behind them, as in the terminal.
    """
    best = {column: _best(summary, column) for column in summary.columns}
    rows = [
        [_shown(cell.name), *(_entry(summary, cell, column, best[column]) for column in summary.columns)]
        for cell in summary.cells
    ]
    rows += [
        [f"{_shown(row.system)} (printed)", *(_printed(row.values.get(column)) for column in summary.columns)]
        for row in summary.printed
    ]
    heads = ["cell", *summary.columns]
    parts = [f"<p><b>{_shown(summary.name)}</b></p>", _table(heads, rows, "l" + "r" * len(summary.columns))]
    if summary.test and len(summary.cells) > 1:
        parts.append(f"<p>{_significance(summary, best)}</p>")
    if summary.reference_source:
        parts.append(f"<p>{IN_BRACKETS} ({_shown(summary.reference_source)}).</p>")
    if summary.printed:
        sources = "; ".join(dict.fromkeys(row.source for row in summary.printed))
        parts.append(f"<p>† printed in {_shown(sources)}: not computed here, and in no test.</p>")
    parts += [f"<p>{_shown(note)}</p>" for note in summary.notes]
    failed = len({failure.get("id") for failure in summary.failures})
    if failed:
        parts.append(f"<p><b>{failed} document{' has' if failed == 1 else 's have'} failed.</b></p>")
    recipes = {
        column: next((s.signature for cell in summary.cells if (s := cell.score(column))), "")
        for column in summary.columns
    }
    lines = "<br>".join(f"{_shown(column)}: {_shown(recipe)}" for column, recipe in recipes.items())
    if lines:
        parts.append(f"<details><summary>recipes (of the first cell)</summary>{lines}</details>")
    return _framed(parts)


def _printed(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}†"


def scores_html(scores: Sequence[Score]) -> str:
    """A row a score, with the recipe that made it."""
    rows = [
        [_shown(s.metric), _shown(s.matching), _value(s.value), str(s.documents), _shown(s.signature)]
        for s in scores
    ]
    return _framed([_table(["metric", "matching", "value", "documents", "signature"], rows, "llrrl")])


def _shown(text: str) -> str:
    return escape(harmless(text), quote=True)


def _framed(parts: Iterable[str]) -> str:
    return f'<div class="kpframe tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'


def _style(rank: int) -> str:
    return f"background:rgba({_COLOURS[tier(rank)]});color:inherit;border-radius:.2em;padding:0 .15em"


def _phrase(keyphrase: Keyphrase) -> str:
    return f'<bdi style="{_style(keyphrase.rank)}">{_shown(keyphrase.text)}</bdi>'


def _marked(text: str, keyphrases: Sequence[Keyphrase]) -> Iterator[str]:
    """The shown parts of the text, each run of marked characters with the ranks that it belongs to."""
    named = {k.rank: k.text for k in keyphrases}
    last = 0
    whole = stretches(text, keyphrases)
    for begin, end in excerpts(text, keyphrases, CHARACTERS):
        yield " […] " if begin > last else ""
        for run in whole:
            piece = text[max(run.begin, begin) : min(run.end, end)] if run.begin < end else ""
            if not piece or run.end <= begin:
                continue
            if run.ranks:
                says = "; ".join(f"{rank}: {named[rank]}" for rank in run.ranks)
                yield f'<mark title="{_shown(says)}" style="{_style(run.ranks[0])}">{_shown(piece)}</mark>'
            else:
                yield _shown(piece)
        last = end
    yield " […]" if last < len(text) else ""


def _legend(keyphrases: Sequence[Keyphrase]) -> str:
    there = sorted({tier(k.rank) for k in keyphrases})
    firsts = (1, 2, 4, 7)
    return " ".join(f'<span style="{_style(firsts[i])}">{TIERS[i]}</span>' for i in there)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], alignment: str) -> str:
    """A table of cells that are HTML already; `alignment` has l or r for each column."""
    styles = [_CELL.format("right" if side == "r" else "left") for side in alignment]
    head = "".join(
        f'<th scope="col" style="{style}">{_shown(name)}</th>'
        for name, style in zip(heads, styles, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{s}">{cell}</td>' for cell, s in zip(row, styles, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _rest(count: int, what: str) -> list[str]:
    return [f"<p>… and {count - ROWS:,} more {what}</p>"] if count > ROWS else []


def _best(summary: Summary, column: str) -> float | None:
    """The highest value of a column; None where nothing competes."""
    values = [value for cell in summary.cells if (value := cell.value(column)) is not None]
    return max(values) if len(values) > 1 and column not in summary.unranked else None


def _is_close(summary: Summary, cell: Cell, column: str, best: float | None) -> bool:
    """Whether a value that is not the best was tested against it and does not differ significantly."""
    return cell.p_values.get(column, 0.0) > summary.level and cell.value(column) != best


def _significance(summary: Summary, best: Mapping[str, float | None]) -> str:
    close = any(_is_close(summary, cell, column, best[column]) for cell in summary.cells for column in best)
    what = "~: not significantly different" if close else "All others differ significantly"
    return f"{what} from the best of the column ({_shown(summary.test)})."


def _entry(summary: Summary, cell: Cell, column: str, best: float | None) -> str:
    value = cell.value(column)
    shown = _value(value)
    shown = f"<b>{shown}</b>" if value is not None and value == best else shown
    shown += "~" if _is_close(summary, cell, column, best) else ""
    published = cell.reference.get(column)
    return shown if published is None else f"{shown} ({published:.3f})"


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
