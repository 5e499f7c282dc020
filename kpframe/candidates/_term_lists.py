"""Lists of terms with their synonyms, inline or in files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.json_text import json_value
from kpframe.files.kinds import kind_of_file
from kpframe.files.resources import open_resource
from kpframe.model.folding import squeeze

__all__ = ["Term", "checked_terms", "terms_of_file", "terms_of_resource"]

Term = tuple[str, ...]
"""A preferred term, followed by its synonyms; white space squeezed."""
_LISTS = ("text", "tsv", "json", "markdown", "yaml", "csv")
"""Kinds of files that can be lists; a thesaurus is seen by its beginning, whatever its name ends with."""


def checked_terms(given: Sequence[str] | Mapping[str, Sequence[str]]) -> tuple[Term, ...]:
    """The terms of a list, or of a mapping from preferred terms to synonyms.

    Raises ValueError for a term without a letter or digit.
    """
    pairs = given.items() if isinstance(given, Mapping) else ((term, ()) for term in given)
    return tuple(_term((preferred, *synonyms)) for preferred, synonyms in pairs)


def terms_of_resource(name: str) -> tuple[Term, ...]:
    """The terms of a shipped resource; ResourceError if it is not shipped, DataError if malformed."""
    return tuple(_from_lines(open_resource(name), f"resource {name!r}"))


def terms_of_file(path: str) -> tuple[Term, ...]:
    """The terms of a UTF-8 file: JSON if its name ends in .json, otherwise one term a line.

    A line is `preferred<TAB>synonym<TAB>…`; blank lines and lines that begin with # are left out.
    JSON is a list of terms or an object {preferred: [synonym, …]}. Raises DataError.
    """
    _refuse_other_kinds(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise DataError.at(path, f"cannot be read ({reason})", "correct the path") from None
    except UnicodeDecodeError:
        raise DataError.at(path, "is not UTF-8 text", "convert it, for example with iconv") from None
    return tuple(_from_json(text, path) if path.endswith(".json") else _from_lines(text, path))


def _refuse_other_kinds(path: str) -> None:
    """DataError for what is no list of terms: read as lines, a thesaurus gives terms that nothing has."""
    try:
        said, seen = kind_of_file(path).kind, kind_of_file(path, named=False).kind
    except OSError:  # told by who reads it
        return
    in_json = path.endswith(".json")
    if in_json and seen.name == "jsonl":  # an object on one line begins as JSON lines do
        seen = said
    for kind in (said, seen):
        if kind.name not in _LISTS or (kind.name == "json" and not in_json):
            remedy = "write its labels into a text file, preferred<TAB>synonym<TAB>… a line, or into .json"
            raise DataError.at(path, f"is {kind.what}, not a list of terms", remedy)


def _from_lines(text: str, place: str) -> Iterator[Term]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield _term(form for form in line.split("\t") if form.strip())
        except ValueError as error:
            problem, _, remedy = str(error).partition("; ")
            raise DataError.at(f"{place}:{number}", problem, remedy) from None


def _from_json(text: str, place: str) -> Iterator[Term]:
    try:
        loaded: Any = json_value(text)
    except ValueError as error:
        raise DataError.at(place, f"is not valid JSON ({error})", "repair it") from None
    pairs = loaded.items() if isinstance(loaded, dict) else ((term, []) for term in _listed(loaded, place))
    for preferred, synonyms in pairs:
        forms = [preferred, *_listed(synonyms, f"{place}: {preferred!r}")]
        try:
            yield _term(forms)
        except ValueError as error:
            problem, _, remedy = str(error).partition("; ")
            raise DataError.at(place, problem, remedy) from None


def _listed(value: Any, place: str) -> list[str]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    raise DataError.at(place, "is not a list of strings", "write [term, …] or {preferred: [synonym, …]}")


def _term(forms: Iterable[str]) -> Term:
    term = tuple(map(squeeze, forms))
    for form in term:
        if not any(character.isalnum() for character in form):
            raise ValueError(f"the term {form!r} has no letter or digit; leave it out")
    return term
