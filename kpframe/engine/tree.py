"""The chains of all cells as a tree: what they have in common is one branch, and is computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from kpframe.engine.annotating import Preprocessing
from kpframe.stages import Postprocessor, Ranker, Ranking, Selection, Stage

__all__ = ["CellPlan", "Node", "Tree", "grown"]


@dataclass(frozen=True)
class CellPlan:
    """The chain of one cell. `fit` is the id of what its ranking has learned, empty if nothing is.

    `given`: the phrases are predictions of another program, and nothing is selected or ranked.
    """

    name: str
    preprocessing: Preprocessing
    selection: Selection
    ranking: Ranking
    fit: str
    postprocessing: tuple[Postprocessor, ...]
    given: bool = False


@dataclass
class Node:
    """A stage at one place of the chain, what comes after it, and the cells that end with it.

    `number` is that of the stage: equal post-processing steps have one number at all places, so that a
    step which meets the same list at two places is known to make the same of it. `box` is what the clock
    calls it, `stage` what failures call it. A node that is
    `given` has no selection before it: it finds its list among those of other programs.
    """

    work: Callable[..., Any]
    box: str
    stage: str
    number: int = 0
    given: bool = False
    children: list[Node] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)

    @property
    def ends(self) -> int:
        """How many cells end here or further on."""
        return len(self.cells) + sum(child.ends for child in self.children)


Tree = list[Node]
"""The selections that follow one preprocessing, each with all that follows it."""


def grown(cells: Iterable[CellPlan], ranker: Callable[[CellPlan], Ranker]) -> Mapping[Preprocessing, Tree]:
    """The tree of each distinct preprocessing; `ranker` tells what ranks for a cell."""
    trees: dict[Preprocessing, Tree] = {}
    nodes: dict[tuple[Any, ...], Node] = {}
    numbers: dict[Stage, int] = {}

    def below(siblings: list[Node], path: tuple[Any, ...], work: Callable[..., Any], stage: Stage) -> Node:
        if path not in nodes:
            number = numbers.setdefault(stage, len(numbers))
            nodes[path] = Node(work, stage.folder, f"{stage.folder} {stage.kind}", number)
            siblings.append(nodes[path])
        return nodes[path]

    for cell in cells:
        roots = trees.setdefault(cell.preprocessing, [])
        path: tuple[Any, ...] = (cell.preprocessing, cell.selection)
        if cell.given:
            path = (*path, cell.name)
            node = Node(itemgetter(cell.name), "predictions", "predictions", given=True)
            roots.append(node)
        else:
            node = below(roots, path, cell.selection.select, cell.selection)
            path = (*path, cell.ranking, cell.fit)
            node = below(node.children, path, ranker(cell).rank, cell.ranking)
        for step in cell.postprocessing:
            path = (*path, step)
            node = below(node.children, path, step.process, step)
        node.cells.append(cell.name)
    return trees
