"""The page without a browser: what it holds, what it cannot hold, and how large it is."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from report_values import HOSTILE, SCRIPT, example

from kpframe.htmlreport import page
from kpframe.htmlreport.page import number, render


class Outline(HTMLParser):
    """The tags of a page, and the text of its scripts and its body."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._within = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within == "script":
            self.scripts[-1] += data
        elif self._within != "style":
            self.text += data


@pytest.fixture(scope="module")
def text() -> str:
    """A page whose every text is hostile."""
    return render(example())


def unpacked(text: str) -> Any:
    """What the page unpacks when it opens."""
    return json.loads(gzip.decompress(base64.b64decode(Outline(text).scripts[1])))


def test_the_same_values_give_the_same_page(text: str) -> None:
    """To the byte."""
    assert render(example()) == text


def test_the_policy_names_exactly_the_style_and_the_script(text: str) -> None:
    """By their hashes; nothing else runs, and nothing is loaded from anywhere."""
    policy = next(a["content"] for tag, a in Outline(text).tags if a.get("http-equiv"))
    styles = re.findall(r"<style>(.*?)</style>", text, re.S)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(styles) == len(scripts) == 1
    style, script = (
        base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode() for found in (styles, scripts)
    )
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_the_policy_stands_before_all_that_it_rules(text: str) -> None:
    """Only the declaration of the encoding comes before."""
    tags = [tag for tag, attributes in Outline(text).tags]
    assert tags[:4] == ["html", "head", "meta", "meta"]


def test_hostile_texts_make_no_markup(text: str) -> None:
    """The page has its own three scripts, no pictures, and no bold letters but its own."""
    tags = [tag for tag, _ in Outline(text).tags]
    assert tags.count("script") == text.lower().count("<script") == 3
    assert not {"img", "b", "iframe", "object", "link", "base", "form"} & set(tags)
    assert not re.search(r"<[a-z][^>]*\sonerror", text)


def test_hostile_texts_are_shown_as_they_are(text: str) -> None:
    """In what is written without the script: title, notes, claims, recipe."""
    outline = Outline(text)
    assert f"a {SCRIPT} title" in outline.text
    assert f"a note {SCRIPT}" in outline.text
    assert f"# {SCRIPT} &amp;\n" in outline.text


def test_control_characters_are_shown_as_what_cannot_be_shown(text: str) -> None:
    """HTML has no place for them."""
    assert "x\ufffdy\ufffd[31m" in Outline(text).text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", text)


def test_the_page_asks_for_nothing(text: str) -> None:
    """No source, no stylesheet, no link but to its own parts, no inline style or handler."""
    for tag, attributes in Outline(text).tags:
        assert not {"src", "srcset", "style", "action", "data"} & set(attributes), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert str(attributes.get("href", "#")).startswith("#")
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "url(" not in text and "@import" not in text


def test_the_script_parses_no_markup_and_runs_no_text() -> None:
    """Texts are set as text; there is nothing by which they could become more."""
    names = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|setHTML|createContextualFragment"
    )
    assert (
        re.findall(rf"{names}|\beval\b|new Function|\bimport\(|\bfetch\(|XMLHttpRequest", page._script())
        == []
    )


def test_the_long_part_is_unpacked_as_it_was(text: str) -> None:
    """Texts with every kind of character among it."""
    data = example()
    found = unpacked(text)
    assert found == {name: data[name] for name in page.DETAIL}
    assert found["documents"][0]["text"] == HOSTILE


def test_the_short_part_is_json_without_markup(text: str) -> None:
    """No character that HTML or JavaScript would read as its own."""
    core = Outline(text).scripts[0]
    assert not re.search("[<>&\u2028\u2029]", core)
    data = example()
    assert json.loads(core) == {k: v for k, v in data.items() if k not in (*page.DETAIL, "recipe")}


def test_a_lone_surrogate_stops_nothing() -> None:
    """It travels as its escape."""
    data = example() | {"agreement": [{"column": "\udc80"}]}
    assert json.loads(Outline(render(data)).scripts[0])["agreement"] == [{"column": "\udc80"}]


def test_a_run_of_which_little_is_known_has_a_page() -> None:
    """What is empty is left out or said to be unknown."""
    data = example() | {
        name: {}
        for name in ("positions", "waterfall", "reliability", "steps", "curves", "axes", "missed", "spurious")
    }
    data |= {"documents": [], "conclusions": [], "agreement": [], "notes": [], "reference_source": ""}
    data["recipe"]["runs"][0]["timings"] = {
        "total": None,
        "resumed": False,
        "workers": None,
        "stages": [],
        "cells": [],
    }
    data["recipe"]["failures"] = []
    text = Outline(render(data)).text
    assert "How long the run took was not recorded." in text
    assert "No document failed." in text
    assert "What was claimed" not in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (67, "67"),
        (171636, "171\u2009636"),
        (12.0, "12"),
        (0.19876, "0.199"),
        (1234.5, "1\u2009234.500"),
    ],
)
def test_numbers_are_read_easily(value: float | None, shown: str) -> None:
    """Thin spaces between thousands, three decimals, a dash for nothing."""
    assert number(value) == shown


@pytest.mark.slow
def test_two_thousand_documents_of_sixteen_systems_stay_below_fifteen_megabytes() -> None:
    """A hundred long texts among them, each in marks of every system."""
    long = " ".join(f"word{n * 7919 % 10007}" for n in range(6000))
    assert len(render(example(2000, 16, f"{HOSTILE} {long}")).encode()) < 15_000_000
