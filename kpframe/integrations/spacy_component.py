"""A spaCy component: keyphrases out of the annotations that `nlp` already made.

    nlp = spacy.load("en_core_web_sm")
    nlp.add_pipe("kpframe", config={"pipeline": "textrank", "top": 10})
    for span in nlp(text)._.keyphrases:
        print(span.text, span._.kp_score)

spaCy finds the component by the entry-point group `spacy_factories`; without an installed package,
`register_spacy()` makes it known.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.pipeline import Pipeline
from kpframe.errors import DataError, SpecError
from kpframe.files.leftovers import temporary_folder
from kpframe.integrations._doc_annotations import Wanted, annotations_of
from kpframe.integrations._doc_keyphrases import SPAN_ATTRIBUTES, keyphrases_of, owner, store
from kpframe.integrations._pipelines import pipeline_of
from kpframe.model import Document

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["KeyphraseComponent", "make", "register_spacy"]

# Annotations are looked at by spaCy at run time, so this module has no postponed ones.


class KeyphraseComponent:
    """Sets `doc._.keyphrases`: a Span for each keyphrase, the best first, at its first place.

    Every span of a keyphrase, at any of its places, has `span._.kp_score`, `span._.kp_rank` (from 1),
    `span._.kp_key` and `span._.kp_spans` (all places); any other span has None there. Of two keyphrases
    at one place the better counts. The results are plain values in `doc.user_data`: they survive
    `nlp.pipe(n_process=…)`, `Doc.to_bytes` and `DocBin(store_user_data=True)`. Where tokens are merged
    afterwards, a keyphrase is the span of whole tokens around it. Parts and unions of Docs (`as_doc`,
    `Doc.from_docs`) have no keyphrases before the component has seen them.

    Tokens, sentences, tags, lemmas, parts of speech, noun chunks and entities are those of the Doc, where
    the kpframe pipeline would have spaCy make them; what kpframe makes by rules (`chunk` with a grammar)
    it makes here too. So the numbers may differ a little from those of `kpframe.Pipeline`, which keeps
    hyphenated compounds whole and has sentence rules of its own.

    Raises SpecError for a pipeline that cleans texts, since the Doc has its tokens already (but for
    `typography`, which is left out), and DataError
    that names the missing component for a Doc without a layer that is needed, and for a Doc with the
    keyphrases of another component (by its `name`), which would be lost.
    """

    def __init__(
        self,
        pipeline: str | dict[str, Any] = "textrank",
        top: int | None = 10,
        settings: Iterable[str] = (),
        language: str = "en",
        name: str = "kpframe",
    ) -> None:
        if top is not None and (type(top) is not int or top < 1):
            raise SpecError.at("kpframe: top", f"is {top!r}", "give a whole number from 1, or null for all")
        self.top = top
        self.language = language
        self.name = name
        self._missing: SpecError | None = None
        try:
            self._use(pipeline_of(pipeline, tuple(settings)))
        except SpecError as error:
            # A pipeline that was trained elsewhere comes with `from_disk` or `from_bytes`, later than this.
            if not (isinstance(pipeline, str) and _is_lost_path(pipeline)):
                raise
            self._missing = error

    def _use(self, pipeline: Pipeline) -> None:
        cleaners = [one for one in pipeline.preprocessing.cleaners if one.cleans(has_tokens=True)]
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
        self._refuse_others(doc)
        annotations = annotations_of(doc, self._wanted)
        document = Document("doc", doc.text, doc.lang_ or self.language, annotations=annotations)
        ((document, made),) = self._own.annotate([document])
        found = self.pipeline.keyphrases(document, made.value).public(self.top)
        store(doc, self.name, found)
        return doc

    def _refuse_others(self, doc: "Doc") -> None:
        other = owner(doc)
        if other is not None and other != self.name:
            problem = f"the Doc has the keyphrases of the component {other!r}"
            remedy = "keep one of the two, or disable one with nlp.select_pipes"
            raise DataError.at(f"spaCy component {self.name!r}", problem, remedy)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the whole pipeline, with what its ranking has learned, in the folder `path`."""
        self._save(Path(path) / "pipeline.json")

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "KeyphraseComponent":
        """Load what `to_disk` saved; it takes the place of the pipeline that the config names.

        Warns if that was another one: settings in the config of a saved `nlp` change nothing.
        """
        saved = Pipeline.load(Path(path) / "pipeline.json")
        if self._missing is None and _chain(saved) != _chain(self.pipeline):
            import warnings

            told = f"kpframe: the saved pipeline takes the place of the one in the config of {self.name!r}"
            warnings.warn(f"{told}; to use that one, add the component anew", stacklevel=2)
        self._use(saved)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The whole pipeline, with what its ranking has learned, as JSON."""
        with temporary_folder() as folder:
            self._save(Path(folder) / "pipeline.json")
            return (Path(folder) / "pipeline.json").read_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "KeyphraseComponent":
        """Load what `to_bytes` gave."""
        with temporary_folder() as folder:
            (Path(folder) / "pipeline.json").write_bytes(data)
            return self.from_disk(folder)

    def _save(self, path: Path) -> None:
        if self._missing is not None:
            raise self._missing
        self.pipeline.save(path)


def _chain(pipeline: Pipeline) -> tuple[Any, Any]:
    """What a pipeline does, and what it has learned."""
    chain = {k: v for k, v in pipeline.spec.items() if k in ("preprocessing", "candidates", "postprocessing")}
    return chain, (pipeline.configuration.ranking, pipeline.state)


def _is_lost_path(name: str) -> bool:
    return (name.endswith((".json", ".yaml", ".yml")) or "/" in name or "\\" in name) and not Path(
        name
    ).exists()


def make(
    nlp: Any, name: str, pipeline: str | dict[str, Any], top: int | None, settings: list[str]
) -> KeyphraseComponent:
    """What spaCy calls to make the component; it gets its parameters from `nlp.add_pipe(config=…)`."""
    return KeyphraseComponent(pipeline, top, settings, nlp.lang, name)


@cache
def register_spacy() -> Any:
    """Make the component `kpframe` and the attributes `doc._.keyphrases` and `span._.kp_…` known to spaCy.

    Needed in a process that only reads Docs which were processed elsewhere; `nlp.add_pipe("kpframe")` does
    it by itself. Raises DataError if something else has taken one of the attributes. Returns `make`.
    """
    from spacy.language import Language
    from spacy.tokens import Doc, Span

    attributes: list[tuple[Any, str, Any]] = [(Doc, "keyphrases", keyphrases_of)]
    attributes += [(Span, f"kp_{name}", getter) for name, getter in SPAN_ATTRIBUTES.items()]
    for holder, name, getter in attributes:
        if holder.has_extension(name) and holder.get_extension(name)[2] is not getter:
            taken = f"the attribute {name!r} is taken by another component"
            raise DataError.at(f"spaCy {holder.__name__}", taken, "remove that, or give it another name")
        holder.set_extension(name, getter=getter, force=True)
    defaults = {"pipeline": "textrank", "top": 10, "settings": []}
    return Language.factory(
        "kpframe",
        default_config=defaults,
        assigns=["doc._.keyphrases"],
        requires=["token.is_sent_start"],
        func=make,
    )


def __getattr__(name: str) -> Any:
    """`factory`, for the entry point: registers the component when spaCy looks for it."""
    if name == "factory":
        return register_spacy()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
