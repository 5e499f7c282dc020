"""How a recommendation is told, and the spec that is written for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kpframe.analysis.known_results import Known, known
from kpframe.analysis.recommendation import FOLDS, Measured, Row
from kpframe.analysis.without_model import BY_RULES, TOKENS_BY_RULES, has_model
from kpframe.commands import counted
from kpframe.commands._compared import left_out
from kpframe.display.marks import harmless
from kpframe.language.models import MODELS, install_command

__all__ = ["as_markdown", "as_text", "choice", "known_lines", "known_text", "ready_spec"]

_SHOWN = ("r_precision/exact", "r_precision/approximate", "f1@5/exact", "f1@10/exact", "f1@10/approximate")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".removeprefix("0")


def _milliseconds(row: Row) -> str:
    return "–" if row.seconds is None else f"{1000 * row.seconds:.0f}"


def as_text(found: Measured) -> Iterator[str]:
    """The table of a corpus, the best first, and what it comes to."""
    columns = list(dict.fromkeys([found.column, *_SHOWN]))
    columns = [column for column in columns if column in found.best.scores]
    width = max(len(row.pipeline) for row in found.rows)
    lengths = f"{found.words:,} words (median), {found.gold:.1f} keyphrases"
    yield f"{found.name}: {counted(found.documents, 'document')} with gold, {lengths}"
    if found.empty:
        yield from left_out(found)
        yield "Nothing was measured: only gold keyphrases that stand in the text count, and there is none."
        return
    yield ""
    heads = [column.replace("approximate", "approx.") for column in columns]
    yield "  ".join(
        [f"{'pipeline':<{width}}", *(f"{head:>{max(7, len(head))}}" for head in heads), "   ms", "needs"]
    )
    for row in found.rows:
        cells = [
            f"{_number(row.scores[column]) + _mark(row, column):>{max(7, len(head))}}"
            for column, head in zip(columns, heads, strict=True)
        ]
        wanted = ", ".join(row.needs) or "nothing"
        yield "  ".join([f"{row.pipeline:<{width}}", *cells, f"{_milliseconds(row):>5}", wanted])
    yield "*: the best, or as good; ~: no significant difference from it (randomisation test, Holm, .05)"
    yield "ms: of CPU a document"
    yield from left_out(found)
    if found.learned:
        yield f"Those that need texts with gold were trained on the other documents, in {FOLDS} turns."
    else:
        yield "Too few documents for the pipelines that learn from gold (kea, classifier, …): not tried."
    if found.without_model:
        yield (
            f"{_no_model(found.without_model)}, so that those that need none were tried, on tokens by rules "
            f"({TOKENS_BY_RULES})."
        )
    yield ""
    yield from _verdict(found)


def _mark(row: Row, column: str) -> str:
    return "*" if column in row.best else "~" if column in row.tied else " "


def _verdict(found: Measured) -> Iterator[str]:
    best, column = found.best, found.column
    chosen, known = choice(found)
    where = counted(found.documents, "document")
    if found.undecided:
        yield (
            f"Undecided: {where} cannot tell {1 + len(found.alike)} of the {len(found.rows)} pipelines "
            f"apart. {best.pipeline} has {_number(best.scores[column])} here{_between(found)}."
        )
        yield f"Recommended until there is more gold: {chosen.pipeline} (needs {_wanted(chosen)}), {known}."
    else:
        score = _number(best.scores[column])
        yield f"Recommended: {best.pipeline} ({column} {score}{_between(found)}; needs {_wanted(best)})."
    yield from _alike(found, where)
    yield (
        "The best was chosen on these very documents, so that its score is a little too good. Other gold for "
        "the same texts (few keywords of authors, or many phrases of indexers) can turn the order round."
    )


def _alike(found: Measured, where: str) -> Iterator[str]:
    if not found.alike:
        yield "All others are significantly worse."
        return
    column, most = found.column, 8
    named = [f"{row.pipeline} {_number(row.scores[column])}" for row in found.alike[:most]]
    more = f" and {len(found.alike) - most} more" if len(found.alike) > most else ""
    yield f"No significant difference on {where}, which makes none its equal: {', '.join(named)}{more}."
    simpler = [row for row in found.alike if len(row.needs) < len(found.best.needs)]
    if simpler and not found.undecided:
        yield f"Of these {simpler[0].pipeline} needs less: {_wanted(simpler[0])}."


def _between(found: Measured) -> str:
    """How sure the score of the best is, and differences from it; nothing for a single document."""
    if found.interval is None or found.margin is None:
        return ""
    low, high = (_number(min(max(value, 0.0), 1.0)) for value in found.interval)
    return f", between {low} and {high}; its lead over another is known to ± {_number(found.margin)} (95 %)"


def choice(found: Measured) -> tuple[Row, str]:
    """The pipeline to go on with, and why: the best, or, if undecided, that which such texts are known by."""
    reason = "the best of them here"
    if not found.undecided:
        return found.best, reason
    if found.without_model:  # what is known of English texts says nothing of these
        chosen = [row for row in (found.best, *found.alike) if row.pipeline == BY_RULES]
        return (chosen[0], "which was made for texts without a model") if chosen else (found.best, reason)
    others = known([found.words])
    rank = {one.pipeline: place for place, one in enumerate(others.pipelines)}
    open_ones = [row for row in (found.best, *found.alike) if row.pipeline in rank]
    if not open_ones:
        return found.best, reason
    first = min(open_ones, key=lambda row: rank[row.pipeline])
    like = "about as long" if others.near else "that come nearest in length"
    return first, f"of these the best on texts {like} ({', '.join(others.corpora)})"


def _wanted(row: Row) -> str:
    return " and ".join(row.needs) or "nothing"


def as_markdown(found: Sequence[Measured]) -> str:
    """A table over corpora: R-precision approximate and exact and F1@10 of each pipeline, time and needs."""
    columns = ("r_precision/approximate", "r_precision/exact", "f1@10/exact")
    by_name = {measured.name: {row.pipeline: row for row in measured.rows} for measured in found}
    first = by_name[found[0].name]
    names = sorted(
        {name for rows in by_name.values() for name in rows}, key=lambda name: _mean_rank(name, found)
    )
    heads = " | ".join(f"{one.name} ({one.documents}; {one.words:,} words)" for one in found)
    lines = [f"| pipeline | {heads} | ms | needs |", f"|{'---|' * (3 + len(found))}"]
    for name in names:
        cells = []
        for one in found:
            row = by_name[one.name].get(name)
            cells.append("–" if row is None else " / ".join(_bold(row, column) for column in columns))
        times = "–".join(dict.fromkeys(_times(name, by_name)))
        wanted = ", ".join(first[name].needs) if name in first else "texts with gold"
        lines.append(f"| `{name}` | {' | '.join(cells)} | {times or '–'} | {wanted or 'nothing'} |")
    return "\n".join(lines) + "\n"


def _times(name: str, by_name: Mapping[str, Mapping[str, Row]]) -> list[str]:
    taken = [rows[name].seconds for rows in by_name.values() if name in rows]
    known = sorted(value for value in taken if value is not None)
    return [f"{1000 * value:.0f}" for value in (known[0], known[-1])] if known else []


def _bold(row: Row, column: str) -> str:
    text = _number(row.scores.get(column))
    return f"**{text}**" if column in row.best else f"{text}°" if column in row.tied else text


def _mean_rank(name: str, found: Sequence[Measured]) -> tuple[float, str]:
    ranks = []
    for one in found:
        order = [row.pipeline for row in one.rows]
        ranks.append(order.index(name) if name in order else len(order))
    return sum(ranks) / len(ranks), name


def _no_model(language: str) -> str:
    """That there is none, and how to have one if that is possible."""
    remedy = f" ({install_command(language)} brings it)" if language in MODELS else ""
    return f"No model for {language!r} is installed{remedy}"


def known_text(name: str, count: int, language: str, found: Known) -> Iterator[str]:
    """What is known for texts without gold, and how sure that is."""
    yield f"{name}: {counted(count, 'document')} without gold, {found.words:,} words (median)"
    yield "Nothing can be measured without gold keyphrases; this is what other texts say."
    yield from known_lines(language, found)


def known_lines(language: str, found: Known) -> Iterator[str]:
    """What other texts say of texts in `language`, where nothing was measured on them."""
    listed = ", ".join(
        f"{corpus} ({words:,} words, {gold:.0f} keyphrases)"
        for corpus, (words, gold) in found.corpora.items()
    )
    yield (
        f"Corpora with texts about as long: {listed}."
        if found.near
        else f"No corpus has such texts; the nearest: {listed}."
    )
    yield ""
    for one in found.pipelines[:8]:
        good = (
            f"among the best on {', '.join(one.good_on)}"
            if one.good_on
            else "significantly worse than the best"
        )
        yield f"{one.rank:5.1f}  {one.pipeline:<18} {good}; needs {' and '.join(one.needs) or 'nothing'}"
    yield f"(mean rank by {found.column}; pipelines that learn from gold are left out)"
    yield ""
    if has_model(language):
        yield f"Recommended: {found.pipelines[0].pipeline}. How sure: {_sureness(found)}"
    else:
        yield f"{_no_model(language)}, so that most of these cannot work."
        yield f"Recommended: {BY_RULES}, which needs none. How sure: not at all: it was not measured here."
    if language not in ("en", "und"):
        yield f"All of this was measured on English; of {language!r} nothing is known."
    yield (
        "What gold would be like matters more than length: few keywords of authors favour other pipelines "
        "than many phrases of indexers. Twenty texts with keyphrases of your own would tell: recommend again."
    )


def _sureness(found: Known) -> str:
    if found.sure:
        return "fairly: it is among the best on all of these corpora."
    if not found.near:
        return "not at all: no texts like these were measured."
    return (
        f"a guess: it is among the best on {len(found.pipelines[0].good_on)} of {len(found.corpora)} corpora."
    )


def ready_spec(
    pipeline: str,
    documents: Mapping[str, Any],
    needs: Sequence[str],
    why: str,
    file: str,
    *,
    by_rules: bool = False,
) -> str:
    """A spec that extends the pipeline, for `documents`; how to use it stands in its first lines.

    `by_rules`: with tokens that need no language model.
    """
    learns = any(need.startswith("texts") for need in needs)
    model = file.removesuffix(".yaml") + ".json"
    use = (
        [
            f"# Train it once: kpframe train {file} --out {model}",
            f"# Then: kpframe extract --pipeline {model} --input PATH",
        ]
        if learns
        else [f"# Use it: kpframe extract --pipeline {file} --input PATH"]
    )
    lines = [
        f"# {harmless(why, keep='')}",
        *(harmless(line, keep="") for line in use),
        f"extends: {pipeline}",
        "name: recommended",
        f"documents: {json.dumps(dict(documents), ensure_ascii=False)}",
        *([TOKENS_BY_RULES.replace("=", ": ")] if by_rules else []),
        *(["model: null", "split: null"] if learns else []),
    ]
    return "\n".join(lines) + "\n"
