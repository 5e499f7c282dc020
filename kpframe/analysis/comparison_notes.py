"""What must be said beside the numbers of a comparison: the test, its power, what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from kpframe.evaluation.comparison_values import Comparison
from kpframe.files.escaping import one_line

__all__ = ["notes", "rounded", "same_documents", "title"]

_TESTS = {
    "randomisation": "randomisation test",
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "bootstrap": "paired bootstrap test",
}
_CORRECTIONS = {
    "none": "none",
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini and Hochberg",
}
_TRUSTED = 30
"""Documents from which on the mean of skewed values is taken for normal, as textbooks say."""

_INTERVALS = {"t": "Student's t", "bootstrap": "bootstrap percentiles"}


def rounded(value: float | None) -> str:
    """A score as it is printed."""
    return "-" if value is None else f"{value:.4f}"


def title(comparison: Comparison) -> str:
    """The column, and what is compared to what."""
    count = len(comparison.systems)
    if comparison.choice == "all pairs":
        what = f"all pairs of {count} systems"
    elif len(comparison.baselines) == 1:
        best = "the best of them, " if comparison.choice == "best" else ""
        what = f"{count} systems, against {best}{one_line(comparison.baselines[0])}"
    else:
        what = f"{count} systems, against {len(comparison.baselines)} baselines"
    return f"{one_line(comparison.column)}: {what}"


def notes(comparison: Comparison, mark: str) -> Iterator[str]:
    """The lines below a table."""
    yield f"{mark} significantly different from the baseline (corrected p at most {comparison.level:g})"
    yield from _method(comparison)
    if comparison.choice == "best":
        yield "The baseline was chosen as the best by the same scores, which flatters it."
    methods = dict.fromkeys(c.interval.method for c in comparison.contrasts if c.interval)
    for method in methods:
        yield f"Intervals are of the difference, by {_INTERVALS[method]}, and not corrected."
    if methods and min(c.documents for c in comparison.contrasts) < _TRUSTED:
        yield f"Intervals over fewer than {_TRUSTED} documents are not to be trusted."
    yield from _power(comparison)
    yield from _left_out(comparison)


def same_documents(comparison: Comparison) -> bool:
    """Whether all contrasts are on equally many documents."""
    return len({contrast.documents for contrast in comparison.contrasts}) == 1


def _method(comparison: Comparison) -> Iterator[str]:
    test = _TESTS[comparison.test]
    if comparison.draws:
        test += f", {comparison.draws:,} draws, seed {comparison.seed}"
    if comparison.zeros:
        test += f", zero differences: {comparison.zeros}"
    yield f"Test: {test}"
    count = _counted(len(comparison.contrasts), "comparison")
    yield f"Correction of p for {count}: {_CORRECTIONS[comparison.correction]}"


def _power(comparison: Comparison) -> Iterator[str]:
    used = _range([contrast.documents for contrast in comparison.contrasts], "{}")
    yield f"{used} of {_counted(comparison.documents, 'document')} compared"
    if not same_documents(comparison):
        yield "Each line is of its own documents, and so is the baseline's score within its difference."
    found = [c.detectable for c in comparison.contrasts if c.detectable is not None]
    if found:
        yield f"A single test would detect a difference of {_range(found, '{:.4f}')} (power 0.8)"
    blind = [c for c in comparison.contrasts if c.detectable is None and c.wins + c.losses]
    if blind:
        which = "" if len(blind) == len(comparison.contrasts) else f"In {len(blind)} of the comparisons "
        few = _range([contrast.documents for contrast in blind], "{}")
        are = "document is" if few == "1" else "documents are"
        told = f"{which}a single test would detect no difference, however great: {few} {are} too few"
        yield f"{told[:1].upper()}{told[1:]} (power 0.8)"


def _range(values: list[float] | list[int], form: str) -> str:
    low, high = form.format(min(values)), form.format(max(values))
    return low if low == high else f"{low} to {high}"


def _left_out(comparison: Comparison) -> Iterator[str]:
    omitted = comparison.omissions
    for number, what in (
        (omitted.missing, "not in every system"),
        (omitted.failed, "failed in some system"),
        (omitted.uncounted, "in no average of some system (as without gold keyphrases)"),
        (omitted.unequal_gold, "with other gold keyphrases in some system, compared all the same"),
    ):
        if number:
            yield f"{_counted(number, 'document')} {what}"
    unscored = [one_line(system) for system, score in comparison.systems if score is None]
    if unscored:
        yield f"Without a score, and not compared: {', '.join(unscored)}"
    if omitted.unfinished:
        yield f"Not finished, and not compared: {', '.join(map(one_line, omitted.unfinished))}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
