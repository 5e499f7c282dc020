"""The schema that editors use accepts what kpframe accepts, and marks what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from schema_rules import KNOWN, fits, keywords_of
from spec_files import CHAIN

from kpframe.files.resources import shipped_specs
from kpframe.spec import json_schema, load_spec
from kpframe.spec.build import TOP_LEVEL
from kpframe.spec.strict_yaml import Positions, read_yaml
from kpframe.stages import FOLDERS
from kpframe.stages.registry import kinds, lookup


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return json_schema()


def test_the_schema_uses_only_rules_that_are_checked_here(schema: dict[str, Any]) -> None:
    """Another keyword needs a rule in `schema_rules`."""
    assert keywords_of(schema) <= KNOWN


def test_the_schema_is_plain_json(schema: dict[str, Any]) -> None:
    """It survives being written and read."""
    assert json.loads(json.dumps(schema)) == schema


def test_all_references_lead_somewhere(schema: dict[str, Any]) -> None:
    """`#/$defs/NAME`, with a definition for each name."""
    named = {part.split('"')[0] for part in json.dumps(schema).split('"#/$defs/')[1:]}
    assert named <= set(schema["$defs"])
    assert set(FOLDERS) <= named


def test_nested_models_of_different_stages_have_different_names() -> None:
    """They share one place in the schema, where equal names would hide one another."""
    seen: dict[str, Any] = {}
    for folder in FOLDERS:
        for kind in kinds(folder):
            for name, definition in lookup(folder, kind).model_json_schema().get("$defs", {}).items():
                assert name not in FOLDERS
                assert seen.setdefault(name, definition) == definition


def test_the_keys_of_a_spec_are_the_keys_of_the_schema(schema: dict[str, Any]) -> None:
    """None is missing and none is more."""
    assert set(schema["properties"]) == set(TOP_LEVEL)
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("name", shipped_specs())
@pytest.mark.slow
def test_every_shipped_spec_is_valid(name: str, schema: dict[str, Any]) -> None:
    """As it is written, and as it is resolved."""
    written = read_yaml(shipped_specs()[name], Positions())
    assert fits(written, schema, schema)
    if name.startswith("zesch2009"):
        return  # resolved below, where the corpora are not needed
    assert fits(load_spec(name, purpose="extract").resolved, schema, schema)


@pytest.mark.parametrize(
    "change",
    [
        {"ranking": {"kind": "cooccurrence", "window": 3}},
        {"ranking": {"kind": "tfidf", "idf": {"from": "none"}}},
        {"candidates": {"kind": "tokens", "pos": ["noun", "adjective"]}},
        {"postprocessing": {"stopwords": {"lists": ["pt", "en"]}}},
        {"postprocessing": [{"stopwords": {"lists": ["pt", "en"]}}, {"top": None}, "nested"]},
        {"metrics": ["precision@5", {"kind": "f1", "k": "M"}]},
        {"matching": "exact"},
        {"split": {"train": "2/3", "seed": 1}},
        {"split": {"by": "metadata", "train": ["training"], "test": "test"}},
        {"systems": {"a": {"ranking": "kea", "candidates": {"kind": "ngrams"}}}},
        {"sweep": {"postprocessing": {"none": [], "short": [{"kind": "top", "number": 5}]}}},
        {"save": 10, "model": "model.json", "description": "what it is for"},
    ],
)
def test_what_a_spec_may_say_is_valid(change: dict[str, Any], schema: dict[str, Any]) -> None:
    """Long forms, short forms, lists and single values."""
    assert fits({**CHAIN, **change}, schema, schema)


@pytest.mark.parametrize(
    "change",
    [
        {"rankng": "tfidf"},
        {"ranking": {"kind": "cooccurrence", "windw": 3}},
        {"ranking": {"kind": "cooccurrence", "window": 1}},
        {"ranking": {"kind": "coocurrence"}},
        {"ranking": {"window": 3}},
        {"ranking": ["tfidf"]},
        {"candidates": {"kind": "ngrams", "max": 0}},
        {"postprocessing": [{"stopwords": {"list": ["en"]}}]},
        {"postprocessing": [{"stopwords": None, "top": None}]},
        {"postprocessing": [{}]},
        {"documents": {"kind": "text"}},
        {"save": 0},
        {"sweep": {"metrics": {"a": "f1"}}},
        {"systems": {"a": {"rankng": "kea"}}},
        {"split": {"seed": 1}},
    ],
)
def test_what_a_spec_may_not_say_is_marked(change: dict[str, Any], schema: dict[str, Any]) -> None:
    """Slips of the pen, values out of range, what is missing."""
    assert not fits({**CHAIN, **change}, schema, schema)
