"""The lists of one text as lines of `keyphrases.jsonl`: what they share is encoded once."""

from __future__ import annotations

import math
from json.encoder import encode_basestring

from kpframe.evaluation.predictions import prediction_line
from kpframe.model import Annotations, Keyphrases, Place

__all__ = ["PhraseLines"]

_Known = dict[tuple[str, str, tuple[Place, ...]], tuple[str, str]]
"""Surface, key and places of a phrase -> what stands in its JSON before the score, and from the key on."""


class PhraseLines:
    """The lines of the systems of one text.

    Systems differ in scores and ranks, and hardly in what their phrases are: text, key and spans of a phrase
    become JSON once. The bytes are those of `prediction_line`.
    """

    def __init__(self) -> None:
        # By the id of annotations, which are held beside: places are theirs.
        self._known: dict[int, tuple[Annotations, _Known]] = {}

    def line(self, keyphrases: Keyphrases, limit: int | None) -> str:
        """The best `limit` phrases (None: all), with the number of all if there are more."""
        id, entries = keyphrases.document.id, keyphrases.entries[:limit]
        more = {"total": len(keyphrases)} if len(keyphrases) > len(entries) else None
        scores = [score for _, _, score, _ in entries]
        if set(map(type, scores)) - {float} or not all(map(math.isfinite, scores)):
            return prediction_line(id, keyphrases.public(limit), more)
        known = self._of(keyphrases.annotations)
        pieces = []
        for rank, (key, surface, score, places) in enumerate(entries, start=1):
            asked = (surface, key, places)
            parts = known.get(asked)
            if parts is None:
                parts = known[asked] = _parts(surface, key, keyphrases.spans(places))
            pieces.append(f'{parts[0]}{score!r},"rank":{rank},{parts[1]}')
        end = "" if more is None else f',"total":{len(keyphrases)}'
        return f'{{"id":{encode_basestring(id)},"keyphrases":[{",".join(pieces)}]{end}}}'

    def _of(self, annotations: Annotations) -> _Known:
        if id(annotations) not in self._known:
            self._known[id(annotations)] = annotations, {}
        return self._known[id(annotations)][1]


def _parts(surface: str, key: str, spans: tuple[tuple[int, int], ...]) -> tuple[str, str]:
    listed = ",".join([f"[{begin},{end}]" for begin, end in spans])
    before = f'{{"text":{encode_basestring(surface)},"score":'
    return before, f'"key":{encode_basestring(key)},"spans":[{listed}]}}'
