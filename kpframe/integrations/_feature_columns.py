"""Which keyphrase belongs to which column of a feature matrix, over all texts."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kpframe.errors import SpecError, counted
from kpframe.model.folding import fold

__all__ = ["Columns", "Row", "fixed_columns", "learned_columns"]

Row = tuple[tuple[str, str, float, int], ...]
"""The keyphrases of one text: key, text, score and number of places."""


@dataclass(frozen=True)
class Columns:
    """Names of columns with their numbers, and the column of each key and of each folded name."""

    names: dict[str, int]
    by_key: dict[str, int]
    by_name: dict[str, int]

    def cells(self, row: Row, weighting: str) -> dict[int, float]:
        """The columns of one text in ascending order, each with its weight.

        Two keyphrases of one column count together: their places are added, the higher score is taken.
        """
        found: dict[int, float] = {}
        for key, text, score, places in row:
            column = self.by_key.get(key)
            column = self.by_name.get(fold(text)) if column is None else column
            if column is None:
                continue
            if weighting == "count":
                found[column] = found.get(column, 0.0) + places
            elif weighting == "score":
                found[column] = max(score, found.get(column, score))
            else:
                found[column] = 1.0
        return dict(sorted(found.items()))


def learned_columns(rows: Sequence[Row], min_df: int | float) -> Columns:
    """A column for each key that at least `min_df` texts have. ValueError if there is none."""
    # Not more than it should be because of how floats are rounded: 0.07 of 100 texts are 7.
    least = math.ceil(min_df * len(rows) - 1e-9) if isinstance(min_df, float) else int(min_df)
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    frequencies: Counter[str] = Counter()
    for row in rows:
        frequencies.update({key for key, *_ in row})
        for key, text, *_ in row:
            forms[key][text] += 1
    keys = [key for key in forms if frequencies[key] >= least]
    if not keys:
        found = "no keyphrase was found" if not forms else f"no keyphrase is in {counted(least, 'text')}"
        raise ValueError(f"{found}: lower min_df, raise top, or give other texts or another pipeline")
    named = _named({key: min(forms[key], key=lambda form: (-forms[key][form], form)) for key in keys})
    ordered = sorted(named, key=lambda key: (named[key].casefold(), named[key]))
    numbers = {key: number for number, key in enumerate(ordered)}
    return Columns({named[key]: number for key, number in numbers.items()}, numbers, {})


def _named(forms: Mapping[str, str]) -> dict[str, str]:
    """The form of each key, with the key in brackets where another key has the same form."""
    uses = Counter(forms.values())
    named = {key: form for key, form in forms.items() if uses[form] == 1}
    taken = set(named.values())
    for key in sorted(forms.keys() - named.keys()):
        name = f"{forms[key]} [{key}]"
        while name in taken:
            name += "'"
        named[key] = name
        taken.add(name)
    return named


def fixed_columns(vocabulary: Iterable[str] | Mapping[str, int]) -> Columns:
    """Columns for given phrases, in their order or with their numbers; a set in alphabetical order.

    Raises SpecError for what cannot be that.
    """
    place = "KeyphraseVectorizer: vocabulary"
    if isinstance(vocabulary, str | bytes):
        raise SpecError.at(place, "is one string", "give a list of phrases")
    if not isinstance(vocabulary, Iterable) or isinstance(vocabulary, Iterator):
        raise SpecError.at(place, f"is one {type(vocabulary).__name__}", "give a list of phrases")
    phrases = list(vocabulary)
    for phrase in phrases:
        if not isinstance(phrase, str) or not phrase.strip():
            raise SpecError.at(place, f"{phrase!r} is no phrase", "give strings that are not blank")
    if isinstance(vocabulary, set | frozenset):
        phrases = sorted(phrases, key=lambda phrase: (phrase.casefold(), phrase))
    numbers = list(vocabulary.values()) if isinstance(vocabulary, Mapping) else list(range(len(phrases)))
    if sorted(numbers) != list(range(len(phrases))):
        raise SpecError.at(place, "does not number its columns 0, 1, 2, …", "give a list of phrases")
    folded: dict[str, int] = {}
    for phrase, number in zip(phrases, numbers, strict=True):
        if fold(phrase) in folded:
            raise SpecError.at(place, f"{phrase!r} is there twice (case does not count)", "leave one out")
        folded[fold(phrase)] = int(number)
    if not folded:
        raise SpecError.at(place, "is empty", "give phrases, or None to learn them")
    return Columns(dict(zip(phrases, map(int, numbers), strict=True)), folded, folded)
