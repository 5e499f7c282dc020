"""What can be done for texts in a language that no installed model serves: pipelines over tokens by rules."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from kpframe.language.models import is_installed
from kpframe.spec import load_spec
from kpframe.spec.load import load_tree

__all__ = ["BY_RULES", "TOKENS_BY_RULES", "has_model", "settings_without_model"]

BY_RULES = "any-language"
"""The shipped pipeline that needs no model."""

TOKENS_BY_RULES = "preprocessing=[simple]"
"""The setting by which a pipeline that reads nothing but tokens and sentences needs no model."""

_OF_A_SYSTEM = ("candidates", "ranking", "postprocessing")
_BY_TOKENS = frozenset({"tokens", "sentences"})


def has_model(language: str) -> bool:
    """Whether an installed model serves texts in `language`."""
    return is_installed(language)


def settings_without_model(grid: str, more: Collection[str] = ()) -> list[str]:
    """Settings that leave of a shipped grid the systems that need no language model.

    `more` are shipped pipelines that stand beside them.
    """
    configurations = load_spec(grid, purpose="extract").configurations
    able = {one.name for one in configurations if one.required() <= _BY_TOKENS}
    written: Mapping[str, Any] = load_tree(grid)[0]["systems"]
    systems = {
        name: {box: value for box, value in system.items() if box in _OF_A_SYSTEM}
        for name, system in written.items()
        if name in able
    }
    for name in more:
        tree = load_tree(name)[0]
        systems[name] = {box: tree[box] for box in _OF_A_SYSTEM}
    return [TOKENS_BY_RULES, f"systems={json.dumps(systems, ensure_ascii=False)}"]
