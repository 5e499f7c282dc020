"""Predictions and gold keyphrases as trec_eval reads them: a run of ranked phrases, and qrels.

The query is the document, and what is retrieved are its phrases. A phrase is named by its normalised
tokens, so that equal names are exact matches, and every tool that counts equal names finds the hits that
`exact` matching finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from kpframe.errors import DataError
from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.scoring import chosen_measures
from kpframe.files.escaping import field_text, text_field
from kpframe.model import Matches, Phrase
from kpframe.stages import Matching

__all__ = ["Subset", "TrecDocument", "field_text", "text_field", "trec_documents", "trec_matching"]

Subset = Literal["all", "present", "absent"]
"""Phrases that stand in the text, phrases that do not, or all; gold and predictions alike."""

_ABSENT = {"all": "keep", "present": "split", "absent": "only"}
_VARIANTS = "|"


@dataclass(frozen=True, slots=True)
class TrecDocument:
    """A document's lines: the names of its gold keyphrases, and of its phrases, best first."""

    id: str
    gold: tuple[str, ...]
    phrases: tuple[str, ...]

    def qrels(self) -> Iterator[str]:
        """`id 0 name 1` for each gold keyphrase."""
        name = text_field(self.id)
        for gold in self.gold:
            yield f"{name} 0 {gold} 1\n"

    def run(self, tag: str) -> Iterator[str]:
        """`id Q0 name rank score tag` for each phrase.

        The score is the number of phrases that are not better. Scores of the system itself may be equal,
        and then trec_eval would order by name; it also holds them in 32 bits.
        """
        name, system = text_field(self.id), text_field(tag)
        for rank, phrase in enumerate(self.phrases, start=1):
            yield f"{name} Q0 {phrase} {rank} {len(self.phrases) - rank + 1} {system}\n"


def trec_matching(normalize: str = "porter", subset: Subset = "all") -> Matching:
    """The matching whose hits the exported names have: exact, gold duplicates united.

    Raises SpecError for an unknown normalisation or subset.
    """
    parameters = {"kind": "exact", "normalize": normalize, "absent": _ABSENT.get(subset, subset)}
    (measure,) = chosen_measures(None, parameters, texts=True)
    return measure.matching


def trec_documents(pairs: Iterable[Pair], matching: Matching) -> Iterator[TrecDocument]:
    """The lines of documents under a `trec_matching`.

    Raises DataError where a document's text is needed and not known.
    """
    for pair in pairs:
        if not pair.id:
            raise DataError.at("ids", "a document has none", "give every document an id")
        yield _document(pair.id, matching.match(pair.phrases, pair.gold, pair.text))


def _document(name: str, matches: Matches) -> TrecDocument:
    gold = tuple(map(_named, matches.keyphrases))
    phrases = (
        gold[hit] if hit >= 0 else _named((phrase,))
        for phrase, hit in zip(matches.phrases, matches.hits, strict=True)
    )
    return TrecDocument(name, gold, tuple(phrases))


def _named(variants: Sequence[Phrase]) -> str:
    """The name of a keyphrase; one with variants has the names of all.

    So a phrase that equals a variant after another was found has a name that is not in the qrels.
    """
    return _VARIANTS.join(text_field(" ".join(variant.tokens)) for variant in variants)
