"""The terms of a controlled vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from kpframe.candidates._term_lists import checked_terms, terms_of_file, terms_of_resource
from kpframe.candidates._term_trie import Match, TermTrie
from kpframe.errors import KpframeError
from kpframe.files.changes import while_unchanged
from kpframe.model import Annotations, Candidates, Document, Place
from kpframe.model.folding import fold
from kpframe.stages import Selection

__all__ = ["Vocabulary"]

Terms = tuple[str, ...] | dict[str, tuple[str, ...]]


class Vocabulary(Selection):
    """The terms of a list that occur in the text, whatever their case.

    A term found through a synonym is shown by its preferred form as the list spells it, so that the
    output is a subset of the list; its places are those of the synonym. Terms come from exactly one
    of `terms`, `path` and `resource`. A list of more than about a thousand terms belongs into a
    file, which is read once a process.
    """

    source: ClassVar[str] = "Medelyan and Witten 2006 (Kea++: candidates from a thesaurus)"
    paths: ClassVar[tuple[str, ...]] = ("path",)
    example: ClassVar[Mapping[str, Any]] = {"terms": {"red kite": ["red kites"], "Nepal": [], "not": []}}

    terms: Terms | None = Field(
        None, description="A list of terms, or a mapping from each preferred term to its synonyms."
    )
    path: str | None = Field(
        None,
        description="A UTF-8 file with one term a line, preferred<TAB>synonym<TAB>…, or (name.json) a JSON "
        "list or an object of preferred terms with lists of synonyms.",
    )
    resource: str | None = Field(
        None, description="A list that kpframe ships, by its name, in the layout of text files."
    )
    match: Match = Field(
        "exact",
        description="How words are compared: by case-folded form, by stem (Porter for English, "
        "Snowball for 14 other languages; in others a word is its own stem), or (lemma) a word of the "
        "text also by its lemma, while terms are taken as they are written.",
    )
    overlap: Literal["longest", "all"] = Field(
        "longest",
        description="From left to right the longest terms, which do not overlap, or every term that occurs.",
    )

    @field_validator("terms")
    @classmethod
    def _have_words(cls, terms: Terms | None) -> Terms | None:
        checked_terms(terms or ())
        return terms

    @model_validator(mode="after")
    def _one_list(self) -> Vocabulary:
        given = [name for name in ("terms", "path", "resource") if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(given) if given else "none of them"
            raise ValueError(f"give exactly one of terms, path and resource, not {found}")
        return self

    def requires(self) -> frozenset[str]:
        """Lemmas, if they are compared."""
        return frozenset({"lemmas"} if self.match == "lemma" else ())

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A list that cannot be read, is malformed or has nothing in it."""
        name = next(name for name in ("path", "resource", "terms") if getattr(self, name) is not None)
        try:
            if self.path is not None:
                found = terms_of_file(self.path)
            elif self.resource is not None:
                found = terms_of_resource(self.resource)
            else:
                found = checked_terms(self.terms or ())
        except KpframeError as error:
            yield from error.about(name)
            return
        if not found:
            what = "the list has no term" if self.path is None else f"{self.path}: has no term"
            yield name, what, "write at least one, in a file one a line"

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """All occurrences of terms; DataError or ResourceError if the list cannot be read."""
        trie = self._trie(document.language if self.match == "stem" else "en")
        term_at = dict(self._matches(trie, annotations))
        key_at = {place: fold(trie.preferred[number]) for place, number in term_at.items()}
        built = Candidates.build(document, annotations, term_at, key=key_at.__getitem__)
        surfaces = tuple(trie.preferred[term_at[places[0]]] for places in built.places_of)
        return replace(built, surfaces=surfaces)

    def _matches(self, trie: TermTrie, annotations: Annotations) -> Iterator[tuple[Place, int]]:
        forms = trie.forms(annotations)
        for begin, stop in annotations.sentences.tolist():
            token = begin
            while token < stop:
                found = trie.ends(forms, token, stop)
                if self.overlap == "all":
                    yield from (((token, end), number) for end, number in found)
                elif found:
                    end, number = found[-1]
                    yield (token, end), number
                    token = end - 1
                token += 1

    def _trie(self, language: str) -> TermTrie:
        if self.path is not None:
            return _trie_of_file(self.path, self.match, language)
        if self.resource is not None:
            return _trie_of_resource(self.resource, self.match, language)
        if isinstance(self.terms, dict):
            return _trie_of_mapping(tuple(self.terms.items()), self.match, language)
        return _trie_of_list(self.terms or (), self.match, language)


@while_unchanged(8)
def _trie_of_file(path: str, match: Match, language: str) -> TermTrie:
    return TermTrie(terms_of_file(path), match, language)


@lru_cache(maxsize=8)
def _trie_of_resource(name: str, match: Match, language: str) -> TermTrie:
    return TermTrie(terms_of_resource(name), match, language)


@lru_cache(maxsize=32)
def _trie_of_list(terms: tuple[str, ...], match: Match, language: str) -> TermTrie:
    return TermTrie(checked_terms(terms), match, language)


@lru_cache(maxsize=32)
def _trie_of_mapping(terms: tuple[tuple[str, tuple[str, ...]], ...], match: Match, language: str) -> TermTrie:
    return TermTrie(checked_terms(dict(terms)), match, language)
