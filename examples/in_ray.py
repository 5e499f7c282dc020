"""Keyphrases of a data set of Ray, by `map_batches`: a class holds the pipeline in each of its workers.

    python examples/in_ray.py

Needs `pip install 'ray[data]'`; without it it says so.
"""

from __future__ import annotations

from typing import Any

import kpframe as kp

ARTICLES = [
    {"id": "a", "text": "Approximate matching makes the evaluation of keyphrase extraction fair."},
    {"id": "b", "text": "Heat pumps in old buildings need careful planning. Heat pumps take heat from air."},
]


class Keyphrases:
    """Frames of pandas with `id` and `text` in, with keyphrases out; Ray makes one in each worker."""

    def __init__(self) -> None:
        self.pipeline = kp.Pipeline.load("any-language")

    def __call__(self, frame: Any) -> Any:
        """One batch."""
        return kp.extract_frame(frame, "text", id="id", wide=True, pipeline=self.pipeline, top=3)


def main() -> None:
    """Two texts through Ray on this machine."""
    try:
        import ray
    except ImportError:
        print("not run: Ray is not installed (pip install 'ray[data]')")
        return
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    found = ray.data.from_items(ARTICLES).map_batches(Keyphrases, batch_format="pandas", concurrency=1)
    for row in found.take_all():
        print(row["id"], list(row["keyphrases"]))
    ray.shutdown()


if __name__ == "__main__":
    main()
