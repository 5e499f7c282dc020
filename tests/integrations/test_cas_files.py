"""UIMA: what is written comes back, and others can read it."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cassis
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inspec_texts import annotated, inspec, layers_of, needs_corpora

from kpframe import DataError, Document, Gold, Keyphrase, Pipeline
from kpframe.engine.experiment import Experiment
from kpframe.files.uima import types
from kpframe.integrations import read_cas, write_cas, write_run
from kpframe.integrations.cas import _file_names
from kpframe.model import Annotations, Skipped
from kpframe.model.blank import visible
from kpframe.stages import Reader
from kpframe.stages.registry import lookup

pytestmark = [
    pytest.mark.filterwarnings("ignore:open_binary is deprecated:DeprecationWarning"),
    pytest.mark.slow,
]
"""How dkpro-cassis opens its own file of types."""

both = pytest.mark.parametrize("format", ["xmi", "json"])

TEXT = '\r\nThe 😀 red kites\tin Nepal & <b>soar</b>  over 𝐆 "stations".\n\nRed kites, 12 of them! \r'
DOCUMENT = Document(
    "d/1",
    TEXT,
    "en",
    (Gold(("red kites", "Red  kite"), "author"), Gold((" far\naway ",)), Gold(("Nepal",), "controlled")),
    {"title_length": 5, "split": "test", "odd": [1, 2.5, None, {"é": "\x00😀"}]},
)
KEYPHRASES = (
    Keyphrase("red kites", 0.1 + 0.2, 1, "red kite", ((8, 17), (63, 72))),
    Keyphrase("Nepal", 1e-17, 2, "nepal", ((21, 26),)),
    Keyphrase("nowhere", -3.0, 3, "nowhere", ()),
)


def entities_of(made: Annotations | None) -> list[tuple[str, str]]:
    """Texts and labels of the entities."""
    assert made is not None and made.entities is not None and made.entity_labels is not None
    begins, ends = made.offsets
    texts = [made.text[begins[b] : ends[e - 1]] for b, e in made.entities.tolist()]
    return list(zip(texts, made.strings(made.entity_labels), strict=True))


def reader(path: Path, **parameters: object) -> Reader:
    """The reader `cas`."""
    made = lookup("documents", "cas").model_validate({"path": str(path), **parameters})
    assert isinstance(made, Reader)
    return made


@both
def test_a_document_comes_back_equal(tmp_path: Path, format: str) -> None:
    """Text, id, language, gold with variants and sources, metadata, all layers, and all systems."""
    (document,) = annotated([DOCUMENT])
    systems = {"one": KEYPHRASES, "none": (), "two": KEYPHRASES[:1]}
    write_cas(tmp_path / f"a.{format}", document, systems)
    found = read_cas(tmp_path / f"a.{format}")
    assert found.document.to_json() == document.to_json()
    assert layers_of(found.document.annotations) == layers_of(document.annotations)
    assert dict(found.keyphrases) == systems


@both
def test_offsets_in_files_count_utf_16_units(tmp_path: Path, format: str) -> None:
    """An emoji is one code point here and two units in UIMA: "b" of "😀 b" begins at 2, and there at 3."""
    write_cas(tmp_path / f"a.{format}", Document("d", "😀 b"), [Keyphrase("b", 1.0, 1, "b", ((2, 3),))])
    raw = (tmp_path / f"a.{format}").read_text(encoding="utf-8")
    assert ('begin="3"' if format == "xmi" else '"begin": 3') in raw
    ((keyphrase,),) = read_cas(tmp_path / f"a.{format}").keyphrases.values()
    assert keyphrase.spans == ((2, 3),)


@both
def test_files_load_in_plain_cassis(tmp_path: Path, format: str) -> None:
    """Without kpframe: DKPro's tokens with lemmas and parts of speech, ranked keyphrases, gold."""
    (document,) = annotated([DOCUMENT])
    write_cas(tmp_path / f"a.{format}", document, KEYPHRASES[:2])
    with (tmp_path / f"a.{format}").open("rb") as file:
        if format == "json":
            cas = cassis.load_cas_from_json(file)
        else:
            with (tmp_path / "TypeSystem.xml").open("rb") as types_file:
                cas = cassis.load_cas_from_xmi(file, cassis.load_typesystem(types_file))
    assert cas.sofa_string == TEXT
    (token,) = [token for token in cas.select(types.TOKEN) if token.get_covered_text() == "stations"]
    assert (token.lemma.value, token.pos.PosValue, token.pos.coarseValue) == ("station", "NNS", "NOUN")
    assert token.pos.type.name.endswith(".POS_NOUN")
    assert [s.get_covered_text() for s in cas.select(types.SENTENCE)][-1] == "Red kites, 12 of them!"
    assert "The 😀 red kites" in [c.get_covered_text() for c in cas.select(types.NOUN_PHRASE)]
    entities = [(e.get_covered_text(), e.value) for e in cas.select(types.ENTITY)]
    assert entities == entities_of(document.annotations) != []
    found = [(k.rank, k.place, k.get_covered_text(), k.score) for k in cas.select(types.KEYPHRASE)]
    assert sorted(found)[0] == (1, 0, "red kites", 0.30000000000000004)
    gold = (cas if format == "json" else cas.get_view("gold")).select(types.GOLD)
    assert sorted((g.number, g.source, g.variants.elements) for g in gold)[0] == (
        0,
        "author",
        ["red kites", "Red  kite"],
    )


def test_the_gold_view_of_xmi_marks_places(tmp_path: Path) -> None:
    """Whole words, whatever their case; gold that is not in the text is listed but not marked."""
    write_cas(tmp_path / "a.xmi", replace(DOCUMENT, text="Red kites, infrared kites; red\nkites"))
    with (tmp_path / "TypeSystem.xml").open("rb") as types_file, (tmp_path / "a.xmi").open("rb") as file:
        view = cassis.load_cas_from_xmi(file, cassis.load_typesystem(types_file)).get_view("gold")
    assert [place.get_covered_text() for place in view.select(types.PHRASE)] == ["Red kites", "red\nkites"]


@both
def test_made_layers_that_are_empty_stay_made(tmp_path: Path, format: str) -> None:
    """No chunk found is not the same as no layer of chunks; a document without any stays without."""
    texts = [Document("a", ""), Document("b", "Run quickly and jump."), Document("c", " \n ")]
    for document in [*annotated(texts), *annotated(texts, "simple"), *texts]:
        write_cas(tmp_path / f"a.{format}", document)
        found = read_cas(tmp_path / f"a.{format}").document
        assert found.text == document.text
        if document.annotations is None:
            assert found.annotations is None
        else:
            assert layers_of(found.annotations) == layers_of(document.annotations)


@both
def test_words_that_differ_from_the_text_come_back(tmp_path: Path, format: str) -> None:
    """Given tokens may be spelt otherwise than the text, as "-LRB-" for "("; DKPro's TokenForm has them."""
    spans = np.array([[0, 1], [1, 2]], dtype=np.int32)
    layers = {"lemmas": np.array([2, 1], np.int32), "tags": np.array([0, 2], np.int32)}
    given_words = np.array([0, 1], np.int32)
    sentence = np.array([[0, 2]], np.int32)
    made = Annotations("(a", spans[:, 0], spans[:, 1], given_words, ("-LRB-", "a", ""), sentence, **layers)
    write_cas(tmp_path / f"a.{format}", Document("d", "(a", annotations=made))
    found = read_cas(tmp_path / f"a.{format}").document.annotations
    assert layers_of(found) == layers_of(made)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    variants=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), max_size=3),
)
def test_any_text_comes_back(tmp_path: Path, text: str, variants: list[str]) -> None:
    """JSON holds every text; in XMI blanks stand for the characters that XML does not have."""
    gold = tuple(Gold((variant,)) for variant in variants if visible(variant))
    document = Document("d", text, gold=gold)
    write_cas(tmp_path / "a.json", document)
    assert read_cas(tmp_path / "a.json").document.to_json() == document.to_json()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        write_cas(tmp_path / "a.xmi", document)
    found = read_cas(tmp_path / "a.xmi").document
    assert len(found.text) == len(text)
    assert {a for a, b in zip(text, found.text, strict=True) if a != b} <= set(map(chr, range(32))) | {
        "\ufffe",
        "\uffff",
    }
    assert bool(told) == (found.text != text)
    assert found.gold == gold


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """With the document, the place and a remedy; nothing is written."""
    with pytest.raises(DataError) as caught:
        write_cas(tmp_path / "a.xml", Document("d", "a"))
    assert str(caught.value) == f"{tmp_path}/a.xml: is neither .xmi nor .json; choose one of these endings"
    with pytest.raises(DataError, match=r"document 'd': cannot be written as \.xmi .* nothing would be left"):
        write_cas(tmp_path / "a.xmi", Document("d", "a", gold=(Gold(("\x01",)),)))
    with pytest.raises(DataError, match=r"document 'd': cannot be written as .json \(Out of range float"):
        write_cas(tmp_path / "a.json", Document("d", "a", metadata={"x": float("nan")}))
    with pytest.raises(DataError, match=r"cannot be written as .json \(Object of type set is not JSON"):
        write_cas(tmp_path / "a.json", Document("d", "a", metadata={"x": {1}}))
    with pytest.raises(DataError, match="document 'd': has a text too long for XML"):
        write_cas(tmp_path / "a.xmi", Document("d", "&" * 2_000_000))
    assert list(tmp_path.iterdir()) == []


@both
def test_keyphrases_that_would_not_come_back_are_refused(tmp_path: Path, format: str) -> None:
    """Two of one rank would become one, places outside the text have no offsets, Java reads no "inf"."""
    good = Keyphrase("a", 1.0, 1, "a", ((0, 1),))
    for other, message in (
        (replace(good, text="b"), "has the rank 1 of another one; give each its own rank"),
        (replace(good, text="b", rank=2, score=float("inf")), "has the score inf; give a finite number"),
        (
            replace(good, text="b", rank=2, spans=((2, 9),)),
            "has the span 2 to 9, and the text 3 characters; give spans in this text",
        ),
    ):
        with pytest.raises(DataError) as caught:
            write_cas(tmp_path / f"a.{format}", Document("d", "a b"), {"s": [good, other]})
        assert str(caught.value) == f"document 'd', system 's', keyphrase 'b': {message}"
    write_cas(tmp_path / f"a.{format}", Document("d", "a b"), {"s": [good], "t": iter([good])})
    assert dict(read_cas(tmp_path / f"a.{format}").keyphrases) == {"s": (good,), "t": (good,)}


@both
def test_odd_values_come_back(tmp_path: Path, format: str) -> None:
    """No id, no language, names and ids with markup and line ends, the smallest score, right-to-left text."""
    text = "שלום \u202eمرحبا\u202c \u2028\ufeff\x85\x7f a\u0301 𐍈𐍈 end"
    smallest = Keyphrase(" a\r\nb ", -5e-324, 7, "<&\t\">'é", ((len(text) - 3, len(text)), (0, 4)))
    for document in (
        Document("", text, "", (Gold(("שלום", "مرحبا")),)),
        Document(" 😀<&>\"'\r\n\t/é ", text, "x-unspecified", (Gold(("end",), "<&>\n"),)),
    ):
        write_cas(tmp_path / f"a.{format}", document, {"a\n<&é😀": [smallest]})
        found = read_cas(tmp_path / f"a.{format}", language="de")
        assert found.document.to_json() == document.to_json()
        assert dict(found.keyphrases) == {"a\n<&é😀": (smallest,)}


def test_a_foreign_type_system_is_not_replaced(tmp_path: Path) -> None:
    """The XMI files beside it would no longer load."""
    (tmp_path / "TypeSystem.xml").write_text("<typeSystemDescription/>")
    with pytest.raises(DataError, match="is the type system of something else; choose another folder"):
        write_cas(tmp_path / "a.xmi", DOCUMENT)


# --- files of others ----------------------------------------------------------------------------------


def foreign_cas(text: str) -> cassis.Cas:
    """A CAS with DKPro's types, as its components leave it, and keyphrases marked by hand."""
    system = cassis.load_dkpro_core_typesystem()
    phrase = system.create_type(types.PHRASE, "uima.tcas.Annotation")
    system.create_feature(phrase, "keyphrase", "uima.cas.String")
    system.create_type("my.Own", "uima.tcas.Annotation")
    cas = cassis.Cas(system, sofa_string=text, document_language="de-AT")
    for begin, end, tag in ((0, 3, "NNP"), (3, 4, ""), (4, 9, "NNS"), (10, 14, "VBP")):
        pos = system.get_type(f"{types.POS}_PROPN" if begin == 0 else types.POS)(
            begin=begin, end=end, PosValue=tag
        )
        cas.add(pos)
        cas.add(system.get_type(types.TOKEN)(begin=begin, end=end, pos=pos))
    cas.add(system.get_type(types.SENTENCE)(begin=0, end=9))
    cas.add(system.get_type(types.NOUN_PHRASE)(begin=0, end=14))
    cas.add(phrase(begin=4, end=9))
    cas.add(phrase(begin=4, end=9))
    cas.add(system.get_type("my.Own")(begin=4, end=9))
    return cas


def test_a_cas_of_others_is_read(tmp_path: Path) -> None:
    """White space is no token, tokens outside sentences make one, chunks are cut, tags give coarse ones."""
    cas = foreign_cas("Red kites soar")
    (tmp_path / "a.xmi").write_text(cas.to_xmi(), encoding="utf-8")
    for written in (False, True):
        if written:
            (tmp_path / "TypeSystem.xml").write_text(cas.typesystem.to_xml(), encoding="utf-8")
        found = read_cas(tmp_path / "a.xmi", gold_view="_InitialView").document
        made = found.annotations
        assert (found.id, found.language, found.gold) == ("a", "de", (Gold(("kites",)),))
        assert made is not None and made.layers == {"tokens", "sentences", "tags", "pos", "chunks"}
        assert made.pos is not None and made.chunks is not None
        assert made.strings(made.words) == ["Red", "kites", "soar"]
        assert made.strings(made.pos) == ["PROPN", "NOUN", "VERB"]
        assert (made.sentences.tolist(), made.chunks.tolist()) == ([[0, 2], [2, 3]], [[0, 2]])


OLD = {"ADJ": "ADJ", "NN": "NOUN", "NP": "PROPN", "N": "NOUN", "V": "VERB", "ART": "DET", "PUNC": "PUNCT"}


@pytest.mark.parametrize("linked", [True, False])
@both
def test_old_and_unlinked_tags_are_used(tmp_path: Path, linked: bool, format: str) -> None:
    """Parts of speech of DKPro before 1.9, and tags that only stand where a token stands."""
    system = types.reading_types()
    cas = cassis.Cas(system, sofa_string=" ".join("ab" for _ in OLD))
    for i, old in enumerate(OLD):
        place = {"begin": 3 * i, "end": 3 * i + 2}
        pos = system.get_type(f"{types.POS.removesuffix('POS')}{old}")(**place, PosValue=old.lower())
        lemma = system.get_type(types.LEMMA)(**place, value=f"lemma{i}")
        cas.add_all([pos, lemma])
        cas.add(system.get_type(types.TOKEN)(**place, **({"pos": pos, "lemma": lemma} if linked else {})))
    made = cas.to_xmi() if format == "xmi" else cas.to_json()
    (tmp_path / f"a.{format}").write_text(made, encoding="utf-8")
    found = read_cas(tmp_path / f"a.{format}").document.annotations
    assert found is not None and found.pos is not None
    assert found.tags is not None and found.lemmas is not None
    assert found.strings(found.pos) == list(OLD.values())
    assert found.strings(found.tags) == [old.lower() for old in OLD]
    assert found.strings(found.lemmas) == [f"lemma{i}" for i in range(len(OLD))]


def test_entities_and_conjunctions_have_dkpros_types(tmp_path: Path) -> None:
    """Person, Location and Organization; coarse CONJ for the universal CCONJ; and both come back."""
    spans = np.array([[0, 3], [4, 7], [8, 11], [12, 15]], dtype=np.int32)
    entities = np.array([[0, 1], [2, 3], [3, 4]], np.int32)
    made = Annotations(
        "Ann and EUX Rom",
        spans[:, 0],
        spans[:, 1],
        np.arange(4, dtype=np.int32),
        ("Ann", "and", "EUX", "Rom", "PERSON", "ORG", "GPE", "PROPN", "CCONJ"),
        np.array([[0, 4]], np.int32),
        pos=np.array([7, 8, 7, 7], np.int32),
        entities=entities,
        entity_labels=np.array([4, 5, 6], np.int32),
    )
    write_cas(tmp_path / "a.xmi", Document("ä/1", made.text, annotations=made))
    with (tmp_path / "TypeSystem.xml").open("rb") as types_file, (tmp_path / "a.xmi").open("rb") as file:
        cas = cassis.load_cas_from_xmi(file, cassis.load_typesystem(types_file))
    kinds = {one.get_covered_text(): one.type.name.rpartition(".")[2] for one in cas.select(types.ENTITY)}
    assert kinds == {"Ann": "Person", "EUX": "Organization", "Rom": "Location"}
    (conjunction,) = cas.select(f"{types.POS}_CONJ")
    assert conjunction.coarseValue == "CONJ"
    (meta,) = cas.select(types.META)
    assert (meta.documentId, meta.documentUri) == ("ä/1", "%C3%A4/1")
    assert layers_of(read_cas(tmp_path / "a.xmi").document.annotations) == layers_of(made)


def with_two_texts(first: str | None) -> cassis.Cas:
    """A CAS with a second view `de` that has a text, a keyphrase there and one in the initial view."""
    system = types.type_system()
    cas = cassis.Cas(system)
    other = cas.create_view("de")
    other.sofa_string = "Rote 😀 Milane"
    other.add(system.get_type(types.PHRASE)(begin=7, end=13, score=2.0))
    if first is not None:
        cas.sofa_string = first
        cas.add(system.get_type(types.PHRASE)(begin=0, end=3, keyphrase="red kites", score=0.5))
        cas.add(system.get_type(types.PHRASE)(begin=4, end=9, score=0.75))
        cas.add(system.get_type(types.PHRASE)(begin=0, end=3, keyphrase="red kites", score=0.25))
    return cas


def as_java_writes(cas: cassis.Cas) -> str:
    """JSON with what refers to a Sofa before it, and with the features of a Sofa in another order."""
    data = json.loads(cas.to_json())
    data["%FEATURE_STRUCTURES"].sort(key=lambda one: one["%TYPE"] == "uima.cas.Sofa")
    return json.dumps(data)


@both
def test_a_second_view_with_a_text_is_read(tmp_path: Path, format: str) -> None:
    """As Java writes it; its keyphrases are gold if that view is named, those beside the text predictions."""
    cas = with_two_texts("Red kites")
    (tmp_path / f"a.{format}").write_text(cas.to_xmi() if format == "xmi" else as_java_writes(cas), "utf-8")
    found = read_cas(tmp_path / f"a.{format}", gold_view="de")
    assert (found.document.text, found.document.gold) == ("Red kites", (Gold(("Milane",)),))
    assert dict(found.keyphrases) == {
        "": (
            Keyphrase("kites", 0.75, 1, "kites", ((4, 9),)),
            Keyphrase("red kites", 0.5, 2, "red kites", ((0, 3),)),
        )
    }
    assert read_cas(tmp_path / f"a.{format}").document.gold == ()


@both
def test_the_only_text_may_be_in_another_view(tmp_path: Path, format: str) -> None:
    """It is used; of two such views neither is, and they are named."""
    cas = with_two_texts(None)
    for number in range(2):
        made = cas.to_xmi() if format == "xmi" else as_java_writes(cas)
        (tmp_path / f"{number}.{format}").write_text(made, "utf-8")
        cas.create_view(f"fr{number}").sofa_string = "Milans royaux"
    found = read_cas(tmp_path / f"0.{format}")
    assert found.document.text == "Rote 😀 Milane"
    assert [k.text for k in found.keyphrases[""]] == ["Milane"]
    with pytest.raises(DataError, match="no text in its initial view, and 2 others have one: 'de', 'fr0'"):
        read_cas(tmp_path / f"1.{format}")


def test_a_mixed_folder_is_read(tmp_path: Path) -> None:
    """Files of kpframe and of others beside one type system, XMI and JSON, with and without layers."""
    system = foreign_cas("Red kites soar").typesystem
    (tmp_path / "TypeSystem.xml").write_text(system.to_xml(), encoding="utf-8")
    (tmp_path / "a.xmi").write_text(foreign_cas("Red kites soar").to_xmi(), encoding="utf-8")
    (tmp_path / "other").mkdir()
    (document,) = annotated([Document("b", "Grey herons wade.", gold=(Gold(("herons",)),))], "simple")
    write_cas(tmp_path / "other" / "b.xmi", document, KEYPHRASES[2:])
    (tmp_path / "other" / "b.xmi").rename(tmp_path / "b.xmi")
    shutil.rmtree(tmp_path / "other")
    write_cas(tmp_path / "c.json", Document("c", "Owls."))
    found = [one for one in reader(tmp_path).read() if isinstance(one, Document)]
    assert [one.id for one in found] == ["a", "b", "c"]
    assert found[1].gold == document.gold
    assert layers_of(found[1].annotations) == layers_of(document.annotations)
    assert read_cas(tmp_path / "b.xmi").keyphrases == {"": KEYPHRASES[2:]}
    assert reader(tmp_path).provides() == frozenset()
    (tmp_path / "c.json").unlink()
    assert reader(tmp_path).provides() == {"tokens", "sentences"}


def test_unusable_files_are_skipped_with_the_reason(tmp_path: Path) -> None:
    """Broken XML and JSON, entities, no text, damaged values; the others are read."""
    entity = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
    write_cas(tmp_path / "a1.json", Document("one", "Red kites."))
    (tmp_path / "a2.xmi").write_bytes(entity)
    (tmp_path / "a3.xmi").write_text("<xmi")
    (tmp_path / "a4.json").write_text("[1]")
    (tmp_path / "a5.xmi").write_text(cassis.Cas().to_xmi(), encoding="utf-8")
    damaged = json.loads((tmp_path / "a1.json").read_text())
    for found in damaged["%FEATURE_STRUCTURES"]:
        if "metadata" in found:
            found["metadata"] = "[]"
    (tmp_path / "a6.json").write_text(json.dumps(damaged))
    write_cas(
        tmp_path / "a7.json", Document("seven", "Red kites."), [Keyphrase("Red", 1.0, 1, "red", ((0, 3),))]
    )
    outside = (tmp_path / "a7.json").read_text().replace('"end": 3', '"end": 30')
    (tmp_path / "a7.json").write_text(outside)
    documents, skipped = [], []
    for entry in reader(tmp_path).read():
        (skipped if isinstance(entry, Skipped) else documents).append(entry)
    assert [document.id for document in documents] == ["one"]
    reasons = {Path(entry.place).name: entry.reason for entry in skipped}
    assert list(reasons) == ["a2.xmi", "a3.xmi", "a4.json", "a5.xmi", "a6.json", "a7.json"]
    assert reasons["a2.xmi"].startswith("is no CAS that can be read (DTDForbidden")
    assert reasons["a3.xmi"].startswith("is no CAS that can be read (")
    assert reasons["a5.xmi"] == "has no text in its initial view"
    assert reasons["a6.json"] == "has damaged metadata"
    assert reasons["a7.json"] == "has a keyphrase outside its text"
    with pytest.raises(DataError, match="has no text in its initial view; give a CAS as XMI or JSON"):
        read_cas(tmp_path / "a5.xmi")


# --- the reader and runs --------------------------------------------------------------------------------


@both
def test_the_reader_brings_text_gold_and_layers(tmp_path: Path, format: str) -> None:
    """From a folder, one file, and without the annotations if they are not wanted."""
    documents = annotated([DOCUMENT, Document("e", "Grey herons.", "en")], "tokenize", "pos")
    for number, document in enumerate(documents):
        write_cas(tmp_path / f"{number}.{format}", document)
    folder = reader(tmp_path)
    assert list(folder.problems(["en"])) == []
    assert folder.provides() == {"tokens", "sentences", "tags", "pos"}
    found = [entry for entry in folder.read() if isinstance(entry, Document)]
    assert [f.to_json() for f in found] == [d.to_json() for d in documents]
    assert [layers_of(f.annotations) for f in found] == [layers_of(d.annotations) for d in documents]
    (single,) = reader(tmp_path / f"1.{format}", annotations="ignore").read()
    assert isinstance(single, Document) and (single.id, single.annotations) == ("e", None)
    assert reader(tmp_path, annotations="ignore").provides() == frozenset()


@needs_corpora
@both
def test_inspec_comes_back_equal(tmp_path: Path, format: str) -> None:
    """Real abstracts with all layers, gold and keyphrases."""
    pipeline = Pipeline.load("textrank")
    documents = annotated(inspec(5))
    for document in documents:
        assert document.annotations is not None
        found = pipeline.keyphrases(document, document.annotations).public()
        write_cas(tmp_path / f"{document.id}.{format}", document, {"textrank": found})
        back = read_cas(tmp_path / f"{document.id}.{format}")
        assert back.document.to_json() == document.to_json()
        assert layers_of(back.document.annotations) == layers_of(document.annotations)
        assert dict(back.keyphrases) == {"textrank": tuple(found)}
    again = [entry for entry in reader(tmp_path).read() if isinstance(entry, Document)]
    assert sorted(d.id for d in again) == sorted(d.id for d in documents)


SPEC = """
name: small
documents: {{kind: jsonl, path: {corpus}}}
preprocessing: {preprocessing}
candidates: {{kind: ngrams, min: 1, max: 2, stopwords: [en]}}
sweep:
  ranking: {{frequency: frequency, position: position}}
matching: [exact]
metrics: [f1@5]
"""


def run_of(folder: Path, preprocessing: str = "[simple]", more: str = "") -> Path:
    """The folder of a run over two documents."""
    corpus = folder / "corpus.jsonl"
    lines = [
        DOCUMENT.to_json(),
        Document("../e", "Grey <i>herons</i> wade.", gold=(Gold(("herons",)),)).to_json(),
    ]
    corpus.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    spec = folder / "small.yaml"
    spec.write_text(SPEC.format(corpus=corpus, preprocessing=preprocessing) + more, encoding="utf-8")
    Experiment.load(spec).run(out=folder / "run", cache=folder / "cache")
    return folder / "run"


@both
def test_a_run_becomes_cas_files(tmp_path: Path, format: str) -> None:
    """One for each document, named safely, with the keyphrases of every cell as the run saved them."""
    run = run_of(tmp_path)
    assert write_run(run, tmp_path / "cas", format=format, pooled=True) == 2
    names = {path.name for path in (tmp_path / "cas").iterdir()} - {"TypeSystem.xml"}
    assert names == {f"d%2F1.{format}", f"%2E.%2Fe.{format}"}
    found = read_cas(tmp_path / "cas" / f"d%2F1.{format}")
    assert (found.document.text, found.document.metadata) == (TEXT, DOCUMENT.metadata)
    assert [gold.source for gold in found.document.gold] == ["author", "", "controlled"]
    assert found.document.annotations is not None
    for cell, keyphrases in found.keyphrases.items():
        with (run / "cells" / cell / "keyphrases.jsonl").open(encoding="utf-8") as file:
            saved = {line["id"]: line["keyphrases"] for line in map(json.loads, file)}
        assert [k.to_json() for k in keyphrases] == saved["d/1"]
        assert keyphrases and all(TEXT[b:e].casefold() == k.key for k in keyphrases for b, e in k.spans)
    (one,) = found.keyphrases.keys() - {"frequency"}
    assert write_run(run, tmp_path / "one", cells=[one], format=format, annotations=False) == 2
    found = read_cas(tmp_path / "one" / f"d%2F1.{format}")
    assert (list(found.keyphrases), found.document.annotations) == ([one], None)


def test_any_id_becomes_the_name_of_a_file(tmp_path: Path) -> None:
    """Long ones, ones that differ in case alone, and devices of Windows have a hash behind them."""
    ids = [
        "A",
        "a",
        "Ä",
        "x" * 300,
        "x" * 299 + "y",
        "日本語" * 90,
        "con",
        "Nul.txt",
        "console",
        "..",
        "a/b~",
    ]
    ids += ["\ud800", "e\u0301", "\u00e9", " ", ""]
    names = _file_names(ids)
    assert [names[id] for id in ("console", "..", "a/b~", "Ä", "\ud800")] == [
        "console",
        "%2E.",
        "a%2Fb%7E",
        "Ä",
        "%ED%A0%80",
    ]
    assert re.fullmatch(
        "A~[0-9a-f]{12} a~[0-9a-f]{12} con~[0-9a-f]{12}", " ".join(map(names.get, ["A", "a", "con"]))
    )
    assert len({name.casefold() for name in names.values()}) == len(ids)
    assert all(name and not name.startswith(".") and len(name.encode()) <= 200 for name in names.values())


def test_exported_files_give_the_scores_of_the_run(tmp_path: Path) -> None:
    """Run again over the CAS files, with the annotations in them: the same bytes of keyphrases and scores."""
    spec, corpus = tmp_path / "spec.yaml", tmp_path / "corpus.jsonl"
    demo = lookup("documents", "jsonl").model_validate({"resource": "corpora/demo"})
    assert isinstance(demo, Reader)
    documents = [entry for entry in islice(demo.read(), 3) if isinstance(entry, Document)]
    corpus.write_text(
        "".join(json.dumps(d.to_json()) + "\n" for d in [*documents, DOCUMENT]), encoding="utf-8"
    )
    text = "extends: textrank\nname: same\ndocuments: %s\nmetrics: [r_precision]\n"
    spec.write_text(text % f"{{kind: jsonl, path: {corpus}}}", encoding="utf-8")
    Experiment.load(spec).run(out=tmp_path / "run", cache=tmp_path / "cache")
    (cell,) = (path.name for path in (tmp_path / "run" / "cells").iterdir())
    files = ("keyphrases.jsonl", "scores.jsonl")
    for format in ("xmi", "json"):
        write_run(tmp_path / "run", tmp_path / format, format=format)
        spec.write_text(text % f"{{kind: cas, path: {tmp_path / format}}}", encoding="utf-8")
        Experiment.load(spec).run(out=tmp_path / f"run-{format}", cache=tmp_path / "cache")
        for name in files:
            first, again = (tmp_path / run / "cells" / cell / name for run in ("run", f"run-{format}"))
            assert again.read_bytes() == first.read_bytes()


def test_offsets_of_a_run_refer_to_the_given_text(tmp_path: Path) -> None:
    """The text of the file is the corpus's, whatever cleaners made of it; so are its tokens."""
    write_run(run_of(tmp_path, "[html, simple]"), tmp_path / "cas", format="json")
    found = read_cas(tmp_path / "cas" / "position" / "%2E.%2Fe.json")
    text = found.document.text
    assert text == "Grey <i>herons</i> wade."
    made = found.document.annotations
    assert made is not None
    assert [text[b:e] for b, e in zip(*made.offsets, strict=True)] == ["Grey", "herons", "wade", "."]
    (first, *_) = found.keyphrases.values()
    assert all(text[b:e].replace("<i>", "").replace("</i>", "") == k.text for k in first for b, e in k.spans)


def test_a_run_whose_corpus_is_gone_is_told(tmp_path: Path) -> None:
    """And a folder that is no run, and an unknown format or cell."""
    run = run_of(tmp_path)
    with pytest.raises(DataError, match=r"has no cell 'frequenc'; did you mean 'frequency'\?"):
        write_run(run, tmp_path / "cas", cells=["frequenc"])
    (tmp_path / "corpus.jsonl").write_text(json.dumps(DOCUMENT.to_json()) + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        write_run(run, tmp_path / "cas")
    remedy = "put the corpus of the run where it was"
    assert str(caught.value) == f"{run}: the corpus has no document '../e', which the run has; {remedy}"
    damaged = run / "cells" / "frequency" / "keyphrases.jsonl"
    whole = damaged.read_text(encoding="utf-8")
    damaged.write_text(whole.replace('"score"', '"skore"'), encoding="utf-8")
    with pytest.raises(DataError, match=r"keyphrases\.jsonl: is damaged or was changed after the run"):
        write_run(run, tmp_path / "cas")
    damaged.write_text(whole, encoding="utf-8")
    (tmp_path / "corpus.jsonl").unlink()
    with pytest.raises(DataError, match=remedy):
        write_run(run, tmp_path / "cas")
    with pytest.raises(DataError, match="is not the folder of a run"):
        write_run(tmp_path, tmp_path / "cas")


def test_reading_warns_of_nothing(tmp_path: Path) -> None:
    """Types that are left out are no warning of kpframe's."""
    (tmp_path / "a.xmi").write_text(foreign_cas("Red kites soar").to_xmi(), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_cas(tmp_path / "a.xmi")
