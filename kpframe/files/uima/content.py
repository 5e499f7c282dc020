"""What one CAS holds, in kpframe's own values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kpframe.model import Document, Keyphrase

__all__ = ["CasContent"]


@dataclass(frozen=True, slots=True)
class CasContent:
    """A document, with its annotations in `document.annotations`, and the keyphrases of each system.

    The name of a lone system may be empty. `own`: kpframe wrote it, so that what is not there is known not
    to be.
    """

    document: Document
    keyphrases: Mapping[str, Sequence[Keyphrase]] = field(default_factory=dict)
    own: bool = False
