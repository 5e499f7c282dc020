"""Rank candidates by their place in the graph of co-occurrences."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.errors import StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking import _centrality
from kpframe.ranking._graph import Graph, Weights, cooccurrence_graph
from kpframe.ranking._pagerank import pagerank
from kpframe.stages import Ranking

__all__ = ["Cooccurrence"]

_MOST_WORK = {"closeness": 500_000_000, "betweenness": 20_000_000}
"""Nodes × edges from which on a measure by shortest paths takes too long for a single text."""

_DECIMALS = 12
"""Scores that agree so far are equal, and nodes alike are ordered by their place in the text."""


class Cooccurrence(Ranking):
    """Centrality of candidates in an undirected graph of their co-occurrences, as in TextRank.

    A candidate is linked to the units before it inside a window; the weight of a link is how often
    the two met. `units: candidates` counts the window along the candidates, skipping everything
    between them, which is how the paper's framework builds its graph from selected candidates;
    `units: text` counts every token. Occurrences that overlap never meet (a phrase does not
    co-occur with its own parts); candidates of several tokens are at distance 1 if the one begins
    at the first unit after the other's end. A candidate never links to itself.

    Differs from the paper's program: sentence ends are not crossed unless asked, every occurrence
    counts, and PageRank is normalised to the sum 1. The time of `betweenness` and `closeness` grows
    with nodes × edges, so texts beyond `max_work` are refused: n-grams of 1000 words have 16 million.
    """

    source: ClassVar[str] = "Mihalcea & Tarau 2004, section 3; Zesch & Gurevych 2009, section 3"

    window: int = Field(
        2, ge=2, description="Units in the window: a candidate is linked to the window - 1 units before it."
    )
    units: Literal["candidates", "text"] = Field(
        "candidates", description="What the window counts: candidates alone, or all tokens of the text."
    )
    cross_sentences: bool = Field(False, description="Whether the window reaches over the end of a sentence.")
    weighted: bool = Field(True, description="Whether links weigh as often as their ends met, or all 1.")
    measure: Literal["pagerank", "degree", "betweenness", "closeness", "eigenvector", "hits"] = Field(
        "pagerank", description="The centrality that is the score."
    )
    damping: float = Field(
        0.85, gt=0.0, le=0.999, description="Probability of following a link in PageRank, 0 … 0.999."
    )
    max_work: int | None = Field(
        None,
        ge=1,
        description="Most nodes × edges of a graph for closeness and betweenness, beyond which a text is an "
        "error; null: 500 million for closeness (about 30 s), 20 million for betweenness (about a minute).",
    )

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by centrality, best first."""
        graph = cooccurrence_graph(
            candidates, window=self.window, units=self.units, cross_sentences=self.cross_sentences
        )
        self._refuse_too_much(graph, candidates)
        scores = self._scores(graph if self.weighted else graph.unweighted())
        return Keyphrases.ranked(candidates, scores.round(_DECIMALS).tolist())

    def _refuse_too_much(self, graph: Graph, candidates: Candidates) -> None:
        """Raise StageError for a graph whose shortest paths would take minutes."""
        limit = _MOST_WORK.get(self.measure)
        work = graph.nodes * len(graph.weights)
        if limit is None or work <= (self.max_work or limit):
            return
        raise StageError.at(
            f"document {candidates.document.id!r}, ranking: {self.kind}",
            f"{self.measure} of {graph.nodes:,} nodes with {len(graph.weights):,} edges takes {work:,} steps",
            "use measure: pagerank or degree, set candidates.first_within, or raise ranking.max_work",
        )

    def _scores(self, graph: Graph) -> Weights:
        match self.measure:
            case "pagerank":
                return pagerank(graph, damping=self.damping)
            case "degree":
                return _centrality.degree(graph)
            case "betweenness":
                return _centrality.betweenness(graph)
            case "closeness":
                return _centrality.closeness(graph)
            case "eigenvector":
                return _centrality.eigenvector(graph)
            case "hits":
                return _centrality.hits(graph)
