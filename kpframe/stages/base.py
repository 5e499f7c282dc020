"""The base of every stage: one protocol for each arrow of the chain.

    documents → preprocessing → candidates → ranking → postprocessing → matching → metrics → reports

A stage is a frozen pydantic model: its fields are its parameters, with their ranges, units and
defaults, and the same model checks specs and yields the JSON schema for editors. A stage is
stateless, picklable and does nothing on construction. Its `kind` is the name of its file.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field

from kpframe.files.resources import checksum
from kpframe.model import (
    Annotations,
    Candidates,
    Document,
    Gold,
    Keyphrases,
    Matches,
    Place,
    Skipped,
)
from kpframe.model.summary import Summary

__all__ = [
    "FOLDERS",
    "PARTS",
    "Annotator",
    "Cleaner",
    "Counts",
    "Matching",
    "Metric",
    "Postprocessor",
    "Ranker",
    "Ranking",
    "Reader",
    "Report",
    "Selection",
    "Similarity",
    "Stage",
]

FOLDERS = (
    "documents",
    "preprocessing",
    "candidates",
    "ranking",
    "postprocessing",
    "matching",
    "metrics",
    "reports",
)
"""The boxes of the chain, in their order. This is the only place that states it."""

PARTS = ("similarity",)
"""Folders of what a stage may be given as a parameter; they stand in no box of the chain."""

Counts = tuple[float, ...]
"""What a metric keeps of one document: whole numbers where it counts, sums where it weighs."""


class Stage(BaseModel, ABC):
    """What all stages share."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    folder: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    source: ClassVar[str] = ""
    """Where the technique is described: authors, year, section."""
    short: ClassVar[str] = ""
    """The parameter that `kind@value` sets, if the stage has such a short form."""
    paths: ClassVar[tuple[str, ...]] = ()
    """The parameters that are paths; relative ones are relative to the file of the spec."""
    example: ClassVar[Mapping[str, Any]] = {}
    """Values for parameters, other than paths, without which the stage cannot be made; whoever lists or tries
    all stages makes it with these."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = cls.__module__.rsplit(".", 1)[-1]

    def requires(self) -> frozenset[str]:
        """The annotation layers that this stage reads."""
        return frozenset()

    def provides(self) -> frozenset[str]:
        """The annotation layers that this stage makes."""
        return frozenset()

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """What `kpframe check` should report beyond ranges: (parameter, problem, remedy).

        May look at the file system and at installed packages, but reads no text.
        """
        yield from ()

    def to_spec(self) -> dict[str, Any]:
        """Kind and all parameters, as plain values."""
        return {"kind": self.kind, **self.model_dump(mode="json")}

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All that the results of this stage depend on: parameters, contents of files, parts, models.

        A parameter that is a path is replaced by the checksum of what lies there: the same file elsewhere
        gives the same results, another in its place does not.
        """
        parts = {name: value.identity(languages) for name, value in self if isinstance(value, Stage)}
        identity = {**self.to_spec(), **parts}
        for path in self.paths:
            _seal_file(identity, path.split("."))
        return identity

    @cached_property
    def key(self) -> str:
        """Folder, kind and parameters as one string: equal stages have equal keys."""
        return f"{self.folder}/{json.dumps(self.to_spec(), sort_keys=True)}"

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        """As a spec spells it: `f1@5`, or `{kind: f1, k: 5, average: "micro"}`; defaults are left out."""
        fresh = type(self).model_construct()
        own = {name: value for name, value in self.to_spec().items() if name != "kind"}
        usual = fresh.model_dump(mode="json", warnings=False) if own else {}
        said = {name: value for name, value in own.items() if name not in usual or usual[name] != value}
        short = said.pop(self.short, own.get(self.short)) if self.short else None
        if not said:
            return f"{self.kind}@{short}" if isinstance(short, int | str) else self.kind
        given = {**({self.short: short} if self.short else {}), **said}
        return f"{{kind: {self.kind}, {', '.join(f'{n}: {json.dumps(v)}' for n, v in given.items())}}}"

    def __matmul__(self, value: Any) -> Self:
        """`F1() @ 5` is the stage `f1@5`; TypeError for a stage without such a short form."""
        if not self.short:
            return NotImplemented
        return type(self)(
            **{**{name: getattr(self, name) for name in self.model_fields_set}, self.short: value}
        )

    def __iter__(self) -> Generator[tuple[str, Any], None, None]:
        """Names and values of the parameters, without what is cached beside them."""
        for name in type(self).model_fields:
            yield name, getattr(self, name)


def _seal_file(identity: dict[str, Any], keys: Sequence[str]) -> None:
    """Put the checksum of a file, and the suffix that tells its layout, in the place of its path."""
    *above, last = keys
    for key in above:
        below = identity.get(key)
        if not isinstance(below, dict):
            return
        identity = below
    value = identity.get(last)
    if not isinstance(value, str) or not value or value == "-":
        return
    try:
        found: str | None = checksum(Path(value))
    except OSError:
        found = None
    identity[last] = {"sha256": found, "suffix": Path(value).suffix}


class Reader(Stage):
    """Streams documents out of a corpus."""

    folder: ClassVar[str] = "documents"

    @abstractmethod
    def read(self) -> Iterator[Document | Skipped]:
        """Documents in the corpus's order, and what had to be skipped with the reason.

        Raises DataError, naming file and line, where going on would be wrong.
        """

    def provides(self) -> frozenset[str]:
        """Layers that the corpus brings along (none for plain text)."""
        return frozenset()


class Cleaner(Stage):
    """A preprocessing step that changes the text before it is tokenised.

    Offsets in results refer to the cleaned text.
    """

    folder: ClassVar[str] = "preprocessing"

    @abstractmethod
    def clean(self, text: str) -> str:
        """The cleaned text."""


class Annotator(Stage):
    """Adds layers to texts.

    Annotators with the same non-empty `engine` are run in one pass: the class method `run` of the
    first gets all of them. An annotator without an engine is run alone, after those.
    """

    folder: ClassVar[str] = "preprocessing"

    def stands_alone(self) -> bool:
        """Whether running it beside others changes nothing that they make.

        If so, annotations with its layers serve, without them, those who do not need it.
        """
        return False

    def engine(self, language: str) -> str:
        """What runs this annotator in one pass with others (as `spacy`), or empty."""
        return ""

    @abstractmethod
    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """`annotations` (None for the first annotator) with this annotator's layers added."""

    @classmethod
    def run(
        cls,
        together: Sequence[Annotator],
        documents: Sequence[Document],
        annotations: Sequence[Annotations | None],
    ) -> Iterator[Annotations | Exception]:
        """Annotate a batch of documents with all of `together`, in order.

        A document that fails yields its exception, and the others are annotated.
        """
        for document, given in zip(documents, annotations, strict=True):
            try:
                made = given
                for annotator in together:
                    made = annotator.annotate(document, made)
                assert made is not None
                yield made
            except Exception as error:  # one bad document never loses the others
                yield error


class Selection(Stage):
    """Selects the candidates of a document."""

    folder: ClassVar[str] = "candidates"

    min_frequency: int = Field(
        1, ge=1, description="Keep candidates that stand in the text at least this often."
    )
    min_characters: int = Field(
        1, ge=1, description="Keep candidates whose surface form has at least this many characters."
    )
    first_within: int | None = Field(
        None,
        ge=1,
        description="Keep candidates that first occur among the first this many tokens; null: no limit.",
    )

    def level(self) -> Literal["words", "lemmas"]:
        """What identifies tokens: their folded words or their folded lemmas."""
        return "words"

    @abstractmethod
    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """All candidates, before the filters that every selection has."""

    def select(self, document: Document, annotations: Annotations) -> Candidates:
        """The candidates of a document."""
        proposed = self.propose(document, annotations)
        if (self.min_frequency, self.min_characters, self.first_within) == (1, 1, None):
            return proposed
        lengths = dict(zip(proposed.keys, map(len, proposed.surfaces), strict=True))
        limit = self.first_within or len(annotations) + 1

        def wanted(key: str, places: Sequence[Place]) -> bool:
            return (
                len(places) >= self.min_frequency
                and lengths[key] >= self.min_characters
                and places[0][0] < limit
            )

        return proposed.keep(wanted)


class Ranker(Protocol):
    """What ranks the candidates of one document: an unsupervised ranking, or a fitted one."""

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates with finite scores, best first."""
        ...


class Ranking(Stage):
    """Ranks candidates.

    A ranking that learns from documents says so by `fits_on`; then `observe` is called once for
    each of those documents (in any process), `fit` makes a state of plain JSON values out of all
    observations, taken in the order of document ids, and `restore` makes a ranker out of the state.
    """

    folder: ClassVar[str] = "ranking"

    probability: ClassVar[bool] = False
    """Whether scores are probabilities of being a keyphrase, in 0 … 1: trained here or elsewhere. Metrics of
    calibration read them, and no other scores."""
    leaves_out: ClassVar[bool] = False
    """Whether some candidates may get no rank at all, as the technique wants; others rank every candidate."""

    def fits_on(self) -> Literal["", "collection", "training"]:
        """The documents that must be seen before ranking: none, all, or the training part."""
        return ""

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """What a fitted state depends on, besides the documents and their annotations."""
        return {"ranking": self.identity(), "candidates": selection.identity()}

    def observe(self, candidates: Candidates) -> Any:
        """What the fit needs to know of one document: small and picklable."""
        raise NotImplementedError

    def fit(self, observations: Iterable[Any]) -> dict[str, Any]:
        """The state learned from the observations, as plain JSON values."""
        raise NotImplementedError

    def restore(self, state: Mapping[str, Any]) -> Ranker:
        """The ranker for a state that `fit` returned."""
        raise NotImplementedError

    @abstractmethod
    def rank(self, candidates: Candidates) -> Keyphrases:
        """Rank without a fitted state; StageError if there must be one."""


class Postprocessor(Stage):
    """Merges, filters or cuts ranked phrases."""

    folder: ClassVar[str] = "postprocessing"

    @abstractmethod
    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases after this step."""


class Matching(Stage):
    """Decides which predicted phrase hits which gold keyphrase."""

    folder: ClassVar[str] = "matching"

    @abstractmethod
    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; `text` decides which gold is absent."""

    def needs_text(self) -> bool:
        """Whether documents must come with their text."""
        return False

    @abstractmethod
    def signature(self) -> str:
        """The part of a score's signature that is about matching, as `match:exact|norm:casefold`."""


class Metric(Stage):
    """Measures ranked phrases against gold: counts a document, ratios and averages derived."""

    folder: ClassVar[str] = "metrics"

    needs_gold: ClassVar[bool] = True
    """False for what can be told of a list alone: then documents without gold count like all others."""

    bounded: ClassVar[bool] = True
    """Whether values lie in 0 … 1."""

    compared: ClassVar[bool] = True
    """Whether a higher value is a better one, so that tables may mark the best system."""

    average: Literal["macro", "micro"] = Field(
        "macro", description="macro: mean of the documents' values; micro: one ratio of summed counts."
    )
    empty: Literal["skip", "zero", "either"] = Field(
        "skip",
        description="Documents without gold keyphrases: left out of the average (skip), or counted as 0 "
        "(zero); either: documents without gold or without predictions are left out.",
    )

    @abstractmethod
    def label(self) -> str:
        """The short name with its cut-off, as `precision@5`."""

    @abstractmethod
    def count(self, matches: Matches) -> Counts:
        """The counts of one document from which everything is derived; empty if it has no value."""

    @abstractmethod
    def value(self, counts: Counts) -> float:
        """The measure, from the counts of one document or from sums of counts; as a rule in 0 … 1."""

    def parts(self, counts: Counts) -> tuple[float, ...]:
        """What is averaged, each by itself, where a mean is not one of whole values (see `f1`)."""
        return (self.value(counts),)

    def join(self, parts: Sequence[float]) -> float:
        """The value that (averaged) parts make."""
        return parts[0]


class Similarity(Stage):
    """How alike two phrases are; a parameter of matchings and metrics, and a measure of its own."""

    folder: ClassVar[str] = "similarity"

    bounded: ClassVar[bool] = True
    """Whether values lie in 0 … 1."""

    @abstractmethod
    def compare(self, predicted: str, gold: str) -> float:
        """The similarity of a predicted phrase to a gold keyphrase, both as they are written."""

    def matrix(self, predicted: Sequence[str], gold: Sequence[str]) -> list[list[float]]:
        """A row for each predicted phrase with its similarity to each gold keyphrase."""
        return [[self.compare(phrase, keyphrase) for keyphrase in gold] for phrase in predicted]


class Report(Stage):
    """Writes a run's summary somewhere."""

    folder: ClassVar[str] = "reports"

    @abstractmethod
    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write into `folder` (if the report is a file) and return what a terminal should show."""
