"""Parameters that several readers have, with their checks and descriptions."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

__all__ = ["Encoding", "Language", "Separator"]


def _known_encoding(name: str) -> str:
    try:
        b"".decode(name)
        "".encode(name)
    except (LookupError, UnicodeError, ValueError):
        raise ValueError(
            f"unknown text encoding {name!r}; use for example utf-8, latin-1 or cp1252"
        ) from None
    return name


Language = Annotated[
    str,
    Field(
        pattern=r"^[a-z]{2,3}$",
        description="ISO 639-1 code of the texts' language, where the corpus does not say.",
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
