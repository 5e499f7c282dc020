"""What kpframe ships: complete, listed, unchanged, and as its README says."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from families import every

from kpframe.errors import ResourceError
from kpframe.files import resources
from kpframe.language.words import phrase_tokens, token_spans
from kpframe.model.folding import lower

ROOT = Path(__file__).parents[1] / "resources"
NAMES = sorted(json.loads((ROOT / "manifest.json").read_text(encoding="utf-8")))
LANGUAGES = ("da", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv")
OF_A_KIND = [
    f"{language}-{kind}"
    for language in ("de", "en", "es", "fr", "pt")
    for kind in ("calendar", "salutations", "titles", "units")
]


def demo() -> list[dict[str, Any]]:
    files = sorted(resources.resource_path("corpora/demo").glob("*.jsonl"))
    return [
        json.loads(line) for file in files for line in file.read_text(encoding="utf-8").split("\n") if line
    ]


def in_text(phrase: str, document: dict[str, Any]) -> bool:
    text, wanted = (f" {' '.join(phrase_tokens(string))} " for string in (document["text"], phrase))
    return wanted in text


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of all resources that kpframe takes for its own."""
    shutil.copytree(ROOT, tmp_path / "resources")
    monkeypatch.setattr(resources, "_folder", lambda name: tmp_path / name)
    resources.manifest.cache_clear()
    resources._verify.cache_clear()
    yield tmp_path / "resources"
    resources.manifest.cache_clear()
    resources._verify.cache_clear()


def test_every_file_is_in_the_manifest():
    """But for the manifest itself and the READMEs."""
    paths = [ROOT / entry["path"] for entry in resources.manifest().values()]
    files = [f for f in ROOT.rglob("*") if f.is_file() and f.name not in ("README.md", "manifest.json")]
    assert [f for f in files if not any(f == path or path in f.parents for path in paths)] == []


@every("name", NAMES)
def test_every_entry_is_complete_and_its_checksum_right(name):
    """Each has a licence, a source and a description, and opens."""
    entry = resources.manifest()[name]
    assert sorted(entry) == ["description", "licence", "path", "sha256", "source"]
    assert all(entry.values())
    assert resources.resource_path(name).exists()


@pytest.mark.parametrize(
    ("name", "file"),
    [("stopwords/en", "stopwords/en.txt"), ("corpora/demo", "corpora/demo/a-1.jsonl")],
)
def test_a_changed_byte_is_refused(copied, name, file):
    """In a file, and in any file of a folder."""
    resources.resource_path(name)
    resources._verify.cache_clear()
    path = copied / file
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ResourceError) as raised:
        resources.resource_path(name)
    place = copied / resources.manifest()[name]["path"]
    assert str(raised.value) == (
        f"{place}: does not agree with its checksum in the manifest (resource {name!r}); reinstall "
        "kpframe, or after an intended change run `python -m kpframe.files.resources`"
    )


def test_an_intended_change_is_accepted_with_new_checksums(copied):
    """What the remedy says works, and changes nothing but the checksum."""
    before = (copied / "manifest.json").read_text(encoding="utf-8")
    resources.update_manifest()
    assert (copied / "manifest.json").read_text(encoding="utf-8") == before
    path = copied / "stopwords" / "en.txt"
    path.write_text(path.read_text(encoding="utf-8") + "quux\n", encoding="utf-8")
    resources.update_manifest()
    resources.manifest.cache_clear()
    assert "quux" in resources.read_words("stopwords/en")


def test_an_added_file_in_a_folder_is_refused(copied):
    """A corpus is all of its files."""
    (copied / "corpora" / "demo" / "c-1.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(ResourceError, match="does not agree with its checksum"):
        resources.resource_path("corpora/demo")


def test_a_missing_file_is_refused(copied):
    """With the name of the resource."""
    (copied / "plurals" / "en.tsv").unlink()
    with pytest.raises(ResourceError, match=r"^resource 'plurals/en': .*; reinstall kpframe$"):
        resources.resource_path("plurals/en")


def test_an_unknown_name_lists_what_there_is():
    """Its neighbours, or else everything."""
    with pytest.raises(ResourceError) as raised:
        resources.resource_path("stopwords/xx")
    offered = ", ".join(
        f"stopwords/{name}" for name in sorted([*LANGUAGES, *OF_A_KIND, "en-spacy", "papers"])
    )
    assert str(raised.value) == f"resource 'stopwords/xx': is not shipped; there are: {offered}"
    with pytest.raises(ResourceError) as raised:
        resources.resource_path("weather")
    assert str(raised.value) == f"resource 'weather': is not shipped; there are: {', '.join(NAMES)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_stop_lists_are_clean(language):
    """One entry a line, lower case, none twice, the commonest words in."""
    words = resources.read_words(f"stopwords/{language}")
    assert len(words) == len(set(words)) > 200
    assert all(word == word.lower() == " ".join(word.split()) for word in words)


@pytest.mark.parametrize("noun", ["data", "system", "model", "information", "need", "value", "time", "state"])
def test_nouns_that_head_keyphrases_are_no_stopwords(noun):
    """They would be stripped from the ends of phrases."""
    assert noun not in resources.read_words("stopwords/en")


def test_the_published_table_names_every_cell_once():
    """Table 3 of Zesch and Gurevych (2009): 16 configurations, three corpora, exact and approximate."""
    rows = list(csv.DictReader(io.StringIO(resources.open_resource("reference/zesch2009_table3"))))
    candidates = ("tokens", "tokens-na", "lemmas", "lemmas-na", "ngrams", "noun-phrases", "named-entities")
    grid = [f"{ranking}.{name}" for ranking in ("tfidf", "cooccurrence") for name in candidates]
    assert [row["cell"] for row in rows] == ["kea", "textrank", *grid]
    figures = [list(row)[4:] for row in rows]
    assert figures[0] == [f"{c}_{m}" for c in ("inspec", "duc", "sp") for m in ("exact", "approximate")]
    kea, textrank = ([float(row[c]) for c in figures[0]] for row in rows[:2])
    assert kea == [0.16, 0.19, 0.11, 0.14, 0.21, 0.25]
    assert textrank == [0.31, 0.36, 0.21, 0.23, 0.04, 0.10]
    assert all(
        0 <= float(row[c]) <= float(row[c.replace("exact", "approximate")]) < 0.4
        for row in rows
        for c in figures[0]
    )


def test_the_demonstration_corpus_has_no_flaws():
    """Distinct ids, true title lengths, clean text, no empty and no repeated keyphrase."""
    documents = demo()
    assert len({document["id"] for document in documents}) == len(documents) == 36
    for document in documents:
        text = document["text"]
        title = text[: document["metadata"]["title_length"]]
        assert document["language"] == "en"
        assert title
        assert "\n" not in title
        assert text.startswith(title + "\n\n")
        assert not re.search(r"[\t\r\u00a0\u200b\ufffd]| {2}| \n|\n{3}|\b(\w+) \1\b", text)
        forms = [form for gold in document["gold"] for form in gold["variants"]]
        assert all(form == " ".join(form.split()) != "" for form in forms)
        assert len({lower(form) for form in forms}) == len(forms)


def test_the_readme_states_the_figures_of_the_corpus():
    """Documents, tokens, keyphrases and absent share, by genre."""
    readme = (ROOT / "corpora" / "README.md").read_text(encoding="utf-8")
    documents = demo()
    for genre in ("abstract", "news", "article", "all"):
        chosen = [d for d in documents if genre in ("all", d["metadata"]["genre"])]
        gold = [(d, g) for d in chosen for g in d["gold"]]
        tokens = sum(len(token_spans(d["text"])) for d in chosen) / len(chosen)
        absent = sum(not any(in_text(v, d) for v in g["variants"]) for d, g in gold)
        row = (
            f"| {genre} | {len(chosen)} | {tokens:,.0f} | {len(gold)} | "
            f"{len(gold) / len(chosen):.1f} | {100 * absent / len(gold):.1f} % |"
        )
        assert row in readme
    sources = Counter(g["source"] for d in documents for g in d["gold"])
    assert sources == {"indexer-1+indexer-2": 130, "indexer-1": 124, "indexer-2": 131}
    assert sum(len(g["variants"]) for d in documents for g in d["gold"]) == 619
    assert len(list((ROOT / "corpora" / "demo").glob("*.jsonl"))) == 13
