"""Reading YAML as plain data: nothing clever, nothing twice, every problem with its line."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from families import every
from hypothesis import given
from hypothesis import strategies as st
from spec_files import write

from kpframe.errors import SpecError
from kpframe.spec.strict_yaml import MAX_CHARACTERS, Positions, as_yaml, parse_value, read_yaml


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places in errors are as the path was given: relative."""
    monkeypatch.chdir(tmp_path)


def read(text: str | bytes) -> dict[str, Any]:
    return read_yaml(write(text), Positions())


def refused(text: str | bytes) -> str:
    with pytest.raises(SpecError) as caught:
        read(text)
    return str(caught.value)


def test_a_key_that_stands_twice_is_refused() -> None:
    """With its whole path and the line of the second one."""
    assert refused("a: 1\nb: {c: 2,\n  d: 1,\n  c: 3}\n") == (
        "grid.yaml:4: b.c: the key stands twice; remove one of the two"
    )


def test_all_duplicates_are_told_at_once() -> None:
    """Not one a run."""
    assert refused("a: 1\na: 2\nb: 1\nb: 2\n").count("stands twice") == 2


@every(
    ("written", "value"),
    [
        ("no", "no"),
        ("NO", "NO"),
        ("on", "on"),
        ("yes", "yes"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("2024-01-01", "2024-01-01"),
        ("~", None),
        ("null", None),
        ("1_000", "1_000"),
        ("010", 10),
        ("-007", -7),
        ("0o17", 15),
        ("0b11", "0b11"),
        ("1:30", "1:30"),
        ("1:30.5", "1:30.5"),
        ("190:20:30", "190:20:30"),
        ("1e3", 1000.0),
        ("1E+3", 1000.0),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("+.inf", math.inf),
        ("-.INF", -math.inf),
        (".Inf", math.inf),
        ("inf", "inf"),
        ("nan", "nan"),
        ("0o8", "0o8"),
        ("0xG", "0xG"),
        ("Off", "Off"),
        ("N", "N"),
        ("TRUE", True),
        ("tRUE", "tRUE"),
        ("NULL", None),
        ("=", "="),
        ("0x1F", 31),
        ("1.5", 1.5),
        ("1e-8", 1e-8),
        (".inf", math.inf),
        ("'1'", "1"),
        ("2/3", "2/3"),
    ],
)
def test_words_stay_words(written: str, value: object) -> None:
    """`no` is Norwegian, and a date is a text; only true and false are truth values."""
    assert read(f"a: {written}") == {"a": value}


WORDS = (
    "010", "1:30", "1_000", "0o17", "0b1", "1e3", "1e-8", ".5", ".inf", "inf", "nan", "yes", "No", "on",
    "OFF", "y", "true", "null", "~", "", "2024-01-01", "=", "<<", "0x1F", "+1", "a: b", "# c", "- d", " e ",
)  # fmt: skip


@given(st.recursive(
    st.sampled_from(WORDS) | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=6,
))  # fmt: skip
@pytest.mark.slow
def test_what_is_written_is_read_back(value: object) -> None:
    """Also by a reader that knows YAML 1.1 alone: a resolved spec means the same to both."""
    text = as_yaml({"a": value})
    assert parse_value(text, "here") == {"a": value}
    assert yaml.safe_load(text) == {"a": value}


def test_keys_are_texts() -> None:
    """Whatever they look like."""
    assert read("1: a\nno: b\ntrue: c\nnull: d\n") == {"1": "a", "no": "b", "true": "c", "null": "d"}


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['true']",
        "!!python/object:os.system {a: b}",
        "!!python/name:os.system ''",
        "!mine x",
        "!!binary aGk=",
        "!!set {x, y}",
        "!!str [x]",
    ],
)
def test_a_tag_is_refused(tag: str) -> None:
    """A spec is data and can never run code."""
    assert refused(f"name: x\na: {tag}\n").startswith("grid.yaml:2: the tag ")


@pytest.mark.parametrize(
    "value", ["!!int foo", "!!float ''", "!!bool maybe", "!!bool yes", "!!int 1:30", "!!int 0b1", "!!null no"]
)
def test_a_value_that_belies_its_tag_is_refused(value: str) -> None:
    """By an error with the line, not by whatever the parser stumbles over."""
    content = value.partition(" ")[2].strip("'")
    assert refused(f"a: {value}") == (
        f"grid.yaml:1: {content!r} cannot be read; put it in quotes if it is a text"
    )


def test_a_number_of_thousands_of_digits_is_refused_briefly() -> None:
    """Python converts no such text; the error does not repeat it."""
    message = refused("a: " + "9" * 5000)
    assert message.endswith("cannot be read; put it in quotes if it is a text")
    assert len(message) < 150


def test_merge_keys_are_refused() -> None:
    """There is one way to inherit."""
    assert refused("a: &x {b: 1}\nc:\n  <<: *x\n") == (
        "grid.yaml:3: a key must be a plain word; use `extends:` to inherit"
    )


@pytest.mark.parametrize("key", ["[1, 2]", "{a: b}"])
def test_a_key_that_is_no_word_is_refused(key: str) -> None:
    """Lists and mappings name nothing."""
    assert refused(f"? {key}\n: 3\n").startswith("grid.yaml:1: a key must be a plain word")


def test_an_alias_repeats_a_value() -> None:
    """Anchors are allowed as long as the whole stays small."""
    assert read("a: &x [1, 2]\nb: {c: *x}\n") == {"a": [1, 2], "b": {"c": [1, 2]}}


@pytest.mark.slow
def test_aliases_cannot_explode() -> None:
    """Ten to the ninth values from ten lines are refused (building them would take for ever)."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    message = refused("\n".join(lines))
    assert message.endswith("expands to too much data; use fewer aliases and less nesting")
    assert "\n" not in message


@pytest.mark.parametrize("text", ["a: &a [*a]", "a: &a {b: *a}", "a: &a [*a, *a, *a]"])
@pytest.mark.slow
def test_a_value_that_holds_itself_is_refused(text: str) -> None:
    """It has no end."""
    assert refused(text) == "grid.yaml:1: expands to too much data; use fewer aliases and less nesting"


@pytest.mark.slow
def test_deep_nesting_is_refused() -> None:
    """No spec needs it; far deeper ones would end the parser."""
    assert "too much" in refused("a: " + "[" * 60 + "]" * 60)
    assert refused("a: " + "[" * 5000 + "]" * 5000) == (
        "grid.yaml: is not valid YAML: it is nested too deeply; check the file"
    )


@pytest.mark.parametrize("text", ["", "\n", "# nothing but a comment\n", "\ufeff"])
def test_an_empty_file_is_told(text: str) -> None:
    """Whether it has comments, a byte order mark or nothing."""
    assert refused(text) == "grid.yaml: is empty; write at least `documents:` or `extends:`"


@pytest.mark.parametrize("text", ["- a\n", "just words\n", "3\n"])
def test_a_spec_is_a_mapping(text: str) -> None:
    """A list or a single value is none."""
    assert refused(text) == "grid.yaml:1: a spec is a mapping of keys to values; begin with `name: …`"


def test_a_byte_order_mark_is_ignored() -> None:
    """Some editors write one."""
    assert read("\ufeffname: x\n") == {"name": "x"}


def test_windows_line_ends_are_fine() -> None:
    """And lines are counted rightly."""
    assert read(b"name: x\r\nsave: 3\r\n") == {"name": "x", "save": 3}
    assert refused(b"a: 1\r\nb: 2\r\na: 3\r\n").startswith("grid.yaml:3: ")


def test_what_is_not_utf_8_is_told_with_the_byte() -> None:
    """Position 8 holds a lone Latin-1 é."""
    assert refused("name: caf\xe9\n".encode("latin-1")) == (
        "grid.yaml: is not UTF-8 (byte 9); save it as UTF-8"
    )


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b"])
def test_a_control_character_is_refused_with_its_line(character: str) -> None:
    """They are in no text that a person wrote."""
    assert refused(f"name: x\na: b{character}c\n") == (
        f"grid.yaml:2: is not valid YAML: the character {character!r} is not allowed; remove it"
    )


def test_syntax_errors_have_their_line() -> None:
    """And say what was expected."""
    assert refused("a: 1\nb: [1, 2\n").startswith("grid.yaml:3: is not valid YAML: expected ',' or ']'")
    assert refused("a: 1\n\tb: 2\n").startswith("grid.yaml:2: is not valid YAML: found character '\\t'")
    assert refused("a: *b\n") == (
        "grid.yaml:1: is not valid YAML: found undefined alias 'b'; check quotes and indents"
    )


def test_one_file_holds_one_spec() -> None:
    """A second document is refused, not ignored."""
    assert refused("a: 1\n---\nb: 1\n").startswith("grid.yaml:2: is not valid YAML: ")


def test_a_missing_file_and_a_folder_are_told() -> None:
    """No spec can be read from them."""
    Path("folder.yaml").mkdir()
    for name, problem in (("none.yaml", "No such file or directory"), ("folder.yaml", "Is a directory")):
        with pytest.raises(SpecError) as caught:
            read_yaml(Path(name), Positions())
        assert str(caught.value) == f"{name}: cannot be read: {problem}; check the path"


def test_a_file_of_megabytes_is_refused_before_it_is_parsed() -> None:
    """It is a corpus, given by mistake."""
    assert refused("a: " + "x" * MAX_CHARACTERS) == (
        "grid.yaml: is too large for a spec; a spec has at most a million characters"
    )


def test_every_value_has_its_place() -> None:
    """A key that is not known has the place of what encloses it."""
    positions = Positions(fallback="somewhere")
    read_yaml(write("a: 1\nb:\n  - c: 2\n    d: 3\n"), positions)
    assert positions.place(("a",)) == "grid.yaml:1"
    assert positions.place(("b",)) == "grid.yaml:2"
    assert positions.place(("b", 0)) == "grid.yaml:3"
    assert positions.place(("b", 0, "d")) == "grid.yaml:4"
    assert positions.place(("b", 0, "d", "x", "y")) == "grid.yaml:4"
    assert positions.place(("nowhere",)) == "somewhere"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("0.33", 0.33),
        ("no", "no"),
        ("true", True),
        ("", None),
        ("null", None),
        ("[noun, adjective]", ["noun", "adjective"]),
        ("{kind: tfidf, idf: {from: none}}", {"kind": "tfidf", "idf": {"from": "none"}}),
        ("'3'", "3"),
    ],
)
def test_a_value_on_the_command_line_is_yaml(text: str, value: object) -> None:
    """With the same rules as in a file."""
    assert parse_value(text, "--set a") == value


@pytest.mark.parametrize("text", ["[1", "{a: 1, a: 2}", "!!python/name:os.system ''", "\x00", "*a"])
def test_a_bad_value_on_the_command_line_has_its_place(text: str) -> None:
    """The place is the option, without a line number."""
    with pytest.raises(SpecError) as caught:
        parse_value(text, "--set a")
    assert str(caught.value).startswith("--set a: ")


@pytest.mark.slow
def test_depth_is_seen_while_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after a scanner that looks at all open brackets for each token has come to the end."""
    tokens = 0
    fetch = yaml.scanner.Scanner.fetch_more_tokens

    def counted(self: Any) -> None:
        nonlocal tokens
        tokens += 1
        fetch(self)

    monkeypatch.setattr(yaml.scanner.Scanner, "fetch_more_tokens", counted)
    assert "too deeply" in refused("a: " + "[" * 5000 + "]" * 5000)
    assert tokens < 2000  # it looks up to 1,024 characters ahead for a key
