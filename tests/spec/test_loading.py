"""Finding specs, inheriting from them, and filling in the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spec_files import problems, write

from kpframe.errors import SpecError
from kpframe.files.resources import shipped_specs, specs_folder
from kpframe.spec import load_spec
from kpframe.spec.load import find_spec, load_tree

BASE = "preprocessing: [simple]\ncandidates: tokens\nranking: frequency\n"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths start in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KPFRAME_DATA", raising=False)


def merged(parent: str, own: str) -> dict[str, Any]:
    """The tree of `own`, which extends `parent`."""
    write(parent, "base.yaml")
    return load_tree(write(f"extends: base.yaml\n{own}", "own.yaml"))[0]


def test_a_spec_is_found_by_path_and_by_shipped_name() -> None:
    """A name with an ending or a slash is a path, else it is a name."""
    write("name: mine", "tfidf.yaml")
    write("name: deep", "sub/own.yaml")
    assert find_spec("tfidf") == specs_folder() / "tfidf.yaml"
    assert find_spec("tfidf.yaml") == Path("tfidf.yaml")
    assert find_spec("sub/own.yaml") == Path("sub/own.yaml")


def test_a_file_without_its_ending_is_found_too() -> None:
    """`kpframe check grid` means grid.yaml, if nothing shipped has that name."""
    write("name: mine", "grid.yaml")
    assert find_spec("grid") == Path("grid.yaml")


def test_an_unknown_spec_is_told_with_what_there_is() -> None:
    """The specs that exist to be extended are not offered."""
    with pytest.raises(SpecError) as caught:
        find_spec("zzz")
    offered = ", ".join(sorted(name for name in shipped_specs() if not name.endswith("-base")))
    assert str(caught.value) == (
        f"spec 'zzz': there is no such file; give a path to a .yaml file or one of: {offered}"
    )
    with pytest.raises(SpecError, match="did you mean 'textrank'"):
        find_spec("textrnk")


def test_extends_is_relative_to_the_file_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not to the working directory, where another file of that name lies."""
    write("name: right\ncandidates: tokens\nranking: frequency\n", "project/base.yaml")
    own = write("extends: ../base.yaml\nname: own\n", "project/specs/own.yaml").resolve()
    write("name: wrong\ncandidates: ngrams\n", "elsewhere/base.yaml")
    write("name: wrong\ncandidates: ngrams\n", "base.yaml")
    monkeypatch.chdir(tmp_path / "elsewhere")
    tree, _ = load_tree(own)
    assert tree == {"name": "own", "candidates": "tokens", "ranking": "frequency"}


def test_extends_goes_over_several_files_each_relative_to_its_own() -> None:
    """The nearest wins."""
    write("name: a\nsave: 1\ncandidates: tokens\n", "a.yaml")
    write("extends: ../a.yaml\nname: b\nsave: 2\n", "sub/b.yaml")
    own = write("extends: sub/b.yaml\nname: c\n", "c.yaml")
    assert load_tree(own)[0] == {"name": "c", "save": 2, "candidates": "tokens"}


def test_a_path_in_an_inherited_spec_is_relative_to_that_spec() -> None:
    """The one that wrote it knows what it meant."""
    write("texts", "project/corpus/a.txt")
    write(
        "documents: {kind: text, path: corpus}\ncandidates: tokens\nranking: frequency\n", "project/base.yaml"
    )
    spec = load_spec(write("extends: ../project/base.yaml\nname: own\n", "other/own.yaml"))
    assert spec.reader is not None
    assert [document.id for document in spec.reader.read()] == ["a"]


def test_a_path_on_the_command_line_is_relative_to_the_working_directory() -> None:
    """There it was typed."""
    write("texts", "here/a.txt")
    own = write(
        "documents: {kind: text, path: nowhere}\ncandidates: tokens\nranking: frequency\n", "p/x.yaml"
    )
    spec = load_spec(own, settings=["documents.path=here"])
    assert spec.reader is not None
    assert [document.id for document in spec.reader.read()] == ["a"]


def test_a_shipped_spec_can_be_extended_by_name() -> None:
    """`extends: textrank`."""
    spec = load_spec(write("extends: textrank\nname: own\nranking: {window: 5}\n"))
    assert spec.configurations[0].ranking.to_spec()["window"] == 5
    assert spec.name == "own"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"a.yaml": "extends: a.yaml"},
            "a.yaml: extends itself (a.yaml → a.yaml); remove one of the `extends`",
        ),
        (
            {"a.yaml": "extends: b.yaml", "b.yaml": "extends: a.yaml"},
            "a.yaml: extends itself (a.yaml → b.yaml → a.yaml); remove one of the `extends`",
        ),
    ],
)
def test_specs_that_extend_one_another_are_refused(files: dict[str, str], message: str) -> None:
    """With the whole circle."""
    for name, text in files.items():
        write(text, name)
    with pytest.raises(SpecError) as caught:
        load_tree("a.yaml")
    assert str(caught.value) == message


def test_a_base_that_does_not_exist_is_told_with_the_line() -> None:
    """And so is one that is no name."""
    (line,) = problems("name: x\nextends: nope.yaml\n")
    assert line.startswith("grid.yaml:2: extends: there is no such file; give a path")
    assert problems("extends: [a, b]\n") == [
        "grid.yaml:1: extends: must name one spec; write `extends: base.yaml`"
    ]


def test_mappings_merge_key_by_key() -> None:
    """What the own file does not mention stays."""
    assert merged("ranking: {kind: cooccurrence, window: 3, damping: 0.5}\n", "ranking: {window: 5}\n") == {
        "ranking": {"kind": "cooccurrence", "window": 5, "damping": 0.5}
    }


def test_the_same_kind_keeps_the_parameters_of_the_base() -> None:
    """Naming the kind again changes nothing."""
    tree = merged("ranking: {kind: cooccurrence, window: 3}\n", "ranking: {kind: cooccurrence, damping: 0.5}")
    assert tree["ranking"] == {"kind": "cooccurrence", "window": 3, "damping": 0.5}


def test_another_kind_starts_afresh() -> None:
    """The parameters of one technique mean nothing to another."""
    tree = merged("ranking: {kind: cooccurrence, window: 3}\n", "ranking: {kind: tfidf}\n")
    assert tree["ranking"] == {"kind": "tfidf"}


def test_lists_replace() -> None:
    """Nobody could say where an element of a merged list came from."""
    assert merged("metrics: [r_precision, f1@10]\n", "metrics: [precision@5]\n") == {
        "metrics": ["precision@5"]
    }


def test_a_value_replaces_a_mapping_and_the_other_way_round() -> None:
    """`ranking: tfidf` over `ranking: {kind: …}`, and null to take a key away."""
    assert merged("ranking: {kind: cooccurrence, window: 3}\n", "ranking: tfidf\n") == {"ranking": "tfidf"}
    assert merged("ranking: tfidf\n", "ranking: {kind: frequency}\n") == {"ranking": {"kind": "frequency"}}
    assert merged("split: {train: 2/3}\n", "split: null\n") == {"split": None}


def test_alternatives_of_a_sweep_are_added() -> None:
    """A grid can be extended by one more row."""
    tree = merged(
        "sweep: {ranking: {a: tfidf, b: {kind: cooccurrence, window: 2}}}\n",
        "sweep: {ranking: {b: {window: 9}, c: frequency}}\n",
    )
    assert tree["sweep"]["ranking"] == {
        "a": "tfidf",
        "b": {"kind": "cooccurrence", "window": 9},
        "c": "frequency",
    }


def test_a_mistake_is_told_where_it_was_written() -> None:
    """In the base, or in the file that overrode it."""
    write("candidates: {kind: tokens, pos: [nun]}\nranking: {kind: cooccurrence, damping: 7}\n", "base.yaml")
    found = problems("extends: base.yaml\nname: x\nranking:\n  window: 1\n")
    assert [line.partition(": ")[0] for line in found] == ["base.yaml:1", "grid.yaml:4", "base.yaml:2"]


def test_a_variable_is_filled_in_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anywhere in a value, more than once."""
    monkeypatch.setenv("CORPUS", "news")
    tree, _ = load_tree(write("name: ${CORPUS}-of-${CORPUS}\nmetrics: ['${CORPUS}']\nsave: 3\n"))
    assert tree == {"name": "news-of-news", "metrics": ["news"], "save": 3}


def test_what_stands_in_a_variable_is_text_and_not_expanded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value with a dollar sign or a colon stays as it is."""
    monkeypatch.setenv("ONE", "${TWO}: [x]")
    monkeypatch.setenv("TWO", "no")
    assert load_tree(write("description: ${ONE}\n"))[0] == {"description": "${TWO}: [x]"}


def test_all_variables_that_are_not_set_are_told() -> None:
    """With the line, the parameter and the command."""
    assert problems("documents:\n  path: ${NOWHERE}/x\n  gold: '${ELSE}'\n") == [
        "grid.yaml:2: documents.path: the variable NOWHERE is not set; set it: export NOWHERE=…",
        "grid.yaml:3: documents.gold: the variable ELSE is not set; set it: export ELSE=…",
    ]


def test_a_missing_folder_of_corpora_names_the_option() -> None:
    """The one variable that shipped specs use."""
    assert problems("extends: zesch2009-inspec\n") == [
        f"{specs_folder()}/zesch2009-inspec.yaml:5: documents.path: the variable KPFRAME_DATA is not set; "
        "give --data DIR or set KPFRAME_DATA to the folder of the corpora"
    ]


def test_the_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--data` for once, the variable for always."""
    write("text", "right/a.txt")
    monkeypatch.setenv("KPFRAME_DATA", "wrong")
    own = write("documents: {kind: text, path: '${KPFRAME_DATA}'}\ncandidates: tokens\nranking: frequency\n")
    spec = load_spec(own, data="right")
    assert spec.reader is not None
    assert [document.id for document in spec.reader.read()] == ["a"]


def test_extraction_asks_nothing_of_the_documents() -> None:
    """The chain of an experiment works where its corpus is missing."""
    chain = "candidates: tokens\nranking: frequency\n"
    text = f"documents: {{kind: text, path: '${{NOWHERE}}'}}\nsplit: {{train: 7}}\n{chain}"
    assert problems(text, purpose="extract") == []
    assert problems(text) != []


@pytest.mark.parametrize("text", ["name: {a: b\n", "a: 1\na: 2\n"])
def test_a_base_that_is_no_yaml_is_told_with_its_own_name(text: str) -> None:
    """The mistake is there, not here."""
    write(text, "base.yaml")
    (line,) = problems("extends: base.yaml\n")
    assert line.startswith("base.yaml:2: ")


def test_the_name_of_the_file_is_the_name_of_the_run() -> None:
    """Unless the spec has a name."""
    text = "candidates: tokens\nranking: frequency\n"
    assert load_spec(write(text, "my-grid.yaml"), purpose="check").name == "my-grid"
    assert load_spec(write(f"name: own\n{text}", "my-grid.yaml"), purpose="check").name == "own"


@pytest.mark.parametrize("variable", ["KPFRAME_DATA", "TEXTS"])
@pytest.mark.parametrize("where", ["texts", "./texts", "../here/texts"])
def test_a_folder_in_the_environment_is_relative_to_where_the_command_is_typed(
    variable: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not to the spec that mentions the variable, which may be a shipped one."""
    here = Path("here")
    for folder in (here / "texts", Path("specs")):
        folder.mkdir(parents=True)
    (here / "texts/a.jsonl").write_text('{"id": "a", "text": "red"}\n')
    spec = write(
        f"{BASE}documents: {{kind: jsonl, path: '${{{variable}}}/a.jsonl'}}\n", "specs/s.yaml"
    ).resolve()
    monkeypatch.chdir(here)
    monkeypatch.setenv(variable, where)
    reader = load_spec(spec).reader
    assert reader is not None
    assert [document.id for document in reader.read()] == ["a"]  # type: ignore[union-attr]
    if variable == "KPFRAME_DATA":
        monkeypatch.delenv(variable)
        assert load_spec(spec, data=where).reader == reader


def test_a_path_around_a_variable_is_relative_to_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the file itself begins, it means of itself."""
    Path("specs/texts").mkdir(parents=True)
    Path("specs/texts/a.jsonl").write_text('{"id": "a", "text": "red"}\n')
    monkeypatch.setenv("NAME", "a")
    write(BASE + "documents: {kind: jsonl, path: 'texts/${NAME}.jsonl'}\n", "specs/s.yaml")
    reader = load_spec("specs/s.yaml").reader
    assert reader is not None
    assert [document.id for document in reader.read()] == ["a"]  # type: ignore[union-attr]


def test_a_folder_of_corpora_that_nothing_refers_to_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Who gives one believes that it is used."""
    write(BASE + "documents: {kind: jsonl, path: '${KPFRAME_DATA}/a.jsonl'}\n", "refers.yaml")
    Path("a.jsonl").write_text('{"id": "a", "text": "red"}\n')
    write(BASE + "documents: {kind: jsonl, path: a.jsonl}\n", "own.yaml")
    load_spec("refers.yaml", data=".")
    assert caplog.messages == []
    load_spec("own.yaml", data=".")
    assert caplog.messages == [
        "the folder of the corpora has no effect: nothing in own.yaml refers to ${KPFRAME_DATA}"
    ]


def test_null_takes_a_system_and_an_alternative_away() -> None:
    """Of what a spec extends; the rest of it stays, and what is not there is told."""
    base = "systems: {a: {ranking: rake}, b: {ranking: yake}}\nsweep: {candidates: {t: tokens, n: ngrams}}\n"
    assert merged(base, "systems: {a: null}\nsweep: {candidates: {n: null}}\n") == {
        "systems": {"b": {"ranking": "yake"}},
        "sweep": {"candidates": {"t": "tokens"}},
    }
    with pytest.raises(SpecError) as caught:
        merged(base, "systems:\n  bb: null\n")
    assert str(caught.value) == "own.yaml:3: systems.bb: there is none to take away; did you mean 'b'?"


def test_a_stage_is_merged_in_whatever_form_it_is_written() -> None:
    """`{cooccurrence: {window: 5}}` is `{kind: cooccurrence, window: 5}`."""
    base = "ranking: {cooccurrence: {window: 5}}\n"
    assert merged(base, "ranking: {window: 3}\n") == {"ranking": {"kind": "cooccurrence", "window": 3}}
    assert merged(base, "ranking: {tfidf: null}\n") == {"ranking": {"kind": "tfidf"}}
