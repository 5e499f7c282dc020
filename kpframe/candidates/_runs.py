"""Where runs of tokens end: at tokens that may not stand in them, and at the borders of the text."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from kpframe.candidates._token_classes import BoolArray
from kpframe.model import Annotations

__all__ = ["run_ends"]

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def run_ends(annotations: Annotations, allowed: BoolArray, *, blank_lines: bool = True) -> NDArray[np.intp]:
    """For each token the end of the run of allowed tokens that it is in.

    No run reaches across the end of a sentence, nor, with `blank_lines`, across a blank line.
    """
    count = len(annotations)
    cut = np.ones(count + 1, dtype=np.bool_)
    cut[1:count] = ~(allowed[1:] & allowed[:-1])
    cut[annotations.sentences.ravel()] = True
    blank = [found.end() for found in _BLANK_LINE.finditer(annotations.text)] if blank_lines else []
    if blank:
        cut[np.searchsorted(annotations.begins, blank)] = True
    positions = np.where(cut[1:], np.arange(1, count + 1), count)
    ends: NDArray[np.intp] = np.minimum.accumulate(positions[::-1])[::-1]
    return ends
