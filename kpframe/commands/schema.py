"""`kpframe schema`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "print the JSON schema of specs, for editors"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing can be said to the command."""


@dataclass(frozen=True)
class Options:
    """Nothing was said to the command."""


def execute(options: Options) -> int:
    """Print the JSON schema of specs."""
    import json

    from kpframe.spec import json_schema

    print(json.dumps(json_schema(), indent=2, ensure_ascii=False))
    return 0
