"""Sweeps and named systems: which configurations they make, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_files import loaded, problems

from kpframe.spec import load_spec


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Specs are written to an empty folder."""
    monkeypatch.chdir(tmp_path)


GRID = """\
sweep:
  candidates: {one: tokens, many: {kind: ngrams, max: 2}}
  ranking: {f: frequency, c: {kind: cooccurrence, window: 2}}
"""


def test_a_sweep_is_the_product_of_its_alternatives() -> None:
    """Named after them, rankings first, as tables show them."""
    spec = loaded(GRID)
    assert [c.name for c in spec.configurations] == ["f.one", "f.many", "c.one", "c.many"]
    assert spec.configurations[3].axes == {"ranking": "c", "candidates": "many"}
    assert spec.configurations[3].selection.kind == "ngrams"
    assert spec.configurations[3].ranking.kind == "cooccurrence"


def test_a_sweep_may_vary_one_box_only() -> None:
    """The others are the same for all."""
    spec = loaded("candidates: tokens\nsweep: {ranking: {f: frequency, p: position}}\n")
    assert [(c.name, c.selection.kind) for c in spec.configurations] == [("f", "tokens"), ("p", "tokens")]


def test_preprocessing_and_postprocessing_can_be_varied() -> None:
    """An alternative may be a list, also an empty one."""
    spec = loaded(
        """\
        candidates: tokens
        ranking: frequency
        sweep:
          postprocessing: {none: [], short: [{kind: top, number: 5}, nested]}
          preprocessing: {rules: [simple], spacy: tokenize}
        """
    )
    assert [(c.name, len(c.postprocessing), c.preprocessing[0].kind) for c in spec.configurations] == [
        ("rules.none", 0, "simple"),
        ("rules.short", 2, "simple"),
        ("spacy.none", 0, "tokenize"),
        ("spacy.short", 2, "tokenize"),
    ]


def test_systems_stand_beside_the_grid() -> None:
    """They may use the alternatives of the sweep by name, or stages of their own."""
    spec = loaded(
        f"{GRID}systems:\n  own: {{candidates: {{kind: ngrams, max: 5}}, ranking: c}}\n"
        "  named: {candidates: one, ranking: position}\n"
    )
    assert [c.name for c in spec.configurations] == ["own", "named", "f.one", "f.many", "c.one", "c.many"]
    own, named, *_ = spec.configurations
    assert own.selection.to_spec()["max"] == 5
    assert own.ranking == spec.configurations[4].ranking
    assert (named.selection.kind, named.ranking.kind) == ("tokens", "position")


def test_without_a_sweep_only_the_systems_are_run() -> None:
    """Top-level boxes are what they share."""
    spec = loaded(
        "candidates: tokens\nsystems: {a: {ranking: frequency}, b: {ranking: position, candidates: ngrams}}\n"
    )
    assert [(c.name, c.selection.kind) for c in spec.configurations] == [("a", "tokens"), ("b", "ngrams")]


def test_what_a_sweep_varies_may_not_be_fixed_too() -> None:
    """One of the two would have no effect."""
    assert problems("candidates: tokens\nranking: frequency\nsweep: {ranking: {f: frequency}}\n") == [
        "grid.yaml:2: ranking: has no effect, because the sweep varies it; "
        "remove it, or set sweep.ranking.NAME instead"
    ]


def test_evaluation_cannot_be_varied() -> None:
    """All configurations are measured alike, or they could not be compared."""
    assert problems("candidates: tokens\nranking: frequency\nsweep: {metrics: {a: f1}}\n") == [
        "grid.yaml:3: sweep.metrics: cannot be varied; "
        "there are: preprocessing, candidates, ranking, postprocessing"
    ]
    assert problems("candidates: tokens\nsweep: {rankng: {a: f1}}\n") == [
        "grid.yaml:2: sweep.rankng: cannot be varied; did you mean 'ranking'?"
    ]


@pytest.mark.parametrize("value", ["{}", "frequency", "[frequency]", "null"])
def test_alternatives_have_names(value: str) -> None:
    """A list would give cells without names."""
    assert problems(f"candidates: tokens\nsweep: {{ranking: {value}}}\n") == [
        "grid.yaml:2: sweep.ranking: must map names to alternatives; as `tokens: {kind: tokens}`"
    ]


@pytest.mark.parametrize("key", ["sweep", "systems"])
def test_a_sweep_and_systems_are_mappings(key: str) -> None:
    """Of boxes, or of names."""
    assert problems(f"candidates: tokens\nranking: frequency\n{key}: [a]\n") == [
        f"grid.yaml:3: {key}: must be a mapping; of names to alternatives"
    ]


def test_names_that_clash_on_a_file_system_without_case_are_refused() -> None:
    """Each configuration has a folder of that name."""
    assert problems("candidates: tokens\nsweep: {ranking: {Freq: frequency, freq: position}}\n") == [
        "grid.yaml:2: sweep: two configurations are called 'Freq' and 'freq'; "
        "rename one; names that differ in case alone are the same"
    ]


def test_a_system_with_the_name_of_a_cell_is_refused() -> None:
    """The folder of one would be that of the other."""
    assert problems(f"{GRID}systems: {{f.one: {{candidates: one, ranking: c}}}}\n") == [
        "grid.yaml:1: sweep: two configurations are called 'f.one'; "
        "rename one; names that differ in case alone are the same"
    ]


@pytest.mark.parametrize("name", ["a/b", "'a\\b'", ".a", '"a\\tb"'])
def test_a_name_that_cannot_be_a_folder_is_refused(name: str) -> None:
    """Nothing is ever written outside of the run's folder."""
    (line,) = problems(f"candidates: tokens\nsweep: {{ranking: {{{name}: frequency}}}}\n")
    assert line.startswith("grid.yaml:2: sweep: the name ")
    assert line.endswith("cannot name a folder; use letters, digits, - and _")


def test_a_system_says_what_the_sweep_varies() -> None:
    """There is no default alternative."""
    assert problems(
        f"{GRID}systems: {{a: {{candidates: one}}, b: 3, c: {{ranking: c, candidtes: one}}}}\n"
    ) == [
        "grid.yaml:4: systems.a: does not say which ranking; add `ranking:`",
        "grid.yaml:4: systems.b: must map boxes to alternatives; as {candidates: ngrams, ranking: kea}",
        "grid.yaml:4: systems.c.candidtes: unknown key; did you mean 'candidates'?",
        "grid.yaml:4: systems.c: does not say which candidates; add `candidates:`",
    ]


def test_a_mistake_in_an_alternative_is_told_once() -> None:
    """However many cells share it, and with the line where it stands."""
    text = """\
        sweep:
          candidates: {a: tokens, b: ngrams, c: ngrams}
          ranking:
            f: {kind: frequency, normalise: true}
            g: position
        """
    assert problems(text) == [
        "grid.yaml:4: sweep.ranking.f.normalise: unknown parameter; did you mean 'normalize'?"
    ]


def test_a_layer_that_an_alternative_lacks_is_told_once_and_in_its_place() -> None:
    """In the sweep, in the system, or at the top level."""
    text = """\
        postprocessing: nested
        systems:
          own:
            candidates: noun_phrases
            ranking: f
        sweep:
          candidates:
            a: tokens
            b: {kind: tokens, pos: [noun]}
          ranking: {f: frequency, g: position}
        """
    assert problems(text) == [
        "grid.yaml:4: systems.own.candidates: noun_phrases needs the layer chunks, pos, which nothing makes; "
        "add pos and chunk to preprocessing",
        "grid.yaml:9: sweep.candidates.b: tokens needs the layer pos, which nothing makes; "
        "add pos to preprocessing",
    ]


def test_the_experiment_of_the_paper_has_its_rows_in_the_order_of_the_table() -> None:
    """Kea and TextRank, then tf.idf and co-occurrence over seven kinds of candidates."""
    names = [c.name for c in load_spec("quickstart").configurations]
    assert names[:3] == ["kea", "textrank", "tfidf.tokens"]
    assert len(names) == len(set(names)) == 2 + 2 * 7
