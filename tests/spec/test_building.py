"""Checking a spec: everything that is wrong at once, with place, problem and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest
from spec_files import CHAIN, loaded, problems, tree_problems, write

from kpframe.errors import SpecError
from kpframe.model import Annotations, Document
from kpframe.model.summary import Summary
from kpframe.spec import build, load_spec
from kpframe.stages import FOLDERS, Annotator, Report, registry
from kpframe.stages.registry import kinds

BASE = "candidates: tokens\nranking: frequency\n"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Specs are written to an empty folder."""
    monkeypatch.chdir(tmp_path)


def test_three_mistakes_in_one_file_are_all_told_at_once() -> None:
    """An unknown key, an unknown parameter and a number out of range, each with its line."""
    found = problems(
        """\
        name: grid
        candidates: tokens
        ranking:
          kind: cooccurrence
          windw: 3
        postprocessing:
          - {kind: token_length, max: 4}
          - {kind: top, number: 0}
        metrcs: [r_precision]
        """
    )
    assert found == [
        "grid.yaml:9: metrcs: unknown key; did you mean 'metrics'?",
        "grid.yaml:5: ranking.windw: unknown parameter; did you mean 'window'?",
        "grid.yaml:8: postprocessing.1.number: must be at least 1 (given: 0); "
        "it means: How many phrases are kept at most.",
    ]


def test_a_missing_file_a_missing_model_and_an_impossible_option_are_told_together() -> None:
    """All of it is found before any text is read."""
    found = problems(
        """\
        documents: {kind: text, path: nowhere}
        preprocessing: [{kind: tokenize, model: xx_none}]
        candidates: tokens
        ranking: {kind: cooccurrence, window: 1}
        """
    )
    assert found == [
        "grid.yaml:1: documents.path: 'nowhere' does not exist; correct the path",
        "grid.yaml:4: ranking.window: must be at least 2 (given: 1); "
        "it means: Units in the window: a candidate is linked to the window - 1 units before it.",
        "grid.yaml:2: preprocessing.0.model: language model 'xx_none' is not installed; "
        "install it with: python -m spacy download xx_none",
    ]


def test_the_error_holds_the_problems_as_values() -> None:
    """For programs that show them in their own way."""
    with pytest.raises(SpecError) as caught:
        load_spec(write(f"{BASE}rankng: tfidf\n"), purpose="check")
    (problem,) = caught.value.problems
    assert (problem.place, problem.problem) == ("grid.yaml:3: rankng", "unknown key")
    assert problem.remedy == "did you mean 'ranking'?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rankng: tfidf\n", "grid.yaml:3: rankng: unknown key; did you mean 'ranking'?"),
        ("split: {train: 1/2, sed: 3}\n", "grid.yaml:3: split.sed: unknown parameter; did you mean 'seed'?"),
        (
            "postprocessing: [stopword]\n",
            "grid.yaml:3: postprocessing.0: unknown kind 'stopword'; did you mean 'stopwords'?",
        ),
        (
            "matching: [{kind: exact, normalise: porter}]\n",
            "grid.yaml:3: matching.0.normalise: unknown parameter; did you mean 'normalize'?",
        ),
        (
            "documents: {kind: jsonl, pth: x, resource: corpora/demo}\n",
            "grid.yaml:3: documents.pth: unknown parameter; did you mean 'path'?",
        ),
    ],
)
def test_a_slip_of_the_pen_gets_the_nearest_word(text: str, message: str) -> None:
    """Wherever it is."""
    assert problems(BASE + text) == [message]


@pytest.mark.parametrize("word", ["int", "list[x]", "[", ""])
def test_an_unknown_parameter_may_have_any_name(word: str) -> None:
    """Also one that looks like the name of a type."""
    (line,) = tree_problems({**CHAIN, "ranking": {"kind": "frequency", word: 1}})
    assert line == f"spec: ranking.{word}: unknown parameter; frequency takes: normalize, kind"


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_word_far_from_all_gets_the_whole_list(folder: str) -> None:
    """There is nothing to guess."""
    (line,) = [p for p in tree_problems({**CHAIN, folder: "zzzzzz"}) if "zzzzzz" in p]
    assert line.endswith(f"unknown kind 'zzzzzz'; there are: {', '.join(kinds(folder))}")


def test_a_parameter_inside_a_parameter_has_its_whole_path() -> None:
    """`ranking.idf.from`, not `ranking`."""
    assert problems("candidates: tokens\nranking:\n  kind: tfidf\n  idf:\n    from: nowhere\n") == [
        "grid.yaml:5: ranking.idf.from: must be 'collection', 'training', 'file' or 'none' (given: "
        "'nowhere'); it means: "
        "Count over all documents or the training part, read a file, or take 1 for every token."
    ]


def test_a_missing_parameter_is_told_with_what_it_means() -> None:
    """So that one can write it at once."""
    assert problems(BASE + "documents: {kind: text}\n") == [
        "grid.yaml:3: documents.path: is missing; it means: "
        "A file, a folder or an archive (zip, tar) of files, or - for standard input."
    ]


def test_parameters_that_contradict_one_another_are_told_at_the_stage() -> None:
    """The rule concerns more than one of them."""
    assert problems("candidates: {kind: ngrams, min: 3, max: 2}\nranking: frequency\n") == [
        "grid.yaml:1: candidates: max is 2, but min is 3; max must not be less than min"
    ]


@pytest.mark.parametrize(
    "written",
    [
        "[{kind: stopwords, lists: [pt, en]}]",
        "[{stopwords: {lists: [pt, en]}}]",
        "{stopwords: {lists: [pt, en]}}",
        "{kind: stopwords, lists: [pt, en]}",
    ],
)
def test_a_stage_can_be_written_long_or_short(written: str) -> None:
    """With two stop lists, which are combined."""
    (step,) = loaded(f"{BASE}postprocessing: {written}\n").configurations[0].postprocessing
    assert step.to_spec()["lists"] == ["pt", "en"]


@pytest.mark.parametrize(
    "written", ["[nested]", "nested", "[{kind: nested}]", "[{nested: }]", "[{nested: {}}]"]
)
def test_a_stage_with_defaults_is_its_kind(written: str) -> None:
    """`- nested` is `- {kind: nested}`."""
    (step,) = loaded(f"{BASE}postprocessing: {written}\n").configurations[0].postprocessing
    assert step.kind == "nested"


@pytest.mark.parametrize(
    "written", ["3", "[3]", "[[nested]]", "[{}]", "[{kind: 3}]", "[{nested: 3}]", "[null]"]
)
def test_what_names_no_kind_is_told_with_the_kinds(written: str) -> None:
    """Numbers, lists in lists, and mappings of something else."""
    (line,) = problems(f"{BASE}postprocessing: {written}\n")
    assert line.startswith("grid.yaml:3: postprocessing.0: names no kind (given: ")
    assert "); write `kind:` with one of: char_" in line


def test_a_metric_with_its_cut_off_is_one_word() -> None:
    """`precision@5` is `{kind: precision, k: 5}`."""
    spec = loaded(
        BASE + "metrics: [precision@5, f1@M, {kind: recall, k: 10}]\nmatching: [exact, approximate]\n"
    )
    assert [c for c in spec.columns if c.endswith("/exact")] == [
        "precision@5/exact",
        "f1@M/exact",
        "recall@10/exact",
    ]
    assert spec.measures["precision@5/exact"].metric.to_spec()["k"] == 5
    assert spec.columns[:2] == ("precision@5/exact", "precision@5/approximate")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("r_precision@5", "has no short form with @; write {kind: r_precision, …}"),
        ("precison@5", "unknown kind 'precison'; did you mean 'precision'?"),
    ],
)
def test_a_short_form_that_means_nothing_is_refused(metric: str, message: str) -> None:
    """R-precision has no cut-off."""
    (line,) = problems(f"{BASE}metrics: [{metric}]\n")
    assert line.startswith("grid.yaml:3: metrics.0: ")
    assert line.endswith(message)


@pytest.mark.parametrize(
    "metric", ["precision@0", "precision@x", "precision@²", "precision@-1", "precision@"]
)
def test_a_cut_off_that_is_no_number_is_refused(metric: str) -> None:
    """Whatever Python takes for a digit."""
    (line,) = problems(f"{BASE}metrics: [{metric}]\n")
    assert line.startswith("grid.yaml:3: metrics.0.k: must be a whole number of at least 1, M")


def test_metrics_that_differ_in_parameters_have_names_that_differ() -> None:
    """Tables could not tell them apart otherwise; equal ones are refused."""
    spec = loaded(BASE + "metrics: [f1@5, {kind: f1, k: 5, average: micro}]\n")
    assert [c for c in spec.columns if c.endswith("/exact")] == ["f1@5/exact", "f1(average=micro)@5/exact"]
    assert problems(BASE + "metrics: [f1@5, {kind: f1, k: 5}]\nmatching: [exact, exact]\n") == [
        "grid.yaml:4: matching: exact stands twice; remove one of the two",
        "grid.yaml:3: metrics: f1@5 stands twice; remove one of the two",
    ]


def test_nothing_to_measure_is_refused() -> None:
    """An empty list is a slip; leaving the key out means the default."""
    assert problems(BASE + "metrics: []\nmatching:\n") == [
        "grid.yaml:4: matching: is empty; name at least one, as exact",
        "grid.yaml:3: metrics: is empty; name at least one, as r_precision",
    ]
    assert loaded(BASE).columns == ("r_precision/exact", "r_precision/approximate")


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        (
            "candidates: {kind: tokens, pos: [noun]}\nranking: frequency\n",
            "grid.yaml:1: candidates: tokens needs the layer pos, which nothing makes; "
            "add pos to preprocessing",
        ),
        (
            "candidates: noun_phrases\nranking: frequency\npreprocessing: [tokenize]\n",
            "grid.yaml:1: candidates: noun_phrases needs the layer chunks, pos, which nothing makes; "
            "add pos and chunk to preprocessing",
        ),
        (
            "candidates: named_entities\nranking: frequency\npreprocessing: [tokenize, pos]\n",
            "grid.yaml:1: candidates: named_entities needs the layer entities, which nothing makes; "
            "add ner to preprocessing",
        ),
        (
            "candidates: lemmas\nranking: frequency\npreprocessing: [simple]\n",
            "grid.yaml:1: candidates: lemmas needs the layer lemmas, which nothing makes; "
            "add lemmatize or table_lemmas to preprocessing",
        ),
        (
            "preprocessing: [pos, tokenize]\ncandidates: tokens\nranking: frequency\n",
            "grid.yaml:1: preprocessing: pos needs the layer tokens before it; "
            "add simple or tokenize to preprocessing",
        ),
        (
            "preprocessing: []\ncandidates: tokens\nranking: frequency\n",
            "grid.yaml:2: candidates: tokens needs the layer tokens, which nothing makes; "
            "add simple or tokenize to preprocessing",
        ),
    ],
)
def test_a_missing_layer_names_the_annotators_that_make_it(chain: str, message: str) -> None:
    """Found without reading any text."""
    assert problems(chain)[0] == message


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        ("[simple, tokenize]", "1: tokenize makes the layers sentences, tokens, as simple before it does"),
        (
            "[html, tokenize, pos, tokenize]",
            "3: tokenize makes the layers sentences, tokens, as tokenize before it does",
        ),
        (
            "[tokenize, pos, lemmatize, table_lemmas]",
            "3: table_lemmas makes the layer lemmas, as lemmatize before it does",
        ),
        (
            "[tokenize, pos, chunk, {kind: chunk, method: grammar}]",
            "3: chunk makes the layer chunks, as chunk before it does",
        ),
        ("[tokenize, ner, {kind: ner, model: x}]", "2: ner makes the layer entities, as ner before it does"),
        (
            "[tokenize, sections, sections]",
            "2: sections makes the layer sections, as sections before it does",
        ),
    ],
)
def test_a_layer_that_is_made_twice_is_refused(chain: str, message: str) -> None:
    """Which of the two would win depends on their kinds: tokens are kept, other layers may be replaced."""
    plain = f"preprocessing: {chain}\ncandidates: tokens\nranking: frequency\n"
    assert f"grid.yaml:1: preprocessing.{message}; leave one of the two out" in problems(plain)
    sweep = f"candidates: tokens\nranking: frequency\nsweep: {{preprocessing: {{a: [simple], b: {chain}}}}}\n"
    assert f"grid.yaml:3: sweep.preprocessing.b.{message}; leave one of the two out" in problems(sweep)


class Corrected(Annotator):
    """Changes the parts of speech that it finds."""

    kind = "corrected"

    def requires(self) -> frozenset[str]:
        return frozenset({"tokens", "pos"})

    def provides(self) -> frozenset[str]:
        return frozenset({"pos"})

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        assert annotations is not None
        return annotations


def test_an_annotator_may_change_the_layer_that_it_reads() -> None:
    """It says that it does, by needing what it makes."""
    assert tree_problems({**CHAIN, "preprocessing": ["tokenize", "pos", Corrected()]}) == []


def test_layers_that_a_corpus_brings_need_no_annotator(tmp_path: Path) -> None:
    """CoreNLP's files have tokens, lemmas and tags."""
    (tmp_path / "xml").mkdir()
    (tmp_path / "xml" / "a.xml").write_text("<root/>")
    text = "preprocessing: []\ncandidates: {kind: lemmas, pos: [noun]}\nranking: frequency\n"
    assert problems(text + "documents: {kind: corenlp_xml, path: xml}\n") == []
    assert "needs the layer" in problems(text)[0]


def test_candidates_without_a_ranking_are_refused() -> None:
    """And a ranking without candidates."""
    assert problems("candidates: tokens\n") == ["grid.yaml: ranking: grid has no ranking; add `ranking:`"]
    assert problems("ranking: tfidf\n") == [
        "grid.yaml: candidates: grid has no candidates; add `candidates:`"
    ]


def test_a_ranking_that_learns_needs_a_training_part_to_run() -> None:
    """Training itself takes all documents, so `check` and `train` do not ask for it."""
    text = "documents: {kind: jsonl, resource: corpora/demo}\ncandidates: ngrams\nranking: kea\n"
    assert problems(text, purpose="run") == [
        "grid.yaml:3: ranking: kea learns from a training part, and there is none; add `split: {train: 2/3}`"
    ]
    assert problems(text, purpose="check") == []
    assert problems(text + "split: {train: 2/3}\n", purpose="run") == []


def test_a_run_needs_documents() -> None:
    """A pipeline alone does not."""
    assert problems(BASE, purpose="run") == [
        "grid.yaml: documents: is missing; name a reader, as {kind: jsonl, path: …}"
    ]
    assert problems(BASE, purpose="extract") == []


@pytest.mark.parametrize("train", ["0", "1", "2", "-1/3", "3/2", "x", "1/0", "''"])
def test_the_share_for_training_lies_between_0_and_1(train: str) -> None:
    """Otherwise one of the parts is empty."""
    (line,) = problems(f"{BASE}split: {{train: {train}}}\n")
    assert line.startswith("grid.yaml:3: split: train must ")


@pytest.mark.parametrize("train", ["2/3", "0.5", ".25", "'1/2'"])
def test_a_share_is_a_fraction_or_a_decimal(train: str) -> None:
    """Exactly, not as a double."""
    split = loaded(f"{BASE}split: {{train: {train}}}\n").split
    assert split is not None
    assert 0 < split.share < 1


@pytest.mark.parametrize("value", ["3", "x", "[1]", "true"])
def test_a_split_is_a_mapping(value: str) -> None:
    """And so is a reference to published values."""
    assert problems(f"{BASE}split: {value}\n") == [
        "grid.yaml:3: split: must be a mapping; it has: train, by, seed, test, development"
    ]


def test_published_values_are_looked_for() -> None:
    """The file, the resource, and what must be said of them."""
    assert problems(BASE + "reference: {path: none.csv}\n") == [
        "grid.yaml:3: reference.columns: is missing; "
        "it means: Our column (`r_precision/exact`) → column of the file.",
        "grid.yaml:3: reference.source: is missing; "
        "it means: Where the values were published; printed with them.",
    ]
    more = "columns: {r_precision/exact: x}, source: s}\n"
    assert problems(f"{BASE}reference: {{path: none.csv, {more}") == [
        "grid.yaml:3: reference.path: there is no such file; check the path"
    ]
    assert problems(f"{BASE}reference: {{{more}") == [
        "grid.yaml:3: reference: needs either `resource` or `path`"
    ]
    (line,) = problems(f"{BASE}reference: {{resource: reference/none, {more}")
    assert line.startswith(
        "grid.yaml:3: reference.resource: resource 'reference/none' is not shipped; there are: "
    )


def test_a_model_is_a_file_or_a_resource() -> None:
    """The file is relative to the spec."""
    (line,) = problems(BASE + "model: none.json\n")
    assert line.startswith("grid.yaml:3: model: resource 'none.json' is not shipped; there are: ")
    write("{}", "sub/model.json")
    spec = load_spec(write(BASE + "model: model.json\n", "sub/grid.yaml"), purpose="check")
    assert spec.model == str(Path("sub/model.json"))


@pytest.mark.parametrize(
    "name", ["''", "' '", "a/b", "a\\b", ".hidden", '"a\\0b"', '"a\\nb"', "3", "[a]", "null"]
)
def test_a_name_can_name_a_folder(name: str) -> None:
    """Results lie under it, on any file system."""
    assert "grid.yaml:1: name: must be a word that can name a folder; as in `name: my-grid`" in problems(
        f"name: {name}\n{BASE}"
    )


@pytest.mark.parametrize("save", ["0", "-1", "x", "true", "1.5", "[1]"])
def test_the_number_of_saved_keyphrases_is_at_least_one(save: str) -> None:
    """A run without predictions could not be looked at."""
    assert problems(f"{BASE}save: {save}\n") == [
        "grid.yaml:3: save: must be a whole number of at least 1; keyphrases saved a document"
    ]


def test_stop_lists_that_are_unknown_or_without_effect_are_refused() -> None:
    """Nothing that was written is ignored in silence."""
    (line,) = problems(BASE + "postprocessing: [{kind: stopwords, lists: [xx]}]\n")
    assert line.startswith(
        "grid.yaml:3: postprocessing.0.lists: there is no stop list 'xx'; "
        "there are: da, de, en, es, fr, it, nl, pl, pt, sv, "
    )
    assert line.endswith("; or give a path")
    assert problems("candidates: {kind: tokens, stopwords: [en]}\nranking: frequency\n") == [
        "grid.yaml:1: candidates.stopwords: unknown parameter; "
        "tokens takes: min_frequency, min_characters, first_within, longest_word, pos, name_numbers, kind; "
        "'stopwords' is a parameter of ngrams, pos_pattern, stop_runs"
    ]
    (line,) = problems("candidates: {kind: ngrams, stopwords_barred: everywhere}\nranking: frequency\n")
    assert "stopwords_barred has no effect without stopwords" in line


def test_noun_chunks_in_a_language_without_them_name_the_alternative(tmp_path: Path) -> None:
    """spaCy finds none in Russian."""
    found = problems(
        """\
        documents: {kind: text, path: ., language: ru}
        preprocessing: [simple, {kind: chunk, method: parser}]
        candidates: {kind: noun_phrases, determiners: keep}
        ranking: frequency
        """
    )
    chunks = "spaCy finds no noun chunks in language 'ru'; use method: grammar"
    assert f"grid.yaml:2: preprocessing.1.method: {chunks}" in found


def test_a_script_without_spaces_is_refused_by_the_simple_tokenizer() -> None:
    """With the alternative."""
    text = f"documents: {{kind: text, path: ., language: zh}}\npreprocessing: [simple]\n{BASE}"
    assert problems(text) == [
        "grid.yaml:2: preprocessing.0: cannot split language 'zh', which is written without spaces between "
        "words; use tokenize with a spaCy model of that language, as model: zh_core_web_sm"
    ]


def test_the_paths_of_stages_are_relative_to_the_spec() -> None:
    """A list of terms lies beside the file that names it."""
    write("red kite\n", "sub/terms.txt")
    text = "candidates: {kind: vocabulary, path: terms.txt}\nranking: frequency\n"
    spec = load_spec(write(text, "sub/grid.yaml"), purpose="check")
    assert spec.configurations[0].selection.to_spec()["path"] == str(Path("sub/terms.txt"))
    assert problems(text)[0].startswith("grid.yaml:1: candidates.path: terms.txt: cannot be read")


def test_standard_input_is_no_relative_path() -> None:
    """`-` stays `-`."""
    spec = load_spec(write(f"documents: {{kind: text, path: '-'}}\n{BASE}", "sub/grid.yaml"))
    assert spec.reader is not None
    assert spec.reader.to_spec()["path"] == "-"


def test_a_tree_of_plain_values_is_a_spec_too() -> None:
    """For programs; places are then paths of keys."""
    spec = build(CHAIN, purpose="extract")
    assert [c.name for c in spec.configurations] == ["g"]
    assert tree_problems({**CHAIN, "ranking": {"kind": "frequency", "normalise": True}}) == [
        "spec: ranking.normalise: unknown parameter; did you mean 'normalize'?"
    ]


def test_building_leaves_the_tree_as_it_was() -> None:
    """It belongs to the caller."""
    tree: dict[str, Any] = {
        **CHAIN,
        "candidates": {"kind": "vocabulary", "terms": ["a"]},
        "metrics": ["f1@5"],
    }
    before = repr(tree)
    build(tree, purpose="extract")
    assert repr(tree) == before


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("1_0", "1_0 is a text, no number; write 10"),
        ("'1_0'", "1_0 is a text, no number; write 10"),
        ("'+3'", "+3 is a text, no number; write 3"),
        ("' 3'", " 3 is a text, no number; write 3"),
    ],
)
def test_numbers_of_python_alone_are_no_numbers(written: str, told: str) -> None:
    """YAML 1.2 reads a text; pydantic would make a number of it."""
    text = BASE.replace("ranking: frequency", f"ranking: {{kind: cooccurrence, window: {written}}}")
    assert problems(text) == [f"grid.yaml:2: ranking.window: {told}"]


@pytest.mark.parametrize(
    ("reports", "line"),
    [
        (
            "[latex, {kind: latex, digits: 2}]",
            "grid.yaml:3: reports.1: latex writes summary.tex, as latex before it does; "
            "leave one of the two out",
        ),
        (
            "[csv, console, csv]",
            "grid.yaml:3: reports.2: csv writes summary.csv, as csv before it does; leave one of the two out",
        ),
    ],
)
def test_two_reports_that_write_the_same_file_are_refused(reports: str, line: str) -> None:
    """The second would take the place of the first without a word."""
    assert problems(f"candidates: tokens\nranking: frequency\nreports: {reports}\n") == [line]
    assert not problems("candidates: tokens\nranking: frequency\nreports: [console, console, latex, csv]\n")


def test_a_report_of_ones_own_cannot_take_the_place_of_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run leaves `summary.json`, also where the report json is not asked for."""

    class Own(Report):
        """Writes something else into it."""

        kind: ClassVar[str] = "own_summary"
        files: ClassVar[tuple[str, ...]] = ("summary.json",)

        def write(self, summary: Summary, folder: Path | None) -> str:
            """Nothing."""
            return ""

    monkeypatch.setitem(registry._registered, ("reports", "own_summary"), Own)
    assert problems("candidates: tokens\nranking: frequency\nreports: [own_summary]\n") == [
        "grid.yaml:3: reports.0: own_summary writes summary.json, as each run does; leave it out"
    ]
    assert not problems("candidates: tokens\nranking: frequency\nreports: [json]\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: " + "x" * 300, "name: must be a word that can name a folder; as in `name: my-grid`"),
        ("description: [1]", "description: must be a text; put it in quotes"),
        (
            "systems: {a/b: {ranking: rake}}",
            "systems.a/b: the name 'a/b' cannot name a folder; use letters, digits, - and _",
        ),
        ("split: {train: x}", "split: train must be a share, not 'x'; write it as 2/3 or 0.5"),
        ("split: {train: 2}", "split: train must lie between 0 and 1; write it as 2/3 or 0.5"),
    ],
)
def test_names_and_shares_are_told_where_they_stand(text: str, told: str) -> None:
    """Before a folder cannot be made."""
    assert problems(f"{BASE}{text}\n") == [f"grid.yaml:3: {told}"]


def test_an_alternative_needs_a_name() -> None:
    """Else its cell would be called as the spec is."""
    assert problems("candidates: tokens\nsweep: {ranking: {'': rake}}\n") == [
        "grid.yaml:2: sweep.ranking: has an alternative without a name; name it"
    ]


def test_null_takes_back_what_is_measured() -> None:
    """Not all that is measured: the default is left."""
    for key in ("preset", "measures", "datasets"):
        assert loaded(f"{BASE}{key}: null\n").columns == ("r_precision/exact", "r_precision/approximate")
