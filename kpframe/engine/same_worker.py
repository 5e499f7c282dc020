"""Whether a worker elsewhere is what this process is: versions, code, language models."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from kpframe.engine.identity import Ingredients
from kpframe.engine.source_code import foreign_code
from kpframe.files.sealing import digest
from kpframe.language.models import MODELS

__all__ = ["differences", "made_of"]


@cache
def _own() -> Mapping[str, str]:
    record = Ingredients((), tuple(MODELS)).record()
    flat = {"kpframe": str(record["kpframe"]), "code of kpframe": record["code"], "Python": record["python"]}
    flat |= {"platform": record["platform"], "resources": digest(record["resources"])}
    flat |= {name: version or "not installed" for name, version in record["packages"].items()}
    return flat | {f"language model {code}": found for code, found in record["language_models"].items()}


def made_of(foreign: Iterable[str]) -> dict[str, str]:
    """What results of this process come from, by name; `foreign` are stages from elsewhere that are used.

    They stand as `module:class`.
    """
    return {**_own(), **{f"stage {name}": _code(name) for name in foreign}}


def _code(name: str) -> str:
    module, _, qualified = name.partition(":")
    try:
        found: Any = sys.modules.get(module) or importlib.import_module(module)
        for part in qualified.split("."):
            found = getattr(found, part)
        code = foreign_code(found)
    except Exception as error:  # whatever its import says
        return f"cannot be imported ({error})"
    return "" if code is None else code.checksum


def differences(mine: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """What is not the same, as `numpy: 2.1.0 here, 2.0.2 there`; empty where all is."""
    names = dict.fromkeys([*mine, *theirs])
    pairs = ((name, mine.get(name, "nothing"), theirs.get(name, "nothing")) for name in names)
    return [f"{name}: {here} here, {there} there" for name, here, there in pairs if here != there]
