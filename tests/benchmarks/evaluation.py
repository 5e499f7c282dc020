"""How long scoring takes beside pytrec_eval, which is given normalised phrases, and beside a plain loop.

    python tests/benchmarks/evaluation.py [--documents 20000] [--repetitions 3]

Each document has 50 predicted phrases and 10 gold keyphrases of 1 to 4 words. The words are those of Inspec
abstracts, drawn by their frequency; the phrases follow Zipf's law. Three ways to the same measures, `exact`
matching of Porter stems:

- kpframe: `score_measures` with empty caches, from phrases as written to averages;
- pytrec_eval: its dicts built from phrases that are already stemmed and distinct, and `evaluate()` (values of
  documents, no averages; it has no F1 at 5 and 10);
- a plain loop over the documents, with nltk's Porter stemmer called for each word.

The three must agree. The growth of memory while kpframe scores is measured in a process of its own. Needs
the corpora.
"""

from __future__ import annotations

import gc
import math
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytrec_eval
from nltk.stem import PorterStemmer
from side_by_side import arguments, corpora, in_turn, ratio, table

from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.scoring import chosen_measures, score_measures
from kpframe.language.stems import stem, stemmer
from kpframe.language.words import phrase_tokens
from kpframe.matching import _normalised
from kpframe.model import Document, Gold
from kpframe.stages.registry import lookup

PREDICTED, GOLD = 50, 10
PHRASES = 400_000
CHILD = "--child"

METRICS = [f"{name}@{k}" for name in ("precision", "recall", "f1") for k in ("5", "10", "M", "O")] + [
    *("r_precision", "max_recall", "map@M", "mrr@M", "ndcg@M", "ndcg@10")
]
OF_TREC = {
    "precision@5": "P_5",
    "precision@10": "P_10",
    "precision@M": "set_P",
    "recall@5": "recall_5",
    "recall@10": "recall_10",
    "recall@M": "set_recall",
    "f1@M": "set_F",
    "r_precision": "Rprec",
    "map@M": "map",
    "mrr@M": "recip_rank",
    "ndcg@M": "ndcg",
    "ndcg@10": "ndcg_cut_10",
}
ASKED = {*("P.5,10", "recall.5,10", "set_P", "set_recall", "set_F", "Rprec", "map", "recip_rank", "ndcg")} | {
    "ndcg_cut.10"
}

WORD = re.compile("[A-Za-z]+(?:-[A-Za-z]+)*")

Averages = dict[str, float]
Stems = list[tuple[list[str], list[str]]]


def inspec_words() -> tuple[list[str], Any]:
    """The words of Inspec abstracts as they are written, and the share of each."""
    reader = lookup("documents", "hulth2003")(path=str(corpora() / "Hulth2003.tar.gz"))
    read = reader.read()  # type: ignore[attr-defined]
    counts = Counter(
        word
        for document in read
        if isinstance(document, Document)
        for word in document.text.split()
        if WORD.fullmatch(word)
    )
    shares = np.array(list(counts.values()), dtype=float)
    return list(counts), shares / shares.sum()


def documents(count: int) -> list[Pair]:
    """Lists of phrases, a third of the gold keyphrases being among the predicted ones."""
    chance = np.random.Generator(np.random.PCG64(2009))
    words, shares = inspec_words()
    lengths = chance.choice([1, 2, 3, 4], size=PHRASES, p=[0.3, 0.4, 0.2, 0.1])
    drawn = iter(chance.choice(len(words), size=int(lengths.sum()), p=shares).tolist())
    phrases = [" ".join([words[next(drawn)] for _ in range(length)]) for length in lengths.tolist()]
    popularity = 1 / np.arange(10, PHRASES + 10) ** 0.9
    found = chance.choice(PHRASES, size=(count, PREDICTED + GOLD), p=popularity / popularity.sum())
    shared = chance.binomial(GOLD, 1 / 3, size=count)
    made = []
    for number, row in enumerate(found.tolist()):
        predicted, gold = row[:PREDICTED], row[PREDICTED:]
        places = chance.choice(PREDICTED, size=int(shared[number]), replace=False)
        gold[: len(places)] = [predicted[place] for place in places]
        keyphrases = tuple([Gold((phrases[p],)) for p in gold])
        made.append(Pair(f"d{number}", keyphrases, tuple([phrases[p] for p in predicted]), None))
    return made


def kpframes(pairs: Sequence[Pair]) -> Averages:
    """By kpframe, which has yet to stem every word."""
    stemmer.cache_clear()
    _normalised._reducer.cache_clear()
    measures = chosen_measures(METRICS, {"kind": "exact", "normalize": "porter"}, texts=False)
    return {score.metric: score.value or 0.0 for score in score_measures(pairs, measures)}


def stemmed(pairs: Sequence[Pair]) -> Stems:
    """What pytrec_eval is given: stemmed phrases, each but once, predicted and gold."""

    def distinct(phrases: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(" ".join(map(stem, phrase_tokens(phrase))) for phrase in phrases))

    return [(distinct(pair.phrases), distinct([gold.text for gold in pair.gold])) for pair in pairs]


def trecs(given: Stems) -> dict[str, dict[str, float]]:
    """By pytrec_eval, with the building of its dicts."""
    wanted = {str(number): dict.fromkeys(gold, 1) for number, (_, gold) in enumerate(given)}
    run = {
        str(number): {phrase: float(-rank) for rank, phrase in enumerate(predicted)}
        for number, (predicted, _) in enumerate(given)
    }
    values: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(wanted, ASKED).evaluate(run)
    return values


def plain(pairs: Sequence[Pair]) -> Averages:
    """By a loop as people write it: a stemmer, lists and sets."""
    porter = PorterStemmer()
    sums: Averages = dict.fromkeys(METRICS, 0.0)

    def normalise(phrase: str) -> str:
        return " ".join(porter.stem(word) for word in phrase.lower().split())

    for pair in pairs:
        predicted: list[str] = []
        for phrase in pair.phrases:
            normal = normalise(phrase)
            if normal not in predicted:
                predicted.append(normal)
        gold = {normalise(keyphrase.text) for keyphrase in pair.gold}
        hits = [phrase in gold for phrase in predicted]
        for name, k in (("5", 5), ("10", 10), ("M", len(predicted)), ("O", len(gold))):
            precision, recall = sum(hits[:k]) / k, sum(hits[:k]) / len(gold)
            sums[f"precision@{name}"] += precision
            sums[f"recall@{name}"] += recall
            if precision + recall:
                sums[f"f1@{name}"] += 2 * precision * recall / (precision + recall)
        sums["r_precision"] += sum(hits[: len(gold)]) / len(gold)
        sums["max_recall"] += sum(hits) / len(gold)
        ranks = [rank for rank, hit in enumerate(hits, start=1) if hit]
        sums["map@M"] += sum(number / rank for number, rank in enumerate(ranks, start=1)) / len(gold)
        sums["mrr@M"] += 1 / ranks[0] if ranks else 0.0
        for name, k in (("ndcg@M", len(predicted)), ("ndcg@10", 10)):
            ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), k) + 1))
            sums[name] += sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k) / ideal
    return {name: total / len(pairs) for name, total in sums.items()}


def check(pairs: Sequence[Pair], given: Stems) -> None:
    """End the benchmark if what is compared does not agree."""
    own, others, trec = kpframes(pairs), plain(pairs), trecs(given)
    for name, value in own.items():
        if abs(value - others[name]) > 1e-9:
            sys.exit(f"{name}: {value} by kpframe, {others[name]} by the plain loop")
    for name, theirs in OF_TREC.items():
        mean = statistics.fmean(values[theirs] for values in trec.values())
        if abs(own[name] - mean) > 1e-6:  # trec_eval adds single ideal gains up in another way
            sys.exit(f"{name}: {own[name]} by kpframe, {mean} by pytrec_eval")


def resident(name: str) -> float:
    """VmRSS, the resident size of this process now, or VmHWM, the greatest one; in MB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


def child(count: int) -> None:
    """Print the resident size before scoring and the greatest one meanwhile (Linux only)."""
    pairs = documents(count)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # what was greatest before is forgotten
    before = resident("VmRSS")
    kpframes(pairs)
    print(f"{before:.0f} {resident('VmHWM'):.0f}")


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", documents=20_000)
    command = [sys.executable, __file__, CHILD, str(options.documents)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    before, after = map(int, done.stdout.split())
    pairs = documents(options.documents)
    given = stemmed(pairs)
    check(pairs, given)
    works: dict[str, Callable[[], Any]] = {
        "kpframe": lambda: kpframes(pairs),
        "pytrec_eval": lambda: trecs(given),
        "plain": lambda: plain(pairs),
    }
    times = in_turn(works, options.repetitions)
    distinct = {phrase for pair in pairs for phrase in (*pair.phrases, *(gold.text for gold in pair.gold))}
    median = {name: f"{statistics.median(found):.2f} s" for name, found in times.items()}
    table(
        f"evaluation: {len(pairs):,} documents × {PREDICTED} predicted × {GOLD} gold, {len(distinct):,} "
        f"distinct phrases, {len(METRICS)} measures, {options.repetitions} turns",
        [
            (
                "kpframe / pytrec_eval on stems",
                ratio(times, "kpframe", "pytrec_eval"),
                f"target ≤ 4.00 ({median['kpframe']} / {median['pytrec_eval']})",
            ),
            (
                "plain loop / kpframe",
                ratio(times, "plain", "kpframe"),
                f"target ≥ 5.00 ({median['plain']} / {median['kpframe']})",
            ),
            ("growth of memory by kpframe", f"{after - before} MB", f"to {after} MB with the phrases"),
        ],
    )


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        child(int(sys.argv[2]))
    else:
        main()
