"""Many small cases in one test: a test of its own for each takes longer to set up and report than to run.

A family belongs here if it has a dozen cases or more of a few milliseconds, and none of them needs a mark.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

Test = Callable[..., None]

only = ""
"""What the names of the cases that are tried have in common: the value of the option `--case`."""


def every(names: str | Sequence[str], values: Iterable[Any], ids: Any = None) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, but one test, which tries all cases and names each that fails.

    Cases share the fixtures of the test, but for `tmp_path`: each has a folder of its own. A family above
    another one has the cases of both, each with each. `make test ARGS="--case WORD"` tries only those whose
    names have the word.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    own = list(_cases(wanted, list(values), ids))

    def decorated(test: Test) -> Test:
        one: Test = getattr(test, "of_one_case", test)
        inner: list[tuple[str, dict[str, Any]]] = getattr(test, "cases", [("", {})])
        cases = [(f"{a}-{b}" if a else b, {**first, **second}) for a, first in inner for b, second in own]

        @functools.wraps(one)
        def together(**fixtures: Any) -> None:
            _try_all(one, cases, fixtures)

        given = inspect.signature(one)
        left = [
            parameter
            for name, parameter in given.parameters.items()
            if not any(name in arguments for _, arguments in cases[:1])
        ]
        assert cases and len(left) + len(cases[0][1]) == len(given.parameters), (
            "names of parameters, and cases"
        )
        vars(together).update(__signature__=given.replace(parameters=left), of_one_case=one, cases=cases)
        return together

    return decorated


def _cases(names: list[str], values: list[Any], ids: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the arguments of each."""
    for number, value in enumerate(values):
        said = ids[number] if isinstance(ids, list | tuple) else None
        if isinstance(value, type(pytest.param())):
            assert not value.marks, "cases of one test have no marks of their own"
            said = value.id or said
            row = value.values
        else:
            row = (value,) if len(names) == 1 else tuple(value)
        yield said or "-".join(_named(one, ids) for one in row), dict(zip(names, row, strict=True))


def _named(value: Any, ids: Any) -> str:
    said = ids(value) if callable(ids) else None
    if said is not None or isinstance(value, str):
        return str(value if said is None else said)
    return str(getattr(value, "__name__", None) or repr(value))


def _try_all(test: Test, cases: Iterable[tuple[str, dict[str, Any]]], fixtures: dict[str, Any]) -> None:
    """Name all that failed, also those whose errors pytest no longer shows; then those that were skipped."""
    chosen = [case for case in cases if only in case[0]]
    failed: list[BaseException] = []
    skipped: list[str] = []
    for number, (name, arguments) in enumerate(chosen):
        try:
            test(**{**_of_one_case(fixtures, number), **arguments})
        except pytest.skip.Exception as reason:
            skipped.append(f"{name} ({reason})")
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"case: {name}")
            failed.append(error)
    if failed:
        told = "\n  ".join(error.__notes__[-1] for error in failed)
        raise BaseExceptionGroup(f"{len(failed)} of {len(chosen)} cases failed\n  {told}\n", failed)
    if skipped or not chosen:
        pytest.skip(f"{len(skipped)} of {len(chosen)} cases: {', '.join(skipped)}")


def _of_one_case(fixtures: dict[str, Any], number: int) -> dict[str, Any]:
    if "tmp_path" not in fixtures:
        return fixtures
    own = fixtures["tmp_path"] / str(number)
    own.mkdir()
    return {**fixtures, "tmp_path": own}
