"""Lines of systems that share phrases are what each would have by itself, byte by byte."""

from __future__ import annotations

import numpy as np
import pytest
from families import every

from kpframe.evaluation.predictions import prediction_line
from kpframe.model import Annotations, Document, Keyphrases, Ranked, Traced
from kpframe.runs.phrase_lines import PhraseLines

TEXT = 'The "red"\u2028fox\\ sees \U0001f98a \ud800 kites'


def annotated() -> Annotations:
    """The seven tokens of the text."""
    words = TEXT.split()
    begins = [TEXT.index(word) for word in words]
    ends = [begin + len(word) for begin, word in zip(begins, words, strict=True)]
    columns = (begins, ends, range(len(words)))
    arrays = [np.array(column, dtype=np.int32) for column in columns]
    return Annotations(TEXT, *arrays, tuple(words), np.array([[0, len(words)]], dtype=np.int32))


def phrases(annotations: Annotations, *scores: float, origin: Traced | None = None) -> Keyphrases:
    """One phrase a score: the first tokens, the first of them twice, in odd characters."""
    document = Document("d\u2029\t1", TEXT, origin=origin)
    surfaces = annotations.strings(annotations.words)
    entries = [
        Ranked(surfaces[i].casefold(), surfaces[i], score, ((i, i + 1), (6, 7))[: 2 - i % 2])
        for i, score in enumerate(scores)
    ]
    return Keyphrases(document, annotations, tuple(entries))


def whole(keyphrases: Keyphrases, limit: int | None) -> str:
    """The line as it is made of one list alone."""
    shown = keyphrases.public(limit)
    more = {"total": len(keyphrases)} if len(keyphrases) > len(shown) else None
    return prediction_line(keyphrases.document.id, shown, more)


@every("limit", [None, 0, 2, 3, 6])
@every("scores", [(), (1.0, 0.1 + 0.2, 1e-7, -0.0, 1e22), (3.0, 2, np.float64(0.5))])
def test_lines_are_those_of_each_list_alone(scores: tuple[float, ...], limit: int | None) -> None:
    """Whatever characters, numbers and limits; also for the second system, whose phrases are known."""
    annotations, lines = annotated(), PhraseLines()
    for factor in (1, 2):
        made = phrases(annotations, *[score * factor for score in scores])
        assert lines.line(made, limit) == whole(made, limit)


def test_places_are_those_of_their_own_annotations() -> None:
    """The same token numbers under other tokens are other spans."""
    one = annotated()
    other = one.with_layers(begins=one.begins + 1, ends=one.ends + 1)
    lines = PhraseLines()
    for tokens in (one, other):
        made = phrases(tokens, 2.0, 1.0)
        assert lines.line(made, None) == whole(made, None)


def test_spans_lead_back_to_the_text_as_it_was_given() -> None:
    """Where something was cut off before the text, spans count it."""
    shifted = np.arange(len(TEXT) + 1, dtype=np.int32) + 5
    made = phrases(annotated(), 2.0, origin=Traced(TEXT, "<b>x " + TEXT, shifted[:-1], shifted[1:]))
    assert '"spans":[[5,8],' in PhraseLines().line(made, None)
    assert PhraseLines().line(made, None) == whole(made, None)


def test_a_score_that_is_no_number_is_refused() -> None:
    """As by the line of one list: JSON has no such number."""
    with pytest.raises(ValueError, match="JSON"):
        PhraseLines().line(phrases(annotated(), float("nan")), None)
