"""The words of a text as spaCy's components take them: the one rule of kpframe in place of spaCy's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kpframe.language.words import token_spans
from kpframe.model.folding import ASCII_MARKS, plain
from kpframe.preprocessing._spacy_arrays import Hashes, Offsets

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["Words"]

_CONTRACTIONS = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall"}
"""What English models learned contractions to stand for (NORM in the rules of spaCy's tokenizer)."""


@dataclass(frozen=True, slots=True)
class Words:
    """The n tokens of a piece of text: offsets of shape n, and each as it is written, composed."""

    begins: Offsets
    ends: Offsets
    written: list[str]
    ascii: bool

    @classmethod
    def of(cls, text: str, language: str) -> Words:
        """The tokens of `text` in a language."""
        spans = token_spans(text, language)
        offsets = np.array(spans, dtype=np.int64).reshape(-1, 2)
        simple = text.isascii()
        words = [text[begin:end] for begin, end in spans]
        return cls(offsets[:, 0], offsets[:, 1], words if simple else list(map(plain, words)), simple)

    def doc(self, nlp: Language) -> Doc:
        """The tokens with their blanks, in ASCII typography, which language models know better."""
        from spacy.tokens import Doc

        words = self.written if self.ascii else [word.translate(ASCII_MARKS) for word in self.written]
        gaps = (self.begins[1:] > self.ends[:-1]).tolist()
        made = Doc(nlp.vocab, words=words, spaces=[*gaps, False] if words else [])
        if nlp.lang == "en":
            _name_contractions(made, words)
        return made

    def restore(self, hashes: Hashes, nlp: Language) -> None:
        """Put in place of the words that the model saw those that are written."""
        if self.ascii:
            return
        strings = nlp.vocab.strings
        for token, word in enumerate(self.written):
            if not word.isascii():
                hashes[token] = strings.add(word)


def _name_contractions(doc: Doc, words: list[str]) -> None:
    for token, word in enumerate(words):
        if "'" in word and (meant := _CONTRACTIONS.get(word.lower())):
            doc[token].norm_ = meant
            before = words[token - 1].lower() if token else ""
            if meant == "not" and before in _CONTRACTED:
                doc[token - 1].norm_ = _CONTRACTED[before]
