"""Classes that one file makes several of, or that a program changes, are told apart by what they are."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kpframe.engine.live_code import live_code

MODULE = """
import functools
import math

FACTOR = 2
KNOWN = {}
CALLS = 0

def helper(value):
    global CALLS
    CALLS = CALLS + 1
    return value * FACTOR

@functools.cache
def remembered(value):
    return value + 1

class Other:
    def weigh(self):
        return 3

def made(sign):
    class Stage:
        LIMIT = 7
        PAIRS = frozenset(["b", "a", "c"])
        def rank(self, text, most=5):
            KNOWN[text] = text
            return sign * helper(remembered(len(text))) + math.pi + Other().weigh()
        @property
        def half(self):
            return .5
        @staticmethod
        def square(value):
            return value * value
    return Stage
"""


def module(source: str = MODULE) -> SimpleNamespace:
    """The names of a module with this source."""
    names: dict[str, Any] = {"__name__": "mine"}
    exec(source, names)
    return SimpleNamespace(names=names, **{name: names[name] for name in ("made", "Other")})


def checksum(cls: type) -> str:
    """That of a class, where only the module is looked at."""
    return live_code(cls, lambda name: name == "mine")


def test_the_same_source_is_the_same_however_often_it_is_run() -> None:
    """And what can be changed in place, as results that are remembered, says nothing."""
    first = module()
    before = checksum(first.made(1))
    first.names["KNOWN"]["seen"] = "seen"
    first.names["helper"](1)
    assert first.names["CALLS"] == 1
    assert checksum(first.made(1)) == before == checksum(module().made(1))
    # Lines and comments are no code.
    assert checksum(module("# once more\n\n" + MODULE).made(1)) == before


def test_the_same_source_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Whatever the order of its sets."""
    (tmp_path / "mine.py").write_text(MODULE)
    script = (
        "import mine; from kpframe.engine.live_code import live_code; "
        "print(live_code(mine.made(1), lambda name: name == 'mine'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=tmp_path,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("FACTOR = 2", "FACTOR = 3"),
        ("value * FACTOR", "value - FACTOR"),
        ("value + 1", "value + 2"),
        ("return 3", "return 4"),
        ("LIMIT = 7", "LIMIT = 8"),
        ('"a", "c"', '"a", "d"'),
        ("most=5", "most=6"),
        ("return .5", "return .6"),
        ("value * value", "value + value"),
        ("math.pi", "math.tau"),
    ],
)
def test_every_change_of_what_is_run_is_seen(before: str, after: str) -> None:
    """Of methods, of what they call, of defaults and constants."""
    assert MODULE.count(before) == 1
    assert checksum(module(MODULE.replace(before, after)).made(1)) != checksum(module().made(1))


def test_what_a_program_does_to_a_class_is_seen() -> None:
    """By a factory, a setting of a global or of an attribute, and another method in the place of one."""
    mine = module()
    stage = mine.made(1)
    found = [checksum(stage), checksum(mine.made(-1))]
    mine.names["FACTOR"] = 9
    found.append(checksum(stage))
    stage.LIMIT = 1
    found.append(checksum(stage))
    stage.rank = functools.partial(mine.names["helper"], 5)
    found.append(checksum(stage))
    mine.Other.weigh = mine.names["helper"]
    assert len(set(found)) == len(found)


def test_a_module_that_is_used_by_its_name_is_looked_into() -> None:
    """Where it is no library: `helper.weight` may have been replaced, or reloaded."""
    import types

    helper = types.ModuleType("mine")
    helper.__dict__.update(weight=lambda: 1, unused=lambda: 2)
    names: dict[str, Any] = {"__name__": "mine", "helper": helper}
    exec("class Stage:\n    def rank(self):\n        return helper.weight() + helper.scale", names)
    first = checksum(names["Stage"])
    helper.__dict__["unused"] = None
    assert checksum(names["Stage"]) == first
    helper.__dict__["scale"] = 3
    assert checksum(names["Stage"]) != first
