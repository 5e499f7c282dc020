"""Whether a worker is what this process is: versions, language models, code; on one machine only the code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, cast

from kpframe.engine.executors import UnlikeWorker
from kpframe.engine.identity import Ingredients
from kpframe.engine.source_code import ForeignCode, foreign_code
from kpframe.files.sealing import digest
from kpframe.language.models import MODELS

__all__ = ["code_of", "differences", "import_same_code", "made_of"]

_imported: set[str] = set()
"""The stages whose code was compared here when it was imported: what is edited later is not imported."""


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
    try:
        code = foreign_code(_named(name))
    except Exception as error:  # whatever its import says
        return f"cannot be imported ({error})"
    return "" if code is None else code.checksum


def _named(name: str) -> type:
    module, _, qualified = name.partition(":")
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    return cast(type, found)


def code_of(classes: Iterable[type]) -> dict[str, ForeignCode]:
    """The code of those that are from elsewhere, as keys have it, by `module:class`."""
    found = {f"{cls.__module__}:{cls.__qualname__}": foreign_code(cls) for cls in classes}
    return {name: code for name, code in found.items() if code is not None and code.content}


def import_same_code(wanted: Mapping[str, ForeignCode]) -> None:
    """Import the stages that another process uses, when this one does not have them yet.

    Raises UnlikeWorker, with the module, where they would be made of other code than there.
    """
    for name, code in wanted.items():
        if name in _imported:
            continue
        module = name.partition(":")[0]
        try:
            found = foreign_code(_named(name))
        except Exception as error:  # whatever its import says
            problem = f"cannot be imported by a worker ({type(error).__name__}: {error})"
            raise UnlikeWorker.at(f"module {module}", problem, _PUT_BACK) from None
        if not _is_same(code, found):
            problem = (
                "it, or what it imports, has changed while the run was under way, or the program has set "
                "something in it that a worker, which imports it anew, does not have"
            )
            raise UnlikeWorker.at(f"module {module}", problem, f"{_PUT_BACK}, or use one worker")
        _imported.add(name)


_PUT_BACK = "run it again; put back as it was, it goes on where it is"


def _is_same(there: ForeignCode, here: ForeignCode | None) -> bool:
    """Whether a key that was made there is true here.

    Files that changed after that process began have a checksum of their own; so have those that changed
    after this one did, of which nobody knows what was imported.
    """
    if here is None:
        return False
    return here.checksum == there.checksum or here.content == there.content != there.checksum


def differences(mine: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """What is not the same, as `numpy: 2.1.0 here, 2.0.2 there`; empty where all is."""
    names = dict.fromkeys([*mine, *theirs])
    pairs = ((name, mine.get(name, "nothing"), theirs.get(name, "nothing")) for name in names)
    return [f"{name}: {here} here, {there} there" for name, here, there in pairs if here != there]
