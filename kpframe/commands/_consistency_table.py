"""How consistent indexers and systems are, as a text of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from kpframe.analysis.consistency import Consistency, Row

__all__ = ["consistency_table"]


def consistency_table(name: str, made: Consistency) -> str:
    """The indexers, their mean, the best of them, and systems; with each other indexer in lines below."""
    return "\n".join(_lines(name, made))


def _lines(name: str, made: Consistency) -> Iterator[str]:
    yield f"{name}: consistency of {len(made.indexers)} indexers ({made.matching})"
    yield f"  {'':<22}{'terms a':>9} {'with the others, mean':>22} {'with all others':>22}"
    yield f"  {'':<22}{'document':>9} {'Rolling':>12}{'Hooper':>10} {'Rolling':>12}{'Hooper':>10}"
    yield from (_row(one) for one in made.indexers)
    if made.mean is not None:
        yield f"  {'mean over all pairs':<22}{'':>9} {made.mean[0]:>12.4f}{made.mean[1]:>10.4f}"
    if made.mean is not None and len(made.indexers) > 2:  # two have the same value
        best = max(made.indexers, key=lambda one: (one.mean or (0.0,))[0])
        yield f"  best indexer (a bound for systems, each indexer left out in turn): {best.name}"
    yield from (_row(one) for one in made.systems)
    for one in made.systems:
        shown = ", ".join(f"{other} {value[0]:.4f}" for other, value in one.each.items())
        yield from wrap(
            f"{one.name}, Rolling with each: {shown}", 80, initial_indent="  ", subsequent_indent="    "
        )


def _row(one: Row) -> str:
    phrases = "–" if one.phrases is None else f"{one.phrases:.2f}"
    cells = [
        f"{pair[0]:>12.4f}{pair[1]:>10.4f}" if pair else f"{'–':>12}{'–':>10}"
        for pair in (one.mean, one.union)
    ]
    return f"  {one.name[:21]:<22}{phrases:>9} {' '.join(cells)}"
