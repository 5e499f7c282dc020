"""Find a spec, follow `extends`, apply what the command line sets, fill in the environment."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe.errors import Problem, SpecError, suggestion
from kpframe.files.resources import shipped_specs
from kpframe.files.urls import is_url, local_copy
from kpframe.spec.boxes import has_names, in_plain_form
from kpframe.spec.settings import RIVALS, apply_settings
from kpframe.spec.strict_yaml import Key, Positions, read_yaml

__all__ = ["expand", "find_spec", "inherited", "load_tree", "merged", "tell_unused"]

log = logging.getLogger("kpframe")

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def find_spec(name: str, relative_to: Path | None = None) -> Path:
    """The file of a spec: a path (relative to `relative_to`), or the name of a shipped one.

    Raises SpecError that lists the shipped specs if there is neither.
    """
    base = relative_to or Path()
    looks_like_path = name.endswith((".yaml", ".yml")) or os.sep in name
    if looks_like_path:
        path = base / name
        if path.is_file():
            return path
    elif name in shipped_specs():
        return shipped_specs()[name]
    elif (base / f"{name}.yaml").is_file():
        return base / f"{name}.yaml"
    offered = [key for key in shipped_specs() if not key.endswith("-base")]
    remedy = suggestion(name, offered, "give a path to a .yaml file or one of")
    raise SpecError.at(f"spec {name!r}", "there is no such file", remedy)


def load_tree(
    name: str | Path,
    settings: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
    leave_out: Sequence[str] = (),
    *,
    tell: bool = True,
) -> tuple[dict[str, Any], Positions]:
    """The merged, expanded tree of a spec with the places of its values.

    `settings` are `path.to.parameter=value` and win over the file; `variables` win over the
    environment in `${NAME}`; the top-level keys in `leave_out` are ignored. A variable that nothing
    refers to is told, unless not wanted.
    """
    positions = Positions(fallback=str(name))
    tree = inherited(str(name), positions)
    apply_settings(tree, positions, settings)
    for key in leave_out:
        tree.pop(key, None)
        if any(re.split(r"[.=]", setting, maxsplit=1)[0].strip() == key for setting in settings):
            raise SpecError.at(f"--set {key}", "has no effect here", "leave it out")
    if tell:
        tell_unused(name, variables or {}, tree)
    return expand(tree, (), positions, variables or {}), positions


def tell_unused(name: str | Path, variables: Mapping[str, str], tree: Any) -> None:
    """Tell variables that nothing refers to."""
    for variable in variables:
        if not _mentioned(variable, tree):
            log.warning(
                "the folder of the corpora has no effect: nothing in %s refers to ${%s}", name, variable
            )


def inherited(name: str, positions: Positions, relative_to: Path | None = None) -> dict[str, Any]:
    """The tree of a spec laid over those that it extends; the places of its values go to `positions`."""
    if not is_url(name):
        return _inherit(find_spec(name, relative_to), positions, ())
    with local_copy(name) as file:
        tree = _inherit(file, positions, ())
    positions.places.update({k: place.replace(str(file), name) for k, place in positions.places.items()})
    return tree


def merged(
    parent: dict[str, Any], own: dict[str, Any], positions: Positions, own_positions: Positions
) -> dict[str, Any]:
    """`own` laid over `parent`, whose `positions` become those of the whole."""
    return _merge(parent, own, (), positions, own_positions)


def expand(value: Any, path: Key, positions: Positions, variables: Mapping[str, str]) -> Any:
    """`value` with every `${NAME}` filled in, from `variables` or else from the environment.

    Raises SpecError that names all variables that are not set.
    """
    problems: list[Problem] = []
    filled = _expand(value, path, positions, {**os.environ, **variables}, problems)
    if problems:
        raise SpecError(problems)
    return filled


def _inherit(path: Path, positions: Positions, above: tuple[Path, ...]) -> dict[str, Any]:
    resolved = path.resolve()
    if resolved in above:
        chain = " → ".join(p.name for p in (*above, resolved))
        raise SpecError.at(f"{path}", f"extends itself ({chain})", "remove one of the `extends`")
    own_positions = Positions()
    own = read_yaml(path, own_positions)
    in_plain_form(own, own_positions)
    parent_name = own.pop("extends", None)
    if parent_name is None:
        positions.places.update(own_positions.places)
        positions.files.update(own_positions.files)
        return own
    place = own_positions.place(("extends",))
    if not isinstance(parent_name, str):
        raise SpecError.at(place, "extends: must name one spec", "write `extends: base.yaml`")
    try:
        parent_path = find_spec(parent_name, path.parent)
    except SpecError as error:
        raise error.moved(f"{place}: extends") from None
    parent = _inherit(parent_path, positions, (*above, resolved))
    return _merge(parent, own, (), positions, own_positions)


def _merge(
    parent: dict[str, Any], own: dict[str, Any], path: Key, positions: Positions, own_positions: Positions
) -> dict[str, Any]:
    """`own` over `parent`: mappings merge, all else replaces; another `kind` starts afresh."""
    merged = {key: value for key, value in parent.items() if RIVALS.get(key) not in own}
    for key, value in own.items():
        below = (*path, key)
        old = parent.get(key)
        if value is None and has_names(path):
            if key not in parent:
                where = f"{own_positions.place(below)}: {'.'.join(map(str, below))}"
                raise SpecError.at(where, "there is none to take away", suggestion(key, parent))
            del merged[key]
            positions.forget(below)
            continue
        if isinstance(old, dict) and isinstance(value, dict) and value.get("kind") in (None, old.get("kind")):
            merged[key] = _merge(old, value, below, positions, own_positions)
            positions.places[below] = own_positions.place(below)
        else:
            merged[key] = value
            positions.forget(below)
            positions.take(own_positions, below)
    return merged


def _mentioned(variable: str, value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(
            _mentioned(variable, item) for item in (value.values() if isinstance(value, dict) else value)
        )
    return isinstance(value, str) and variable in _VARIABLE.findall(value)


def _expand(
    value: Any, path: Key, positions: Positions, known: Mapping[str, str], problems: list[Problem]
) -> Any:
    if isinstance(value, dict):
        return {k: _expand(v, (*path, k), positions, known, problems) for k, v in value.items()}
    if isinstance(value, list):
        return [_expand(v, (*path, i), positions, known, problems) for i, v in enumerate(value)]
    if not isinstance(value, str):
        return value

    def fill(found: re.Match[str]) -> str:
        if found[1] in known:
            return known[found[1]]
        remedy = (
            "give --data DIR or set KPFRAME_DATA to the folder of the corpora"
            if found[1] == "KPFRAME_DATA"
            else f"set it: export {found[1]}=…"
        )
        where = f"{positions.place(path)}: {'.'.join(map(str, path))}"
        problems.append(Problem(where, f"the variable {found[1]} is not set", remedy))
        return found[0]

    filled = _VARIABLE.sub(fill, value)
    if _VARIABLE.match(value):
        # What begins with a variable was typed at the command line or in the environment: as a path it
        # is relative to where that was, not to the file that mentions the variable.
        positions.files[path] = Path("environment")
    return filled
