"""The vectors of tokens, which cost most of the time of a pass, by numpy's matrix products.

spaCy multiplies by a BLAS of its own that is built for any processor. The one that comes with numpy
takes two fifths of the time (`tests/benchmarks/choices.py`), but its last bits can depend on the shape of
the matrices and on the number of threads. So each text goes alone and with one thread: its vectors are the
same in every batch and every process. A model whose layers spaCy runs otherwise, as a transformer, is left as
it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["embedded"]


def embedded(component: Any, docs: Sequence[Doc]) -> list[Doc]:
    """`docs` with the vectors that an embedding component, as spaCy's tok2vec, gives their tokens."""
    with _numpy_products(component.model), _threads().limit(limits=1, user_api="blas"):
        return list(component.pipe(docs, batch_size=1))


@contextmanager
def _numpy_products(model: Any) -> Iterator[None]:
    """Let the layers of `model` that spaCy's BLAS would serve use numpy's."""
    from thinc.api import NumpyOps

    fast = NumpyOps(use_blis=False)
    served = [(node, node.ops) for node in model.walk() if type(node.ops) is NumpyOps and node.ops.use_blis]
    for node, _ in served:
        node.ops = fast
    try:
        yield
    finally:
        for node, ops in served:
            node.ops = ops


@cache
def _threads() -> Any:
    """The switch for the threads of the BLAS libraries of this process."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
