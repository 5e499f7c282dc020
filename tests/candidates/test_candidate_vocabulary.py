"""Controlled vocabularies."""

from __future__ import annotations

import json
import pickle

import pytest
from annotated_texts import annotated, parsed, select, surfaces

from kpframe.candidates.vocabulary import Vocabulary
from kpframe.errors import DataError, SpecError
from kpframe.model import Keyphrases


def test_terms_are_matched_whatever_the_case():
    """The output is a subset of the list."""
    text = annotated("FERRIES from kos to Greece, from KOS")
    found = select(Vocabulary(terms=["Kos", "Greece", "Crete"]), text)
    assert found.surfaces == ("Kos", "Greece")
    assert found.keys == ("kos", "greece")
    assert found.places_of == [((2, 3), (7, 8)), ((4, 5),)]


def test_a_synonym_stands_for_the_preferred_term():
    """ "CO2" is found as "carbon dioxide", at the place of "CO2"."""
    text = annotated("CO2 levels rose, Carbon Dioxide too")
    found = select(Vocabulary(terms={"carbon dioxide": ["CO2"]}), text)
    assert found.surfaces == ("carbon dioxide",)
    assert found.places == ((0, 1), (4, 6))
    (keyphrase,) = Keyphrases.ranked(found, [1.0]).public()
    assert (keyphrase.text, keyphrase.spans) == ("carbon dioxide", ((0, 3), (17, 31)))


@pytest.mark.parametrize("text", ["Kosovo", "a-Kos", "K os", ""])
def test_terms_are_matched_on_whole_tokens(text):
    """Never a part of a word."""
    assert surfaces(Vocabulary(terms=["Kos"]), annotated(text)) == []


def test_the_longest_term_wins():
    """From left to right, without overlap."""
    text = annotated("the neural network model")
    terms = ["neural", "neural network", "network model", "network"]
    assert surfaces(Vocabulary(terms=terms), text) == ["neural network"]
    assert surfaces(Vocabulary(terms=terms, overlap="all"), text) == [
        "neural", "neural network", "network", "network model",
    ]  # fmt: skip


def test_a_term_never_crosses_a_sentence():
    """Nor is punctuation ignored."""
    assert surfaces(Vocabulary(terms=["neural network"]), annotated("neural. network, neural, network")) == []


def test_white_space_does_not_matter():
    """Neither in the text nor in the list."""
    assert surfaces(Vocabulary(terms=["neural  network "]), annotated("neural\n network")) == [
        "neural network"
    ]


@pytest.mark.parametrize(
    "term", ["input/output", "state-of-the-art", "C++", "S&P 500", "user's guide", "U.S."]
)
def test_marks_inside_terms_match_however_a_tokeniser_cuts(term):
    """By hand-made tokens and by spaCy's."""
    text = f"We saw {term} there"
    assert surfaces(Vocabulary(terms=[term]), annotated(text)) == [term]
    assert surfaces(Vocabulary(terms=[term]), parsed(text)) == [term]


def test_curly_quotes_match_straight_ones():
    """Folding is the same for list and text."""
    assert surfaces(Vocabulary(terms=["user's guide"]), annotated("the user’s guide")) == ["user's guide"]


def test_stems_can_be_compared():
    """Terms in either number are found in either number."""
    text = annotated("Neural networks and climate service")
    stage = Vocabulary(terms=["neural network", "climate services"], match="stem")
    assert surfaces(stage, text) == ["neural network", "climate services"]
    assert surfaces(stage.model_copy(update={"match": "exact"}), text) == []


def test_lemmas_can_be_compared():
    """A word of the text stands for its form and for its lemma."""
    text = annotated("data mining in neural networks", lemmas="datum mine in neural network")
    stage = Vocabulary(terms=["data mining", "neural network"], match="lemma")
    assert surfaces(stage, text) == ["data mining", "neural network"]
    assert stage.requires() == {"lemmas"}
    assert Vocabulary(terms=["a"]).requires() == frozenset()


def test_a_preferred_term_goes_before_a_synonym():
    """And the first of several terms that claim a synonym has it."""
    terms = {"river": ["bank"], "bank": [], "shore": ["coast"], "beach": ["coast"]}
    assert surfaces(Vocabulary(terms=terms), annotated("bank coast")) == ["bank", "shore"]


def test_the_shared_filters_apply():
    """Characters are counted in what is shown."""
    terms = {"carbon dioxide": ["CO2"], "Kos": []}
    text = annotated("CO2 in Kos")
    assert surfaces(Vocabulary(terms=terms, min_characters=4), text) == ["carbon dioxide"]


def test_terms_come_from_a_text_file(tmp_path):
    """One term a line, synonyms behind tabs; blank lines and comments are left out."""
    path = tmp_path / "terms.txt"
    path.write_bytes("\ufeff# places\r\nKos\tCos\tΚως\r\n\r\n Greece \t\r\nC#\r\n".encode())
    stage = Vocabulary(path=str(path))
    assert surfaces(stage, annotated("GREECE, cos and C#, Κως")) == ["Greece", "Kos", "C#"]
    assert list(stage.problems(["en"])) == []


@pytest.mark.parametrize("content", [["Kos", "Greece"], {"Kos": ["Cos"], "Greece": []}])
def test_terms_come_from_a_json_file(tmp_path, content):
    """A list, or an object of preferred terms with their synonyms."""
    path = tmp_path / "terms.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert surfaces(Vocabulary(path=str(path)), annotated("kos, greece")) == ["Kos", "Greece"]


def test_terms_come_from_a_resource():
    """Any shipped list of words will do."""
    assert surfaces(Vocabulary(resource="stopwords/en"), annotated("The cat of the house")) == ["the", "of"]


def test_a_changed_file_is_read_again(tmp_path):
    """And its checksum is part of what the stage is."""
    path = tmp_path / "terms.txt"
    path.write_text("cat\n", encoding="utf-8")
    stage = Vocabulary(path=str(path))
    before = stage.identity()
    assert surfaces(stage, annotated("cat and dog")) == ["cat"]
    path.write_text("dog\nmouse\n", encoding="utf-8")
    assert surfaces(stage, annotated("cat and dog")) == ["dog"]
    assert stage.identity()["path"]["sha256"] != before["path"]["sha256"]
    assert Vocabulary(terms=["cat"]).identity() == Vocabulary(terms=["cat"]).identity()
    assert Vocabulary(terms=["cat"]).identity() != Vocabulary(terms=["dog"]).identity()


@pytest.mark.parametrize(
    ("name", "content", "problem", "remedy"),
    [
        ("none.txt", None, "{}: cannot be read (no such file or directory)", "correct the path"),
        ("latin.txt", b"caf\xe9\n", "{}: is not UTF-8 text", "convert it, for example with iconv"),
        ("dash.txt", b"cat\n--\n", "{}:2: the term '--' has no letter or digit", "leave it out"),
        (
            "bad.json",
            b"[1, 2]",
            "{}: is not a list of strings",
            "write [term, …] or {{preferred: [synonym, …]}}",
        ),
        (
            "map.json",
            b'{"cat": "feline"}',
            "{}: 'cat': is not a list of strings",
            "write [term, …] or {{preferred: [synonym, …]}}",
        ),
        ("dash.json", b'["--"]', "{}: the term '--' has no letter or digit", "leave it out"),
        (
            "cut.json",
            b'["cat"',
            "{}: is not valid JSON (Expecting ',' delimiter: line 1 column 7 (char 6))",
            "repair it",
        ),
    ],
)
def test_unreadable_lists_are_reported(tmp_path, name, content, problem, remedy):
    """When a spec is checked, and as clearly in a run that was not checked."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    stage = Vocabulary(path=str(path))
    told = ("path", problem.format(path), remedy.format())
    assert list(stage.problems(["en"])) == [told]
    with pytest.raises(DataError) as caught:
        select(stage, annotated("a cat"))
    assert str(caught.value) == f"{told[1]}; {told[2]}"


def test_a_folder_is_no_list(tmp_path):
    """Told like any path that cannot be read."""
    (problem,) = Vocabulary(path=str(tmp_path)).problems(["en"])
    assert problem == ("path", f"{tmp_path}: cannot be read (is a directory)", "correct the path")


def test_unknown_resources_are_reported():
    """With the names of what is shipped."""
    (problem,) = Vocabulary(resource="stopwords/xx").problems(["en"])
    assert problem[:2] == ("resource", "resource 'stopwords/xx': is not shipped")
    assert "stopwords/en" in problem[2]


LOOK = "`kpframe stages candidates vocabulary` tells its parameters"


@pytest.mark.parametrize(
    ("parameters", "message", "remedy"),
    [
        ({}, "give exactly one of terms, path and resource, not none of them", LOOK),
        (
            {"terms": ["a"], "path": "b"},
            "give exactly one of terms, path and resource, not terms and path",
            LOOK,
        ),
        ({"terms": ["cat", "--"]}, "the term '--' has no letter or digit", "leave it out"),
        ({"terms": {"cat": [""]}}, "the term '' has no letter or digit", "leave it out"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message, remedy):
    """Before any text is read."""
    with pytest.raises(SpecError) as caught:
        Vocabulary(**parameters)
    (found,) = caught.value.problems
    assert (found.problem.partition(" (given: ")[0], found.remedy) == (message, remedy)


@pytest.mark.parametrize("terms", [["Kos"], {"carbon dioxide": ["CO2"]}])
def test_a_used_stage_pickles_small_and_survives_a_spec(terms):
    """What was built from the list is not part of the stage."""
    stage = Vocabulary(terms=terms)
    fresh = pickle.dumps(stage)
    select(stage, annotated("Kos CO2"))
    assert pickle.dumps(stage) == fresh and pickle.loads(fresh) == stage
    assert Vocabulary(**{name: value for name, value in stage.to_spec().items() if name != "kind"}) == stage


@pytest.mark.slow
def test_a_hundred_thousand_terms_are_no_burden(tmp_path):
    """They are read once; after that the length of the list does not matter."""
    path = tmp_path / "large.txt"
    path.write_text("".join(f"term{i % 1000} part{i}\n" for i in range(100_000)), encoding="utf-8")
    stage = Vocabulary(path=str(path))
    text = annotated("term7 part1007 of term8 part9 " * 40)
    assert surfaces(stage, text) == ["term7 part1007"]


TURTLE = '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<a> skos:prefLabel "red kite"@en .\n'
RDF = '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>\n'
TRIPLES = '# terms\n<http://a> <http://www.w3.org/2004/02/skos/core#prefLabel> "red kite" .\n'
LINKED = '{"@context": {}, "@graph": []}'
PAGE = "<!DOCTYPE html><html><body><p>red kite</body></html>"


@pytest.mark.parametrize("name", ["v.txt", "v", "v.list", "v.csv", "v.md"])
@pytest.mark.parametrize("content", [TURTLE, RDF, TRIPLES, LINKED, PAGE, '{"red kite": []}'])
def test_what_is_no_list_is_seen_by_its_beginning(tmp_path, name, content):
    """Its lines were taken for terms that no text has, and nothing was wrong."""
    path = tmp_path / name
    path.write_text(content)
    ((parameter, problem, remedy),) = Vocabulary(path=str(path)).problems([])
    assert parameter == "path" and "not a list of terms" in problem and "write its labels" in remedy
    if content in (TURTLE, RDF, TRIPLES, LINKED):
        assert "is a thesaurus or linked data" in problem


@pytest.mark.parametrize("content", ["ID3\nC4.5\n", "BM25\n", "{sets}\n", "prefix trees\n", "<br> tags\n"])
def test_terms_that_look_like_marks_are_terms(tmp_path, content):
    """A list may begin with any word."""
    path = tmp_path / "v.txt"
    path.write_text(content)
    assert list(Vocabulary(path=str(path)).problems([])) == []


@pytest.mark.parametrize(
    ("name", "content"), [("v.txt", ""), ("v.txt", "# none\n\n"), ("v.json", "[]"), ("v.json", "{}")]
)
def test_a_list_without_a_term_is_told(tmp_path, name, content):
    """Nothing can be found by it."""
    path = tmp_path / name
    path.write_text(content)
    ((parameter, problem, _),) = Vocabulary(path=str(path)).problems([])
    assert (parameter, problem) == ("path", f"{path}: has no term")
    ((parameter, problem, _),) = Vocabulary(terms=[]).problems([])
    assert (parameter, problem) == ("terms", "the list has no term")
