"""Stop lists: those that kpframe ships, those of spaCy for 70 languages, a file, or the one that fits.

A name is a language code (`en`, `hi`), the path of a UTF-8 file with an entry a line, or `auto`, which is the
list of the document's language. `papers` has the words by which scholarly texts refer to their own parts
(figure, table, section), `en-calendar` months and days, `en-units` units and amounts, `en-titles` titles and
forms of firms, `en-salutations` what a letter begins with; they are meant beside the list of a language.
`auto-calendar` is the list `LANGUAGE-calendar` of the document's language, where there is one. Where kpframe
and spaCy both have a list, it is that of kpframe. The list of a language has all its elided articles and
pronouns (l', d', qu'), whoever wrote it; `auto` is only these where there is no other list.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from kpframe.errors import DataError, suggestion
from kpframe.files.changes import while_unchanged
from kpframe.files.resources import known_checksum, manifest, read_words
from kpframe.language.codes import settled
from kpframe.language.elisions import elided_stop_words
from kpframe.model import AUTO
from kpframe.model.folding import fold

__all__ = [
    "AUTO",
    "file_checksums",
    "known_lists",
    "list_files",
    "list_limits",
    "list_problems",
    "stop_entries",
    "stop_words",
]

_FOLDER = "stopwords/"
_SPECIAL = f"{AUTO}-"
_LANGUAGE = re.compile("[a-z]{2,3}")


def known_lists() -> list[str]:
    """The names of all lists: of languages first those that are shipped, then those of spaCy; then others."""
    shipped = sorted(name.removeprefix(_FOLDER) for name in manifest() if name.startswith(_FOLDER))
    languages = [name for name in shipped if _LANGUAGE.fullmatch(name)]
    others = [name for name in shipped if name not in languages]
    return [*languages, *(code for code in _spacy_lists() if code not in shipped), *others]


def stop_entries(names: Sequence[str], language: str) -> frozenset[str]:
    """The folded entries of all lists `names`, `auto` being that of `language`; no list, no entry.

    Raises DataError for a file that cannot be read, ResourceError for an unknown list.
    """
    found = (_entries(name) for name in _resolved(tuple(names), language))
    return frozenset[str]().union(*found)


def stop_words(names: Sequence[str], language: str = "") -> frozenset[str]:
    """Those entries that are single words."""
    resolved = _resolved(tuple(names), language)
    return _single(resolved)


def list_problems(names: Sequence[str], languages: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """(problem, remedy) for each of `names` that is no list, and for `languages` that have none.

    Stages ask for no language: one without a list is told of by `list_limits`, and stops nothing.
    """
    known = known_lists()
    for name in names:
        if name.startswith(_SPECIAL) and any(one.endswith(name.removeprefix(AUTO)) for one in known):
            continue
        if name == AUTO:
            for language in sorted(set(languages) - {*known, AUTO}):
                yield f"there is no stop list for language {language!r}", "name a file of your own"
        elif _is_path(name):
            try:
                _entries(name)
            except DataError as error:
                found = error.problems[0]
                yield f"{found.place} {found.problem}", found.remedy
        elif name not in known:
            every = f"{', '.join(known)}; or give a path"
            yield f"there is no stop list {name!r}", suggestion(name, known, listed=[every])


def list_limits(names: Sequence[str] | None, language: str) -> Iterator[str]:
    """What of the lists `names` does not fit texts in a language; a file is what its owner says."""
    if not names or any(map(_is_path, names)):
        return
    known = known_lists()
    languages = [name.partition("-")[0] for name in names if not name.startswith(_SPECIAL)]
    if AUTO in names:
        if language not in known:
            yield "there is no stop list, so function words stay (name a file of your own)"
    elif languages and language not in languages:
        yield f"stop words are {', '.join(names)} (auto is the list of each text)"
    special = [f"{language}-{name.removeprefix(_SPECIAL)}" for name in names if name.startswith(_SPECIAL)]
    if not set(special) <= set(known):
        yield "there are no lists of months, units, titles and salutations, so such words stay"


def list_files(names: Iterable[str], *_: object) -> tuple[str, ...]:
    """Those of `names` that are files, for whoever remembers what is in them while they are unchanged."""
    return tuple(filter(_is_path, names))


def file_checksums(names: Iterable[str]) -> dict[str, str]:
    """SHA-256 of those of `names` that are files, on whose content results depend."""
    paths = (Path(name) for name in names if _is_path(name))
    return {str(path): known_checksum(str(path)) for path in paths if path.is_file()}


@lru_cache(maxsize=256)
def _resolved(names: tuple[str, ...], language: str) -> tuple[str, ...]:
    """`names` with the lists that `auto` stands for in a language; remembered, since all texts ask."""
    return tuple(_followed(names, language))


def _followed(names: Sequence[str], language: str) -> Iterator[str]:
    known = known_lists() if any(name.startswith(AUTO) for name in names) else []
    language = settled(language)
    for name in names:
        if name.startswith(_SPECIAL):
            if language + name.removeprefix(AUTO) in known:
                yield language + name.removeprefix(AUTO)
        elif name != AUTO:
            yield name
        elif language in known or elided_stop_words(language):
            yield language


@while_unchanged(64, list_files)
def _single(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(entry for entry in stop_entries(names, "") if " " not in entry)


@while_unchanged(64, lambda name: list_files([name]))
def _entries(name: str) -> frozenset[str]:
    if _is_path(name):
        words = _words_of_file(name)
    elif f"{_FOLDER}{name}" not in manifest() and name in _spacy_lists():
        words = sorted(importlib.import_module(f"spacy.lang.{name}.stop_words").STOP_WORDS)
    elif name in known_lists() or not elided_stop_words(name):
        words = read_words(_FOLDER + name)
    else:
        words = []
    return frozenset([*map(fold, words), *elided_stop_words(name)]) - {""}


def _words_of_file(path: str) -> list[str]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise DataError.at(path, f"cannot be read ({reason})", "correct the path") from None
    except UnicodeDecodeError:
        raise DataError.at(path, "is not UTF-8 text", "convert it, for example with iconv") from None
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or "." in name


@cache
def _spacy_lists() -> tuple[str, ...]:
    """The codes of the languages for which the installed spaCy has a stop list; spaCy is not imported."""
    spec = importlib.util.find_spec("spacy")
    if spec is None or spec.origin is None:
        return ()
    files = (Path(spec.origin).parent / "lang").glob("*/stop_words.py")
    return tuple(sorted(file.parent.name for file in files))
