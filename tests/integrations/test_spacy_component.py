"""The spaCy component: results on Docs, out of the annotations that are there."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import spacy
from inspec_texts import RULES, inspec, needs_corpora
from spacy.tokens import Doc, DocBin

from kpframe import DataError, Pipeline, SpecError
from kpframe.integrations import register_spacy
from kpframe.integrations._doc_annotations import NUMERIC, Wanted, annotations_of
from kpframe.language.models import module_name
from kpframe.preprocessing import ner

pytestmark = pytest.mark.slow

TEXT = (
    "Red kites soar over the weather  station.\n\n Red kites 😀! A grey heron waits for red kites in Nepal."
)
ALL = frozenset({"sentences", "lemmas", "tags", "pos", "chunks", "entities"})


@cache
def loaded() -> Any:
    """The English model, loaded once for all tests."""
    register_spacy()
    return spacy.load(module_name("en"))


def model() -> Any:
    """The English model as spaCy loads it: without what an earlier test has added at its end."""
    nlp = loaded()
    for name in nlp.component_names[nlp.component_names.index("ner") + 1 :]:
        nlp.remove_pipe(name)
    return nlp


def with_kpframe(**config: Any) -> Any:
    """The model with the component at its end."""
    nlp = model()
    nlp.add_pipe("kpframe", config=config)
    return nlp


def plain(doc: Doc) -> list[tuple[Any, ...]]:
    """What the component says, as plain values."""
    return [
        (span.text, span._.kp_score, span._.kp_rank, span._.kp_key, [p.start for p in span._.kp_spans])
        for span in doc._.keyphrases
    ]


def test_keyphrases_are_spans_with_scores_and_places() -> None:
    """Best first, each at its first place; every place knows score, rank and key; other spans do not."""
    register_spacy()
    text = "Red kites soar over the weather  station. Red kites! A grey heron waits for red kites."
    doc = with_kpframe(pipeline="textrank", top=3)(text)
    first = doc._.keyphrases[0]
    assert len(doc._.keyphrases) == 3
    assert (first.text, first._.kp_rank, first._.kp_key) == ("Red kites", 1, "red kites")
    assert [span.text for span in first._.kp_spans] == ["Red kites", "Red kites", "red kites"]
    assert {span._.kp_score for span in first._.kp_spans} == {first._.kp_score}
    scores = [span._.kp_score for span in doc._.keyphrases]
    assert scores == sorted(scores, reverse=True) and all(type(score) is float for score in scores)
    assert [doc[2:3]._.kp_score, doc[2:3]._.kp_rank, doc[2:3]._.kp_key, doc[2:3]._.kp_spans] == [None] * 4
    assert spacy.blank("en")("Red kites.")._.keyphrases == []


def test_a_doc_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """kpframe's own loading of a language model is never reached."""
    register_spacy()
    nlp = with_kpframe(pipeline="textrank")

    def refuse(name: str) -> None:
        raise AssertionError(f"loads {name}")

    monkeypatch.setattr("kpframe.language.models.load", refuse)
    assert plain(nlp(TEXT))


def test_the_layers_are_those_of_the_doc() -> None:
    """Tokens without white space, and their tags, lemmas, sentences, chunks and entities, as strings."""
    doc = model()(TEXT)
    made = annotations_of(doc, Wanted(ALL, ALL))
    tokens = [token for token in doc if not token.is_space]
    assert [made.text[b:e] for b, e in zip(*made.offsets, strict=True)] == [t.text for t in tokens]
    assert made.tags is not None and made.lemmas is not None and made.pos is not None
    assert made.strings(made.words) == [token.text for token in tokens]
    assert made.strings(made.tags) == [token.tag_ for token in tokens]
    assert made.strings(made.lemmas) == [token.lemma_ for token in tokens]
    assert made.strings(made.pos) == [token.pos_ for token in tokens]
    assert made.chunks is not None and made.entities is not None and made.entity_labels is not None
    chunks = [made.surface(b, e) for b, e in made.chunks.tolist()]
    assert chunks[:2] == ["Red kites", "the weather station"]
    entities = [made.surface(b, e) for b, e in made.entities.tolist()]
    assert ("Nepal", "GPE") in list(zip(entities, made.strings(made.entity_labels), strict=True))
    spans = made.sentences.tolist()
    assert [b for b, _ in spans] == [0, *(e for _, e in spans[:-1])] and spans[-1][1] == len(made)


def test_numbers_are_left_out_of_entities_as_the_annotator_does() -> None:
    """The two lists are one."""
    assert NUMERIC == ner.NUMERIC


@pytest.mark.parametrize("text", ["", "  \n ", "😀", "well -- known -- fact", "a\tb \u00a0 c"])
@pytest.mark.parametrize("pipeline", ["textrank", "noun-phrases", "kea"])
def test_odd_texts_are_no_trouble(text: str, pipeline: str) -> None:
    """Empty, blank, without words."""
    register_spacy()
    doc = with_kpframe(pipeline=pipeline)(text)
    assert all(span.text.strip() for span in doc._.keyphrases)


def test_missing_layers_name_the_component_to_add() -> None:
    """One line each; a Doc with sentences and Penn tags is enough for parts of speech."""
    register_spacy()
    nlp = spacy.blank("en")
    nlp.add_pipe("kpframe")
    with pytest.raises(DataError) as caught:
        nlp(TEXT)
    assert str(caught.value) == (
        "spaCy pipeline: the text has no sentence boundaries; "
        "add the component sentencizer, senter or parser before kpframe\n"
        "spaCy pipeline: the text has no parts of speech; "
        "add the component tagger with attribute_ruler, or morphologizer before kpframe"
    )
    for name, component in (
        ("chunks", "parser"),
        ("entities", "ner"),
        ("lemmas", "lemmatizer"),
        ("tags", "tagger"),
    ):
        doc = Doc(nlp.vocab, ["Red", "kites"], sent_starts=[True, False])
        with pytest.raises(DataError, match=f"add the component {component} before kpframe"):
            annotations_of(doc, Wanted(frozenset({name}), frozenset({name})))
    tagged = Doc(nlp.vocab, ["Red", "kites"], tags=["JJ", "NNS"], sent_starts=[True, False])
    made = annotations_of(tagged, Wanted(frozenset({"pos"}), frozenset({"pos"})))
    assert made.pos is not None and made.strings(made.pos) == ["ADJ", "NOUN"]


def test_rules_of_the_pipeline_are_kept() -> None:
    """Noun phrases by a grammar need no parser, and a tokenizer by rules none but the Doc's tokens."""
    register_spacy()
    nlp = spacy.load(module_name("en"), exclude=["parser", "ner", "lemmatizer"])
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("kpframe", config={"pipeline": "noun-phrases", "top": 2})
    assert [span.text for span in nlp(TEXT)._.keyphrases] == ["Red kites", "weather  station"]
    blank = spacy.blank("en")
    blank.add_pipe("sentencizer")
    blank.add_pipe("kpframe", config={"pipeline": RULES, "top": 1, "settings": ["candidates.min=2"]})
    assert [span.text for span in blank("Red kites soar. Red kites!")._.keyphrases] == ["Red kites"]


def test_wrong_configurations_are_told_at_once() -> None:
    """Cleaning pipelines, unknown names and impossible numbers, when the component is added."""
    register_spacy()
    for config, message in (
        (
            {"pipeline": {**RULES, "preprocessing": ["html", "simple"]}},
            "kpframe: pipeline: changes texts (html) that nlp has tokenised; "
            "clean the texts before nlp sees them, and take it out of the kpframe pipeline",
        ),
        ({"top": 0}, "kpframe: top: is 0; give a whole number from 1, or null for all"),
        ({"top": "3"}, "kpframe: top: is '3'; give a whole number from 1, or null for all"),
    ):
        with pytest.raises(SpecError) as caught:
            spacy.blank("en").add_pipe("kpframe", config=config)
        assert str(caught.value) == message
    with pytest.raises(SpecError, match="there is no such file"):
        spacy.blank("en").add_pipe("kpframe", config={"pipeline": "textrnk"})


def test_spacy_knows_what_it_needs_and_makes() -> None:
    """`analyze_pipes` finds a pipeline without sentences, and none missing where a parser is."""
    register_spacy()
    blank = spacy.blank("en")
    blank.add_pipe("kpframe")
    assert blank.analyze_pipes()["problems"]["kpframe"] == ["token.is_sent_start"]
    found = with_kpframe().analyze_pipes()
    assert found["problems"]["kpframe"] == []
    assert found["summary"]["kpframe"]["assigns"] == ["doc._.keyphrases"]


def test_tokens_that_are_merged_later_move_no_keyphrase() -> None:
    """Each is then the whole tokens around it, with the score and rank that it had."""
    register_spacy()
    nlp = with_kpframe(top=3)
    before = nlp(TEXT)
    nlp.add_pipe("merge_noun_chunks")
    after = nlp(TEXT)
    assert [span.text for span in before._.keyphrases] == ["Red kites", "weather  station", "grey heron"]
    assert [span.text for span in after._.keyphrases] == ["Red kites", "the weather  station", "A grey heron"]
    for old, new in zip(before._.keyphrases, after._.keyphrases, strict=True):
        assert (new._.kp_score, new._.kp_rank) == (old._.kp_score, old._.kp_rank)
        assert [p.start_char for p in new._.kp_spans] <= [p.start_char for p in old._.kp_spans]
        assert all(new.text[-6:].casefold() == p.text[-6:].casefold() for p in new._.kp_spans)
    assert after[3:3]._.kp_rank is None


def test_tokens_that_were_merged_before_are_single_words() -> None:
    """Phrases are then whole tokens, as the Doc has them."""
    register_spacy()
    nlp = model()
    nlp.add_pipe("merge_noun_chunks")
    nlp.add_pipe("kpframe", config={"top": 2})
    assert [(span.text, len(span)) for span in nlp(TEXT)._.keyphrases] == [
        ("Red kites", 1),
        ("the weather  station", 1),
    ]


def test_parts_and_unions_of_docs_have_no_keyphrases() -> None:
    """Their places would be wrong; a component that sees them finds their own."""
    register_spacy()
    nlp = with_kpframe(top=1)
    doc = nlp(TEXT)
    part = doc[9:].as_doc(copy_user_data=True)
    assert (part._.keyphrases, part[0:2]._.kp_rank) == ([], None)
    assert len(nlp.get_pipe("kpframe")(part)._.keyphrases) == 1
    with pytest.warns(UserWarning, match="W102"):
        union = Doc.from_docs([doc, doc])
    assert union._.keyphrases == []
    assert plain(doc.copy()) == plain(doc)


def test_a_second_component_does_not_replace_the_first() -> None:
    """An error, and a way to have both by turns."""
    register_spacy()
    nlp = with_kpframe(top=1)
    nlp.add_pipe("kpframe", name="by_kea", config={"pipeline": "kea", "top": 1})
    with pytest.raises(DataError) as caught:
        nlp(TEXT)
    assert str(caught.value) == (
        "spaCy component 'by_kea': the Doc has the keyphrases of the component 'kpframe'; "
        "keep one of the two, or disable one with nlp.select_pipes"
    )
    with nlp.select_pipes(disable="kpframe"):
        assert len(nlp(TEXT)._.keyphrases) == 1
    with nlp.select_pipes(disable="by_kea"):
        doc = nlp(TEXT)
        assert plain(nlp.get_pipe("kpframe")(doc)) == plain(nlp(TEXT))


def test_errors_go_to_the_handler_of_the_pipeline() -> None:
    """A Doc that cannot be processed is left out, the others come."""
    register_spacy()
    nlp = spacy.blank("en")
    nlp.add_pipe("kpframe", config={"pipeline": RULES, "top": 1})
    found: list[tuple[str, str]] = []
    nlp.set_error_handler(lambda name, component, docs, error: found.append((name, docs[0].text)))
    good = Doc(nlp.vocab, ["kites", "soar"], sent_starts=[True, False])
    bad = Doc(nlp.vocab, ["no", "sentences"])
    assert [doc.text for doc in nlp.pipe([good, bad, good])] == [good.text] * 2
    assert found == [("kpframe", bad.text)]


@needs_corpora
@pytest.mark.acceptance
def test_two_processes_give_what_one_gives() -> None:
    """Thirty abstracts; nearly the keyphrases of kpframe's own pipeline, which has other tokens."""
    register_spacy()
    nlp = with_kpframe(pipeline="textrank", top=10)
    texts = [document.text for document in inspec(30)]
    one = [plain(doc) for doc in nlp.pipe(texts)]
    assert [plain(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=10)] == one
    pipeline = Pipeline.load("textrank")
    shared = total = 0
    for text, found in zip(texts, one, strict=True):
        own = {keyphrase.key for keyphrase in pipeline.extract(text, top=10)}
        shared += len(own & {key for _, _, _, key, _ in found})
        total += len(own)
    assert shared / total > 0.75


def test_results_survive_being_saved() -> None:
    """Docs as bytes and in a DocBin."""
    register_spacy()
    nlp = with_kpframe(pipeline="textrank")
    doc = nlp(TEXT)
    assert plain(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == plain(doc)
    stored = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (again,) = DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert plain(again) == plain(doc)


def test_the_pipeline_survives_being_saved(tmp_path: Path) -> None:
    """To disk and to bytes, with what was learned, also when the file that was named is gone."""
    register_spacy()
    trained = tmp_path / "trained.json"
    Pipeline.load("tfidf").save(trained)
    nlp = with_kpframe(pipeline=str(trained), top=5)
    expected = plain(nlp(TEXT))
    nlp.to_disk(tmp_path / "nlp")
    data, config = nlp.to_bytes(), nlp.config
    trained.unlink()
    assert plain(spacy.load(tmp_path / "nlp")(TEXT)) == expected
    changed = {"components": {"kpframe": {"pipeline": "kea", "top": 1}}}
    with pytest.warns(UserWarning, match="the saved pipeline takes the place of the one in the config of"):
        other = spacy.load(tmp_path / "nlp", config=changed)
    assert plain(other(TEXT)) == expected[:1]
    empty = spacy.util.load_model_from_config(config)
    with pytest.raises(SpecError, match=r"trained\.json: cannot be read"):
        empty.get_pipe("kpframe")(empty.make_doc(TEXT))
    assert plain(empty.from_bytes(data)(TEXT)) == expected


def test_an_attribute_of_others_is_not_taken_away() -> None:
    """In a process of its own, since attributes are global."""
    code = (
        "from spacy.tokens import Doc; Doc.set_extension('keyphrases', default=[])\n"
        "from kpframe import DataError; from kpframe.integrations import register_spacy\n"
        "try: register_spacy()\n"
        "except DataError as error: print(error)"
    )
    made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert made.stdout.strip() == (
        "spaCy Doc: the attribute 'keyphrases' is taken by another component; "
        "remove that, or give it another name"
    )


@pytest.mark.acceptance
def test_spacy_finds_the_component_by_its_entry_point(tmp_path: Path) -> None:
    """In a fresh process that imports nothing of kpframe, with the entry point that the package declares."""
    metadata = tmp_path / "component-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: component\nVersion: 1\n")
    declared = "[spacy_factories]\nkpframe = kpframe.integrations.spacy_component:factory\n"
    (metadata / "entry_points.txt").write_text(declared)
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; import spacy; nlp = spacy.blank('en');"
        "nlp.add_pipe('sentencizer'); nlp.add_pipe('kpframe', config={'pipeline': 'kea', 'top': 1});"
        "print(nlp('Red kites soar. Red kites!')._.keyphrases)"
    )
    made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert made.stdout.strip() == "[Red kites]"
