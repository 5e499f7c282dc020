"""Whether every stage finds the layers that it reads, told without reading any text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kpframe.model import LAYERS
from kpframe.spec.values import Configuration
from kpframe.stages import Reader, Stage
from kpframe.stages.registry import kinds, lookup

__all__ = ["missing_layers"]


def missing_layers(configuration: Configuration, reader: Reader | None) -> Iterator[tuple[str, str, str]]:
    """What stages need and nothing before them makes: (box, problem, remedy)."""
    made = set(reader.provides() if reader else ())
    if configuration.predictions is not None:
        # Their texts are cut by the rule for words alone: no annotator runs for phrases that are there.
        made = {"tokens", "sentences"}
    for step in configuration.preprocessing:
        missing = step.requires() - made
        if missing:
            problem = f"{step.kind} needs the layer {', '.join(sorted(missing))} before it"
            yield "preprocessing", problem, _remedy(missing)
        made |= step.provides()
    boxes: list[tuple[str, Stage, frozenset[str]]] = [
        ("candidates", configuration.selection, configuration.selection.requires() | {"tokens"}),
        ("ranking", configuration.ranking, configuration.ranking.requires()),
    ]
    boxes += [("postprocessing", stage, stage.requires()) for stage in configuration.postprocessing]
    for box, stage, needed in boxes:
        missing = needed - made
        if missing:
            problem = f"{stage.kind} needs the layer {', '.join(sorted(missing))}, which nothing makes"
            yield box, problem, _remedy(missing)


def _remedy(layers: Iterable[str]) -> str:
    """The annotators that make missing layers."""
    classes = [lookup("preprocessing", kind) for kind in kinds("preprocessing")]
    annotators = [cls() for cls in classes if not any(f.is_required() for f in cls.model_fields.values())]
    ordered = sorted(layers, key=[*LAYERS, *sorted(set(layers) - set(LAYERS))].index)
    makers = dict.fromkeys(
        " or ".join(annotator.kind for annotator in annotators if layer in annotator.provides())
        for layer in ordered
    )
    named = " and ".join(filter(None, makers))
    return f"add {named} to preprocessing" if named else "no annotator makes it"
