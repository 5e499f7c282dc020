"""Put phrases together from the words that were kept, as TextRank does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.language.stems import stemmer_of
from kpframe.model import Keyphrases, Place, Ranked
from kpframe.postprocessing._entries import commonest_form
from kpframe.stages import Postprocessor

__all__ = ["JoinRuns"]


class JoinRuns(Postprocessor):
    """Every longest run of kept words becomes a phrase; a word by itself stays where it stands alone.

    TextRank keeps the best third of its words (`top`, before this step), marks them in the text and takes
    what stands side by side in a sentence as one phrase, wherever that is. A word is marked wherever it
    stands, also where its part of speech is another one ("switching" before a noun, though a verb), unless
    `mark` is `places`. A phrase has the words' keys, joined by a space, as key, all its places, and a score
    made of its words'. Candidates of several tokens are joined as a whole; where places overlap, the run is
    what they cover together, scored by the parts that stand in it.

    Beside `merge_adjacent`, which limits the length of what it makes and lets a word lend its score only at
    its first place, this is the published rule, which gives long phrases in lists and tables.
    """

    source: ClassVar[str] = "Mihalcea and Tarau 2004, section 3.1"

    score: Literal["sum", "max", "mean"] = Field(
        "sum", description="How the scores of its words become the score of a phrase."
    )
    mark: Literal["words", "places"] = Field(
        "words",
        description="Where kept words are marked: wherever they stand in the text, or at their own places.",
    )
    stem: Literal["porter", "snowball", "lancaster"] | None = Field(
        None,
        description="The stemmer that made the candidates' keys, so that words are known by it; or null.",
    )

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """One phrase for each distinct run."""
        annotations, entries = keyphrases.annotations, keyphrases.entries
        places: dict[str, list[Place]] = {}
        scores: dict[str, float] = {}
        for run, owners in self._runs(keyphrases):
            key = " ".join(entries[owner].key for owner in owners)
            places.setdefault(key, []).append(run)
            if key not in scores:
                scores[key] = self._score([entries[owner].score for owner in owners])
        return keyphrases.replaced(
            Ranked(key, commonest_form(annotations, found), scores[key], tuple(found))
            for key, found in places.items()
        )

    def _runs(self, keyphrases: Keyphrases) -> Iterator[tuple[Place, list[int]]]:
        """The runs in text order, with the entries whose places make them."""
        sentence_of = keyphrases.annotations.sentence_of
        first = last = -1
        owners: list[int] = []
        for begin, end, owner in self._marked(keyphrases):
            if owners and (begin > last or sentence_of[begin] != sentence_of[first]):
                yield (first, last), owners
                owners = []
            if not owners:
                first, last = begin, end
            owners.append(owner)
            last = max(last, end)
        if owners:
            yield (first, last), owners

    def _marked(self, keyphrases: Keyphrases) -> list[tuple[int, int, int]]:
        """(first token, token past the last, entry) of all that is marked, in text order."""
        entries = keyphrases.entries
        marked = {(*place, owner) for owner, entry in enumerate(entries) for place in entry.places}
        if self.mark == "words":
            number = {entry.key: owner for owner, entry in enumerate(entries)}
            annotations, lemmas = keyphrases.annotations, keyphrases.level == "lemmas"
            strings = annotations.folded_lemmas if lemmas else annotations.folded_words
            reduce = stemmer_of(keyphrases.document.language, self.stem) if self.stem else str
            known = map(reduce, strings)
            owners = ((token, number.get(string)) for token, string in enumerate(known))
            marked.update((token, token + 1, owner) for token, owner in owners if owner is not None)
        return sorted(marked)

    def _score(self, parts: list[float]) -> float:
        if self.score == "max":
            return max(parts)
        return sum(parts) if self.score == "sum" else sum(parts) / len(parts)
