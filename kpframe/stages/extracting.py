"""The bases of the boxes from documents to post-processing: one protocol for each arrow of the chain."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from pydantic import Field

from kpframe.language.words import LONGEST_WORD
from kpframe.model import (
    Annotations,
    Candidates,
    Document,
    Keyphrases,
    Place,
    Skipped,
    Traced,
)
from kpframe.stages.base import Stage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Annotator",
    "Cleaner",
    "Embedding",
    "Postprocessor",
    "Ranker",
    "Ranking",
    "Reader",
    "Selection",
]


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

    def in_folder(self, folder: str, *, whole_name: bool = False) -> Self:
        """The same reader, with a folder in the names of documents without an id; here it gives none.

        `whole_name`: with the ending of their file in them too.
        """
        return self


class Cleaner(Stage):
    """A preprocessing step that changes the text before it is tokenised.

    Spans in results refer to the text as it was given, if the cleaner says by `edit` what it changed. One
    that only has `clean` leaves no way back: spans of its results refer to the cleaned text.

    `tidies`: it only changes how words are printed, and is left out for texts that come with their tokens.
    """

    folder: ClassVar[str] = "preprocessing"
    tidies: ClassVar[bool] = False

    def cleans(self, *, has_tokens: bool) -> bool:
        """Whether it is used for a text that has its tokens already, or none yet."""
        return not (has_tokens and self.tidies)

    @abstractmethod
    def clean(self, text: str) -> str:
        """The cleaned text."""

    def edit(self, text: Traced) -> Traced:
        """The cleaned text with the way back; `clean` gives the same text."""
        made = self.clean(text.text)
        return text if made == text.text else Traced.lost(made)


class Annotator(Stage):
    """Adds layers to texts.

    Annotators with the same non-empty `engine` are run in one pass: the class method `run` of the
    first gets all of them. An annotator without an engine is run alone, after those.

    Of two that make the same layer one would be lost, so a spec with both is refused, unless the later has
    the layer in its `requires` too: it changes what it finds.
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
    longest_word: int = Field(
        LONGEST_WORD,
        ge=1,
        le=LONGEST_WORD,
        description="Drop candidates with a word of more characters; what is longer than the default is data "
        "and in no candidate.",
    )

    def level(self) -> Literal["words", "lemmas"]:
        """What identifies tokens: their folded words or their folded lemmas."""
        return "words"

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters but `longest_word` where it is the default: models from before it was one go on."""
        found = super().identity(languages)
        return {
            name: value for name, value in found.items() if (name, value) != ("longest_word", LONGEST_WORD)
        }

    @abstractmethod
    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """All candidates, before the filters that every selection has."""

    def select(self, document: Document, annotations: Annotations) -> Candidates:
        """The candidates of a document."""
        proposed = self.propose(document, annotations)
        if self.longest_word < LONGEST_WORD:
            proposed = self._without_long_words(proposed)
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

    def _without_long_words(self, proposed: Candidates) -> Candidates:
        annotations = proposed.annotations
        long = (annotations.ends - annotations.begins > self.longest_word).tolist()
        return proposed.keep(lambda _, places: not any(any(long[begin:end]) for begin, end in places))


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


class Embedding(Stage):
    """Vectors of phrases and texts, near to one another where their meanings are; a parameter of stages."""

    folder: ClassVar[str] = "embedding"

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """A row for each text, shape (texts, dimensions); a text of which nothing is known has zeros.

        A row depends on its text alone, not on those beside it.
        """

    def directions(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The same rows with length 1, so that products are cosines; rows of zeros stay."""
        import numpy as np

        rows = self.encode(texts)
        lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
        found: NDArray[np.float64] = rows / np.where(lengths > 0, lengths, 1.0)
        return found
