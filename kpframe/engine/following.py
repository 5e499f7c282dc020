"""What stages cannot do in the languages of some texts: what stops them, and what stays English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kpframe.engine.settling import Languages
from kpframe.errors import Problem
from kpframe.language.codes import NAMES
from kpframe.stages import Stage

__all__ = ["language_notices", "language_problems", "problems_of_most"]


_NO_MODEL_NEEDED = "; or use the pipeline any-language, which needs no model"
_NONE_FOR_TOKENS = "; or --set 'preprocessing=[simple]', which needs no model, or the pipeline any-language"
_BY_RULES = frozenset({"tokens", "sentences"})
"""Layers that `simple` makes of any text whose words are parted by blanks."""


def language_problems(stages: Iterable[Stage], languages: Sequence[str], place: str) -> list[Problem]:
    """What hinders `stages` on texts in `languages`, as a missing model; each problem once."""
    stages = list(stages)
    made = frozenset().union(*(stage.provides() for stage in stages if any(stage.problems(languages))))
    without_model = _NONE_FOR_TOKENS if made <= _BY_RULES else _NO_MODEL_NEEDED
    found = [problem for stage in stages for problem in stage.problems(languages)]
    without = {problem for stage in stages for problem in stage.problems(())}
    return list(
        dict.fromkeys(
            Problem(place, problem, remedy + (without_model if "is not installed" in problem else ""))
            for one in found
            if one not in without
            for _, problem, remedy in [one]
        )
    )


def problems_of_most(stages: Iterable[Stage], languages: Languages, place: str) -> list[Problem]:
    """What hinders `stages` on texts in the language of most documents; of others each fails by itself.

    Where equally many documents are in several languages, one that can be worked on is enough.
    """
    stages = list(stages)
    found = [language_problems(stages, [code], place) for code in languages.of_most]
    return found[0] if found and all(found) else []


def language_notices(
    stages: Iterable[Stage], languages: Sequence[str], trained: Sequence[str] = ()
) -> list[str]:
    """What does not follow the language of texts, a line each language; nothing where all is English.

    `trained` are the languages of the texts that a model has learned from.
    """
    lines = []
    steps = list(stages)
    for language in languages:
        what = list(dict.fromkeys(limit for step in steps for limit in _limits(step, language)))
        if trained and language not in trained:
            what.append(f"the trained model has learned from texts in {', '.join(map(_named, trained))}")
        if what:
            lines.append(f"texts in {_named(language)}: {'; '.join(what)}")
    return lines


def _limits(stage: Stage, language: str) -> Iterator[str]:
    yield from stage.limits(language)
    for _, part in stage:
        if isinstance(part, Stage):
            yield from _limits(part, language)


def _named(language: str) -> str:
    name = NAMES.get(language)
    return f"{name.title()} ({language})" if name else language
