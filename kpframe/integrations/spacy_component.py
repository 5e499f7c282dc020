"""A spaCy component: keyphrases out of the annotations that `nlp` already made.

    nlp = spacy.load("en_core_web_sm")
    nlp.add_pipe("kpframe", config={"pipeline": "textrank", "top": 10})
    for span in nlp(text)._.keyphrases:
        print(span.text, span._.kp_score)

spaCy finds the component by the entry-point group `spacy_factories`; without an installed package,
`register_spacy()` makes it known.
"""

import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.annotation import Preprocessing
from kpframe.errors import DataError, SpecError
from kpframe.integrations._doc_annotations import Wanted, annotations_of, kept_tokens
from kpframe.integrations._pipelines import pipeline_of
from kpframe.model import Document
from kpframe.pipeline import Pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

__all__ = ["KeyphraseComponent", "make", "register_spacy"]

# Annotations are looked at by spaCy at run time, so this module has no postponed ones.

_DATA = "kpframe"
"""The key of the results in `doc.user_data`: for each keyphrase text, score, key and token ranges."""


class KeyphraseComponent:
    """Sets `doc._.keyphrases`: a Span for each keyphrase, the best first, at its first place.

    Every span of a keyphrase, at any of its places, has `span._.kp_score`, `span._.kp_rank` (from 1),
    `span._.kp_key` and `span._.kp_spans` (all places); any other span has None there. Of two keyphrases
    at one place the better counts. The results are plain values in `doc.user_data`: they survive
    `nlp.pipe(n_process=…)`, `Doc.to_bytes` and `DocBin(store_user_data=True)`.

    Tokens, sentences, tags, lemmas, parts of speech, noun chunks and entities are those of the Doc, where
    the kpframe pipeline would have spaCy make them; what kpframe makes by rules (`chunk` with a grammar)
    it makes here too. So the numbers may differ a little from those of `kpframe.Pipeline`, which keeps
    hyphenated compounds whole and has sentence rules of its own.

    Raises SpecError for a pipeline that cleans texts, since the Doc has its tokens already, and DataError
    that names the missing component for a Doc without a layer that is needed.
    """

    def __init__(
        self,
        pipeline: str | dict[str, Any] = "textrank",
        top: int | None = 10,
        settings: Iterable[str] = (),
        language: str = "en",
    ) -> None:
        if top is not None and top < 1:
            raise SpecError.at("kpframe: top", f"is {top}", "give a whole number from 1, or null for all")
        self.top = top
        self.language = language
        self._missing: SpecError | None = None
        try:
            self._use(pipeline_of(pipeline, tuple(settings)))
        except SpecError as error:
            # A pipeline that was trained elsewhere comes with `from_disk` or `from_bytes`, later than this.
            if not (isinstance(pipeline, str) and _is_lost_path(pipeline)):
                raise
            self._missing = error

    def _use(self, pipeline: Pipeline) -> None:
        cleaners = pipeline.preprocessing.cleaners
        if cleaners:
            kinds = ", ".join(cleaner.kind for cleaner in cleaners)
            remedy = "clean the texts before nlp sees them, and take it out of the kpframe pipeline"
            raise SpecError.at("kpframe: pipeline", f"changes texts ({kinds}) that nlp has tokenised", remedy)
        annotators = pipeline.preprocessing.annotators
        taken = [step for step in annotators if step.engine(self.language) == "spacy"]
        labels = next((getattr(step, "labels", None) for step in taken if step.kind == "ner"), None)
        own = tuple(step for step in annotators if step not in taken)
        made = frozenset().union(*(step.provides() for step in own))
        needed = pipeline.configuration.required().union(*(step.requires() for step in own))
        layers = frozenset().union(*(step.provides() for step in taken))
        self.pipeline = pipeline
        self._wanted = Wanted(layers - made, needed - made, None if labels is None else frozenset(labels))
        self._own = Preprocessing((), own)
        self._missing = None

    def __call__(self, doc: "Doc") -> "Doc":
        """`doc` with its keyphrases."""
        if self._missing is not None:
            raise self._missing
        annotations = annotations_of(doc, self._wanted)
        document = Document("doc", doc.text, doc.lang_ or self.language, annotations=annotations)
        ((document, made),) = self._own.annotate([document])
        if isinstance(made, Exception):
            raise made
        found = self.pipeline.keyphrases(document, made).entries[: self.top]
        kept = kept_tokens(doc)
        doc.user_data[_DATA] = [
            [entry.surface, entry.score, entry.key, [[kept[b], kept[e - 1] + 1] for b, e in entry.places]]
            for entry in found
        ]
        return doc

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the whole pipeline, with what its ranking has learned, in the folder `path`."""
        self._save(Path(path) / "pipeline.json")

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "KeyphraseComponent":
        """Load what `to_disk` saved; it takes the place of the pipeline that the config names."""
        self._use(Pipeline.load(Path(path) / "pipeline.json"))
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The whole pipeline, with what its ranking has learned, as JSON."""
        with tempfile.TemporaryDirectory() as folder:
            self._save(Path(folder) / "pipeline.json")
            return (Path(folder) / "pipeline.json").read_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "KeyphraseComponent":
        """Load what `to_bytes` gave."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "pipeline.json").write_bytes(data)
            return self.from_disk(folder)

    def _save(self, path: Path) -> None:
        if self._missing is not None:
            raise self._missing
        self.pipeline.save(path)


def _is_lost_path(name: str) -> bool:
    return (name.endswith((".json", ".yaml", ".yml")) or "/" in name or "\\" in name) and not Path(
        name
    ).exists()


def make(
    nlp: Any, name: str, pipeline: str | dict[str, Any], top: int | None, settings: list[str]
) -> KeyphraseComponent:
    """What spaCy calls to make the component; it gets its parameters from `nlp.add_pipe(config=…)`."""
    return KeyphraseComponent(pipeline, top, settings, nlp.lang)


@cache
def register_spacy() -> Any:
    """Make the component `kpframe` and the attributes `doc._.keyphrases` and `span._.kp_…` known to spaCy.

    Needed in a process that only reads Docs which were processed elsewhere; `nlp.add_pipe("kpframe")` does
    it by itself. Raises DataError if something else has taken one of the attributes. Returns `make`.
    """
    from spacy.language import Language
    from spacy.tokens import Doc, Span

    attributes: list[tuple[Any, str, Any]] = [
        (Doc, "keyphrases", keyphrases_of),
        (Span, "kp_score", _score),
        (Span, "kp_rank", _rank),
        (Span, "kp_key", _key),
        (Span, "kp_spans", _spans),
    ]
    for owner, name, getter in attributes:
        if owner.has_extension(name) and owner.get_extension(name)[2] is not getter:
            taken = f"the attribute {name!r} is taken by another component"
            raise DataError.at(f"spaCy {owner.__name__}", taken, "remove that, or give it another name")
        owner.set_extension(name, getter=getter, force=True)
    defaults = {"pipeline": "textrank", "top": 10, "settings": []}
    return Language.factory("kpframe", default_config=defaults, assigns=["doc._.keyphrases"], func=make)


def keyphrases_of(doc: "Doc") -> list["Span"]:
    """The keyphrases of a Doc, best first, each at its first place; [] before the component has run."""
    return [doc[places[0][0] : places[0][1]] for *_, places in doc.user_data.get(_DATA, ())]


def _found(span: "Span") -> tuple[int, Any]:
    """The rank of the keyphrase that stands at a span, with its values; (0, None) if there is none."""
    for rank, values in enumerate(span.doc.user_data.get(_DATA, ()), start=1):
        if [span.start, span.end] in map(list, values[3]):
            return rank, values
    return 0, None


def _score(span: "Span") -> float | None:
    _, values = _found(span)
    return None if values is None else float(values[1])


def _rank(span: "Span") -> int | None:
    return _found(span)[0] or None


def _key(span: "Span") -> str | None:
    _, values = _found(span)
    return None if values is None else str(values[2])


def _spans(span: "Span") -> list["Span"] | None:
    _, values = _found(span)
    return None if values is None else [span.doc[begin:end] for begin, end in values[3]]


def __getattr__(name: str) -> Any:
    """`factory`, for the entry point: registers the component when spaCy looks for it."""
    if name == "factory":
        return register_spacy()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
