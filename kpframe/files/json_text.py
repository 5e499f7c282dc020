"""JSON that people hand in: whatever is wrong with it is a ValueError, in words that are not Python's."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["json_value"]


def json_value(text: str | bytes, **how: Any) -> Any:
    """As `json.loads`; ValueError too for what is nested too deeply and for a number with too many digits."""
    try:
        return json.loads(text, **how)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError as error:
        if "integer string conversion" in str(error):
            raise ValueError("a number has too many digits") from None
        raise
