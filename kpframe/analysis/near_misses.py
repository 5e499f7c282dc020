"""Near misses by the place of the overlap, the form of the phrase and its word classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple

from kpframe.errors import DataError
from kpframe.language.stems import stemmer
from kpframe.language.words import phrase_tokens
from kpframe.model import Matches, Phrase
from kpframe.model.penn import universal

__all__ = ["NearMiss", "NearMisses", "Neighbours", "Tags", "missed_pairs", "near_miss", "near_misses"]

Tags = Mapping[str, Sequence[str]]
"""Penn Treebank tags of phrases, one for each token of `normalize.phrase_tokens`."""

PLACES = ("head", "first", "middle")
FORMS = ("simple", "pp", "cc")
CLASSES = ("adjn", "nn")
LONGER = ("keyphrase", "predicted", "neither")

_CLOSED = {
    "ADP": "about above across after against along among around as at before behind below beneath beside "
    "between beyond by despite during for from in inside into like near of off on onto out over per since "
    "through throughout to toward towards under until upon using versus via vs with within without",
    "CCONJ": "and or nor but &",
    "DET": "a an the this that these those its their our your his her 's",
}
_NO_CONTENT = ("ADP", "CCONJ", "DET", "PUNCT")
CLOSED_CLASSES = {word: kind for kind, words in _CLOSED.items() for word in words.split()}
"""English prepositions, conjunctions and determiners, which need no tags to be known."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A predicted phrase and a gold keyphrase that share content words without being equal.

    The classes are those of the *whole*: the longer phrase, of equally long ones the keyphrase.

    - `place`, where the overlap lies in the whole: `head` if its head is shared, else `first` if its
      first word is, else `middle`. The head is the last word before the first preposition ("quality" in
      "quality of service"), without a preposition the last word.
    - `form`: `pp` if the whole has a preposition, else `cc` if it has a conjunction, else `simple`.
    - `classes`: `nn` if all its content words are nouns, `adjn` if there are adjectives among them; None
      without tags, and for any other part of speech.
    - `longer` says which phrase the whole is, and `contained` whether the other one is a run of it.
    """

    predicted: str
    keyphrase: str
    place: Literal["head", "first", "middle"]
    form: Literal["simple", "pp", "cc"]
    classes: Literal["adjn", "nn"] | None
    longer: Literal["keyphrase", "predicted", "neither"]
    contained: bool

    def to_json(self) -> dict[str, Any]:
        """All fields as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class NearMisses:
    """The near misses among `pairs` pairs of phrases, in the order of the pairs."""

    pairs: int
    found: tuple[NearMiss, ...]

    @property
    def places(self) -> dict[str, int]:
        """How many lie at the head, first and middle."""
        return self._counts("place", PLACES)

    @property
    def forms(self) -> dict[str, int]:
        """How many are simple, have a preposition, or have a conjunction."""
        return self._counts("form", FORMS)

    @property
    def classes(self) -> dict[str, int]:
        """How many are noun sequences or have adjectives, and of how many that is `unknown`."""
        known = self._counts("classes", CLASSES)
        return {**known, "unknown": len(self.found) - sum(known.values())}

    @property
    def places_by_longer(self) -> dict[str, dict[str, int]]:
        """The places, for each answer to the question which phrase is longer (section 4.3)."""
        return {
            longer: NearMisses(0, tuple(miss for miss in self.found if miss.longer == longer)).places
            for longer in LONGER
        }

    def _counts(self, name: str, values: Sequence[str]) -> dict[str, int]:
        counts = Counter(getattr(miss, name) for miss in self.found)
        return {value: counts[value] for value in values}

    def to_json(self) -> dict[str, Any]:
        """Counts by class, and every near miss."""
        return {
            "pairs": self.pairs,
            "near_misses": len(self.found),
            "places": self.places,
            "forms": self.forms,
            "classes": self.classes,
            "places_by_longer": self.places_by_longer,
            "found": [miss.to_json() for miss in self.found],
        }


def near_miss(predicted: str, keyphrase: str, tags: Tags | None = None) -> NearMiss | None:
    """The classes of a pair; None if the phrases are equal or share no content word.

    Words are compared by Porter stems; prepositions, conjunctions and determiners are no content and
    shared ones no overlap. They are known by closed lists of English words, or by `tags` of the whole;
    DataError if those are not as many as its tokens.

    Source: Kim, Baldwin & Kan (2010), sections 4.3 and 5.2. The paper looks at keyphrases and their
    substrings alone; it does not say what the head of a phrase with a preposition is, which class a
    phrase with both a preposition and a conjunction has, nor where an overlap of first word and head
    belongs. If the prediction is longer, it is the whole here, as otherwise nothing could lie in the middle.
    """
    return _near_miss(predicted, keyphrase) if tags is None else _classified(predicted, keyphrase, tags)


@lru_cache(maxsize=200_000)
def _near_miss(predicted: str, keyphrase: str) -> NearMiss | None:
    """The same pairs come again and again: from system to system, and from document to document."""
    return _classified(predicted, keyphrase, None)


def _classified(predicted: str, keyphrase: str, tags: Tags | None) -> NearMiss | None:
    one, two = _read(predicted), _read(keyphrase)
    whole, part = (one, two) if len(one.tokens) > len(two.tokens) else (two, one)
    kinds = _tagged(whole, tags) if tags is not None and whole.phrase in tags else whole.kinds
    places = [place for place, kind in enumerate(kinds) if kind not in _NO_CONTENT]
    shared = {whole.stems[place] for place in places}.intersection(part.stems)
    if not shared or whole.stems == part.stems:
        return None
    # A preposition without content on both sides is none: "off line processing".
    split = [p for p, kind in enumerate(kinds) if kind == "ADP" and places[0] < p < places[-1]]
    head = max(place for place in places if not split or place < split[0])
    place: Literal["head", "first", "middle"] = (
        "head" if whole.stems[head] in shared else "first" if whole.stems[places[0]] in shared else "middle"
    )
    form: Literal["simple", "pp", "cc"] = "pp" if split else "cc" if "CCONJ" in kinds else "simple"
    longer: Literal["keyphrase", "predicted", "neither"] = (
        "neither" if len(one.stems) == len(two.stems) else "predicted" if whole is one else "keyphrase"
    )
    classes = _classes(kinds) if tags is not None and whole.phrase in tags else None
    return NearMiss(predicted, keyphrase, place, form, classes, longer, _is_run(part.stems, whole.stems))


def near_misses(pairs: Iterable[tuple[str, str]], tags: Tags | None = None) -> NearMisses:
    """The near misses among pairs of a predicted phrase and a gold keyphrase."""
    given = list(pairs)
    classified = (near_miss(predicted, keyphrase, tags) for predicted, keyphrase in given)
    return NearMisses(len(given), tuple(miss for miss in classified if miss is not None))


def missed_pairs(matches: Matches) -> Iterator[tuple[str, str]]:
    """Every prediction that hits nothing with every gold keyphrase of its document, in rank order.

    Of a keyphrase with variants the first that is a near miss stands for it, otherwise its first one.
    DataError if the matching did not keep what it compared.
    """
    _refuse_unknown(matches)
    for rank, hit in enumerate(matches.hits):
        if hit >= 0:
            continue
        predicted = matches.given[matches.positions[rank]]
        for variants in matches.keyphrases:
            forms = list(map(_form, variants))
            near = (form for form in forms if near_miss(predicted, form) is not None)
            yield predicted, next(near, forms[0])


class Neighbours:
    """The gold keyphrases of a document, and which of them a predicted phrase nearly is: looked for once.

    Most pairs share no word: only those are looked at whose stems meet in an index of the keyphrases.
    """

    def __init__(self, keyphrases: Sequence[Sequence[Phrase]]) -> None:
        self._forms = [list(map(_form, variants)) for variants in keyphrases]
        self._index: dict[str, set[int]] = {}
        for number, forms in enumerate(self._forms):
            for stem in {stem for form in forms for stem in _read(form).stems}:
                self._index.setdefault(stem, set()).add(number)
        self._known: dict[str, tuple[NearMiss, ...]] = {}

    def of(self, matches: Matches) -> NearMisses:
        """The near misses among the `missed_pairs` of one system."""
        _refuse_unknown(matches)
        missed = [matches.given[matches.positions[rank]] for rank, hit in enumerate(matches.hits) if hit < 0]
        found = chain.from_iterable(map(self._near, missed))
        return NearMisses(len(missed) * len(self._forms), tuple(found))

    def _near(self, predicted: str) -> tuple[NearMiss, ...]:
        if predicted not in self._known:
            met = {number for stem in _read(predicted).stems for number in self._index.get(stem, ())}
            firsts = (self._first(predicted, self._forms[number]) for number in sorted(met))
            self._known[predicted] = tuple([miss for miss in firsts if miss is not None])
        return self._known[predicted]

    @staticmethod
    def _first(predicted: str, forms: Iterable[str]) -> NearMiss | None:
        near = (_near_miss(predicted, form) for form in forms)
        return next((miss for miss in near if miss is not None), None)


def _refuse_unknown(matches: Matches) -> None:
    if len(matches.positions) != len(matches.hits):
        problem = "the matching did not keep the phrases that it compared"
        raise DataError.at(
            "near misses", problem, "use a matching of kpframe, or give it `positions` and `given`"
        )


def _form(variant: Phrase) -> str:
    return variant.surface or " ".join(variant.tokens)


class _Read(NamedTuple):
    """A phrase as it is compared: a stem and, by the closed lists, a part of speech for each token."""

    phrase: str
    tokens: tuple[str, ...]
    stems: tuple[str, ...]
    kinds: tuple[str, ...]


@lru_cache(maxsize=200_000)
def _read(phrase: str) -> _Read:
    tokens = phrase_tokens(phrase)
    stems = tuple(map(stemmer("porter"), tokens))
    return _Read(phrase, tokens, stems, tuple(map(_closed_class, tokens)))


def _tagged(whole: _Read, tags: Tags) -> list[str]:
    """A universal part of speech for each token."""
    given = tags[whole.phrase]
    if len(given) != len(whole.tokens):
        problem = f"has {len(given)} tags for {len(whole.tokens)} tokens ({' '.join(whole.tokens)})"
        raise DataError.at(repr(whole.phrase), problem, "give one Penn tag for each token")
    # In a noun phrase TO is a preposition ("access to data"), and a possessive 's has no content.
    return ["ADP" if tag == "TO" else "DET" if tag == "POS" else universal(tag) for tag in given]


def _closed_class(token: str) -> str:
    open_class = "X" if any(character.isalnum() for character in token) else "PUNCT"
    return CLOSED_CLASSES.get(token, open_class)


def _classes(kinds: Sequence[str]) -> Literal["adjn", "nn"] | None:
    content = {kind for kind in kinds if kind not in _NO_CONTENT}
    if content <= {"NOUN", "PROPN"}:
        return "nn"
    return "adjn" if "ADJ" in content and content <= {"ADJ", "NOUN", "PROPN"} else None


def _is_run(part: Sequence[str], whole: Sequence[str]) -> bool:
    ends = range(len(part), len(whole) + 1)
    return any(tuple(whole[end - len(part) : end]) == tuple(part) for end in ends)
