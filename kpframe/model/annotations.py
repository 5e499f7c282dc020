"""Stand-off annotations of one text, as a struct of arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kpframe.errors import StageError
from kpframe.model.asked_once import AskedOnce

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    IntArray = NDArray[np.int32]
else:  # numpy is a quarter of the time of a command that annotates nothing: it is imported where it computes
    IntArray = Any

__all__ = ["LAYERS", "SECTION_KINDS", "Annotations", "IntArray"]

LAYERS = ("tokens", "sentences", "lemmas", "tags", "pos", "chunks", "entities", "sections")
"""The named layers, in the order in which annotators add them."""

SECTION_KINDS = (
    "title", "abstract", "keywords", "introduction", "related_work", "method", "experiments", "discussion",
    "conclusion", "acknowledgements", "references", "appendix", "caption", "other", "front_matter",
)  # fmt: skip
"""What sections of papers can be; `other` where nothing tells. Trained models know them by their numbers."""


_SPANS = ("entities", "entity_labels", "sections", "section_kinds", "headings")


def _empty_spans() -> IntArray:
    import numpy as np

    return np.zeros((0, 2), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Annotations(AskedOnce):
    """All layers of one text of n tokens.

    `begins` and `ends` (shape n) are code-point offsets into `text`; white space is never a token.
    `words`, `lemmas`, `tags` (Penn or the model's own) and `pos` (universal part of speech, as
    NOUN) have shape n and hold indexes into `vocabulary`. `sentences`, `chunks` and `entities` have
    shape (m, 2): half-open token ranges, in text order; no chunk or entity crosses a sentence end.
    `entity_labels` (shape m) are indexes into `vocabulary`. `sections` (m, 2) are the parts of a paper, in
    text order, without overlap, headings included; `section_kinds` (m) are indexes into `vocabulary`
    (abstract, references, …), `headings` (m, 2) the tokens of their titles, an empty range for none. A layer
    that was not made is None.
    """

    text: str
    begins: IntArray
    ends: IntArray
    words: IntArray
    vocabulary: tuple[str, ...]
    sentences: IntArray
    lemmas: IntArray | None = None
    tags: IntArray | None = None
    pos: IntArray | None = None
    chunks: IntArray | None = None
    entities: IntArray | None = None
    entity_labels: IntArray | None = None
    sections: IntArray | None = None
    section_kinds: IntArray | None = None
    headings: IntArray | None = None

    def __post_init__(self) -> None:
        for name in ("begins", "ends", "words", "sentences", "lemmas", "tags", "pos", "chunks", *_SPANS):
            array = getattr(self, name)
            if array is not None:
                array.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """The layers alone: what was computed of them may hold functions, which do not travel."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As in the original no array can be written to, which pickling forgets."""
        self.__dict__.update(state)
        self.__post_init__()

    @classmethod
    def empty(cls, text: str) -> Annotations:
        """A text without any token."""
        import numpy as np

        none = np.zeros(0, dtype=np.int32)
        return cls(text, none, none, none, (), _empty_spans())

    def __len__(self) -> int:
        return len(self.begins)

    @property
    def layers(self) -> frozenset[str]:
        """The names of the layers that were made; `tokens` and `sentences` always are."""
        made = {name for name in LAYERS[2:] if getattr(self, name) is not None}
        return frozenset(made | {"tokens", "sentences"})

    def require(self, *layers: str) -> None:
        """Raise StageError unless all of `layers` were made."""
        missing = sorted(set(layers) - self.layers)
        if missing:
            raise StageError.at(
                "annotations", f"no layer {', '.join(missing)}", "add the annotator to the spec"
            )

    def with_layers(self, **layers: Any) -> Annotations:
        """A copy with the given fields replaced."""
        return replace(self, **layers)

    def strings(self, layer: IntArray) -> list[str]:
        """The strings of a layer of vocabulary indexes, one a token."""
        vocabulary = self.vocabulary
        return list(map(vocabulary.__getitem__, layer.tolist()))

    @cached_property
    def offsets(self) -> tuple[list[int], list[int]]:
        """`begins` and `ends` as plain integers, for loops over tokens."""
        return self.begins.tolist(), self.ends.tolist()

    @cached_property
    def folded_words(self) -> list[str]:
        """What the word of each token is called: the same for words that matching takes for one (CO₂, CO2).

        It is the first of them in the text, case-folded.
        """
        return self._named(self.words)

    @cached_property
    def folded_lemmas(self) -> list[str]:
        """What the lemma of each token is called, as `folded_words`."""
        self.require("lemmas")
        assert self.lemmas is not None
        return self._named(self.lemmas)

    def _named(self, layer: IntArray) -> list[str]:
        numbers = layer.tolist()
        names, folded = self._names
        if folded is None:
            return list(map(names.__getitem__, numbers))
        first: dict[str, str] = {}
        return [first.setdefault(folded[number], names[number]) for number in numbers]

    @cached_property
    def _names(self) -> tuple[list[str], list[str] | None]:
        """The vocabulary case-folded, and folded as matching does, None where both are the same."""
        names = list(map(str.casefold, self.vocabulary))
        letters = "".join(names)
        if letters.isascii() and "`" not in letters:  # most English texts, in a quarter of the time
            return names, None
        from kpframe.model.folding import fold_word  # here: who annotates nothing needs none of its patterns

        folded = list(map(fold_word, self.vocabulary))
        return names, None if folded == names else folded

    @cached_property
    def sentence_of(self) -> list[int]:
        """The index of the sentence of each token."""
        import numpy as np

        numbers = np.arange(len(self.sentences), dtype=np.int32)
        return np.repeat(numbers, self.sentences[:, 1] - self.sentences[:, 0]).tolist()

    def surface(self, begin: int, end: int) -> str:
        """The text of the tokens `begin` to `end` (half-open), without signs that nobody sees.

        Runs of white space are one space.
        """
        known = self._surfaces.get((begin, end))
        if known is None:
            begins, ends = self.offsets
            text = self.text[begins[begin] : ends[end - 1]]
            known = text if text.isalnum() else _seen(text)
            self._surfaces[begin, end] = known
        return known

    def surfaces(self, places: Iterable[tuple[int, int]]) -> list[str]:
        """The surface of each of many ranges of tokens."""
        known, text = self._surfaces, self.text
        begins, ends = self.offsets
        found = []
        for place in places:
            surface = known.get(place)
            if surface is None:
                surface = text[begins[place[0]] : ends[place[1] - 1]]
                if not surface.isalnum():
                    surface = _seen(surface)
                known[place] = surface
            found.append(surface)
        return found

    @cached_property
    def _surfaces(self) -> dict[tuple[int, int], str]:
        """The surfaces asked for so far: a grid asks for the same ones again and again."""
        return {}

    def adjacent(self, left: int, right: int) -> bool:
        """Whether only white space, or nothing to be seen, stands between token `left` and token `right`."""
        begins, ends = self.offsets
        gap = self.text[ends[left] : begins[right]]
        return not gap or gap.isspace() or not _seen(gap)

    def columns(self) -> dict[str, list[Any]]:
        """The tokens as columns: begin, end, sentence (from 0), word, and lemma, tag and pos where made."""
        layers = {"word": self.words, "lemma": self.lemmas, "tag": self.tags, "pos": self.pos}
        made = {name: self.strings(layer) for name, layer in layers.items() if layer is not None}
        begins, ends = self.offsets
        return {"begin": begins, "end": ends, "sentence": self.sentence_of, **made}


def _seen(text: str) -> str:
    if text.isascii():
        return " ".join(text.split())
    from kpframe.model.folding import seen

    return seen(text)
