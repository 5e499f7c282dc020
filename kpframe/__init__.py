"""kpframe: keyphrase extraction and its evaluation as one chain of composable stages.

The names below are all that most programs need; they are loaded when first used, so that
`import kpframe` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kpframe.version import __version__

if TYPE_CHECKING:
    from kpframe.engine.experiment import Experiment
    from kpframe.engine.extraction import Extraction
    from kpframe.engine.pipeline import Pipeline
    from kpframe.engine.study import Study
    from kpframe.errors import DataError, KpframeError, ResourceError, SpecError, StageError
    from kpframe.evaluation.scoring import score
    from kpframe.integrations.frames import extract_frame
    from kpframe.model import Document, Gold, Keyphrase
    from kpframe.stages.registry import stage

_HOMES = {
    "DataError": "kpframe.errors",
    "Document": "kpframe.model",
    "Experiment": "kpframe.engine.experiment",
    "Extraction": "kpframe.engine.extraction",
    "Gold": "kpframe.model",
    "Keyphrase": "kpframe.model",
    "KpframeError": "kpframe.errors",
    "Pipeline": "kpframe.engine.pipeline",
    "ResourceError": "kpframe.errors",
    "SpecError": "kpframe.errors",
    "StageError": "kpframe.errors",
    "Study": "kpframe.engine.study",
    "extract_frame": "kpframe.integrations.frames",
    "score": "kpframe.evaluation.scoring",
    "stage": "kpframe.stages.registry",
}

__all__ = [
    "DataError",
    "Document",
    "Experiment",
    "Extraction",
    "Gold",
    "Keyphrase",
    "KpframeError",
    "Pipeline",
    "ResourceError",
    "SpecError",
    "StageError",
    "Study",
    "__version__",
    "extract_frame",
    "score",
    "stage",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'kpframe' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
