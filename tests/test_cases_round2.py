"""Cases of users, by their names: what was wrong once, on texts short enough to judge by eye."""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import normalize

import pytest

import kpframe as kp
from kpframe.candidates.pos_pattern import PosPattern
from kpframe.candidates.vocabulary import Vocabulary
from kpframe.cli import main
from kpframe.documents.jsonl import Jsonl
from kpframe.language.codes import language_code
from kpframe.model import Annotations, Document, Keyphrases, Ranked
from kpframe.postprocessing.variants import Variants
from kpframe.preprocessing.simple import Simple

CANDIDATES = [
    ("elision-fr", "fr", "L'armée avance. Les blindés de l'armée entrent dans la ville.", "armée|ville"),
    ("slash-terms", "en", "The client/server model runs over TCP/IP.", "client/server model|TCP/IP"),
    ("slash-units", "en", "A dose of 5 mg/kg and then 10 mg/kg was given.", "dose"),
    ("combining-hi", "hi", "मशीन लर्निंग उपयोगी है। मशीन लर्निंग।", "मशीन लर्निंग"),
    ("combining-nfd", "fr", "Un cafe\u0301 noir. Le cafe\u0301 noir.", "café"),
    ("zwnj-fa", "fa", "داده\u200cها و کتاب\u200cها. داده\u200cها.", "داده\u200cها"),
    ("c-sharp", "en", "We use C# daily. C# is a language, as C++ and .NET are.", "C#|C++|.NET"),
    (
        "markdown",
        "en",
        "See the [user guide](https://docs.example.org/guide) for graph kernels.",
        "user guide|graph kernels",
    ),
    ("half-brackets", "en", "The poly(ethylene glycol) chains swell.", "ethylene glycol"),
    ("half-brackets", "en", "Under Article 5(1)(a) of the treaty", "Article|treaty"),
    ("half-brackets", "en", "Call df.groupby('x') on it.", "df.groupby"),
    ("chemical", "en", "N,N-dimethylformamide dissolves it.", "N,N-dimethylformamide"),
    (
        "title-line",
        "en",
        "Council approves spending caps\nNew Orla's council met. New Orla voted.",
        "spending caps|New Orla",
    ),
    ("huge-word", "en", "Key " + "aGVsbG8" * 1700 + " is in the file.", "Key|file"),
    ("control", "en", "alpha\u0007 machine learning\u001b[31m for graphs", "alpha|machine learning|graphs"),
    (
        "authors",
        "en",
        "Dopamine Neurons and Reward\nAda N. Rill, Bo Quist, et al.\nDopamine neurons signal reward.",
        "Dopamine Neurons",
    ),
    (
        "toc",
        "en",
        "Leadership styles.____________15\nTeam size..............17",
        "Leadership styles|Team size",
    ),
]
BARRED = (
    "mg/kg", "mg", "kg", "L'armée", "Neurons Ada", "caps New", "15 Team", "model runs over", "ها", "[", "]",
    "(", ")", "https", "_", "..", "\u001b", "\u0007", "'x", "aGVsbG8",
)  # fmt: skip
"""Pieces that no candidate of any case may have, but where they belong to what is right."""


def extracted(text: str, language: str) -> list[str]:
    """All that the pipeline for any language finds, composed; surfaces are slices of the text as it is."""
    return [
        normalize("NFC", found.text)
        for found in kp.Pipeline.load("any-language").extract(text, language=language)
    ]


@pytest.mark.parametrize(("case", "language", "text", "right"), CANDIDATES)
def test_case(case: str, language: str, text: str, right: str) -> None:
    """What is right is offered whole, and none of the wrong pieces is."""
    found = extracted(text, language)
    assert set(right.split("|")) <= set(found)
    assert [phrase for phrase in found if any(b in phrase for b in BARRED if b not in right)] == []


def annotated(text: str, language: str) -> tuple[Document, Annotations]:
    document = Document("d", text, language)
    return document, Simple().annotate(document, None)


@pytest.mark.parametrize(
    ("case", "language", "term", "text", "match"),
    [
        ("elision-fr-vocabulary", "fr", "assurance", "L'assurance change.", "word"),
        ("vocabulary-de", "de", "Künstliche Intelligenz", "Anwendungen Künstlicher Intelligenz", "stem"),
    ],
)
def test_case_of_vocabularies(case: str, language: str, term: str, text: str, match: str) -> None:
    """A term is found behind an elided article, and in another case."""
    settings = {"terms": [term], **({"match": "stem"} if match == "stem" else {})}
    found = Vocabulary.model_validate(settings).propose(*annotated(text, language))
    assert len(found) == 1


def test_case_elision_fr_score() -> None:
    """Gold behind an elided article is in the text."""
    document = Document("d", "L'assurance est chère: l'assurance.", "fr", gold=(kp.Gold(("assurance",)),))
    (score,) = kp.score([document], {"d": ["assurance"]}, metrics="r_precision", matching="exact")
    assert (score.value, score.documents) == (1.0, 1)


@pytest.mark.parametrize("matching", ["exact", "approximate", "substring", "soft"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_case_nfd_score(matching: str, form: str) -> None:
    """Composed and decomposed are equal, in gold, prediction and text."""
    other = "NFD" if form == "NFC" else "NFC"
    gold = (kp.Gold((normalize(form, "café culture"),)),)
    document = Document("d", normalize(other, "a café culture here"), gold=gold)
    predicted = {"d": [normalize(other, "café culture")]}
    (score,) = kp.score([document], predicted, metrics="r_precision", matching=matching)
    assert (score.value, score.documents) == (1.0, 1)


def test_case_plural_pair() -> None:
    """SVM and SVMs become one entry where `variants` is asked for."""
    document, made = annotated("SVM and SVMs", "en")
    entries = [Ranked("svm", "SVM", 2.0, ((0, 1),)), Ranked("svms", "SVMs", 1.0, ((2, 3),))]
    joined = Variants().process(Keyphrases(document, made, tuple(entries)))
    assert [entry.surface for entry in joined] == ["SVM"]


def test_case_figure_table() -> None:
    """The list `papers` takes away what refers to parts of the text."""
    text = "Figure 2 shows growth. Figure 3 and Fig. 4 show decay. Table 1 lists growth rates (see Eq. 5)."
    pipeline = kp.Pipeline.load(
        "any-language",
        settings=[
            "candidates.stopwords=[auto, papers]",
            "postprocessing=[{kind: stopwords, lists: [auto, papers]}]",
        ],
    )
    found = {phrase.text.casefold() for phrase in pipeline.extract(text, language="en")}
    assert {"growth", "growth rates", "decay"} <= found
    assert not found & {"fig", "figure", "eq", "table", "fig.", "eq."}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            "Type 2 diabetes is common. Patients with type 2 diabetes need insulin. The IEEE 802.11 "
            "standard and IEEE 802.11 radios.",
            {"type 2 diabetes", "ieee 802.11"},
        ),
        (
            "In 2019 the 35 users of COVID-19 apps had IL-6 tests; ISO 9001 is a norm.",
            {"covid-19", "iso 9001"},
        ),
    ],
)
def test_case_numbers_in_names(text: str, right: set[str]) -> None:
    """Numbers of names are in them where `numbers: names` asks for it; years and counts never are."""
    pipeline = kp.Pipeline.load("any-language", settings=["candidates.numbers=names"])
    found = {phrase.text.casefold() for phrase in pipeline.extract(text, language="en")}
    assert right <= found
    assert not [phrase for phrase in found if phrase[0].isdigit() or "2019" in phrase or "35" in phrase]


@pytest.mark.parametrize("cleaner", ["html", "markdown", "papers", "dehyphenate", "unicode"])
def test_spans_are_those_of_the_given_text(cleaner: str) -> None:
    """Whatever a cleaner takes out before."""
    text = "<p>\u200bRed [k\u0308ites](http://k.org) &amp; quiet riv-\ners</p>\n12\n"
    pipeline = kp.Pipeline.load("any-language", settings=[f"preprocessing=[{cleaner}, simple]"])
    result = pipeline.extract(text, language="en")
    assert result.text == text
    assert any(phrase.spans for phrase in result)
    assert all(text[phrase.spans[0][0]].casefold() == phrase.text[0].casefold() for phrase in result)


@pytest.mark.parametrize(
    ("case", "pattern"),
    [("deep-pattern", "(" * 600 + "noun" + ")" * 600), ("deep-pattern", "noun" + "?" * 3000)],
)
def test_case_of_patterns(case: str, pattern: str) -> None:
    """Refused with a reason, and not by the depth of the stack."""
    with pytest.raises(ValueError, match=r"nested too deeply|too many repetitions"):
        PosPattern.model_validate({"patterns": [pattern]})


REFUSED = [
    ("gold-string", {"1": "graph"}, {"1": ["g", "graph"]}, {}, "is not a list"),
    ("missing-word", {"1": ["graph"]}, {"1": ["g"]}, {"missing": "zeros"}, "empty, skip, refuse"),
    ("same-id", {1: ["a"], "1": ["b"]}, {"1": ["a"]}, {}, "comes twice"),
    ("set", {"1": ["a"]}, {"1": {"a", "b"}}, {}, "is not a list"),
    ("none-nan", {"1": ["a", None]}, {"1": ["a"]}, {}, "gold of '1'"),
    ("none-nan", {"1": ["a"]}, {"1": float("nan")}, {}, "predictions for '1'"),
    ("none-nan", {"1": ["a"]}, {"1": [3]}, {}, "predictions for '1'"),
]


@pytest.mark.parametrize(("case", "gold", "predictions", "options", "message"), REFUSED)
def test_case_refused(
    case: str, gold: object, predictions: object, options: dict[str, str], message: str
) -> None:
    """An error of the project, with the document."""
    with pytest.raises(kp.KpframeError, match=message):
        kp.score(gold, predictions, metrics="recall@5", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("gold", [["neural", "network"], ["network", "neural"]])
def test_case_gold_order(gold: list[str]) -> None:
    """Both phrases are hits whatever the order of gold."""
    predicted = {"d": ["fast neural network", "neural"]}
    (score,) = kp.score({"d": gold}, predicted, metrics="r_precision", matching="approximate")
    assert score.value == 1.0


@pytest.mark.parametrize(
    ("language", "gold", "predicted"),
    [
        ("de", "Wohnung", "Wohnungen"),
        ("pt-BR", "eleição", "eleições"),
        ("French", "journaux", "journal"),
        # Each language has a dictionary that is loaded for it, which takes a second.
        pytest.param("es", "canción", "canciones", marks=pytest.mark.acceptance),
        pytest.param("nl", "dijken", "dijk", marks=pytest.mark.acceptance),
        pytest.param("ru", "волк", "волки", marks=pytest.mark.acceptance),
    ],
)
@pytest.mark.slow
def test_case_plurals_de(language: str, gold: str, predicted: str) -> None:
    """One is a form of the other in its language, said by the caller, the matching or the document."""
    given = {"1": [gold]}, {"1": [predicted]}
    recall = {"metrics": "max_recall"}
    scores = [
        *kp.score(*given, matching="approximate", language=language, **recall),  # type: ignore[arg-type]
        *kp.score(*given, matching={"kind": "morph", "language": language}, **recall),  # type: ignore[arg-type]
    ]
    assert [score.value for score in scores] == [1.0, 1.0]
    assert all(f"|lang:{language_code(language)}|" in score.signature for score in scores)
    document = kp.Document("1", f"{gold}, {predicted}.", language_code(language), (kp.Gold((gold,)),))
    (score,) = kp.score([document], given[1], matching="morph", **recall)  # type: ignore[arg-type]
    assert score.value == 1.0
    (english,) = kp.score(*given, matching="morph", **recall)  # type: ignore[arg-type]
    assert english.value == 0.0 and "lang:" not in english.signature


DOCKERS = "Les dockers sont en grève. La grève des dockers dure, et le port de la ville perd des navires."


@pytest.mark.parametrize("said", [["--language", "fr"], ["--language", "French"], []])
def test_case_language_silent(said: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Stop words are French; that the model is English is told, and what is guessed."""
    assert main(["extract", *said, "--pipeline", "kea", "--text", DOCKERS, "--top", "20"]) == 0
    shown = capsys.readouterr()
    phrases = [line.split("  ", 1)[1].casefold() for line in shown.out.splitlines()]
    assert phrases and not {"les", "des", "la", "les dockers", "des dockers"} & set(phrases)
    assert "the trained model has learned from texts in English (en)" in shown.err
    assert ("language: fr, guessed from the texts; --language CODE says it" in shown.err) is not said


def test_case_language_default(capsys: pytest.CaptureFixture[str]) -> None:
    """Never the English tagger without a word: a model that is missing is named with what brings it."""
    text = "Der Streik der Hafenarbeiter dauert an, und die Schiffe warten vor dem Hafen der Stadt."
    assert main(["extract", "--text", text]) == 2
    assert "python -m spacy download de_core_news_sm" in capsys.readouterr().err
    assert main(["extract", "--text", text, "--pipeline", "any-language", "--top", "3"]) == 0
    shown = capsys.readouterr()
    assert "Hafenarbeiter" in shown.out and "guessed from the texts" in shown.err


@pytest.mark.parametrize("language", ["en", "zh"])
def test_case_pre_tokenised(language: str, tmp_path: Path) -> None:
    """Tokens that are given are the tokens of every pipeline, also in a script without blanks."""
    tokens = (
        ["机器", "学习", "好", "。", "机器", "学习"]
        if language == "zh"
        else ["New York", "opera", ".", "New York"]
    )
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"document": tokens}))
    (document,) = Jsonl(path=str(path), language=language).read()
    assert isinstance(document, Document)
    settings = ["candidates={kind: ngrams, max: 1}", "postprocessing=[]"]
    pipeline = kp.Pipeline.load("any-language", settings=settings)
    (result,) = pipeline.extract_many([document])
    assert result.error is None
    assert {phrase.text for phrase in result} <= set(tokens)
    assert tokens[0] in {phrase.text for phrase in result}


THESAURI = [
    ("t.ttl", '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<a> skos:prefLabel "kite"@en .\n'),
    ("t.rdf", '<rdf:RDF xmlns:rdf="r"><skos:Concept/></rdf:RDF>'),
    ("t.nt", '<http://a> <http://b> "kite" .\n'),
    ("t.jsonld", '{"@context": {}, "@graph": []}'),
    ("t.json", '{"@context": "http://www.w3.org/2004/02/skos", "prefLabel": ["kite"]}'),
    ("t.xml", '<?xml version="1.0"?><rdf:RDF xmlns:skos="http://www.w3.org/2004/02/skos/core#"/>'),
    ("terms", '# terms\n@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n'),
    ("t.owl", "anything"),
    ("t.txt", "%PDF-1.4 \n"),
    ("t.html", "<ul><li>kite</ul>"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), THESAURI)
def test_case_thesaurus(name: str, content: str, tmp_path: Path) -> None:
    """What is no list of terms is refused before any text is read; as lines it would find nothing."""
    path = tmp_path / name
    path.write_text(content)
    ((parameter, problem, remedy),) = Vocabulary(path=str(path)).problems(["en"])
    assert parameter == "path"
    assert "not a list of terms" in problem
    assert "preferred<TAB>synonym" in remedy


@pytest.mark.parametrize(
    ("name", "content"),
    [("t.txt", "red kite\tkites\n"), ("terms", "# c\nred kite\n"), ("t.json", '{"red kite": []}')],
)
def test_case_thesaurus_lists_are_lists(name: str, content: str, tmp_path: Path) -> None:
    """Lists of terms of all layouts are taken as before."""
    path = tmp_path / name
    path.write_text(content)
    assert list(Vocabulary(path=str(path)).problems(["en"])) == []
