"""The text of a commented spec to begin with."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kpframe.display.marks import harmless

__all__ = ["starter_spec"]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./ -]*[A-Za-z0-9_]|\.{1,2}(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*|[A-Za-z]")
_WORDS = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def starter_spec(
    name: str,
    schema: str,
    findings: Sequence[str],
    documents: Mapping[str, Any],
    *,
    tagged: bool,
    gold: bool,
    learn: bool,
) -> str:
    """A whole spec: a comparison of three rankings where there is gold, else one pipeline.

    `schema` is the path of the JSON schema. `tagged` says whether a language model is installed that tells
    nouns from verbs, and `learn` whether there are texts enough for a supervised system.
    """
    file = f"{name}.yaml"
    lines = [
        f"# yaml-language-server: $schema={schema}",
        "# What kpframe found:",
        *(f"#   {harmless(finding, keep='')}" for finding in findings),
        f"# Check this file: kpframe check {file}    Run it: kpframe run {file}",
        f"name: {_value(name)}",
        "",
        f"# Where the texts are; all parameters: kpframe stages documents {documents['kind']}",
        "documents:",
        *(f"  {key}: {_value(value)}" for key, value in documents.items()),
        "",
        *(_tagged() if tagged else _untagged()),
        "",
        *(_compared(tagged) if gold else _single(file, documents, tagged)),
        "",
        *(_learning() if gold and learn else ()),
        *_evaluation(gold),
    ]
    return "\n".join(lines) + "\n"


def _tagged() -> Iterator[str]:
    yield "# Nouns and adjectives are candidates; those that stand side by side are joined to phrases."
    yield "preprocessing: [tokenize, pos]"
    yield "candidates: {kind: tokens, pos: [noun, adjective]}"
    yield "# Stop words are those of each text's language; more lists, or files of your own, go beside auto."
    yield "postprocessing:"
    yield "  - {kind: merge_adjacent, max_tokens: 4, places: all}"
    yield "  - {kind: stopwords, lists: [auto], trim: both}"
    yield "  - {kind: token_length, min: 1, max: 4}"


def _untagged() -> Iterator[str]:
    yield "# The shipped pipeline any-language: words and pairs of words, which need no language model."
    yield "# Stop words are those of each text's language; name files of your own where there is no list."
    yield "preprocessing: [simple]"
    yield "candidates: {kind: ngrams, min: 1, max: 2, stopwords: [auto], numbers: boundary}"
    yield "postprocessing:"
    yield "  - {kind: stopwords, lists: [auto], trim: both}"
    yield "  - {kind: token_length, min: 1, max: 4}"


def _compared(tagged: bool) -> Iterator[str]:
    yield "# What is compared: each alternative is run on the same texts and candidates."
    yield "sweep:"
    yield "  ranking:"
    yield "    textrank: {kind: cooccurrence, window: 2}" if tagged else "    frequency: frequency"
    yield "    tfidf: {kind: tfidf, idf: {from: collection}}"
    yield "    position: position"


def _single(file: str, documents: Mapping[str, Any], tagged: bool) -> Iterator[str]:
    given = {"--column": documents.get("text"), "--encoding": documents.get("encoding")}
    options = "".join(f" {option} {shlex.quote(str(value))}" for option, value in given.items() if value)
    yield "# There is no gold, so nothing can be compared with it. For keyphrases on the screen or in a file:"
    yield harmless(f"#   kpframe extract --pipeline {file} --input PATH{options}", keep="")
    yield "ranking: {kind: cooccurrence, window: 2}" if tagged else "ranking: frequency"


def _learning() -> Iterator[str]:
    yield "# A system that learns from two thirds of the texts; all are then evaluated on the last third."
    yield "# Take away the # at the beginning of the next four lines to add it."
    yield "#systems:"
    yield "#  kea:"
    yield "#    candidates: {kind: ngrams, min: 1, max: 3, stopwords: [auto]}"
    yield "#    ranking: kea"
    yield "#split: {train: 2/3, seed: 1}"
    yield ""


def _evaluation(gold: bool) -> Iterator[str]:
    if gold:
        yield "# When a phrase counts as found, and what is measured; see: kpframe stages metrics"
        yield "matching: [exact, approximate]"
        yield "metrics: [r_precision, precision@5, f1@10]"
    else:
        yield "# With gold keyphrases there would be more to measure; see: kpframe stages metrics"
        yield "metrics: [number@predicted]"


def _value(value: Any) -> str:
    """A value in YAML; a string is quoted unless it is plain beyond doubt."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.casefold() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
