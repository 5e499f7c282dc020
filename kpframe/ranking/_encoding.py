"""From features to what a classifier takes: bins, standard scores, one column for each name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kpframe.ranking._features import NOMINAL, Column
from kpframe.ranking._mdl import bins, cut_points

__all__ = ["bin_sizes", "binned", "encoded", "encoded_width", "learn_cuts", "learn_scales"]

Cuts = Mapping[str, Sequence[float]]
Scales = Mapping[str, Sequence[float]]


def learn_cuts(matrix: Column, labels: NDArray[np.int8], features: Sequence[str]) -> dict[str, list[float]]:
    """The cut points of each feature whose values are numbers."""
    columns = zip(features, matrix.T, strict=True)
    return {name: cut_points(column, labels) for name, column in columns if name not in NOMINAL}


def learn_scales(matrix: Column, features: Sequence[str]) -> dict[str, list[float]]:
    """Mean and standard deviation (1 if all are equal) of each feature whose values are numbers."""
    columns = zip(features, matrix.T, strict=True)
    return {
        name: [float(column.mean()), float(column.std()) or 1.0]
        for name, column in columns
        if name not in NOMINAL
    }


def bin_sizes(features: Sequence[str], cuts: Cuts) -> list[int]:
    """The number of bins of each feature."""
    return [NOMINAL[name] if name in NOMINAL else len(cuts[name]) + 1 for name in features]


def binned(matrix: Column, features: Sequence[str], cuts: Cuts) -> NDArray[np.int64]:
    """The bin of each value, shape (candidates, features); names are their own bins."""
    columns = zip(features, matrix.T, strict=True)
    return np.column_stack(
        [column.astype(np.int64) if name in NOMINAL else bins(column, cuts[name]) for name, column in columns]
    )


def encoded_width(features: Sequence[str]) -> int:
    """How many columns `encoded` makes."""
    return sum(NOMINAL.get(name, 1) for name in features)


def encoded(matrix: Column, features: Sequence[str], cuts: Cuts | None, scales: Scales) -> Column:
    """What scikit-learn takes: numbers of bins, or standard scores without `cuts`; names one-hot."""
    columns: list[Column] = []
    for name, column in zip(features, matrix.T, strict=True):
        if name in NOMINAL:
            columns.append(np.eye(NOMINAL[name])[column.astype(np.int64)])
        elif cuts is not None:
            columns.append(bins(column, cuts[name]).astype(np.float64)[:, np.newaxis])
        else:
            mean, deviation = scales[name]
            columns.append(((column - mean) / deviation)[:, np.newaxis])
    return np.hstack(columns)
