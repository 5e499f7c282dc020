"""What the spaCy component adds to a model, and the page of a run to the run.

    python tests/benchmarks/integrations.py [--documents 300] [--repetitions 3]

All work on abstracts of Inspec. The component is measured beside `nlp.pipe` over the same texts, in the same
turns; the page beside the run of a grid of 16 systems whose annotations are not cached. Needs the corpora.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import spacy
from side_by_side import arguments, corpora, in_turn, ratio, seconds, table

from kpframe.engine.experiment import Experiment
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.page import render
from kpframe.language.models import module_name
from kpframe.model import Document
from kpframe.stages.registry import lookup

PIPELINES = ("textrank", "tfidf", "noun-phrases", "kea")


def abstracts(count: int) -> list[str]:
    """The texts of the first abstracts."""
    reader = lookup("documents", "hulth2003")(path=str(corpora() / "Hulth2003.tar.gz"))
    found = (item.text for item in reader.read() if isinstance(item, Document))  # type: ignore[attr-defined]
    return list(islice(found, count))


def components(texts: list[str], repetitions: int) -> list[tuple[str, str, str]]:
    """nlp alone against each component over what nlp made."""
    nlp = spacy.load(module_name("en"))
    docs = list(nlp.pipe(texts))
    blank = spacy.blank("en")
    works: dict[str, Callable[[], Any]] = {"nlp": lambda: list(nlp.pipe(texts))}
    for name in PIPELINES:
        component = blank.add_pipe("kpframe", name, config={"pipeline": name})
        blank.remove_pipe(name)
        works[name] = lambda component=component: [component(doc.copy()) for doc in docs]  # type: ignore[misc]
    works["copies"] = lambda: [doc.copy() for doc in docs]
    times = in_turn(works, repetitions)
    for name in PIPELINES:
        times[name] = [a - b for a, b in zip(times[name], times["copies"], strict=True)]
    return [(f"component {name} / nlp", ratio(times, name, "nlp"), "") for name in PIPELINES]


def page(count: int) -> list[tuple[str, str, str]]:
    """A cold run of the grid, and its page."""
    experiment = Experiment.load("zesch2009-inspec", data=corpora())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options: dict[str, Any] = {"out": folder / "run", "cache": folder / "cache", "limit": count}
        run = seconds(lambda: experiment.run(**options))
        made: list[str] = []
        whole = seconds(lambda: made.append(render(collect([folder / "run"]))))
    size = len(made[0].encode()) / 1e6
    return [
        ("page / cold run of 16 systems", f"{whole / run:.2f}", ""),
        ("size of the page", f"{size:.1f} MB", "target ≤ 15 MB"),
    ]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", documents=300)
    texts = abstracts(options.documents)
    rows = [*components(texts, options.repetitions), *page(options.documents)]
    table(f"integrations and page: {len(texts)} abstracts, {options.repetitions} turns", rows)


if __name__ == "__main__":
    main()
