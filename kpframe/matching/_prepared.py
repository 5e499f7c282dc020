"""What every matching does first: normalise, unite, and part what is present from what is absent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from pydantic import Field, field_validator

from kpframe.errors import DataError, ResourceError, SpecError
from kpframe.language.codes import DEFAULT, EACH, language_code
from kpframe.language.lemmas import has_lemmas
from kpframe.language.models import module_name
from kpframe.language.stems import stem_limits
from kpframe.matching._gold_index import GoldIndex, SameGold, gold_index
from kpframe.matching._normalised import Phrase, Tokens, normaliser
from kpframe.matching._presence import Presence, PresenceTest, are_present
from kpframe.model import AUTO, Gold, Matches
from kpframe.model.folding import Folding
from kpframe.stages import Matching
from kpframe.stages.parts import SIGNATURE_NAMES, as_text

__all__ = ["Prepared", "PreparedMatching", "settled_language"]


@dataclass(frozen=True)
class Prepared:
    """The kept gold keyphrases, and the predictions that count with their places in the list."""

    index: GoldIndex
    phrases: tuple[Phrase, ...]
    positions: tuple[int, ...]
    given: tuple[str, ...]
    first: Mapping[tuple[str, ...], int]
    """Tokens → where in `given` the phrase stands that counts."""

    told: dict[str, Any] = field(default_factory=dict, compare=False)
    """What a matching found out of it alone, for another that asks the same."""

    def matches(
        self,
        hits: Sequence[int],
        rules: Sequence[str],
        related: Sequence[Sequence[int]] | None = None,
        kind: type[Matches] = Matches,
        **more: Any,
    ) -> Matches:
        """The outcome, with all that was compared."""
        return kind(
            hits=tuple(hits),
            rules=tuple(rules),
            gold=len(self.index.gold),
            dropped=self.index.dropped,
            phrases=self.phrases,
            keyphrases=self.index.gold,
            positions=self.positions,
            given=self.given,
            related=None if related is None else tuple(map(tuple, related)),
            **more,
        )


class PreparedMatching(Matching):
    """The parameters that all matchings share.

    Gold keyphrases and predictions are compared by their tokens under one normalisation. Any variant of
    a gold keyphrase may be hit. Of predictions that are equal after normalisation only the first counts:
    later ones, and empty ones, are taken off the list, so that the phrases behind them move up. So do
    they where only present or only absent phrases count: lists are parted before they are cut.
    """

    normalize: Literal["casefold", "porter", "snowball", "lancaster", "lemma"] = Field(
        "casefold",
        description="How tokens are compared: case-folded, by stems (the three are for English; others "
        "have Snowball's), or by noun lemmas.",
    )
    tokens: Tokens = Field(
        "words",
        description="How phrases and texts are cut into tokens: words: as everywhere in kpframe; blanks: at "
        "white space; alphanumeric: runs of letters, digits and underscores.",
    )
    fold: Folding = Field(
        "full",
        description="What is equal before tokens are made. full: in NFC, without case (ß is ss), all quotes, "
        "hyphens, dashes and minus signs as in ASCII; lower: lower-cased, as programs do.",
    )
    absent: Literal["drop", "keep", "split", "only"] = Field(
        "drop",
        description="What stands in the text and what does not. drop: gold that is not in the text is left "
        "out; keep: all gold counts; split: gold and predictions that are not in the text are left out (the "
        "present subset); only: those that are in the text are left out (the absent subset).",
    )
    presence: PresenceTest = Field(
        "tokens",
        description="What it is to stand in the text. tokens: as whole tokens, contiguous and in order, "
        "normalised as for matching; characters: as any run of characters of the normalised text; "
        "surface_…: the same on case-folded words; stem_…: the same on stems (Porter's in English).",
    )
    duplicates: Literal["unite", "keep"] = Field(
        "unite",
        description="Gold keyphrases that share a variant after normalisation: counted once, or each.",
    )

    language: str = Field(
        AUTO,
        description="The language by whose stems, lemmas and plurals phrases are compared: a code or an "
        "English name; auto: that of each document, English where it is not known; each: the same, said of a "
        "collection in several languages.",
    )

    @field_validator("language")
    @classmethod
    def _known(cls, language: str) -> str:
        if language == EACH:
            return language
        try:
            return language_code(language)
        except SpecError as error:
            raise ValueError(error.problems[0].problem) from None

    def in_language(self, language: str) -> Matching:
        """This matching by the stems, lemmas and plurals of a language; English is what it does by itself."""
        if self.language not in (AUTO, EACH) or language in (AUTO, self.language):
            return self
        return self if (self.language, language) == (AUTO, DEFAULT) else _in_language(self, language)

    def limits(self, language: str) -> Iterator[str]:
        """Stems and lemmas that are not known."""
        fixed = settled_language(self)
        if self.language not in (AUTO, EACH) and fixed != language:
            yield f"{self.kind} compares by stems and plurals of {fixed}"
            return
        if self.normalize in ("porter", "snowball", "lancaster") or self.presence.startswith("stem"):
            yield from stem_limits(language)
        if self.normalize == "lemma" and not has_lemmas(language):
            yield "there is no table of lemmas, so words stand for themselves"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing language model."""
        if self.normalize != "lemma":
            return
        try:
            module_name("en")
        except ResourceError as error:
            missing = error.problems[0]
            yield "normalize", f"{missing.place} {missing.problem}", missing.remedy

    def needs_text(self) -> bool:
        """Unless all gold counts, to tell what is absent."""
        return self.absent != "keep"

    def signature(self) -> str:
        """Kind and all parameters, as `match:exact|norm:casefold|…|dup:unite`; English is not named."""
        shared = PreparedMatching.model_fields
        own = [(name, value) for name, value in self if name not in shared]
        values = [*own, *((name, value) for name, value in self if name in shared)]
        parts = (
            f"{SIGNATURE_NAMES.get(name, name)}:{as_text(value)}"
            for name, value in values
            if name != "language" or value not in (AUTO, DEFAULT)
        )
        return "|".join((f"match:{self.kind}", *parts))

    def prepare(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Prepared:
        """Normalise and part both lists; DataError if absent gold cannot be told."""
        if self.absent == "keep":
            text = None
        elif text is None:
            raise DataError.at(
                f"matching {self.kind!r}",
                f"absent: {self.absent} needs the document's text",
                "give documents with their text, or use absent: keep",
            )
        return _prepared(self._settings, tuple(predicted), SameGold(gold), text)

    @cached_property
    def _settings(self) -> _Settings:
        language = settled_language(self)
        test = Presence.of(self.presence, self.normalize, self.tokens, self.fold, language)
        unite = self.duplicates == "unite"
        return _Settings(self.normalize, self.tokens, self.fold, self.absent, test, unite, language)


def settled_language(matching: PreparedMatching) -> str:
    """The language by which a matching compares; English where nobody has said another."""
    return DEFAULT if matching.language in (AUTO, EACH) else matching.language


@lru_cache(maxsize=256)
def _in_language(matching: PreparedMatching, language: str) -> Matching:
    return type(matching)(**{**dict(matching), "language": language})


class _Settings(NamedTuple):
    """What the parameters of a matching come to, as far as they bear on what is compared."""

    normalize: str
    tokens: Tokens
    fold: Folding
    absent: str
    presence: Presence
    unite: bool
    language: str


# The matchings of a document, one after the other, often differ only in what they do with this.
@lru_cache(maxsize=16)
def _prepared(settings: _Settings, predicted: tuple[str, ...], gold: SameGold, text: str | None) -> Prepared:
    normalize, tokens, fold, absent, test, unite, language = settings
    # Where all gold counts there is nothing to test.
    presence = None if text is None else test
    index = gold_index(gold, text, normalize, unite, tokens, presence, absent != "only", fold, language)
    counting: Sequence[int] = range(len(predicted))
    counted: Sequence[str] = predicted
    if text is not None and absent in ("split", "only"):
        there = are_present(predicted, text, test)
        counting = [i for i in counting if there[i] is (absent == "split")]
        counted = [predicted[i] for i in counting]
    known = normaliser(normalize, tokens, fold, language)
    phrases = list(map(known.__getitem__, counted))
    # From behind, so that of equal ones the first is written last.
    first = dict(zip([phrase.tokens for phrase in reversed(phrases)], reversed(counting), strict=True))
    first.pop((), None)
    positions = sorted(first.values())
    if len(positions) < len(phrases):
        phrases = [known[predicted[i]] for i in positions]
    return Prepared(index, tuple(phrases), tuple(positions), predicted, first)
