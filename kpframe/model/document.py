"""A text with what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kpframe.errors import DataError, Problem, without_secrets
from kpframe.model.annotations import Annotations
from kpframe.model.blank import is_blank
from kpframe.model.traced import Traced

__all__ = ["AUTO", "Document", "Gold", "Skipped"]

AUTO = "auto"
"""The language of a document that does not say it: its corpus does, or its text shows it."""


class GivenError(DataError, TypeError, ValueError):
    """A value that a program builds is of the wrong type; a TypeError, as Python programs expect."""


def _wrong(place: str, problem: str, remedy: str) -> GivenError:
    return GivenError(Problem(place, problem, remedy))


@dataclass(frozen=True, slots=True)
class Gold:
    """One gold keyphrase as its source gives it, never normalised.

    `variants` holds equally good forms, the preferred one first (`("quality of service",
    "service quality")`); a gold keyphrase counts once, whichever variant is found. `source` says
    who assigned it (author, reader, controlled, …) and may be empty.
    """

    variants: tuple[str, ...]
    source: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.variants, str):
            raise DataError.at(
                "gold",
                f"{self.variants!r} is one string, variants are several",
                f"write ({self.variants!r},)",
            )
        if not isinstance(self.variants, list | tuple):
            raise _wrong("gold", f"variants are {self.variants!r}, no tuple", "write ('quality of service',)")
        # A corpus has millions of them: a loop is twice as fast as `all` over a generator.
        for variant in self.variants or ("",):
            if not isinstance(variant, str):
                raise _wrong("gold", f"the variant {variant!r} is no string", "write it as a string")
            if not variant.strip() or (not variant.isascii() and is_blank(variant)):
                raise DataError.at("gold", "an empty gold keyphrase", "leave it out")

    @staticmethod
    def known(variants: tuple[str, ...], source: str = "") -> Gold:
        """A keyphrase whose variants are known to be strings with something in them: nothing is checked."""
        made = _blank(Gold)
        _set_variants(made, variants)
        _set_source(made, source)
        return made

    @property
    def text(self) -> str:
        """The preferred form."""
        return self.variants[0]


# What the class itself does in creating one, but for its checks: a corpus has millions of them.
_blank: Callable[[type[Gold]], Gold] = object.__new__
_set_variants: Callable[[Gold, tuple[str, ...]], None] = vars(Gold)["variants"].__set__
_set_source: Callable[[Gold, str], None] = vars(Gold)["source"].__set__


@dataclass(frozen=True, slots=True)
class Document:
    """A text, its gold keyphrases and its metadata.

    `language` is an ISO 639-1 code, or `auto` as long as nobody has said or guessed it; pipelines and runs
    also understand `en-GB` and `English`, and refuse what is no language. `gold` is empty where none is
    known. `metadata` holds JSON values; kpframe itself reads `title_length` (characters of the title
    at the beginning of the text) and `split` (the part that the corpus's authors assigned). `annotations` is
    set only by readers of corpora that come tokenised or tagged. `origin` is set where a cleaner changed the
    text: the way back to the text as it was given, which the spans of results refer to.
    """

    id: str
    text: str
    language: str = AUTO
    gold: tuple[Gold, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    annotations: Annotations | None = None
    origin: Traced | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        place = f"document {self.id!r}"
        if not isinstance(self.id, str):
            raise _wrong(place, f"its id must be str, not {type(self.id).__name__}", "write it as a string")
        if not isinstance(self.text, str):
            remedy = "decode bytes first" if isinstance(self.text, bytes) else "give the text itself"
            raise _wrong(place, f"a document's text must be str, not {type(self.text).__name__}", remedy)
        if not isinstance(self.language, str):
            raise _wrong(place, f"its language is {self.language!r}, no code", "write it as 'de', or 'auto'")
        if not isinstance(self.gold, list | tuple):
            problem = f"a document's gold must be of Gold in a tuple, not {type(self.gold).__name__}"
            raise _wrong(place, problem, "write (Gold((…,)),)")
        for one in self.gold:
            if not isinstance(one, Gold):
                problem = f"a document's gold must be of Gold, not {type(one).__name__}"
                raise _wrong(place, problem, "write Gold((…,))")
        if not isinstance(self.metadata, Mapping):
            problem = f"its metadata must be a mapping, not {type(self.metadata).__name__}"
            raise _wrong(place, problem, "write {'split': 'test'}, or leave it out")
        if not isinstance(self.annotations, Annotations | None):
            problem = f"its annotations are {type(self.annotations).__name__}, no Annotations"
            raise _wrong(place, problem, "leave them out")

    @property
    def given(self) -> str:
        """The text as it was given; as it is where a cleaner cannot tell what it did."""
        known = None if self.origin is None else self.origin.given
        return self.text if known is None else known

    def given_span(self, begin: int, end: int) -> tuple[int, int]:
        """Where characters of `text` (half-open) stand in `given`."""
        return (begin, end) if self.origin is None else self.origin.span(begin, end)

    def own_span(self, begin: int, end: int) -> tuple[int, int]:
        """Where characters of `given` (half-open) stand in `text`, as far as they do."""
        return (begin, end) if self.origin is None else self.origin.inverse(begin, end)

    def as_given(self) -> Document:
        """The document with its text as it was given, and its annotations where they stand there."""
        if self.origin is None or self.origin.given is None:
            return self
        made = self.annotations
        if made is not None:
            origin, some = self.origin, len(made) > 0
            made = made.with_layers(
                text=origin.given,
                begins=origin.begins[made.begins] if some else made.begins,
                ends=origin.ends[made.ends - 1] if some else made.ends,
            )
        return replace(self, text=self.origin.given, annotations=made, origin=None)

    def to_json(self) -> dict[str, Any]:
        """The document in kpframe's own JSONL layout (without annotations)."""
        return {
            "id": self.id,
            "language": self.language,
            "text": self.text,
            "gold": [{"variants": list(g.variants), "source": g.source} for g in self.gold],
            "metadata": dict(self.metadata),
        }


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that a reader left out, with its place and the reason; counted and shown."""

    place: str
    reason: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", without_secrets(self.place))
