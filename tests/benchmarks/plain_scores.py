"""R-precision, precision, recall and F1, exact and approximate, and their tests: as plainly as can be.

What is not plain, and why: a text with a typographic dash between letters is read twice, with the dash as a
hyphen and as a mark of its own ("gas–solid channels" has "gas-solid" and "gas"); phrases are read once. Words
are cut by kpframe's tokenizer, so that tokenisation is no source of differences.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from kpframe.files.resources import read_pairs
from kpframe.language.words import token_spans

DASHES, QUOTES, APOSTROPHES = "‒–—―−⸺⸻‐‑⁃˗﹘﹣－", "“”„‟«»″‶〝〞＂", "‘’‚‛ʹʻʼʽ′‵`´＇‹›"
LONG = "‒–—―−⸺⸻"
SAME = {
    **dict.fromkeys(map(ord, DASHES), "-"),
    **dict.fromkeys(map(ord, QUOTES), '"'),
    **dict.fromkeys(map(ord, APOSTROPHES), "'"),
}
IRREGULAR = {frozenset(pair) for pair in read_pairs("plurals/en")}


@dataclass
class Checked:
    """How many values and tests were compared, and what differs."""

    values: int = 0
    widest: float = 0.0
    tests: int = 0
    apart: list[str] = field(default_factory=list)


def folded(text: str) -> str:
    """Without case, in NFC, one dash, one quote, one apostrophe."""
    bare = re.sub("[\u00ad\ufeff\u2060\u200e\u200f]", "", text.translate(SAME)).replace("\u200b", " ")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", bare).casefold()).translate(SAME)


def words(text: str) -> list[str]:
    """The words of a text."""
    plain = " ".join(folded(text).split())
    return [plain[begin:end] for begin, end in token_spans(plain)]


def holds(long: Sequence[str], short: Sequence[str]) -> bool:
    """Whether words stand among others, next to each other and in order."""
    return any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))


def plural(one: str, other: str) -> bool:
    """Whether `other` is the plural of `one`, by the rules that DESIGN and the README name."""
    if len(one) < 2:
        return False
    hissing = one.endswith(("s", "x", "z", "ch", "sh"))
    if other == one + "s" and (not hissing or one.endswith("ch")):
        return True
    if other == one + "es" and (hissing or one.endswith("o")):
        return True
    return one.endswith("y") and one[-2] not in "aeiou" and other == one[:-1] + "ies"


def matches(phrase: list[str], gold: list[str], approximate: bool) -> bool:
    """Equal; or the last word in another number; or the gold keyphrase inside of the phrase."""
    if phrase == gold:
        return True
    if not approximate:
        return False
    if phrase[:-1] == gold[:-1]:
        a, b = phrase[-1], gold[-1]
        if plural(a, b) or plural(b, a) or frozenset((a, b)) in IRREGULAR:
            return True
    return len(phrase) > len(gold) and holds(phrase, gold)


def kept(gold: list[list[str]], text: str) -> list[list[list[str]]]:
    """The gold keyphrases that stand in the text, each by its variants; equal ones are one."""
    readings = [words(text)]
    if re.search(f"(?<=\\S)[{LONG}](?=\\S)", text):
        readings.append(words(re.sub(f"(?<=\\S)([{LONG}])(?=\\S)", r" \1 ", text)))
    groups: list[list[list[str]]] = []
    for variants in gold:
        group = [words(variant) for variant in variants]
        same = [one for one in groups if any(variant in one for variant in group)]
        for one in same:
            groups.remove(one)
            group = one + group
        groups.append(group)
    return [g for g in groups if any(v and holds(text_words, v) for v in g for text_words in readings)]


def values(
    predicted: list[str], gold: list[list[str]], text: str, approximate: bool
) -> dict[str, float] | None:
    """All measures of a document; None if no gold keyphrase is left."""
    groups = kept(gold, text)
    if not groups:
        return None
    phrases: list[list[str]] = []
    for phrase in map(words, predicted):
        if phrase and phrase not in phrases:
            phrases.append(phrase)
    edges = [[any(matches(p, v, approximate) for v in g if v) for g in groups] for p in phrases]

    def hits(k: int) -> int:
        """The greatest number of the first k phrases that can have gold keyphrases of their own."""
        some = np.array(edges[:k], dtype=np.int8)
        return int((maximum_bipartite_matching(csr_matrix(some)) >= 0).sum()) if some.any() else 0

    n, whole = len(groups), hits(len(phrases))
    found = {"r_precision": hits(n) / n, "recall@M": whole / n}
    found["precision@M"] = whole / len(phrases) if phrases else 0.0
    for k in (5, 10):
        precision, recall = hits(k) / k, hits(k) / n
        found[f"f1@{k}"] = 2 * precision * recall / (precision + recall) if hits(k) else 0.0
    return found


def p_value(differences: Any, rng: Any) -> float:
    """Fisher's randomisation test: how often signs at random give as large a mean difference."""
    if not differences.any():
        return 1.0
    signs = rng.integers(0, 2, size=(10_000, len(differences)), dtype=np.int8) * 2 - 1
    means = np.abs(signs @ differences)
    return float((1 + (means >= abs(differences.sum()) - 1e-9).sum()) / 10_001)


def check(run: Path, corpus: Path) -> Checked:
    """A run's `summary.json` against all that is computed here from its keyphrases and the corpus."""
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    gold = {}
    for line in corpus.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold[row["id"]] = [one["variants"] for one in row["gold"]], row["text"]
    found: dict[str, dict[str, dict[str, float]]] = {}
    for cell in summary["cells"]:
        lines = (run / "cells" / cell["name"] / "keyphrases.jsonl").read_text(encoding="utf-8").splitlines()
        for row in map(json.loads, lines):
            phrases = [keyphrase["text"] for keyphrase in row["keyphrases"]]
            for matching in ("exact", "approximate"):
                one = values(phrases, *gold[row["id"]], matching == "approximate")
                for metric, value in (one or {}).items():
                    found.setdefault(f"{metric}/{matching}", {}).setdefault(cell["name"], {})[row["id"]] = (
                        value
                    )
    checked = Checked()
    for column, systems in found.items():
        _compare(checked, summary, column, systems)
    return checked


def _compare(checked: Checked, summary: Any, column: str, systems: dict[str, dict[str, float]]) -> None:
    ids = sorted(next(iter(systems.values())))
    table = {name: np.array([scores[id] for id in ids]) for name, scores in systems.items()}
    ours = {c["name"]: next(s for s in c["scores"] if f"{s['metric']}/{s['matching']}" == column)["value"]
            for c in summary["cells"]}  # fmt: skip
    for name, scores in table.items():
        checked.values += 1
        checked.widest = max(checked.widest, abs(float(scores.mean()) - ours[name]))
    best = max(ours, key=lambda name: ours[name])
    rng = np.random.default_rng(1)
    raw = sorted((p_value(table[name] - table[best], rng), name) for name in table if name != best)
    least = 0.0
    for rank, (p, name) in enumerate(raw):
        least = max(least, min(1.0, p * (len(raw) - rank)))
        theirs = next(c["p_values"] for c in summary["cells"] if c["name"] == name)[column]
        checked.tests += 1
        # Both are drawn: within what 10,000 draws may differ, .05 is no border.
        if (least > 0.05) != (theirs > 0.05) and abs(least - theirs) > 0.02:
            checked.apart.append(f"{summary['name']}: {column}: {name}: p {theirs:.4f}, here {least:.4f}")
