"""Whether every stage finds the layers that it reads, and none is made twice; no text is read for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kpframe.model import LAYERS
from kpframe.spec.values import Configuration
from kpframe.stages import Reader, Stage
from kpframe.stages.registry import kinds, lookup

__all__ = ["layers_made_twice", "missing_layers"]


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


def layers_made_twice(configuration: Configuration) -> Iterator[tuple[int, str, str]]:
    """Annotators that make a layer which one before them has made: (number of the later, problem, remedy).

    One of the two would be lost: tokens stay those of the first, other layers may be those of the last. An
    annotator that changes a layer on purpose reads it, and says so in `requires`.
    """
    makers: dict[str, str] = {}
    for number, step in enumerate(configuration.preprocessing):
        again = sorted((step.provides() - step.requires()) & makers.keys())
        if again:
            before = ", ".join(dict.fromkeys(makers[layer] for layer in again))
            noun = "layer" if len(again) == 1 else "layers"
            problem = f"{step.kind} makes the {noun} {', '.join(again)}, as {before} before it does"
            yield number, problem, "leave one of the two out"
        makers.update(dict.fromkeys(step.provides(), step.kind))


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
