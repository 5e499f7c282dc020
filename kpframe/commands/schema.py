"""`kpframe schema`."""

from __future__ import annotations

import json
from typing import Any

from kpframe.spec import json_schema

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Print the JSON schema of specs."""
    print(json.dumps(json_schema(), indent=2, ensure_ascii=False))
    return 0
