"""From YAML to checked stages: strict loading, inheritance, grid expansion, resolution."""

from kpframe.spec.build import build, load_spec
from kpframe.spec.datasets import DataSets, load_specs
from kpframe.spec.schema import json_schema
from kpframe.spec.values import Configuration, Spec, Split

__all__ = [
    "Configuration",
    "DataSets",
    "Spec",
    "Split",
    "build",
    "json_schema",
    "load_spec",
    "load_specs",
]
