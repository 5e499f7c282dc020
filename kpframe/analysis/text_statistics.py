"""What a corpus is like: how long its texts are, how many gold keyphrases it has and how many can be found.

Counts are kept and everything else is derived from them; a corpus streams through, and no text is
held. The figures are those of table 1 of Zesch and Gurevych (2009), with what one must know besides
to compare results on a corpus: how much of the gold an extractor can find at all. What concerns the
gold keyphrases alone is in `kpframe.analysis.gold_statistics`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from kpframe.analysis.gold_statistics import GoldStatistics, GoldTally
from kpframe.errors import SpecError
from kpframe.language.stems import stemmer
from kpframe.language.words import phrase_tokens, token_spans
from kpframe.model import Document, Gold, Skipped
from kpframe.model.folding import fold

__all__ = ["CorpusStatistics", "PresenceTest", "statistics"]

PresenceTest = Literal["stems", "words", "alphanumeric", "characters"]
"""How it is told whether a gold keyphrase stands in a text; see `statistics`."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_ALPHANUMERIC = re.compile(r"\w+")


@dataclass(frozen=True)
class CorpusStatistics:
    """Counts over the documents of a corpus, or of one of its parts.

    `words` are parted by white space, `tokens` are those of `kpframe.language.words.token_spans`, for the
    texts; `gold_tokens` are the latter in the gold keyphrases (of each its preferred form).
    `present_gold` counts the gold keyphrases of which a variant stands in the text, and
    `documents_with_present` the documents that have one; `present` tells how this was tested.
    `length_squares`, `gold_squares` and `length_gold` are sums over documents of the square of the
    number of words, of the number of gold keyphrases, and of their product. `keyphrases` has more about
    the gold. `splits` has the same for each part that the corpus's authors assigned.
    """

    present: str
    documents: int = 0
    skipped: int = 0
    empty: int = 0
    without_gold: int = 0
    words: int = 0
    tokens: int = 0
    gold: int = 0
    gold_tokens: int = 0
    present_gold: int = 0
    documents_with_present: int = 0
    length_squares: int = 0
    gold_squares: int = 0
    length_gold: int = 0
    keyphrases: GoldStatistics = field(default_factory=GoldStatistics)
    splits: Mapping[str, CorpusStatistics] = field(default_factory=dict)

    @property
    def mean_words(self) -> float | None:
        """White-space words a document; None where there is no document."""
        return _ratio(self.words, self.documents)

    @property
    def mean_tokens(self) -> float | None:
        """Tokens a document; None where there is no document."""
        return _ratio(self.tokens, self.documents)

    @property
    def mean_gold(self) -> float | None:
        """Gold keyphrases a document, documents without any included."""
        return _ratio(self.gold, self.documents)

    @property
    def mean_gold_length(self) -> float | None:
        """Tokens a gold keyphrase; None where there is no gold."""
        return _ratio(self.gold_tokens, self.gold)

    @property
    def absent_share(self) -> float | None:
        """The share of the gold keyphrases that no extractor can find, 0 … 1; None without gold."""
        return _ratio(self.gold - self.present_gold, self.gold)

    @property
    def pearson_r(self) -> float | None:
        """Pearson's correlation of words and gold keyphrases over documents, -1 … 1.

        None where one of them does not vary. The sums are whole numbers, so nothing is lost.
        """
        n = self.documents
        spread = (n * self.length_squares - self.words**2) * (n * self.gold_squares - self.gold**2)
        if spread <= 0:
            return None
        return (n * self.length_gold - self.words * self.gold) / math.sqrt(spread)

    def to_json(self) -> dict[str, Any]:
        """Counts and derived values, unrounded, as plain values for JSON."""
        made: dict[str, Any] = {
            "present": self.present,
            "documents": self.documents,
            "skipped": self.skipped,
            "empty": self.empty,
            "without_gold": self.without_gold,
            "words": self.words,
            "mean_words": self.mean_words,
            "tokens": self.tokens,
            "mean_tokens": self.mean_tokens,
            "gold": self.gold,
            "mean_gold": self.mean_gold,
            "mean_gold_length": self.mean_gold_length,
            "pearson_r": self.pearson_r,
            "present_gold": self.present_gold,
            "documents_with_present": self.documents_with_present,
            "absent_share": self.absent_share,
            "keyphrases": self.keyphrases.to_json(),
        }
        if self.splits:
            made["splits"] = {name: part.to_json() for name, part in self.splits.items()}
        return made


def statistics(
    documents: Iterable[Document | Skipped], *, present: PresenceTest = "stems"
) -> CorpusStatistics:
    """The statistics of a corpus as a reader streams it.

    A gold keyphrase is present if a variant of it passes the test `present`, case-folded in any case:

    - `stems`: its tokens (runs of word characters, single marks), reduced to Porter stems, stand in the
      text one after the other. Hulth's 500 test abstracts have 3,862 such keyphrases among their 4,913;
      Yuan et al. (2020, table 8) count 3,858.
    - `words`: the same without stemming.
    - `alphanumeric`: as `stems`, but marks are no tokens, so that "object-oriented" is in "object
      oriented". Those abstracts then have 3,921.
    - `characters`: as a run of characters, so that "art" is in "party". In the 2,000 abstracts of Inspec
      22.6 % are absent then; Zesch and Gurevych (2009, table 1) have 23.8 %.

    Raises SpecError for another value of `present`.
    """
    tests = get_args(PresenceTest)
    if present not in tests:
        offered = f"{', '.join(tests[:-1])} or {tests[-1]}"
        raise SpecError.at("present", f"unknown test {present!r}", f"use {offered}")
    whole = _Tally(present)
    parts: dict[str, _Tally] = {}
    for entry in documents:
        if isinstance(entry, Skipped):
            whole.skipped += 1
            continue
        found = _present(entry, present) if entry.gold else 0
        counts, gold = _counts(entry, found), GoldTally.observed(entry, found)
        whole.add(counts)
        whole.gold.add(gold)
        split = entry.metadata.get("split")
        if split:
            part = parts.setdefault(str(split), _Tally(present))
            part.add(counts)
            part.gold.add(gold)
    return whole.finished({name: tally.finished({}) for name, tally in parts.items()})


_SUMMED = (
    "documents",
    "empty",
    "without_gold",
    "words",
    "tokens",
    "gold",
    "gold_tokens",
    "present_gold",
    "documents_with_present",
    "length_squares",
    "gold_squares",
    "length_gold",
)


class _Tally:
    def __init__(self, present: str) -> None:
        self.present = present
        self.skipped = 0
        self.sums = [0] * len(_SUMMED)
        self.gold = GoldTally()

    def add(self, counts: tuple[int, ...]) -> None:
        self.sums = [total + count for total, count in zip(self.sums, counts, strict=True)]

    def finished(self, splits: Mapping[str, CorpusStatistics]) -> CorpusStatistics:
        sums = dict(zip(_SUMMED, self.sums, strict=True))
        return CorpusStatistics(
            self.present, skipped=self.skipped, keyphrases=self.gold.finished(), splits=splits, **sums
        )


def _counts(document: Document, found: int) -> tuple[int, ...]:
    """What one document with `found` present gold keyphrases adds to each of `_SUMMED`."""
    words = len(document.text.split())
    gold = len(document.gold)
    return (
        1,
        int(words == 0),
        int(gold == 0),
        words,
        len(token_spans(document.text)),
        gold,
        sum(len(phrase_tokens(g.text)) for g in document.gold),
        found,
        int(found > 0),
        words**2,
        gold**2,
        words * gold,
    )


def _present(document: Document, present: str) -> int:
    text = _marked(document.text, present)
    return sum(_is_in(gold, text, present) for gold in document.gold)


def _is_in(gold: Gold, text: str, present: str) -> bool:
    forms = (_marked(variant, present) for variant in gold.variants)
    return any(form in text for form in forms if form.strip())


def _marked(text: str, present: str) -> str:
    """The tokens in one string, each between spaces, so that only whole tokens are found in it."""
    folded = fold(text)
    if present == "characters":
        return folded
    stem = stemmer("casefold" if present == "words" else "porter")
    token = _ALPHANUMERIC if present == "alphanumeric" else _TOKEN
    return f" {' '.join(map(stem, token.findall(folded)))} "


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
