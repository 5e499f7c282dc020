"""What noise filters do to the shipped pipelines, on development parts alone.

    python tests/benchmarks/noise.py [--documents 150] [--long 40] [--only textrank tfidf]

For each filter the change of F1@10 (exact) on the development part of each corpus (`split: {train: 2/3, seed:
2009, development: true}`, of it the first documents in natural order: so many abstracts and news, and so many
papers). The rule, written down before any figure was seen: what raises the mean over corpora, and makes no
corpus worse by more than .002, goes into the pipeline. Needs KPFRAME_DATA.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from gold_in_text import documents

import kpframe as kp
from kpframe.engine.cache import AnnotationCache, cache_folder
from kpframe.engine.spool import _by_hash
from kpframe.model import Annotations, Document
from kpframe.model.natural_order import natural_key

CORPORA = {"Inspec": False, "DUC": False, "SP": True, "SemEval2010": True, "SemEval2017": False, "kdd": False}
"""The corpora, and whether their documents are long."""

PIPELINES = ("textrank", "tfidf", "noun-phrases", "any-language", "singlerank", "topicrank", "by-length")
AFTER = {
    "variants: plural": "{kind: variants, join: [plural]}",
    "variants: all": "variants",
    "no lone adjectives": "{kind: single_words, pos: [noun]}",
}
"""Stages behind those that a pipeline has."""

FRONT = "front matter"
BEFORE_SECTIONS = {
    "noun-phrases": "tokenize, pos, {kind: chunk, method: grammar}",
    "any-language": "simple",
}
"""What is annotated before sections are, where it is not `tokenize, pos`."""

LISTS = {"papers": ("papers",), "calendar": ("auto-calendar",), "units": ("auto-units",)}
"""Lists of stop words beside that of the language."""


def development(name: str, limit: int) -> list[Document]:
    """The development part of a corpus, as a spec would split it."""
    found = {document.id: document for document in documents(name)}
    share = Fraction(2, 3)
    ids = sorted(found, key=natural_key)
    parts = _by_hash(ids, "2009", share)
    inner = _by_hash([id for id in ids if parts[id] == "train"], "2009:development", share)
    chosen = [id for id in ids if inner.get(id) == "test" and found[id].text.strip() and found[id].gold]
    return [found[id] for id in chosen[:limit]]


def settings(pipeline: str) -> dict[str, list[str]]:
    """For each filter what is set in a pipeline."""
    merge = "" if pipeline == "any-language" else "{kind: merge_adjacent, max_tokens: 4%s}, "
    merge = (
        merge % (", places: all" if pipeline in ("textrank", "tfidf", "noun-phrases", "by-length") else "")
        if merge
        else ""
    )

    def steps(lists: Sequence[str], *after: str, before: str = "") -> list[str]:
        named = ", ".join(("auto", *lists))
        more = "".join(f", {stage}" for stage in after)
        stop = f"{{kind: stopwords, lists: [{named}], trim: both}}"
        without = ["candidates.name_numbers=false"] if pipeline in ("textrank", "tfidf") else []
        return [
            *without,
            f"postprocessing=[{merge}{before}{stop}, {{kind: token_length, min: 1, max: 4}}{more}]",
        ]

    found = {"as it was": steps(())}
    found |= {f"stop list {name}": steps(lists) for name, lists in LISTS.items()}
    found |= {name: steps((), stage) for name, stage in AFTER.items() if _possible(pipeline, stage)}
    annotated = BEFORE_SECTIONS.get(pipeline, "tokenize, pos")
    found[FRONT] = [f"preprocessing=[{annotated}, sections]", *steps((), "sections")]
    if pipeline != "any-language":  # before stop words, of which a part may be one
        found["parts of few phrases"] = steps((), before="{kind: parts, until: 10}, ")
    if pipeline in ("textrank", "tfidf"):
        found["numbers of names"] = [*steps(()), "candidates.name_numbers=true"]
    if pipeline not in ("any-language",):
        numbers = ["candidates.name_numbers=true"] if pipeline in ("textrank", "tfidf") else []
        whole = "{kind: stopwords, lists: [auto-calendar, auto-units], trim: none}"
        found["calendar and units, whole phrases only"] = steps((), whole)
        together = steps((), whole, AFTER["no lone adjectives"])
        found["whole phrases, adjectives, numbers"] = [*together, *numbers]
    if pipeline == "any-language":
        found["numbers of names"] = [*steps(()), "candidates.numbers=names"]
        found["stop list papers, as candidates"] = [
            "candidates.stopwords=[auto, papers]",
            *steps(("papers",)),
        ]
    return found


def _possible(pipeline: str, stage: str) -> bool:
    return not (pipeline == "any-language" and "single_words" in stage)


def measured(
    pipeline: kp.Pipeline, given: Iterable[tuple[Document, Annotations]], gold: Sequence[Document]
) -> float:
    """F1@10, exact."""
    found: Mapping[str, list[str]] = {
        document.id: pipeline.keyphrases(document, made).surfaces for document, made in given
    }
    (score,) = kp.score(gold, found, metrics="f1@10", matching="exact")
    return score.value


def main() -> None:
    """Print a row for each pipeline and filter."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=150, help="abstracts and news of each corpus")
    parser.add_argument("--long", type=int, default=40, help="papers of each corpus")
    parser.add_argument("--only", nargs="*", default=list(PIPELINES), help="these pipelines")
    parser.add_argument("--filters", nargs="*", default=[], help="these filters; all by default")
    options = parser.parse_args()
    parts = {
        name: development(name, options.long if long else options.documents) for name, long in CORPORA.items()
    }
    print("documents:", ", ".join(f"{name} {len(part)}" for name, part in parts.items()))
    print("| pipeline | filter |", " | ".join(parts), "| mean | goes in |")
    cache = AnnotationCache(cache_folder())
    for name in options.only:
        chains = {
            label: kp.Pipeline.load(name, settings=said)
            for label, said in settings(name).items()
            if not options.filters or label in ("as it was", *options.filters)
        }
        before: dict[str, float] = {}
        # Of what one chain annotates the others take what they need.
        first = chains.get(FRONT, chains.get("no lone adjectives", chains["as it was"]))
        given = {
            corpus: [
                (d, made.value) for d, made in first.preprocessing.annotate(part, cache) if made.error is None
            ]
            for corpus, part in parts.items()
        }
        for label, chain in chains.items():
            values = {corpus: measured(chain, given[corpus], parts[corpus]) for corpus in parts}
            before = before or values
            change = {corpus: values[corpus] - before[corpus] for corpus in parts}
            mean = sum(change.values()) / len(change)
            good = mean > 0 and min(change.values()) >= -0.002
            if values is before:
                shown = [f"{value:.4f}" for value in values.values()] + [
                    f"{sum(values.values()) / len(values):.4f}",
                    "",
                ]
            else:
                shown = [f"{value:+.4f}" for value in change.values()] + [
                    f"{mean:+.4f}",
                    "yes" if good else "no",
                ]
            print(f"| {name} | {label} |", " | ".join(shown), "|", flush=True)


if __name__ == "__main__":
    main()
