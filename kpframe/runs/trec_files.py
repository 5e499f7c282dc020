"""Finished runs and predictions as files for trec_eval and what reads its files."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args

from kpframe.errors import DataError, SpecError
from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.trec import Subset, TrecDocument, trec_documents, trec_matching
from kpframe.files.atomic import atomic_write, fresh_folder, write_text
from kpframe.runs.finished import FinishedRun
from kpframe.runs.gold import DocumentGold
from kpframe.stages import Matching

__all__ = ["TrecSystem", "run_pairs", "write_trec"]


@dataclass(frozen=True, slots=True)
class TrecSystem:
    """What was written of one system.

    `documents` counts those in the qrels, `phrases` the lines of the run. `without_phrases` are documents
    that have gold of the subset and no phrase of it: trec_eval leaves them out unless it is called with
    -c, ir_measures counts them as 0, and so does kpframe. `without_gold` counts documents without gold of
    the subset, which are not in the qrels and so in no average; kpframe has `empty: skip` for it.
    """

    name: str
    documents: int
    phrases: int
    without_phrases: tuple[str, ...]
    without_gold: int


def write_trec(
    folder: str | Path,
    systems: Iterable[tuple[str, Iterable[Pair]]],
    *,
    normalize: str = "porter",
    subset: Subset = "all",
) -> list[TrecSystem]:
    """Write `qrels.txt`, `runs/NAME.txt` for each system and `export.json` into `folder`.

    All systems must have the same gold. Phrases have the names of `kpframe.evaluation.trec`; rank and score
    follow the order of the list. With `subset` other than `all`, gold and predictions are parted into
    those that stand in the text (as tokens, under the same normalisation) and those that do not, and each
    part is ranked anew. `export.json` says under which matching names are equal, and what each run holds.
    The folder appears when all is written.

    Raises SpecError for an unknown normalisation or subset, and DataError for a folder that is not empty,
    for documents without texts where these are needed, and for systems that differ in their gold.
    """
    if subset not in get_args(Subset):
        raise SpecError.at("subset", f"unknown subset {subset!r}", "use all, present or absent")
    matching = trec_matching(normalize, subset)
    with fresh_folder(Path(folder)) as target:
        made = _write_systems(target, systems, matching, subset)
        record = {"matching": matching.signature(), "subset": subset, "systems": [*map(asdict, made)]}
        write_text(target / "export.json", json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    return made


def _write_systems(
    target: Path, systems: Iterable[tuple[str, Iterable[Pair]]], matching: Matching, subset: Subset
) -> list[TrecSystem]:
    made: list[TrecSystem] = []
    qrels: dict[str, tuple[str, ...]] | None = None
    for name, pairs in systems:
        own: dict[str, tuple[str, ...]] = {}
        without: list[str] = []
        phrases = 0
        with atomic_write(target / "runs" / f"{name}.txt") as file:
            for document in trec_documents(_with_texts(pairs, subset), matching):
                own[document.id] = document.gold
                phrases += len(document.phrases)
                file.writelines(line.encode("ascii") for line in document.run(name))
                if document.gold and not document.phrases:
                    without.append(document.id)
            if qrels is None:
                qrels = own
                _write_qrels(target / "qrels.txt", qrels)
            elif own != qrels:
                problem = f"have other documents or other gold than those of {made[0].name!r}"
                raise DataError.at(f"the documents of {name!r}", problem, "export it to a folder of its own")
        empty = sum(not gold for gold in own.values())
        made.append(TrecSystem(name, len(own) - empty, phrases, tuple(without), empty))
    return made


def _with_texts(pairs: Iterable[Pair], subset: Subset) -> Iterator[Pair]:
    for pair in pairs:
        if subset != "all" and pair.text is None:
            problem = f"needs the text of every document, and {pair.id!r} has none"
            raise DataError.at(f"subset {subset}", problem, "give gold with texts, or use subset all")
        yield pair


def _write_qrels(path: Path, gold: Mapping[str, tuple[str, ...]]) -> None:
    with atomic_write(path) as file:
        for name, keyphrases in gold.items():
            file.writelines(line.encode("ascii") for line in TrecDocument(name, keyphrases, ()).qrels())


def run_pairs(run: FinishedRun, cell: str, gold: DocumentGold, failed: Collection[str]) -> Iterator[Pair]:
    """The documents of a cell with their gold, but for those that failed."""
    for saved in run.keyphrases(cell):
        if saved.id not in failed:
            phrases = tuple([keyphrase.text for keyphrase in saved.whole()])
            keyphrases, text = gold.of(saved.id, cell)
            yield Pair(saved.id, keyphrases, phrases, text)
