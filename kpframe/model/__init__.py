"""The values that flow along the chain; all immutable, all cheap to pickle."""

from kpframe.model.annotations import LAYERS, Annotations, IntArray
from kpframe.model.candidates import Candidates, Place
from kpframe.model.document import AUTO, Document, Gold, Skipped
from kpframe.model.keyphrases import Keyphrase, Keyphrases, Ranked
from kpframe.model.matches import MatchedDocuments, Matches, Phrase
from kpframe.model.scores import Score
from kpframe.model.traced import Traced

__all__ = [
    "AUTO",
    "LAYERS",
    "Annotations",
    "Candidates",
    "Document",
    "Gold",
    "IntArray",
    "Keyphrase",
    "Keyphrases",
    "MatchedDocuments",
    "Matches",
    "Phrase",
    "Place",
    "Ranked",
    "Score",
    "Skipped",
    "Traced",
]
