"""A search for good parameters by evolution, one new individual at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Genes", "evolve"]

Genes = NDArray[np.float64]

_BIAS = 1.5
"""How much likelier the best is to be a parent than the one in the middle, 1 … 2."""


def evolve(
    fitness: Callable[[Genes], float], genes: int, *, trials: int, population: int, seed: int
) -> tuple[Genes, float]:
    """The best genes (shape (genes,), each in 0 … 1) of at most `trials` that were tried, and their fitness.

    The first `population` are random. Each of the others is a child of two, chosen the likelier the better
    they are; it has a stretch of the one's genes and the rest of the other's, some of them changed, the more
    the more its parents are alike; it takes the place of the worst. So the best are never lost. Of equally
    good ones the earlier is better.

    Source: Whitley 1989 (Genitor), with numbers in place of bits.
    """
    random = np.random.default_rng(seed)
    first = random.random((min(population, trials), genes))
    living = [(one, fitness(one)) for one in first]
    living.sort(key=lambda one: -one[1])
    for _ in range(trials - len(living)):
        mother, father = (living[_chosen(random, len(living))][0] for _ in range(2))
        child = _child(random, mother, father)
        fit = fitness(child)
        place = next((at for at, (_, other) in enumerate(living) if other < fit), len(living))
        living.insert(place, (child, fit))
        living.pop()
    return living[0]


def _chosen(random: np.random.Generator, count: int) -> int:
    """The index of a parent: linear ranking, by the inverse of its distribution function."""
    root = np.sqrt(_BIAS**2 - 4.0 * (_BIAS - 1.0) * random.random())
    return int(count * (_BIAS - root) / (2.0 * (_BIAS - 1.0)))


def _child(random: np.random.Generator, mother: Genes, father: Genes) -> Genes:
    begin, end = sorted(random.integers(0, len(mother) + 1, size=2).tolist())
    child = mother.copy()
    child[begin:end] = father[begin:end]
    alike = 1.0 - float(np.abs(mother - father).mean())
    changed = random.random(len(child)) < 0.3 * alike
    # Drawn for all genes, used or not, so that how many random numbers a trial takes is always the same.
    fresh, near = random.random(len(child)), random.normal(0.0, 0.1, len(child))
    anew = random.random(len(child)) < 0.5
    moved = np.where(anew, fresh, np.clip(child + near, 0.0, 1.0))
    return np.where(changed, moved, child)
