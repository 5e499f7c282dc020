"""What every stage is: the base class of each box, the registry of kinds, stages as parameters of stages.

A stage of one's own derives from a base class named here. What a certain stage does belongs into its box.
"""

from kpframe.stages import wrong_parameters  # noqa: F401 (from it stages have the words for what is wrong)
from kpframe.stages.base import FOLDERS, PARTS, Stage
from kpframe.stages.evaluating import Counts, Matching, Metric, Report, Similarity
from kpframe.stages.extracting import (
    Annotator,
    Cleaner,
    Embedding,
    Postprocessor,
    Ranker,
    Ranking,
    Reader,
    Selection,
)
from kpframe.stages.predictions import Given, Predictions, Unselected

__all__ = [
    "FOLDERS",
    "PARTS",
    "Annotator",
    "Cleaner",
    "Counts",
    "Embedding",
    "Given",
    "Matching",
    "Metric",
    "Postprocessor",
    "Predictions",
    "Ranker",
    "Ranking",
    "Reader",
    "Report",
    "Selection",
    "Similarity",
    "Stage",
    "Unselected",
]
