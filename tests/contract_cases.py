"""What the contract of stages is tried on: every stage in all its forms, and difficult texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from pydantic import ValidationError

from kpframe.engine.annotating import Preprocessing
from kpframe.model import Annotations, Candidates, Document, Gold, Keyphrases
from kpframe.stages import FOLDERS, Annotator, Cleaner, Ranker, Ranking, Selection, Stage
from kpframe.stages.registry import kinds, lookup


@cache
def needed(folder: str, kind: str) -> Mapping[str, Any]:
    """The least that must be said to make a stage: its example, and paths that lead nowhere.

    Paths that have a default are given only where the stage is refused without one.
    """
    cls = lookup(folder, kind)
    nowhere = {name: f"nowhere/{name}" for name in cls.paths if name in cls.model_fields}
    required = {name: path for name, path in nowhere.items() if cls.model_fields[name].is_required()}
    try:
        cls.model_validate({**cls.example, **required})
    except ValidationError:
        return {**cls.example, **nowhere}
    return {**cls.example, **required}


TEXTS = {
    "empty": "",
    "blank": "  \n\t \u00a0\n",
    "one word": "Nepal",
    "one letter": "a",
    "only stop words": "the of and to",
    "no repeats": "Quiet rivers carry bright leaves toward distant harbours.",
    "one word again and again": "red red red red red red",
    "a dash": "- not yet",
    "dashes": "well -- known -- fact — and – more",
    "only punctuation": ". . . , ; !? -- ( ) … “”",
    "no nouns": "Run quickly and jump.",
    "digits": "3.14 2,000 42 1999-2001 50% 7",
    "line breaks": "Red kites\nsoar over\n\nred\tkites  and   grey herons.\r\nRed kites!",
    "curly quotes": "User’s guide to “smart quotes”, don’t panic",
    "compounds": "A state-of-the-art end-of-life policy for COVID-19 and the S&P 500 index.",
    "addresses": "See https://ex.org/a/b?c=d or mail a.b@ex.org for the <b>data</b> &amp; more.",
    "beyond the first plane": "𝐆𝐫𝐞𝐞𝐧 😀 energy 😀 green e\u0301nergie naïve Straße STRASSE İstanbul",
    "zero width": "zero\u200bwidth soft\u00adhyphen \ufeffmark",
    "null character": "red\x00kites and red\x00kites",
    "broken lines": "powerful capabili-\nties and price-\ndetermining factors",
    "sentences": "Red kites soar. Where are red kites? Kites! The United States of America pay.",
}
"""Texts that broke some program, and those between them."""

GOLD = [
    ("t1", "Red kites soar over the weather station. Red kites!", ["red kites", "kites"]),
    ("t2", "Grey herons wade in the weather. A grey heron waits for a heron.", ["grey herons", "heron"]),
    ("t3", "The United States of America and green energy. Green energy!", ["green energy", "energy"]),
]
"""Training documents."""


@contextmanager
def about(case: str) -> Iterator[None]:
    """What fails inside says of which case it is: tests over all cases are fewer, and begin faster."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"case: {case}")
        raise


def all_stages() -> list[tuple[str, str]]:
    """Folder and kind of every registered stage."""
    return [(folder, kind) for folder in FOLDERS for kind in kinds(folder)]


def stages_of(folder: str) -> list[str]:
    """Each kind of a folder with all values of its choices, as readable names for tests."""
    return [name for kind in kinds(folder) for name in forms(folder, kind)]


@cache
def forms(folder: str, kind: str) -> Mapping[str, Stage]:
    """The stage with its defaults, and one stage for each other value of each choice that it has."""
    cls = lookup(folder, kind)
    least = needed(folder, kind)
    found = {kind: cls.model_validate(least)}
    for name, schema in cls.model_json_schema()["properties"].items() if cls.model_fields else ():
        for value in _choices(schema):
            try:
                stage = cls.model_validate({**least, name: value})
            except ValidationError:  # this value needs another parameter beside it
                continue
            if stage not in found.values():
                found[f"{kind} {name}={value}"] = stage
    return found


def _choices(schema: Mapping[str, Any]) -> Iterator[Any]:
    yield from schema.get("enum", ())
    if schema.get("type") == "boolean":
        yield from (True, False)
    for branch in schema.get("anyOf", ()):
        yield from _choices(branch)


def stage(folder: str, name: str) -> Any:
    """The stage with a name that `stages_of` gave."""
    return forms(folder, name.split(" ")[0])[name]


@cache
def default_chain() -> Preprocessing:
    """Annotators for all layers."""
    steps = [
        lookup("preprocessing", kind)()
        for kind in ("tokenize", "lemmatize", "pos", "chunk", "ner", "sections")
    ]
    layers: frozenset[str] = frozenset().union(*(step.provides() for step in steps))
    return Preprocessing.of(steps, layers)


@cache
def annotated(text: str, id: str = "d", gold: tuple[str, ...] = ()) -> tuple[Document, Annotations]:
    """A text with all layers."""
    document = Document(id, text, gold=tuple(Gold((phrase,)) for phrase in gold))
    ((cleaned, made),) = default_chain().annotate([document])
    return cleaned, made.value


def preprocessed(step: Cleaner | Annotator, text: str) -> Annotations:
    """The annotations that a step makes, with those before it that it needs."""
    before = [] if not step.requires() else [s for s in default_chain().annotators if s.kind != step.kind]
    chain = Preprocessing.of([*before, step], frozenset(step.provides() | step.requires() | {"tokens"}))
    ((_, made),) = chain.annotate([Document("d", text)])
    return made.value


@cache
def candidates(name: str, text: str, id: str = "d", gold: tuple[str, ...] = ()) -> Candidates:
    """What a selection selects in a text."""
    selection = stage("candidates", name)
    assert isinstance(selection, Selection)
    return selection.select(*annotated(text, id, gold))


@cache
def ranker(name: str, selection: str = "ngrams") -> Ranker:
    """A ranking, fitted on the training documents if it learns."""
    ranking = stage("ranking", name)
    assert isinstance(ranking, Ranking)
    if not ranking.fits_on():
        return ranking
    if "trials" in type(ranking).model_fields:  # a short search keeps the contract as a long one does
        ranking = ranking.model_copy(update={"trials": 60})
    seen = [candidates(selection, text, id, tuple(gold)) for id, text, gold in GOLD]
    return ranking.restore(json.loads(json.dumps(ranking.fit([ranking.observe(one) for one in seen]))))


def ranked(name: str, selection: str, text: str) -> Keyphrases:
    """The ranked candidates of a text."""
    return ranker(name, selection).rank(candidates(selection, text))
