"""Metrics that are a ratio of counts: their names, and division that never fails."""

from __future__ import annotations

from kpframe.stages import Metric
from kpframe.stages.parts import changed

__all__ = ["RatioMetric", "ratio"]


class RatioMetric(Metric):
    """Gives a metric its name: kind, parameters that are not the default, cut-off.

    As `precision@5`, `precision(average=micro)@5` or `r_precision(empty=zero)`.
    """

    def label(self) -> str:
        """The short name; two metrics that can differ in value never share it."""
        pairs = [f"{name}={value}" for name, value in changed(self).items() if name != self.short]
        parameters = f"({','.join(pairs)})" if pairs else ""
        cutoff = f"@{getattr(self, self.short)}" if self.short else ""
        return f"{self.kind}{parameters}{cutoff}"


def ratio(part: float, whole: float) -> float:
    """`part` over `whole`, 0 where there is nothing to divide by."""
    return part / whole if whole else 0.0
