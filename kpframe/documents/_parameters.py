"""Parameters that several readers have, with their checks and descriptions."""

from __future__ import annotations

from encodings.aliases import aliases
from typing import Annotated

from pydantic import AfterValidator, Field

from kpframe.errors import SpecError, suggestion
from kpframe.language.codes import language_code

__all__ = ["Encoding", "Language", "Separator"]


def _known_encoding(name: str) -> str:
    try:
        b"".decode(name)
        "".encode(name)
    except (LookupError, UnicodeError, ValueError):
        known = [one.replace("_", "-") for one in (*aliases.values(), *aliases)]
        hint = suggestion(name, known, "use for example", listed=["utf-8, latin-1 or cp1252"])
        raise ValueError(f"unknown text encoding {name!r}; {hint}") from None
    return name


def _known_language(name: str) -> str:
    try:
        return language_code(name)
    except SpecError as error:
        raise ValueError(f"{error.problems[0].problem}; {error.problems[0].remedy}") from None


Language = Annotated[
    str,
    AfterValidator(_known_language),
    Field(
        description="The language of the texts that do not say it themselves: a code (de, de-DE) or an "
        "English name (German); auto: what the corpus says, or what each text shows.",
    ),
]
Encoding = Annotated[
    str,
    AfterValidator(_known_encoding),
    Field(description="Text encoding of the files, as utf-8, latin-1, cp1252. A byte order mark is removed."),
]
Separator = Annotated[
    str | None,
    Field(min_length=1, description="What parts phrases that stand on one line; null: nothing does."),
]
