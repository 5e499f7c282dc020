"""`kpframe score --preset kpeval --subset all` over many documents, and `trec_eval` beside ir_measures:
CPU and memory.

    python tests/benchmarks/long_scoring.py [--documents 100000]

Texts are Inspec abstracts with words of another one behind them; 20 predicted phrases are runs of their
words, some of them gold. All is read from files by a process of its own, whose CPU time and greatest
memory are told. Then the 14 measures of the preset `trec_eval` over a tenth of them, from dicts in
memory: by `kpframe.score` on words as they are, against ir_measures, and ranx where it is installed, on what
nltk has stemmed (once a word); and all on ready stems. ranx has compiled its functions before its time is
taken. Needs the corpora.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import ir_measures
from ir_measures import AP, RR, P, R, Rprec, SetF, SetP, SetR, nDCG
from nltk.stem import PorterStemmer
from side_by_side import ROOT, arguments, corpora, table

import kpframe
from kpframe.language import stems
from kpframe.matching import _gold_index, _normalised, _prepared
from kpframe.model import Document
from kpframe.stages.registry import lookup
from kpframe.statistics import diversity

MEASURES = [Rprec, AP, nDCG, nDCG @ 5, nDCG @ 10, P @ 5, P @ 10, R @ 5, R @ 10, R @ 50, RR, SetP, SetR, SetF]
"""As the preset lists them."""

OF_RANX = [
    *("r-precision", "map", "ndcg", "ndcg@5", "ndcg@10", "precision@5", "precision@10"),
    *("recall@5", "recall@10", "recall@50", "mrr", "precision", "recall", "f1"),
]
"""The same in the same order."""

Lists = dict[str, list[str]]


def documents(count: int) -> Any:
    """Id, text, gold and predicted phrases of each document, from one seed."""
    chance = random.Random(2009)
    read = lookup("documents", "hulth2003")(path=str(corpora() / "Hulth2003.tar.gz")).read()  # type: ignore[attr-defined]
    known = [document for document in read if isinstance(document, Document)]
    for number in range(count):
        one, other = chance.choice(known), chance.choice(known)
        behind = other.text.split()
        chance.shuffle(behind)
        gold = [keyphrase.text for keyphrase in one.gold]
        words = [bare for word in one.text.split() if (bare := word.strip(".,;:()").lower())]
        predicted = []
        for _ in range(20):
            length = chance.choice([1, 2, 2, 2, 3, 3, 4])
            begin = chance.randrange(max(1, len(words) - length))
            predicted.append(" ".join(words[begin : begin + length]))
        for _ in range(len(gold) // 3):
            predicted[chance.randrange(20)] = chance.choice(gold)
        yield f"d{number}", " ".join([one.text, *behind[:40]]), gold, predicted


def written(folder: Path, count: int) -> tuple[Lists, Lists]:
    """The files of gold and predictions; of a tenth of the documents gold and predictions as dicts."""
    gold, predicted = {}, {}
    with (folder / "gold.jsonl").open("w") as first, (folder / "predicted.jsonl").open("w") as second:
        for number, (id, text, keyphrases, phrases) in enumerate(documents(count)):
            first.write(json.dumps({"id": id, "text": text, "gold": keyphrases}) + "\n")
            second.write(json.dumps({"id": id, "keyphrases": phrases}) + "\n")
            if number < count // 10:
                gold[id], predicted[id] = keyphrases, phrases
    return gold, predicted


def scored(folder: Path) -> tuple[float, float]:
    """CPU seconds and greatest memory (MB) of the command."""
    words = ["--gold", str(folder / "gold.jsonl"), "--predictions", str(folder / "predicted.jsonl")]
    command = [sys.executable, "-m", "kpframe", "score", *words, "--preset", "kpeval", "--subset", "all"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1024


def stemmed(lists: Lists) -> Lists:
    """Each list by Porter stems, each phrase once."""
    stem = lru_cache(None)(PorterStemmer().stem)
    return {
        id: list(dict.fromkeys(" ".join(map(stem, phrase.lower().split())) for phrase in phrases))
        for id, phrases in lists.items()
    }


def theirs(gold: Lists, predicted: Lists) -> list[float]:
    """The averages by ir_measures, with the building of its dicts."""
    wanted = {id: dict.fromkeys(phrases, 1) for id, phrases in gold.items()}
    run = {id: {phrase: -float(rank) for rank, phrase in enumerate(list_)} for id, list_ in predicted.items()}
    found = ir_measures.calc_aggregate(MEASURES, wanted, run)
    return [found[measure] for measure in MEASURES]


def of_ranx(gold: Lists, predicted: Lists) -> list[float]:
    """The averages by ranx, with the building of its tables; of all documents that have gold."""
    ranx: Any = importlib.import_module("ranx")
    qrels = ranx.Qrels({id: dict.fromkeys(phrases, 1) for id, phrases in gold.items()})
    lists = predicted.items()
    run = ranx.Run({id: {p: 1000.0 - rank for rank, p in enumerate(list_)} for id, list_ in lists})
    found = ranx.evaluate(qrels, run, OF_RANX)
    return [float(found[name]) for name in OF_RANX]


def ours(gold: Lists, predicted: Lists, **how: Any) -> list[float]:
    """The averages by kpframe, with empty caches."""
    for module in (_gold_index, _normalised, _prepared, diversity, stems):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()
    return [score.value or 0.0 for score in kpframe.score(gold, predicted, **how)]


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", documents=100_000)
    with tempfile.TemporaryDirectory() as scratch:
        gold, predicted = written(Path(scratch), options.documents)
        seconds, memory = scored(Path(scratch))
    preset = {"preset": "trec_eval", "subset": "all"}
    ready_gold, ready = stemmed(gold), stemmed(predicted)
    peers = {"ir_measures": theirs}
    if importlib.util.find_spec("ranx"):
        peers["ranx"] = of_ranx
    rows = []
    for name, peer in peers.items():
        pairs = zip(ours(gold, predicted, **preset), peer(ready_gold, ready), strict=True)
        if (apart := max(abs(a - b) for a, b in pairs)) > 1e-6:
            sys.exit(f"{name} differs by {apart}")
        with_stems, on_stems = [], []
        for _ in range(options.repetitions):
            alone = cpu(lambda peer=peer: peer(ready_gold, ready))
            stems_too = cpu(lambda peer=peer: peer(stemmed(gold), stemmed(predicted)))
            with_stems.append(cpu(lambda: ours(gold, predicted, **preset)) / stems_too)
            on_stems.append(cpu(lambda: ours(ready_gold, ready, **preset)) / alone)
        for how, ratios, aim in (("with stemming", with_stems, 1), ("on ready stems", on_stems, 2)):
            told = f"target ≤ {aim}.00" if name == "ir_measures" else "target < 1.00"
            rows.append((f"14 measures {how} / {name}", f"{statistics.median(ratios):.2f}", told))
    table(
        f"scoring: {options.documents:,} documents × 20 predicted, from files; {len(gold):,} from memory",
        [
            ("score --preset kpeval --subset all, CPU", f"{seconds:.0f} s", "target ≤ 60 s for 100,000"),
            ("its greatest memory", f"{memory:.0f} MB", "target ≤ 500 MB"),
            *rows,
        ],
    )


if __name__ == "__main__":
    main()
